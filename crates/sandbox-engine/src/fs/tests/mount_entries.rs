//! Links and special files in host folders.

use super::mounts::{host, mounted, shown, with};
use super::*;
use std::os::unix::fs::symlink as host_symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;

#[test]
fn links_in_a_mount_do_not_lead_out() {
    let dir = host();
    let top = shown(&dir);
    let secret = dir.path().join("secret");
    let mut refused = vec![
        "/",
        "/etc/passwd",
        "/mnt/data",
        "..",
        "../secret",
        "sub/../../secret",
        "sub/deep/../../..",
    ];
    let absolute = secret.to_str().unwrap();
    refused.push(absolute);
    for (number, target) in refused.iter().enumerate() {
        host_symlink(target, top.join(format!("out{number}"))).unwrap();
        host_symlink(
            format!("../out{number}"),
            top.join(format!("sub/second{number}")),
        )
        .unwrap();
    }
    let mut fs = with(&dir, "/m", true);
    put(&mut fs, "/mnt/data/f", b"own").unwrap();
    for (number, target) in refused.iter().enumerate() {
        for path in [
            format!("/m/out{number}"),
            format!("/m/sub/second{number}"),
            format!("/m/out{number}/x/.."),
        ] {
            assert_eq!(stat(&fs, &path), Err(Errno::Acces), "{path} -> {target}");
            assert_eq!(get(&mut fs, &path), Err(Errno::Acces));
            assert_eq!(put(&mut fs, &path, b"changed"), Err(Errno::Acces));
            assert_eq!(names(&fs, &path), Err(Errno::Acces));
        }
        let path = format!("/m/out{number}");
        assert_eq!(lstat(&fs, &path).unwrap().kind, FileKind::Link);
        assert_eq!(
            fs.read_link(&base(&fs), path.as_bytes()).unwrap(),
            target.as_bytes()
        );
        unlink(&mut fs, &path).unwrap();
    }
    assert_eq!(std::fs::read(&secret).unwrap(), b"secret");
}

#[test]
fn links_that_stay_in_a_mount_are_followed() {
    let dir = host();
    let top = shown(&dir);
    host_symlink("../file", top.join("sub/up")).unwrap();
    host_symlink("sub/up", top.join("twice")).unwrap();
    host_symlink("sub/deep/../../file", top.join("around")).unwrap();
    host_symlink("sub/..", top.join("top")).unwrap();
    host_symlink("circle", top.join("circle")).unwrap();
    let mut fs = with(&dir, "/mnt/data/in", false);
    for path in ["in/sub/up", "in/twice", "in/around", "in/top/top/twice"] {
        assert_eq!(get(&mut fs, path).unwrap(), b"content", "{path}");
    }
    assert_eq!(stat(&fs, "in/circle"), Err(Errno::Loop));
    // What follows the link is the guest's own path again, and may leave.
    assert_eq!(
        stat(&fs, "in/top/..").unwrap().ino,
        stat(&fs, ".").unwrap().ino
    );
    symlink(&mut fs, "in/top/../in/file", "own").unwrap();
    assert_eq!(get(&mut fs, "own").unwrap(), b"content");
    symlink(&mut fs, "/mnt/data/own", "again").unwrap();
    assert_eq!(get(&mut fs, "again").unwrap(), b"content");
}

#[test]
fn links_made_in_a_mount_lead_downwards_only() {
    let dir = host();
    let mut fs = with(&dir, "/m", true);
    for target in [
        "/etc/passwd",
        "..",
        "../secret",
        "sub/../../secret",
        "sub/..",
        "/m/file",
    ] {
        assert_eq!(
            symlink(&mut fs, target, "/m/l"),
            Err(Errno::Acces),
            "{target}"
        );
    }
    symlink(&mut fs, "sub/inner", "/m/l").unwrap();
    symlink(&mut fs, "..dots/x", "/m/dots").unwrap();
    assert_eq!(get(&mut fs, "/m/l").unwrap(), b"inner");
}

#[test]
fn special_files_are_seen_and_never_opened() {
    let dir = host();
    let top = shown(&dir);
    let fifo = std::process::Command::new("mkfifo")
        .arg(top.join("fifo"))
        .status();
    let _socket = UnixListener::bind(top.join("socket")).unwrap();
    host_symlink("socket", top.join("link")).unwrap();
    let mut fs = with(&dir, "/m", true);
    let mut paths = vec!["/m/socket", "/m/link"];
    if fifo.is_ok_and(|status| status.success()) {
        paths.push("/m/fifo");
    }
    for path in paths {
        assert_eq!(stat(&fs, path).unwrap().kind, FileKind::Other);
        let none = OpenOptions::default();
        for options in [
            OpenOptions { read: true, ..none },
            OpenOptions {
                write: true,
                ..none
            },
            OpenOptions {
                read: true,
                write: true,
                create: true,
                ..none
            },
            OpenOptions {
                truncate: true,
                ..none
            },
        ] {
            assert_eq!(
                open(&mut fs, path, options).err(),
                Some(Errno::Acces),
                "{path}"
            );
        }
        assert!(fs.read_file(path).is_err());
        let special = fs.lookup(&base(&fs), path.as_bytes(), true).unwrap();
        assert_eq!(
            fs.set_times(&special, Some(1), None, NOW),
            Err(Errno::Notsup)
        );
    }
    let listed = fs.list("/m").unwrap();
    assert_eq!(
        listed
            .iter()
            .find(|file| file.path == "/m/socket")
            .unwrap()
            .kind,
        FileKind::Other
    );
}

#[test]
fn devices_are_not_opened() {
    let mut fs = FileSystem::new(
        &Limits::default(),
        &[mounted(Path::new("/dev"), "/m", true)],
    )
    .unwrap();
    for path in ["/m/null", "/m/zero", "/m/tty"] {
        if let Ok(stat) = stat(&fs, path) {
            assert_eq!(stat.kind, FileKind::Other);
            let all = OpenOptions {
                read: true,
                write: true,
                ..OpenOptions::default()
            };
            assert_eq!(open(&mut fs, path, all).err(), Some(Errno::Acces));
        }
    }
}
