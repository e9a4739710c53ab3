//! Making, moving and removing names in the session's own tree.

use super::*;

#[test]
fn folders_come_and_go() {
    let mut fs = fresh();
    mkdir(&mut fs, "d").unwrap();
    assert_eq!(mkdir(&mut fs, "d"), Err(Errno::Exist));
    assert_eq!(mkdir(&mut fs, "x/y"), Err(Errno::Noent));
    assert_eq!(mkdir(&mut fs, "."), Err(Errno::Exist));
    put(&mut fs, "d/f", b"").unwrap();
    assert_eq!(rmdir(&mut fs, "d"), Err(Errno::Notempty));
    assert_eq!(rmdir(&mut fs, "d/f"), Err(Errno::Notdir));
    assert_eq!(unlink(&mut fs, "d"), Err(Errno::Isdir));
    assert_eq!(unlink(&mut fs, "d/."), Err(Errno::Isdir));
    assert_eq!(rmdir(&mut fs, "d/."), Err(Errno::Inval));
    unlink(&mut fs, "d/f").unwrap();
    assert_eq!(unlink(&mut fs, "d/f"), Err(Errno::Noent));
    rmdir(&mut fs, "d").unwrap();
    assert_eq!(rmdir(&mut fs, "d"), Err(Errno::Noent));
    assert_eq!(fs.used_files(), 0);
}

#[test]
fn a_folder_that_was_removed_while_open_is_empty_and_stays_so() {
    let mut fs = fresh();
    mkdir(&mut fs, "d").unwrap();
    let folder = open(
        &mut fs,
        "d",
        OpenOptions {
            read: true,
            ..OpenOptions::default()
        },
    )
    .unwrap();
    rmdir(&mut fs, "d").unwrap();
    assert_eq!(fs.read_dir(&folder).unwrap().len(), 2);
    assert_eq!(fs.create_dir(&folder, b"x", NOW), Err(Errno::Noent));
    assert_eq!(fs.symlink(b"t", &folder, b"x", NOW), Err(Errno::Noent));
    let options = OpenOptions {
        create: true,
        write: true,
        ..OpenOptions::default()
    };
    assert_eq!(
        fs.open(&folder, b"x", options, NOW).err(),
        Some(Errno::Noent)
    );
    put(&mut fs, "f", b"").unwrap();
    let base = base(&fs);
    assert_eq!(
        fs.rename(&base, b"f", &folder, b"f", NOW),
        Err(Errno::Noent)
    );
    assert_eq!(
        fs.hard_link(&base, b"f", false, &folder, b"g", NOW),
        Err(Errno::Noent)
    );
    fs.release(&folder);
    assert_eq!(fs.stat(&folder), Err(Errno::Noent));
    assert_eq!(fs.used_files(), 1);
}

#[test]
fn renaming_replaces_like_by_like() {
    let mut fs = fresh();
    put(&mut fs, "a", b"a").unwrap();
    put(&mut fs, "b", b"b").unwrap();
    mkdir(&mut fs, "d").unwrap();
    mkdir(&mut fs, "e").unwrap();
    mkdir(&mut fs, "full").unwrap();
    put(&mut fs, "full/f", b"").unwrap();
    assert_eq!(rename(&mut fs, "a", "d"), Err(Errno::Isdir));
    assert_eq!(rename(&mut fs, "d", "a"), Err(Errno::Notdir));
    assert_eq!(rename(&mut fs, "d", "full"), Err(Errno::Notempty));
    assert_eq!(rename(&mut fs, "d", "d/x"), Err(Errno::Inval));
    assert_eq!(rename(&mut fs, "full/f", "full"), Err(Errno::Notempty));
    assert_eq!(rename(&mut fs, "none", "x"), Err(Errno::Noent));
    assert_eq!(rename(&mut fs, "a", "none/x"), Err(Errno::Noent));
    assert_eq!(rename(&mut fs, "a", "."), Err(Errno::Inval));
    assert_eq!(rename(&mut fs, "a", "b"), Ok(()));
    assert_eq!(rename(&mut fs, "full", "e"), Ok(()));
    assert_eq!(rename(&mut fs, "e", "d/e"), Ok(()));
    assert_eq!(names(&fs, ".").unwrap(), ["b", "d"]);
    assert_eq!(get(&mut fs, "b").unwrap(), b"a");
    assert_eq!(names(&fs, "d/e").unwrap(), ["f"]);
    assert_eq!(
        stat(&fs, "d/e/..").unwrap().ino,
        stat(&fs, "d").unwrap().ino
    );
    assert_eq!(rename(&mut fs, "d", "d"), Ok(()));
    assert_eq!(rename(&mut fs, "d", "d/"), Ok(()));
}

#[test]
fn renaming_over_another_name_of_the_same_file_does_nothing() {
    let mut fs = fresh();
    put(&mut fs, "a", b"x").unwrap();
    link(&mut fs, "a", "b").unwrap();
    assert_eq!(rename(&mut fs, "a", "b"), Ok(()));
    assert_eq!(names(&fs, ".").unwrap(), ["a", "b"]);
    assert_eq!(rename(&mut fs, "a", "a"), Ok(()));
    assert_eq!(names(&fs, ".").unwrap(), ["a", "b"]);
}

#[test]
fn hard_links_are_one_file() {
    let mut fs = fresh();
    put(&mut fs, "a", b"one").unwrap();
    mkdir(&mut fs, "d").unwrap();
    link(&mut fs, "a", "d/b").unwrap();
    assert_eq!(stat(&fs, "a").unwrap().nlink, 2);
    assert_eq!(stat(&fs, "a").unwrap().ino, stat(&fs, "d/b").unwrap().ino);
    put(&mut fs, "d/b", b"two").unwrap();
    assert_eq!(get(&mut fs, "a").unwrap(), b"two");
    unlink(&mut fs, "a").unwrap();
    assert_eq!(get(&mut fs, "d/b").unwrap(), b"two");
    assert_eq!(stat(&fs, "d/b").unwrap().nlink, 1);
    assert_eq!(link(&mut fs, "d", "e"), Err(Errno::Perm));
    assert_eq!(link(&mut fs, "d/b", "d"), Err(Errno::Exist));
    assert_eq!(link(&mut fs, "d/b", "e/"), Err(Errno::Noent));
    symlink(&mut fs, "d/b", "l").unwrap();
    link(&mut fs, "l", "l2").unwrap();
    assert_eq!(lstat(&fs, "l2").unwrap().kind, FileKind::Link);
    let base = base(&fs);
    fs.hard_link(&base, b"l", true, &base, b"f2", NOW).unwrap();
    assert_eq!(lstat(&fs, "f2").unwrap().kind, FileKind::File);
}

#[test]
fn times_say_what_changed() {
    let mut fs = fresh();
    let base = base(&fs);
    let all = OpenOptions {
        create: true,
        read: true,
        write: true,
        ..OpenOptions::default()
    };
    let file = fs.open(&base, b"f", all, 10).unwrap();
    let times = |fs: &FileSystem| {
        let stat = fs.stat(&file).unwrap();
        (stat.atim, stat.mtim, stat.ctim)
    };
    assert_eq!(times(&fs), (10, 10, 10));
    assert_eq!(fs.stat(&base).unwrap().mtim, 10);
    fs.write_at(&file, 0, b"x", 20).unwrap();
    assert_eq!(times(&fs), (10, 20, 20));
    assert_eq!(fs.stat(&base).unwrap().mtim, 10);
    fs.read_at(&file, 0, &mut [0]).unwrap();
    assert_eq!(times(&fs), (10, 20, 20));
    fs.set_times(&file, Some(1), Some(2), 30).unwrap();
    assert_eq!(times(&fs), (1, 2, 30));
    fs.set_times(&file, None, None, 40).unwrap();
    assert_eq!(times(&fs), (1, 2, 40));
    fs.rename(&base, b"f", &base, b"g", 50).unwrap();
    assert_eq!(times(&fs), (1, 2, 50));
    assert_eq!(fs.stat(&base).unwrap().mtim, 50);
    fs.hard_link(&base, b"g", false, &base, b"h", 60).unwrap();
    assert_eq!(times(&fs), (1, 2, 60));
    fs.set_size(&file, 0, 70).unwrap();
    assert_eq!(times(&fs), (1, 70, 70));
    fs.unlink(&base, b"g", 80).unwrap();
    assert_eq!(times(&fs), (1, 70, 80));
    assert_eq!(fs.stat(&base).unwrap().mtim, 80);
}

#[test]
fn numbers_are_never_used_again() {
    let mut fs = fresh();
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..100 {
        put(&mut fs, "f", b"").unwrap();
        assert!(seen.insert(stat(&fs, "f").unwrap().ino));
        unlink(&mut fs, "f").unwrap();
    }
}
