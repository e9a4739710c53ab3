//! When a running request is interrupted, and when it is stopped.

use sandbox_abi::Interrupt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

/// Lets another thread interrupt what a session runs. Cheap to clone; harmless while nothing runs.
#[derive(Debug, Clone, Default)]
pub struct InterruptHandle(Arc<AtomicU8>);

const NOTHING: u8 = 0;
const INTERRUPT: u8 = 1;
const KILL: u8 = 2;

impl InterruptHandle {
    /// Raises the language's interrupt (`KeyboardInterrupt`) in the running cell, which may catch it.
    pub fn interrupt(&self) {
        // A request to kill is not taken back.
        let _ = self
            .0
            .compare_exchange(NOTHING, INTERRUPT, Ordering::SeqCst, Ordering::SeqCst);
    }

    /// Stops the running cell at once. The session returns to its state before the cell.
    pub fn kill(&self) {
        self.0.store(KILL, Ordering::SeqCst);
    }

    /// Forgets requests that came while nothing ran.
    pub(crate) fn clear(&self) {
        self.0.store(NOTHING, Ordering::SeqCst);
    }
}

/// What has to happen to a running guest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    /// Nothing: let others run, then go on.
    Yield,
    /// It has been told to end and shall do so without waiting for its turn.
    GoOn,
    /// Tell it to end.
    Interrupt(Interrupt),
    /// End it: its time is up.
    Expire,
    /// End it: its caller says so.
    Kill,
}

/// The time limit and the interrupts of one request.
#[derive(Debug, Clone, Default)]
pub(crate) struct RunControl {
    handle: InterruptHandle,
    deadline: Option<Instant>,
    grace: Duration,
    expires: Option<Instant>,
    memory_short: bool,
    output_beyond: bool,
    /// Others have their turn.
    pub(crate) waiting: bool,
    /// Interrupts that reached the guest's memory.
    pub(crate) delivered: Option<Interrupt>,
}

impl RunControl {
    /// A request that may run until `deadline`, plus `grace` for reacting to the interrupt.
    pub(crate) fn new(handle: InterruptHandle, deadline: Option<Instant>, grace: Duration) -> Self {
        Self {
            handle,
            deadline,
            grace,
            ..Self::default()
        }
    }

    /// Notes that memory is nearly used up.
    pub(crate) fn memory_is_short(&mut self) {
        self.memory_short = true;
    }

    /// Notes that more was written than the limit.
    pub(crate) fn output_is_beyond(&mut self) {
        // Told once: what the code writes while it ends is no new reason.
        self.output_beyond |= self.delivered != Some(Interrupt::Output);
    }

    /// What has to happen at this time. Called at each tick of the epoch.
    pub(crate) fn at(&mut self, now: Instant) -> Action {
        match self.handle.0.load(Ordering::Relaxed) {
            KILL => return Action::Kill,
            INTERRUPT => {
                self.handle.clear();
                return self.interrupt(Interrupt::Keyboard);
            }
            _ => {}
        }
        if let Some(expires) = self.expires {
            return if now >= expires {
                Action::Expire
            } else {
                Action::GoOn
            };
        }
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            self.expires = Some(now + self.grace);
            return self.interrupt(Interrupt::Timeout);
        }
        if std::mem::take(&mut self.memory_short) {
            return self.interrupt(Interrupt::Memory);
        }
        if std::mem::take(&mut self.output_beyond) {
            self.expires = Some(now + self.grace);
            return self.interrupt(Interrupt::Output);
        }
        Action::Yield
    }

    /// Until when a guest may sleep before somebody has to look again.
    pub(crate) fn next_look(&self, wanted: Instant) -> Instant {
        /// Interrupts from other threads are noticed this often.
        const LOOK: Duration = Duration::from_millis(5);
        let soon = Instant::now() + LOOK;
        [self.expires, self.deadline]
            .into_iter()
            .flatten()
            .fold(wanted.min(soon), Instant::min)
    }

    /// Whether something has to happen now, without doing it.
    pub(crate) fn is_due(&self, now: Instant) -> bool {
        self.handle.0.load(Ordering::Relaxed) != NOTHING
            || self.expires.or(self.deadline).is_some_and(|at| now >= at)
            || self.memory_short
            || self.output_beyond
    }

    fn interrupt(&mut self, kind: Interrupt) -> Action {
        self.delivered = Some(kind);
        Action::Interrupt(kind)
    }
}
