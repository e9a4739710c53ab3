//! From source text to code objects.

use rustpython_vm::builtins::{PyBaseExceptionRef, PyCode, PyStrRef};
use rustpython_vm::bytecode::CodeFlags;
use rustpython_vm::compiler::{self, CompileOpts, Mode, ast, parser};
use rustpython_vm::{AsObject, PyRef, PyResult, VirtualMachine};

use crate::session::Session;

/// A compiled cell.
pub struct Cell {
    pub code: PyRef<PyCode>,
    /// Whether what the code returns is the cell's value.
    pub has_value: bool,
    /// Whether running the code only makes a coroutine.
    pub is_coroutine: bool,
}

/// Compiles a cell: the last expression is its value, `await` is allowed.
pub fn cell(session: &Session, vm: &VirtualMachine, source: &str, name: &str) -> PyResult<Cell> {
    let has_value = ends_with_value(source);
    let mode = if has_value {
        Mode::BlockExpr
    } else {
        Mode::Exec
    };
    let mut options = vm.compile_opts();
    options.allow_top_level_await = true;
    options.future_features = session.future.get();
    let code = compile(vm, source, mode, name, options)?;
    session
        .future
        .set(session.future.get() | code.flags & CodeFlags::FUTURE_MASK);
    let is_coroutine = code.flags.contains(CodeFlags::COROUTINE);
    Ok(Cell {
        code,
        has_value,
        is_coroutine,
    })
}

/// Compiles a program.
pub fn program(vm: &VirtualMachine, source: &str, name: &str) -> PyResult<PyRef<PyCode>> {
    compile(vm, source, Mode::Exec, name, vm.compile_opts())
}

/// What the guest calls a cell that the host has no name for.
pub fn name(count: u32) -> String {
    format!("<cell {count}>")
}

/// Interns the first cells' names, so that a session need not write to the table of all names for them.
pub fn prepare_names(vm: &VirtualMachine) {
    for count in 1..=256 {
        vm.ctx.intern_str(name(count));
    }
}

/// Lets tracebacks and `inspect` find the source.
pub fn register(session: &Session, vm: &VirtualMachine, source: &str, name: &str) -> PyResult<()> {
    let lines = source
        .split('\n')
        .map(|line| vm.ctx.new_str(format!("{line}\n")).into())
        .collect();
    let name: PyStrRef = vm.ctx.new_str(name);
    let entry = vm.ctx.new_tuple(vec![
        vm.ctx.new_int(source.len()).into(),
        // Without a time: the entry is never checked against a file.
        vm.ctx.none(),
        vm.ctx.new_list(lines).into(),
        name.clone().into(),
    ]);
    session.sources.set_item(name.as_object(), entry.into(), vm)
}

fn compile(
    vm: &VirtualMachine,
    source: &str,
    mode: Mode,
    name: &str,
    options: CompileOpts,
) -> PyResult<PyRef<PyCode>> {
    // The library's way looks twice through the source for literals to warn about before it compiles. Where there
    // can be none, the compiler is asked directly. It stops at anything else to say, which the library then says.
    if !may_have_doubtful_literal(source) {
        let mut stop = |location, _| {
            Err(compiler::codegen::error::CodegenError {
                location: Some(location),
                end_location: None,
                error: compiler::codegen::error::CodegenErrorType::SyntaxError(String::new()),
                source_path: String::new(),
            })
        };
        let compiled = compiler::compile_with_syntax_warning_handler(
            source,
            mode,
            name,
            options.clone(),
            &mut stop,
        );
        if let Ok(code) = compiled {
            return Ok(PyCode::new_ref_from_bytecode(vm, code));
        }
    }
    vm.compile_with_opts(source, mode, name, options)
        .map_err(|error| {
            let exception = error.into_pyexception(vm, Some(source));
            // Where that fails, the message alone has to do.
            let _ = add_line(vm, &exception, source);
            exception
        })
}

/// Gives a `SyntaxError` the line that it is about, where the compiler looked for it in a file.
fn add_line(vm: &VirtualMachine, exception: &PyBaseExceptionRef, source: &str) -> PyResult<()> {
    let exception = exception.as_object();
    if !exception.fast_isinstance(vm.ctx.exceptions.syntax_error)
        || !vm.is_none(&*exception.get_attr("text", vm)?)
    {
        return Ok(());
    }
    let number = exception
        .get_attr("lineno", vm)?
        .try_to_value::<usize>(vm)?;
    if let Some(line) = number
        .checked_sub(1)
        .and_then(|index| source.split('\n').nth(index))
    {
        exception.set_attr("text", vm.ctx.new_str(format!("{line}\n")), vm)?;
    }
    Ok(())
}

/// Whether a string could hold an invalid escape, or a number be run into a keyword.
fn may_have_doubtful_literal(source: &str) -> bool {
    let mut word = None;
    for byte in source.bytes() {
        match (word, byte) {
            (_, b'\\') => return true,
            // A number followed by letters.
            (Some(b'0'..=b'9'), b'a'..=b'z' | b'A'..=b'Z') => return true,
            (None, b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80..) => word = Some(byte),
            (Some(_), b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80..) => {}
            _ => word = None,
        }
    }
    false
}

/// Whether a cell's last statement is an expression that no semicolon follows.
fn ends_with_value(source: &str) -> bool {
    // Only these introduce a statement that the compiler's own mode would take for a value, or silence one.
    if !source.contains([':', ';']) {
        return true;
    }
    let Ok(parsed) = parser::parse(source, parser::ParseOptions::from(parser::Mode::Module)) else {
        return true;
    };
    let silenced = parsed
        .tokens()
        .iter()
        .rev()
        .map(|token| token.kind())
        .find(|kind| {
            !kind.is_trivia()
                && !matches!(
                    kind,
                    compiler::TokenKind::Newline | compiler::TokenKind::EndOfFile
                )
        })
        == Some(compiler::TokenKind::Semi);
    let ast::Mod::Module(module) = parsed.into_syntax() else {
        return false;
    };
    !silenced && matches!(module.body.last(), Some(ast::Stmt::Expr(_)))
}
