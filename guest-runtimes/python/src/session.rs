//! The interpreter and what it remembers from cell to cell.

use std::cell::{Cell, OnceCell, RefCell};

use rustpython_vm::builtins::{PyDictRef, PyListRef, PyStrInterned};
use rustpython_vm::bytecode::CodeFlags;
use rustpython_vm::scope::Scope;
use rustpython_vm::{AsObject, Interpreter, PyObjectRef, PyPayload, PyResult, VirtualMachine};

use crate::output;

/// The limit on the stack until the host names one, in bytes.
const STACK: u32 = 2 << 20;

/// Values that `Out` keeps; the oldest go first.
const KEPT_VALUES: usize = 1000;

thread_local! {
    static RUNNING: OnceCell<(Interpreter, Session)> = const { OnceCell::new() };
}

/// Functions of the guest's own Python modules.
pub struct Helpers {
    /// `_sandbox_loop.run_cell(coroutine)`
    pub run_cell: PyObjectRef,
    /// `_sandbox_display.bundle(object, text)`
    pub bundle: PyObjectRef,
    /// `_sandbox_errors.render(exception, filename)`
    pub render: PyObjectRef,
    /// `_sandbox_stdio.open_input(supplied)`
    pub open_input: PyObjectRef,
    /// `_sandbox_start.enter_program(filename)`
    pub enter_program: PyObjectRef,
    /// `_sandbox_query.complete(text, namespace)`
    pub complete: PyObjectRef,
    /// `_sandbox_query.completeness(source)`
    pub completeness: PyObjectRef,
}

impl Helpers {
    pub fn find(vm: &VirtualMachine) -> PyResult<Self> {
        let find =
            |module: &'static str, name: &'static str| vm.import(module, 0)?.get_attr(name, vm);
        Ok(Self {
            run_cell: find("_sandbox_loop", "run_cell")?,
            bundle: find("_sandbox_display", "bundle")?,
            render: find("_sandbox_errors", "render")?,
            open_input: find("_sandbox_stdio", "open_input")?,
            enter_program: find("_sandbox_start", "enter_program")?,
            complete: find("_sandbox_query", "complete")?,
            completeness: find("_sandbox_query", "completeness")?,
        })
    }
}

/// Names that are looked up for every cell.
struct Names {
    builtins: &'static PyStrInterned,
    stdin: &'static PyStrInterned,
}

/// What one session remembers.
pub struct Session {
    /// The namespace of `__main__`.
    pub main: PyDictRef,
    /// `In`: the cells' source, from index 1.
    pub inputs: PyListRef,
    /// `Out`: the cells' values.
    pub outputs: PyDictRef,
    /// `_`, `__` and `___` as we set them last.
    recent: RefCell<[PyObjectRef; 3]>,
    /// Cells run so far.
    pub count: Cell<u32>,
    /// `from __future__` imports of earlier cells.
    pub future: Cell<CodeFlags>,
    /// `linecache.cache`, where tracebacks look for source lines.
    pub sources: PyDictRef,
    /// What `os.environ` holds.
    pub environ: PyDictRef,
    /// Seeds the generator behind `random`'s functions.
    pub reseed: PyObjectRef,
    /// The built-in functions, to put back those that code deletes.
    builtins: PyDictRef,
    /// The namespace of `sys`.
    sys: PyDictRef,
    names: Names,
    /// Our own `sys.stdin`.
    stdin: RefCell<PyObjectRef>,
    /// Standard inputs that nobody used yet: the refusing one, and the real one.
    ready: [RefCell<Option<PyObjectRef>>; 2],
    /// Whether the caller supplied standard input.
    pub stdin_supplied: Cell<bool>,
    /// The session's own limit on the stack, in bytes.
    pub stack: Cell<u32>,
    pub helpers: Helpers,
}

impl Session {
    pub fn new(vm: &VirtualMachine) -> PyResult<Self> {
        let dict = |object: PyObjectRef| {
            object
                .downcast()
                .map_err(|_| vm.new_type_error("a dict is expected"))
        };
        let start = vm.import("_sandbox_start", 0)?;
        Ok(Self {
            main: vm.main_namespace()?,
            inputs: vm.ctx.new_list(Vec::new()),
            outputs: vm.ctx.new_dict(),
            recent: RefCell::new(std::array::from_fn(|_| vm.ctx.none())),
            count: Cell::new(0),
            future: Cell::new(CodeFlags::empty()),
            sources: dict(vm.import("linecache", 0)?.get_attr("cache", vm)?)?,
            environ: dict(start.get_attr("environ", vm)?)?,
            reseed: start.get_attr("reseed", vm)?,
            builtins: vm.builtins.dict().copy().into_ref(&vm.ctx),
            sys: vm.sys_module.dict(),
            names: Names {
                builtins: vm.ctx.intern_str("__builtins__"),
                stdin: vm.ctx.intern_str("stdin"),
            },
            stdin: RefCell::new(vm.ctx.none()),
            ready: [const { RefCell::new(None) }; 2],
            stdin_supplied: Cell::new(false),
            stack: Cell::new(STACK),
            helpers: Helpers::find(vm)?,
        })
    }

    /// Makes this the module's session.
    pub fn keep(self, interpreter: Interpreter) {
        RUNNING.with(|running| {
            // The module is initialised once; a second interpreter would only be dropped.
            let _ = running.set((interpreter, self));
        });
    }

    /// Works with the session, if the module was initialised.
    pub fn enter<R>(work: impl FnOnce(&Self, &VirtualMachine) -> R) -> Option<R> {
        RUNNING.with(|running| {
            let (interpreter, session) = running.get()?;
            Some(interpreter.enter(|vm| work(session, vm)))
        })
    }

    pub fn scope(&self) -> Scope {
        Scope::new(
            Some(rustpython_vm::function::ArgMapping::from_dict_exact(
                self.main.clone(),
            )),
            self.main.clone(),
        )
    }

    /// Makes everything usable that earlier code may have broken: standard streams and built-in functions.
    pub fn repair(&self, vm: &VirtualMachine) -> PyResult<()> {
        let current = vm.builtins.dict();
        if current.__len__() < self.builtins.__len__() {
            for (name, value) in self.builtins.items_vec() {
                if !current.contains_key(&*name, vm) {
                    current.set_item(&*name, value, vm)?;
                }
            }
        }
        let name = self.names.builtins;
        if !matches!(self.main.get_item_opt(name, vm), Ok(Some(module)) if module.is(&vm.builtins))
        {
            self.main.set_item(name, vm.builtins.clone().into(), vm)?;
        }
        // Tracing ends with the cell that began it: a trace function that fails would fail every later cell.
        if vm.use_tracing.get() {
            vm.use_tracing.set(false);
            drop(vm.trace_func.replace(vm.ctx.none()));
            drop(vm.profile_func.replace(vm.ctx.none()));
        }
        output::repair(vm)?;
        let stdin = self.sys.get_item_opt(self.names.stdin, vm).ok().flatten();
        match stdin {
            // Ours makes way when it is closed; see `_Input` in `_sandbox_stdio`.
            Some(stdin) if stdin.is(&*self.stdin.borrow()) => Ok(()),
            Some(stdin) if !vm.is_none(&stdin) && !output::is_closed(&stdin, vm) => Ok(()),
            _ => self.renew_stdin(vm),
        }
    }

    /// Has both kinds of standard input ready, so that a start neither makes one nor finalises another.
    pub fn prepare_stdin(&self, vm: &VirtualMachine) -> PyResult<()> {
        let supplied = self.helpers.open_input.call((true,), vm)?;
        // The one that is there was made for a session without input.
        self.ready[0].replace(Some(self.stdin.borrow().clone()));
        self.ready[1].replace(Some(supplied));
        self.stdin.borrow().make_immortal();
        Ok(())
    }

    /// Gives `sys.stdin` the supplied input, or an object that says that there is none.
    pub fn renew_stdin(&self, vm: &VirtualMachine) -> PyResult<()> {
        let supplied = self.stdin_supplied.get();
        let stdin = match self.ready[usize::from(supplied)].take() {
            Some(stdin) => stdin,
            None => self.helpers.open_input.call((supplied,), vm)?,
        };
        vm.sys_module.set_attr("__stdin__", stdin.clone(), vm)?;
        self.stdin.replace(stdin.clone());
        self.sys.set_item(self.names.stdin, stdin, vm)
    }

    /// Counts a cell and remembers its source.
    pub fn begin_cell(&self, vm: &VirtualMachine, source: PyObjectRef) -> PyResult<u32> {
        let count = self.count.get() + 1;
        self.count.set(count);
        if count == 1 {
            self.inputs.borrow_vec_mut().push(vm.ctx.new_str("").into());
            self.main.set_item("In", self.inputs.clone().into(), vm)?;
            self.main.set_item("Out", self.outputs.clone().into(), vm)?;
            self.publish_recent(vm)?;
        }
        self.inputs.borrow_vec_mut().push(source);
        Ok(count)
    }

    /// Remembers a cell's value in `Out` and, unless the code uses the name itself, in `_`.
    pub fn end_cell(&self, vm: &VirtualMachine, count: u32, value: PyObjectRef) -> PyResult<()> {
        if value.is(&self.outputs) {
            return Ok(());
        }
        self.outputs
            .set_item(vm.ctx.new_int(count).as_object(), value.clone(), vm)?;
        if self.outputs.__len__() > KEPT_VALUES
            && let Some((_, oldest, _)) = self.outputs.next_entry(0)
        {
            self.outputs.del_item(&*oldest, vm)?;
        }
        let ours = self.recent.borrow().iter().zip(NAMES).all(|(known, name)| {
            matches!(self.main.get_item_opt(name, vm), Ok(Some(current)) if current.is(known))
        });
        if ours {
            let mut recent = self.recent.borrow_mut();
            recent.rotate_right(1);
            let forgotten = std::mem::replace(&mut recent[0], value);
            drop(recent);
            self.publish_recent(vm)?;
            // Last, for its destructor may run code.
            drop(forgotten);
        }
        Ok(())
    }

    fn publish_recent(&self, vm: &VirtualMachine) -> PyResult<()> {
        let recent = self.recent.borrow().clone();
        for (name, value) in NAMES.into_iter().zip(recent) {
            self.main.set_item(name, value, vm)?;
        }
        Ok(())
    }

    /// Forgets everything that ran, as far as this side knows.
    pub fn forget(&self, vm: &VirtualMachine) -> PyResult<()> {
        self.inputs.borrow_vec_mut().clear();
        self.outputs.clear();
        self.recent.replace(std::array::from_fn(|_| vm.ctx.none()));
        self.count.set(0);
        self.future.set(CodeFlags::empty());
        self.sources.clear();
        for name in ["In", "Out"].into_iter().chain(NAMES) {
            if self.main.contains_key(name, vm) {
                self.main.del_item(name, vm)?;
            }
        }
        Ok(())
    }
}

const NAMES: [&str; 3] = ["_", "__", "___"];
