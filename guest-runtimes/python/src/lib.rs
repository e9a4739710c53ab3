//! RustPython as a sandbox guest. The interface is that of `sandbox-abi`.
//!
//! One interpreter lives in the module's memory. [`sandbox_init`] starts it while the module is built, so that
//! an instance begins with everything imported; [`sandbox_call`] answers the host's requests.

#[cfg(not(target_arch = "wasm32"))]
compile_error!("this crate is a WebAssembly guest: build it with `cargo xtask guests`");

mod bridge;
mod cell;
mod compile;
mod display;
mod failure;
mod heap;
mod image;
mod interpreter;
mod interrupt;
mod output;
mod program;
mod query;
mod session;
mod start;
mod wasi_libc;

use std::cell::RefCell;

use sandbox_abi::{ABI_VERSION, Mode, Reply, Request, decode, encode};
use session::Session;

/// Buffers above this size are given back once they have served.
const KEPT_BYTES: usize = 1 << 20;

thread_local! {
    /// What the host wrote for the next call.
    static REQUEST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    /// What the host reads after the last call.
    static REPLY: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The version of the messages that this guest speaks.
#[unsafe(no_mangle)]
pub extern "C" fn sandbox_abi() -> u32 {
    ABI_VERSION
}

/// Starts the interpreter. Called once, while the module is built.
#[unsafe(no_mangle)]
pub extern "C" fn sandbox_init() {
    wasi_libc::run_constructors();
    interpreter::boot();
    wasi_libc::forget_host();
    heap::fill_holes();
}

/// A buffer of `len` bytes for the next request.
#[unsafe(no_mangle)]
pub extern "C" fn sandbox_buffer(len: u32) -> *mut u8 {
    REQUEST.with_borrow_mut(|buffer| {
        buffer.resize(len as usize, 0);
        buffer.as_mut_ptr()
    })
}

/// The byte that the host sets to interrupt a running call.
#[unsafe(no_mangle)]
pub extern "C" fn sandbox_interrupt() -> *const u8 {
    interrupt::address()
}

/// Answers the request in the buffer: the reply's address in the high half, its length in the low half.
#[unsafe(no_mangle)]
pub extern "C" fn sandbox_call(len: u32) -> u64 {
    let request = REQUEST.with_borrow_mut(|buffer| {
        let request = match buffer.get(..len as usize) {
            Some(bytes) => decode::<Request>(bytes).map_err(|error| error.to_string()),
            None => Err(format!("{len} bytes were announced, the buffer holds {}", buffer.len())),
        };
        if buffer.capacity() > KEPT_BYTES {
            *buffer = Vec::new();
        }
        request
    });
    // The last reply goes before the next one is made: both can be large.
    REPLY.with_borrow_mut(|reply| {
        if reply.capacity() > KEPT_BYTES {
            *reply = Vec::new();
        }
    });
    let bytes = encode(&match request {
        Ok(request) => answer(request),
        Err(reason) => Reply::Refused(reason),
    });
    REPLY.with_borrow_mut(|reply| {
        *reply = bytes;
        (reply.as_ptr() as u64) << 32 | reply.len() as u64
    })
}

fn answer(request: Request) -> Reply {
    interrupt::clear();
    trace_on();
    let r = Session::enter(|session, vm| match request {
        Request::Start(start) => start::start(session, vm, start),
        Request::Run(run) => Reply::Ran(match run.mode {
            Mode::Cell => cell::run(session, vm, run),
            Mode::Program => program::run(session, vm, run),
        }),
        Request::Complete(request) => query::complete(session, vm, &request),
        Request::IsComplete(source) => query::completeness(session, vm, &source),
    })
    .unwrap_or_else(|| Reply::Refused("the interpreter was not started: sandbox_init comes first".to_owned()));
    trace_off(); r
}

struct Tr;
static mut N: usize = 0; static mut REC: [(u32,u32);4096] = [(0,0);4096]; static mut ON: bool = false; static mut CUR: isize = 0; static mut PEAK: isize = 0; static mut TOT:(usize,usize)=(0,0);
unsafe impl std::alloc::GlobalAlloc for Tr {
    unsafe fn alloc(&self, l: std::alloc::Layout) -> *mut u8 { unsafe { let p = std::alloc::System.alloc(l); if ON { CUR += l.size() as isize; if CUR>PEAK {PEAK=CUR} TOT.0+=1; TOT.1+=l.size(); if l.size() >= 700 && N < 4096 { REC[N] = (l.size() as u32, p as u32); N += 1; } } p } }
    unsafe fn dealloc(&self, p: *mut u8, l: std::alloc::Layout) { unsafe { if ON { CUR -= l.size() as isize } std::alloc::System.dealloc(p, l) } }
    unsafe fn realloc(&self, p: *mut u8, l: std::alloc::Layout, n: usize) -> *mut u8 { unsafe { let q = std::alloc::System.realloc(p, l, n); if ON { CUR += n as isize - l.size() as isize; if CUR>PEAK {PEAK=CUR} TOT.0+=1; TOT.1+=n; if n >= 700 && N < 4096 { REC[N] = (n as u32 | 0x80000000, q as u32); N += 1; } } q } }
}
#[global_allocator] static A: Tr = Tr;
pub fn trace_on() { unsafe { ON = true; N = 0; CUR=0; PEAK=0; TOT=(0,0); } }
#[allow(static_mut_refs)]
pub fn trace_off() { unsafe { ON = false; let mut s=String::new(); for i in 0..N { s += &format!("{}{}@{:x} ", if REC[i].0>>31==1 {"r"} else {""}, REC[i].0 & 0x7fffffff, REC[i].1); } eprintln!("peak {PEAK} left {CUR} count {} bytes {} big: {s}", TOT.0, TOT.1); } }
