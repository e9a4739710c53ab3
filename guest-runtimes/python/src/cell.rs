//! Cells: code that runs as in a notebook.

use rustpython_vm::{PyObjectRef, PyResult, VirtualMachine};
use sandbox_abi::{Outcome, Ran, Run};

use crate::session::Session;
use crate::{compile, display, failure, interrupt, output, reserve};

/// Runs a cell.
pub fn run(session: &Session, vm: &VirtualMachine, run: Run) -> Ran {
    let count = session.count.get() + 1;
    let name = if run.name.is_empty() {
        compile::name(count)
    } else {
        run.name
    };
    let result = evaluate(session, vm, &run.code, &name);
    let (outcome, value) = match result {
        Ok(value) => (Outcome::Ok, value),
        Err(exception) => (failure::outcome(session, vm, &exception, &name), None),
    };
    output::finish(vm);
    Ran {
        outcome,
        value,
        count,
    }
}

/// The text of the cell's value, if it has one.
fn evaluate(
    session: &Session,
    vm: &VirtualMachine,
    source: &str,
    name: &str,
) -> PyResult<Option<String>> {
    let count = session.begin_cell(vm, vm.ctx.new_str(source).into())?;
    session.repair(vm)?;
    compile::register(session, vm, source, name)?;
    let cell = compile::cell(session, vm, source, name)?;
    // What was told of memory while the cell was compiled is not the cell's doing.
    interrupt::forget_memory();
    let value = reserve::closed(|| {
        let value = vm.run_code_obj(cell.code, session.scope())?;
        // Code with an `await` only makes a coroutine.
        if cell.is_coroutine {
            return session.helpers.run_cell.call((value,), vm);
        }
        Ok(value)
    })?;
    if !cell.has_value || vm.is_none(&value) {
        return Ok(None);
    }
    show(session, vm, count, value).map(Some)
}

fn show(
    session: &Session,
    vm: &VirtualMachine,
    count: u32,
    value: PyObjectRef,
) -> PyResult<String> {
    let text = reserve::closed(|| value.repr(vm))?
        .to_string_lossy()
        .into_owned();
    if display::is_rich(&value, vm) {
        display::value(session, vm, value.clone(), &text)?;
    }
    session.end_cell(vm, count, value)?;
    Ok(text)
}
