//! The workspace in and out as a tar archive.

use crate::binary::{Outcome, run};
use std::ffi::OsString;
use std::fs;
use std::path::Path;

/// Runs code with `--unpack` or `--pack`, and more.
fn run_with(options: &[(&str, &Path)], words: &[&str]) -> Outcome {
    let options = options
        .iter()
        .flat_map(|(option, path)| [OsString::from(option), path.into()]);
    run(options.chain(words.iter().map(OsString::from)))
}

#[test]
fn a_workspace_is_packed_after_one_run_and_unpacked_before_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("workspace.tar");
    let write =
        "import os; os.mkdir('d'); open('d/\u{fc}', 'w').write('one'); os.utime('d', (5, 5))";
    run_with(&[("--pack", &archive)], &["-c", write]).quiet(0, "");
    // Into the same file, and as a cell.
    let both = [("--unpack", &*archive), ("--pack", &*archive)];
    let change = "import os; print(os.stat('d').st_mtime); open('d/\u{fc}', 'a').write(' two')";
    let outcome = run_with(&both, &["--json", "-c", change]);
    assert!(outcome.text().contains("5.0"), "{outcome:?}");
    let read = "print(open('d/\u{fc}').read())";
    run_with(&[("--unpack", &archive)], &["-c", read]).quiet(0, "one two\n");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_workspace_is_packed_however_the_run_ended() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("workspace.tar");
    let code = "open('f', 'w').write('kept'); import sys; sys.exit(7)";
    run_with(&[("--pack", &archive)], &["-c", code]).quiet(7, "");
    let read = ["-c", "print(open('f').read())"];
    run_with(&[("--unpack", &archive)], &read).quiet(0, "kept\n");
    let code = "open('g', 'w').write('kept')\nwhile True: pass";
    let words = ["--timeout", "300ms", "-c", code];
    run_with(&[("--pack", &archive)], &words).says(124, "--timeout");
    let read = ["-c", "import os; print(os.listdir())"];
    run_with(&[("--unpack", &archive)], &read).quiet(0, "['g']\n");
}

#[test]
fn archives_that_cannot_be_unpacked_or_written_are_wrong_usage() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("none/workspace.tar");
    let print = ["-c", "print('ran')"];
    for option in ["--unpack", "--pack"] {
        let outcome = run_with(&[(option, &missing)], &print);
        outcome.says(2, "none/workspace.tar: No such file");
        assert_eq!(outcome.text(), "");
        let outcome = run_with(&[(option, folder.path())], &print);
        outcome.says(2, "directory");
        assert_eq!(outcome.text(), "");
    }
    let path = folder.path().join("not.tar");
    fs::write(&path, "no archive").unwrap();
    let outcome = run_with(&[("--unpack", &path)], &print);
    outcome.says(2, "not.tar: it was cut off, or is no archive");
    let archive = folder.path().join("large.tar");
    let large = "for n in range(3): open(str(n), 'wb').write(b'x' * 30_000_000)";
    let outcome = run_with(
        &[("--pack", &archive)],
        &["--policy", "permissive", "-c", large],
    );
    outcome.quiet(0, "");
    let outcome = run_with(&[("--unpack", &archive)], &print);
    outcome.says(2, "large.tar: /mnt/data/2: no space left");
}

#[cfg(unix)]
#[test]
fn a_device_is_written_to_and_not_replaced() {
    let device = Path::new("/dev/null");
    run_with(&[("--pack", device)], &["-c", "pass"]).quiet(0, "");
    assert!(!device.metadata().unwrap().is_file());
    let words = ["--pack", "/dev/full", "-c", "print('ran')"];
    if Path::new(words[1]).exists() {
        let outcome = run(words);
        outcome.says(125, "cannot pack the workspace into /dev/full");
        assert_eq!(outcome.text(), "ran\n");
    }
}
