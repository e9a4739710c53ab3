//! Ctrl-C.

use crate::binary::{command, start};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader};
use std::process::{Child, Output};

/// Starts a program and returns once it has printed `ready`.
fn running(code: &str) -> (Child, BufReader<std::process::ChildStdout>) {
    let mut child = start(command().args(["--timeout", "2m", "-c", code]));
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    line(&mut stdout, "ready\n");
    (child, stdout)
}

fn line(stdout: &mut impl BufRead, expected: &str) {
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    assert_eq!(line, expected);
}

fn press(child: &Child) {
    kill_process(Pid::from_child(child), Signal::INT).unwrap();
}

fn end(child: Child) -> (Option<i32>, String) {
    let Output { status, stderr, .. } = child.wait_with_output().unwrap();
    (status.code(), String::from_utf8(stderr).unwrap())
}

#[test]
fn the_first_interrupts_the_program() {
    for wait in [
        "while True: pass",
        "import time; time.sleep(3600)",
        "input()",
    ] {
        let (mut child, _stdout) = running(&format!("print('ready')\n{wait}"));
        let stdin = child.stdin.take();
        press(&child);
        let (status, stderr) = end(child);
        drop(stdin);
        assert_eq!(status, Some(130), "{wait}: {stderr}");
        assert!(stderr.contains("KeyboardInterrupt"), "{wait}: {stderr}");
    }
}

#[test]
fn the_program_may_catch_it() {
    let code = "try:\n    print('ready')\n    while True: pass\nexcept KeyboardInterrupt:\n    print('caught')";
    let (child, mut stdout) = running(code);
    press(&child);
    line(&mut stdout, "caught\n");
    assert_eq!(end(child), (Some(0), String::new()));
}

#[test]
fn the_second_ends_the_process() {
    let code = "while True:\n    try:\n        print('ready')\n        while True: pass\n    except KeyboardInterrupt:\n        print('caught')";
    let (child, mut stdout) = running(code);
    press(&child);
    line(&mut stdout, "caught\n");
    press(&child);
    assert_eq!(end(child), (Some(130), String::new()));
}
