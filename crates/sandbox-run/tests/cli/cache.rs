//! The binary alone on a machine, and the folder that it unpacks to.

use crate::binary::{BINARY, Outcome, command, finish, start};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs the binary with this folder for its cache.
fn with_cache(folder: &Path) -> Outcome {
    let mut command = command();
    command
        .env("SANDBOX_RUN_CACHE", folder)
        .args(["-c", "print(6 * 7)"]);
    finish(command, b"")
}

fn compiled(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "cwasm"));
    files
}

#[test]
fn the_binary_works_alone_with_an_empty_home() {
    let place = tempfile::tempdir().unwrap();
    let home = tempfile::tempdir().unwrap();
    let binary = place.path().join("sandbox-run");
    fs::copy(BINARY, &binary).unwrap();
    for _ in 0..2 {
        let mut command = Command::new(&binary);
        command
            .env_clear()
            .env("HOME", home.path())
            .current_dir(&place)
            .args(["-c", "print(6 * 7)"]);
        let outcome = finish(command, b"");
        assert_eq!(
            (outcome.status, outcome.text()),
            (Some(0), "42\n"),
            "{outcome:?}"
        );
    }
    assert_eq!(
        fs::read_dir(&place).unwrap().count(),
        1,
        "something was left beside the binary"
    );
}

#[test]
fn processes_that_start_at_once_share_an_empty_cache() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let children: Vec<_> = (0..3)
        .map(|_| {
            start(
                command()
                    .env("SANDBOX_RUN_CACHE", &cache)
                    .args(["-c", "print(6 * 7)"]),
            )
        })
        .collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            (output.status.code(), output.stdout.as_slice()),
            (Some(0), &b"42\n"[..]),
            "{output:?}"
        );
    }
    assert_eq!(compiled(&cache).len(), 1);
    let partial = fs::read_dir(&cache).unwrap().filter(|entry| {
        let name = entry.as_ref().unwrap().file_name();
        !name.to_string_lossy().starts_with("python-")
    });
    assert_eq!(partial.count(), 0, "temporary files were left");
}

#[test]
fn a_damaged_cache_is_rebuilt() {
    let folder = tempfile::tempdir().unwrap();
    with_cache(folder.path()).quiet(0, "42\n");
    let [path] = compiled(folder.path()).try_into().unwrap();
    let good = fs::read(&path).unwrap();

    let mut damaged = good.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0xff;
    for bad in [&damaged, &good[..middle], b""] {
        fs::write(&path, bad).unwrap();
        let outcome = with_cache(folder.path());
        assert_eq!(
            (outcome.status, outcome.text()),
            (Some(0), "42\n"),
            "{outcome:?}"
        );
        assert!(fs::read(&path).unwrap() == good, "the file was not rebuilt");
    }
}

#[test]
fn a_folder_that_cannot_be_used_is_our_failure_with_a_next_step() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let outcome = with_cache(&file.path().join("cache"));
    outcome.says(125, "Set SANDBOX_RUN_CACHE");
    assert!(outcome.stderr.starts_with("sandbox-run: "), "{outcome:?}");
}

#[test]
#[cfg(unix)]
fn a_read_only_folder_is_our_failure_with_a_next_step() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(folder.path().join("probe"), "").is_ok() {
        eprintln!("skipped: this user may write to read-only folders");
        return;
    }
    with_cache(folder.path()).says(125, "Set SANDBOX_RUN_CACHE");
}

#[test]
#[cfg(unix)]
fn a_full_disk_is_our_failure_with_a_next_step() {
    let folder = tempfile::tempdir().unwrap();
    // Files may have 1 MiB (2,048 blocks), and the signal that would end the process is ignored.
    let script = format!("trap '' XFSZ; ulimit -f 2048; exec {BINARY} -c 'print(6 * 7)'");
    let mut command = Command::new("sh");
    command
        .env("SANDBOX_RUN_CACHE", folder.path())
        .args(["-c", &script]);
    let outcome = finish(command, b"");
    outcome.says(125, "Set SANDBOX_RUN_CACHE");
    assert_eq!(
        fs::read_dir(&folder).unwrap().count(),
        0,
        "a part of a file was left"
    );
    with_cache(folder.path()).quiet(0, "42\n");
}

#[test]
#[cfg(unix)]
fn a_folder_that_others_can_write_to_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).unwrap();
    let outcome = with_cache(folder.path());
    assert_ne!(outcome.status, Some(0));
    assert!(outcome.stderr.contains("other users"), "{outcome:?}");
}
