//! What guests are told about time.

use crate::policy::{self, nanoseconds};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The clocks of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Clock {
    /// The machine's, in steps.
    Real {
        /// Where the monotonic clock starts.
        origin: Instant,
        /// The step in nanoseconds, 1 at least.
        step: u64,
    },
    /// Always the same instant, but for the time that the guest slept.
    Frozen {
        /// The instant in nanoseconds since 1970.
        at: u64,
        /// Nanoseconds slept.
        slept: u64,
    },
}

impl Clock {
    /// The machine's clock.
    pub(crate) fn real() -> Self {
        Self::in_steps(Duration::ZERO)
    }

    /// The clock that a policy asks for, starting now.
    pub(crate) fn of(policy: policy::Clock) -> Self {
        match policy {
            policy::Clock::Real => Self::real(),
            policy::Clock::Coarse { step } => Self::in_steps(step),
            // A policy with a moment that does not fit does not get here.
            policy::Clock::Frozen { at } => Self::frozen(nanoseconds(at).unwrap_or_default()),
        }
    }

    /// A clock that stands at this instant, in nanoseconds since 1970.
    pub(crate) fn frozen(at: u64) -> Self {
        Self::Frozen { at, slept: 0 }
    }

    /// Sleeps without waiting, where the clock is one that only sleeping moves. `false` where it is not.
    pub(crate) fn sleep(&mut self, time: Duration) -> bool {
        let Self::Frozen { slept, .. } = self else {
            return false;
        };
        *slept = slept.saturating_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
        true
    }

    fn in_steps(step: Duration) -> Self {
        Self::Real {
            origin: Instant::now(),
            step: (step.as_nanos() as u64).max(1),
        }
    }

    /// Nanoseconds since 1970.
    pub(crate) fn wall(&self) -> u64 {
        match self {
            Self::Real { step, .. } => {
                let since = SystemTime::now().duration_since(UNIX_EPOCH);
                whole_steps(since.map_or(0, |since| since.as_nanos() as u64), *step)
            }
            Self::Frozen { at, slept } => at.saturating_add(*slept),
        }
    }

    /// Nanoseconds since the session began, and never less than before.
    pub(crate) fn monotonic(&self) -> u64 {
        match self {
            Self::Real { origin, step } => whole_steps(origin.elapsed().as_nanos() as u64, *step),
            Self::Frozen { slept, .. } => *slept,
        }
    }

    /// The shortest time that it can tell, in nanoseconds.
    pub(crate) fn resolution(&self) -> u64 {
        match self {
            Self::Real { step, .. } => *step,
            Self::Frozen { .. } => 1,
        }
    }
}

fn whole_steps(time: u64, step: u64) -> u64 {
    time - time % step
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coarse_clock_shows_whole_steps_and_never_goes_back() {
        let clock = Clock::of(policy::Clock::Coarse {
            step: Duration::from_millis(2),
        });
        let mut before = (0, 0);
        for _ in 0..50 {
            let now = (clock.wall(), clock.monotonic());
            assert_eq!((now.0 % 2_000_000, now.1 % 2_000_000), (0, 0));
            assert!(now >= before);
            before = now;
            std::thread::sleep(Duration::from_micros(100));
        }
        assert!(before.1 > 0, "it goes on");
        assert_eq!(clock.resolution(), 2_000_000);
    }

    #[test]
    fn only_sleeping_moves_a_frozen_clock() {
        let mut clock = Clock::of(policy::Clock::Frozen {
            at: policy::Clock::moment(),
        });
        std::thread::sleep(Duration::from_millis(1));
        assert_eq!(
            (clock.wall(), clock.monotonic()),
            (1_735_689_600_000_000_000, 0)
        );
        assert!(clock.sleep(Duration::from_secs(2)));
        assert_eq!(
            (clock.wall(), clock.monotonic()),
            (1_735_689_602_000_000_000, 2_000_000_000)
        );
        assert!(clock.sleep(Duration::MAX), "time does not overflow");
        assert!(!Clock::real().sleep(Duration::ZERO));
    }
}
