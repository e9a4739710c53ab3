//! What may move in a mount, and listings of more than there is room for.

use super::mounts::{host, mounted, shown, with};
use super::*;
use std::os::unix::fs::symlink as host_symlink;

#[test]
fn a_link_is_not_carried_to_where_it_leads_out() {
    let dir = host();
    let top = shown(&dir);
    host_symlink("../file", top.join("sub/up")).unwrap();
    host_symlink("inner", top.join("sub/plain")).unwrap();
    std::fs::create_dir(top.join("other")).unwrap();
    let mut fs = with(&dir, "/m", true);
    for target in ["/m/up", "/m/other/up"] {
        assert_eq!(rename(&mut fs, "/m/sub/up", target), Err(Errno::Acces));
        assert_eq!(link(&mut fs, "/m/sub/up", target), Err(Errno::Acces));
    }
    assert_eq!(rename(&mut fs, "/m/sub/plain", "/m/plain"), Ok(()));
    assert_eq!(rename(&mut fs, "/m/sub/up", "/m/sub/upper"), Ok(()));
    assert_eq!(link(&mut fs, "/m/sub/upper", "/m/sub/second"), Ok(()));
    assert_eq!(get(&mut fs, "/m/sub/second").unwrap(), b"content");
}

#[test]
fn a_folder_is_not_carried_to_where_a_link_in_it_leads_out() {
    for (text, inside, expected) in [
        ("../file", "sub/l", Err(Errno::Acces)),
        ("../../file", "sub/deep/l", Err(Errno::Acces)),
        ("../inner", "sub/deep/l", Ok(())),
        (".././inner", "sub/deep/l", Ok(())),
        // What comes after a name may lead anywhere.
        ("deep/../inner", "sub/l", Err(Errno::Acces)),
        ("/etc", "sub/l", Ok(())),
        ("deep", "sub/l", Ok(())),
    ] {
        let dir = host();
        let top = shown(&dir);
        std::fs::create_dir(top.join("other")).unwrap();
        host_symlink(text, top.join(inside)).unwrap();
        let mut fs = with(&dir, "/m", true);
        assert_eq!(
            rename(&mut fs, "/m/sub", "/m/other/sub"),
            expected,
            "{text} in {inside}"
        );
        if expected.is_err() {
            assert_eq!(rename(&mut fs, "/m/sub", "/m/beside"), Ok(()));
        }
    }
}

#[test]
fn folders_do_not_get_too_deep_by_moving() {
    let dir = host();
    let mut fs = FileSystem::new(&small(), &[mounted(&shown(&dir), "/m", true)]).unwrap();
    for path in ["/m/a", "/m/a/b", "/m/a/b/c", "/m/x", "/m/x/y", "/m/x/y/z"] {
        mkdir(&mut fs, path).unwrap();
    }
    // Six folders may lie one inside another, and the mount is one of them.
    let too_deep = Err(Errno::Nametoolong);
    assert_eq!(rename(&mut fs, "/m/a", "/m/x/y/z/a"), too_deep);
    assert_eq!(rename(&mut fs, "/m/a", "/m/x/y/a"), Ok(()));
    assert_eq!(rename(&mut fs, "/m/x/y/a/b", "/m/x/y/z/b"), Ok(()));
    assert_eq!(stat(&fs, "/m/x/y/z/b/c").unwrap().kind, FileKind::Folder);
}

#[test]
fn a_folder_with_too_much_in_it_stays_in_its_folder() {
    let dir = host();
    let top = shown(&dir);
    std::fs::create_dir(top.join("full")).unwrap();
    for name in 0..10_001 {
        std::fs::write(top.join(format!("full/{name}")), "").unwrap();
    }
    let mut fs = with(&dir, "/m", true);
    assert_eq!(
        rename(&mut fs, "/m/full", "/m/sub/full"),
        Err(Errno::Xdev),
        "programs that are told so copy"
    );
    assert_eq!(rename(&mut fs, "/m/full", "/m/fuller"), Ok(()));
}

#[test]
fn a_listing_ends_where_there_is_no_room() {
    let dir = host();
    let mut fs = with(&dir, "/m", false);
    for name in 0..100 {
        put(&mut fs, &format!("{name}"), b"").unwrap();
        std::fs::write(shown(&dir).join(format!("{name}")), "").unwrap();
    }
    let list_within = |folder: &Node, room| {
        let mut lister = fs.begin_listing(folder, room)?;
        while !lister.advance(7)? {}
        Ok::<_, Errno>(lister.finish())
    };
    for path in [&b"m"[..], b"mnt/data"] {
        let folder = fs.lookup(&FileSystem::root(), path, true).unwrap();
        let whole = list_within(&folder, u64::MAX).unwrap();
        assert!(whole.entries.len() > 100 && whole.host_bytes() > 6400);
        assert!(whole.entries[2..].is_sorted_by_key(|entry| &entry.name));
        let room = whole.host_bytes();
        assert!(list_within(&folder, room).is_ok());
        assert_eq!(list_within(&folder, room - 1).err(), Some(Errno::Nomem));
        assert_eq!(list_within(&folder, 0).err(), Some(Errno::Nomem));
    }
}
