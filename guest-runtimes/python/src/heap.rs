//! The heap as the snapshot finds it.

use std::alloc::{Layout, alloc, dealloc};

/// No hole is as large as this.
const LARGE: usize = 1 << 20;
/// Blocks that holes are filled with.
const SIZES: [usize; 14] = [
    65536, 16384, 4096, 1024, 512, 256, 128, 96, 64, 48, 32, 24, 16, 8,
];

/// Takes every free block inside the heap, so that a session's own objects lie side by side at its end.
///
/// A page of the snapshot is private to a session as soon as the session writes to it. Starting the interpreter
/// leaves thousands of holes all over the heap, and filling them would touch a page each.
///
/// Answers where the blocks end: what is allocated from now on lies behind.
pub fn fill_holes() -> *const u8 {
    let end = end_of_blocks();
    for size in SIZES {
        while let Some(block) = take(size) {
            if block as usize >= end as usize {
                give_back(block, size);
                break;
            }
        }
    }
    end
}

/// Where the heap is free up to its end.
fn end_of_blocks() -> *mut u8 {
    loop {
        let before = core::arch::wasm32::memory_size(0);
        let Some(block) = take(LARGE) else {
            return core::ptr::null_mut();
        };
        // The memory had to grow, so this block is the heap's last.
        if core::arch::wasm32::memory_size(0) > before {
            give_back(block, LARGE);
            return block;
        }
    }
}

fn layout(size: usize) -> Option<Layout> {
    Layout::from_size_align(size, 8).ok()
}

fn take(size: usize) -> Option<*mut u8> {
    // SAFETY: no size here is zero.
    let block = unsafe { alloc(layout(size)?) };
    (!block.is_null()).then_some(block)
}

fn give_back(block: *mut u8, size: usize) {
    if let Some(layout) = layout(size) {
        // SAFETY: the block is from `take` with this size, and nobody has it.
        unsafe { dealloc(block, layout) };
    }
}
