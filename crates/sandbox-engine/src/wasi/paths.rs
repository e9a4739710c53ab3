//! Functions on paths, always relative to an open folder.

use super::errno::Errno;
use super::files::{stat_bytes, times};
use super::memory::GuestMemory;
use crate::descriptors::{Descriptor, Target};
use crate::fs::{FileKind, Node, OpenOptions};
use crate::host::Host;

type Answer = Result<(), Errno>;

const FOLLOW: u32 = 1;
const RIGHT_READ: u64 = 1 << 1;
const RIGHT_READDIR: u64 = 1 << 14;
const RIGHT_WRITE: u64 = 1 << 6;
const RIGHT_ALLOCATE: u64 = 1 << 8;
const RIGHT_SET_SIZE: u64 = 1 << 22;
const FLAG_APPEND: u32 = 1;
/// Longer paths are refused before they are copied.
const MAX_PATH: u32 = 4096;

fn folder(host: &Host, fd: u32) -> Result<Node, Errno> {
    host.descriptors.get(fd)?.folder().cloned()
}

fn path<'a>(memory: &'a GuestMemory<'_>, at: u32, len: u32) -> Result<&'a [u8], Errno> {
    if len > MAX_PATH {
        return Err(Errno::Nametoolong);
    }
    memory.read(at, len)
}

pub(super) fn create_directory(
    memory: &mut GuestMemory<'_>,
    host: &mut Host,
    fd: u32,
    at: u32,
    len: u32,
) -> Answer {
    let (base, now) = (folder(host, fd)?, host.clock.wall());
    host.files.create_dir(&base, path(memory, at, len)?, now)
}

pub(super) fn filestat_get(
    memory: &mut GuestMemory<'_>,
    host: &mut Host,
    fd: u32,
    flags: u32,
    at: u32,
    len: u32,
    result: u32,
) -> Answer {
    let base = folder(host, fd)?;
    let stat = host
        .files
        .stat_path(&base, path(memory, at, len)?, flags & FOLLOW != 0)?;
    memory.write(result, &stat_bytes(&stat))
}

#[expect(clippy::too_many_arguments, reason = "WASI's signature")]
pub(super) fn filestat_set_times(
    memory: &mut GuestMemory<'_>,
    host: &mut Host,
    fd: u32,
    flags: u32,
    at: u32,
    len: u32,
    atim: u64,
    mtim: u64,
    which: u32,
) -> Answer {
    let (base, now) = (folder(host, fd)?, host.clock.wall());
    let (atim, mtim) = times(atim, mtim, which, now)?;
    let node = host
        .files
        .lookup(&base, path(memory, at, len)?, flags & FOLLOW != 0)?;
    host.files.set_times(&node, atim, mtim, now)
}

#[expect(clippy::too_many_arguments, reason = "WASI's signature")]
pub(super) fn link(
    memory: &mut GuestMemory<'_>,
    host: &mut Host,
    fd: u32,
    flags: u32,
    at: u32,
    len: u32,
    new_fd: u32,
    new_at: u32,
    new_len: u32,
) -> Answer {
    let (base, new_base, now) = (folder(host, fd)?, folder(host, new_fd)?, host.clock.wall());
    let (old, new) = (path(memory, at, len)?, path(memory, new_at, new_len)?);
    host.files
        .hard_link(&base, old, flags & FOLLOW != 0, &new_base, new, now)
}

#[expect(clippy::too_many_arguments, reason = "WASI's signature")]
pub(super) fn open(
    memory: &mut GuestMemory<'_>,
    host: &mut Host,
    fd: u32,
    lookup: u32,
    at: u32,
    len: u32,
    oflags: u32,
    rights: u64,
    _inheriting: u64,
    fdflags: u32,
    result: u32,
) -> Answer {
    let (base, now) = (folder(host, fd)?, host.clock.wall());
    host.descriptors.room()?;
    let directory = oflags & 2 != 0;
    let mut options = OpenOptions {
        follow: lookup & FOLLOW != 0,
        create: oflags & 1 != 0,
        directory,
        exclusive: oflags & 4 != 0,
        truncate: oflags & 8 != 0,
        read: rights & (RIGHT_READ | RIGHT_READDIR) != 0,
        write: rights & (RIGHT_WRITE | RIGHT_ALLOCATE | RIGHT_SET_SIZE) != 0 && !directory,
    };
    // A program that names no right opens for a look at the file's facts, which reading covers.
    options.read |= !options.write;
    let node = host
        .files
        .open(&base, path(memory, at, len)?, options, now)?;
    let is_folder = node.kind() == FileKind::Folder;
    let descriptor = Descriptor::new(
        Target::Node(node.clone()),
        options.read,
        options.write && !is_folder,
        fdflags & FLAG_APPEND != 0,
    );
    let number = match host.descriptors.insert(descriptor) {
        Ok(number) => number,
        Err(errno) => {
            host.files.release(&node);
            return Err(errno);
        }
    };
    memory.write_u32(result, number)
}

#[expect(clippy::too_many_arguments, reason = "WASI's signature")]
pub(super) fn readlink(
    memory: &mut GuestMemory<'_>,
    host: &mut Host,
    fd: u32,
    at: u32,
    len: u32,
    buffer: u32,
    size: u32,
    result: u32,
) -> Answer {
    let base = folder(host, fd)?;
    let target = host.files.read_link(&base, path(memory, at, len)?)?;
    let kept = &target[..target.len().min(size as usize)];
    memory.write(buffer, kept)?;
    memory.write_u32(result, kept.len() as u32)
}

pub(super) fn remove_directory(
    memory: &mut GuestMemory<'_>,
    host: &mut Host,
    fd: u32,
    at: u32,
    len: u32,
) -> Answer {
    let (base, now) = (folder(host, fd)?, host.clock.wall());
    host.files.remove_dir(&base, path(memory, at, len)?, now)
}

#[expect(clippy::too_many_arguments, reason = "WASI's signature")]
pub(super) fn rename(
    memory: &mut GuestMemory<'_>,
    host: &mut Host,
    fd: u32,
    at: u32,
    len: u32,
    new_fd: u32,
    new_at: u32,
    new_len: u32,
) -> Answer {
    let (base, new_base, now) = (folder(host, fd)?, folder(host, new_fd)?, host.clock.wall());
    host.files.rename(
        &base,
        path(memory, at, len)?,
        &new_base,
        path(memory, new_at, new_len)?,
        now,
    )
}

pub(super) fn symlink(
    memory: &mut GuestMemory<'_>,
    host: &mut Host,
    target: u32,
    target_len: u32,
    fd: u32,
    at: u32,
    len: u32,
) -> Answer {
    let (base, now) = (folder(host, fd)?, host.clock.wall());
    host.files.symlink(
        path(memory, target, target_len)?,
        &base,
        path(memory, at, len)?,
        now,
    )
}

pub(super) fn unlink_file(
    memory: &mut GuestMemory<'_>,
    host: &mut Host,
    fd: u32,
    at: u32,
    len: u32,
) -> Answer {
    let (base, now) = (folder(host, fd)?, host.clock.wall());
    host.files.unlink(&base, path(memory, at, len)?, now)
}
