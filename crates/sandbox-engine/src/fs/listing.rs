//! A folder's entries, read bit by bit: a folder of the host's may hold millions.

use super::inode::Ino;
use super::mount::OpenMount;
use super::native::{bytes_of, entry_inode, errno, kind, path_of};
use super::node::{FileKind, Node};
use super::walk::Spot;
use super::{FileSystem, Result};
use crate::wasi::errno::Errno;
use cap_std::fs::ReadDir;
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

/// What one line of a listing costs beside its name, about: while it is sorted, and after.
const ENTRY_COST: u64 = 112;

/// One line of a folder's listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DirEntry {
    pub(crate) name: Arc<[u8]>,
    pub(crate) ino: u64,
    pub(crate) kind: FileKind,
}

impl DirEntry {
    /// What it costs the host's memory, about. The name may be shared with the folder, but not for as long as it lasts.
    fn host_bytes(&self) -> u64 {
        ENTRY_COST + self.name.len() as u64
    }
}

/// A folder's listing that a guest reads bit by bit: `.`, `..`, then by name.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    pub(crate) entries: Vec<DirEntry>,
    bytes: u64,
}

impl Listing {
    /// What it costs the host's memory, about.
    pub(crate) fn host_bytes(&self) -> u64 {
        self.bytes
    }
}

/// A listing in the making.
#[derive(Debug)]
pub(crate) struct Lister {
    entries: Vec<DirEntry>,
    bytes: u64,
    room: u64,
    /// A host folder that has not been read to its end, and what was found in it.
    reader: Option<Entries>,
    found: BTreeMap<Arc<[u8]>, (Ino, FileKind)>,
}

impl Lister {
    /// Does a number of steps, each of which takes a microsecond or two. `true` when there is nothing more to do.
    /// `ENOMEM` where the listing costs the host more than there is room for.
    pub(crate) fn advance(&mut self, steps: usize) -> Result<bool> {
        for _ in 0..steps {
            match self.reader.as_mut().map(Iterator::next) {
                Some(Some(entry)) => {
                    let entry = entry?;
                    self.count(&entry)?;
                    self.found.insert(entry.name, (entry.ino, entry.kind));
                }
                Some(None) => {
                    self.reader = None;
                    self.entries.reserve_exact(self.found.len());
                }
                // Sorted as they came. Putting them into one row takes time, too.
                None => match self.found.pop_first() {
                    Some((name, (ino, kind))) => self.entries.push(DirEntry { name, ino, kind }),
                    None => return Ok(true),
                },
            }
        }
        Ok(false)
    }

    /// The listing, when there is nothing more to do.
    pub(crate) fn finish(self) -> Listing {
        Listing {
            entries: self.entries,
            bytes: self.bytes,
        }
    }

    fn count(&mut self, entry: &DirEntry) -> Result<()> {
        self.bytes += entry.host_bytes();
        if self.bytes > self.room {
            return Err(Errno::Nomem);
        }
        Ok(())
    }

    fn push(&mut self, entry: DirEntry) -> Result<()> {
        self.count(&entry)?;
        self.entries.push(entry);
        Ok(())
    }
}

impl FileSystem {
    /// Begins to list a folder, for which the host may hold `room` bytes.
    pub(crate) fn begin_listing(&self, node: &Node, room: u64) -> Result<Lister> {
        if node.kind != FileKind::Folder {
            return Err(Errno::Notdir);
        }
        let spot = Spot::from(node);
        let around = self
            .parent(spot.clone(), false)
            .and_then(|parent| self.stat(&parent.into_node(FileKind::Folder)));
        let own = self.stat(node)?.ino;
        let mut lister = Lister {
            entries: Vec::new(),
            bytes: 0,
            room,
            reader: None,
            found: BTreeMap::new(),
        };
        for (name, ino) in [
            (&b"."[..], own),
            (b"..", around.map_or(own, |stat| stat.ino)),
        ] {
            lister.push(DirEntry {
                name: name.into(),
                ino,
                kind: FileKind::Folder,
            })?;
        }
        match spot {
            // At once: quotas keep it short.
            Spot::Memory(ino) => {
                for (name, &ino) in &self.tree.folder(ino)?.entries {
                    lister.push(DirEntry {
                        name: Arc::clone(name),
                        ino,
                        kind: self.tree.get(ino)?.body.kind(),
                    })?;
                }
            }
            Spot::Mounted(at) => lister.reader = Some(self.mount(&at)?.entries(&at.path)?),
        }
        Ok(lister)
    }

    /// A folder's entries, for the host: as many as fit the memory limit.
    pub(super) fn read_dir(&self, node: &Node) -> Result<Vec<DirEntry>> {
        let mut lister = self.begin_listing(node, self.tree.quota.memory)?;
        while !lister.advance(usize::MAX)? {}
        Ok(lister.finish().entries)
    }
}

/// A host folder's entries as they come, without `.` and `..`.
#[derive(Debug)]
pub(super) struct Entries {
    reader: ReadDir,
    /// The folder's path in the mount.
    folder: Vec<u8>,
}

impl OpenMount {
    /// A folder's entries.
    pub(super) fn entries(&self, path: &[u8]) -> Result<Entries> {
        let reader = if path.is_empty() {
            self.dir.entries()
        } else {
            self.dir.read_dir(path_of(path)?)
        };
        Ok(Entries {
            reader: reader.map_err(errno)?,
            folder: path.to_vec(),
        })
    }
}

impl Entries {
    /// An entry in our terms; `None` where it was deleted on the host's side just now.
    fn entry(&self, entry: &cap_std::fs::DirEntry) -> Result<Option<DirEntry>> {
        let name = entry.file_name();
        let name = bytes_of(&name)?;
        let mut kind_of = entry.file_type().map(kind);
        // Not every file system tells it along with the name.
        if matches!(kind_of, Ok(FileKind::Other)) {
            kind_of = entry.metadata().map(|metadata| kind(metadata.file_type()));
        }
        match kind_of {
            Ok(kind) => Ok(Some(DirEntry {
                name: name.into(),
                ino: entry_inode(entry, &self.folder, name),
                kind,
            })),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(errno(error)),
        }
    }
}

impl Iterator for Entries {
    type Item = Result<DirEntry>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let entry = self.reader.next()?.map_err(errno);
            match entry.and_then(|entry| self.entry(&entry)) {
                Ok(Some(entry)) => return Some(Ok(entry)),
                Ok(None) => {}
                Err(errno) => return Some(Err(errno)),
            }
        }
    }
}
