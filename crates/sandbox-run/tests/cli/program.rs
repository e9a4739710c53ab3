//! A program behaves as under `python3`.

use crate::binary::{command, feed, run, start};
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

#[test]
fn code_runs_and_echoes_no_value() {
    run(["-c", "print(6 * 7)\n6 * 7"]).quiet(0, "42\n");
}

#[test]
fn the_exit_status_is_the_programs_own() {
    for (code, status) in [
        ("import sys; sys.exit(3)", 3),
        ("import sys; sys.exit()", 0),
        ("import sys; sys.exit(256 + 7)", 7),
        ("import sys; sys.exit(-1)", 255),
        ("import os; os._exit(4)", 4),
        ("quit()", 0),
        ("raise SystemExit(5)", 5),
    ] {
        run(["-c", code]).quiet(status, "");
    }
    let outcome = run(["-c", "import sys; sys.exit('all is lost')"]);
    assert_eq!(
        (outcome.status, outcome.stderr.as_str()),
        (Some(1), "all is lost\n")
    );
}

#[test]
fn an_error_that_nobody_catches_prints_its_traceback_once() {
    let outcome = run(["-c", "def f():\n    1 / 0\nprint('before')\nf()"]);
    outcome.says(1, "File \"<string>\", line 2, in f");
    assert_eq!(outcome.text(), "before\n");
    assert_eq!(
        outcome
            .stderr
            .matches("ZeroDivisionError: division by zero")
            .count(),
        1,
        "{outcome:?}"
    );
    assert!(!outcome.stderr.contains("sandbox-run"), "{outcome:?}");
    run(["-c", "print('x"]).says(1, "SyntaxError");
}

#[test]
fn arguments_are_the_programs() {
    let show = "import sys; print(sys.argv)";
    run(["-c", show, "a", "--json", "é"]).quiet(0, "['-c', 'a', '--json', 'é']\n");
    run(["-c", show, "--", "-x"]).quiet(0, "['-c', '-x']\n");
    feed(["-", "a"], show.as_bytes()).quiet(0, "['-', 'a']\n");
    run(["-c", "print(__name__)"]).quiet(0, "__main__\n");
}

#[test]
fn a_file_is_named_as_it_was_given() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("job.py"),
        "import sys\nprint(sys.argv, __file__, __name__)\n1 / 0\n",
    )
    .unwrap();
    let mut command = command();
    command
        .current_dir(&folder)
        .args(["job.py", "--timeout", "-"]);
    let outcome = crate::binary::finish(command, b"");
    outcome.says(1, "File \"job.py\", line 3");
    assert!(outcome.stderr.contains("1 / 0"), "{outcome:?}");
    assert_eq!(
        outcome.text(),
        "['job.py', '--timeout', '-'] job.py __main__\n"
    );
}

#[test]
fn the_language_is_found_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("job");
    fs::write(&path, "#!/usr/bin/env python3\nprint('found')\n").unwrap();
    run([&path]).quiet(0, "found\n");
    let path = folder.path().join("job.cob");
    fs::write(&path, "print('told')\n").unwrap();
    run([&path]).says(2, "-l");
    let path = path.to_str().unwrap();
    run(["-l", "python", path]).quiet(0, "told\n");
}

#[test]
fn standard_input_is_the_programs() {
    feed(["-c", "print(input(), input())"], b"a\nb\n").quiet(0, "a b\n");
    feed(
        ["-c", "import sys; print(len(sys.stdin.buffer.read()))"],
        &vec![0xff; 300_000],
    )
    .quiet(0, "300000\n");
    run(["-c", "input()"]).says(1, "EOFError");
    // The program itself was all that there was.
    feed(["-"], b"import sys; print(repr(sys.stdin.read()))").quiet(0, "''\n");
}

#[test]
fn output_is_passed_on_whole_and_as_it_is() {
    let outcome = run([
        "-c",
        r"import os; os.write(1, b'\xff\x00\n'); os.write(2, b'e\n')",
    ]);
    assert_eq!(
        (outcome.stdout.as_slice(), outcome.stderr.as_str()),
        (&b"\xff\x00\n"[..], "e\n")
    );
    let outcome = run(["-c", "for _ in range(3000): print('x' * 999)"]);
    assert_eq!(
        (
            outcome.status,
            outcome.stdout.len(),
            outcome.stderr.as_str()
        ),
        (Some(0), 3_000_000, "")
    );
}

#[test]
fn output_comes_while_the_program_runs() {
    let mut child = start(command().args(["-c", "print('ready'); input(); print('done')"]));
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "ready");
    // Only now does the program get what it waits for.
    std::io::Write::write_all(child.stdin.as_mut().unwrap(), b"\n").unwrap();
    assert_eq!(lines.next().unwrap().unwrap(), "done");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_reader_that_leaves_ends_the_program_quietly() {
    let mut child = start(command().args(["-c", "while True: print('y')"]));
    let mut first = [0; 2];
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut first).unwrap();
    drop(stdout);
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (output.status.code(), output.stderr.as_slice()),
        (Some(141), &b""[..])
    );
}

#[test]
#[cfg(target_os = "linux")]
fn output_that_cannot_be_written_is_our_failure() {
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = Command::new(crate::binary::BINARY)
        .env("SANDBOX_RUN_CACHE", crate::binary::cache())
        .args(["-c", "print(1)"])
        .stdout(Stdio::from(full))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(125));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.starts_with("sandbox-run: cannot write to standard output"),
        "{message}"
    );
}

#[test]
fn nothing_of_the_host_is_seen_unless_it_is_given() {
    run([
        "-c",
        "import os; print(sorted(os.environ), os.getcwd(), os.listdir('.'))",
    ])
    .quiet(0, "[] /mnt/data []\n");
    run([
        "--env",
        "A=b=c",
        "--env",
        "E=",
        "-c",
        "import os; print(dict(os.environ))",
    ])
    .quiet(0, "{'A': 'b=c', 'E': ''}\n");
    run(["-c", "open('/etc/passwd')"]).says(1, "FileNotFoundError");
}

#[test]
fn a_mount_is_read_only_unless_it_says_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("in.txt"), "here").unwrap();
    let host = folder.path().display();
    let read = "print(open('in.txt').read())";
    run([
        "--mount",
        &format!("{host}:/work"),
        "--workdir",
        "/work",
        "-c",
        read,
    ])
    .quiet(0, "here\n");
    let write = "open('/work/out.txt', 'w').write('there')";
    run(["--mount", &format!("{host}:/work:ro"), "-c", write]).says(1, "Error");
    assert!(!folder.path().join("out.txt").exists());
    run(["--mount", &format!("{host}:/work:rw"), "-c", write]).quiet(0, "");
    assert_eq!(
        fs::read_to_string(folder.path().join("out.txt")).unwrap(),
        "there"
    );
}
