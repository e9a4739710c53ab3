//! How much memory this process uses, and how much it used at most while something went on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Resident memory of this process in bytes; 0 where the system does not tell.
pub fn resident() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm.split_whitespace().nth(1);
    pages.and_then(|pages| pages.parse().ok()).unwrap_or(0) * 4096
}

/// Open descriptors of this process; 0 where the system does not tell.
pub fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count)
}

/// Looks at the memory every few milliseconds.
pub struct Watch {
    peaks: Arc<[AtomicU64]>,
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// For so many observers.
    pub fn start(observers: usize) -> Self {
        let peaks: Arc<[AtomicU64]> = (0..observers).map(|_| AtomicU64::new(0)).collect();
        let done = Arc::new(AtomicBool::new(false));
        let thread = thread::spawn({
            let (peaks, done) = (Arc::clone(&peaks), Arc::clone(&done));
            move || {
                while !done.load(Ordering::Relaxed) {
                    let now = resident();
                    for peak in &*peaks {
                        peak.fetch_max(now, Ordering::Relaxed);
                    }
                    thread::sleep(Duration::from_millis(3));
                }
            }
        });
        Self {
            peaks,
            done,
            thread: Some(thread),
        }
    }

    /// The most since this observer asked last.
    pub fn peak(&self, observer: usize) -> u64 {
        self.peaks[observer].swap(0, Ordering::Relaxed)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has nothing more to say here.
            let _ = thread.join();
        }
    }
}
