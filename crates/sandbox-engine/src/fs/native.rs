//! Host files in the terms of this system, and in those of the guest.

use super::Result;
use super::disk_use::FileId;
use super::inode::Ino;
use super::node::FileKind;
use crate::wasi::errno::Errno;
use cap_std::fs::{DirEntry, FileType, Metadata};
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Reads from an open file.
pub(super) fn read_at(file: &File, offset: u64, buf: &mut [u8]) -> Result<usize> {
    #[cfg(unix)]
    return retried(|| std::os::unix::fs::FileExt::read_at(file, buf, offset));
    #[cfg(windows)]
    return retried(|| std::os::windows::fs::FileExt::seek_read(file, buf, offset));
}

/// Writes to an open file.
pub(super) fn write_at(file: &File, offset: u64, data: &[u8]) -> Result<usize> {
    #[cfg(unix)]
    return retried(|| std::os::unix::fs::FileExt::write_at(file, data, offset));
    #[cfg(windows)]
    return retried(|| std::os::windows::fs::FileExt::seek_write(file, data, offset));
}

/// Cuts or lengthens an open file.
pub(super) fn set_len(file: &File, size: u64) -> Result<()> {
    file.set_len(size).map_err(errno)
}

/// Waits until an open file is on disk.
pub(super) fn sync(file: &File) -> Result<()> {
    file.sync_all().map_err(errno)
}

/// Goes on after a signal.
fn retried(mut action: impl FnMut() -> io::Result<usize>) -> Result<usize> {
    loop {
        match action() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result.map_err(errno),
        }
    }
}

/// What a host's entry is for the guest.
pub(super) fn kind(file_type: FileType) -> FileKind {
    if file_type.is_file() {
        FileKind::File
    } else if file_type.is_dir() {
        FileKind::Folder
    } else if file_type.is_symlink() {
        FileKind::Link
    } else {
        FileKind::Other
    }
}

/// Nanoseconds since the epoch as the system's time.
pub(super) fn system_time(ns: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_nanos(ns)
}

/// The system's time as nanoseconds since the epoch; times before it count as the epoch.
pub(super) fn nanoseconds(time: SystemTime) -> u64 {
    let since = time
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}

/// What the guest is told. Beyond the portable kinds, the codes that a path can provoke.
pub(super) fn errno(error: io::Error) -> Errno {
    #[cfg(unix)]
    if let Some(code) = rustix::io::Errno::from_io_error(&error) {
        match code {
            rustix::io::Errno::LOOP => return Errno::Loop,
            rustix::io::Errno::NAMETOOLONG => return Errno::Nametoolong,
            // A pipe or a device without anyone at its other end.
            rustix::io::Errno::NXIO => return Errno::Acces,
            rustix::io::Errno::BADF => return Errno::Badf,
            _ => {}
        }
    }
    error.into()
}

/// Makes opening refuse a symbolic link in the last place, and not wait for the other end of a pipe.
#[cfg(unix)]
pub(super) fn without_waiting(options: &mut cap_std::fs::OpenOptions) {
    use cap_std::fs::OpenOptionsExt;
    use rustix::fs::OFlags;
    let flags = OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY;
    options.custom_flags(flags.bits().cast_signed());
}

#[cfg(not(unix))]
pub(super) fn without_waiting(_: &mut cap_std::fs::OpenOptions) {}

/// A guest's path in this system's form.
#[cfg(unix)]
#[allow(
    clippy::unnecessary_wraps,
    reason = "other systems have names that are no bytes"
)]
pub(super) fn path_of(path: &[u8]) -> Result<&Path> {
    use std::os::unix::ffi::OsStrExt;
    Ok(Path::new(OsStr::from_bytes(path)))
}

/// Other systems have names in Unicode, and more characters that structure a path.
#[cfg(not(unix))]
pub(super) fn path_of(path: &[u8]) -> Result<&Path> {
    let path = std::str::from_utf8(path).map_err(|_| Errno::Ilseq)?;
    if path.contains(['\\', ':']) {
        Err(Errno::Inval)
    } else {
        Ok(Path::new(path))
    }
}

/// A host's name in the guest's form.
#[cfg(unix)]
#[allow(
    clippy::unnecessary_wraps,
    reason = "other systems have names that are no bytes"
)]
pub(super) fn bytes_of(name: &OsStr) -> Result<&[u8]> {
    use std::os::unix::ffi::OsStrExt;
    Ok(name.as_bytes())
}

#[cfg(not(unix))]
pub(super) fn bytes_of(name: &OsStr) -> Result<&[u8]> {
    name.to_str().map(str::as_bytes).ok_or(Errno::Ilseq)
}

/// The number that tells a file from all others in its mount.
#[cfg(unix)]
pub(super) fn inode(metadata: &Metadata, _: &[u8]) -> Ino {
    cap_std::fs::MetadataExt::ino(metadata)
}

/// Elsewhere a number made of the path tells files apart.
#[cfg(not(unix))]
pub(super) fn inode(_: &Metadata, path: &[u8]) -> Ino {
    path_inode(path)
}

#[cfg(not(unix))]
fn path_inode(path: &[u8]) -> Ino {
    use std::hash::{DefaultHasher, Hasher};
    let mut hasher = DefaultHasher::new();
    hasher.write(path);
    hasher.finish()
}

/// What tells a file from all others on the host.
#[cfg(unix)]
pub(super) fn file_id(metadata: &Metadata, _: &[u8]) -> FileId {
    use cap_std::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

/// Elsewhere its path has to do. A file that is renamed is another one, to which nothing comes back.
#[cfg(not(unix))]
pub(super) fn file_id(metadata: &Metadata, path: &[u8]) -> FileId {
    (0, inode(metadata, path))
}

/// Whether an open file has lost its last name.
#[cfg(unix)]
pub(super) fn has_no_name(file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    file.metadata().is_ok_and(|metadata| metadata.nlink() == 0)
}

/// Elsewhere a file that is open keeps its name.
#[cfg(not(unix))]
pub(super) fn has_no_name(_: &File) -> bool {
    false
}

/// The number that a folder tells of an entry. Where something is mounted on the host, it is that of what it hides.
#[cfg(unix)]
pub(super) fn entry_inode(entry: &DirEntry, _: &[u8], _: &[u8]) -> Ino {
    std::os::unix::fs::DirEntryExt::ino(entry)
}

/// Elsewhere it is made of the path, like a file's own.
#[cfg(not(unix))]
pub(super) fn entry_inode(entry: &DirEntry, folder: &[u8], name: &[u8]) -> Ino {
    let path = if folder.is_empty() {
        name.to_vec()
    } else {
        [folder, b"/", name].concat()
    };
    path_inode(&path)
}

/// How many names a file has; like in the session's own tree, a folder has one.
#[cfg(unix)]
pub(super) fn links(metadata: &Metadata, kind: FileKind) -> u64 {
    if kind == FileKind::Folder {
        1
    } else {
        cap_std::fs::MetadataExt::nlink(metadata)
    }
}

#[cfg(not(unix))]
pub(super) fn links(_: &Metadata, _: FileKind) -> u64 {
    1
}

/// When anything about a file last changed, where the system keeps that.
#[cfg(unix)]
pub(super) fn changed(metadata: &Metadata) -> Option<u64> {
    use cap_std::fs::MetadataExt;
    let seconds = u64::try_from(metadata.ctime()).ok()?;
    seconds
        .checked_mul(1_000_000_000)?
        .checked_add(metadata.ctime_nsec().unsigned_abs())
}

#[cfg(not(unix))]
pub(super) fn changed(_: &Metadata) -> Option<u64> {
    None
}
