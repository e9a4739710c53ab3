//! Where paths lead in the session's own tree.

use super::*;

fn kind(fs: &FileSystem, path: &str) -> Result<FileKind> {
    stat(fs, path).map(|stat| stat.kind)
}

#[test]
fn the_structure_is_there_from_the_start() {
    let fs = fresh();
    for path in [
        "/",
        "/mnt",
        "/mnt/data",
        "/tmp",
        ".",
        "..",
        "../..",
        "../../../../..",
        "/..",
        "//mnt///data/./",
    ] {
        assert_eq!(kind(&fs, path), Ok(FileKind::Folder), "{path}");
    }
    assert_eq!(stat(&fs, "..").unwrap().ino, stat(&fs, "/mnt").unwrap().ino);
    assert_eq!(
        stat(&fs, "../../../..").unwrap().ino,
        stat(&fs, "/").unwrap().ino
    );
    assert_eq!(names(&fs, "/").unwrap(), ["mnt", "tmp"]);
    assert_eq!(names(&fs, "/mnt").unwrap(), ["data"]);
    let entries = fs.read_dir(&base(&fs)).unwrap();
    assert_eq!(*entries[0].name, *b".");
    assert_eq!(entries[0].ino, stat(&fs, ".").unwrap().ino);
    assert_eq!(*entries[1].name, *b"..");
    assert_eq!(entries[1].ino, stat(&fs, "..").unwrap().ino);
}

#[test]
fn the_structure_cannot_be_changed() {
    let mut fs = fresh();
    for path in ["/x", "/mnt/x"] {
        assert_eq!(put(&mut fs, path, b""), Err(Errno::Rofs));
        assert_eq!(mkdir(&mut fs, path), Err(Errno::Rofs));
        assert_eq!(symlink(&mut fs, "a", path), Err(Errno::Rofs));
    }
    for path in ["/mnt", "/mnt/data", "/tmp"] {
        assert_eq!(rmdir(&mut fs, path), Err(Errno::Rofs));
        assert_eq!(rename(&mut fs, path, "/tmp/x"), Err(Errno::Rofs));
    }
    put(&mut fs, "f", b"").unwrap();
    assert_eq!(rename(&mut fs, "f", "/f"), Err(Errno::Rofs));
    assert_eq!(link(&mut fs, "f", "/f"), Err(Errno::Rofs));
    assert_eq!(mkdir(&mut fs, "/"), Err(Errno::Exist));
    assert_eq!(
        fs.set_times(&FileSystem::root(), Some(1), None, NOW),
        Err(Errno::Rofs)
    );
    assert_eq!(
        rename(&mut fs, "f", "/tmp/f"),
        Ok(()),
        "scratch space is the same world"
    );
}

#[test]
fn impossible_paths() {
    let mut fs = fresh();
    assert_eq!(kind(&fs, ""), Err(Errno::Noent));
    assert_eq!(kind(&fs, "a\0b"), Err(Errno::Inval));
    assert_eq!(kind(&fs, &"./".repeat(2048)), Ok(FileKind::Folder));
    assert_eq!(kind(&fs, &"./".repeat(2049)), Err(Errno::Nametoolong));
    let name = "n".repeat(255);
    put(&mut fs, &name, b"x").unwrap();
    assert_eq!(kind(&fs, &name), Ok(FileKind::File));
    assert_eq!(
        put(&mut fs, &"n".repeat(256), b"x"),
        Err(Errno::Nametoolong)
    );
}

#[test]
fn odd_names_are_names() {
    let mut fs = fresh();
    let base = base(&fs);
    let odd: [&[u8]; 9] = [
        b" ",
        b"new\nline",
        b"\xff\xfe",
        b"...",
        b"-rf",
        b"*",
        b"A",
        b"a",
        "\u{e9}".as_bytes(),
    ];
    for name in odd {
        let options = OpenOptions {
            create: true,
            exclusive: true,
            write: true,
            ..OpenOptions::default()
        };
        let file = fs.open(&base, name, options, NOW).unwrap();
        fs.write_at(&file, 0, name, NOW).unwrap();
    }
    let mut sorted: Vec<&[u8]> = odd.to_vec();
    sorted.sort_unstable();
    let entries = fs.read_dir(&base).unwrap();
    assert_eq!(
        entries
            .iter()
            .skip(2)
            .map(|entry| &entry.name[..])
            .collect::<Vec<_>>(),
        sorted
    );
    assert_eq!(fs.stat_path(&base, b"\xff\xfe", true).unwrap().size, 2);
}

#[test]
fn links_lead_where_they_say() {
    let mut fs = fresh();
    mkdir(&mut fs, "d").unwrap();
    put(&mut fs, "d/f", b"content").unwrap();
    for (target, name) in [
        ("d/f", "relative"),
        ("/mnt/data/d/f", "absolute"),
        ("./d/../d//f", "odd"),
        ("../data/d/f", "around"),
        ("relative", "second"),
        ("../../../../../../mnt/data/d/f", "above"),
    ] {
        symlink(&mut fs, target, name).unwrap();
        assert_eq!(get(&mut fs, name).unwrap(), b"content", "{name}");
        assert_eq!(lstat(&fs, name).unwrap().kind, FileKind::Link);
        assert_eq!(lstat(&fs, name).unwrap().size, target.len() as u64);
        assert_eq!(
            fs.read_link(&base(&fs), name.as_bytes()).unwrap(),
            target.as_bytes()
        );
    }
    symlink(&mut fs, "d", "folder").unwrap();
    assert_eq!(get(&mut fs, "folder/f").unwrap(), b"content");
    assert_eq!(lstat(&fs, "folder").unwrap().kind, FileKind::Link);
    assert_eq!(lstat(&fs, "folder/").unwrap().kind, FileKind::Folder);
    assert_eq!(
        stat(&fs, "folder/..").unwrap().ino,
        stat(&fs, ".").unwrap().ino
    );
    assert_eq!(fs.read_link(&base(&fs), b"d"), Err(Errno::Inval));
    assert_eq!(fs.read_link(&base(&fs), b"none"), Err(Errno::Noent));
    assert_eq!(symlink(&mut fs, "", "empty"), Err(Errno::Noent));
    assert_eq!(symlink(&mut fs, "x", "folder"), Err(Errno::Exist));
}

#[test]
fn a_link_to_nothing_can_be_made_real() {
    let mut fs = fresh();
    symlink(&mut fs, "later", "l").unwrap();
    assert_eq!(get(&mut fs, "l"), Err(Errno::Noent));
    let exclusive = OpenOptions {
        create: true,
        exclusive: true,
        write: true,
        ..OpenOptions::default()
    };
    assert_eq!(open(&mut fs, "l", exclusive).err(), Some(Errno::Exist));
    put(&mut fs, "l", b"now").unwrap();
    assert_eq!(get(&mut fs, "later").unwrap(), b"now");
}

#[test]
fn circles_end() {
    let mut fs = fresh();
    symlink(&mut fs, "self", "self").unwrap();
    symlink(&mut fs, "b", "a").unwrap();
    symlink(&mut fs, "a/x", "b").unwrap();
    for path in ["self", "self/x", "a", "b"] {
        assert_eq!(kind(&fs, path), Err(Errno::Loop), "{path}");
    }
    // A link to the folder around it is no circle.
    symlink(&mut fs, ".", "here").unwrap();
    assert_eq!(kind(&fs, &"here/".repeat(40)), Ok(FileKind::Folder));
    assert_eq!(kind(&fs, &"here/".repeat(41)), Err(Errno::Loop));
    put(&mut fs, "end", b"").unwrap();
    let mut last = "end".to_owned();
    for n in 0..41 {
        let name = format!("chain{n}");
        symlink(&mut fs, &last, &name).unwrap();
        last = name;
    }
    assert_eq!(kind(&fs, "chain39"), Ok(FileKind::File));
    assert_eq!(kind(&fs, "chain40"), Err(Errno::Loop));
}

#[test]
fn a_slash_at_the_end_means_a_folder() {
    let mut fs = fresh();
    put(&mut fs, "f", b"").unwrap();
    mkdir(&mut fs, "d/").unwrap();
    symlink(&mut fs, "f", "to_file").unwrap();
    symlink(&mut fs, "d", "to_folder").unwrap();
    assert_eq!(kind(&fs, "f/"), Err(Errno::Notdir));
    assert_eq!(kind(&fs, "to_file/"), Err(Errno::Notdir));
    assert_eq!(kind(&fs, "to_folder/"), Ok(FileKind::Folder));
    assert_eq!(create(&mut fs, "new/").err(), Some(Errno::Isdir));
    assert_eq!(unlink(&mut fs, "f/"), Err(Errno::Notdir));
    assert_eq!(rmdir(&mut fs, "to_folder/"), Err(Errno::Notdir));
    assert_eq!(rename(&mut fs, "f", "g/"), Err(Errno::Notdir));
    assert_eq!(rename(&mut fs, "d/", "e/"), Ok(()));
    assert_eq!(rmdir(&mut fs, "e/"), Ok(()));
}

#[test]
fn a_file_is_no_folder_on_the_way() {
    let mut fs = fresh();
    put(&mut fs, "f", b"").unwrap();
    assert_eq!(kind(&fs, "f/x"), Err(Errno::Notdir));
    assert_eq!(kind(&fs, "f/.."), Err(Errno::Notdir));
    assert_eq!(kind(&fs, "none/.."), Err(Errno::Noent));
    let file = open(
        &mut fs,
        "f",
        OpenOptions {
            read: true,
            ..OpenOptions::default()
        },
    )
    .unwrap();
    assert_eq!(fs.lookup(&file, b"x", true).err(), Some(Errno::Notdir));
    assert_eq!(fs.lookup(&file, b".", true).err(), Some(Errno::Notdir));
    assert!(fs.lookup(&file, b"/tmp", true).is_ok());
    assert_eq!(fs.read_dir(&file), Err(Errno::Notdir));
}

#[test]
fn how_things_can_be_opened() {
    let mut fs = fresh();
    put(&mut fs, "f", b"content").unwrap();
    mkdir(&mut fs, "d").unwrap();
    symlink(&mut fs, "f", "l").unwrap();
    let base = base(&fs);
    let none = OpenOptions::default();
    let read = OpenOptions { read: true, ..none };
    let make = OpenOptions {
        create: true,
        ..none
    };
    let empty = OpenOptions {
        truncate: true,
        ..none
    };
    let folder = OpenOptions {
        directory: true,
        ..none
    };
    for (path, options, expected) in [
        ("l", read, Errno::Loop),
        ("f", folder, Errno::Notdir),
        (
            "d",
            OpenOptions {
                write: true,
                ..none
            },
            Errno::Isdir,
        ),
        ("d", empty, Errno::Isdir),
        ("d", make, Errno::Isdir),
        (
            "x",
            OpenOptions {
                directory: true,
                ..make
            },
            Errno::Inval,
        ),
        ("x", read, Errno::Noent),
        ("x/y", make, Errno::Noent),
        ("f/y", make, Errno::Notdir),
        (
            "f",
            OpenOptions {
                exclusive: true,
                ..make
            },
            Errno::Exist,
        ),
    ] {
        let refused = fs.open(&base, path.as_bytes(), options, NOW).err();
        assert_eq!(refused, Some(expected), "{path} {options:?}");
    }
}

#[test]
fn what_opening_does() {
    let mut fs = fresh();
    put(&mut fs, "f", b"content").unwrap();
    mkdir(&mut fs, "d").unwrap();
    let none = OpenOptions::default();
    let folder = open(
        &mut fs,
        "d",
        OpenOptions {
            read: true,
            directory: true,
            ..none
        },
    )
    .unwrap();
    assert_eq!(folder.kind(), FileKind::Folder);
    assert_eq!(fs.read_at(&folder, 0, &mut [0]), Err(Errno::Isdir));
    assert_eq!(fs.write_at(&folder, 0, b"x", NOW), Err(Errno::Isdir));
    open(
        &mut fs,
        "f",
        OpenOptions {
            write: true,
            truncate: true,
            ..none
        },
    )
    .unwrap();
    assert_eq!(get(&mut fs, "f").unwrap(), b"");
}
