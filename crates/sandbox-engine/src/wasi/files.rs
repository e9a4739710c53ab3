//! Functions on descriptors.

use super::errno::Errno;
use super::memory::GuestMemory;
use crate::descriptors::{Descriptor, ROOT, Target};
use crate::fs::{FileKind, Listing, Stat};
use crate::host::Host;
use crate::output::Stream;
use std::sync::Arc;

type Answer = Result<(), Errno>;

const FLAG_APPEND: u16 = 1;
const RIGHT_READ: u64 = 1 << 1;
const RIGHT_SEEK: u64 = 1 << 2;
const RIGHT_TELL: u64 = 1 << 5;
const RIGHT_WRITE: u64 = 1 << 6;
const RIGHTS_ALL: u64 = (1 << 30) - 1;

pub(super) fn advise(
    _: &mut GuestMemory<'_>,
    host: &mut Host,
    fd: u32,
    _: u64,
    _: u64,
    _: u32,
) -> Answer {
    host.descriptors.get(fd)?.node().map(|_| ())
}

pub(super) fn allocate(
    _: &mut GuestMemory<'_>,
    host: &mut Host,
    fd: u32,
    offset: u64,
    len: u64,
) -> Answer {
    let end = offset.checked_add(len).ok_or(Errno::Fbig)?;
    let node = writable(host, fd)?.node()?.clone();
    let now = host.clock.wall();
    if host.files.stat(&node)?.size < end {
        host.files.set_size(&node, end, now)
    } else {
        Ok(())
    }
}

pub(super) fn close(_: &mut GuestMemory<'_>, host: &mut Host, fd: u32) -> Answer {
    let closed = host.descriptors.remove(fd)?;
    release(host, &closed);
    Ok(())
}

pub(super) fn renumber(_: &mut GuestMemory<'_>, host: &mut Host, from: u32, to: u32) -> Answer {
    if let Some(closed) = host.descriptors.renumber(from, to)? {
        release(host, &closed);
    }
    Ok(())
}

/// Tells the file system that a descriptor is gone. The root folder's own was never counted, but the root stays whatever
/// the count is, and what the guest puts in its place has to be given up like any other.
fn release(host: &mut Host, closed: &Descriptor) {
    if let Target::Node(node) = &closed.target {
        host.files.release(node);
    }
}

pub(super) fn sync(_: &mut GuestMemory<'_>, host: &mut Host, fd: u32) -> Answer {
    match &host.descriptors.get(fd)?.target {
        Target::Node(node) => host.files.sync(node),
        _ => Ok(()),
    }
}

pub(super) fn fdstat_get(
    memory: &mut GuestMemory<'_>,
    host: &mut Host,
    fd: u32,
    result: u32,
) -> Answer {
    let descriptor = host.descriptors.get(fd)?;
    let (kind, seekable) = match &descriptor.target {
        Target::Node(node) => (file_type(node.kind()), RIGHT_SEEK | RIGHT_TELL),
        // Neither a terminal nor a file: what programs make of a pipe.
        _ => (0, 0),
    };
    let mut rights = RIGHTS_ALL & !(RIGHT_READ | RIGHT_WRITE | RIGHT_SEEK | RIGHT_TELL) | seekable;
    if descriptor.read || kind == file_type(FileKind::Folder) {
        rights |= RIGHT_READ;
    }
    if descriptor.write || kind == file_type(FileKind::Folder) {
        rights |= RIGHT_WRITE;
    }
    let mut bytes = [0; 24];
    bytes[0] = kind;
    bytes[2..4].copy_from_slice(&(if descriptor.append { FLAG_APPEND } else { 0 }).to_le_bytes());
    bytes[8..16].copy_from_slice(&rights.to_le_bytes());
    bytes[16..24].copy_from_slice(&RIGHTS_ALL.to_le_bytes());
    memory.write(result, &bytes)
}

pub(super) fn fdstat_set_flags(
    _: &mut GuestMemory<'_>,
    host: &mut Host,
    fd: u32,
    flags: u32,
) -> Answer {
    host.descriptors.get_mut(fd)?.append = flags as u16 & FLAG_APPEND != 0;
    Ok(())
}

pub(super) fn fdstat_set_rights(
    _: &mut GuestMemory<'_>,
    host: &mut Host,
    fd: u32,
    base: u64,
    _: u64,
) -> Answer {
    let descriptor = host.descriptors.get_mut(fd)?;
    descriptor.read &= base & RIGHT_READ != 0;
    descriptor.write &= base & RIGHT_WRITE != 0;
    Ok(())
}

pub(super) fn filestat_get(
    memory: &mut GuestMemory<'_>,
    host: &mut Host,
    fd: u32,
    result: u32,
) -> Answer {
    let bytes = match &host.descriptors.get(fd)?.target {
        Target::Node(node) => stat_bytes(&host.files.stat(node)?),
        _ => [0; 64],
    };
    memory.write(result, &bytes)
}

pub(super) fn filestat_set_size(
    _: &mut GuestMemory<'_>,
    host: &mut Host,
    fd: u32,
    size: u64,
) -> Answer {
    let node = writable(host, fd)?.node()?.clone();
    let now = host.clock.wall();
    host.files.set_size(&node, size, now)
}

pub(super) fn filestat_set_times(
    _: &mut GuestMemory<'_>,
    host: &mut Host,
    fd: u32,
    atim: u64,
    mtim: u64,
    flags: u32,
) -> Answer {
    let node = host.descriptors.get(fd)?.node()?.clone();
    let now = host.clock.wall();
    let (atim, mtim) = times(atim, mtim, flags, now)?;
    host.files.set_times(&node, atim, mtim, now)
}

/// The times to set, from WASI's values and flags.
pub(super) fn times(
    atim: u64,
    mtim: u64,
    flags: u32,
    now: u64,
) -> Result<(Option<u64>, Option<u64>), Errno> {
    let pick = |given: u64, set: u32, set_now: u32| match (flags & set != 0, flags & set_now != 0) {
        (true, true) => Err(Errno::Inval),
        (true, false) => Ok(Some(given)),
        (false, true) => Ok(Some(now)),
        (false, false) => Ok(None),
    };
    Ok((pick(atim, 1, 2)?, pick(mtim, 4, 8)?))
}

pub(super) fn prestat_get(
    memory: &mut GuestMemory<'_>,
    host: &mut Host,
    fd: u32,
    result: u32,
) -> Answer {
    preopen(host, fd)?;
    memory.write(result, &[0, 0, 0, 0, 1, 0, 0, 0])
}

pub(super) fn prestat_dir_name(
    memory: &mut GuestMemory<'_>,
    host: &mut Host,
    fd: u32,
    name: u32,
    len: u32,
) -> Answer {
    preopen(host, fd)?;
    if len < 1 {
        return Err(Errno::Nametoolong);
    }
    memory.write(name, b"/")
}

/// The root folder is the only one that is open from the start.
fn preopen(host: &Host, fd: u32) -> Answer {
    if fd == ROOT {
        host.descriptors.get(fd)?.folder().map(|_| ())
    } else {
        Err(Errno::Badf)
    }
}

pub(super) fn pread(
    memory: &mut GuestMemory<'_>,
    host: &mut Host,
    fd: u32,
    list: u32,
    count: u32,
    offset: u64,
    result: u32,
) -> Answer {
    let read = read_at(memory, host, fd, list, count, offset)?;
    memory.write_u32(result, read)
}

/// Reads from a file at the descriptor's place. Standard input is read elsewhere, because it may have to wait.
pub(super) fn read(
    memory: &mut GuestMemory<'_>,
    host: &mut Host,
    fd: u32,
    list: u32,
    count: u32,
    result: u32,
) -> Answer {
    let offset = host.descriptors.get(fd)?.offset;
    let read = read_at(memory, host, fd, list, count, offset)?;
    host.descriptors.get_mut(fd)?.offset = offset.saturating_add(u64::from(read));
    memory.write_u32(result, read)
}

/// A call that reads into several buffers begins no further one after so many bytes: nothing can interrupt it.
const MAX_READ: u32 = 64 << 20;

fn read_at(
    memory: &mut GuestMemory<'_>,
    host: &Host,
    fd: u32,
    list: u32,
    count: u32,
    mut offset: u64,
) -> Result<u32, Errno> {
    let descriptor = host.descriptors.get(fd)?;
    if !descriptor.read {
        return Err(Errno::Badf);
    }
    let node = descriptor.node()?;
    if node.kind() == FileKind::Folder {
        return Err(Errno::Isdir);
    }
    let mut total = 0_u32;
    for (at, len) in memory.buffers(list, count)? {
        let read = memory.fill(at, len, |bytes| host.files.read_at(node, offset, bytes))?;
        total = total.checked_add(read).ok_or(Errno::Inval)?;
        offset += u64::from(read);
        if read < len || total >= MAX_READ {
            break;
        }
    }
    Ok(total)
}

pub(super) fn write(
    memory: &mut GuestMemory<'_>,
    host: &mut Host,
    fd: u32,
    list: u32,
    count: u32,
    result: u32,
) -> Answer {
    let descriptor = writable(host, fd)?;
    let written = match descriptor.target {
        Target::Stdin => return Err(Errno::Badf),
        Target::Output(stream) => write_output(memory, host, stream, list, count)?,
        Target::Node(_) => {
            let (offset, append) = (descriptor.offset, descriptor.append);
            let (written, end) =
                write_file(memory, host, fd, list, count, (!append).then_some(offset))?;
            host.descriptors.get_mut(fd)?.offset = end;
            written
        }
    };
    memory.write_u32(result, written)
}

pub(super) fn pwrite(
    memory: &mut GuestMemory<'_>,
    host: &mut Host,
    fd: u32,
    list: u32,
    count: u32,
    offset: u64,
    result: u32,
) -> Answer {
    writable(host, fd)?;
    let (written, _) = write_file(memory, host, fd, list, count, Some(offset))?;
    memory.write_u32(result, written)
}

fn write_output(
    memory: &mut GuestMemory<'_>,
    host: &mut Host,
    stream: Stream,
    list: u32,
    count: u32,
) -> Result<u32, Errno> {
    let mut total = 0_u32;
    for (at, len) in memory.buffers(list, count)? {
        host.output.write(stream, memory.read(at, len)?);
        host.check_output();
        total = total.checked_add(len).ok_or(Errno::Inval)?;
    }
    Ok(total)
}

/// Writes at an offset, or at the end where there is none. Returns how much, and where the writing ended.
fn write_file(
    memory: &mut GuestMemory<'_>,
    host: &mut Host,
    fd: u32,
    list: u32,
    count: u32,
    offset: Option<u64>,
) -> Result<(u32, u64), Errno> {
    let node = host.descriptors.get(fd)?.node()?.clone();
    let now = host.clock.wall();
    let mut total = 0_u32;
    let mut place = offset.unwrap_or(0);
    for (at, len) in memory.buffers(list, count)? {
        let bytes = memory.read(at, len)?;
        let outcome = if !host.may_hold(u64::from(len)) {
            Err(Errno::Nospc)
        } else if offset.is_some() {
            host.files
                .write_at(&node, place, bytes, now)
                .map(|written| (written, place + written as u64))
        } else {
            host.files.append(&node, bytes, now)
        };
        let (written, end) = match outcome {
            Ok(done) => done,
            // What was written before counts; the guest meets the error when it goes on.
            Err(_) if total > 0 => break,
            Err(errno) => return Err(errno),
        };
        place = end;
        total = total.checked_add(written as u32).ok_or(Errno::Inval)?;
        host.file_bytes += written as u64;
        if (written as u32) < len {
            break;
        }
    }
    Ok((total, place))
}

pub(super) fn seek(
    memory: &mut GuestMemory<'_>,
    host: &mut Host,
    fd: u32,
    offset: u64,
    whence: u32,
    result: u32,
) -> Answer {
    let descriptor = host.descriptors.get(fd)?;
    let node = descriptor.node()?;
    let base = match whence {
        0 => 0,
        1 => descriptor.offset,
        2 => host.files.stat(node)?.size,
        _ => return Err(Errno::Inval),
    };
    let place = base
        .checked_add_signed(offset.cast_signed())
        .filter(|place| i64::try_from(*place).is_ok())
        .ok_or(Errno::Inval)?;
    host.descriptors.get_mut(fd)?.offset = place;
    memory.write_u64(result, place)
}

pub(super) fn tell(memory: &mut GuestMemory<'_>, host: &mut Host, fd: u32, result: u32) -> Answer {
    let descriptor = host.descriptors.get(fd)?;
    descriptor.node()?;
    memory.write_u64(result, descriptor.offset)
}

/// Hands out a part of a folder's listing, which was made elsewhere because that may take time.
pub(super) fn readdir(
    memory: &mut GuestMemory<'_>,
    host: &mut Host,
    fd: u32,
    listing: &Arc<Listing>,
    (buffer, len): (u32, u32),
    cookie: u64,
    result: u32,
) -> Answer {
    host.descriptors.get_mut(fd)?.listing = Some(Arc::clone(listing));
    let entries = &listing.entries;
    let start = usize::try_from(cookie)
        .map_err(|_| Errno::Inval)?
        .min(entries.len());
    let used = memory.fill(buffer, len, |bytes| {
        let mut used = 0;
        for (index, entry) in entries.iter().enumerate().skip(start) {
            let mut header = [0; 24];
            header[..8].copy_from_slice(&(index as u64 + 1).to_le_bytes());
            header[8..16].copy_from_slice(&entry.ino.to_le_bytes());
            header[16..20].copy_from_slice(&(entry.name.len() as u32).to_le_bytes());
            header[20] = file_type(entry.kind);
            // An entry that does not fit is cut: the guest sees a full buffer and asks again from there.
            for part in [&header[..], &entry.name[..]] {
                let room = part.len().min(bytes.len() - used);
                bytes[used..used + room].copy_from_slice(&part[..room]);
                used += room;
            }
            if used == bytes.len() {
                break;
            }
        }
        Ok(used)
    })?;
    if used < len {
        // That was all of it: nobody has to hold it any longer.
        host.descriptors.get_mut(fd)?.listing = None;
    }
    memory.write_u32(result, used)
}

/// The descriptor, if it is open for writing.
fn writable(host: &Host, fd: u32) -> Result<&Descriptor, Errno> {
    host.descriptors.get(fd).and_then(|descriptor| {
        if descriptor.write {
            Ok(descriptor)
        } else {
            Err(Errno::Badf)
        }
    })
}

/// WASI's layout of a file's facts.
pub(super) fn stat_bytes(stat: &Stat) -> [u8; 64] {
    let mut bytes = [0; 64];
    let mut put = |at: usize, value: u64| bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
    put(0, stat.dev);
    put(8, stat.ino);
    put(16, u64::from(file_type(stat.kind)));
    put(24, stat.nlink);
    put(32, stat.size);
    put(40, stat.atim);
    put(48, stat.mtim);
    put(56, stat.ctim);
    bytes
}

fn file_type(kind: FileKind) -> u8 {
    match kind {
        FileKind::Folder => 3,
        FileKind::File => 4,
        FileKind::Link => 7,
        FileKind::Other => 0,
    }
}
