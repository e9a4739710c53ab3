//! The REPL with cells from a pipe.

use crate::binary::{Outcome, feed};

fn repl(cells: &str) -> Outcome {
    feed(["repl"], cells.as_bytes())
}

#[test]
fn cells_share_their_state_and_show_their_values() {
    repl("x = 40\nx + 2\nprint('hi')\nNone\n").quiet(0, "Out[2]: 42\nhi\n");
}

#[test]
fn blocks_end_with_an_empty_line_or_where_the_next_statement_begins() {
    let cells = "def f(n):\n    if n:\n        return 'a'\n    else:\n        return 'b'\nf(1)\nfor i in range(2):\n    print(i)\n\nf(0)";
    let outcome = repl(cells);
    assert_eq!(
        outcome.text(),
        "Out[2]: 'a'\n0\n1\nOut[4]: 'b'\n",
        "{outcome:?}"
    );
}

#[test]
fn many_lines_of_a_value_begin_on_a_line_of_their_own() {
    repl("class T:\n    def __repr__(self): return 'a\\nb'\n\nT()\n").quiet(0, "Out[2]: \na\nb\n");
}

#[test]
fn an_unfinished_line_is_ended_before_the_value() {
    repl("print('x', end='') or 1\n").quiet(0, "x\nOut[1]: 1\n");
}

#[test]
fn an_error_ends_its_cell_and_no_more() {
    let outcome = repl("1 / 0\n2\n");
    assert_eq!((outcome.status, outcome.text()), (Some(0), "Out[2]: 2\n"));
    assert!(
        outcome
            .stderr
            .contains("ZeroDivisionError: division by zero"),
        "{outcome:?}"
    );
}

#[test]
fn commands_are_obeyed() {
    let outcome = repl("x = 1\n%reset\nx\n%nonsense\n%quit\nprint('not reached')\n");
    assert_eq!((outcome.status, outcome.text()), (Some(0), ""));
    assert!(outcome.stderr.contains("NameError"), "{outcome:?}");
    assert!(
        outcome.stderr.contains("unknown command %nonsense"),
        "{outcome:?}"
    );
    assert!(repl("%help\n").text().contains("%reset"));
}

#[test]
fn leaving_takes_a_status_along() {
    repl("quit()\nprint('not reached')\n").quiet(0, "");
    repl("import sys\nsys.exit(3)\n").quiet(3, "");
}

#[test]
fn a_limit_is_told_and_what_became_of_the_state() {
    let outcome = feed(
        ["repl", "--timeout", "200ms"],
        b"x = 1\nwhile True: x += 1\n\nx > 1\n",
    );
    assert_eq!(
        (outcome.status, outcome.text()),
        (Some(0), "Out[3]: True\n"),
        "{outcome:?}"
    );
    assert!(outcome.stderr.contains("--timeout"), "{outcome:?}");
    assert!(outcome.stderr.contains("state was kept"), "{outcome:?}");

    let stubborn = "x = 1\nwhile True:\n    try:\n        while True: x += 1\n    except BaseException: pass\n\nx\n";
    let outcome = feed(["repl", "--timeout", "200ms"], stubborn.as_bytes());
    assert_eq!(
        (outcome.status, outcome.text()),
        (Some(0), "Out[2]: 1\n"),
        "{outcome:?}"
    );
    assert!(
        outcome.stderr.contains("state before this cell"),
        "{outcome:?}"
    );
}

#[test]
fn what_cannot_be_shown_is_named() {
    let cells = "class P:\n    def _repr_png_(self): return b'x' * 3000\n    def __repr__(self): return 'P()'\n\ndisplay({'image/png': 'AAAA'}, raw=True)\nP()\n";
    let outcome = repl(cells);
    assert!(outcome.text().contains("<image/png, 3 B>"), "{outcome:?}");
    assert!(outcome.text().contains("Out[3]: P()"), "{outcome:?}");
}

#[test]
fn input_is_refused_where_cells_come_through_the_same_pipe() {
    let outcome = repl("input()\n1\n");
    assert!(outcome.stderr.contains("EOFError"), "{outcome:?}");
    assert_eq!(outcome.text(), "Out[2]: 1\n");
}
