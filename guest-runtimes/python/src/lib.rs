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
mod memory_compare;
mod output;
mod program;
mod query;
mod reserve;
mod session;
mod start;
mod traceback;
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
    Session::enter(|_, vm| interpreter::settle(vm));
}

/// A buffer of `len` bytes for the next request.
#[unsafe(no_mangle)]
pub extern "C" fn sandbox_buffer(len: u32) -> *mut u8 {
    reserve::open();
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
    reserve::open();
    let request = REQUEST.with_borrow_mut(|buffer| {
        let request = match buffer.get(..len as usize) {
            Some(bytes) => decode::<Request>(bytes).map_err(|error| error.to_string()),
            None => Err(format!(
                "{len} bytes were announced, the buffer holds {}",
                buffer.len()
            )),
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
    Session::enter(|session, vm| match request {
        Request::Start(start) => start::start(session, vm, start),
        Request::Run(run) => {
            let stack = run.stack;
            Reply::Ran(start::with_stack(session, vm, stack, || match run.mode {
                Mode::Cell => cell::run(session, vm, run),
                Mode::Program => program::run(session, vm, run),
            }))
        }
        Request::Complete(request) => query::complete(session, vm, &request),
        Request::IsComplete(source) => query::completeness(session, vm, &source),
    })
    .unwrap_or_else(|| {
        Reply::Refused("the interpreter was not started: sandbox_init comes first".to_owned())
    })
}
