//! One instance of a guest: its memory, and a request's way in and out of it.

use crate::error::{Error, Result};
use crate::guest::Guest;
use crate::host::{self, Host, Stop};
use crate::run::Action;
use sandbox_abi::{EXPORT_BUFFER, EXPORT_CALL};
use std::ops::Range;
use std::time::Instant;
use wasmtime::{Memory, Store, StoreContextMut, Trap, TypedFunc, UpdateDeadline};

/// A reply larger than this is not read, in bytes: nothing interrupts its reading.
pub(crate) const MAX_REPLY: usize = 64 << 20;

/// A guest's instance.
pub(crate) struct Instance {
    store: Store<Host>,
    memory: Memory,
    buffer: TypedFunc<u32, u32>,
    call: TypedFunc<u32, u64>,
    /// Address and size of the guest's request buffer, once it has been asked for.
    request: Option<(usize, usize)>,
    metered: bool,
    /// The guest's habits are to be learnt from this instance's first cell.
    is_teacher: bool,
}

/// Why a call came to no reply.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A host function ended it.
    Stopped(Stop),
    /// Fuel is used up.
    Fuel,
    /// The stack is used up.
    Stack,
    /// The reply has so many bytes, more than is read.
    LongReply(usize),
    /// Another trap; the text says which.
    Trap(String),
    /// The guest's answer makes no sense.
    Protocol(String),
}

impl Instance {
    /// A fresh instance. Nothing of the guest has run.
    pub(crate) fn new(guest: &Guest, mut host: Host) -> Result<Self> {
        host.growth.size = 0;
        let mut store = Store::new(guest.engine(), host);
        store.limiter(|host| host);
        store.set_epoch_deadline(1);
        store.epoch_deadline_callback(on_tick);
        let metered = guest.is_metered();
        if metered {
            store.set_fuel(u64::MAX)?;
        }
        // Guests have no start function, so there is nothing to wait for.
        let instance = pollster::block_on(guest.pre().instantiate_async(&mut store))?;
        let missing = |name: &str| Error::Artifact(format!("the guest exports no `{name}`"));
        let memory = instance
            .get_memory(&mut store, "memory")
            .ok_or_else(|| missing("memory"))?;
        let buffer = instance
            .get_typed_func(&mut store, EXPORT_BUFFER)
            .map_err(|_| missing(EXPORT_BUFFER))?;
        let call = instance
            .get_typed_func(&mut store, EXPORT_CALL)
            .map_err(|_| missing(EXPORT_CALL))?;
        let is_teacher = guest.hot_pages().prepare(memory.data_mut(&mut store));
        let host = store.data_mut();
        host.memory = Some(memory);
        host.engine = Some(guest.engine().clone());
        // Asked for last: where the guest was loaded just now, it was being tried out meanwhile.
        host.interrupt_at = guest.interrupt_at()?;
        Ok(Self {
            store,
            memory,
            buffer,
            call,
            request: None,
            metered,
            is_teacher,
        })
    }

    /// Whether later instances shall learn from this one which pages are written to. Answers so once.
    pub(crate) fn is_teacher(&mut self) -> bool {
        std::mem::take(&mut self.is_teacher)
    }

    pub(crate) fn host(&self) -> &Host {
        self.store.data()
    }

    pub(crate) fn host_mut(&mut self) -> &mut Host {
        self.store.data_mut()
    }

    pub(crate) fn memory(&self) -> &[u8] {
        self.memory.data(&self.store)
    }

    /// Memory of at least `size` bytes, granted whatever the limit is now.
    pub(crate) fn memory_of_size(&mut self, size: usize) -> Result<&mut [u8]> {
        const WASM_PAGE: usize = 64 << 10;
        let missing = size
            .saturating_sub(self.memory.data_size(&self.store))
            .div_ceil(WASM_PAGE);
        if missing > 0 {
            self.store.data_mut().growth.restoring = true;
            let grown = self.memory.grow(&mut self.store, missing as u64);
            self.store.data_mut().growth.restoring = false;
            grown?;
        }
        Ok(self.memory.data_mut(&mut self.store))
    }

    /// Gives the guest fuel for the next request, where it is metered. `None`: as much as it wants.
    pub(crate) fn set_fuel(&mut self, fuel: Option<u64>) -> Result<()> {
        if self.metered {
            self.store.set_fuel(fuel.unwrap_or(u64::MAX))?;
        }
        Ok(())
    }

    /// Fuel that is left.
    pub(crate) fn fuel(&self) -> u64 {
        self.store.get_fuel().unwrap_or(0)
    }

    /// The address of the guest's buffer for a request. Most requests fit the buffer that the first one asked for.
    async fn request_buffer(&mut self, len: usize) -> Result<usize, Failure> {
        const USUAL: usize = 4096;
        if let Some((at, _)) = self.request.filter(|(_, size)| len <= *size) {
            return Ok(at);
        }
        let size = u32::try_from(len.max(USUAL))
            .map_err(|_| Failure::Protocol("the request is too large".to_owned()))?;
        let at = self
            .buffer
            .call_async(&mut self.store, size)
            .await
            .map_err(failure)? as usize;
        // A guest may give a large buffer back once it has served.
        self.request = (len <= USUAL).then_some((at, USUAL));
        Ok(at)
    }

    /// Hands an encoded request to the guest. Returns where its encoded reply lies, for [`Instance::reply`].
    pub(crate) async fn call(&mut self, request: &[u8]) -> Result<Range<usize>, Failure> {
        self.store.set_epoch_deadline(1);
        let at = self.request_buffer(request.len()).await?;
        self.memory
            .data_mut(&mut self.store)
            .get_mut(at..at + request.len())
            .ok_or_else(|| {
                Failure::Protocol("the request buffer lies outside of memory".to_owned())
            })?
            .copy_from_slice(request);
        let len = request.len() as u32;
        let place = self
            .call
            .call_async(&mut self.store, len)
            .await
            .map_err(failure)?;
        let (at, len) = ((place >> 32) as usize, (place & 0xffff_ffff) as usize);
        if self.memory().get(at..at + len).is_none() {
            let what = "the reply lies outside of memory".to_owned();
            return Err(Failure::Protocol(what));
        }
        if len > MAX_REPLY {
            return Err(Failure::LongReply(len));
        }
        Ok(at..at + len)
    }

    /// The reply that the last call led to. It stays in the guest's memory, so that a long one costs the host nothing.
    pub(crate) fn reply(&self, place: Range<usize>) -> &[u8] {
        // It was there when the call ended, and memory does not shrink.
        self.memory().get(place).unwrap_or_default()
    }
}

/// Called when the epoch advanced while the guest ran, and again when it has its next turn.
fn on_tick(mut store: StoreContextMut<'_, Host>) -> wasmtime::Result<UpdateDeadline> {
    let host = store.data_mut();
    // After a turn that others had, the clock is looked at before the guest goes on: among many guests, its time may
    // long be up.
    let has_waited = std::mem::replace(&mut host.run.waiting, false);
    let action = if host.log.is_replaying() {
        Action::Yield
    } else {
        host.run.at(Instant::now())
    };
    match action {
        Action::Yield if has_waited => Ok(UpdateDeadline::Continue(1)),
        Action::Yield => {
            host.run.waiting = true;
            Ok(UpdateDeadline::Yield(0))
        }
        Action::GoOn => Ok(UpdateDeadline::Continue(1)),
        Action::Interrupt(kind) => {
            host::interrupt(store, kind);
            Ok(UpdateDeadline::Continue(1))
        }
        Action::End(why) => Err(why.into()),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is passed to `map_err`")]
fn failure(error: wasmtime::Error) -> Failure {
    if let Some(stop) = error.downcast_ref::<Stop>() {
        return Failure::Stopped(*stop);
    }
    match error.downcast_ref::<Trap>() {
        Some(Trap::OutOfFuel) => Failure::Fuel,
        Some(Trap::StackOverflow) => Failure::Stack,
        _ => Failure::Trap(format!("{error:#}")),
    }
}
