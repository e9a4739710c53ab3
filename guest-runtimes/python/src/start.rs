//! What the snapshot could not know: arguments, environment, directories, input, entropy.

use std::os::wasi::ffi::OsStrExt;

use rustpython_vm::convert::ToPyException;
use rustpython_vm::{AsObject, PyResult, VirtualMachine};
use sandbox_abi::{Reply, Start};

use crate::session::Session;
use crate::wasi_libc;

/// Makes the session this instance's own.
pub fn start(session: &Session, vm: &VirtualMachine, start: Start) -> Reply {
    wasi_libc::forget_host();
    match apply(session, vm, start) {
        Ok(()) => Reply::Started,
        Err(exception) => {
            let reason = exception.as_object().str(vm).map_or_else(
                |_| "it cannot be told why".to_owned(),
                |text| text.to_string_lossy().into_owned(),
            );
            Reply::Refused(format!("the session cannot start: {reason}"))
        }
    }
}

/// Does something with so much stack. Afterwards the session's own limit holds again.
pub fn with_stack<R>(
    session: &Session,
    vm: &VirtualMachine,
    stack: u32,
    work: impl FnOnce() -> R,
) -> R {
    vm.set_native_stack(stack as usize);
    let result = work();
    vm.set_native_stack(session.stack.get() as usize);
    result
}

fn apply(session: &Session, vm: &VirtualMachine, start: Start) -> PyResult<()> {
    session.stack.set(start.stack);
    vm.set_native_stack(start.stack as usize);
    std::env::set_current_dir(&start.cwd).map_err(|error| error.to_pyexception(vm))?;
    begin(session, vm, start.argv, start.stdin)
}

/// Everything but the directory, which the build of the module does not have.
pub fn begin(
    session: &Session,
    vm: &VirtualMachine,
    argv: Vec<String>,
    stdin: bool,
) -> PyResult<()> {
    let argv = argv
        .into_iter()
        .map(|arg| vm.ctx.new_str(arg).into())
        .collect();
    vm.sys_module.set_attr("argv", vm.ctx.new_list(argv), vm)?;
    session.stdin_supplied.set(stdin);
    session.renew_stdin(vm)?;
    read_environment(session, vm)?;
    // Without a seed: from the system's entropy. `secrets`, `uuid` and `tempfile` ask for theirs when used.
    session.reseed.call((), vm)?;
    Ok(())
}

fn read_environment(session: &Session, vm: &VirtualMachine) -> PyResult<()> {
    session.environ.clear();
    for (name, value) in std::env::vars_os() {
        let name = vm.ctx.new_bytes(name.as_bytes().to_vec());
        let value = vm.ctx.new_bytes(value.as_bytes().to_vec());
        session
            .environ
            .set_item(name.as_object(), value.into(), vm)?;
    }
    Ok(())
}
