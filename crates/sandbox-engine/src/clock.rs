//! What guests are told about time.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// The clocks of a session.
#[derive(Debug, Clone)]
pub(crate) enum Clock {
    /// The machine's.
    Real {
        /// Where the monotonic clock starts.
        origin: Instant,
    },
    /// Always the same instant, in nanoseconds since 1970. For making images that can be made again.
    #[cfg_attr(
        not(feature = "build-guests"),
        expect(dead_code, reason = "only images are made with it")
    )]
    Frozen(u64),
}

impl Clock {
    pub(crate) fn real() -> Self {
        Self::Real {
            origin: Instant::now(),
        }
    }

    /// Nanoseconds since 1970.
    pub(crate) fn wall(&self) -> u64 {
        match self {
            Self::Real { .. } => SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |since| since.as_nanos() as u64),
            Self::Frozen(now) => *now,
        }
    }

    /// Nanoseconds since the session began, and never less than before.
    pub(crate) fn monotonic(&self) -> u64 {
        match self {
            Self::Real { origin } => origin.elapsed().as_nanos() as u64,
            Self::Frozen(_) => 0,
        }
    }
}
