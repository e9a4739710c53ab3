//! The heap: fast for the small objects that Python makes by the million, and tidy when the snapshot is made.
//!
//! Blocks of up to [`SMALL`] bytes come from lists of free blocks by size, and where a list is empty from the end of
//! a chunk. Taking and giving back are a few instructions that the compiler inlines; the general allocator below
//! takes many times that. Small blocks are never merged, so memory that once held small objects serves only objects of
//! the same size class again. There is one thread, and nothing here is re-entered.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::ptr::null_mut;

use crate::reserve;

/// The largest small block, in bytes.
const SMALL: usize = 512;
/// Sizes are multiples of this; so is every address.
const STEP: usize = 16;
/// Small blocks are cut from chunks of this size.
const CHUNK: usize = 32 << 10;

#[global_allocator]
static HEAP: Heap = Heap(UnsafeCell::new(Lists {
    free: [null_mut(); SMALL / STEP],
    next: null_mut(),
    left: 0,
}));

struct Heap(UnsafeCell<Lists>);

struct Lists {
    /// The first free block of each size.
    free: [*mut Block; SMALL / STEP],
    /// What is left of the chunk that blocks are cut from.
    next: *mut u8,
    left: usize,
}

/// A free block holds the address of the next one.
struct Block {
    next: *mut Block,
}

// SAFETY: the target has no threads.
unsafe impl Sync for Heap {}

// SAFETY: blocks come from `System` and overlap no other: a block is in one list, or cut from the chunk, or taken.
unsafe impl GlobalAlloc for Heap {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Some(class) = class(layout) else {
            return large(layout);
        };
        // SAFETY: nobody else looks at the lists; see `Sync`. A block in a list is free and large enough to be one.
        unsafe {
            let lists = &mut *self.0.get();
            let block = lists.free[class];
            if block.is_null() {
                return lists.cut((class + 1) * STEP);
            }
            lists.free[class] = (*block).next;
            block.cast()
        }
    }

    // Out of line: there are too many places that free something.
    #[inline(never)]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let Some(class) = class(layout) else {
            if reserve::owns(block) {
                return reserve::give_back();
            }
            // SAFETY: the caller's promise, and other large blocks are the system's.
            return unsafe { System.dealloc(block, layout) };
        };
        // SAFETY: the block is one of ours of this class, and the caller gives it up.
        unsafe {
            let lists = &mut *self.0.get();
            let block = block.cast::<Block>();
            (*block).next = lists.free[class];
            lists.free[class] = block;
        }
    }

    #[inline(never)]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if class(layout).is_none() {
            // SAFETY: the caller's promise. The system knows memory that is zero already.
            let block = unsafe { System.alloc_zeroed(layout) };
            if !block.is_null() {
                return block;
            }
        }
        // SAFETY: the caller's promise; the block has the layout's size.
        unsafe {
            let block = self.alloc(layout);
            if !block.is_null() {
                block.write_bytes(0, layout.size());
            }
            block
        }
    }

    #[inline(never)]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller promises that the size is possible with this alignment.
        let wanted = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        match (class(layout), class(wanted)) {
            (Some(old), Some(new)) if old == new => return block,
            (None, None) if !reserve::owns(block) => {
                // SAFETY: the caller's promise, and other large blocks are the system's.
                let moved = unsafe { System.realloc(block, layout, size) };
                if !moved.is_null() {
                    return moved;
                }
            }
            _ => {}
        }
        // SAFETY: both blocks have at least the bytes that are copied, and they are different ones.
        unsafe {
            let moved = self.alloc(wanted);
            if !moved.is_null() {
                moved.copy_from_nonoverlapping(block, layout.size().min(size));
                self.dealloc(block, layout);
            }
            moved
        }
    }
}

/// The list for a layout; `None` where the general allocator has to do it.
#[inline]
fn class(layout: Layout) -> Option<usize> {
    let size = layout.size();
    (size <= SMALL && layout.align() <= STEP).then(|| size.saturating_sub(1) / STEP)
}

/// A block that is too large for a list, or has to lie at a special address.
fn large(layout: Layout) -> *mut u8 {
    // SAFETY: layouts that are asked for have a size.
    let block = unsafe { System.alloc(layout) };
    if block.is_null() {
        return reserve::take(layout);
    }
    block
}

impl Lists {
    /// A block from the end of the chunk, or of a new one.
    #[cold]
    fn cut(&mut self, size: usize) -> *mut u8 {
        if self.left < size {
            // What is left of the old chunk is a hole for good; it is smaller than the block wanted.
            // SAFETY: the layout has a size.
            let mut chunk = unsafe { System.alloc(Layout::from_size_align_unchecked(CHUNK, STEP)) };
            if chunk.is_null() {
                chunk = reserve::take_chunk(CHUNK);
            }
            if chunk.is_null() {
                return chunk;
            }
            self.next = chunk;
            self.left = CHUNK;
        }
        let block = self.next;
        // SAFETY: at least `size` bytes of the chunk are left.
        self.next = unsafe { block.add(size) };
        self.left -= size;
        block
    }
}

/// No hole is as large as this.
const LARGE: usize = 1 << 20;
/// Blocks that holes of the general allocator are filled with.
const SIZES: [usize; 12] = [65536, 16384, 4096, 1024, 512, 256, 128, 64, 48, 32, 16, 8];

/// Takes every free block inside the heap, so that a session's own objects lie side by side at its end.
///
/// A page of the snapshot is private to a session as soon as the session writes to it. Starting the interpreter
/// leaves thousands of holes all over the heap, and filling them would touch a page each.
///
/// Answers where the blocks end: what is allocated from now on lies behind.
pub fn fill_holes() -> *const u8 {
    // SAFETY: nobody else looks at the lists. Free blocks that are forgotten stay free for good.
    unsafe {
        let lists = &mut *HEAP.0.get();
        lists.free = [null_mut(); SMALL / STEP];
        lists.left = 0;
    }
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
            return null_mut();
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
    let block = unsafe { System.alloc(layout(size)?) };
    (!block.is_null()).then_some(block)
}

fn give_back(block: *mut u8, size: usize) {
    if let Some(layout) = layout(size) {
        // SAFETY: the block is from `take` with this size, and nobody has it.
        unsafe { System.dealloc(block, layout) };
    }
}
