//! Pages that every session writes to, made its own in one go.
//!
//! A fresh instance shares its memory with the image until it writes, and each first write to a page is an exception,
//! which costs more than copying the page. Nearly the same pages are written by every session's start and first cell, so
//! they are learnt from one session and the kernel is asked for them when the next ones begin. Where it does not know
//! how, nothing is lost.

use crate::rollback::pagemap::{PAGE, changed_pages};
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// What is known about a guest's pages.
#[derive(Default)]
pub(crate) struct HotPages {
    sessions: AtomicU32,
    ranges: OnceLock<Vec<Range<usize>>>,
}

/// The session that is learnt from. Not the first: a process that runs one program has no use for it.
const TEACHER: u32 = 2;
/// A session that wrote to more pages than this is no example.
const MAX_PAGES: usize = 1024;

impl HotPages {
    /// Makes the known pages of a fresh instance private. Returns whether this instance shall be learnt from.
    pub(crate) fn prepare(&self, memory: &mut [u8]) -> bool {
        match self.ranges.get() {
            Some(ranges) => {
                for range in ranges {
                    if let Some(pages) = memory.get_mut(range.clone()) {
                        populate(pages);
                    }
                }
                false
            }
            None => self.sessions.fetch_add(1, Ordering::Relaxed) + 1 == TEACHER,
        }
    }

    /// Learns from an instance that has run its first cell.
    pub(crate) fn learn(&self, memory: &[u8]) {
        let pages = changed_pages(memory)
            .filter(|pages| pages.len() <= MAX_PAGES)
            .unwrap_or_default();
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for page in pages {
            let start = page as usize * PAGE;
            match ranges.last_mut() {
                Some(last) if last.end == start => last.end += PAGE,
                _ => ranges.push(start..start + PAGE),
            }
        }
        // Another thread that learnt at the same time learnt the same.
        let _ = self.ranges.set(ranges);
    }
}

/// Asks the kernel to make pages private to their mapping. It does not change what they hold.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "advice on memory is a system call")]
fn populate(pages: &mut [u8]) {
    use rustix::mm::{Advice, madvise};
    // SAFETY: the range is memory that we hold exclusively, and the advice leaves its content as it is. A kernel that
    // does not know the advice refuses it.
    let _ = unsafe {
        madvise(
            pages.as_mut_ptr().cast(),
            pages.len(),
            Advice::LinuxPopulateWrite,
        )
    };
}

#[cfg(not(target_os = "linux"))]
fn populate(_: &mut [u8]) {}
