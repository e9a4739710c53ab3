//! Wrong usage ends with status 2 and a message that says what to do.

use crate::binary::{Outcome, run};
use std::fs;

#[track_caller]
fn refused(outcome: &Outcome, message: &str) {
    outcome.says(2, message);
    assert!(outcome.stderr.starts_with("sandbox-run: "), "{outcome:?}");
    assert!(
        !outcome.stderr.contains('\u{1b}'),
        "colours in a pipe: {outcome:?}"
    );
    assert_eq!(outcome.text(), "");
}

#[test]
fn flags_and_values_that_make_no_sense() {
    refused(&run(["--tiemout", "1s", "-c", "pass"]), "--timeout");
    refused(
        &run(["--timeout", "soon", "-c", "pass"]),
        "`soon` is no duration",
    );
    refused(&run(["--timeout", "0s", "-c", "pass"]), "wall is zero");
    refused(&run(["--memory", "1KiB", "-c", "pass"]), "at least");
    refused(&run(["--memory", "much", "-c", "pass"]), "256MiB");
    refused(
        &run(["--mount", "here", "-c", "pass"]),
        "HOST:GUEST[:ro|rw[:SIZE]]",
    );
    refused(
        &run(["--mount", ".:/x:rw:much", "-c", "pass"]),
        "`much` is no size",
    );
    refused(
        &run(["--mount", "/nowhere-at-all:/x", "-c", "pass"]),
        "/nowhere-at-all",
    );
    refused(&run(["--env", "=x", "-c", "pass"]), "NAME=VALUE");
    refused(
        &run(["--workdir", "relative", "-c", "pass"]),
        "not absolute",
    );
    refused(&run(["-l", "cobol", "-c", "pass"]), "python");
    refused(&run(["--json", "--stream", "-c", "pass"]), "--stream");
    refused(&run(["--json"]), "no program");
    refused(&run(["doctor", "now"]), "now");
}

#[test]
fn without_arguments_there_is_help() {
    let outcome = run::<&str>([]);
    outcome.says(2, "Usage: sandbox-run");
}

#[test]
fn an_unknown_policy_tells_the_known_ones() {
    refused(&run(["--policy", "nonesuch", "-c", "pass"]), "default");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("policy.toml");
    fs::write(&path, "[limits]\nwal = \"1s\"\n").unwrap();
    refused(
        &run(["--policy", path.to_str().unwrap(), "-c", "pass"]),
        "wal",
    );
}

#[test]
fn files_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    refused(&run([folder.path().join("missing.py")]), "missing.py");
    refused(&run([folder.path()]), "cannot read");
    let path = folder.path().join("latin.py");
    fs::write(&path, b"# \xe9\n").unwrap();
    refused(&run([&path]), "not UTF-8 (byte 2)");
    // A command's name after an option is a file's name.
    refused(&run(["--timeout", "1s", "repl"]), "sandbox-run repl");
}

#[test]
#[cfg(unix)]
fn words_that_are_not_text() {
    use std::os::unix::ffi::OsStrExt;
    let odd = std::ffi::OsStr::from_bytes(b"\xff");
    refused(
        &run([std::ffi::OsStr::new("-c"), "pass".as_ref(), odd]),
        "not UTF-8",
    );
    refused(&run([std::ffi::OsStr::new("-c"), odd]), "not UTF-8");
}
