//! What is captured of what code writes, however it writes.

use sandbox_engine::{Event, Size, Status};
use sandbox_tests::{Python, describe, policy};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Runs a cell and returns what it wrote to both streams in order, each run of chunks marked `o` or `e`.
fn ordered(python: &mut Python, code: &str) -> String {
    let events = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&events);
    let cell = python
        .session
        .cell(code)
        .on_event(move |event| locked(&sink).push(event));
    let result = cell
        .run_blocking()
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(result.status, Status::Ok, "{}", describe(&result));
    let mut text = String::new();
    let mut last = "";
    for event in locked(&events).iter() {
        let (mark, content) = match event {
            Event::Stdout(bytes) => ("o:", String::from_utf8_lossy(bytes).into_owned()),
            Event::Stderr(bytes) => ("e:", String::from_utf8_lossy(bytes).into_owned()),
            Event::Display(_) => ("d:", String::new()),
            Event::Value(value) => ("v:", value.clone()),
            other => panic!("{other:?}"),
        };
        if mark != last {
            text.push_str(mark);
            last = mark;
        }
        text.push_str(&content);
    }
    text
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn raw_writes_to_descriptors_are_captured() {
    let result =
        Python::new().ok("import os\nos.write(1, b'raw out\\n')\nos.write(2, b'raw err')\nNone");
    assert_eq!(
        (result.stdout.text().as_ref(), result.stderr.text().as_ref()),
        ("raw out\n", "raw err")
    );
    let result = Python::new().ok("with open(1, 'w', closefd=False) as f: f.write('reopened')\nimport sys\nsys.stdout.buffer.write(b'!')\nNone");
    assert_eq!(result.stdout.text(), "reopened!");
}

#[test]
fn a_million_small_prints_are_all_captured() {
    let mut python = Python::with(&policy(|policy| policy.limits.output = Size(16 << 20)));
    let result = python.ok("for i in range(1000000): print(i)");
    let text = result.stdout.text();
    assert_eq!(text.lines().count(), 1_000_000);
    assert!(
        text.lines()
            .enumerate()
            .all(|(number, line)| line.parse() == Ok(number))
    );
    assert_eq!(result.stdout.dropped, 0);
}

#[test]
fn bytes_that_are_no_text_are_kept_as_they_are() {
    let result = Python::new().ok("import os, sys\nos.write(1, b'\\xff\\xfe\\x00a\\x00')\nsys.stdout.buffer.write(bytes(range(256)))\nprint('nul\\0', end='')");
    let mut expected = b"\xff\xfe\x00a\x00".to_vec();
    expected.extend(0..=255);
    expected.extend(b"nul\0");
    assert_eq!(result.stdout.bytes, expected);
    assert!(result.stdout.text().starts_with("\u{fffd}\u{fffd}\0a"));
}

#[test]
fn text_is_utf8() {
    assert_eq!(
        Python::new().prints("print('é😀日本', '\\u0000', sep='|')"),
        "é😀日本|\0\n"
    );
    let mut python = Python::new();
    let (name, _) = python.error("print('\\udc80')");
    assert_eq!(name, "UnicodeEncodeError");
    assert_eq!(python.prints("print('goes on')"), "goes on\n");
}

#[test]
fn both_streams_and_displays_arrive_in_order() {
    let mut python = Python::new();
    python.ok("import os, sys");
    let code = "print('1')\nprint('2', file=sys.stderr)\nprint('3')\nos.write(2, b'4')\nsys.stdout.write('5\\n')\nos.write(1, b'6')\ndisplay('x')\nprint('7', end='')\nsys.stderr.write('8')\n9";
    assert_eq!(
        ordered(&mut python, code),
        "o:1\ne:2\no:3\ne:4o:5\n6d:o:7e:8v:9"
    );
}

#[test]
fn partial_lines_are_flushed_at_the_end_of_a_cell() {
    let mut python = Python::new();
    assert_eq!(python.prints("print('no newline', end='')"), "no newline");
    assert_eq!(
        python.prints("import sys\nsys.stdout.write('abc'); None"),
        "abc"
    );
    assert_eq!(
        python.prints("print('next')"),
        "next\n",
        "nothing of the last cell is left over"
    );
}

#[test]
fn output_before_an_error_is_kept() {
    let result = Python::new().run("print('before', end='')\n1 / 0");
    assert_eq!(
        (result.status, result.stdout.text().as_ref()),
        (Status::Error, "before")
    );
    let result = Python::new().run("print('before exit')\nimport os\nos._exit(3)");
    assert_eq!(
        result.stdout.text(),
        "before exit\n",
        "{}",
        describe(&result)
    );
}

#[test]
fn events_arrive_while_the_code_runs() {
    let mut python = Python::new();
    let times = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&times);
    let cell = python
        .session
        .cell("import time\nprint('early')\ntime.sleep(0.3)\nprint('late')");
    let cell = cell.on_event(move |_| locked(&sink).push(Instant::now()));
    cell.run_blocking()
        .unwrap_or_else(|error| panic!("{error}"));
    let times = locked(&times);
    let (Some(first), Some(last)) = (times.first(), times.last()) else {
        panic!("no event")
    };
    assert!(
        *last - *first >= Duration::from_millis(250),
        "both came at the end"
    );
}

#[test]
fn events_can_take_the_place_of_the_captured_output() {
    let mut python = Python::new();
    let events = Arc::new(Mutex::new(0));
    let sink = Arc::clone(&events);
    let cell = python.session.cell("print('x' * 100)").without_capture();
    let cell = cell.on_event(move |event| {
        if let Event::Stdout(bytes) = event {
            *locked(&sink) += bytes.len();
        }
    });
    let result = cell
        .run_blocking()
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(
        (
            *locked(&events),
            result.stdout.bytes.len(),
            result.usage.output_bytes
        ),
        (101, 0, 101)
    );
}

#[test]
fn replacing_stdout_is_the_codes_own_affair_and_ends_with_the_cell() {
    let mut python = Python::new();
    let code = "import io, sys\nreal, sys.stdout = sys.stdout, io.StringIO()\nprint('hidden')\ntext = sys.stdout.getvalue()\nsys.stdout = real\nprint('seen', text)";
    assert_eq!(python.prints(code), "seen hidden\n\n");
    for tampering in [
        "sys.stdout = None",
        "del sys.stdout",
        "sys.stdout.close()",
        "sys.stdout = sys.stderr = None",
        "sys.stdout = sys.__stdout__ = None",
        "os.close(1)",
        "os.close(1); os.close(2)",
        "os.closerange(0, 10)",
        "sys.stdout.detach()",
        "os.dup2(os.open('file', os.O_CREAT | os.O_RDWR), 1)",
    ] {
        let mut python = Python::new();
        python.ok("import os, sys, io");
        python.run(tampering);
        let result = python.ok("print('still here', end='')\n42");
        assert_eq!(
            result.stdout.text(),
            "still here",
            "after {tampering}: {}",
            describe(&result)
        );
        assert_eq!(result.value.as_deref(), Some("42"), "after {tampering}");
    }
}

#[test]
fn printing_without_a_stream_does_nothing() {
    assert_eq!(
        Python::new().prints("import sys\nsys.stdout = None\nprint('into the void')"),
        ""
    );
}

#[test]
fn logging_and_warnings_go_to_stderr() {
    let result = Python::new()
        .ok("import logging, warnings\nlogging.warning('careful')\nwarnings.warn('old')");
    let text = result.stderr.text();
    assert!(
        text.contains("WARNING:root:careful") && text.contains("UserWarning: old"),
        "{text}"
    );
    assert!(result.stdout.bytes.is_empty());
}
