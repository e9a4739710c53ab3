//! Tests of the session's file system.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

#[cfg(unix)]
mod carry;
mod content;
#[cfg(unix)]
mod deeds;
mod entries;
mod host;
#[cfg(unix)]
mod kernel;
#[cfg(unix)]
mod model;
#[cfg(unix)]
mod mount_entries;
#[cfg(unix)]
mod mount_quotas;
#[cfg(unix)]
mod mounts;
mod paths;
mod quotas;
#[cfg(unix)]
mod races;
mod snapshots;
mod tar;
mod tar_hostile;
mod tar_limits;

use super::*;
use crate::policy::Size;

/// The time of everything that happens in these tests, unless time is what is tested.
const NOW: u64 = 1_000;

/// Limits small enough to reach.
fn small() -> Limits {
    Limits {
        workspace: Size(1000),
        file_size: Size(400),
        files: 8,
        path_depth: 6,
        ..Limits::default()
    }
}

fn fresh() -> FileSystem {
    FileSystem::new(&Limits::default(), &[]).unwrap()
}

/// The workspace.
fn base(fs: &FileSystem) -> Node {
    fs.lookup(&FileSystem::root(), b"mnt/data", true).unwrap()
}

fn open(fs: &mut FileSystem, path: &str, options: OpenOptions) -> Result<Node> {
    let base = base(fs);
    fs.open(
        &base,
        path.as_bytes(),
        OpenOptions {
            follow: true,
            ..options
        },
        NOW,
    )
}

/// Opens for reading and writing, and makes the file.
fn create(fs: &mut FileSystem, path: &str) -> Result<Node> {
    open(
        fs,
        path,
        OpenOptions {
            create: true,
            read: true,
            write: true,
            ..OpenOptions::default()
        },
    )
}

/// Makes a file with this content.
fn put(fs: &mut FileSystem, path: &str, content: &[u8]) -> Result<()> {
    let node = create(fs, path)?;
    let written = fs.write_at(&node, 0, content, NOW);
    fs.release(&node);
    assert_eq!(written?, content.len());
    Ok(())
}

fn get(fs: &mut FileSystem, path: &str) -> Result<Vec<u8>> {
    let node = open(
        fs,
        path,
        OpenOptions {
            read: true,
            ..OpenOptions::default()
        },
    )?;
    let mut content = vec![0xff; fs.stat(&node)?.size as usize + 10];
    let n = fs.read_at(&node, 0, &mut content);
    fs.release(&node);
    content.truncate(n?);
    Ok(content)
}

fn mkdir(fs: &mut FileSystem, path: &str) -> Result<()> {
    let base = base(fs);
    fs.create_dir(&base, path.as_bytes(), NOW)
}

fn rmdir(fs: &mut FileSystem, path: &str) -> Result<()> {
    let base = base(fs);
    fs.remove_dir(&base, path.as_bytes(), NOW)
}

fn unlink(fs: &mut FileSystem, path: &str) -> Result<()> {
    let base = base(fs);
    fs.unlink(&base, path.as_bytes(), NOW)
}

fn rename(fs: &mut FileSystem, from: &str, to: &str) -> Result<()> {
    let base = base(fs);
    fs.rename(&base, from.as_bytes(), &base, to.as_bytes(), NOW)
}

fn link(fs: &mut FileSystem, from: &str, to: &str) -> Result<()> {
    let base = base(fs);
    fs.hard_link(&base, from.as_bytes(), false, &base, to.as_bytes(), NOW)
}

fn symlink(fs: &mut FileSystem, target: &str, path: &str) -> Result<()> {
    let base = base(fs);
    fs.symlink(target.as_bytes(), &base, path.as_bytes(), NOW)
}

fn stat(fs: &FileSystem, path: &str) -> Result<Stat> {
    fs.stat_path(&base(fs), path.as_bytes(), true)
}

fn lstat(fs: &FileSystem, path: &str) -> Result<Stat> {
    fs.stat_path(&base(fs), path.as_bytes(), false)
}

/// The names in a folder, without `.` and `..`.
fn names(fs: &FileSystem, path: &str) -> Result<Vec<String>> {
    let entries = fs.read_dir(&fs.lookup(&base(fs), path.as_bytes(), true)?)?;
    Ok(entries
        .iter()
        .skip(2)
        .map(|entry| String::from_utf8_lossy(&entry.name).into_owned())
        .collect())
}
