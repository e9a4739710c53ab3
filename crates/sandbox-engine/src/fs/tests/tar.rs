//! Archives in and out, for files as they usually are.

use super::*;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

/// A moment with every digit of its fraction.
const THEN: u64 = 1_700_000_000_123_456_789;

/// Everything that there is to know of a folder's files, but for their numbers.
fn everything(fs: &FileSystem, top: &str) -> Vec<(String, FileKind, u64, u64, Vec<u8>)> {
    let files = fs.list(top).unwrap();
    let facts = files.into_iter().map(|file| {
        let content = match file.kind {
            FileKind::File => fs.read_file(&file.path).unwrap(),
            FileKind::Link => {
                let path = file.path.as_bytes();
                fs.read_link(&FileSystem::root(), path).unwrap()
            }
            _ => Vec::new(),
        };
        let path = file.path[top.len()..].to_owned();
        (path, file.kind, file.size, file.modified, content)
    });
    facts.collect()
}

/// Files of every kind, sizes around the borders of blocks and chunks, and times that are all different.
fn varied() -> FileSystem {
    let mut fs = fresh();
    let long = "n".repeat(255);
    for (n, size) in [0, 1, 511, 512, 513, 65_535, 65_536, 65_537, 200_000]
        .into_iter()
        .enumerate()
    {
        let content: Vec<u8> = (0..size).map(|at| (at * 7 + n) as u8 | 1).collect();
        fs.write_file(&format!("d/sizes/{size}"), &content, NOW)
            .unwrap();
    }
    let deep = format!("d/{long}/{long}/{long}");
    fs.write_file(&format!("{deep}/file"), b"deep", NOW)
        .unwrap();
    for name in ["d/ü", "d/a b\nc", "d/'q' \\ *"] {
        fs.write_file(name, name.as_bytes(), NOW).unwrap();
    }
    mkdir(&mut fs, "d/empty").unwrap();
    symlink(&mut fs, "sizes/1", "d/link").unwrap();
    symlink(&mut fs, "/nowhere/at all", "d/sizes/absolute").unwrap();
    symlink(&mut fs, "../../../up", "d/up").unwrap();
    symlink(&mut fs, &"t".repeat(3000), "d/long").unwrap();
    link(&mut fs, "d/sizes/513", "d/again").unwrap();
    link(&mut fs, "d/sizes/513", &format!("{deep}/and again")).unwrap();
    link(&mut fs, "d/link", "d/second link").unwrap();
    let times = [0, 1_000_000_000, THEN, THEN + 1, THEN / 10 * 10, u64::MAX];
    for (n, file) in fs.list("d").unwrap().into_iter().enumerate() {
        let node = fs.lookup(&FileSystem::root(), file.path.as_bytes(), false);
        let time = Some(times[n % times.len()]);
        fs.set_times(&node.unwrap(), None, time, NOW).unwrap();
    }
    fs
}

fn packed(fs: &FileSystem, path: &str) -> Vec<u8> {
    let mut archive = Vec::new();
    fs.pack_tar(path, &mut archive).unwrap();
    archive
}

#[test]
fn what_is_packed_is_unpacked_the_same() {
    let fs = varied();
    let mut archive = Vec::new();
    let packed = fs.pack_tar("d", &mut archive).unwrap();
    let mut other = fresh();
    let unpacked = other.unpack_tar("d", &archive[..], NOW).unwrap();
    assert_eq!(unpacked, packed);
    assert_eq!(
        (packed.files, packed.folders, packed.links, packed.bytes),
        (13, 5, 7, 398_169)
    );
    assert_eq!(
        everything(&other, "/mnt/data/d"),
        everything(&fs, "/mnt/data/d")
    );
    let one = stat(&other, "d/again").unwrap();
    assert_eq!((one.nlink, one.size), (3, 513));
    assert_eq!(stat(&other, "d/sizes/513").unwrap().ino, one.ino);
    assert_eq!(lstat(&other, "d/second link").unwrap().nlink, 2);
    assert_eq!(
        (other.used_files(), other.used_bytes()),
        (fs.used_files(), fs.used_bytes())
    );
}

#[test]
fn the_same_files_make_the_same_archive() {
    let fs = varied();
    let archive = packed(&fs, "d");
    let mut other = fresh();
    other.unpack_tar("x/y", &archive[..], NOW + 1).unwrap();
    assert_eq!(packed(&other, "x/y"), archive);
    // Once more, over what is there.
    other.unpack_tar("x/y", &archive[..], NOW + 2).unwrap();
    assert_eq!(packed(&other, "x/y"), archive);
}

#[test]
fn a_file_is_packed_by_its_name() {
    let mut fs = fresh();
    fs.write_file("a/b.txt", b"content", NOW).unwrap();
    symlink(&mut fs, "a/b.txt", "link").unwrap();
    let archive = packed(&fs, "a/b.txt");
    fs.unpack_tar("c", &archive[..], NOW).unwrap();
    assert_eq!(fs.read_file("c/b.txt").unwrap(), b"content");
    fs.unpack_tar("c", &packed(&fs, "link")[..], NOW).unwrap();
    assert_eq!(lstat(&fs, "c/link").unwrap().kind, FileKind::File);
    assert!(fs.pack_tar("none", Vec::new()).is_err());
}

#[test]
fn unpacking_fills_folders_and_replaces_files() {
    let mut fs = fresh();
    fs.write_file("d/same", b"new", NOW).unwrap();
    fs.write_file("d/e/more", b"more", NOW).unwrap();
    let archive = packed(&fs, "d");
    let mut fs = fresh();
    fs.write_file("d/same", b"something older", NOW).unwrap();
    fs.write_file("d/kept", b"kept", NOW).unwrap();
    link(&mut fs, "d/same", "elsewhere").unwrap();
    symlink(&mut fs, "../victim", "d/e").unwrap();
    unlink(&mut fs, "d/e").unwrap();
    fs.unpack_tar("/mnt/data/d/", &archive[..], NOW).unwrap();
    assert_eq!(fs.read_file("d/same").unwrap(), b"new");
    assert_eq!(fs.read_file("d/kept").unwrap(), b"kept");
    assert_eq!(fs.read_file("d/e/more").unwrap(), b"more");
    // A file that is replaced is not written through its other names.
    assert_eq!(fs.read_file("elsewhere").unwrap(), b"something older");
}

#[test]
fn holes_stay_holes() {
    let mut fs = fresh();
    let hole = create(&mut fs, "hole").unwrap();
    fs.set_size(&hole, 30 << 20, NOW).unwrap();
    fs.write_at(&hole, 20 << 20, b"x", NOW).unwrap();
    let archive = packed(&fs, "hole");
    let mut other = fresh();
    let empty = other.host_bytes();
    other.unpack_tar(".", &archive[..], NOW).unwrap();
    assert!(other.host_bytes() - empty < 200_000);
    let content = other.read_file("hole").unwrap();
    assert_eq!((content.len(), content[20 << 20]), (30 << 20, b'x'));
}

#[test]
fn the_whole_tree_can_be_packed_and_put_back() {
    let mut fs = fresh();
    fs.write_file("/mnt/data/a", b"a", THEN).unwrap();
    fs.write_file("/tmp/b/c", b"c", THEN).unwrap();
    let archive = packed(&fs, "/");
    let mut other = fresh();
    other.unpack_tar("/", &archive[..], NOW).unwrap();
    assert_eq!(packed(&other, "/"), archive);
    fs.write_file("new/x", b"x", NOW).unwrap();
    let outside = packed(&fs, "/mnt/data");
    let error = other.unpack_tar("/mnt", &outside[..], NOW).unwrap_err();
    assert_eq!(error.to_string(), "/mnt/a: read-only file system");
}

/// Runs the system's `tar` in a folder. `None`, said aloud, where there is none.
fn system_tar<I: AsRef<OsStr>>(
    folder: &Path,
    args: impl IntoIterator<Item = I>,
) -> Option<Vec<u8>> {
    let mut command = Command::new("tar");
    command.current_dir(folder).env("LC_ALL", "C").args(args);
    match command.output() {
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            let is_fine = said.lines().all(|line| line.ends_with("in the future"));
            assert!(output.status.success() && is_fine, "{said}");
            Some(output.stdout)
        }
        Err(error) => {
            eprintln!("skipped: no `tar` on this machine ({error})");
            None
        }
    }
}

#[cfg(unix)]
#[test]
fn the_systems_tar_reads_what_is_packed() {
    use std::os::unix::fs::MetadataExt;
    let fs = varied();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("x.tar"), packed(&fs, "d")).unwrap();
    std::fs::create_dir(folder.path().join("out")).unwrap();
    let args = ["-x", "-f", "x.tar", "-C", "out"];
    let Some(_) = system_tar(folder.path(), args) else {
        return;
    };
    let out = folder.path().join("out");
    for (path, kind, size, modified, content) in everything(&fs, "/mnt/data/d") {
        let path = out.join(path.trim_start_matches('/'));
        let metadata = path.symlink_metadata().unwrap();
        let time = metadata.mtime() as u64 * 1_000_000_000 + metadata.mtime_nsec() as u64;
        // What is after this, not every file system of a host can hold.
        if modified < 1 << 61 {
            assert_eq!(time, modified, "{path:?}");
        }
        match kind {
            FileKind::Folder => assert!(metadata.is_dir(), "{path:?}"),
            FileKind::Link => {
                let target = std::fs::read_link(&path).unwrap();
                assert_eq!(target.as_os_str().as_encoded_bytes(), content);
            }
            _ => {
                assert_eq!(metadata.len(), size);
                assert_eq!(std::fs::read(&path).unwrap(), content, "{path:?}");
            }
        }
        let mode = match kind {
            FileKind::Folder => 0o755,
            FileKind::Link => 0o777,
            _ => 0o644,
        };
        assert_eq!(metadata.mode() & 0o777, mode, "{path:?}");
    }
    let again = out.join("again").metadata().unwrap();
    assert_eq!(again.nlink(), 3);
    assert_eq!(again.ino(), out.join("sizes/513").metadata().unwrap().ino());
}

#[cfg(unix)]
#[test]
fn what_the_systems_tar_packs_is_unpacked() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("in");
    let long = "n".repeat(200);
    std::fs::create_dir_all(source.join(&long).join(&long)).unwrap();
    std::fs::write(source.join(&long).join(&long).join("deep"), b"deep").unwrap();
    std::fs::write(source.join("a"), b"content").unwrap();
    std::fs::write(source.join("ü"), b"umlaut").unwrap();
    std::fs::write(source.join(OsStr::from_bytes(b"\xff")), b"odd").unwrap();
    std::os::unix::fs::symlink("a", source.join("link")).unwrap();
    std::os::unix::fs::symlink(&long, source.join(&long).join("l".repeat(200))).unwrap();
    std::fs::hard_link(source.join("a"), source.join("b")).unwrap();
    let sparse = std::fs::File::create(source.join("sparse")).unwrap();
    sparse.set_len(3 << 20).unwrap();
    std::os::unix::fs::FileExt::write_at(&sparse, b"middle", 1 << 20).unwrap();
    let then = std::time::UNIX_EPOCH + std::time::Duration::from_nanos(THEN);
    std::fs::File::open(source.join("a"))
        .unwrap()
        .set_modified(then)
        .unwrap();
    for (format, modified) in [
        ("--format=gnu", THEN / 1_000_000_000 * 1_000_000_000),
        ("--format=oldgnu", THEN / 1_000_000_000 * 1_000_000_000),
        ("--format=pax", THEN),
    ] {
        for sparse in [false, true] {
            let mut args = vec![format, "-c", "-f", "-"];
            args.extend(sparse.then_some("-S"));
            args.push("-C");
            args.extend(["in", "."]);
            let Some(archive) = system_tar(folder.path(), args) else {
                return;
            };
            let mut fs = fresh();
            let unpacked = fs.unpack_tar("d", &archive[..], NOW);
            if sparse && format == "--format=pax" {
                let refused = unpacked.unwrap_err().to_string();
                assert!(refused.contains("--format=gnu"), "{refused}");
                continue;
            }
            let unpacked = unpacked.unwrap();
            assert_eq!(
                (unpacked.files, unpacked.folders, unpacked.links),
                (5, 2, 3)
            );
            assert_eq!(get(&mut fs, "d/a").unwrap(), b"content");
            assert_eq!(get(&mut fs, "d/ü").unwrap(), b"umlaut");
            let base = base(&fs);
            assert_eq!(fs.stat_path(&base, b"d/\xff", true).unwrap().size, 3);
            assert_eq!(get(&mut fs, "d/link").unwrap(), b"content");
            assert_eq!(stat(&fs, "d/b").unwrap().ino, stat(&fs, "d/a").unwrap().ino);
            let deep = format!("d/{long}/{long}/deep");
            assert_eq!(get(&mut fs, &deep).unwrap(), b"deep");
            let content = get(&mut fs, "d/sparse").unwrap();
            assert_eq!(content.len(), 3 << 20);
            assert_eq!(&content[1 << 20..(1 << 20) + 6], b"middle");
            assert_eq!(stat(&fs, "d/a").unwrap().mtim, modified, "{format}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_mount_is_packed_by_its_own_path_only() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    std::fs::write(folder.path().join("sub/a"), b"from the host").unwrap();
    std::os::unix::fs::symlink("sub/a", folder.path().join("link")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("socket")).unwrap();
    let mounts = [Mount {
        host: folder.path().to_owned(),
        guest: "/mnt/in".to_owned(),
        writable: true,
        quota: None,
    }];
    let mut fs = FileSystem::new(&Limits::default(), &mounts).unwrap();
    fs.write_file("own", b"own", NOW).unwrap();
    fs.unpack_tar("copy", &packed(&fs, "/mnt/in")[..], NOW)
        .unwrap();
    assert_eq!(names(&fs, "copy").unwrap(), ["link", "sub"]);
    assert_eq!(fs.read_file("copy/link").unwrap(), b"from the host");
    fs.unpack_tar("all", &packed(&fs, "/mnt")[..], NOW).unwrap();
    assert_eq!(names(&fs, "all").unwrap(), ["data"]);
    assert!(fs.pack_tar("/mnt/in/socket", Vec::new()).is_err());

    // Nothing is unpacked into one: neither there, nor by a name in the archive, nor through a link.
    let archive = packed(&fs, "own");
    symlink(&mut fs, "/mnt/in/sub", "way").unwrap();
    for path in ["/mnt/in", "/mnt/in/new/folder", "way", "way/new"] {
        let error = fs.unpack_tar(path, &archive[..], NOW).unwrap_err();
        assert!(error.to_string().contains("crosses a mount"), "{error}");
    }
    fs.write_file("m/in/x", b"x", NOW).unwrap();
    let archive = packed(&fs, "m");
    let error = fs.unpack_tar("/mnt", &archive[..], NOW).unwrap_err();
    assert_eq!(error.to_string(), "/mnt/in/: crosses a mount");
    assert!(!folder.path().join("new").exists() && !folder.path().join("x").exists());
}
