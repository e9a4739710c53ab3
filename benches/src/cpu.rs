//! The CPU time of the calling thread.

use std::time::Duration;

/// What a function returns and the CPU time that the calling thread spent in it.
#[cfg(unix)]
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    use rustix::time::{ClockId, clock_gettime};
    let now = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Duration::new(
            time.tv_sec.unsigned_abs(),
            time.tv_nsec.unsigned_abs() as u32,
        )
    };
    let begun = now();
    let value = work();
    (value, now().saturating_sub(begun))
}

/// Where there is no such clock, wall time has to do.
#[cfg(not(unix))]
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begun = std::time::Instant::now();
    let value = work();
    (value, begun.elapsed())
}
