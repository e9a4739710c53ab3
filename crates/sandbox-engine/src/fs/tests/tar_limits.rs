//! Archives that are too large, lie about it, or are damaged, and readers and writers that fail.

use super::tar_hostile::{Made, kept, refused, refused_for};
use super::*;
use crate::Error;
use ::tar::{EntryType, Header};
use proptest::prelude::*;
use std::io::{self, Read};

#[test]
fn quotas_hold_and_sizes_are_no_promise() {
    for size in [(32 << 20) + 1, 1 << 40, u64::MAX >> 1] {
        let made = Made::new().raw(EntryType::Regular, b"big", b"", size, b"x");
        let error = refused(&made.done());
        assert_eq!(error.to_string(), "/mnt/data/d/big: file too large");
    }
    let made = Made::new().raw(EntryType::Regular, b"big", b"", u64::MAX, b"x");
    refused(&made.done());
    let size = b"20000000000";
    let made = Made::new().pax(&[("size", size)]).file("big", b"x");
    refused_for(made, "too large");
    let mut made = Made::new();
    for n in 0..3 {
        made = made.file(&format!("f{n}"), &vec![1; 30 << 20]);
    }
    refused_for(made, "/mnt/data/d/f2: no space left");
    let mut made = Made::new();
    for n in 0..5000 {
        made = made.file(&format!("f{n}"), b"");
    }
    refused_for(made, "quota exceeded");
    let deep = "e/".repeat(49);
    let made = Made::new().folder(&deep);
    let more = Made::new().extension(EntryType::GNULongName, "e/".repeat(70).as_bytes());
    assert!(kept().unpack_tar("d", &made.done()[..], NOW).is_ok());
    refused_for(more.folder("x"), "too long");
}

#[test]
fn a_sparse_file_counts_like_its_size() {
    let sparse = |real: u64, at: u64, len: u64| {
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::GNUSparse);
        header.set_size(len);
        let gnu = header.as_gnu_mut().unwrap();
        gnu.name[..6].copy_from_slice(b"sparse");
        gnu.set_real_size(real);
        gnu.sparse[0].set_offset(at);
        gnu.sparse[0].set_length(len);
        header.set_mtime(1);
        header.set_cksum();
        let mut made = Made::new();
        made.0.append(&header, &[b'x'; 512][..]).unwrap();
        made
    };
    let mut fs = kept();
    let held = fs.host_bytes();
    let archive = sparse(30 << 20, (30 << 20) - 512, 512).done();
    fs.unpack_tar("d", &archive[..], NOW).unwrap();
    assert_eq!(stat(&fs, "d/sparse").unwrap().size, 30 << 20);
    assert!(fs.host_bytes() - held < 100_000);
    refused_for(sparse(1 << 40, (1 << 40) - 512, 512), "too large");
    refused_for(sparse(512, 1 << 40, 512), "mismatch");
    refused_for(sparse(100, u64::MAX - 5, 512), "");
    for key in ["GNU.sparse.major", "GNU.sparse.map", "GNU.sparse.size"] {
        let made = Made::new().pax(&[(key, b"1")]).file("f", b"");
        refused_for(made, "--format=gnu");
    }
}

#[test]
fn extended_headers_say_one_thing_or_are_refused() {
    let made = |records: &[(&str, &[u8])]| Made::new().pax(records).file("f", b"x");
    let twice: &[(&str, &[u8])] = &[("path", b"a"), ("path", b"b")];
    refused_for(made(twice), "twice");
    refused_for(made(&[("path", b"a\nb")]), "cannot be read");
    refused_for(made(&[("size", b"-1")]), "wrong size");
    for time in [&b"soon"[..], b"", b"1.x", b"1e9", b"1.5.5", b"+1", b"--1"] {
        refused_for(made(&[("mtime", time)]), "wrong time");
    }
    let header = Made::new().extension(EntryType::XHeader, b"no records");
    refused_for(header.file("f", b"x"), "cannot be read");
    for (time, expected) in [
        (&b"1.5"[..], 1_500_000_000),
        (b"12", 12_000_000_000),
        (b"1.0000000019", 1_000_000_001),
        (b"-3.5", 0),
        (b"99999999999", u64::MAX),
    ] {
        let mut fs = kept();
        let archive = made(&[("mtime", time), ("comment", b"=a=")]).done();
        fs.unpack_tar("d", &archive[..], NOW).unwrap();
        assert_eq!(stat(&fs, "d/f").unwrap().mtim, expected);
    }
    let global = |text: &[u8]| {
        Made::new()
            .extension(EntryType::XGlobalHeader, text)
            .file("f", b"x")
    };
    refused_for(global(b"10 path=a\n"), "all entries after it");
    refused_for(global(b"11 mtime=1\n"), "all entries after it");
    let archive = global(b"13 comment=a\n").done();
    assert!(kept().unpack_tar("d", &archive[..], NOW).is_ok());
    let long = Made::new().extension(EntryType::GNULongName, b"a");
    let long = long.extension(EntryType::GNULongName, b"b");
    refused_for(long.file("f", b"x"), "two long name");
    let alone = Made::new().extension(EntryType::GNULongName, b"a");
    refused_for(alone, "future member");
}

/// Zeros without end, and how many were taken.
struct Endless<'a>(&'a [u8], u64);

impl Read for Endless<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = if self.0.is_empty() {
            buf.fill(b'x');
            buf.len()
        } else {
            self.0.read(buf)?
        };
        self.1 += n as u64;
        Ok(n)
    }
}

#[test]
fn headers_without_end_are_not_held() {
    for kind in [
        EntryType::GNULongName,
        EntryType::GNULongLink,
        EntryType::XHeader,
        EntryType::XGlobalHeader,
    ] {
        let mut archive = Made::new().raw(kind, b"x", b"", 1 << 40, b"").done();
        archive.truncate(512);
        let mut reader = Endless(&archive, 0);
        let error = kept().unpack_tar("d", &mut reader, NOW).unwrap_err();
        assert!(error.to_string().contains("more than 1MiB"), "{error}");
        assert!(reader.1 <= 2 << 20, "{kind:?}: {}", reader.1);
    }
}

#[test]
fn what_is_cut_off_is_refused() {
    let archive = Made::new()
        .file("a", &[1; 1000])
        .folder("e/")
        .file("e/b", &[2; 600])
        .done();
    for len in 0..archive.len() {
        // From there on, the mark of the end is in it.
        let is_whole = len >= archive.len() - 512;
        let mut fs = kept();
        let before = fs.clone();
        let result = fs.unpack_tar("d", &archive[..len], NOW);
        assert_eq!(result.is_ok(), is_whole, "{len}: {result:?}");
        assert_eq!(fs.tree.is_same(&before.tree), !is_whole, "{len}");
    }
    let error = refused(b"");
    assert!(error.to_string().contains("mark of its end"), "{error}");
    let error = refused(b"no archive");
    assert!(error.to_string().contains("no archive"), "{error}");
    let error = refused(&[b'x'; 5000]);
    assert!(error.to_string().contains("number"), "{error}");
    for form in [&b"\x1f\x8b\x08\x00"[..], b"BZh9", b"\x28\xb5\x2f\xfd"] {
        let error = refused(&[form, &[7; 5000]].concat());
        assert!(error.to_string().contains("compressed"), "{error}");
    }
}

#[test]
fn what_comes_after_the_end_is_left_to_the_reader() {
    let mut archive = Made::new().file("a", b"x").done();
    let len = archive.len();
    archive.extend(b"more");
    let mut reader = &archive[..];
    kept().unpack_tar("d", &mut reader, NOW).unwrap();
    // The mark of the end is two blocks, of which one is enough.
    assert_eq!(reader.len(), archive.len() - len + 512);
}

/// Fails after some bytes, and is interrupted before each of them.
struct Failing<'a>(&'a [u8], bool);

impl Read for Failing<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        if self.1 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        if self.0.is_empty() {
            return Err(io::Error::other("the line is dead"));
        }
        let most = buf.len().min(100);
        self.0.read(&mut buf[..most])
    }
}

#[test]
fn a_reader_that_fails_is_told_from_an_archive_that_is_wrong() {
    let archive = Made::new().file("a", &[1; 1000]).done();
    for len in [0, 100, 512, 700, 1600] {
        let mut fs = kept();
        let before = fs.clone();
        let reader = Failing(&archive[..len], false);
        let error = fs.unpack_tar("d", reader, NOW).unwrap_err();
        assert!(matches!(error, Error::Stream { .. }), "{error:?}");
        assert!(error.to_string().contains("the line is dead"));
        assert!(fs.tree.is_same(&before.tree));
    }
    let reader = Failing(&archive, false);
    kept().unpack_tar("d", reader, NOW).unwrap();
}

/// Takes some bytes and no more.
struct Full(Vec<u8>, usize);

impl io::Write for Full {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let n = buf.len().min(self.1 - self.0.len());
        self.0.extend_from_slice(&buf[..n]);
        if n == 0 {
            Err(io::ErrorKind::StorageFull.into())
        } else {
            Ok(n)
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn an_archive_that_could_not_be_written_is_not_finished() {
    let mut fs = fresh();
    for n in 0..10 {
        fs.write_file(&format!("d/{n}"), &vec![1; 50_000], NOW)
            .unwrap();
    }
    let mut whole = Vec::new();
    fs.pack_tar("d", &mut whole).unwrap();
    for len in [0, 100, 100_000, whole.len() - 1025] {
        let mut out = Full(Vec::new(), len);
        let error = fs.pack_tar("d", &mut out).unwrap_err();
        assert!(matches!(error, Error::Stream { .. }), "{error:?}");
        assert_eq!(out.0, whole[..out.0.len()]);
        assert!(fresh().unpack_tar("d", &out.0[..], NOW).is_err());
    }
}

#[test]
fn long_names_are_cut_in_messages() {
    let name = format!("../{}", "x".repeat(100_000));
    let made = Made::new().extension(EntryType::GNULongName, name.as_bytes());
    let error = refused(&made.file("f", b"").done()).to_string();
    assert!(error.len() < 400, "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn damage_is_refused_or_does_nothing_worse_than_an_archive(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
        mend in any::<bool>(),
    ) {
        let mut archive = Made::new()
            .pax(&[("mtime", b"1.5"), ("path", b"some/where")])
            .file("f", &[7; 700])
            .extension(EntryType::GNULongName, &[b'n'; 120])
            .folder("e/")
            .symlink("l", "../x")
            .link("h", "some/where")
            .done();
        for (at, byte) in changes {
            let at = at.index(archive.len());
            archive[at] = byte;
            // With a sum that is right, the parser gets to see it.
            let start = at / 512 * 512;
            if mend && let Some(block) = archive.get_mut(start..start + 512) {
                let mut header = Header::new_old();
                header.as_mut_bytes().copy_from_slice(block);
                header.set_cksum();
                block.copy_from_slice(header.as_bytes());
            }
        }
        let mut fs = kept();
        let before = fs.clone();
        let result = fs.unpack_tar("d", &archive[..], NOW);
        if result.is_err() {
            prop_assert!(fs.tree.is_same(&before.tree));
        }
        prop_assert_eq!(fs.read_file("outside").unwrap(), b"kept");
        prop_assert_eq!(names(&fs, ".").unwrap(), ["d", "outside"]);
        fs.remove("d", NOW).unwrap();
        fs.remove("outside", NOW).unwrap();
        let left = (fs.used_files(), fs.used_bytes(), fs.host_bytes());
        prop_assert_eq!(left, (0, 0, fresh().host_bytes()));
    }
}
