//! WASI preview 1 for guests, implemented here so that a policy rules over every file, byte and clock, descriptors
//! are values that can be copied, and every answer can be journalled.
//!
//! Each function takes the guest's memory and the [`Host`], and returns an [`Errno`] where it refuses. The numbers
//! before the names identify functions in journals.

pub(crate) mod errno;
mod files;
mod listing;
pub(crate) mod memory;
mod paths;
mod poll;
mod process;

use crate::host::{Host, Stop};
use errno::Errno;
use memory::GuestMemory;
use wasmtime::{Caller, Linker};

/// The name that guests import WASI under.
const MODULE: &str = "wasi_snapshot_preview1";

/// Adds every function that a guest may import.
pub(crate) fn add_to_linker(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    macro_rules! functions {
        ($($id:literal $module:expr, $name:literal ($($arg:ident: $ty:ty),*) => $function:path;)*) => {
            $(linker.func_wrap($module, $name, |mut caller: Caller<'_, Host>, $($arg: $ty),*| {
                call(&mut caller, $id, |memory, host| $function(memory, host, $($arg.cast_unsigned()),*))
            })?;)*
        };
    }
    functions! {
        1 MODULE, "args_get" (pointers: i32, bytes: i32) => process::args_get;
        2 MODULE, "args_sizes_get" (count: i32, size: i32) => process::args_sizes_get;
        3 MODULE, "environ_get" (pointers: i32, bytes: i32) => process::environ_get;
        4 MODULE, "environ_sizes_get" (count: i32, size: i32) => process::environ_sizes_get;
        5 MODULE, "clock_res_get" (id: i32, result: i32) => process::clock_res_get;
        6 MODULE, "clock_time_get" (id: i32, precision: i64, result: i32) => process::clock_time_get;
        7 MODULE, "random_get" (buffer: i32, len: i32) => process::random_get;
        8 MODULE, "sched_yield" () => process::sched_yield;
        10 MODULE, "fd_advise" (fd: i32, offset: i64, len: i64, advice: i32) => files::advise;
        11 MODULE, "fd_allocate" (fd: i32, offset: i64, len: i64) => files::allocate;
        12 MODULE, "fd_close" (fd: i32) => files::close;
        13 MODULE, "fd_datasync" (fd: i32) => files::sync;
        14 MODULE, "fd_fdstat_get" (fd: i32, result: i32) => files::fdstat_get;
        15 MODULE, "fd_fdstat_set_flags" (fd: i32, flags: i32) => files::fdstat_set_flags;
        16 MODULE, "fd_fdstat_set_rights" (fd: i32, base: i64, inheriting: i64) => files::fdstat_set_rights;
        17 MODULE, "fd_filestat_get" (fd: i32, result: i32) => files::filestat_get;
        18 MODULE, "fd_filestat_set_size" (fd: i32, size: i64) => files::filestat_set_size;
        19 MODULE, "fd_filestat_set_times" (fd: i32, atim: i64, mtim: i64, flags: i32) => files::filestat_set_times;
        20 MODULE, "fd_pread" (fd: i32, list: i32, count: i32, offset: i64, result: i32) => files::pread;
        21 MODULE, "fd_prestat_get" (fd: i32, result: i32) => files::prestat_get;
        22 MODULE, "fd_prestat_dir_name" (fd: i32, name: i32, len: i32) => files::prestat_dir_name;
        23 MODULE, "fd_pwrite" (fd: i32, list: i32, count: i32, offset: i64, result: i32) => files::pwrite;
        25 MODULE, "fd_renumber" (from: i32, to: i32) => files::renumber;
        26 MODULE, "fd_seek" (fd: i32, offset: i64, whence: i32, result: i32) => files::seek;
        27 MODULE, "fd_sync" (fd: i32) => files::sync;
        28 MODULE, "fd_tell" (fd: i32, result: i32) => files::tell;
        29 MODULE, "fd_write" (fd: i32, list: i32, count: i32, result: i32) => files::write;
        40 MODULE, "path_create_directory" (fd: i32, path: i32, len: i32) => paths::create_directory;
        41 MODULE, "path_filestat_get" (fd: i32, flags: i32, path: i32, len: i32, result: i32) => paths::filestat_get;
        42 MODULE, "path_filestat_set_times"
            (fd: i32, flags: i32, path: i32, len: i32, atim: i64, mtim: i64, which: i32) => paths::filestat_set_times;
        43 MODULE, "path_link"
            (fd: i32, flags: i32, path: i32, len: i32, new_fd: i32, new_path: i32, new_len: i32) => paths::link;
        44 MODULE, "path_open"
            (fd: i32, lookup: i32, path: i32, len: i32, oflags: i32, rights: i64, inheriting: i64, fdflags: i32, result: i32)
            => paths::open;
        45 MODULE, "path_readlink"
            (fd: i32, path: i32, len: i32, buffer: i32, size: i32, result: i32) => paths::readlink;
        46 MODULE, "path_remove_directory" (fd: i32, path: i32, len: i32) => paths::remove_directory;
        47 MODULE, "path_rename"
            (fd: i32, path: i32, len: i32, new_fd: i32, new_path: i32, new_len: i32) => paths::rename;
        48 MODULE, "path_symlink" (target: i32, target_len: i32, fd: i32, path: i32, len: i32) => paths::symlink;
        49 MODULE, "path_unlink_file" (fd: i32, path: i32, len: i32) => paths::unlink_file;
        60 MODULE, "proc_raise" (signal: i32) => process::proc_raise;
        61 MODULE, "sock_accept" (fd: i32, flags: i32, result: i32) => process::sock_accept;
        62 MODULE, "sock_recv"
            (fd: i32, list: i32, count: i32, flags: i32, len: i32, result: i32) => process::sock_recv;
        63 MODULE, "sock_send" (fd: i32, list: i32, count: i32, flags: i32, result: i32) => process::sock_send;
        64 MODULE, "sock_shutdown" (fd: i32, how: i32) => process::sock_shutdown;
        70 sandbox_abi::IMPORT_MODULE, "event" (kind: i32, at: i32, len: i32) => process::event;
    }
    linker.func_wrap(
        MODULE,
        "proc_exit",
        |_: Caller<'_, Host>, status: i32| -> wasmtime::Result<()> {
            Err(Stop::Exit(status).into())
        },
    )?;
    poll::add_to_linker(linker)
}

/// Counts one call of the guest, and answers it.
fn call(
    caller: &mut Caller<'_, Host>,
    id: u8,
    function: impl FnOnce(&mut GuestMemory<'_>, &mut Host) -> Result<(), Errno>,
) -> wasmtime::Result<i32> {
    caller.data_mut().count_call();
    answer(caller, id, function)
}

/// Answers one call of the guest: from the journal while a request is run again, else by `function`, whose answer is
/// put into the journal.
fn answer(
    caller: &mut Caller<'_, Host>,
    id: u8,
    function: impl FnOnce(&mut GuestMemory<'_>, &mut Host) -> Result<(), Errno>,
) -> wasmtime::Result<i32> {
    let Some(memory) = caller.data().memory else {
        return Ok(Errno::Nosys as i32);
    };
    let (bytes, host) = memory.data_and_store_mut(caller);
    if host.log.is_replaying() {
        return host
            .log
            .replay(id, bytes)
            .map(i32::from)
            .ok_or_else(|| Stop::Diverged.into());
    }
    let mut log = std::mem::take(&mut host.log);
    log.begin(id);
    let result = function(&mut GuestMemory::new(bytes, &mut log), host);
    let errno = result.err().map_or(0, |errno| errno as u16);
    log.end(errno);
    host.log = log;
    match host.stop.take() {
        Some(stop) => Err(stop.into()),
        None => Ok(i32::from(errno)),
    }
}
