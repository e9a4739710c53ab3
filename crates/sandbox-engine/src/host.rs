//! The host's side of one instance: everything that the functions a guest can call work on.

use crate::clock::Clock;
use crate::descriptors::Descriptors;
use crate::entropy::Entropy;
use crate::fs::FileSystem;
use crate::output::{Capture, Total};
use crate::policy::{Limits, Mount};
use crate::rollback::journal::{CallLog, GROW};
use crate::run::RunControl;
use crate::stdin::Input;
use crate::ticker::Running;
use sandbox_abi::Interrupt;
use std::sync::Arc;
use wasmtime::{AsContextMut, Memory};

/// The data of a store.
pub(crate) struct Host {
    /// The guest's memory, once it is instantiated.
    pub(crate) memory: Option<Memory>,
    /// Where the guest runs, once it is instantiated.
    pub(crate) engine: Option<wasmtime::Engine>,
    /// Where the guest looks for interrupts.
    pub(crate) interrupt_at: u32,
    /// What the host answers during the current request, or what it answered.
    pub(crate) log: CallLog,
    /// What may be used.
    pub(crate) limits: Arc<Limits>,
    /// `KEY=VALUE`, as WASI hands them over.
    pub(crate) environment: Arc<Vec<Vec<u8>>>,
    /// The program's name and its arguments.
    pub(crate) arguments: Arc<Vec<Vec<u8>>>,
    pub(crate) files: FileSystem,
    pub(crate) descriptors: Descriptors,
    pub(crate) input: Input,
    pub(crate) output: Capture,
    pub(crate) clock: Clock,
    pub(crate) entropy: Entropy,
    /// The time limit of the current request.
    pub(crate) run: RunControl,
    /// Keeps the epoch advancing while a request runs.
    pub(crate) running: Option<Running>,
    /// Why the guest has to end at the next occasion.
    pub(crate) stop: Option<Stop>,
    /// Linear memory.
    pub(crate) growth: Growth,
    /// Bytes written to files during the current request.
    pub(crate) file_bytes: u64,
    /// Calls of the guest during the current request.
    pub(crate) calls: u64,
}

/// Why a host function ends the guest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Stop {
    /// The guest asked for it.
    #[error("the guest exited with status {0}")]
    Exit(i32),
    /// The time is up and the guest did not react to the interrupt.
    #[error("the time limit was reached")]
    Time,
    /// The caller wants it to end at once.
    #[error("the run was ended by its caller")]
    Killed,
    /// More output than a run may produce at all.
    #[error("the output limit was reached")]
    Output,
    /// More calls to the host than a run may make, and the guest did not react to the interrupt.
    #[error("the limit on calls to the host was reached")]
    HostCalls,
    /// Run again, the guest did not do what it did the first time.
    #[error("the guest did not repeat itself")]
    Diverged,
}

/// The state of linear memory and what was decided about it.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Growth {
    /// The current size in bytes.
    pub(crate) size: u64,
    /// Growing was refused during the current request.
    pub(crate) refused: bool,
    /// The instance is being restored: sizes that it has had are granted.
    pub(crate) restoring: bool,
}

/// So much before the limit the guest is told that memory is nearly used up, at most.
const MAX_MARGIN: u64 = 16 << 20;

impl Host {
    /// What the guest may use from now on: limits, and for each of the session's mounts whether it may write there.
    pub(crate) fn set_terms(&mut self, limits: &Arc<Limits>, mounts: &[Mount]) {
        self.limits = Arc::clone(limits);
        self.descriptors.set_limit(limits.descriptors);
        self.files.set_terms(limits, mounts);
    }

    /// What counts towards the memory limit besides linear memory.
    fn held_by_host(&self) -> u64 {
        self.files.host_bytes() + self.descriptors.host_bytes() + self.output.held_bytes()
    }

    /// Whether the host may hold this many bytes more for the guest. Files count like the guest's own memory.
    pub(crate) fn may_hold(&self, bytes: u64) -> bool {
        bytes <= self.room()
    }

    /// How many bytes more the host may hold for the guest.
    pub(crate) fn room(&self) -> u64 {
        let held = self.growth.size + self.held_by_host();
        self.limits.memory.bytes().saturating_sub(held)
    }

    /// Counts a call of the guest, and has a run interrupted that makes too many.
    pub(crate) fn count_call(&mut self) {
        self.calls += 1;
        // Told once: what the code calls while it ends is no new reason. The answers of the journal cost nothing.
        if self.calls == self.limits.host_calls.saturating_add(1) && !self.log.is_replaying() {
            self.run.calls_are_beyond();
            self.look_now();
        }
    }

    /// Interrupts or stops a run that wrote too much.
    pub(crate) fn check_output(&mut self) {
        match self.output.total() {
            Total::Within => {}
            Total::Beyond => {
                if self.run.output_is_beyond() {
                    self.look_now();
                }
            }
            Total::FarBeyond => self.stop = Some(Stop::Output),
        }
    }

    fn may_grow(&mut self, desired: u64) -> bool {
        let limit = self.limits.memory.bytes();
        let total = desired + self.held_by_host();
        if total > limit {
            self.growth.refused = true;
            return false;
        }
        if total > limit - MAX_MARGIN.min(limit / 8) {
            self.run.memory_is_short();
            self.look_now();
        }
        true
    }

    /// Has the guest come up for a look at what happened before it runs on.
    ///
    /// The ticker's next turn may be far off where the machine is busy, and a guest that is not interrupted in time
    /// passes the last bound and loses what it did.
    fn look_now(&self) {
        if let Some(engine) = &self.engine {
            engine.increment_epoch();
        }
    }
}

/// Writes an interrupt to the place where the guest looks for it.
pub(crate) fn interrupt(mut store: impl AsContextMut<Data = Host>, kind: Interrupt) {
    let mut store = store.as_context_mut();
    let host = store.data();
    let (memory, address) = (host.memory, host.interrupt_at as usize);
    if let Some(byte) = memory.and_then(|memory| memory.data_mut(&mut store).get_mut(address)) {
        *byte = kind as u8;
    }
}

impl wasmtime::ResourceLimiter for Host {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        _: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let granted = if self.log.is_replaying() {
            // A decision has no effect on memory of its own, so there is nothing to write.
            self.log.replay(GROW, &mut []) == Some(1)
        } else if current == 0 || self.growth.restoring {
            true
        } else {
            let granted = self.may_grow(desired as u64);
            self.log.begin(GROW);
            self.log.end(u16::from(granted));
            granted
        };
        if granted {
            self.growth.size = desired as u64;
        }
        Ok(granted)
    }

    fn table_growing(
        &mut self,
        _: usize,
        desired: usize,
        _: Option<usize>,
    ) -> wasmtime::Result<bool> {
        Ok(desired <= MAX_TABLE)
    }

    fn instances(&self) -> usize {
        1
    }

    fn memories(&self) -> usize {
        1
    }

    fn tables(&self) -> usize {
        4
    }
}

/// Entries of a function table. An interpreter has some ten thousand.
const MAX_TABLE: usize = 1 << 20;
