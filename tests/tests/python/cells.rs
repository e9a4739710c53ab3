//! Cells behave as in a notebook: values, displays, `await`, tracebacks.

use sandbox_engine::{Completeness, ExecutionResult, Status};
use sandbox_tests::{Python, describe};

fn traceback(result: &ExecutionResult) -> &str {
    result.error.as_ref().map_or_else(
        || panic!("no error: {}", describe(result)),
        |error| error.traceback.as_str(),
    )
}

#[test]
fn the_last_expression_is_the_value() {
    let mut python = Python::new();
    for (code, value) in [
        ("6 * 7", Some("42")),
        ("'text'", Some("'text'")),
        ("x = 5", None),
        ("x", Some("5")),
        ("x;", None),
        ("x; 6", Some("6")),
        ("x  # comment", Some("5")),
        ("x; # comment", None),
        ("';'", Some("';'")),
        ("None", None),
        ("print('only printed')", None),
        ("for i in range(3): i", None),
        ("if True: 5", None),
        ("def f(): return 1", None),
        ("f()", Some("1")),
        ("(1,\n 2)", Some("(1, 2)")),
        ("[i for i in range(3)]", Some("[0, 1, 2]")),
        ("'''a\nb'''", Some("'a\\nb'")),
        ("x = 1\n\n\nx + 1\n\n", Some("2")),
        ("...", Some("Ellipsis")),
        ("lambda: 0", None),
        ("", None),
        ("   \n# nothing\n", None),
        ("(y := 9)", Some("9")),
        ("assert True", None),
        ("{'a': 1}", Some("{'a': 1}")),
        ("x: int = 3", None),
        ("not x", Some("False")),
    ] {
        let result = python.ok(code);
        if code == "lambda: 0" {
            assert!(
                result
                    .value
                    .is_some_and(|value| value.starts_with("<function <lambda>"))
            );
        } else {
            assert_eq!(result.value.as_deref(), value, "{code:?}");
        }
    }
    assert_eq!(
        python.prints("print('a')\n'value'"),
        "a\n",
        "a value is not printed"
    );
}

#[test]
fn programs_echo_nothing_and_print_their_errors() {
    let mut python = Python::new();
    let result =
        python.program("print(__name__)\n6 * 7\nimport atexit\natexit.register(print, 'at exit')");
    assert_eq!(
        (
            result.status,
            result.value.as_deref(),
            result.stdout.text().as_ref()
        ),
        (Status::Ok, None, "__main__\nat exit\n")
    );
    let result = Python::new().program("def f(): 1 / 0\nf()");
    assert_eq!(result.status, Status::Error);
    let stderr = result.stderr.text();
    assert!(
        stderr.starts_with("Traceback (most recent call last):")
            && stderr.ends_with("ZeroDivisionError: division by zero\n"),
        "{stderr}"
    );
    assert!(
        stderr.contains("line 2, in <module>") && stderr.contains("line 1, in f"),
        "{stderr}"
    );
    let result = Python::new().program("import sys\nprint('a')\nsys.exit(7)");
    assert_eq!(
        (result.status, result.stdout.text().as_ref()),
        (Status::Exited { code: 7 }, "a\n")
    );
    let result = Python::new().program("import sys\nsys.exit('a message')");
    assert_eq!(
        (result.status, result.stderr.text().as_ref()),
        (Status::Exited { code: 1 }, "a message\n")
    );
}

#[test]
fn displayed_objects_are_rich_outputs_in_order() {
    let mut python = Python::new();
    python.ok("class Rich:\n    def _repr_html_(self): return '<b>bold</b>'\n    def _repr_svg_(self): return '<svg/>'\n    def _repr_png_(self): return b'\\x89PNG'\n    def _repr_markdown_(self): return '**bold**'\n    def _repr_json_(self): return {'a': [1, None]}\n    def __repr__(self): return 'plain'\nclass Bundle:\n    def _repr_mimebundle_(self, include=None, exclude=None): return {'text/x-own': 'own', 'text/plain': 'p'}");
    let result = python.ok("display(Rich())\ndisplay('text', 5)\ndisplay(Bundle())\nRich()");
    assert_eq!(result.displays.len(), 5, "{:?}", result.displays);
    let rich = &result.displays[0];
    for (mime, content) in [
        ("text/html", "<b>bold</b>"),
        ("image/svg+xml", "<svg/>"),
        ("image/png", "iVBORw=="),
        ("text/markdown", "**bold**"),
        ("text/plain", "plain"),
    ] {
        assert_eq!(rich.get(mime), Some(content), "{mime}");
    }
    assert_eq!(rich.get("application/json"), Some("{\"a\": [1, null]}"));
    assert_eq!(result.displays[1].get("text/plain"), Some("'text'"));
    assert_eq!(result.displays[3].get("text/x-own"), Some("own"));
    assert!(
        !rich.is_value && result.displays[4].is_value,
        "the value's forms come last"
    );
    assert_eq!(result.value.as_deref(), Some("plain"));
    assert!(
        python.ok("5").displays.is_empty(),
        "a plain value is no rich output"
    );
}

#[test]
fn the_names_of_ipython_display_work() {
    let result = Python::new().ok("from IPython.display import display, HTML, SVG, Markdown, JSON\ndisplay(HTML('<i>h</i>'))\ndisplay(Markdown('# m'))\nSVG('<svg xmlns=\"http://www.w3.org/2000/svg\"/>')");
    assert_eq!(result.displays[0].get("text/html"), Some("<i>h</i>"));
    assert_eq!(result.displays[1].get("text/markdown"), Some("# m"));
    assert!(
        result.displays[2]
            .get("image/svg+xml")
            .is_some_and(|svg| svg.contains("<svg"))
    );
}

#[test]
fn await_works_at_the_top_level() {
    let mut python = Python::new();
    assert_eq!(python.value("import asyncio\nasync def f(x):\n    await asyncio.sleep(0.001)\n    return x * 2\nawait f(21)"), "42");
    assert_eq!(python.value("await asyncio.gather(f(1), f(2))"), "[2, 4]");
    assert_eq!(python.value("x = await f(3)\nx + 1"), "7");
    python.ok("async with asyncio.timeout(1): y = await f(4)");
    assert_eq!(python.value("y"), "8");
    assert_eq!(
        python.value("async def g():\n    for i in range(3): yield i\n[i async for i in g()]"),
        "[0, 1, 2]"
    );
    assert_eq!(python.error("await f(None)").0, "TypeError");
    assert_eq!(python.value("asyncio.run(f(5))"), "10");
    python.ok("task = asyncio.create_task(f(6))\nawait asyncio.sleep(0)");
    assert_eq!(
        python.value("await task"),
        "12",
        "a task goes on in the next cell"
    );
}

#[test]
fn waiting_for_nothing_is_an_error_and_no_hang() {
    let result =
        Python::new().run("import asyncio\nawait asyncio.get_running_loop().create_future()");
    assert!(!result.is_ok(), "{}", describe(&result));
}

#[test]
fn tracebacks_name_the_cell_and_show_the_line() {
    let mut python = Python::new();
    python.ok("def divide(a, b):\n    return a / b");
    let result = python.run("x = 1\ndivide(x, 0)");
    let text = traceback(&result);
    for part in [
        "Traceback (most recent call last):",
        "<cell 2>\", line 2, in <module>",
        "divide(x, 0)",
        "<cell 1>\", line 2, in divide",
        "return a / b",
        "ZeroDivisionError: division by zero",
    ] {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
    assert!(
        !text.contains("_sandbox"),
        "our own frames are left out:\n{text}"
    );
    let result = python
        .session
        .cell("1 / 0")
        .name("analysis.py")
        .run_blocking()
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(
        traceback(&result).contains("analysis.py"),
        "{}",
        traceback(&result)
    );
    let result = python.run("import asyncio\nasync def f(): raise KeyError('k')\nawait f()");
    let text = traceback(&result);
    assert!(
        text.contains("in f") && text.contains("await f()") && !text.contains("_sandbox"),
        "{text}"
    );
}

#[test]
fn errors_carry_their_class_message_and_chain() {
    let mut python = Python::new();
    assert_eq!(
        python.error("class Custom(Exception): pass\nraise Custom('what', 5)"),
        ("Custom".to_owned(), "('what', 5)".to_owned())
    );
    assert_eq!(python.error("raise ValueError").1, "");
    let result = python
        .run("try:\n    {}['k']\nexcept KeyError as e:\n    raise RuntimeError('outer') from e");
    assert!(
        traceback(&result).contains("direct cause") && traceback(&result).contains("KeyError: 'k'")
    );
    let result = python.run("e = ValueError('v')\ne.add_note('a note')\nraise e");
    assert!(traceback(&result).contains("a note"));
    let result = python.run("raise ExceptionGroup('group', [ValueError('a'), KeyError('b')])");
    assert!(
        traceback(&result).contains("ValueError: a")
            && traceback(&result).contains("KeyError: 'b'"),
        "{}",
        traceback(&result)
    );
    assert_eq!(
        python
            .error("class Bad(Exception):\n    def __str__(self): 1 / 0\nraise Bad()")
            .0,
        "Bad"
    );
}

#[test]
fn syntax_errors_show_the_place() {
    let mut python = Python::new();
    let result = python.run("x = 1\ny = (2 +\nz = 3");
    assert_eq!(
        result.error.as_ref().map(|error| error.name.as_str()),
        Some("SyntaxError")
    );
    let result = python.run("a = 1\nb = 2 3\nc = 4");
    let text = traceback(&result);
    assert!(
        text.contains("line 2") && text.contains("b = 2 3") && text.contains('^'),
        "{text}"
    );
    let line = text
        .lines()
        .position(|line| line.contains("b = 2 3"))
        .unwrap_or_default();
    let (source, caret) = (
        text.lines().nth(line).unwrap_or_default(),
        text.lines().nth(line + 1).unwrap_or_default(),
    );
    let (at, start) = (
        caret.find('^').unwrap_or_default(),
        source.find("b =").unwrap_or_default(),
    );
    assert!(
        (start + 4..=start + 6).contains(&at),
        "the caret is at the fault:\n{text}"
    );
    assert_eq!(python.error("if True:\nx").0, "IndentationError");
    assert_eq!(python.error("  x = 1\n y = 2").0, "IndentationError");
    assert_eq!(python.value("'goes on'"), "'goes on'");
}

#[test]
fn completions_and_completeness() {
    let mut python = Python::new();
    python.ok("import math\nlong_name_of_mine = [1]");
    let (from, candidates) = python
        .session
        .complete_blocking("x = long_na", 11)
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(
        (
            from,
            candidates
                .iter()
                .any(|candidate| candidate.contains("long_name_of_mine"))
        ),
        (4, true),
        "{candidates:?}"
    );
    let (_, candidates) = python
        .session
        .complete_blocking("math.flo", 8)
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(
        candidates
            .iter()
            .any(|candidate| candidate.contains("floor")),
        "{candidates:?}"
    );
    for (code, expected) in [
        ("x = 1", Completeness::Complete),
        ("for i in range(3):", Completeness::Incomplete),
        ("for i in range(3):\n    pass\n", Completeness::Complete),
        ("f(1,", Completeness::Incomplete),
        ("'''open", Completeness::Incomplete),
        ("x = = 1", Completeness::Invalid),
        ("", Completeness::Complete),
    ] {
        let answer = python
            .session
            .completeness_blocking(code)
            .unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(answer, expected, "{code:?}");
    }
}

#[test]
fn future_imports_last() {
    let mut python = Python::new();
    python.ok("from __future__ import annotations");
    assert_eq!(
        python.value("def f(x: undefined_name): ...\nf.__annotations__"),
        "{'x': 'undefined_name'}"
    );
}

#[test]
fn source_is_found_by_inspect() {
    assert_eq!(
        Python::new().value("def f():\n    return 1\nimport inspect\ninspect.getsource(f)"),
        "'def f():\\n    return 1\\n'"
    );
}
