//! Comparing bytes sixteen at a time. The C library's function takes them one by one, and nearly every look-up of a
//! name and every comparison of texts comes to it.

use std::arch::wasm32::{u8x16_bitmask, u8x16_eq, v128, v128_load};

/// C's `memcmp`, which the linker takes instead of the library's.
///
/// # Safety
/// `len` bytes can be read at both addresses.
#[unsafe(no_mangle)]
unsafe extern "C" fn memcmp(a: *const u8, b: *const u8, len: usize) -> i32 {
    const STEP: usize = size_of::<v128>();
    let mut at = 0;
    // SAFETY: the caller's promise: nothing behind `len` is read.
    unsafe {
        while len - at >= STEP {
            let same = u8x16_bitmask(u8x16_eq(
                v128_load(a.add(at).cast()),
                v128_load(b.add(at).cast()),
            ));
            if same != u16::MAX {
                let place = at + same.trailing_ones() as usize;
                return difference(*a.add(place), *b.add(place));
            }
            at += STEP;
        }
        if len - at >= 8 {
            let first = a.add(at).cast::<u64>().read_unaligned();
            let second = b.add(at).cast::<u64>().read_unaligned();
            if first != second {
                // The first byte of a text is the lowest of the number.
                return order(first.swap_bytes() < second.swap_bytes());
            }
            at += 8;
        }
        if len - at >= 4 {
            let first = a.add(at).cast::<u32>().read_unaligned();
            let second = b.add(at).cast::<u32>().read_unaligned();
            if first != second {
                return order(first.swap_bytes() < second.swap_bytes());
            }
            at += 4;
        }
        while at < len {
            if *a.add(at) != *b.add(at) {
                return difference(*a.add(at), *b.add(at));
            }
            at += 1;
        }
    }
    0
}

fn difference(a: u8, b: u8) -> i32 {
    i32::from(a) - i32::from(b)
}

fn order(is_less: bool) -> i32 {
    if is_less { -1 } else { 1 }
}
