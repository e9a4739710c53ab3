//! Host folders that a guest sees. Everything goes through the handle that was opened at the start: cap-std keeps what
//! it does beneath it, also while someone swaps entries on the host's side.
//!
//! Paths here are relative to that handle and resolved: no `.`, no `..`, and where [`walk`](super::walk) met symbolic
//! links, it expanded them. The empty path is the mount's own folder.

use super::Result;
use super::disk_use::{Account, DiskUse, OpenFile};
use super::inode::Ino;
use super::native::{
    self, bytes_of, changed, errno, file_id, inode, kind, links, nanoseconds, path_of, system_time,
    without_waiting,
};
use super::node::{FileKind, OpenOptions, Stat};
use crate::error::Error;
use crate::policy::{Limits, Mount};
use crate::wasi::errno::Errno;
use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata};
use std::fs::{File, FileTimes};
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// The device number of the first mount; 1 is the session's own tree.
const FIRST_DEVICE: u64 = 2;

/// A host folder that was opened for a session.
#[derive(Debug)]
pub(super) struct OpenMount {
    pub(super) dir: Dir,
    /// Shared by all snapshots, as what is written to it is.
    writable: AtomicBool,
    /// What the session added to it.
    pub(super) account: Account,
    /// Its number among the session's mounts.
    pub(super) index: usize,
    /// The folder in the session's own tree that it covers.
    pub(super) point: Ino,
}

/// A place in a mount: its number and a resolved path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HostPath {
    pub(super) mount: usize,
    pub(super) path: Vec<u8>,
}

impl HostPath {
    /// The mount's own folder.
    pub(super) fn root(mount: usize) -> Self {
        Self {
            mount,
            path: Vec::new(),
        }
    }

    pub(super) fn join(&self, name: &[u8]) -> Self {
        let mut path = self.path.clone();
        if !path.is_empty() {
            path.push(b'/');
        }
        path.extend_from_slice(name);
        Self {
            mount: self.mount,
            path,
        }
    }

    /// The folder around it; `None` for the mount's own folder.
    pub(super) fn parent(mut self) -> Option<Self> {
        if self.path.is_empty() {
            return None;
        }
        let len = self
            .path
            .iter()
            .rposition(|&byte| byte == b'/')
            .unwrap_or(0);
        self.path.truncate(len);
        Some(self)
    }

    /// How many names it has.
    pub(super) fn depth(&self) -> u32 {
        self.path
            .split(|&byte| byte == b'/')
            .filter(|name| !name.is_empty())
            .count() as u32
    }
}

/// Something in a mount, with its handle if it was opened as a file. A folder is found by its path whenever it is used,
/// so it costs the host no descriptor.
#[derive(Debug)]
pub(super) struct Mounted {
    pub(super) at: HostPath,
    pub(super) file: Option<OpenFile>,
}

impl OpenMount {
    /// Opens a mount's source.
    pub(super) fn new(
        mount: &Mount,
        index: usize,
        point: Ino,
        limits: &Limits,
        disk_use: &DiskUse,
    ) -> Result<Self, Error> {
        let cannot = || Error::io("cannot open the mount's source", &mount.host);
        let dir = Dir::open_ambient_dir(&mount.host, ambient_authority()).map_err(cannot())?;
        let metadata = dir.dir_metadata().map_err(cannot())?;
        let id = file_id(&metadata, mount.host.as_os_str().as_encoded_bytes());
        let quota = mount.quota_under(limits).bytes();
        Ok(Self {
            dir,
            writable: AtomicBool::new(mount.writable),
            account: disk_use.account(id, quota, limits.files),
            index,
            point,
        })
    }

    /// Whether it may be written to from now on, through files that are open, too, and how much may be added.
    pub(super) fn set_terms(&self, mount: &Mount, limits: &Limits) {
        self.writable.store(mount.writable, Ordering::Relaxed);
        self.account
            .set_quotas(mount.quota_under(limits).bytes(), limits.files);
    }

    pub(super) fn check_writable(&self) -> Result<()> {
        if self.writable.load(Ordering::Relaxed) {
            Ok(())
        } else {
            Err(Errno::Rofs)
        }
    }

    /// What is there. Links are not followed.
    pub(super) fn kind(&self, path: &[u8]) -> Result<Option<FileKind>> {
        match self.metadata(path) {
            Ok(metadata) => Ok(Some(kind(metadata.file_type()))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(errno(error)),
        }
    }

    /// What there is to know about a path. Links are not followed.
    pub(super) fn stat(&self, path: &[u8]) -> Result<Stat> {
        Ok(self.stat_of(&self.metadata(path).map_err(errno)?, path))
    }

    /// What there is to know about an open file.
    pub(super) fn stat_file(&self, file: &File, path: &[u8]) -> Result<Stat> {
        Ok(self.stat_of(&Metadata::from_file(file).map_err(errno)?, path))
    }

    /// Opens a file, and makes it if `options` say so.
    ///
    /// Opening never waits: pipes, devices and sockets are refused by what is there before, and by what was really
    /// opened after.
    pub(super) fn open(&self, path: &[u8], options: OpenOptions) -> Result<OpenFile> {
        if !options.create {
            return self.open_file(path, options, false);
        }
        self.account.check_names()?;
        match self.open_file(path, options, true) {
            // Made on the host's side just now.
            Err(Errno::Exist) if !options.exclusive => self.open_file(path, options, false),
            opened => opened,
        }
    }

    fn open_file(&self, path: &[u8], options: OpenOptions, is_new: bool) -> Result<OpenFile> {
        let writing = options.write || options.truncate || is_new;
        let mut how = cap_std::fs::OpenOptions::new();
        how.read(options.read || !writing).write(writing);
        how.create_new(is_new);
        without_waiting(&mut how);
        let file = self
            .dir
            .open_with(path_of(path)?, &how)
            .map_err(errno)?
            .into_std();
        let metadata = Metadata::from_file(&file).map_err(errno)?;
        if !metadata.is_file() {
            return Err(if metadata.is_dir() {
                Errno::Isdir
            } else {
                Errno::Acces
            });
        }
        let id = file_id(&metadata, path);
        let file = self.account.opened(file, id);
        if is_new {
            self.account.named(id);
        } else if options.truncate {
            let sizes = (metadata.len(), 0);
            let cut = || native::set_len(&file, 0);
            self.account.resize(id, sizes, cut)?;
        }
        Ok(file)
    }

    /// A file's content.
    pub(super) fn read(&self, path: &[u8]) -> Result<Vec<u8>> {
        let file = self.open(path, OpenOptions::default())?;
        let mut content = Vec::new();
        (&*file).read_to_end(&mut content).map_err(errno)?;
        Ok(content)
    }

    pub(super) fn read_link(&self, path: &[u8]) -> Result<Vec<u8>> {
        let target = self.dir.read_link_contents(path_of(path)?).map_err(errno)?;
        Ok(bytes_of(target.as_os_str())?.to_vec())
    }

    /// Sets the times of a file or folder that is not open.
    pub(super) fn set_times(
        &self,
        path: &[u8],
        atim: Option<u64>,
        mtim: Option<u64>,
    ) -> Result<()> {
        self.check_writable()?;
        let mut how = cap_std::fs::OpenOptions::new();
        how.read(true);
        without_waiting(&mut how);
        let path = if path.is_empty() {
            Path::new(".")
        } else {
            path_of(path)?
        };
        let file = self.dir.open_with(path, &how).map_err(errno)?.into_std();
        self.set_file_times(&file, atim, mtim)
    }

    pub(super) fn set_file_times(
        &self,
        file: &File,
        atim: Option<u64>,
        mtim: Option<u64>,
    ) -> Result<()> {
        self.check_writable()?;
        let mut times = FileTimes::new();
        if let Some(ns) = atim {
            times = times.set_accessed(system_time(ns));
        }
        if let Some(ns) = mtim {
            times = times.set_modified(system_time(ns));
        }
        file.set_times(times).map_err(errno)
    }

    pub(super) fn metadata(&self, path: &[u8]) -> io::Result<Metadata> {
        if path.is_empty() {
            return self.dir.dir_metadata();
        }
        self.dir
            .symlink_metadata(path_of(path).map_err(|_| io::ErrorKind::NotFound)?)
    }

    fn stat_of(&self, metadata: &Metadata, path: &[u8]) -> Stat {
        let kind = kind(metadata.file_type());
        let time = |time: io::Result<cap_std::time::SystemTime>| {
            time.map_or(0, |time| nanoseconds(time.into_std()))
        };
        let mtim = time(metadata.modified());
        Stat {
            kind,
            size: if kind == FileKind::Folder {
                0
            } else {
                metadata.len()
            },
            nlink: links(metadata, kind),
            ino: inode(metadata, path),
            dev: FIRST_DEVICE + self.index as u64,
            atim: time(metadata.accessed()),
            mtim,
            ctim: changed(metadata).unwrap_or(mtim),
        }
    }
}
