//! The language and its library, compared with native `CPython`.
//!
//! Every script in `conformance/python` runs as a program in a session of its own. Its standard output has to be
//! that of `CPython`, byte for byte: the file beside it with the extension `out`, which a second test checks against
//! `/usr/bin/python3` where there is one of the version that the files were made with. Lines that are known to
//! differ stand in `conformance/known-differences.toml`, and an entry that differs no longer fails.
//!
//! `UPDATE_EXPECTED=1 cargo test -p sandbox-tests native_python` writes the expected output anew.

use sandbox_tests::{Python, describe};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The interpreter whose behaviour is the reference.
const NATIVE: &str = "/usr/bin/python3";
/// The version whose output the repository holds.
const NATIVE_VERSION: &str = "3.11";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    #[serde(default)]
    difference: Vec<Difference>,
}

/// Output that is known to differ.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Difference {
    /// The script's file name.
    file: String,
    /// Lines of the expected output, from 1. None of them: the script does not run to its end.
    #[serde(default)]
    lines: Vec<usize>,
    /// What is different and why.
    reason: String,
}

#[test]
fn scripts_print_what_cpython_prints() {
    let known = known_differences();
    let mut failures = String::new();
    for script in scripts() {
        let name = file_name(&script);
        let expected = read(&script.with_extension("out"));
        let source = read(&script);
        let result = Python::new().program(&source);
        let printed = result.stdout.text();
        let entries = known.get(&name).map_or(&[][..], Vec::as_slice);
        let report = if entries.iter().any(|entry| entry.lines.is_empty()) {
            (result.is_ok() && printed == expected)
                .then(|| "is listed as different and is not".to_owned())
        } else {
            let listed: Vec<_> = entries
                .iter()
                .flat_map(|entry| &entry.lines)
                .copied()
                .collect();
            let mut report = compare(&expected, &printed, &listed);
            if !result.is_ok() {
                let _ = write!(
                    report.get_or_insert_default(),
                    "\n  ended with {}",
                    describe(&result)
                );
            }
            report
        };
        if let Some(report) = report {
            let _ = writeln!(failures, "{name}: {report}");
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn expected_output_is_that_of_native_python() {
    if !native_is_reference() {
        eprintln!("no {NATIVE} {NATIVE_VERSION} here: the expected output is taken as it is");
        return;
    }
    let update = std::env::var_os("UPDATE_EXPECTED").is_some();
    let mut failures = String::new();
    for script in scripts() {
        let run = Command::new(NATIVE)
            .args(["-I", "-X", "utf8"])
            .arg(&script)
            .output();
        let run = run.unwrap_or_else(|error| panic!("{NATIVE}: {error}"));
        assert!(
            run.status.success(),
            "{}: {}",
            file_name(&script),
            String::from_utf8_lossy(&run.stderr)
        );
        let expected = script.with_extension("out");
        if update {
            fs::write(&expected, &run.stdout)
                .unwrap_or_else(|error| panic!("{}: {error}", expected.display()));
        }
        if let Some(report) = compare(&String::from_utf8_lossy(&run.stdout), &read(&expected), &[])
        {
            let _ = writeln!(failures, "{}: {report}", file_name(&script));
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn the_limitations_page_tells_of_every_known_difference() {
    let scripts: Vec<_> = scripts().iter().map(|script| file_name(script)).collect();
    let page = read(&folder().join("../../docs/limitations.md"));
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    for (name, differences) in known_differences() {
        assert!(scripts.contains(&name), "{name} does not exist");
        for Difference { reason, .. } in differences {
            assert!(
                page.contains(&reason),
                "docs/limitations.md does not say: {reason}"
            );
        }
    }
}

/// What differs outside of the `listed` lines, or listed lines that do not differ.
fn compare(expected: &str, printed: &str, listed: &[usize]) -> Option<String> {
    let expected: Vec<_> = expected.split('\n').collect();
    let printed: Vec<_> = printed.split('\n').collect();
    let mut report = String::new();
    for number in 1..=expected.len().max(printed.len()) {
        let (want, got) = (expected.get(number - 1), printed.get(number - 1));
        match (want == got, listed.contains(&number)) {
            (false, false) => {
                let shown = |line: Option<&&str>| {
                    line.map_or("nothing".to_owned(), |line| format!("{line:?}"))
                };
                let (want, got) = (shown(want), shown(got));
                let _ = write!(
                    report,
                    "\n  line {number}: expected {want}\n  {number:>4}: printed  {got}"
                );
            }
            (true, true) => {
                let _ = write!(
                    report,
                    "\n  line {number} is listed as different and is not"
                );
            }
            _ => {}
        }
    }
    (!report.is_empty()).then_some(report)
}

fn known_differences() -> BTreeMap<String, Vec<Difference>> {
    let text = read(&folder().join("known-differences.toml"));
    let known: Known =
        toml::from_str(&text).unwrap_or_else(|error| panic!("known-differences.toml: {error}"));
    let mut by_file = BTreeMap::<String, Vec<Difference>>::new();
    for difference in known.difference {
        by_file
            .entry(difference.file.clone())
            .or_default()
            .push(difference);
    }
    by_file
}

fn native_is_reference() -> bool {
    let version = Command::new(NATIVE).arg("--version").output();
    version.is_ok_and(|output| {
        String::from_utf8_lossy(&output.stdout).contains(&format!(" {NATIVE_VERSION}."))
    })
}

fn scripts() -> Vec<PathBuf> {
    let folder = folder().join("python");
    let entries =
        fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut scripts: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "py"))
        .collect();
    scripts.sort();
    assert!(!scripts.is_empty(), "no scripts in {}", folder.display());
    scripts
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance")
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
