//! Listing folders. One of the host's may be large, so others have their turn meanwhile and time limits hold.

use super::errno::Errno;
use super::poll::{intervene, is_told, yield_now};
use super::{call, files};
use crate::fs::{Lister, Listing};
use crate::host::Host;
use std::sync::Arc;
use std::time::{Duration, Instant};
use wasmtime::Caller;

const READDIR: u8 = 24;
/// Nobody else has to wait for longer.
const TURN: Duration = Duration::from_millis(1);
/// How many steps are done before the clock is looked at.
const STEPS: usize = 64;

pub(super) async fn readdir(
    caller: &mut Caller<'_, Host>,
    fd: u32,
    buffer: (u32, u32),
    cookie: u64,
    result: u32,
) -> wasmtime::Result<i32> {
    let listing = if caller.data().log.is_replaying() {
        // The answer is in the journal.
        Err(Errno::Nosys)
    } else {
        match begin(caller.data(), fd, cookie) {
            Ok(Begun::There(listing)) => Ok(listing),
            Ok(Begun::New(lister)) => list(caller, *lister).await?,
            Err(errno) => Err(errno),
        }
    };
    call(caller, READDIR, |memory, host| {
        files::readdir(memory, host, fd, &listing?, buffer, cookie, result)
    })
}

enum Begun {
    There(Arc<Listing>),
    New(Box<Lister>),
}

/// The listing that is being read, or a new one where that begins.
fn begin(host: &Host, fd: u32, cookie: u64) -> Result<Begun, Errno> {
    let descriptor = host.descriptors.get(fd)?;
    match &descriptor.listing {
        Some(listing) if cookie > 0 => Ok(Begun::There(Arc::clone(listing))),
        _ => host
            .files
            .begin_listing(descriptor.folder()?, host.room())
            .map(|lister| Begun::New(Box::new(lister))),
    }
}

/// Lists a folder turn by turn. Where the guest is to be interrupted it gets an empty listing, which no code sees: the
/// guest meets the interrupt at its next instruction. An error would be one that the code seems to have made.
async fn list(
    caller: &mut Caller<'_, Host>,
    mut lister: Lister,
) -> wasmtime::Result<Result<Arc<Listing>, Errno>> {
    loop {
        let end = Instant::now() + TURN;
        while Instant::now() < end {
            match lister.advance(STEPS) {
                Ok(true) => return Ok(Ok(Arc::new(lister.finish()))),
                Ok(false) => {}
                Err(errno) => return Ok(Err(errno)),
            }
        }
        if intervene(caller)? || is_told(caller) {
            return Ok(Ok(Arc::default()));
        }
        yield_now().await;
    }
}
