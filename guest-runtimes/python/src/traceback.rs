//! Tracebacks of the common kind, as Python's `traceback` module prints them, without running that module: its thousand
//! lines of Python cost a session half a millisecond and half a megabyte. What is not common is left to the module:
//! chained exceptions, groups, syntax errors, suggestions for misspelt names, code that spans lines, other alphabets.
//!
//! The rules for what is underlined are those of PEP 657 and of `StackSummary.format_frame_summary` in Python 3.14.

use std::fmt::Write;

use ruff_text_size::Ranged;
use rustpython_vm::builtins::{PyBaseExceptionRef, PyCode, PyList, PyStr, PyTuple};
use rustpython_vm::compiler::{ast, parser};
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, VirtualMachine};

use crate::session::Session;

/// Longer ones may have lines that are folded.
const MAX_FRAMES: usize = 16;
/// More notes than this may be folded.
const MAX_NOTES: usize = 3;

/// The text for an exception whose `str` is `message`, or `None` where the library has to write it. Frames above the
/// code called `filename` are left out.
pub fn render(
    session: &Session,
    vm: &VirtualMachine,
    exception: &PyBaseExceptionRef,
    message: &str,
    filename: &str,
) -> Option<String> {
    if !is_plain(vm, exception)? {
        return None;
    }
    let mut text = "Traceback (most recent call last):\n".to_owned();
    for (code, index) in frames(exception, filename)? {
        frame(session, vm, &mut text, &code, index)?;
    }
    text.push_str(&class_name(vm, exception.class().as_object())?);
    if !message.is_empty() {
        text.push_str(": ");
        text.push_str(message);
    }
    text.push('\n');
    for note in notes(vm, exception.as_object())? {
        text.push_str(&note);
        text.push('\n');
    }
    Some(text)
}

/// Whether nothing but frames, the exception and notes are to be told.
fn is_plain(vm: &VirtualMachine, exception: &PyBaseExceptionRef) -> Option<bool> {
    let kinds = &vm.ctx.exceptions;
    let is_special = [
        kinds.syntax_error,
        kinds.import_error,
        kinds.name_error,
        kinds.attribute_error,
        kinds.base_exception_group,
    ]
    .into_iter()
    .any(|kind| exception.fast_isinstance(kind));
    let attribute = |name: &'static str| attribute(vm, exception.as_object(), name);
    let is_chained = exception.__cause__().is_some()
        || (exception.__context__().is_some()
            && !attribute("__suppress_context__")??.is(&vm.ctx.true_value));
    let is_limited = self::attribute(vm, vm.sys_module.as_object(), "tracebacklimit")?.is_some();
    Some(!is_special && !is_chained && !is_limited)
}

/// The code of each frame and the index of its instruction, outermost first.
fn frames(
    exception: &PyBaseExceptionRef,
    filename: &str,
) -> Option<Vec<(rustpython_vm::PyRef<PyCode>, usize)>> {
    let mut frames = Vec::new();
    let mut next = exception.__traceback__();
    while let Some(entry) = next {
        if frames.len() == MAX_FRAMES {
            return None;
        }
        // Instructions are two bytes long.
        let index = usize::try_from(entry.lasti).ok()? / 2;
        frames.push((entry.frame.f_code(), index));
        next = entry.next.lock().clone();
    }
    if let Some(first) = frames
        .iter()
        .position(|(code, _)| code.source_path().as_str() == filename)
    {
        frames.drain(..first);
    }
    frames.retain(|(code, _)| !code.source_path().as_str().starts_with("_sandbox"));
    Some(frames)
}

/// Writes one frame: where it is, its line, and what in it is meant.
fn frame(
    session: &Session,
    vm: &VirtualMachine,
    text: &mut String,
    code: &Py<PyCode>,
    index: usize,
) -> Option<()> {
    let (from, to) = *code.code.locations.get(index)?;
    if from.line != to.line {
        return None;
    }
    let filename = code.source_path().as_str();
    let line = source_line(session, vm, filename, from.line.get())?;
    // Writing to a string does not fail.
    let _ = writeln!(
        text,
        "  File \"{filename}\", line {}, in {}",
        from.line, code.code.obj_name
    );
    let is_space = |c: char| c.is_ascii_whitespace();
    let shown = line.trim_end_matches(is_space);
    if shown
        .chars()
        .any(|c| !(c.is_ascii_graphic() || c == ' ' || c == '\t'))
    {
        return None;
    }
    let shown_from = shown.trim_start_matches([' ', '\t']);
    if shown_from.is_empty() {
        return Some(());
    }
    let _ = writeln!(text, "    {shown_from}");
    let indent = shown.len() - shown_from.len();
    let offset = |location: usize| location.saturating_sub(indent).min(shown_from.len());
    let start = offset(from.character_offset.to_zero_indexed());
    let end = offset(to.character_offset.to_zero_indexed());
    // An instruction that stands for no code.
    if start >= end {
        return None;
    }
    if let Some(carets) = carets(shown_from, start, end) {
        let _ = writeln!(text, "    {carets}");
    }
    Some(())
}

/// A line of source that was run, where it is known.
fn source_line(
    session: &Session,
    vm: &VirtualMachine,
    filename: &str,
    number: usize,
) -> Option<String> {
    let entry = session.sources.get_item_opt(filename, vm).ok()??;
    let lines = entry.downcast_ref::<PyTuple>()?.get(2)?;
    let lines = lines.downcast_ref::<PyList>()?.borrow_vec();
    let line = lines.get(number.checked_sub(1)?)?.downcast_ref::<PyStr>()?;
    Some(line.to_str()?.to_owned())
}

/// What goes below a line, of which the part from `start` to `end` failed.
fn carets(line: &str, start: usize, end: usize) -> Option<String> {
    let anchors = line.get(start..end).and_then(anchors);
    if is_one_call(line, start, end) {
        return None;
    }
    let is_part = !line[..start].trim().is_empty() || !line[end..].trim().is_empty();
    if anchors.is_none() && !is_part {
        return None;
    }
    let mark = |column: usize| match anchors {
        _ if column < start => ' ',
        Some((from, to)) if !(start + from..start + to).contains(&column) => '~',
        _ => '^',
    };
    Some((0..end).map(mark).collect())
}

/// The part of an expression that says what it does: an operator, or the brackets of a call or a subscript.
fn anchors(segment: &str) -> Option<(usize, usize)> {
    const BEFORE: &str = "(\n";
    let source = format!("{BEFORE}{segment}\n)");
    let expression = parser::parse_expression(&source).ok()?.into_expr();
    let begin = |part: &ast::Expr| part.start().to_usize().checked_sub(BEFORE.len());
    let end = |part: &ast::Expr| part.end().to_usize().checked_sub(BEFORE.len());
    // The next place that holds what is wanted, unless a comment or the end comes before it.
    let find = |from: usize, wanted: fn(u8) -> bool| {
        let found = segment.bytes().enumerate().skip(from);
        let mut found = found.skip_while(|(_, byte)| !b"\\#".contains(byte) && !wanted(*byte));
        found
            .next()
            .filter(|(_, byte)| !b"\\#".contains(byte))
            .map(|(at, _)| at)
    };
    match &expression {
        ast::Expr::BinOp(operation) => {
            let at = find(end(&operation.left)?, |byte| {
                !byte.is_ascii_whitespace() && byte != b')'
            })?;
            let second = at + 1;
            let is_double = second < begin(&operation.right)?
                && segment
                    .as_bytes()
                    .get(second)
                    .is_some_and(|byte| !byte.is_ascii_whitespace() && !b"\\#".contains(byte));
            Some((at, second + usize::from(is_double)))
        }
        ast::Expr::Subscript(subscript) => Some((
            find(end(&subscript.value)?, |byte| byte == b'[')?,
            end(&expression)?,
        )),
        ast::Expr::Call(call) => Some((
            find(end(&call.func)?, |byte| byte == b'(')?,
            end(&expression)?,
        )),
        _ => None,
    }
}

/// Whether the line only returns or assigns the one call that failed, which needs no underlining.
fn is_one_call(line: &str, start: usize, end: usize) -> bool {
    let Ok(parsed) = parser::parse_module(line) else {
        return false;
    };
    let value = match parsed.suite().first() {
        Some(ast::Stmt::Return(statement)) => match statement.value.as_deref() {
            Some(ast::Expr::Call(call)) if call.func.is_name_expr() => statement.value.as_deref(),
            _ => None,
        },
        Some(ast::Stmt::Assign(statement)) => match statement.targets.as_slice() {
            [target] if target.is_name_expr() && statement.value.is_call_expr() => {
                Some(&*statement.value)
            }
            _ => None,
        },
        _ => None,
    };
    value.is_some_and(|value| value.start().to_usize() == start && value.end().to_usize() == end)
}

/// A class as the last line names it.
fn class_name(vm: &VirtualMachine, class: &PyObject) -> Option<String> {
    let name = string(attribute(vm, class, "__qualname__")??.as_object())?;
    let module = string(attribute(vm, class, "__module__")??.as_object())?;
    Some(match module.as_str() {
        "__main__" | "builtins" => name,
        _ => format!("{module}.{name}"),
    })
}

fn notes(vm: &VirtualMachine, exception: &PyObject) -> Option<Vec<String>> {
    let Some(notes) = attribute(vm, exception, "__notes__")? else {
        return Some(Vec::new());
    };
    let notes = notes.downcast_ref::<PyList>()?.borrow_vec();
    if notes.len() > MAX_NOTES {
        return None;
    }
    notes.iter().map(|note| string(note)).collect()
}

/// An attribute, if there is one; `None` where looking for it failed.
fn attribute(
    vm: &VirtualMachine,
    object: &PyObject,
    name: &'static str,
) -> Option<Option<PyObjectRef>> {
    vm.get_attribute_opt(object, name).ok()
}

fn string(object: &PyObject) -> Option<String> {
    Some(object.downcast_ref::<PyStr>()?.to_str()?.to_owned())
}
