//! What the host learns about an exception that nobody caught.

use rustpython_vm::builtins::{PyBaseException, PyBaseExceptionRef, PyStr};
use rustpython_vm::{AsObject, Py, VirtualMachine};
use sandbox_abi::{GuestError, Outcome};

use crate::interrupt;
use crate::session::Session;
use crate::traceback;

/// How code ended that raised `exception`; `filename` is what its source is called.
pub fn outcome(
    session: &Session,
    vm: &VirtualMachine,
    exception: &PyBaseExceptionRef,
    filename: &str,
) -> Outcome {
    if exception.fast_isinstance(vm.ctx.exceptions.system_exit) {
        return Outcome::Exit(exit_status(vm, exception));
    }
    Outcome::Error(error(session, vm, exception, filename))
}

/// The exception in the host's words.
pub fn error(
    session: &Session,
    vm: &VirtualMachine,
    exception: &PyBaseExceptionRef,
    filename: &str,
) -> GuestError {
    let interrupted = interrupt::cause_of(exception);
    let message = message(vm, exception);
    let traceback = traceback::render(session, vm, exception, &message, filename)
        .unwrap_or_else(|| by_library(session, vm, exception, filename));
    GuestError {
        name: exception.class().name().to_string(),
        message,
        traceback,
        interrupted,
    }
}

fn message(vm: &VirtualMachine, exception: &Py<PyBaseException>) -> String {
    exception.as_object().str(vm).map_or_else(
        |_| "<exception str() failed>".to_owned(),
        |text| text.to_string_lossy().into_owned(),
    )
}

/// As Python's own `traceback` prints it, or without its help where the code has broken it.
fn by_library(
    session: &Session,
    vm: &VirtualMachine,
    exception: &PyBaseExceptionRef,
    filename: &str,
) -> String {
    let rendered = session
        .helpers
        .render
        .call((exception.clone(), filename), vm);
    if let Ok(text) = rendered
        && let Some(text) = text.downcast_ref::<PyStr>()
    {
        return text.to_string_lossy().into_owned();
    }
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = vm.write_exception(&mut text, exception);
    text
}

/// Python's rules for `SystemExit`: nothing is 0, a number is itself, anything else is printed and 1.
fn exit_status(vm: &VirtualMachine, exception: &PyBaseExceptionRef) -> i32 {
    // The library's function knows them, and prints.
    vm.handle_exit_exception(exception.clone()).cast_signed()
}
