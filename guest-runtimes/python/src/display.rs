//! Rich outputs: objects in the forms that they offer, handed to the host as events.

use rustpython_vm::builtins::{PyStr, PyTuple};
use rustpython_vm::{PyObject, PyObjectRef, PyResult, VirtualMachine};
use sandbox_abi::{Display, EVENT_DISPLAY, EVENT_VALUE, encode};

use crate::output;
use crate::session::Session;

/// The methods by which an object offers more than text.
const METHODS: [&str; 8] = [
    "_repr_mimebundle_",
    "_repr_html_",
    "_repr_svg_",
    "_repr_png_",
    "_repr_jpeg_",
    "_repr_markdown_",
    "_repr_latex_",
    "_repr_json_",
];

#[link(wasm_import_module = "sandbox")]
unsafe extern "C" {
    fn event(kind: u32, data: *const u8, len: u32) -> u32;
}

/// Whether the object's class offers more than text. Instances are not asked: many answer to every name.
pub fn is_rich(object: &PyObject, vm: &VirtualMachine) -> bool {
    let class = object.class();
    METHODS.iter().any(|name| {
        vm.ctx
            .interned_str(*name)
            .is_some_and(|name| class.get_attr(name).is_some())
    })
}

/// Makes [`is_rich`] know the methods' names.
pub fn prepare(vm: &VirtualMachine) {
    for name in METHODS {
        vm.ctx.intern_str(name);
    }
}

/// Sends the rich forms of a cell's value.
pub fn value(
    session: &Session,
    vm: &VirtualMachine,
    object: PyObjectRef,
    text: &str,
) -> PyResult<()> {
    let forms = session.helpers.bundle.call((object, text), vm)?;
    let data = forms_from(&forms, vm)?;
    if data.iter().any(|(kind, _)| kind != "text/plain") {
        send(EVENT_VALUE, data, vm)?;
    }
    Ok(())
}

/// Sends a displayed object; `forms` is a list of pairs of MIME type and text.
pub fn display(forms: &PyObject, vm: &VirtualMachine) -> PyResult<()> {
    send(EVENT_DISPLAY, forms_from(forms, vm)?, vm)
}

fn forms_from(forms: &PyObject, vm: &VirtualMachine) -> PyResult<Vec<(String, String)>> {
    vm.extract_elements_with(forms, |pair| {
        let pair = pair.downcast_ref::<PyTuple>().map(|pair| pair.as_slice());
        match pair {
            Some([kind, content]) => Ok((text_of(kind, vm)?, text_of(content, vm)?)),
            _ => Err(vm.new_type_error("a form is a pair of MIME type and text")),
        }
    })
}

fn text_of(object: &PyObject, vm: &VirtualMachine) -> PyResult<String> {
    match object.downcast_ref::<PyStr>() {
        Some(text) => Ok(text.to_string_lossy().into_owned()),
        None => Err(vm.new_type_error("a form's MIME type and content are strings")),
    }
}

fn send(kind: u32, data: Vec<(String, String)>, vm: &VirtualMachine) -> PyResult<()> {
    // What was printed before comes before.
    output::flush(vm)?;
    let bytes = encode(&Display { data });
    let len =
        u32::try_from(bytes.len()).map_err(|_| vm.new_overflow_error("the output is too large"))?;
    // SAFETY: the host reads `len` bytes at the address and keeps no reference.
    unsafe { event(kind, bytes.as_ptr(), len) };
    Ok(())
}
