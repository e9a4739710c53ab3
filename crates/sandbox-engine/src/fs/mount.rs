//! Host folders that a guest sees. Everything goes through the handle that was opened at the start: cap-std keeps what
//! it does beneath it, also while someone swaps entries on the host's side.
//!
//! Paths here are relative to that handle and resolved: no `.`, no `..`, and where [`walk`](super::walk) met symbolic
//! links, it expanded them. The empty path is the mount's own folder.

use super::Result;
use super::inode::Ino;
use super::native::{
    bytes_of, changed, errno, inode, kind, links, nanoseconds, path_of, system_time,
    without_waiting,
};
use super::node::{DirEntry, FileKind, OpenOptions, Stat};
use crate::error::Error;
use crate::policy::Mount;
use crate::wasi::errno::Errno;
use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata};
use std::fs::{File, FileTimes};
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Listing a folder with more entries than this is refused.
const MAX_LISTING: usize = 1 << 20;
/// The device number of the first mount; 1 is the session's own tree.
const FIRST_DEVICE: u64 = 2;

/// A host folder that was opened for a session.
#[derive(Debug)]
pub(super) struct OpenMount {
    dir: Dir,
    /// Shared by all snapshots, as what is written to it is.
    writable: AtomicBool,
    /// Its number among the session's mounts.
    index: usize,
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
    pub(super) file: Option<File>,
}

impl OpenMount {
    pub(super) fn new(mount: &Mount, index: usize, point: Ino) -> Result<Self, Error> {
        let dir = Dir::open_ambient_dir(&mount.host, ambient_authority())
            .map_err(Error::io("cannot open the mount's source", &mount.host))?;
        Ok(Self {
            dir,
            writable: AtomicBool::new(mount.writable),
            index,
            point,
        })
    }

    /// Whether it may be written to from now on, through files that are open, too.
    pub(super) fn set_writable(&self, writable: bool) {
        self.writable.store(writable, Ordering::Relaxed);
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
    pub(super) fn open(&self, path: &[u8], options: OpenOptions) -> Result<File> {
        let writing = options.write || options.create || options.truncate;
        let mut how = cap_std::fs::OpenOptions::new();
        how.read(options.read || !writing).write(writing);
        if options.create {
            how.create(!options.exclusive).create_new(options.exclusive);
        }
        without_waiting(&mut how);
        let file = self
            .dir
            .open_with(path_of(path)?, &how)
            .map_err(errno)?
            .into_std();
        let metadata = file.metadata().map_err(errno)?;
        if !metadata.is_file() {
            return Err(if metadata.is_dir() {
                Errno::Isdir
            } else {
                Errno::Acces
            });
        }
        if options.truncate {
            file.set_len(0).map_err(errno)?;
        }
        Ok(file)
    }

    /// A file's content.
    pub(super) fn read(&self, path: &[u8]) -> Result<Vec<u8>> {
        let mut file = self.open(path, OpenOptions::default())?;
        let mut content = Vec::new();
        file.read_to_end(&mut content).map_err(errno)?;
        Ok(content)
    }

    /// A folder's entries in the order of their bytes, without `.` and `..`. `ENOMEM` where they cost more than `room`
    /// bytes.
    pub(super) fn read_dir(&self, path: &[u8], mut room: u64) -> Result<Vec<DirEntry>> {
        let reader = if path.is_empty() {
            self.dir.entries()
        } else {
            self.dir.read_dir(path_of(path)?)
        };
        let mut entries = Vec::new();
        for entry in reader.map_err(errno)? {
            let entry = entry.map_err(errno)?;
            let name = bytes_of(&entry.file_name())?.to_vec();
            let metadata = match entry.metadata() {
                Ok(metadata) => metadata,
                // Deleted on the host's side just now.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(errno(error)),
            };
            if entries.len() == MAX_LISTING {
                return Err(Errno::Overflow);
            }
            let at = HostPath {
                mount: self.index,
                path: path.to_vec(),
            }
            .join(&name);
            let entry = DirEntry {
                ino: inode(&metadata, &at.path),
                name: name.into(),
                kind: kind(metadata.file_type()),
            };
            room = room.checked_sub(entry.host_bytes()).ok_or(Errno::Nomem)?;
            entries.push(entry);
        }
        entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }

    pub(super) fn read_link(&self, path: &[u8]) -> Result<Vec<u8>> {
        let target = self.dir.read_link_contents(path_of(path)?).map_err(errno)?;
        Ok(bytes_of(target.as_os_str())?.to_vec())
    }

    pub(super) fn create_dir(&self, path: &[u8]) -> Result<()> {
        self.check_writable()?;
        self.dir.create_dir(path_of(path)?).map_err(errno)
    }

    pub(super) fn remove_dir(&self, path: &[u8]) -> Result<()> {
        self.check_writable()?;
        self.dir.remove_dir(path_of(path)?).map_err(errno)
    }

    pub(super) fn remove_file(&self, path: &[u8]) -> Result<()> {
        self.check_writable()?;
        self.dir.remove_file(path_of(path)?).map_err(errno)
    }

    /// Removes a folder with everything in it.
    pub(super) fn remove_all(&self, path: &[u8]) -> Result<()> {
        self.check_writable()?;
        self.dir.remove_dir_all(path_of(path)?).map_err(errno)
    }

    pub(super) fn rename(&self, from: &[u8], to: &[u8]) -> Result<()> {
        self.check_writable()?;
        self.dir
            .rename(path_of(from)?, &self.dir, path_of(to)?)
            .map_err(errno)
    }

    pub(super) fn hard_link(&self, from: &[u8], to: &[u8]) -> Result<()> {
        self.check_writable()?;
        self.dir
            .hard_link(path_of(from)?, &self.dir, path_of(to)?)
            .map_err(errno)
    }

    /// Makes a symbolic link that leads downwards only. Any other could lead a program on the host, which knows nothing
    /// of mounts, out of the folder; now, or after the link is moved.
    pub(super) fn symlink(&self, target: &[u8], path: &[u8]) -> Result<()> {
        self.check_writable()?;
        if target.starts_with(b"/") || target.split(|&byte| byte == b'/').any(|name| name == b"..")
        {
            return Err(Errno::Acces);
        }
        self.make_symlink(path_of(target)?, path_of(path)?)
            .map_err(errno)
    }

    #[cfg(not(windows))]
    fn make_symlink(&self, target: &Path, path: &Path) -> io::Result<()> {
        self.dir.symlink(target, path)
    }

    #[cfg(windows)]
    fn make_symlink(&self, target: &Path, path: &Path) -> io::Result<()> {
        self.dir.symlink_file(target, path)
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

    fn metadata(&self, path: &[u8]) -> io::Result<Metadata> {
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
