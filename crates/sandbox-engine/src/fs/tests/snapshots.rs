//! A clone is the state of that moment.

use super::*;
use crate::fs::listing::DirEntry;

#[test]
fn a_change_after_a_snapshot_is_not_in_it() {
    let mut fs = fresh();
    put(&mut fs, "kept", b"before").unwrap();
    put(&mut fs, "gone", b"x").unwrap();
    mkdir(&mut fs, "folder").unwrap();
    put(&mut fs, "folder/f", &vec![1; 200_000]).unwrap();
    let mut before = fs.clone();

    put(&mut fs, "kept", b"after!").unwrap();
    unlink(&mut fs, "gone").unwrap();
    put(&mut fs, "new", b"new").unwrap();
    rename(&mut fs, "folder", "moved").unwrap();
    let big = create(&mut fs, "moved/f").unwrap();
    fs.write_at(&big, 100_000, b"changed", NOW).unwrap();

    assert_eq!(names(&before, ".").unwrap(), ["folder", "gone", "kept"]);
    assert_eq!(get(&mut before, "kept").unwrap(), b"before");
    assert_eq!(get(&mut before, "folder/f").unwrap(), vec![1; 200_000]);
    assert_eq!(names(&fs, ".").unwrap(), ["kept", "moved", "new"]);
    assert_eq!(
        &get(&mut fs, "moved/f").unwrap()[99_999..100_008],
        b"\x01changed\x01"
    );
    assert_eq!((before.used_files(), before.used_bytes()), (4, 200_007));
}

#[test]
fn two_branches_of_one_snapshot_do_not_meet() {
    let mut a = fresh();
    put(&mut a, "shared", b"shared").unwrap();
    let mut b = a.clone();
    put(&mut a, "a", b"from a").unwrap();
    put(&mut b, "b", b"from b").unwrap();
    assert_eq!(names(&a, ".").unwrap(), ["a", "shared"]);
    assert_eq!(names(&b, ".").unwrap(), ["b", "shared"]);
}

#[test]
fn open_files_are_part_of_a_snapshot() {
    let mut fs = fresh();
    let file = create(&mut fs, "f").unwrap();
    fs.write_at(&file, 0, b"content", NOW).unwrap();
    unlink(&mut fs, "f").unwrap();
    let mut before = fs.clone();
    fs.release(&file);
    let mut buf = [0; 7];
    assert_eq!(fs.read_at(&file, 0, &mut buf), Err(Errno::Noent));
    assert_eq!(before.read_at(&file, 0, &mut buf), Ok(7));
    before.release(&file);
    assert_eq!((before.used_files(), before.used_bytes()), (0, 0));
}

#[test]
fn a_write_after_a_snapshot_copies_one_chunk() {
    let mut fs = fresh();
    put(&mut fs, "f", &vec![1; 16 << 20]).unwrap();
    let before = fs.clone();
    let file = open(
        &mut fs,
        "f",
        OpenOptions {
            write: true,
            ..OpenOptions::default()
        },
    )
    .unwrap();
    fs.write_at(&file, 8 << 20, b"x", NOW).unwrap();
    let chunks = |fs: &FileSystem| -> Vec<usize> {
        let Place::Memory(ino) = file.place else {
            unreachable!()
        };
        fs.tree.content(ino).unwrap().chunk_addresses()
    };
    let (old, new) = (chunks(&before), chunks(&fs));
    assert_eq!(
        old.iter().zip(&new).filter(|(old, new)| old != new).count(),
        1
    );
}

#[test]
fn a_file_system_and_its_parts_can_move_between_threads() {
    fn check<T: Send + Sync + 'static>() {}
    check::<FileSystem>();
    check::<Node>();
    check::<DirEntry>();
}
