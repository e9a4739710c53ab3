//! Standard input: what the caller supplied, or a clear refusal.

use sandbox_engine::{Limit, Policy, SessionOptions, Stdin};
use sandbox_tests::{Python, describe, within};
use std::io::{self, Read};
use std::time::Duration;

fn with_input(stdin: Stdin) -> Python {
    Python::with_options(&Policy::default(), SessionOptions::default().stdin(stdin))
}

fn bytes(text: &str) -> Python {
    with_input(Stdin::Bytes(text.as_bytes().to_vec()))
}

#[test]
fn reading_without_input_is_refused_with_advice() {
    let mut python = Python::new();
    for code in [
        "input()",
        "input('name? ')",
        "import sys\nsys.stdin.read()",
        "sys.stdin.readline()",
        "for line in sys.stdin: pass",
    ] {
        let result = python.run(code);
        let error = result
            .error
            .clone()
            .unwrap_or_else(|| panic!("{code}: {}", describe(&result)));
        assert_eq!(error.name, "EOFError", "{code}");
        assert!(
            error.message.contains("no input was supplied"),
            "{code}: {}",
            error.message
        );
    }
    assert_eq!(python.value("1 + 1"), "2");
}

#[test]
fn supplied_bytes_are_read_to_their_end() {
    let mut python = bytes("Ann\n42\nlast é line");
    assert_eq!(python.value("input('name? ')"), "'Ann'");
    assert_eq!(python.value("int(input())"), "42");
    assert_eq!(python.value("input()"), "'last é line'");
    assert_eq!(python.error("input()").0, "EOFError");
    assert_eq!(
        bytes("a\nb\n").value("import sys\n[line for line in sys.stdin]"),
        "['a\\n', 'b\\n']"
    );
    assert_eq!(
        bytes("a\nb\n").value("import sys\nsys.stdin.read(), sys.stdin.read()"),
        "('a\\nb\\n', '')"
    );
    assert_eq!(
        with_input(Stdin::Bytes(vec![0xff, 0, 10])).value("import sys\nsys.stdin.buffer.read()"),
        "b'\\xff\\x00\\n'"
    );
    assert_eq!(
        bytes("raw").value("import os\nos.read(0, 10), os.read(0, 10)"),
        "(b'raw', b'')"
    );
    assert_eq!(bytes("").error("input()").0, "EOFError");
}

#[test]
fn a_prompt_is_printed() {
    assert_eq!(bytes("x\n").prints("name = input('name? ')"), "name? ");
}

#[test]
fn much_input_arrives_whole() {
    let text = (0..200_000)
        .map(|number| format!("{number}\n"))
        .collect::<Vec<_>>()
        .concat();
    let code = "import sys\nsum(int(line) for line in sys.stdin)";
    assert_eq!(bytes(&text).value(code), "19999900000");
    assert_eq!(
        with_input(Stdin::Reader(Box::new(io::Cursor::new(text)))).value(code),
        "19999900000"
    );
}

/// Yields a line after a while, then nothing for a long time.
struct Slow(u32);

impl Read for Slow {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0 += 1;
        if self.0 > 1 {
            std::thread::sleep(Duration::from_hours(1));
        }
        std::thread::sleep(Duration::from_millis(100));
        buffer[..5].copy_from_slice(b"late\n");
        Ok(5)
    }
}

#[test]
fn a_reader_is_waited_for_until_the_time_is_up() {
    let options = SessionOptions::default().stdin(Stdin::Reader(Box::new(Slow(0))));
    let mut python = Python::with_options(&within(Duration::from_millis(600)), options);
    assert_eq!(python.value("input()"), "'late'");
    let result = python.run_checking_state("input()");
    assert_eq!(result.limit, Some(Limit::Wall), "{}", describe(&result));
    assert!(
        result.usage.wall < Duration::from_secs(5),
        "{:?}",
        result.usage
    );
}

#[test]
fn programs_read_their_input_and_arguments() {
    let options = SessionOptions::default()
        .stdin(Stdin::Bytes(b"3 4\n".to_vec()))
        .argv(vec!["prog.py".to_owned(), "-x".to_owned(), "é".to_owned()]);
    let result = Python::with_options(&Policy::default(), options)
        .program("import sys\na, b = map(int, input().split())\nprint(a * b, sys.argv)");
    assert_eq!(
        result.stdout.text(),
        "12 ['prog.py', '-x', 'é']\n",
        "{}",
        describe(&result)
    );
}
