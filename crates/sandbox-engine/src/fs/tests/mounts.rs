//! Host folders as a guest sees them.

use super::*;
use std::os::unix::fs::symlink as host_symlink;
use std::path::Path;
use tempfile::TempDir;

/// A host folder with a file and a folder in it, beside a secret that no mount shows.
pub(super) fn host() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(dir.path().join("shown/sub/deep")).unwrap();
    std::fs::write(dir.path().join("secret"), "secret").unwrap();
    std::fs::write(dir.path().join("shown/file"), "content").unwrap();
    std::fs::write(dir.path().join("shown/sub/inner"), "inner").unwrap();
    dir
}

pub(super) fn shown(dir: &TempDir) -> std::path::PathBuf {
    dir.path().join("shown")
}

pub(super) fn mounted(source: &Path, guest: &str, writable: bool) -> Mount {
    Mount {
        host: source.into(),
        guest: guest.to_owned(),
        writable,
        quota: None,
    }
}

pub(super) fn with(dir: &TempDir, guest: &str, writable: bool) -> FileSystem {
    FileSystem::new(&Limits::default(), &[mounted(&shown(dir), guest, writable)]).unwrap()
}

#[test]
fn a_mount_is_a_folder_among_others() {
    let dir = host();
    let mut fs = with(&dir, "/mnt/inputs", false);
    assert_eq!(names(&fs, "/mnt").unwrap(), ["data", "inputs"]);
    assert_eq!(names(&fs, "/mnt/inputs").unwrap(), ["file", "sub"]);
    assert_eq!(get(&mut fs, "/mnt/inputs/file").unwrap(), b"content");
    assert_eq!(
        get(&mut fs, "../inputs/sub/../sub/./inner").unwrap(),
        b"inner"
    );
    assert_eq!(
        stat(&fs, "/mnt/inputs/..").unwrap().ino,
        stat(&fs, "/mnt").unwrap().ino
    );
    assert_eq!(
        stat(&fs, "/mnt/inputs/sub/deep/../../../data").unwrap().ino,
        stat(&fs, ".").unwrap().ino
    );
    assert_ne!(
        stat(&fs, "/mnt/inputs").unwrap().dev,
        stat(&fs, "/mnt").unwrap().dev
    );
    let entries = fs
        .read_dir(&fs.lookup(&FileSystem::root(), b"mnt/inputs", true).unwrap())
        .unwrap();
    assert_eq!(entries[0].ino, stat(&fs, "/mnt/inputs").unwrap().ino);
    assert_eq!(entries[1].ino, stat(&fs, "/mnt").unwrap().ino);
    assert_eq!(entries[2].ino, stat(&fs, "/mnt/inputs/file").unwrap().ino);
    let folder = open(
        &mut fs,
        "/mnt/inputs/sub",
        OpenOptions {
            read: true,
            ..OpenOptions::default()
        },
    )
    .unwrap();
    assert_eq!(fs.stat_path(&folder, b"inner", true).unwrap().size, 5);
    assert_eq!(fs.stat_path(&folder, b"../file", true).unwrap().size, 7);
    assert_eq!(fs.stat_path(&folder, b"../../data", true).unwrap().dev, 1);
    assert_eq!(fs.used_files(), 0);
}

#[test]
fn a_mount_can_lie_anywhere() {
    let dir = host();
    for guest in [
        "/data",
        "/a/b/c",
        "/mnt/data",
        "/tmp",
        "/mnt/data/in",
        "/mnt/data/deep/in",
        "//x//y/",
    ] {
        let mut fs = with(&dir, guest, false);
        assert_eq!(
            get(&mut fs, &format!("{guest}/file")).unwrap(),
            b"content",
            "{guest}"
        );
        assert_eq!(
            stat(&fs, &format!("{guest}/../../../..")).unwrap().ino,
            stat(&fs, "/").unwrap().ino
        );
    }
}

#[test]
fn mount_points_that_cannot_be() {
    let dir = host();
    let shown = shown(&dir);
    let fails = |mounts: &[(&str, &Path)]| {
        let mounts: Vec<_> = mounts
            .iter()
            .map(|(guest, source)| mounted(source, guest, false))
            .collect();
        FileSystem::new(&Limits::default(), &mounts)
            .unwrap_err()
            .to_string()
    };
    assert!(fails(&[("/mnt", &shown)]).contains("would hide"));
    assert!(fails(&[("/", &shown)]).contains("would hide"));
    assert!(fails(&[("/a", &shown), ("/a", &shown)]).contains("used twice"));
    assert!(fails(&[("/a", &shown), ("/a/b", &shown)]).contains("inside another mount"));
    assert!(fails(&[("/a/b", &shown), ("/a", &shown)]).contains("would hide"));
    assert!(fails(&[("/a/../b", &shown)]).contains("impossible name `..`"));
    let missing = fails(&[("/a", &shown.join("none"))]);
    assert!(
        missing.contains("none") && missing.contains("cannot open"),
        "{missing}"
    );
    assert!(fails(&[("/a", &shown.join("file"))]).contains("file"));
}

#[test]
fn mount_points_stay() {
    let dir = host();
    let mut fs = with(&dir, "/mnt/data/deep/in", true);
    assert_eq!(rmdir(&mut fs, "deep/in"), Err(Errno::Acces));
    assert_eq!(rename(&mut fs, "deep/in", "x"), Err(Errno::Acces));
    mkdir(&mut fs, "d").unwrap();
    assert_eq!(rename(&mut fs, "d", "deep/in"), Err(Errno::Acces));
    assert_eq!(rmdir(&mut fs, "deep"), Err(Errno::Notempty));
    assert!(fs.remove("deep", NOW).is_err());
    assert!(fs.remove("deep/in", NOW).is_err());
    assert_eq!(rename(&mut fs, "deep", "moved"), Ok(()));
    assert_eq!(get(&mut fs, "moved/in/file").unwrap(), b"content");
    assert_eq!(
        stat(&fs, "moved/in/..").unwrap().ino,
        stat(&fs, "moved").unwrap().ino
    );
    assert_eq!(rename(&mut fs, "moved", "moved/in/x"), Err(Errno::Xdev));
}

#[test]
fn a_read_only_mount_is_never_changed() {
    let dir = host();
    host_symlink("file", shown(&dir).join("link")).unwrap();
    let mut fs = with(&dir, "/m", false);
    let all = OpenOptions {
        read: true,
        write: true,
        ..OpenOptions::default()
    };
    assert_eq!(put(&mut fs, "/m/new", b"x"), Err(Errno::Rofs));
    assert_eq!(open(&mut fs, "/m/file", all).err(), Some(Errno::Rofs));
    assert_eq!(open(&mut fs, "/m/link", all).err(), Some(Errno::Rofs));
    assert_eq!(
        open(
            &mut fs,
            "/m/file",
            OpenOptions {
                truncate: true,
                ..all
            }
        )
        .err(),
        Some(Errno::Rofs)
    );
    assert_eq!(
        open(
            &mut fs,
            "/m/file",
            OpenOptions {
                truncate: true,
                ..OpenOptions::default()
            }
        )
        .err(),
        Some(Errno::Rofs)
    );
    assert_eq!(mkdir(&mut fs, "/m/new"), Err(Errno::Rofs));
    assert_eq!(rmdir(&mut fs, "/m/sub/deep"), Err(Errno::Rofs));
    assert_eq!(unlink(&mut fs, "/m/file"), Err(Errno::Rofs));
    assert_eq!(rename(&mut fs, "/m/file", "/m/new"), Err(Errno::Rofs));
    assert_eq!(link(&mut fs, "/m/file", "/m/new"), Err(Errno::Rofs));
    assert_eq!(symlink(&mut fs, "file", "/m/new"), Err(Errno::Rofs));
    assert!(fs.write_file("/m/file", b"x", NOW).is_err());
    assert!(fs.remove("/m/sub", NOW).is_err());
    let file = open(
        &mut fs,
        "/m/file",
        OpenOptions {
            read: true,
            ..OpenOptions::default()
        },
    )
    .unwrap();
    assert_eq!(fs.write_at(&file, 0, b"x", NOW), Err(Errno::Rofs));
    assert_eq!(fs.set_size(&file, 0, NOW), Err(Errno::Rofs));
    for path in [&b"m"[..], b"m/file", b"m/sub", b"m/link"] {
        let node = fs.lookup(&FileSystem::root(), path, false).unwrap();
        assert_eq!(fs.set_times(&node, Some(1), Some(1), NOW), Err(Errno::Rofs));
    }
    assert_eq!(fs.set_times(&file, Some(1), Some(1), NOW), Err(Errno::Rofs));
    assert_eq!(std::fs::read(shown(&dir).join("file")).unwrap(), b"content");
    assert_eq!(std::fs::read_dir(shown(&dir)).unwrap().count(), 3);
}

#[test]
fn a_writable_mount_changes_the_host() {
    let dir = host();
    let top = shown(&dir);
    let mut fs = with(&dir, "/m", true);
    put(&mut fs, "/m/new", b"new").unwrap();
    assert_eq!(std::fs::read(top.join("new")).unwrap(), b"new");
    mkdir(&mut fs, "/m/folder").unwrap();
    rename(&mut fs, "/m/new", "/m/folder/moved").unwrap();
    link(&mut fs, "/m/folder/moved", "/m/second").unwrap();
    assert_eq!(stat(&fs, "/m/second").unwrap().nlink, 2);
    assert_eq!(
        stat(&fs, "/m/second").unwrap().ino,
        stat(&fs, "/m/folder/moved").unwrap().ino
    );
    symlink(&mut fs, "folder/moved", "/m/link").unwrap();
    assert_eq!(get(&mut fs, "/m/link").unwrap(), b"new");
    let file = open(
        &mut fs,
        "/m/second",
        OpenOptions {
            read: true,
            write: true,
            ..OpenOptions::default()
        },
    )
    .unwrap();
    fs.set_size(&file, 5, NOW).unwrap();
    assert_eq!(fs.append(&file, b"!", NOW), Ok((1, 6)));
    fs.set_times(&file, Some(1_000_000_001), Some(2_000_000_002), NOW)
        .unwrap();
    fs.sync(&file).unwrap();
    let facts = fs.stat(&file).unwrap();
    assert_eq!(
        (facts.size, facts.atim, facts.mtim),
        (6, 1_000_000_001, 2_000_000_002)
    );
    assert_eq!(
        std::fs::read(top.join("folder/moved")).unwrap(),
        b"new\0\0!"
    );
    let folder = fs.lookup(&FileSystem::root(), b"m/folder", true).unwrap();
    fs.set_times(&folder, None, Some(3_000_000_003), NOW)
        .unwrap();
    assert_eq!(fs.stat(&folder).unwrap().mtim, 3_000_000_003);
    assert_eq!(rmdir(&mut fs, "/m/folder"), Err(Errno::Notempty));
    unlink(&mut fs, "/m/folder/moved").unwrap();
    rmdir(&mut fs, "/m/folder").unwrap();
    unlink(&mut fs, "/m/link").unwrap();
    assert!(!top.join("folder").exists());
    fs.write_file("/m/x/y/z", b"put", NOW).unwrap();
    assert_eq!(fs.read_file("/m/x/y/z").unwrap(), b"put");
    fs.remove("/m/x", NOW).unwrap();
    assert!(!top.join("x").exists());
    assert_eq!(
        (fs.used_files(), fs.used_bytes()),
        (0, 0),
        "the host's files are no quota's business"
    );
}

#[test]
fn what_is_written_to_a_mount_stays_when_a_session_goes_back() {
    let dir = host();
    let mut fs = with(&dir, "/m", true);
    let before = fs.clone();
    put(&mut fs, "/m/new", b"new").unwrap();
    put(&mut fs, "own", b"own").unwrap();
    let mut back = before;
    assert_eq!(get(&mut back, "/m/new").unwrap(), b"new");
    assert_eq!(get(&mut back, "own"), Err(Errno::Noent));
}

#[test]
fn one_files_size_is_limited_in_mounts_too() {
    let dir = host();
    let mut fs = FileSystem::new(&small(), &[mounted(&shown(&dir), "/m", true)]).unwrap();
    std::fs::write(shown(&dir).join("large"), vec![1; 1000]).unwrap();
    let file = create(&mut fs, "/m/f").unwrap();
    assert_eq!(fs.write_at(&file, 0, &[1; 500], NOW), Ok(400));
    assert_eq!(fs.write_at(&file, 400, b"x", NOW), Err(Errno::Fbig));
    assert_eq!(fs.set_size(&file, 401, NOW), Err(Errno::Fbig));
    let large = open(
        &mut fs,
        "/m/large",
        OpenOptions {
            write: true,
            ..OpenOptions::default()
        },
    )
    .unwrap();
    assert_eq!(
        fs.set_size(&large, 900, NOW),
        Ok(()),
        "a file that was larger can be cut"
    );
    assert!(fs.write_file("/m/f", &[1; 401], NOW).is_err());
    assert_eq!(
        fs.read_file("/m/f").unwrap(),
        [1; 400],
        "and nothing was lost"
    );
}

#[test]
fn nothing_moves_between_mounts() {
    let (a, b) = (host(), host());
    let mounts = [
        mounted(&shown(&a), "/a", true),
        mounted(&shown(&b), "/b", true),
    ];
    let mut fs = FileSystem::new(&Limits::default(), &mounts).unwrap();
    put(&mut fs, "own", b"").unwrap();
    for (from, to) in [
        ("own", "/a/x"),
        ("/a/file", "x"),
        ("/a/file", "/b/x"),
        ("/a/sub", "/b/x"),
        ("/a/file", "/b/file"),
    ] {
        assert_eq!(rename(&mut fs, from, to), Err(Errno::Xdev), "{from} {to}");
    }
    for (from, to) in [("own", "/a/x"), ("/a/file", "x"), ("/a/file", "/b/x")] {
        assert_eq!(link(&mut fs, from, to), Err(Errno::Xdev), "{from} {to}");
    }
}

#[test]
fn what_the_host_changes_under_a_guest_is_an_error_not_a_wait() {
    let dir = host();
    let top = shown(&dir);
    let mut fs = with(&dir, "/m", true);
    let read = OpenOptions {
        read: true,
        ..OpenOptions::default()
    };
    let file = open(&mut fs, "/m/file", read).unwrap();
    let folder = open(&mut fs, "/m/sub", read).unwrap();
    std::fs::write(top.join("file"), "x").unwrap();
    let mut buf = [0; 10];
    assert_eq!(fs.read_at(&file, 0, &mut buf), Ok(1));
    assert_eq!(fs.read_at(&file, 5, &mut buf), Ok(0));
    std::fs::remove_file(top.join("file")).unwrap();
    assert_eq!(fs.read_at(&file, 0, &mut buf), Ok(1));
    assert_eq!(fs.stat(&file).unwrap().nlink, 0);
    assert_eq!(stat(&fs, "/m/file"), Err(Errno::Noent));
    std::fs::remove_dir_all(top.join("sub")).unwrap();
    assert_eq!(fs.read_dir(&folder), Err(Errno::Noent));
    assert_eq!(fs.stat(&folder), Err(Errno::Noent));
    assert_eq!(fs.create_dir(&folder, b"x", NOW), Err(Errno::Noent));
    std::fs::write(top.join("sub"), "a file now").unwrap();
    assert_eq!(fs.read_dir(&folder), Err(Errno::Notdir));
    std::fs::remove_dir_all(&top).unwrap();
    assert_eq!(names(&fs, "/m"), Ok(vec![]));
    assert_eq!(put(&mut fs, "/m/x", b""), Err(Errno::Noent));
    assert_eq!(names(&fs, "/").unwrap(), ["m", "mnt", "tmp"]);
}

#[test]
fn paths_in_a_mount_are_only_so_deep() {
    let dir = host();
    let mut fs = FileSystem::new(&small(), &[mounted(&shown(&dir), "/m", true)]).unwrap();
    std::fs::create_dir_all(shown(&dir).join("2/3/4/5/6/7/8")).unwrap();
    std::fs::write(shown(&dir).join("2/3/4/5/6/file"), "x").unwrap();
    assert_eq!(stat(&fs, "/m/2/3/4/5/6").unwrap().kind, FileKind::Folder);
    assert_eq!(get(&mut fs, "/m/2/3/4/5/6/file").unwrap(), b"x");
    assert_eq!(stat(&fs, "/m/2/3/4/5/6/7"), Err(Errno::Nametoolong));
    assert_eq!(mkdir(&mut fs, "/m/2/3/4/5/6/new"), Err(Errno::Nametoolong));
    assert_eq!(mkdir(&mut fs, "/m/2/3/4/5/new"), Ok(()));
}

#[test]
fn odd_names_pass_through_a_mount() {
    let dir = host();
    let mut fs = with(&dir, "/m", true);
    let base = fs.lookup(&FileSystem::root(), b"m", true).unwrap();
    let options = OpenOptions {
        create: true,
        exclusive: true,
        write: true,
        ..OpenOptions::default()
    };
    let long = [b'n'; 255];
    for name in [&b"\xff\xfe"[..], b"new\nline", b" ", b"-rf", &long] {
        fs.open(&base, name, options, NOW).unwrap();
        assert!(
            fs.read_dir(&base)
                .unwrap()
                .iter()
                .any(|entry| *entry.name == *name)
        );
    }
    assert_eq!(
        fs.open(&base, &[b'n'; 256], options, NOW).err(),
        Some(Errno::Nametoolong)
    );
    assert_eq!(
        fs.open(&base, b"a\0b", options, NOW).err(),
        Some(Errno::Inval)
    );
    let listed = fs.list("/m").unwrap();
    assert!(listed.iter().any(|file| file.path == "/m/\u{fffd}\u{fffd}"));
}

#[test]
fn a_listing_names_mounts_on_the_way_and_does_not_enter_them() {
    let dir = host();
    host_symlink("/", shown(&dir).join("everything")).unwrap();
    let fs = with(&dir, "/mnt/data/in", false);
    let paths = |path| {
        fs.list(path)
            .unwrap()
            .into_iter()
            .map(|file| file.path)
            .collect::<Vec<_>>()
    };
    assert_eq!(paths("/mnt"), ["/mnt/data", "/mnt/data/in"]);
    assert_eq!(
        paths("in"),
        [
            "/mnt/data/in/everything",
            "/mnt/data/in/file",
            "/mnt/data/in/sub",
            "/mnt/data/in/sub/deep",
            "/mnt/data/in/sub/inner"
        ]
    );
}
