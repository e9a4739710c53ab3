//! Programs: code that runs as under `python3`.

use rustpython_vm::stdlib::atexit;
use rustpython_vm::{PyResult, VirtualMachine};
use sandbox_abi::{Outcome, Ran, Run};

use crate::session::Session;
use crate::{compile, failure, interrupt, output, reserve};

/// What a program without a file is called.
const UNNAMED: &str = "<string>";

/// Runs a program to its end, exit handlers included.
pub fn run(session: &Session, vm: &VirtualMachine, run: Run) -> Ran {
    let count = session.count.get() + 1;
    session.count.set(count);
    let name = if run.name.is_empty() {
        UNNAMED
    } else {
        &run.name
    };
    let outcome = match execute(session, vm, &run.code, name) {
        Ok(()) => Outcome::Ok,
        Err(exception) => {
            let outcome = failure::outcome(session, vm, &exception, name);
            if matches!(outcome, Outcome::Error(_)) {
                // Through `sys.excepthook`, which the program may have set.
                vm.print_exception(&exception);
            }
            outcome
        }
    };
    atexit::_run_exitfuncs(vm);
    output::finish(vm);
    Ran {
        outcome,
        value: None,
        count,
    }
}

fn execute(session: &Session, vm: &VirtualMachine, source: &str, name: &str) -> PyResult<()> {
    session.repair(vm)?;
    if !name.starts_with('<') {
        session.helpers.enter_program.call((name,), vm)?;
    }
    compile::register(session, vm, source, name)?;
    let code = compile::program(vm, source, name)?;
    interrupt::forget_memory();
    reserve::closed(|| vm.run_code_obj(code, session.scope()).map(drop))
}
