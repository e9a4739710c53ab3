//! Archives that somebody made to do harm: refused as a whole, or harmless.

use super::*;
use crate::Error;
use ::tar::{Builder, EntryType, Header};

/// An archive in the making, byte by byte where need be.
pub(super) struct Made(pub(super) Builder<Vec<u8>>);

impl Made {
    pub(super) fn new() -> Self {
        Self(Builder::new(Vec::new()))
    }

    /// An entry whose name and link are written as they are, with a size that may be a lie.
    pub(super) fn raw(
        mut self,
        kind: EntryType,
        name: &[u8],
        link: &[u8],
        size: u64,
        content: &[u8],
    ) -> Self {
        let mut header = Header::new_gnu();
        let fields = header.as_old_mut();
        fields.name[..name.len()].copy_from_slice(name);
        fields.linkname[..link.len()].copy_from_slice(link);
        header.set_entry_type(kind);
        header.set_mode(0o7777);
        header.set_uid(0);
        header.set_gid(0);
        header.set_mtime(1);
        header.set_size(size);
        header.set_cksum();
        self.0.append(&header, content).unwrap();
        self
    }

    pub(super) fn file(self, name: &str, content: &[u8]) -> Self {
        let size = content.len() as u64;
        self.raw(EntryType::Regular, name.as_bytes(), b"", size, content)
    }

    pub(super) fn folder(self, name: &str) -> Self {
        self.raw(EntryType::Directory, name.as_bytes(), b"", 0, b"")
    }

    pub(super) fn symlink(self, name: &str, target: &str) -> Self {
        self.raw(
            EntryType::Symlink,
            name.as_bytes(),
            target.as_bytes(),
            0,
            b"",
        )
    }

    pub(super) fn link(self, name: &str, target: &str) -> Self {
        self.raw(EntryType::Link, name.as_bytes(), target.as_bytes(), 0, b"")
    }

    pub(super) fn special(self, kind: EntryType) -> Self {
        self.raw(kind, b"special", b"", 0, b"")
    }

    pub(super) fn pax(mut self, records: &[(&str, &[u8])]) -> Self {
        let records = records.iter().copied();
        self.0.append_pax_extensions(records).unwrap();
        self
    }

    pub(super) fn extension(self, kind: EntryType, content: &[u8]) -> Self {
        self.raw(kind, b"extension", b"", content.len() as u64, content)
    }

    pub(super) fn done(self) -> Vec<u8> {
        self.0.into_inner().unwrap()
    }
}

/// A file system with something to lose.
pub(super) fn kept() -> FileSystem {
    let mut fs = fresh();
    fs.write_file("d/file", b"kept", NOW).unwrap();
    fs.write_file("outside", b"kept", NOW).unwrap();
    symlink(&mut fs, "..", "d/up").unwrap();
    symlink(&mut fs, "/tmp", "d/tmp").unwrap();
    fs
}

/// Unpacks into `d`, which must come to nothing, and says why.
#[track_caller]
pub(super) fn refused(archive: &[u8]) -> Error {
    let mut fs = kept();
    let before = fs.clone();
    let error = fs.unpack_tar("d", archive, NOW).unwrap_err();
    assert!(fs.tree.is_same(&before.tree), "{error}");
    assert_eq!(fs.used_files(), before.used_files());
    assert_eq!(fs.host_bytes(), before.host_bytes());
    error
}

#[track_caller]
pub(super) fn refused_for(made: Made, reason: &str) {
    // What comes first is undone, too.
    let mut archive = Made::new().file("first", b"first").done();
    archive.truncate(1024);
    archive.extend(made.done());
    let error = refused(&archive).to_string();
    assert!(error.contains(reason), "{error}");
}

#[test]
fn names_that_lead_elsewhere() {
    refused_for(Made::new().file("/etc/passwd", b"x"), "absolute");
    refused_for(Made::new().file("../outside", b"x"), "leads out");
    refused_for(Made::new().file("a/../../outside", b"x"), "leads out");
    refused_for(Made::new().file("a/..", b"x"), "leads out");
    refused_for(Made::new().folder("../"), "leads out");
    refused_for(Made::new().file("", b"x"), "no name");
    refused_for(Made::new().file("./", b"x"), "with content");
    refused_for(Made::new().file(".", b"x"), "no name");
    refused_for(Made::new().symlink(".", "x"), "no name");
    let name = Made::new().extension(EntryType::GNULongName, b"a\0b\0");
    refused_for(name.file("short", b""), "NUL");
    let name = Made::new().pax(&[("path", b"../../x")]);
    refused_for(name.file("harmless", b""), "leads out");
    let name = [b'n'; 300];
    let name = Made::new().extension(EntryType::GNULongName, &name);
    refused_for(name.file("short", b""), "too long");
}

#[test]
fn nothing_is_unpacked_through_a_link() {
    refused_for(Made::new().file("up/outside", b"x"), "link is in its way");
    refused_for(Made::new().file("tmp/x", b"x"), "link is in its way");
    refused_for(Made::new().folder("up/new/"), "link is in its way");
    refused_for(Made::new().folder("tmp/"), "link is in its way");
    let made = Made::new().symlink("l", "/mnt/data").file("l/x", b"x");
    refused_for(made, "link is in its way");
    let made = Made::new().link("h", "up/outside");
    refused_for(made, "link is in its way");
    // A file in the place of a link replaces the link.
    let archive = Made::new()
        .symlink("l", "../outside")
        .file("l", b"new")
        .file("up", b"new")
        .done();
    let mut fs = kept();
    fs.unpack_tar("d", &archive[..], NOW).unwrap();
    assert_eq!(lstat(&fs, "d/l").unwrap().kind, FileKind::File);
    assert_eq!(lstat(&fs, "d/up").unwrap().kind, FileKind::File);
    assert_eq!(fs.read_file("outside").unwrap(), b"kept");
}

#[test]
fn links_are_made_as_they_stand() {
    let archive = Made::new()
        .symlink("out", "../../../../etc/passwd")
        .symlink("root", "/")
        .symlink("self", "self")
        .done();
    let mut fs = kept();
    fs.unpack_tar("d", &archive[..], NOW).unwrap();
    let base = base(&fs);
    for (name, target) in [("out", "../../../../etc/passwd"), ("root", "/")] {
        let path = format!("d/{name}");
        let read = fs.read_link(&base, path.as_bytes()).unwrap();
        assert_eq!(read, target.as_bytes());
    }
    assert_eq!(stat(&fs, "d/out"), Err(Errno::Noent));
    assert_eq!(stat(&fs, "d/self"), Err(Errno::Loop));
    refused_for(Made::new().symlink("l", ""), "no such file");
    let long = Made::new().extension(EntryType::GNULongLink, &[b'x'; 5000]);
    refused_for(long.symlink("l", "x"), "too long");
}

#[test]
fn hard_links_stay_in_the_folder() {
    refused_for(Made::new().link("h", "../outside"), "leads out");
    refused_for(Made::new().link("h", "/mnt/data/outside"), "absolute");
    refused_for(Made::new().link("h", "none"), "not there");
    refused_for(Made::new().folder("e/").link("h", "e"), "to a folder");
    refused_for(Made::new().link("h", "."), "to a folder");
    refused_for(Made::new().link("h", "file/x"), "not a folder");
    let archive = Made::new()
        .link("h", "./file")
        .link("file", "file")
        .link("s", "up")
        .done();
    let mut fs = kept();
    fs.unpack_tar("d", &archive[..], NOW).unwrap();
    assert_eq!(fs.read_file("d/h").unwrap(), b"kept");
    assert_eq!(stat(&fs, "d/file").unwrap().nlink, 2);
    assert_eq!(lstat(&fs, "d/s").unwrap().kind, FileKind::Link);
}

#[test]
fn kinds_that_are_no_files() {
    for kind in [EntryType::Char, EntryType::Block, EntryType::Fifo] {
        refused_for(Made::new().special(kind), "a device or a pipe");
    }
    for letter in [b'V', b'M', b'D', b'N', b'9', b'\n', 0xff] {
        let kind = EntryType::new(letter);
        refused_for(Made::new().special(kind), "is not unpacked");
    }
    for kind in [EntryType::Directory, EntryType::Symlink, EntryType::Link] {
        let made = Made::new().raw(kind, b"x", b"file", 5, b"12345");
        refused_for(made, "with content");
    }
}

#[test]
fn files_and_folders_do_not_take_each_others_place() {
    let folder = || Made::new().folder("e/").file("e/x", b"x");
    refused_for(folder().file("e", b"x"), "is a folder");
    refused_for(folder().symlink("e", "x"), "is a folder");
    refused_for(folder().link("e", "file"), "is a folder");
    refused_for(Made::new().folder("file/"), "not a folder");
    refused_for(Made::new().file("file/x", b"x"), "not a folder");
    // The last of several entries counts, and quotas count it alone.
    let mut made = Made::new();
    for n in 0..100 {
        made = made.file("same", &vec![n; 1 << 20]);
    }
    let mut fs = kept();
    let unpacked = fs.unpack_tar("d", &made.done()[..], NOW).unwrap();
    assert_eq!(unpacked.files, 100);
    assert_eq!(fs.read_file("d/same").unwrap(), vec![99; 1 << 20]);
    assert_eq!(stat(&fs, "d/same").unwrap().mtim, 1_000_000_000);
}
