//! The REPL with a person at a terminal.

use crate::binary::command;
use rexpect::reader::Options;
use rexpect::session::{PtySession, spawn_with_options};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Long enough for a slow machine; a test that passes does not wait.
const PATIENCE: u64 = 30_000;

const UP: &str = "\u{1b}[A";

fn repl(term: &str, home: &Path) -> PtySession {
    let mut command = command();
    command
        .env("TERM", term)
        .env("HOME", home)
        .env("NO_COLOR", "1")
        .arg("repl");
    let options = Options::new()
        .timeout_ms(Some(PATIENCE))
        .strip_ansi_escape_codes(true);
    let mut session = spawn_with_options(command, options).unwrap();
    session.exp_string("In [1]: ").unwrap();
    session
}

fn type_line(session: &mut PtySession, line: &str) {
    session.send(line).unwrap();
    session.send("\r").unwrap();
    session.flush().unwrap();
}

fn leave(mut session: PtySession) {
    session.send_control('d').unwrap();
    session.exp_eof().unwrap();
}

#[test]
fn cells_of_several_lines_are_typed_with_indentation() {
    let home = tempfile::tempdir().unwrap();
    let mut session = repl("xterm", home.path());
    type_line(&mut session, "x = 40");
    session.exp_string("In [2]: ").unwrap();
    // The editor indents: the second line is typed without spaces.
    type_line(&mut session, "def f():");
    type_line(&mut session, "return x + 2");
    type_line(&mut session, "");
    session.exp_string("In [3]: ").unwrap();
    type_line(&mut session, "f()");
    session.exp_string("Out[3]: 42").unwrap();
    session.exp_string("In [4]: ").unwrap();
    leave(session);
}

#[test]
fn names_are_completed() {
    let home = tempfile::tempdir().unwrap();
    let mut session = repl("xterm", home.path());
    type_line(&mut session, "import math; unmistakable = 6");
    session.exp_string("In [2]: ").unwrap();
    session.send("unmis\t * 7\r").unwrap();
    session.flush().unwrap();
    session.exp_string("Out[2]: 42").unwrap();
    session.send("math.facto\t(3)\r").unwrap();
    session.flush().unwrap();
    session.exp_string("Out[3]: 6").unwrap();
    session.exp_string("In [4]: ").unwrap();
    leave(session);
}

#[test]
fn history_outlives_the_session_and_belongs_to_the_user_alone() {
    let home = tempfile::tempdir().unwrap();
    let mut session = repl("xterm", home.path());
    type_line(&mut session, "6 * 7");
    session.exp_string("Out[1]: 42").unwrap();
    session.exp_string("In [2]: ").unwrap();
    leave(session);

    let file = home.path().join(".local/share/sandbox-run/history");
    assert!(fs::read_to_string(&file).unwrap().contains("6 * 7"));
    assert_eq!(
        fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o600
    );

    let mut session = repl("xterm", home.path());
    session.send(UP).unwrap();
    type_line(&mut session, " + 1");
    session.exp_string("Out[1]: 43").unwrap();
    session.exp_string("In [2]: ").unwrap();
    leave(session);
}

#[test]
fn ctrl_c_clears_the_line_and_interrupts_the_cell() {
    for term in ["xterm", "dumb"] {
        let home = tempfile::tempdir().unwrap();
        let mut session = repl(term, home.path());
        session.send("nonsense(").unwrap();
        session.flush().unwrap();
        session.send_control('c').unwrap();
        session.exp_string("In [1]: ").unwrap();
        type_line(
            &mut session,
            "x = 1; print('rea' + 'dy'); exec('while True: pass')",
        );
        session.exp_string("ready").unwrap();
        session.send_control('c').unwrap();
        session.exp_string("KeyboardInterrupt").unwrap();
        session.exp_string("In [2]: ").unwrap();
        type_line(&mut session, "x + 41");
        session.exp_string("Out[2]: 42").unwrap();
        session.exp_string("In [3]: ").unwrap();
        leave(session);
    }
}

#[test]
fn a_second_ctrl_c_stops_a_cell_that_catches_the_first() {
    let home = tempfile::tempdir().unwrap();
    let mut session = repl("dumb", home.path());
    for line in [
        "x = 1",
        "while True:",
        "  try:",
        "    print('rea' + 'dy'); x = 2",
        "    while True: pass",
    ] {
        type_line(&mut session, line);
    }
    for line in ["  except KeyboardInterrupt: print('cau' + 'ght')", ""] {
        type_line(&mut session, line);
    }
    session.exp_string("ready").unwrap();
    session.send_control('c').unwrap();
    session.exp_string("caught").unwrap();
    session.send_control('c').unwrap();
    session.exp_string("Interrupted").unwrap();
    session.exp_string("In [2]: ").unwrap();
    type_line(&mut session, "x");
    session.exp_string("Out[2]: 1").unwrap();
    session.exp_string("In [3]: ").unwrap();
    leave(session);
}

#[test]
fn input_asks_the_person() {
    for term in ["xterm", "dumb"] {
        let home = tempfile::tempdir().unwrap();
        let mut session = repl(term, home.path());
        type_line(&mut session, "name = input('Who? ')");
        session.exp_string("Who? ").unwrap();
        // A cell reads in the terminal's own line mode, which ends lines its own way.
        session.send_line("Ada").unwrap();
        session.exp_string("In [2]: ").unwrap();
        type_line(&mut session, "name * 2");
        session.exp_string("Out[2]: 'AdaAda'").unwrap();
        session.exp_string("In [3]: ").unwrap();
        leave(session);
    }
}

#[test]
fn a_dumb_terminal_gets_plain_lines() {
    let home = tempfile::tempdir().unwrap();
    let mut session = repl("dumb", home.path());
    type_line(&mut session, "def f():");
    session.exp_string("   ...: ").unwrap();
    type_line(&mut session, "    return 42");
    session.exp_string("   ...: ").unwrap();
    type_line(&mut session, "");
    session.exp_string("In [2]: ").unwrap();
    type_line(&mut session, "f()");
    session.exp_string("Out[2]: 42").unwrap();
    session.exp_string("In [3]: ").unwrap();
    leave(session);
}
