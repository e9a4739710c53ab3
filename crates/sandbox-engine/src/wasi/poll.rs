//! The functions that may have to wait: sleeping, and reading standard input. And those that may take long.

use super::errno::Errno;
use super::{MODULE, answer, call, files, listing, process};
use crate::descriptors::Target;
use crate::host::{self, Host, Stop};
use crate::run::Action;
use crate::ticker::Running;
use std::future::poll_fn;
use std::task::Poll;
use std::time::{Duration, Instant};
use wasmtime::{Caller, Linker};

const READ: u8 = 80;
const POLL: u8 = 81;

pub(super) fn add_to_linker(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    linker.func_wrap_async(
        MODULE,
        "fd_read",
        |mut caller: Caller<'_, Host>, (fd, list, count, result): (i32, i32, i32, i32)| {
            Box::new(async move {
                let [fd, list, count, result] = [fd, list, count, result].map(i32::cast_unsigned);
                read(&mut caller, fd, list, count, result).await
            })
        },
    )?;
    linker.func_wrap_async(
        MODULE,
        "poll_oneoff",
        |mut caller: Caller<'_, Host>,
         (subscriptions, events, count, result): (i32, i32, i32, i32)| {
            Box::new(async move {
                let [subscriptions, events, count, result] =
                    [subscriptions, events, count, result].map(i32::cast_unsigned);
                poll_oneoff(&mut caller, subscriptions, events, count, result).await
            })
        },
    )?;
    linker.func_wrap_async(
        MODULE,
        "fd_readdir",
        |mut caller: Caller<'_, Host>,
         (fd, buffer, len, cookie, result): (i32, i32, i32, i64, i32)| {
            Box::new(async move {
                let [fd, buffer, len, result] = [fd, buffer, len, result].map(i32::cast_unsigned);
                let cookie = cookie.cast_unsigned();
                listing::readdir(&mut caller, fd, (buffer, len), cookie, result).await
            })
        },
    )?;
    Ok(())
}

async fn read(
    caller: &mut Caller<'_, Host>,
    fd: u32,
    list: u32,
    count: u32,
    result: u32,
) -> wasmtime::Result<i32> {
    /// One call never waits longer than this for input without letting others run.
    const PATIENCE: Duration = Duration::from_millis(1);
    let host = caller.data();
    let is_stdin = host
        .descriptors
        .get(fd)
        .is_ok_and(|descriptor| matches!(descriptor.target, Target::Stdin) && descriptor.read);
    if !is_stdin || host.log.is_replaying() {
        return call(caller, READ, |memory, host| {
            files::read(memory, host, fd, list, count, result)
        });
    }
    // However often it has to be looked at.
    caller.data_mut().count_call();
    loop {
        let mut arrived = None;
        let input = caller.data().input.clone();
        let interrupted = intervene(caller)? || is_told(caller);
        let errno = call_if(caller, |memory| {
            let (at, len) = memory
                .buffers(list, count)?
                .into_iter()
                .find(|(_, len)| *len > 0)
                .unwrap_or((0, 0));
            memory.fill(at, len, |bytes| {
                let patience = if interrupted {
                    Duration::ZERO
                } else {
                    PATIENCE
                };
                arrived = input.read(bytes, patience);
                Ok(arrived.unwrap_or(0))
            })?;
            if arrived.is_none() && !interrupted {
                return Ok(false);
            }
            if arrived.is_none() {
                return Err(Errno::Intr);
            }
            memory.write_u32(result, arrived.unwrap_or(0) as u32)?;
            Ok(true)
        })?;
        match errno {
            Some(errno) => return Ok(errno),
            None => {
                pause(caller, Instant::now() + PATIENCE).await;
            }
        }
    }
}

/// Runs a function that may find that it has to be called again: then nothing is journalled and `None` returned.
fn call_if(
    caller: &mut Caller<'_, Host>,
    function: impl FnOnce(&mut super::GuestMemory<'_>) -> Result<bool, Errno>,
) -> wasmtime::Result<Option<i32>> {
    let before = caller.data().log.mark();
    let mut again = false;
    let errno = answer(caller, READ, |memory, _| {
        again = !function(memory)?;
        Ok(())
    })?;
    if again {
        caller.data_mut().log.forget_since(before);
        return Ok(None);
    }
    Ok(Some(errno))
}

/// Nobody waits for more at once; wasi-libc asks for a handful at most.
const MAX_SUBSCRIPTIONS: u32 = 256;
/// Size of a subscription in guest memory, in bytes.
const SUBSCRIPTION: u32 = 48;
/// Size of an event in guest memory, in bytes.
const EVENT: u32 = 32;

/// One thing that a guest waits for.
struct Subscription {
    userdata: [u8; 8],
    kind: u8,
    /// How long until it happens: for a clock until its time, for a descriptor no time at all.
    wait: Result<Duration, Errno>,
}

async fn poll_oneoff(
    caller: &mut Caller<'_, Host>,
    subscriptions: u32,
    events: u32,
    count: u32,
    result: u32,
) -> wasmtime::Result<i32> {
    let mut list = Err(Errno::Inval);
    let mut interrupted = false;
    let mut waited = Duration::ZERO;
    if !caller.data().log.is_replaying() {
        // Relative times count from here, before the wait.
        let begun = Instant::now();
        list = subscribe(caller, subscriptions, count);
        if let Ok(list) = &list
            && let Some(first) = list.iter().map(|one| one.wait.unwrap_or_default()).min()
        {
            interrupted = is_told(caller);
            if !interrupted && caller.data_mut().clock.sleep(first) {
                waited = first;
            } else {
                if !interrupted {
                    while pause(caller, begun + first).await {}
                    interrupted = intervene(caller)?;
                }
                waited = begun.elapsed();
            }
        }
    }
    call(caller, POLL, |memory, _| {
        let mut ready = 0;
        for one in list? {
            // A sleep that is interrupted ends; the guest meets the interrupt at its next instruction.
            if one.wait.is_ok_and(|wait| wait > waited) && !interrupted {
                continue;
            }
            let error = one.wait.err().map_or(0, |errno| errno as u16);
            let mut event = [0; EVENT as usize];
            event[..8].copy_from_slice(&one.userdata);
            event[8..10].copy_from_slice(&error.to_le_bytes());
            event[10] = one.kind;
            event[16..24].copy_from_slice(&1_u64.to_le_bytes());
            memory.write(events.wrapping_add(ready * EVENT), &event)?;
            ready += 1;
        }
        memory.write_u32(result, ready)
    })
}

/// What the guest waits for.
fn subscribe(
    caller: &mut Caller<'_, Host>,
    subscriptions: u32,
    count: u32,
) -> Result<Vec<Subscription>, Errno> {
    if count == 0 || count > MAX_SUBSCRIPTIONS {
        return Err(Errno::Inval);
    }
    let memory = caller.data().memory.ok_or(Errno::Nosys)?;
    let (bytes, host) = memory.data_and_store_mut(caller);
    let start = subscriptions as usize;
    let bytes = bytes
        .get(start..start + (count * SUBSCRIPTION) as usize)
        .ok_or(Errno::Fault)?;
    Ok(bytes
        .chunks_exact(SUBSCRIPTION as usize)
        .map(|bytes| Subscription {
            userdata: std::array::from_fn(|index| bytes[index]),
            kind: bytes[8],
            wait: wait(host, bytes),
        })
        .collect())
}

fn wait(host: &Host, subscription: &[u8]) -> Result<Duration, Errno> {
    let number = |at: usize, len: usize| {
        subscription[at..at + len]
            .iter()
            .rev()
            .fold(0_u64, |value, byte| value << 8 | u64::from(*byte))
    };
    match subscription[8] {
        0 => {
            let (clock, timeout) = (number(16, 4) as u32, number(24, 8));
            let absolute = number(40, 2) & 1 != 0;
            let now = process::time(host, clock)?;
            let wait = Duration::from_nanos(if absolute {
                timeout.saturating_sub(now)
            } else {
                timeout
            });
            // Nobody waits for longer than a year; the time limit comes first.
            Ok(wait.min(Duration::from_hours(365 * 24)))
        }
        1 | 2 => host
            .descriptors
            .get(number(16, 4) as u32)
            .map(|_| Duration::ZERO),
        _ => Err(Errno::Inval),
    }
}

/// Does what a tick would do to a guest that waits: tells it of an interrupt, or ends it. Returns whether it was told.
pub(super) fn intervene(caller: &mut Caller<'_, Host>) -> Result<bool, Stop> {
    let now = Instant::now();
    if !caller.data().run.is_due(now) {
        return Ok(false);
    }
    match caller.data_mut().run.at(now) {
        Action::Yield | Action::GoOn => Ok(false),
        Action::Interrupt(kind) => {
            host::interrupt(caller, kind);
            Ok(true)
        }
        Action::End(why) => Err(why),
    }
}

/// Whether the guest has been told of an interrupt and has not looked yet: it came just before the guest began to wait.
pub(super) fn is_told(caller: &mut Caller<'_, Host>) -> bool {
    let host = caller.data();
    let address = host.interrupt_at as usize;
    host.memory
        .and_then(|memory| memory.data(&*caller).get(address))
        .is_some_and(|byte| *byte != 0)
}

/// Lets others have their turn.
pub(super) async fn yield_now() {
    let mut had_turn = false;
    poll_fn(|context| {
        if std::mem::replace(&mut had_turn, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Waits for a moment. `false` when `until` has come or the guest has to be interrupted.
async fn pause(caller: &mut Caller<'_, Host>, until: Instant) -> bool {
    /// A wait shorter than this is not worth giving up the thread for.
    const SHORT: Duration = Duration::from_micros(300);
    let now = Instant::now();
    if caller.data().run.is_due(now) {
        return false;
    }
    let rest = until.saturating_duration_since(now);
    if !rest.is_zero() && rest <= SHORT {
        std::thread::sleep(rest);
        return false;
    }
    let mut asleep = false;
    let at = caller.data().run.next_look(until);
    let alarm = caller.data().running.as_ref().map(Running::alarm);
    poll_fn(|context| {
        if std::mem::replace(&mut asleep, true) {
            return Poll::Ready(());
        }
        match &alarm {
            Some(alarm) => alarm.wake_at(at, context.waker().clone()),
            None => context.waker().wake_by_ref(),
        }
        Poll::Pending
    })
    .await;
    until > Instant::now() && !caller.data().run.is_due(Instant::now())
}
