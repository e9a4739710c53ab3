//! Starts the interpreter, once, while the module is built.

use rustpython_vm::{
    Interpreter, InterpreterBuilder, PyResult, Settings, VirtualMachine, py_freeze,
};
use sandbox_abi::{Mode, Run};

use crate::session::Session;
use crate::{bridge, cell, compile, display, heap, image, interrupt, output, start};

/// Cells that touch what most sessions touch. Some fail, for errors are common, too.
const WARM_UP: [&str; 8] = [
    "x = 1 + 1",
    "x",
    "x = x + 1",
    "print(end='')",
    "def f(n):\n    return n if n < 2 else f(n - 1) + f(n - 2)\nf(5)",
    "class C:\n    pass\nC()",
    "1 / 0",
    "raise KeyboardInterrupt",
];

/// Starts the interpreter, imports what programs commonly use, and makes everything ready for the snapshot.
///
/// # Panics
/// If it does not come up: the build shall fail then.
pub fn boot() {
    let interpreter = build();
    let session = interpreter.enter(|vm| match prepare(vm) {
        Ok(session) => session,
        Err(exception) => {
            vm.print_exception(&exception);
            panic!("the interpreter cannot be prepared");
        }
    });
    interrupt::install();
    session.keep(interpreter);
}

fn build() -> Interpreter {
    let mut settings = Settings::default();
    // The snapshot holds hash tables, so the order of their keys cannot change from start to start anyway.
    settings.hash_seed = Some(0);
    settings.argv = vec![String::new()];
    settings.install_signal_handlers = false;
    settings.import_site = false;
    settings.user_site_directory = false;
    settings.write_bytecode = false;
    settings.ignore_environment = true;
    settings.utf8_mode = 1;
    settings.stdio_encoding = Some("utf-8".to_owned());
    settings.stdio_errors = Some("strict".to_owned());
    let builder = InterpreterBuilder::new().settings(settings);
    let mut native = rustpython_stdlib::stdlib_module_defs(&builder.ctx);
    native.push(bridge::module_def(&builder.ctx));
    builder
        .add_native_modules(&native)
        .add_frozen_modules(rustpython_pylib::FROZEN_STDLIB)
        .add_frozen_modules(py_freeze!(dir = "../lib"))
        .interpreter()
}

fn prepare(vm: &VirtualMachine) -> PyResult<Session> {
    vm.import("_sandbox_preload", 0)?;
    let bridge = vm.import("_sandbox", 0)?;
    let stdio = vm.import("_sandbox_stdio", 0)?;
    output::install(
        vm,
        stdio.get_attr("open_output", vm)?,
        bridge.get_attr("print", vm)?,
    )?;
    display::prepare(vm);
    let session = Session::new(vm)?;
    warm_up(&session, vm)?;
    image::make_immortal(vm)?;
    // The collection in there emptied the caches; no further one may come before the snapshot.
    vm.state.gc.disable();
    warm_up(&session, vm)?;
    session.prepare_stdin(vm)?;
    compile::prepare_names(vm);
    Ok(session)
}

/// The last steps: what they arrange must not be disturbed before the snapshot is made.
pub fn settle(vm: &VirtualMachine) {
    image::empty_pools(vm, heap::fill_holes());
    vm.state.gc.enable();
}

/// Runs what every session runs, so that its first cell finds caches filled and buffers in place.
fn warm_up(session: &Session, vm: &VirtualMachine) -> PyResult<()> {
    start::begin(session, vm, vec![String::new()], false)?;
    for code in WARM_UP {
        let run = Run {
            code: (*code).to_owned(),
            name: String::new(),
            mode: Mode::Cell,
            stack: session.stack.get(),
        };
        cell::run(session, vm, run);
    }
    vm.import("_sandbox_start", 0)?
        .get_attr("tidy", vm)?
        .call((), vm)?;
    session.forget(vm)
}
