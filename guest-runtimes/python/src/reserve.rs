//! Memory that only the guest's own work may use: reading a request, compiling a cell, telling what came of it.
//!
//! Code that takes all memory and catches every error would otherwise leave a session that cannot even compile the
//! cell that frees it again. Pages that were never used cost nothing.

use std::alloc::Layout;
use std::cell::{Cell, UnsafeCell};

/// The size of the reserve in bytes.
const SIZE: usize = 1 << 20;

static RESERVE: Reserve = Reserve {
    bytes: UnsafeCell::new([0; SIZE]),
    open: Cell::new(false),
    low: Cell::new(0),
    high: Cell::new(SIZE),
    live: Cell::new(0),
};

#[repr(align(16))]
struct Reserve {
    bytes: UnsafeCell<[u8; SIZE]>,
    /// Whether the guest is at its own work.
    open: Cell<bool>,
    /// Blocks are taken from below, and all of this is free again when none of them is in use.
    low: Cell<usize>,
    /// Chunks are taken from above, for good.
    high: Cell<usize>,
    /// Blocks in use.
    live: Cell<usize>,
}

// SAFETY: the target has no threads.
unsafe impl Sync for Reserve {}

/// Opens the reserve: the guest's own work begins.
pub fn open() {
    RESERVE.open.set(true);
}

/// Runs somebody's code, which may not use the reserve.
pub fn closed<R>(code: impl FnOnce() -> R) -> R {
    RESERVE.open.set(false);
    let result = code();
    RESERVE.open.set(true);
    result
}

/// A block, or null. It goes back with [`give_back`].
#[cold]
pub fn take(layout: Layout) -> *mut u8 {
    let start = RESERVE.base() as usize;
    let at = (start + RESERVE.low.get()).next_multiple_of(layout.align()) - start;
    let Some(end) = at
        .checked_add(layout.size())
        .filter(|end| RESERVE.open.get() && *end <= RESERVE.high.get())
    else {
        return std::ptr::null_mut();
    };
    RESERVE.low.set(end);
    RESERVE.live.set(RESERVE.live.get() + 1);
    // SAFETY: `at` lies inside, and these bytes are nobody's.
    unsafe { RESERVE.base().add(at) }
}

/// A chunk for small blocks, or null. It never goes back.
#[cold]
pub fn take_chunk(size: usize) -> *mut u8 {
    let Some(at) = RESERVE
        .high
        .get()
        .checked_sub(size)
        .filter(|at| RESERVE.open.get() && *at >= RESERVE.low.get())
    else {
        return std::ptr::null_mut();
    };
    RESERVE.high.set(at);
    // SAFETY: `at` lies inside, and these bytes are nobody's.
    unsafe { RESERVE.base().add(at) }
}

/// Whether a block is one of [`take`].
pub fn owns(block: *const u8) -> bool {
    (block as usize).wrapping_sub(RESERVE.base() as usize) < SIZE
}

/// Takes a block back that [`owns`] knows.
pub fn give_back() {
    let live = RESERVE.live.get() - 1;
    RESERVE.live.set(live);
    if live == 0 {
        RESERVE.low.set(0);
    }
}

impl Reserve {
    fn base(&self) -> *mut u8 {
        self.bytes.get().cast()
    }
}
