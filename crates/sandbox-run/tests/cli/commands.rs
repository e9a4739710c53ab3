//! The commands besides running a program.

use crate::binary::{command, finish, run};
use serde_json::Value;

#[test]
fn help_tells_of_every_exit_status_and_variable() {
    let outcome = run(["--help"]);
    assert_eq!((outcome.status, outcome.stderr.as_str()), (Some(0), ""));
    for word in [
        "124",
        "125",
        "130",
        "137",
        "SANDBOX_RUN_CACHE",
        "NO_COLOR",
        "--mount",
        "repl",
        "Examples:",
    ] {
        assert!(outcome.text().contains(word), "{word} is missing");
    }
    assert!(run(["-h"]).text().contains("Exit status"));
    run(["--version"]).quiet(0, concat!("sandbox-run ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn languages_are_listed() {
    let outcome = run(["languages"]);
    assert_eq!(outcome.status, Some(0));
    assert!(
        outcome
            .text()
            .lines()
            .any(|line| line.starts_with("python ") && line.contains("RustPython"))
    );
    let rows: Value = serde_json::from_str(run(["languages", "--json"]).text()).unwrap();
    assert_eq!(
        (&rows[0]["name"], &rows[0]["built_in"]),
        (&"python".into(), &true.into())
    );
    assert!(
        rows[0]["interpreter"]
            .as_str()
            .unwrap()
            .contains("RustPython")
    );
}

#[test]
fn doctor_finds_a_healthy_machine_healthy() {
    let outcome = run(["doctor"]);
    assert_eq!(outcome.status, Some(0), "{outcome:?}");
    for word in [
        "cache",
        "python",
        "sha256",
        "its endless loop was stopped",
        "first cell",
    ] {
        assert!(
            outcome.text().contains(word),
            "{word} is missing: {}",
            outcome.text()
        );
    }
    assert!(!outcome.text().contains("problem"), "{}", outcome.text());
}

#[test]
fn doctor_says_what_to_do_about_a_bad_cache_folder() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut command = command();
    command
        .env("SANDBOX_RUN_CACHE", file.path().join("cache"))
        .arg("doctor");
    let outcome = finish(command, b"");
    assert_eq!(outcome.status, Some(1));
    assert!(outcome.text().contains("problem"), "{outcome:?}");
    assert!(
        outcome.text().contains("Set SANDBOX_RUN_CACHE"),
        "{outcome:?}"
    );
}

#[test]
fn every_shell_has_completions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let outcome = run(["completions", shell]);
        assert_eq!(
            (outcome.status, outcome.stderr.as_str()),
            (Some(0), ""),
            "{shell}"
        );
        assert!(outcome.text().contains("max-output"), "{shell}");
    }
    run(["completions", "tcsh"]).says(2, "bash");
}

#[test]
fn licences_of_what_is_inside_are_printed() {
    let outcome = run(["licenses"]);
    assert_eq!(outcome.status, Some(0), "{outcome:?}");
    for work in [
        "wasmtime",
        "rustpython",
        "PYTHON SOFTWARE FOUNDATION LICENSE",
    ] {
        assert!(outcome.text().contains(work), "{work} is missing");
    }
}
