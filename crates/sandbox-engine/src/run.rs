//! When a running request is interrupted, and when it is stopped.

use crate::host::Stop;
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
    /// End it: it went on for too long after it was told to, or its caller says so.
    End(Stop),
}

/// The time limit and the interrupts of one request.
#[derive(Debug, Clone, Default)]
pub(crate) struct RunControl {
    handle: InterruptHandle,
    deadline: Option<Instant>,
    grace: Duration,
    /// When it is ended, and why, because it was told to end and did not.
    expires: Option<(Instant, Stop)>,
    noted: Noted,
    /// Others have their turn.
    pub(crate) waiting: bool,
    /// Interrupts that reached the guest's memory.
    pub(crate) delivered: Option<Interrupt>,
}

/// What host functions have noticed and the guest has to be told at its next look.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Noted {
    memory_short: bool,
    output_beyond: bool,
    calls_beyond: bool,
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
        self.noted.memory_short = true;
    }

    /// Notes that more was written than the limit.
    ///
    /// Answers whether that is news. What the code writes while it ends is no new reason.
    pub(crate) fn output_is_beyond(&mut self) -> bool {
        let is_new = self.delivered != Some(Interrupt::Output) && !self.noted.output_beyond;
        self.noted.output_beyond |= is_new;
        is_new
    }

    /// Notes that the host was called more often than the limit.
    pub(crate) fn calls_are_beyond(&mut self) {
        self.noted.calls_beyond = true;
    }

    /// What has to happen at this time. Called at each tick of the epoch.
    pub(crate) fn at(&mut self, now: Instant) -> Action {
        match self.handle.0.load(Ordering::Relaxed) {
            KILL => return Action::End(Stop::Killed),
            INTERRUPT => {
                self.handle.clear();
                return self.interrupt(Interrupt::Keyboard);
            }
            _ => {}
        }
        if let Some((at, why)) = self.expires {
            return if now >= at {
                Action::End(why)
            } else {
                Action::GoOn
            };
        }
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return self.interrupt_for_good(Interrupt::Timeout, now, Stop::Time);
        }
        if std::mem::take(&mut self.noted.memory_short) {
            return self.interrupt(Interrupt::Memory);
        }
        if std::mem::take(&mut self.noted.output_beyond) {
            return self.interrupt_for_good(Interrupt::Output, now, Stop::Output);
        }
        if std::mem::take(&mut self.noted.calls_beyond) {
            return self.interrupt_for_good(Interrupt::HostCalls, now, Stop::HostCalls);
        }
        Action::Yield
    }

    /// Until when a guest may sleep before somebody has to look again.
    pub(crate) fn next_look(&self, wanted: Instant) -> Instant {
        /// Interrupts from other threads are noticed this often.
        const LOOK: Duration = Duration::from_millis(5);
        let soon = Instant::now() + LOOK;
        [self.expires.map(|(at, _)| at), self.deadline]
            .into_iter()
            .flatten()
            .fold(wanted.min(soon), Instant::min)
    }

    /// Whether something has to happen now, without doing it.
    pub(crate) fn is_due(&self, now: Instant) -> bool {
        let is_due = match self.expires {
            // It knows that it has to end, and nothing else matters any more.
            Some((at, _)) => now >= at,
            None => self.deadline.is_some_and(|at| now >= at) || self.noted != Noted::default(),
        };
        is_due || self.handle.0.load(Ordering::Relaxed) != NOTHING
    }

    /// An interrupt after which the guest has to end within its grace.
    fn interrupt_for_good(&mut self, kind: Interrupt, now: Instant, why: Stop) -> Action {
        self.expires = Some((now + self.grace, why));
        self.interrupt(kind)
    }

    fn interrupt(&mut self, kind: Interrupt) -> Action {
        self.delivered = Some(kind);
        Action::Interrupt(kind)
    }
}
