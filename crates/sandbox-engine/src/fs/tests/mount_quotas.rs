//! Quotas hold in writable mounts: what the session adds counts, what the host has there does not.

use super::mounts::mounted;
use super::*;
use proptest::prelude::*;
use std::path::Path;
use tempfile::TempDir;

/// A host folder with a file of 300 bytes and a folder in it.
fn host() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("theirs")).unwrap();
    std::fs::write(dir.path().join("theirs/file"), [7; 300]).unwrap();
    dir
}

/// Mounted as `/m`: 1,000 bytes may be added, 400 to a file, in 8 names.
fn limited(dir: &TempDir) -> FileSystem {
    FileSystem::new(&small(), &[mounted(dir.path(), "/m", true)]).unwrap()
}

/// Bytes and names that were added to a mount.
fn used(fs: &FileSystem, mount: usize) -> (u64, u64) {
    fs.mounts[mount].account.used()
}

fn truncate(fs: &mut FileSystem, path: &str) -> Result<Node> {
    let how = OpenOptions {
        truncate: true,
        write: true,
        ..OpenOptions::default()
    };
    open(fs, path, how)
}

#[test]
fn a_mount_may_grow_by_its_quota_and_no_more() {
    let dir = host();
    let mut fs = limited(&dir);
    let file = create(&mut fs, "/m/a").unwrap();
    assert_eq!(fs.write_at(&file, 0, &[1; 500], NOW), Ok(400));
    assert_eq!(fs.write_at(&file, 400, b"x", NOW), Err(Errno::Fbig));
    assert_eq!(fs.set_size(&file, 401, NOW), Err(Errno::Fbig));
    assert_eq!(fs.write_at(&file, 0, &[2; 400], NOW), Ok(400));
    put(&mut fs, "/m/b", &[1; 400]).unwrap();
    let last = create(&mut fs, "/m/c").unwrap();
    assert_eq!(fs.set_size(&last, 201, NOW), Err(Errno::Nospc));
    assert_eq!(fs.append(&last, &[1; 300], NOW), Ok((200, 200)));
    assert_eq!(fs.append(&last, b"x", NOW), Err(Errno::Nospc));
    assert_eq!(fs.write_at(&last, 300, b"x", NOW), Err(Errno::Nospc));
    assert_eq!(
        fs.write_at(&last, 100, &[3; 200], NOW),
        Ok(100),
        "replacing needs no room"
    );
    assert_eq!(used(&fs, 0), (1000, 3));
    assert_eq!(dir.path().join("c").metadata().unwrap().len(), 200);
    // The session's own files have their own quota.
    put(&mut fs, "own", &[1; 400]).unwrap();
    fs.set_size(&file, 0, NOW).unwrap();
    assert_eq!(used(&fs, 0), (600, 3));
    assert_eq!(fs.append(&last, &[1; 100], NOW), Ok((100, 300)));
}

#[test]
fn holes_count_like_bytes() {
    let dir = host();
    let mut fs = limited(&dir);
    for name in ["/m/a", "/m/b"] {
        let file = create(&mut fs, name).unwrap();
        assert_eq!(fs.write_at(&file, 399, b"xy", NOW), Ok(1));
    }
    let file = create(&mut fs, "/m/c").unwrap();
    assert_eq!(fs.write_at(&file, 201, b"x", NOW), Err(Errno::Nospc));
    assert_eq!(fs.write_at(&file, 199, b"xy", NOW), Ok(1));
    assert_eq!(used(&fs, 0), (1000, 3));
}

#[test]
fn a_policy_says_how_much_and_by_default_it_is_the_workspaces_size() {
    let dir = host();
    for (quota, room) in [
        (None, 1000),
        (Some(50), 50),
        (Some(1100), 1100),
        (Some(0), 0),
    ] {
        let mut mount = mounted(dir.path(), "/m", true);
        mount.quota = quota.map(Size);
        let mut fs = FileSystem::new(&small(), &[mount]).unwrap();
        let mut total = 0;
        for name in ["/m/a", "/m/b", "/m/c"] {
            let file = create(&mut fs, name).unwrap();
            total += fs.write_at(&file, 0, &[1; 400], NOW).unwrap_or(0);
        }
        assert_eq!(total, room, "{quota:?}");
        for name in ["/m/a", "/m/b", "/m/c"] {
            unlink(&mut fs, name).unwrap();
        }
    }
}

#[test]
fn what_the_session_takes_away_of_its_own_comes_back_and_of_the_hosts_does_not() {
    let dir = host();
    let mut fs = limited(&dir);
    put(&mut fs, "/m/a", &[1; 400]).unwrap();
    put(&mut fs, "/m/theirs/file", &[1; 400]).unwrap();
    assert_eq!(used(&fs, 0), (500, 1), "300 bytes were there");
    truncate(&mut fs, "/m/theirs/file").unwrap();
    assert_eq!(used(&fs, 0), (400, 1));
    // The host's own size can be put back; nothing else is paid with it.
    put(&mut fs, "/m/b", &[1; 400]).unwrap();
    put(&mut fs, "/m/c", &[1; 200]).unwrap();
    let theirs = create(&mut fs, "/m/theirs/file").unwrap();
    assert_eq!(fs.write_at(&theirs, 0, &[1; 400], NOW), Ok(300));
    assert_eq!(fs.append(&theirs, b"x", NOW), Err(Errno::Nospc));
    fs.release(&theirs);
    drop(theirs);
    assert_eq!(used(&fs, 0), (1000, 3));
    unlink(&mut fs, "/m/theirs/file").unwrap();
    rmdir(&mut fs, "/m/theirs").unwrap();
    assert_eq!(used(&fs, 0), (1000, 3));
    let none = create(&mut fs, "/m/d").unwrap();
    assert_eq!(fs.append(&none, b"x", NOW), Err(Errno::Nospc));
    drop(none);
    for name in ["/m/a", "/m/b", "/m/c", "/m/d"] {
        unlink(&mut fs, name).unwrap();
    }
    assert_eq!(used(&fs, 0), (0, 0));
    assert_eq!(fs.host_bytes(), fresh_like(&dir).host_bytes());
}

fn fresh_like(dir: &TempDir) -> FileSystem {
    limited(dir)
}

#[test]
fn a_file_counts_until_its_last_name_and_its_last_descriptor_are_gone() {
    let dir = host();
    let mut fs = limited(&dir);
    let file = create(&mut fs, "/m/a").unwrap();
    fs.append(&file, &[1; 400], NOW).unwrap();
    link(&mut fs, "/m/a", "/m/b").unwrap();
    assert_eq!(used(&fs, 0), (400, 2));
    unlink(&mut fs, "/m/a").unwrap();
    assert_eq!(used(&fs, 0), (400, 1));
    unlink(&mut fs, "/m/b").unwrap();
    assert_eq!(used(&fs, 0), (400, 0), "it is still open");
    // A snapshot holds it, too: it may be gone back to.
    let mut descriptors = vec![file];
    let snapshot = descriptors.clone();
    descriptors.clear();
    assert_eq!(used(&fs, 0), (400, 0));
    drop(snapshot);
    assert_eq!(used(&fs, 0), (0, 0));
}

#[test]
fn open_files_without_names_do_not_get_around_the_quota() {
    let dir = host();
    let mut fs = limited(&dir);
    let mut open = Vec::new();
    let mut total = 0;
    for _ in 0..20 {
        let file = create(&mut fs, "/m/a").unwrap();
        total += fs.append(&file, &[1; 400], NOW).map_or(0, |(n, _)| n);
        unlink(&mut fs, "/m/a").unwrap();
        open.push(file);
    }
    assert_eq!(total, 1000);
}

#[test]
fn replacing_a_file_gives_back_what_was_there() {
    let dir = host();
    let mut fs = limited(&dir);
    put(&mut fs, "/m/a", &[1; 400]).unwrap();
    put(&mut fs, "/m/b", &[1; 300]).unwrap();
    rename(&mut fs, "/m/a", "/m/b").unwrap();
    assert_eq!(used(&fs, 0), (400, 1));
    rename(&mut fs, "/m/b", "/m/theirs/file").unwrap();
    assert_eq!(used(&fs, 0), (400, 1), "the host's file earns nothing");
    link(&mut fs, "/m/theirs/file", "/m/theirs/more").unwrap();
    rename(&mut fs, "/m/theirs/more", "/m/theirs/file").unwrap();
    assert_eq!(used(&fs, 0), (400, 2), "two names of one file stay");
    mkdir(&mut fs, "/m/d").unwrap();
    mkdir(&mut fs, "/m/e").unwrap();
    rename(&mut fs, "/m/d", "/m/e").unwrap();
    assert_eq!(used(&fs, 0), (400, 3));
}

#[test]
fn names_of_every_kind_count() {
    let dir = host();
    let mut fs = limited(&dir);
    for name in ["/m/a", "/m/b", "/m/c"] {
        put(&mut fs, name, b"").unwrap();
    }
    for name in ["/m/d", "/m/e"] {
        mkdir(&mut fs, name).unwrap();
    }
    symlink(&mut fs, "a", "/m/l").unwrap();
    link(&mut fs, "/m/a", "/m/h").unwrap();
    link(&mut fs, "/m/theirs/file", "/m/theirs/h").unwrap();
    assert_eq!(used(&fs, 0), (0, 8));
    assert_eq!(put(&mut fs, "/m/x", b""), Err(Errno::Dquot));
    assert_eq!(mkdir(&mut fs, "/m/x"), Err(Errno::Dquot));
    assert_eq!(symlink(&mut fs, "a", "/m/x"), Err(Errno::Dquot));
    assert_eq!(link(&mut fs, "/m/a", "/m/x"), Err(Errno::Dquot));
    assert_eq!(put(&mut fs, "/m/a", b"x"), Ok(()), "it is there");
    assert_eq!(rename(&mut fs, "/m/a", "/m/x"), Ok(()));
    assert_eq!(mkdir(&mut fs, "own"), Ok(()), "it is no mount");
    unlink(&mut fs, "/m/theirs/file").unwrap();
    assert_eq!(
        used(&fs, 0),
        (1, 7),
        "one name more than there was, less one"
    );
    unlink(&mut fs, "/m/theirs/h").unwrap();
    assert_eq!(used(&fs, 0), (1, 7), "that one was the host's");
    for name in ["/m/x", "/m/b", "/m/c", "/m/l", "/m/h"] {
        unlink(&mut fs, name).unwrap();
    }
    for name in ["/m/d", "/m/e"] {
        rmdir(&mut fs, name).unwrap();
    }
    assert_eq!(used(&fs, 0), (0, 0));
}

#[test]
fn going_back_to_a_snapshot_gives_nothing_back() {
    let dir = host();
    let mut fs = limited(&dir);
    let before = fs.clone();
    put(&mut fs, "/m/a", &[1; 400]).unwrap();
    fs = before;
    assert_eq!(used(&fs, 0), (400, 1));
    unlink(&mut fs, "/m/a").unwrap();
    assert_eq!(used(&fs, 0), (0, 0));
}

#[test]
fn starting_anew_gives_nothing_back() {
    let dir = host();
    let disk_use = DiskUse::default();
    let mounts = [mounted(dir.path(), "/m", true)];
    let mut fs = FileSystem::with_disk_use(&small(), &mounts, &disk_use).unwrap();
    put(&mut fs, "/m/a", &[1; 400]).unwrap();
    let mut fs = FileSystem::with_disk_use(&small(), &mounts, &disk_use).unwrap();
    assert_eq!(used(&fs, 0), (400, 1));
    unlink(&mut fs, "/m/a").unwrap();
    assert_eq!(used(&fs, 0), (0, 0));
    let fs = FileSystem::new(&small(), &mounts).unwrap();
    assert_eq!(used(&fs, 0), (0, 0), "another session counts for itself");
}

#[test]
fn a_folder_that_is_mounted_twice_has_one_account() {
    let dir = host();
    let mounts = [
        mounted(dir.path(), "/m", true),
        mounted(dir.path(), "/n", true),
    ];
    let mut fs = FileSystem::new(&small(), &mounts).unwrap();
    put(&mut fs, "/m/a", &[1; 400]).unwrap();
    put(&mut fs, "/n/b", &[1; 400]).unwrap();
    let file = create(&mut fs, "/n/a").unwrap();
    fs.set_size(&file, 0, NOW).unwrap();
    assert_eq!(used(&fs, 0), (400, 2));
    assert_eq!(used(&fs, 1), (400, 2));
}

#[test]
fn mounts_one_inside_the_other_grow_by_both_quotas_at_most() {
    let dir = host();
    let inner = dir.path().join("theirs");
    let mounts = [
        mounted(dir.path(), "/m", true),
        mounted(&inner, "/n", true),
        mounted(&inner, "/read", false),
    ];
    let mut fs = FileSystem::new(&small(), &mounts).unwrap();
    let mut open_files = Vec::new();
    for n in 0..20 {
        let name = format!("theirs/{n}");
        let through = if n % 2 == 0 { "/m/theirs" } else { "/n" };
        let Ok(file) = create(&mut fs, &format!("{through}/{n}")) else {
            continue;
        };
        let _ = fs.append(&file, &[1; 200], NOW);
        drop(file);
        // Through the other way it grows on, and a descriptor of a third keeps it.
        for path in [format!("/m/{name}"), format!("/n/{n}")] {
            if let Ok(file) = create(&mut fs, &path) {
                let _ = fs.append(&file, &[1; 100], NOW);
            }
        }
        let kept = open(&mut fs, &format!("/read/{n}"), OpenOptions::default());
        open_files.push(kept.unwrap());
        unlink(&mut fs, &format!("/n/{n}")).unwrap();
    }
    let sizes = open_files.iter().map(|file| fs.stat(file).unwrap().size);
    assert_eq!(sizes.sum::<u64>(), 2000);
    open_files.clear();
    assert_eq!((used(&fs, 0).0, used(&fs, 1).0), (0, 0));
}

#[test]
fn the_hosts_own_files_in_count_and_its_removals_give_back() {
    let dir = host();
    let mut fs = limited(&dir);
    fs.write_file("/m/new/deep/a", &[1; 400], NOW).unwrap();
    fs.write_file("/m/new/b", &[1; 400], NOW).unwrap();
    assert!(fs.write_file("/m/new/c", &[1; 400], NOW).is_err());
    assert_eq!(used(&fs, 0), (1000, 5));
    fs.remove("/m/theirs", NOW).unwrap();
    assert_eq!(used(&fs, 0), (1000, 5));
    fs.remove("/m/new", NOW).unwrap();
    assert_eq!(used(&fs, 0), (0, 0));
}

#[test]
fn what_the_host_does_meanwhile_neither_counts_nor_earns() {
    let dir = host();
    let mut fs = limited(&dir);
    put(&mut fs, "/m/a", &[1; 400]).unwrap();
    std::fs::write(dir.path().join("big"), vec![1; 10_000]).unwrap();
    std::fs::remove_file(dir.path().join("a")).unwrap();
    assert_eq!(used(&fs, 0), (400, 1), "nobody told of it");
    let big = open(
        &mut fs,
        "/m/big",
        OpenOptions {
            write: true,
            ..OpenOptions::default()
        },
    )
    .unwrap();
    assert_eq!(fs.append(&big, b"x", NOW), Err(Errno::Fbig));
    assert_eq!(fs.write_at(&big, 0, &[2; 500], NOW), Ok(400));
    assert_eq!(used(&fs, 0), (400, 1));
    // An open file that the host removed is given back when it is closed.
    let file = create(&mut fs, "/m/b").unwrap();
    fs.append(&file, &[1; 100], NOW).unwrap();
    std::fs::remove_file(dir.path().join("b")).unwrap();
    drop(file);
    // It may have had the number of the first one, which then is known to be gone, too.
    assert!(matches!(used(&fs, 0), (0, 0) | (400, 1)));
}

/// What code does in a mount: which of a few files, and an offset or size.
#[derive(Debug, Clone, Copy)]
enum Deed {
    Write(usize, u64, usize),
    Append(usize, usize),
    Resize(usize, u64),
    Truncate(usize),
    Unlink(usize),
    Rename(usize, usize),
    Link(usize, usize),
    Keep(usize),
    Close,
    Folder(usize),
    NoFolder(usize),
}

fn deed() -> impl Strategy<Value = Deed> {
    let which = || 0..6_usize;
    prop_oneof![
        (which(), 0..500_u64, 0..300_usize).prop_map(|(f, at, n)| Deed::Write(f, at, n)),
        (which(), 0..300_usize).prop_map(|(f, n)| Deed::Append(f, n)),
        (which(), 0..500_u64).prop_map(|(f, n)| Deed::Resize(f, n)),
        which().prop_map(Deed::Truncate),
        which().prop_map(Deed::Unlink),
        (which(), which()).prop_map(|(a, b)| Deed::Rename(a, b)),
        (which(), which()).prop_map(|(a, b)| Deed::Link(a, b)),
        which().prop_map(Deed::Keep),
        Just(Deed::Close),
        which().prop_map(Deed::Folder),
        which().prop_map(Deed::NoFolder),
    ]
}

/// Bytes of all files in a folder, each once, and the number of names.
fn on_disk(folder: &Path) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    let mut files = std::collections::BTreeMap::new();
    let mut names = 0;
    let mut pending = vec![folder.to_owned()];
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let metadata = entry.metadata().unwrap();
            names += 1;
            if metadata.is_dir() {
                pending.push(entry.path());
            } else {
                files.insert(metadata.ino(), metadata.len());
            }
        }
    }
    (files.values().sum(), names)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn nothing_that_code_does_adds_more_than_the_quotas(
        deeds in prop::collection::vec(deed(), 1..60),
    ) {
        let dir = host();
        for name in ["0", "1"] {
            std::fs::write(dir.path().join(name), [7; 200]).unwrap();
        }
        let (bytes, names) = on_disk(dir.path());
        let mut fs = limited(&dir);
        let path = |n: usize| format!("/m/{n}");
        let mut kept: Vec<Node> = Vec::new();
        for deed in deeds {
            match deed {
                Deed::Write(f, at, n) => {
                    if let Ok(file) = create(&mut fs, &path(f)) {
                        let _ = fs.write_at(&file, at, &[1; 300][..n], NOW);
                    }
                }
                Deed::Append(f, n) => {
                    if let Ok(file) = create(&mut fs, &path(f)) {
                        let _ = fs.append(&file, &[1; 300][..n], NOW);
                    }
                }
                Deed::Resize(f, n) => {
                    if let Ok(file) = create(&mut fs, &path(f)) {
                        let _ = fs.set_size(&file, n, NOW);
                    }
                }
                Deed::Truncate(f) => drop(truncate(&mut fs, &path(f))),
                Deed::Unlink(f) => drop(unlink(&mut fs, &path(f))),
                Deed::Rename(a, b) => drop(rename(&mut fs, &path(a), &path(b))),
                Deed::Link(a, b) => drop(link(&mut fs, &path(a), &path(b))),
                Deed::Keep(f) => kept.extend(create(&mut fs, &path(f))),
                Deed::Close => kept.clear(),
                Deed::Folder(f) => drop(mkdir(&mut fs, &format!("/m/d{f}"))),
                Deed::NoFolder(f) => drop(rmdir(&mut fs, &format!("/m/d{f}"))),
            }
            let now = on_disk(dir.path());
            let without_names = kept.iter().filter_map(|file| {
                let stat = fs.stat(file).unwrap();
                (stat.nlink == 0).then_some((stat.ino, stat.size))
            });
            let without_names: std::collections::BTreeMap<_, _> = without_names.collect();
            let all = now.0 + without_names.values().sum::<u64>();
            let (added, made) = used(&fs, 0);
            prop_assert!(added <= 1000 && made <= 8, "{added} {made}");
            prop_assert!(all <= bytes + added, "{deed:?}: {all} bytes, {added} added to {bytes}");
            prop_assert!(now.1 <= names + made, "{deed:?}: {now:?}, {made} made");
        }
        kept.clear();
        for n in 0..6 {
            let _ = unlink(&mut fs, &path(n));
            let _ = rmdir(&mut fs, &format!("/m/d{n}"));
        }
        prop_assert_eq!(used(&fs, 0), (0, 0));
        prop_assert_eq!(fs.host_bytes(), limited(&dir).host_bytes());
    }
}
