//! Policies from the command line: presets, files, and what a policy means.

use crate::binary::{command, finish, run};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Writes a policy file and gives its path as text.
fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn presets_are_listed_with_what_they_are_for() {
    let outcome = run(["policy", "list"]);
    assert_eq!(outcome.status, Some(0), "{outcome:?}");
    let rows: Value = serde_json::from_str(run(["policy", "list", "--json"]).text()).unwrap();
    let names: Vec<_> = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["name"].as_str().unwrap())
        .collect();
    for name in [
        "locked-down",
        "default",
        "data-analysis",
        "deterministic",
        "permissive",
    ] {
        assert!(names.contains(&name), "{name}");
        assert!(
            outcome
                .text()
                .lines()
                .any(|line| line.starts_with(name) && line.len() > 30),
            "{name}"
        );
    }
}

#[test]
fn a_policy_is_shown_as_a_file_that_is_the_same_policy() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "base.toml", "[limits]\nfiles = 77\n");
    let path = write(
        folder.path(),
        "mine.toml",
        "extends = \"base.toml\"\nclock = \"coarse\"\n",
    );
    let shown = run(["policy", "show", &path, "--timeout", "7s", "--env", "A=b"]);
    assert_eq!(
        (shown.status, shown.stderr.as_str()),
        (Some(0), ""),
        "{shown:?}"
    );
    for line in [
        "name = \"mine\"",
        "files = 77",
        "wall = \"7s\"",
        "A = \"b\"",
    ] {
        assert!(shown.text().contains(line), "{line}: {}", shown.text());
    }
    let again = write(folder.path(), "again.toml", shown.text());
    run(["policy", "show", &again]).quiet(0, shown.text());

    let json: Value = serde_json::from_str(run(["policy", "show", "--json"]).text()).unwrap();
    assert_eq!(
        (&json["name"], &json["limits"]["memory"]),
        (&"default".into(), &"256MiB".into())
    );
}

#[test]
fn the_source_of_a_policy_is_shown_with_its_comments() {
    let text = include_str!("../../../../policies/data-analysis.toml");
    run(["policy", "show", "data-analysis", "--source"]).quiet(0, text);
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "mine.toml", "# mine\n");
    run(["policy", "show", "--source", &path]).quiet(0, "# mine\n");
    run(["policy", "show", "--source", "--timeout", "1s"]).says(2, "--timeout");
}

#[test]
fn all_mistakes_of_all_files_are_told_with_their_places() {
    let folder = tempfile::tempdir().unwrap();
    let good = write(folder.path(), "good.toml", "[limits]\nwall = \"1s\"\n");
    let bad = write(
        folder.path(),
        "bad.toml",
        "[limits]\nwal = \"1s\"\nmemory = \"5s\"\n[[mounts]]\nhost = \"gone\"\nguest = \"/x\"\n",
    );
    let outcome = run(["policy", "check", &good, &bad, "default", "nonesuch"]);
    assert_eq!(outcome.status, Some(2), "{outcome:?}");
    assert_eq!(outcome.text(), format!("{good}: ok\ndefault: ok\n"));
    for told in [
        format!("{bad}:2:1: unknown key `wal` in `limits`; did you mean `wall`?"),
        format!("{bad}:3:10: `limits.memory` is \"5s\"; expected a size such as \"256MiB\""),
        format!("{bad}:5:8: `mounts.host`: cannot mount "),
        "there is no preset `nonesuch`".to_owned(),
    ] {
        assert!(outcome.stderr.contains(&told), "{told}\n{}", outcome.stderr);
    }
    run(["policy", "check", &good]).quiet(0, &format!("{good}: ok\n"));
    // Running code tells the same.
    run(["--policy", &bad, "-c", "pass"]).says(2, "bad.toml:2:1");
}

#[test]
fn a_circle_is_told_with_the_files_in_it() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "b.toml", "extends = \"a.toml\"\n");
    let path = write(folder.path(), "a.toml", "extends = \"b.toml\"\n");
    run(["policy", "check", &path]).says(2, "b.toml:1:11: `extends` goes round in a circle");
}

#[test]
fn paths_in_a_file_start_at_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "team/data/in.txt", "found");
    let path = write(
        folder.path(),
        "team/mine.toml",
        "extends = \"data-analysis\"\nworkdir = \"/mnt/in\"\n[[mounts]]\nhost = \"data\"\nguest = \"/mnt/in\"\n",
    );
    run(["--policy", &path, "-c", "print(open('in.txt').read())"]).quiet(0, "found\n");
    // The same where the file is named from its own folder.
    let mut here = command();
    here.current_dir(folder.path().join("team")).args([
        "--policy",
        "mine.toml",
        "-c",
        "print(open('in.txt').read())",
    ]);
    finish(here, b"").quiet(0, "found\n");
}

#[test]
fn explain_names_what_is_granted_and_what_it_may_cost() {
    let folder = tempfile::tempdir().unwrap();
    let host = folder.path().display().to_string();
    let mount = format!("{host}:/mnt/out:rw:5MiB");
    let outcome = run([
        "policy",
        "explain",
        "default",
        "--mount",
        &mount,
        "--timeout",
        "7s",
    ]);
    assert_eq!(outcome.status, Some(0), "{outcome:?}");
    for part in [
        "Code under this policy can:",
        "It cannot:",
        "What an attacker could still cost the host:",
        "for up to 7s",
        "256MiB of memory",
        &format!("change and delete everything below {host}"),
        "reach a network",
        "and add 5MiB and 4096 files and folders to it",
        &format!("for each session 5MiB in {host}"),
    ] {
        assert!(outcome.text().contains(part), "{part}\n{}", outcome.text());
    }
    let shown = run(["policy", "show", "--mount", &mount]);
    assert!(shown.text().contains("quota = \"5MiB\""), "{shown:?}");
    let json: Value = serde_json::from_str(run(["policy", "explain", "--json"]).text()).unwrap();
    assert!(json["cannot"].as_array().unwrap().len() > 3);
    run(["policy", "explain"]).says(0, "");
}

#[test]
fn the_schema_is_json() {
    let schema: Value = serde_json::from_str(run(["policy", "schema"]).text()).unwrap();
    assert_eq!(schema["type"], "object");
    assert!(schema["properties"]["extends"].is_object());
}

#[test]
fn inputs_of_a_data_analysis_are_read_only() {
    let folder = tempfile::tempdir().unwrap();
    let mount = format!("{}:/mnt/in", folder.path().display());
    let policy = ["--policy", "data-analysis", "--mount"];
    let program = ["-c", "open('/mnt/in/x', 'w')"];
    run(policy.iter().chain(&[mount.as_str()]).chain(&program)).says(1, "OSError");
    let writable = format!("{mount}:rw");
    run(policy.iter().chain(&[writable.as_str()]).chain(&program)).says(2, "writable_mounts");
}

#[test]
fn a_deterministic_program_prints_the_same_bytes_in_each_process() {
    let program = "import os, random, tempfile, time, uuid
print(random.random(), uuid.uuid4(), time.time(), {'a', 'b', 'c'}, hash('x'), tempfile.mkstemp()[1], os.urandom(9), object())";
    let [one, other] = [(); 2].map(|()| run(["--policy", "deterministic", "-c", program]));
    assert_eq!((one.status, one.stderr.as_str()), (Some(0), ""), "{one:?}");
    assert_eq!(one.text(), other.text());
    let default = run(["-c", program]);
    assert_ne!(one.text(), default.text());
}
