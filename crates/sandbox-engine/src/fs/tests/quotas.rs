//! Quotas hold while bytes are written: just under passes, just over fails as documented, and the file system goes on.

use super::*;

fn limited() -> FileSystem {
    FileSystem::new(&small(), &[]).unwrap()
}

#[test]
fn a_file_may_have_the_bytes_of_the_limit_and_no_more() {
    let mut fs = limited();
    let file = create(&mut fs, "f").unwrap();
    assert_eq!(fs.write_at(&file, 0, &[1; 400], NOW), Ok(400));
    assert_eq!(fs.write_at(&file, 400, b"x", NOW), Err(Errno::Fbig));
    assert_eq!(fs.set_size(&file, 401, NOW), Err(Errno::Fbig));
    assert_eq!(
        fs.write_at(&file, 0, &[2; 400], NOW),
        Ok(400),
        "replacing needs no room"
    );
    assert_eq!(fs.append(&file, b"x", NOW), Err(Errno::Fbig));
    assert_eq!(fs.write_at(&file, u64::MAX, b"x", NOW), Err(Errno::Fbig));
    assert_eq!(fs.write_at(&file, u64::MAX, b"", NOW), Ok(0));
    assert_eq!(fs.stat(&file).unwrap().size, 400);
}

#[test]
fn a_write_that_only_half_fits_writes_that_half() {
    let mut fs = limited();
    let file = create(&mut fs, "f").unwrap();
    assert_eq!(fs.write_at(&file, 0, &[1; 500], NOW), Ok(400));
    put(&mut fs, "g", &[1; 400]).unwrap();
    let last = create(&mut fs, "h").unwrap();
    assert_eq!(fs.append(&last, &[1; 300], NOW), Ok((200, 200)));
    assert_eq!(fs.append(&last, &[1; 300], NOW), Err(Errno::Nospc));
    assert_eq!(fs.used_bytes(), 1000);
}

#[test]
fn all_files_together_may_have_the_bytes_of_the_limit() {
    let mut fs = limited();
    for name in ["a", "b"] {
        put(&mut fs, name, &[1; 400]).unwrap();
    }
    let file = create(&mut fs, "c").unwrap();
    assert_eq!(fs.set_size(&file, 201, NOW), Err(Errno::Nospc));
    assert_eq!(fs.set_size(&file, 200, NOW), Ok(()));
    assert_eq!(fs.write_at(&file, 200, b"x", NOW), Err(Errno::Nospc));
    assert_eq!(
        symlink(&mut fs, "a", "l"),
        Err(Errno::Nospc),
        "a link's target is content too"
    );
    unlink(&mut fs, "a").unwrap();
    assert_eq!(fs.used_bytes(), 600);
    assert_eq!(fs.write_at(&file, 200, &[1; 300], NOW), Ok(200));
}

#[test]
fn holes_count_like_bytes() {
    let mut fs = limited();
    let file = create(&mut fs, "f").unwrap();
    assert_eq!(fs.write_at(&file, 399, b"xy", NOW), Ok(1));
    assert_eq!(fs.used_bytes(), 400);
    let mut all = [1; 500];
    assert_eq!(fs.read_at(&file, 0, &mut all), Ok(400));
    assert!(all[..399].iter().all(|&byte| byte == 0));
    fs.set_size(&file, 0, NOW).unwrap();
    assert_eq!(fs.used_bytes(), 0);
}

#[test]
fn names_of_every_kind_count() {
    let mut fs = limited();
    for name in ["a", "b"] {
        put(&mut fs, name, b"").unwrap();
    }
    for name in ["d", "e"] {
        mkdir(&mut fs, name).unwrap();
    }
    symlink(&mut fs, "a", "l").unwrap();
    link(&mut fs, "a", "m").unwrap();
    link(&mut fs, "a", "n").unwrap();
    assert_eq!(fs.used_files(), 7);
    put(&mut fs, "../../tmp/x", b"").unwrap();
    assert_eq!(fs.used_files(), 8);
    assert_eq!(put(&mut fs, "x", b""), Err(Errno::Dquot));
    assert_eq!(mkdir(&mut fs, "x"), Err(Errno::Dquot));
    assert_eq!(symlink(&mut fs, "a", "x"), Err(Errno::Dquot));
    assert_eq!(link(&mut fs, "a", "x"), Err(Errno::Dquot));
    assert_eq!(rename(&mut fs, "a", "x"), Ok(()), "moving needs no room");
    assert_eq!(
        put(&mut fs, "x", b"123"),
        Ok(()),
        "what is there can be opened"
    );
    rmdir(&mut fs, "d").unwrap();
    assert_eq!(mkdir(&mut fs, "y"), Ok(()));
}

#[test]
fn an_open_file_without_names_counts_until_it_is_closed() {
    let mut fs = limited();
    let file = create(&mut fs, "f").unwrap();
    fs.write_at(&file, 0, &[7; 100], NOW).unwrap();
    let again = open(
        &mut fs,
        "f",
        OpenOptions {
            read: true,
            ..OpenOptions::default()
        },
    )
    .unwrap();
    unlink(&mut fs, "f").unwrap();
    assert_eq!((fs.used_files(), fs.used_bytes()), (1, 100));
    assert_eq!(fs.stat(&file).unwrap().nlink, 0);
    assert_eq!(
        fs.write_at(&file, 100, &[7; 100], NOW),
        Ok(100),
        "it can still be written"
    );
    fs.release(&file);
    let mut byte = [0];
    assert_eq!(fs.read_at(&again, 199, &mut byte), Ok(1));
    fs.release(&again);
    assert_eq!((fs.used_files(), fs.used_bytes()), (0, 0));
    assert_eq!(fs.read_at(&again, 0, &mut byte), Err(Errno::Noent));
}

#[test]
fn replacing_and_removing_give_everything_back() {
    let mut fs = limited();
    let empty = fs.host_bytes();
    put(&mut fs, "a", &[1; 100]).unwrap();
    put(&mut fs, "b", &[1; 200]).unwrap();
    rename(&mut fs, "a", "b").unwrap();
    assert_eq!((fs.used_files(), fs.used_bytes()), (1, 100));
    link(&mut fs, "b", "c").unwrap();
    unlink(&mut fs, "b").unwrap();
    assert_eq!((fs.used_files(), fs.used_bytes()), (1, 100));
    symlink(&mut fs, "nowhere", "l").unwrap();
    unlink(&mut fs, "l").unwrap();
    unlink(&mut fs, "c").unwrap();
    assert_eq!(
        (fs.used_files(), fs.used_bytes(), fs.host_bytes()),
        (0, 0, empty)
    );
}

#[test]
fn folders_are_only_so_deep() {
    let mut fs = limited();
    // The workspace is the second folder.
    mkdir(&mut fs, "3").unwrap();
    mkdir(&mut fs, "3/4").unwrap();
    mkdir(&mut fs, "3/4/5").unwrap();
    mkdir(&mut fs, "3/4/5/6").unwrap();
    assert_eq!(mkdir(&mut fs, "3/4/5/6/7"), Err(Errno::Nametoolong));
    assert_eq!(put(&mut fs, "3/4/5/6/file", b"x"), Ok(()));
    mkdir(&mut fs, "c").unwrap();
    mkdir(&mut fs, "c/d").unwrap();
    assert_eq!(
        rename(&mut fs, "c", "3/4/5/c"),
        Err(Errno::Nametoolong),
        "nor by moving"
    );
    assert_eq!(rename(&mut fs, "c", "3/4/c"), Ok(()));
}

#[test]
fn what_the_host_holds_follows_what_is_there() {
    let mut fs = fresh();
    let empty = fs.host_bytes();
    put(&mut fs, "f", &vec![1; 1 << 20]).unwrap();
    let held = fs.host_bytes() - empty;
    assert!((1 << 20..(1 << 20) + 2000).contains(&held), "{held}");
    let hole = create(&mut fs, "hole").unwrap();
    fs.set_size(&hole, 30 << 20, NOW).unwrap();
    assert!(fs.host_bytes() - empty - held < 1000);
}
