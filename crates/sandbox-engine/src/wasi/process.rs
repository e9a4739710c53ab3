//! Arguments, environment, clocks, randomness, events; and what no guest may have.

use super::errno::Errno;
use super::memory::GuestMemory;
use crate::host::Host;
use crate::result::RichOutput;
use sandbox_abi::{EVENT_DISPLAY, EVENT_VALUE};
use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;

type Answer = Result<(), Errno>;

pub(super) fn args_get(
    memory: &mut GuestMemory<'_>,
    host: &mut Host,
    pointers: u32,
    bytes: u32,
) -> Answer {
    strings(memory, &host.arguments, pointers, bytes)
}

pub(super) fn args_sizes_get(
    memory: &mut GuestMemory<'_>,
    host: &mut Host,
    count: u32,
    size: u32,
) -> Answer {
    string_sizes(memory, &host.arguments, count, size)
}

pub(super) fn environ_get(
    memory: &mut GuestMemory<'_>,
    host: &mut Host,
    pointers: u32,
    bytes: u32,
) -> Answer {
    strings(memory, &host.environment, pointers, bytes)
}

pub(super) fn environ_sizes_get(
    memory: &mut GuestMemory<'_>,
    host: &mut Host,
    count: u32,
    size: u32,
) -> Answer {
    string_sizes(memory, &host.environment, count, size)
}

fn strings(
    memory: &mut GuestMemory<'_>,
    list: &[Vec<u8>],
    mut pointer: u32,
    mut at: u32,
) -> Answer {
    for text in list {
        memory.write_u32(pointer, at)?;
        memory.write(at, text)?;
        memory.write(at.checked_add(text.len() as u32).ok_or(Errno::Fault)?, &[0])?;
        pointer = pointer.checked_add(4).ok_or(Errno::Fault)?;
        at = at.checked_add(text.len() as u32 + 1).ok_or(Errno::Fault)?;
    }
    Ok(())
}

fn string_sizes(memory: &mut GuestMemory<'_>, list: &[Vec<u8>], count: u32, size: u32) -> Answer {
    memory.write_u32(count, list.len() as u32)?;
    memory.write_u32(size, list.iter().map(|text| text.len() as u32 + 1).sum())
}

const REALTIME: u32 = 0;
const MONOTONIC: u32 = 1;
const LAST_CLOCK: u32 = 3;

pub(super) fn clock_res_get(
    memory: &mut GuestMemory<'_>,
    host: &mut Host,
    id: u32,
    result: u32,
) -> Answer {
    if id > LAST_CLOCK {
        return Err(Errno::Inval);
    }
    memory.write_u64(result, host.clock.resolution())
}

pub(super) fn clock_time_get(
    memory: &mut GuestMemory<'_>,
    host: &mut Host,
    id: u32,
    _: u64,
    result: u32,
) -> Answer {
    memory.write_u64(result, time(host, id)?)
}

/// The time of one of WASI's clocks in nanoseconds. The clocks for processor time are the monotonic one.
pub(super) fn time(host: &Host, clock: u32) -> Result<u64, Errno> {
    match clock {
        REALTIME => Ok(host.clock.wall()),
        MONOTONIC..=LAST_CLOCK => Ok(host.clock.monotonic()),
        _ => Err(Errno::Inval),
    }
}

/// One call fills at most this much; more takes more calls, and time.
const MAX_RANDOM: u32 = 1 << 20;

pub(super) fn random_get(
    memory: &mut GuestMemory<'_>,
    host: &mut Host,
    buffer: u32,
    len: u32,
) -> Answer {
    if len > MAX_RANDOM {
        return Err(Errno::Inval);
    }
    memory
        .fill(buffer, len, |bytes| {
            host.entropy.fill(bytes).map(|()| bytes.len())
        })
        .map(|_| ())
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "every function of WASI answers like this"
)]
pub(super) fn sched_yield(_: &mut GuestMemory<'_>, _: &mut Host) -> Answer {
    Ok(())
}

/// A guest hands over something to display. What cannot be read is dropped: the guest is not to be trusted.
pub(super) fn event(
    memory: &mut GuestMemory<'_>,
    host: &mut Host,
    kind: u32,
    at: u32,
    len: u32,
) -> Answer {
    if !matches!(kind, EVENT_DISPLAY | EVENT_VALUE) {
        return Err(Errno::Inval);
    }
    if u64::from(len) > host.limits.output.bytes() {
        host.output.total += u64::from(len);
        host.output.cut = true;
        return Err(Errno::Dquot);
    }
    let forms: Forms = sandbox_abi::decode(memory.read(at, len)?).map_err(|_| Errno::Inval)?;
    host.output.display(RichOutput {
        data: forms.data,
        is_value: kind == EVENT_VALUE,
    });
    host.check_output();
    Ok(())
}

/// More forms than this no object has. A form without content takes two bytes of a message and many times that here, so
/// their number is bounded while they are read.
const MAX_FORMS: usize = 64;

/// [`sandbox_abi::Display`] as the host reads it.
#[derive(Deserialize)]
struct Forms {
    #[serde(deserialize_with = "few_forms")]
    data: Vec<(String, String)>,
}

fn few_forms<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<(String, String)>, D::Error> {
    struct Few;

    impl<'de> Visitor<'de> for Few {
        type Value = Vec<(String, String)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "at most {MAX_FORMS} forms")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut forms: A) -> Result<Self::Value, A::Error> {
            let mut few = Vec::new();
            while let Some(form) = forms.next_element()? {
                if few.len() == MAX_FORMS {
                    return Err(de::Error::invalid_length(MAX_FORMS + 1, &self));
                }
                few.push(form);
            }
            Ok(few)
        }
    }

    from.deserialize_seq(Few)
}

pub(super) fn proc_raise(_: &mut GuestMemory<'_>, _: &mut Host, _: u32) -> Answer {
    Err(Errno::Nosys)
}

pub(super) fn sock_accept(_: &mut GuestMemory<'_>, _: &mut Host, _: u32, _: u32, _: u32) -> Answer {
    Err(Errno::Notsup)
}

#[expect(clippy::too_many_arguments, reason = "WASI's signature")]
pub(super) fn sock_recv(
    _: &mut GuestMemory<'_>,
    _: &mut Host,
    _: u32,
    _: u32,
    _: u32,
    _: u32,
    _: u32,
    _: u32,
) -> Answer {
    Err(Errno::Notsup)
}

pub(super) fn sock_send(
    _: &mut GuestMemory<'_>,
    _: &mut Host,
    _: u32,
    _: u32,
    _: u32,
    _: u32,
    _: u32,
) -> Answer {
    Err(Errno::Notsup)
}

pub(super) fn sock_shutdown(_: &mut GuestMemory<'_>, _: &mut Host, _: u32, _: u32) -> Answer {
    Err(Errno::Notsup)
}
