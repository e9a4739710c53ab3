//! The host's interrupt: a byte in memory that becomes an exception at the next instruction.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU8, Ordering};

use rustpython_vm::builtins::PyBaseExceptionRef;
use rustpython_vm::signal::embedder_interrupt;
use rustpython_vm::{AsObject, Py, PyResult, VirtualMachine, builtins::PyBaseException};
use sandbox_abi::Interrupt;

thread_local! {
    /// The exception of the last interrupt, to tell it from an equal one that the code raised.
    static RAISED: RefCell<Option<(Interrupt, PyBaseExceptionRef)>> = const { RefCell::new(None) };
}

/// Where the host stores the byte.
pub fn address() -> *const u8 {
    embedder_interrupt::address()
}

/// Lets interrupts raise exceptions from now on.
pub fn install() {
    embedder_interrupt::set_handler(raise);
}

/// Forgets an interrupt that came too late for the last call.
pub fn clear() {
    pending().store(0, Ordering::Relaxed);
    RAISED.take();
}

/// Forgets that memory is short. The host tells again when more is wanted.
pub fn forget_memory() {
    // Nobody else writes meanwhile: there are no threads, and the host writes only while the guest waits for it.
    if pending().load(Ordering::Relaxed) == Interrupt::Memory as u8 {
        pending().store(0, Ordering::Relaxed);
    }
}

/// Which interrupt an uncaught exception stems from, if any.
pub fn cause_of(exception: &Py<PyBaseException>) -> Option<Interrupt> {
    RAISED.with_borrow(|raised| {
        raised
            .as_ref()
            .filter(|(_, known)| known.as_object().is(exception.as_object()))
            .map(|&(kind, _)| kind)
    })
}

fn pending() -> &'static AtomicU8 {
    // SAFETY: the address is that of an `AtomicU8` that lives as long as the module.
    unsafe { &*address().cast::<AtomicU8>() }
}

fn raise(byte: u8, vm: &VirtualMachine) -> PyResult<()> {
    let Some(kind) = Interrupt::from_byte(byte) else {
        return Ok(());
    };
    let types = &vm.ctx.exceptions;
    let exception = match kind {
        Interrupt::Timeout => vm.new_exception_msg(
            types.keyboard_interrupt.to_owned(),
            "time limit reached".into(),
        ),
        Interrupt::Output => vm.new_exception_msg(
            types.keyboard_interrupt.to_owned(),
            "output limit reached".into(),
        ),
        Interrupt::HostCalls => vm.new_exception_msg(
            types.keyboard_interrupt.to_owned(),
            "host call limit reached".into(),
        ),
        Interrupt::Keyboard => vm.new_exception_empty(types.keyboard_interrupt.to_owned()),
        Interrupt::Memory => {
            vm.new_exception_msg(types.memory_error.to_owned(), "memory limit reached".into())
        }
    };
    RAISED.set(Some((kind, exception.clone())));
    Err(exception)
}
