//! What the code prints.
//!
//! `sys.stdout` and `sys.stderr` are text streams like any other, but `print` and their `write` hand text to
//! the functions here, which leave out the layers below: a small print costs one host call, and lines of both
//! streams arrive in the order in which they were written.

use std::cell::{Cell, OnceCell, RefCell};
use std::fs::File;
use std::io::{self, Write};
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd;

use rustpython_vm::builtins::{PyDictRef, PyStr, PyStrInterned, PyStrRef};
use rustpython_vm::convert::ToPyException;
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{AsObject, PyObject, PyObjectRef, PyResult, VirtualMachine};

/// A line longer than this is passed on in pieces.
const PENDING_BYTES: usize = 8192;

/// One of the two streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    Out,
    Err,
}

impl Stream {
    const BOTH: [Self; 2] = [Self::Out, Self::Err];

    const fn index(self) -> usize {
        match self {
            Self::Out => 0,
            Self::Err => 1,
        }
    }

    const fn descriptor(self) -> i32 {
        match self {
            Self::Out => 1,
            Self::Err => 2,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Out => "stdout",
            Self::Err => "stderr",
        }
    }

    /// What becomes of text that is no UTF-8, as in CPython.
    const fn errors(self) -> &'static str {
        match self {
            Self::Out => "strict",
            Self::Err => "backslashreplace",
        }
    }
}

/// The state of both streams.
struct Streams {
    /// The start of a line on standard output that waits for its end.
    pending: RefCell<Vec<u8>>,
    /// Our stream objects.
    objects: [RefCell<Option<PyObjectRef>>; 2],
    /// Streams that the code closed, or gave another encoding: they work as the library has them.
    plain: [Cell<bool>; 2],
    /// Makes a stream object.
    open: OnceCell<PyObjectRef>,
    /// The library's own `print`.
    print: OnceCell<PyObjectRef>,
    /// The namespace of `sys`, and the streams' names in it.
    sys: OnceCell<(PyDictRef, [&'static PyStrInterned; 2])>,
}

impl Streams {
    /// What `sys` has for a stream.
    fn current(&self, stream: Stream, vm: &VirtualMachine) -> Option<PyObjectRef> {
        let (sys, names) = self.sys.get()?;
        sys.get_item_opt(names[stream.index()], vm).ok().flatten()
    }
}

thread_local! {
    static STREAMS: Streams = const {
        Streams {
            pending: RefCell::new(Vec::new()),
            objects: [RefCell::new(None), RefCell::new(None)],
            plain: [Cell::new(false), Cell::new(false)],
            open: OnceCell::new(),
            print: OnceCell::new(),
            sys: OnceCell::new(),
        }
    };
}

/// Puts our streams and our `print` in place; `open` makes a stream object for a descriptor.
pub fn install(vm: &VirtualMachine, open: PyObjectRef, print: PyObjectRef) -> PyResult<()> {
    STREAMS.with(|streams| -> PyResult<()> {
        let builtin = vm.builtins.get_attr("print", vm)?;
        // All are set once, by the one call while the module is built.
        let _ = streams.open.set(open);
        let _ = streams.print.set(builtin);
        let names = Stream::BOTH.map(|stream| vm.ctx.intern_str(stream.name()));
        let _ = streams.sys.set((vm.sys_module.dict(), names));
        vm.builtins.set_attr("print", print, vm)?;
        for stream in Stream::BOTH {
            renew(streams, stream, vm)?;
        }
        Ok(())
    })
}

/// Makes both streams usable before code runs, whatever earlier code did to them. A redirection stays.
pub fn repair(vm: &VirtualMachine) -> PyResult<()> {
    STREAMS.with(|streams| {
        for stream in Stream::BOTH {
            let usable = match &streams.current(stream, vm) {
                None => false,
                Some(object) if vm.is_none(object) => false,
                Some(object) if is_ours(streams, stream, object) => {
                    !streams.plain[stream.index()].get() || !is_closed(object, vm)
                }
                Some(object) => object.get_attr("write", vm).is_ok() && !is_closed(object, vm),
            };
            if !usable {
                renew(streams, stream, vm)?;
            }
        }
        Ok(())
    })
}

/// Sends off what waits, ours and that of a redirection.
pub fn finish(vm: &VirtualMachine) {
    // Nobody is left to tell about a stream that cannot be written to.
    let _ = flush(vm);
    STREAMS.with(|streams| {
        for stream in Stream::BOTH {
            if let Some(object) = streams.current(stream, vm)
                && !vm.is_none(&object)
                && (!is_ours(streams, stream, &object) || streams.plain[stream.index()].get())
            {
                let _ = vm.call_method(&object, "flush", ());
            }
        }
    });
}

/// Sends off the line that waits.
pub fn flush(vm: &VirtualMachine) -> PyResult<()> {
    STREAMS.with(|streams| {
        let pending = streams.pending.take();
        if pending.is_empty() {
            return Ok(());
        }
        send(Stream::Out, &pending).map_err(|error| error.to_pyexception(vm))
    })
}

/// Hands a stream back to the library: its text takes the long way from now on.
pub fn make_plain(stream: Stream) {
    STREAMS.with(|streams| streams.plain[stream.index()].set(true));
}

/// Writes a string, as `stream.write(text)` does.
pub fn write(stream: Stream, text: &PyObject, vm: &VirtualMachine) -> PyResult<usize> {
    let Some(text) = text.downcast_ref::<PyStr>() else {
        let class = text.class();
        return Err(vm.new_type_error(format!(
            "write() argument must be str, not {}",
            class.name()
        )));
    };
    STREAMS.with(|streams| -> PyResult<()> {
        match text.to_str() {
            Some(utf8) => put(streams, stream, utf8.as_bytes(), vm),
            None => {
                let encoded =
                    vm.call_method(text.as_object(), "encode", ("utf-8", stream.errors()))?;
                encoded.try_bytes_like(vm, |bytes| put(streams, stream, bytes, vm))?
            }
        }
    })?;
    Ok(text.char_len())
}

/// `print`.
pub fn print(args: FuncArgs, vm: &VirtualMachine) -> PyResult<()> {
    STREAMS.with(|streams| {
        let Some(call) = PrintCall::read(streams, &args, vm)? else {
            return match streams.print.get() {
                Some(print) => print.call(args, vm).map(drop),
                None => Err(vm.new_runtime_error("print is not ready yet")),
            };
        };
        let Some(stream) = call.stream else {
            return Ok(());
        };
        // The whole call is one write, so that a line is never torn.
        let mut line = Vec::new();
        let mut separator = "";
        for object in &args.args {
            line.extend_from_slice(separator.as_bytes());
            separator = call
                .separator
                .as_deref()
                .map_or(Ok(" "), |text| utf8(text, vm))?;
            append(stream, &mut line, &object.str(vm)?, vm)?;
        }
        match &call.end {
            None => line.push(b'\n'),
            Some(text) => append(stream, &mut line, text, vm)?,
        }
        put(streams, stream, &line, vm)?;
        if call.flush { flush(vm) } else { Ok(()) }
    })
}

/// What a call of `print` asks for, where it writes to one of our streams.
struct PrintCall {
    /// `None` where `sys.stdout` is `None`: nothing is printed then.
    stream: Option<Stream>,
    separator: Option<PyStrRef>,
    end: Option<PyStrRef>,
    flush: bool,
}

impl PrintCall {
    /// `None` where the library's `print` has to do it.
    fn read(streams: &Streams, args: &FuncArgs, vm: &VirtualMachine) -> PyResult<Option<Self>> {
        let mut call = Self {
            stream: None,
            separator: None,
            end: None,
            flush: false,
        };
        let mut file = None;
        for (name, value) in &args.kwargs {
            match name.as_str().ok() {
                Some("file") => file = (!vm.is_none(value)).then(|| value.clone()),
                Some("flush") => call.flush = value.clone().try_to_bool(vm)?,
                Some("sep") if vm.is_none(value) => {}
                Some("end") if vm.is_none(value) => {}
                Some("sep") => match value.clone().downcast::<PyStr>() {
                    Ok(text) if text.to_str().is_some() => call.separator = Some(text),
                    _ => return Ok(None),
                },
                Some("end") => match value.clone().downcast::<PyStr>() {
                    Ok(text) => call.end = Some(text),
                    Err(_) => return Ok(None),
                },
                _ => return Ok(None),
            }
        }
        let file = match file {
            Some(file) => file,
            None => streams
                .current(Stream::Out, vm)
                .ok_or_else(|| vm.new_runtime_error("lost sys.stdout"))?,
        };
        if vm.is_none(&file) {
            return Ok(Some(call));
        }
        call.stream = Stream::BOTH.into_iter().find(|&stream| {
            is_ours(streams, stream, &file) && !streams.plain[stream.index()].get()
        });
        Ok(call.stream.is_some().then_some(call))
    }
}

fn utf8<'a>(text: &'a PyStr, vm: &VirtualMachine) -> PyResult<&'a str> {
    text.to_str()
        .ok_or_else(|| vm.new_value_error("sep is no valid Unicode"))
}

fn append(
    stream: Stream,
    line: &mut Vec<u8>,
    text: &PyStrRef,
    vm: &VirtualMachine,
) -> PyResult<()> {
    match text.to_str() {
        Some(utf8) => {
            line.extend_from_slice(utf8.as_bytes());
            Ok(())
        }
        None => {
            let encoded = vm.call_method(text.as_object(), "encode", ("utf-8", stream.errors()))?;
            encoded.try_bytes_like(vm, |bytes| line.extend_from_slice(bytes))
        }
    }
}

/// Standard output waits for the end of a line, as on a terminal; standard error does not.
fn put(streams: &Streams, stream: Stream, bytes: &[u8], vm: &VirtualMachine) -> PyResult<()> {
    if bytes.is_empty() {
        return Ok(());
    }
    if stream == Stream::Err {
        flush(vm)?;
        return send(stream, bytes).map_err(|error| error.to_pyexception(vm));
    }
    let mut pending = streams.pending.borrow_mut();
    let ends_line = bytes.contains(&b'\n');
    if pending.is_empty() && ends_line {
        return send(stream, bytes).map_err(|error| error.to_pyexception(vm));
    }
    pending.extend_from_slice(bytes);
    if ends_line || pending.len() >= PENDING_BYTES {
        let whole = std::mem::take(&mut *pending);
        drop(pending);
        return send(stream, &whole).map_err(|error| error.to_pyexception(vm));
    }
    Ok(())
}

fn send(stream: Stream, bytes: &[u8]) -> io::Result<()> {
    // SAFETY: the descriptor is only borrowed; whoever closed it gets an error from the host.
    let mut file = ManuallyDrop::new(unsafe { File::from_raw_fd(stream.descriptor()) });
    file.write_all(bytes)
}

fn renew(streams: &Streams, stream: Stream, vm: &VirtualMachine) -> PyResult<()> {
    let Some(open) = streams.open.get() else {
        return Ok(());
    };
    let object = open.call((stream.descriptor(),), vm)?;
    vm.sys_module.set_attr(stream.name(), object.clone(), vm)?;
    let original = vm.ctx.intern_str(format!("__{}__", stream.name()));
    vm.sys_module.set_attr(original, object.clone(), vm)?;
    streams.objects[stream.index()].replace(Some(object));
    streams.plain[stream.index()].set(false);
    Ok(())
}

fn is_ours(streams: &Streams, stream: Stream, object: &PyObject) -> bool {
    streams.objects[stream.index()]
        .borrow()
        .as_ref()
        .is_some_and(|ours| ours.is(object))
}

/// Whether a file object is closed.
pub fn is_closed(object: &PyObject, vm: &VirtualMachine) -> bool {
    match object.get_attr("closed", vm) {
        Ok(closed) => closed.try_to_bool(vm).unwrap_or(true),
        // A stand-in with no more than a `write`.
        Err(error) => !error.fast_isinstance(vm.ctx.exceptions.attribute_error),
    }
}
