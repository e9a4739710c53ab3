//! A session's file system: its own files in the host's memory, and host folders as mounts.
//!
//! A [`FileSystem`] is a value: a clone is a snapshot that shares everything until one of the two changes, which is how
//! a session goes back to an earlier state. Mounts are shared by all snapshots; what was written to them stays.
//!
//! What was decided where systems differ:
//!
//! | case | here |
//! |---|---|
//! | names | bytes, compared as bytes: `A` and `a` are two; at most 255 bytes; no NUL (`EINVAL`) |
//! | paths | at most 4,096 bytes and 40 links; folders at most [`Limits::path_depth`] deep (`ENAMETOOLONG`) |
//! | `..` | the folder around; at `/` it stays; out of a mount it leads to the mount point's folder |
//! | links in the tree | relative to their folder, or absolute from the sandbox's `/` |
//! | links in a mount | followed as long as they stay in it; absolute ones and those that climb out: `EACCES` |
//! | links made in a mount | only those that lead downwards: others would mislead programs on the host (`EACCES`) |
//! | links moved in a mount | those that climb stay in their folder, and in a folder that moves if they climb out of it (`EACCES`) |
//! | folders moved in a mount | only if few enough lie in them to look for such links and for the depth (`EXDEV`) |
//! | a slash at the end | means a folder; a link before it is followed where it is looked at, not where it is removed |
//! | quotas | total bytes `ENOSPC`, one file's bytes `EFBIG`, number of names `EDQUOT`; holes count like bytes |
//! | a write that only half fits | writes that half; the next one fails |
//! | hard links | each name counts; none to folders (`EPERM`); none between mounts, like renames (`EXDEV`) |
//! | a file without names | lives, and counts, while it is open |
//! | `/`, `/mnt` and folders above a mount point | cannot be changed (`EROFS`) |
//! | mount points | cannot be removed or renamed (`EACCES`) |
//! | mounts | every change of a read-only one is `EROFS` |
//! | quotas in mounts | what the session adds to one: bytes `ENOSPC`, names `EDQUOT`; one file's size `EFBIG` |
//! | listings | are of one moment, by name; `ENOMEM` where the host could not hold them within the memory limit |
//! | devices, pipes, sockets in a mount | are listed, never opened (`EACCES`); opening does not wait |
//! | folders in a mount | are found by their path at each use: renamed or deleted, an open one is `ENOENT` |
//! | access times | change only when they are set |

mod carry;
mod changes;
mod content;
mod disk_use;
mod entries;
mod files;
mod host;
mod inode;
mod listing;
mod mount;
mod mount_changes;
mod native;
mod node;
mod quota;
mod table;
mod tar;
mod tree;
mod walk;

#[cfg(test)]
mod tests;

pub use changes::FileChanges;
pub(crate) use disk_use::DiskUse;
pub(crate) use listing::{Lister, Listing};
pub use node::{FileInfo, FileKind};
pub(crate) use node::{Node, OpenOptions, Stat};
pub use tar::TarSummary;

use crate::error::Error;
use crate::policy::{Limits, Mount};
use crate::wasi::errno::Errno;
use inode::Ino;
use mount::{HostPath, OpenMount};
use node::Place;
use quota::Quota;
use std::sync::{Arc, LazyLock};
use tree::{ROOT, Tree};

/// A result for the guest.
pub(crate) type Result<T, E = Errno> = std::result::Result<T, E>;

/// A session's file system. See the [module documentation](self).
///
/// Times are nanoseconds since the Unix epoch; `now` is the session's clock.
#[derive(Debug, Clone)]
pub(crate) struct FileSystem {
    tree: Tree,
    mounts: Arc<[OpenMount]>,
    disk_use: DiskUse,
}

/// What every session starts from: `/mnt/data` and `/tmp`, empty.
static BASE: LazyLock<Result<Tree>> = LazyLock::new(|| {
    let mut tree = Tree::new();
    let mnt = tree.add_base(ROOT, b"mnt", true)?;
    tree.add_base(mnt, b"data", false)?;
    tree.add_base(ROOT, b"tmp", false)?;
    Ok(tree)
});

static NO_MOUNTS: LazyLock<Arc<[OpenMount]>> = LazyLock::new(Arc::default);

impl FileSystem {
    /// An empty file system under these limits, for tests: as [`with_disk_use`](Self::with_disk_use).
    #[cfg(test)]
    pub(crate) fn new(limits: &Limits, mounts: &[Mount]) -> Result<Self, Error> {
        Self::with_disk_use(limits, mounts, &DiskUse::default())
    }

    /// An empty file system under these limits, whose mounts have grown by so much before. Opens the mounts' sources.
    ///
    /// # Errors
    /// [`Error::Io`] where a source cannot be opened as a folder, [`Error::Policy`] where a mount would hide something.
    pub(crate) fn with_disk_use(
        limits: &Limits,
        mounts: &[Mount],
        disk_use: &DiskUse,
    ) -> Result<Self, Error> {
        let mut tree = BASE
            .clone()
            .map_err(|errno| Error::Internal(format!("file system: {}", errno.message())))?;
        tree.quota = Quota::from(limits);
        let mounts = if mounts.is_empty() {
            Arc::clone(&NO_MOUNTS)
        } else {
            mounts
                .iter()
                .enumerate()
                .map(|(index, mount)| {
                    let point = mount_point(&mut tree, index, mount)?;
                    OpenMount::new(mount, index, point, limits, disk_use)
                })
                .collect::<Result<_, _>>()?
        };
        Ok(Self {
            tree,
            mounts,
            disk_use: disk_use.clone(),
        })
    }

    /// Goes on under other limits; what is there stays, however much it is. `mounts` are those that it was made with, each
    /// writable or not from now on, and with another quota.
    pub(crate) fn set_terms(&mut self, limits: &Limits, mounts: &[Mount]) {
        self.tree.quota = Quota::from(limits);
        for (open, mount) in self.mounts.iter().zip(mounts) {
            open.set_terms(mount, limits);
        }
    }

    /// How many bytes the host may hold for these files from now on.
    pub(crate) fn set_memory(&mut self, bytes: u64) {
        self.tree.quota.memory = bytes;
    }

    /// `/`.
    pub(crate) fn root() -> Node {
        Node {
            kind: FileKind::Folder,
            place: Place::Memory(ROOT),
        }
    }

    /// Where a path leads.
    pub(crate) fn lookup(&self, base: &Node, path: &[u8], follow: bool) -> Result<Node> {
        self.walk(base, path, walk::Last::following(follow))?
            .existing()
    }

    /// Bytes of all files and links of the session's own, as the quota counts them.
    #[cfg(test)]
    pub(crate) fn used_bytes(&self) -> u64 {
        self.tree.bytes
    }

    /// Names of files and folders of the session's own, as the quota counts them.
    #[cfg(test)]
    pub(crate) fn used_files(&self) -> u64 {
        self.tree.names
    }

    /// What the session's own files cost the host's memory, about. Snapshots that share something each count it.
    pub(crate) fn host_bytes(&self) -> u64 {
        self.tree.held
            + if self.mounts.is_empty() {
                0
            } else {
                self.disk_use.host_bytes()
            }
    }

    fn mount(&self, at: &HostPath) -> Result<&OpenMount> {
        self.mounts.get(at.mount).ok_or(Errno::Noent)
    }
}

/// Makes a mount's mount point.
fn mount_point(tree: &mut Tree, index: usize, mount: &Mount) -> Result<Ino, Error> {
    let wrong = |why: &str| Error::Policy(format!("mount point `{}` {why}", mount.guest));
    let gone = |errno: Errno| wrong(errno.message());
    let mut point = ROOT;
    for name in mount.guest.split('/').filter(|name| !name.is_empty()) {
        if name.len() > walk::MAX_NAME || name == "." || name == ".." || name.contains('\0') {
            return Err(wrong(&format!(
                "has the impossible name `{}`",
                name.escape_debug()
            )));
        }
        let folder = tree.folder(point).map_err(gone)?;
        if folder.mount.is_some() {
            return Err(wrong(
                "lies inside another mount; give it a place of its own",
            ));
        }
        point = if let Some(&there) = folder.entries.get(name.as_bytes()) {
            there
        } else {
            let fixed = folder.fixed;
            tree.add_base(point, name.as_bytes(), fixed).map_err(gone)?
        };
    }
    let folder = tree.folder_mut(point).map_err(gone)?;
    if folder.mount.is_some() {
        return Err(wrong("is used twice"));
    }
    if point == ROOT || !folder.entries.is_empty() {
        return Err(wrong(
            "would hide what the sandbox has there; choose a folder below it",
        ));
    }
    folder.mount = Some(index);
    Ok(point)
}
