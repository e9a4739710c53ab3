//! Files in and out by the host.

use super::*;

#[test]
fn what_the_host_puts_it_gets() {
    let mut fs = fresh();
    fs.write_file("a/b/c.txt", b"content", 7).unwrap();
    fs.write_file("/mnt/data/top.txt", b"top", 8).unwrap();
    fs.write_file("/tmp/scratch", b"", 9).unwrap();
    assert_eq!(fs.read_file("/mnt/data/a/b/c.txt").unwrap(), b"content");
    assert_eq!(fs.read_file("top.txt").unwrap(), b"top");
    fs.write_file("top.txt", b"x", 10).unwrap();
    assert_eq!(fs.read_file("top.txt").unwrap(), b"x");
    let listed: Vec<_> = fs
        .list("/mnt/data")
        .unwrap()
        .into_iter()
        .map(|f| (f.path, f.kind, f.size, f.modified))
        .collect();
    assert_eq!(
        listed,
        [
            ("/mnt/data/a".to_owned(), FileKind::Folder, 0, 7),
            ("/mnt/data/a/b".to_owned(), FileKind::Folder, 0, 7),
            ("/mnt/data/a/b/c.txt".to_owned(), FileKind::File, 7, 7),
            ("/mnt/data/top.txt".to_owned(), FileKind::File, 1, 10),
        ]
    );
    assert_eq!(fs.list("top.txt").unwrap().len(), 1);
    assert_eq!(fs.list("/").unwrap().len(), 8);
    assert_eq!(fs.used_files(), 5);
}

#[test]
fn removing_takes_everything_below() {
    let mut fs = fresh();
    let empty = fs.host_bytes();
    for path in ["d/a", "d/e/b", "d/e/f/c", "other"] {
        fs.write_file(path, b"x", NOW).unwrap();
    }
    symlink(&mut fs, "../other", "d/link").unwrap();
    fs.remove("d", NOW).unwrap();
    assert_eq!(names(&fs, ".").unwrap(), ["other"]);
    fs.remove("/mnt/data/other", NOW).unwrap();
    assert_eq!(
        (fs.used_files(), fs.used_bytes(), fs.host_bytes()),
        (0, 0, empty)
    );
    assert!(fs.remove("/mnt/data", NOW).is_err());
    assert!(fs.remove("/", NOW).is_err());
    assert!(fs.remove("none", NOW).is_err());
}

#[test]
fn putting_happens_wholly_or_not_at_all() {
    let mut fs = FileSystem::new(&small(), &[]).unwrap();
    fs.write_file("f", &[1; 300], NOW).unwrap();
    fs.write_file("g", &[1; 300], NOW).unwrap();
    fs.write_file("h", &[1; 300], NOW).unwrap();
    assert_eq!(
        fs.write_file("new/i", &[2; 400], NOW)
            .unwrap_err()
            .to_string(),
        "new/i: no space left"
    );
    assert_eq!(
        fs.write_file("f", &[2; 401], NOW).unwrap_err().to_string(),
        "f: file too large"
    );
    assert_eq!(names(&fs, ".").unwrap(), ["f", "g", "h"]);
    assert_eq!(fs.read_file("f").unwrap(), [1; 300]);
    assert_eq!(fs.used_files(), 3);
    assert!(fs.write_file("f/x", b"", NOW).is_err());
    assert!(fs.write_file("/mnt", b"", NOW).is_err());
    assert!(fs.write_file("/x", b"", NOW).is_err());
    assert!(fs.write_file("", b"", NOW).is_err());
    assert!(
        fs.read_file("/mnt/data")
            .unwrap_err()
            .to_string()
            .contains("is a folder")
    );
    assert!(
        fs.read_file("none")
            .unwrap_err()
            .to_string()
            .contains("no such file")
    );
}
