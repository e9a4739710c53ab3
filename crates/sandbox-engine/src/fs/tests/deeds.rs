//! What guests do to mounts, at random: nothing leads out, no name becomes another, nothing gets lost.

use super::model::{config, name};
use super::mounts::mounted;
use super::*;
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::symlink as host_symlink;
use std::path::{Component, Path, PathBuf};

/// Something that a guest does to a mount.
#[derive(Debug, Clone)]
enum Deed {
    Read(String),
    Write(String),
    Mkdir(String),
    Rmdir(String),
    Unlink(String),
    Rename(String, String),
    Link(String, String, bool),
    Symlink(String, String),
    Times(String, bool),
    List(String),
}

/// Paths in a mount that has links to the outside and a pipe.
fn mount_path() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        3 => name(), 2 => Just(".."), 2 => Just("out"), 1 => Just("secret"), 1 => Just("pipe"), 1 => Just("absolute"),
    ];
    vec(part, 1..6).prop_map(|parts| format!("/m/{}", parts.join("/")))
}

fn deed() -> impl Strategy<Value = Deed> {
    let p = mount_path;
    prop_oneof![
        3 => p().prop_map(Deed::Read),
        3 => p().prop_map(Deed::Write),
        2 => p().prop_map(Deed::Mkdir),
        1 => p().prop_map(Deed::Rmdir),
        2 => p().prop_map(Deed::Unlink),
        3 => (p(), p()).prop_map(|(from, to)| Deed::Rename(from, to)),
        // A link that climbs and stays in the mount, and the folder that it is in.
        1 => (prop_oneof![Just("/m/a/up"), Just("/m/a/b")], p()).prop_map(|(from, to)| Deed::Rename(from.to_owned(), to)),
        2 => (p(), p(), any::<bool>()).prop_map(|(from, to, follow)| Deed::Link(from, to, follow)),
        2 => (p(), p()).prop_map(|(target, path)| Deed::Symlink(target[3..].to_owned(), path)),
        1 => (p(), any::<bool>()).prop_map(|(path, follow)| Deed::Times(path, follow)),
        1 => p().prop_map(Deed::List),
    ]
}

/// Does it, whatever comes of it. What was read, if anything.
fn attempt(fs: &mut FileSystem, deed: &Deed) -> Option<Vec<u8>> {
    let root = FileSystem::root();
    match deed {
        Deed::Read(path) => return get(fs, path).ok(),
        Deed::Write(path) => put(fs, path, b"guest").unwrap_or(()),
        Deed::Mkdir(path) => mkdir(fs, path).unwrap_or(()),
        Deed::Rmdir(path) => rmdir(fs, path).unwrap_or(()),
        Deed::Unlink(path) => unlink(fs, path).unwrap_or(()),
        Deed::Rename(from, to) => rename(fs, from, to).unwrap_or(()),
        Deed::Link(from, to, follow) => {
            let (from, to) = (from.as_bytes(), to.as_bytes());
            let _ = fs.hard_link(&root, from, *follow, &root, to, NOW);
        }
        Deed::Symlink(target, path) => symlink(fs, target, path).unwrap_or(()),
        Deed::Times(path, follow) => {
            if let Ok(node) = fs.lookup(&root, path.as_bytes(), *follow) {
                let _ = fs.set_times(&node, Some(1), Some(1), NOW);
            }
        }
        Deed::List(path) => {
            let listed = super::names(fs, path).unwrap_or_default();
            return Some(listed.join(" ").into_bytes());
        }
    }
    None
}

/// The texts of links in a folder that climb out of it. A name that stands for another such link is not followed.
fn links_that_climb_out(top: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![(top.to_owned(), 0)];
    while let Some((folder, depth)) = pending.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_symlink() {
                let text = std::fs::read_link(&path).unwrap();
                let mut at = depth;
                let climbs_out = text.components().any(|part| {
                    at += if part == Component::ParentDir { -1 } else { 1 };
                    at < 0
                });
                if climbs_out || text.is_absolute() {
                    found.push(text);
                }
            } else if path.is_dir() {
                pending.push((path, depth + 1));
            }
        }
    }
    found
}

proptest! {
    #![proptest_config(config(250))]

    #[test]
    fn no_path_leads_out_of_a_mount(deeds in vec(deed(), 1..60)) {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().canonicalize().unwrap();
        let (shown, outside) = (dir.join("shown"), dir.join("outside"));
        std::fs::create_dir_all(shown.join("a/b/c")).unwrap();
        std::fs::create_dir(&outside).unwrap();
        std::fs::write(outside.join("secret"), "marker").unwrap();
        std::fs::write(shown.join("b"), "harmless").unwrap();
        host_symlink("../b", shown.join("a/up")).unwrap();
        host_symlink("../../b", shown.join("a/b/n")).unwrap();
        let leading_out = [("../outside", "out"), ("../../outside", "a/out"), ("../../../outside/secret", "a/b/secret")];
        for (text, name) in leading_out {
            host_symlink(text, shown.join(name)).unwrap();
        }
        host_symlink(outside.join("secret"), shown.join("absolute")).unwrap();
        let _pipe = std::process::Command::new("mkfifo").arg(shown.join("pipe")).status().unwrap();
        let before = std::fs::metadata(outside.join("secret")).unwrap();
        let mut fs = FileSystem::new(&Limits::default(), &[mounted(&shown, "/m", true)]).unwrap();
        for deed in &deeds {
            let seen = attempt(&mut fs, deed).unwrap_or_default();
            prop_assert!(!seen.starts_with(b"marker"), "{:?}", deed);
        }
        let after = std::fs::metadata(outside.join("secret")).unwrap();
        prop_assert_eq!(std::fs::read(outside.join("secret")).unwrap(), b"marker");
        prop_assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 1);
        prop_assert_eq!(before.modified().unwrap(), after.modified().unwrap());
        prop_assert_eq!(std::os::unix::fs::MetadataExt::nlink(&after), 1, "it got a second name");
        prop_assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 2);
        for text in links_that_climb_out(&shown) {
            let is_hosts = text.is_absolute() || leading_out.iter().any(|(known, _)| Path::new(known) == text);
            prop_assert!(is_hosts, "a link leads out by {}", text.display());
        }
    }

    #[test]
    fn odd_names_stay_what_they_are(
        odd in vec(vec(prop_oneof![Just(b'a'), Just(b'A'), Just(b'\n'), Just(0xff), Just(0xc3), Just(0), Just(b'.'), Just(b'\\'), Just(b' '), any::<u8>()], 0..6), 1..20),
        long in 250..260_usize,
    ) {
        let dir = tempfile::tempdir().unwrap();
        let mut fs = FileSystem::new(&Limits::default(), &[mounted(dir.path(), "/m", true)]).unwrap();
        let mut names = odd;
        names.push(vec![b'n'; long]);
        for top in [&b"m"[..], b"mnt/data"] {
            let base = fs.lookup(&FileSystem::root(), top, true).unwrap();
            let mut made = BTreeSet::new();
            for name in &names {
                let options = OpenOptions { create: true, exclusive: true, write: true, ..OpenOptions::default() };
                let possible = !name.is_empty() && name.len() <= 255 && !name.contains(&0) && !name.contains(&b'/')
                    && !matches!(&name[..], b"." | b"..");
                let opened = fs.open(&base, name, options, NOW);
                if name.contains(&b'/') {
                    continue;
                }
                prop_assert_eq!(opened.is_ok(), possible && !made.contains(name), "{:?}", name);
                if let Ok(file) = opened {
                    fs.write_at(&file, 0, name, NOW).unwrap();
                    fs.release(&file);
                    made.insert(name.clone());
                }
            }
            let listed: Vec<Vec<u8>> = fs.read_dir(&base).unwrap().iter().skip(2).map(|entry| entry.name.to_vec()).collect();
            for name in &made {
                prop_assert!(listed.contains(name), "{:?}", name);
                let size = fs.stat_path(&base, name, false).unwrap().size;
                prop_assert_eq!(size, name.len() as u64);
                if top == b"m" {
                    prop_assert_eq!(&std::fs::read(dir.path().join(OsStr::from_bytes(name))).unwrap(), name);
                }
            }
        }
        for entry in std::fs::read_dir(dir.path()).unwrap() {
            let name = entry.unwrap().file_name().into_vec();
            prop_assert!(names.iter().any(|known| known.split(|&byte| byte == b'/').any(|part| part == name)), "{:?}", name);
        }
    }

    #[test]
    fn renames_lose_nothing_and_stay_in_their_world(
        moves in vec((0..4_usize, name(), 0..4_usize, name()), 1..40),
    ) {
        let hosts = [(); 3].map(|()| tempfile::tempdir().unwrap());
        let worlds = ["/r", "/w", "/x", "/mnt/data"];
        let mounts: Vec<Mount> =
            hosts.iter().zip(worlds).map(|(host, at)| mounted(host.path(), at, at != "/r")).collect();
        let mut files = BTreeMap::new();
        for (number, host) in hosts.iter().enumerate() {
            for name in ["a", "b"] {
                std::fs::write(host.path().join(name), format!("{number}{name}")).unwrap();
                files.insert((number, name), format!("{number}{name}"));
            }
        }
        let mut fs = FileSystem::new(&Limits::default(), &mounts).unwrap();
        put(&mut fs, "a", b"3a").unwrap();
        files.insert((3, "a"), "3a".to_owned());
        for (from, name, to, new_name) in moves {
            let outcome = rename(&mut fs, &format!("{}/{name}", worlds[from]), &format!("{}/{new_name}", worlds[to]));
            let expected = match files.get(&(from, name)) {
                None => Err(Errno::Noent),
                Some(_) if from != to => Err(Errno::Xdev),
                Some(_) if from == 0 => Err(Errno::Rofs),
                Some(_) => Ok(()),
            };
            prop_assert_eq!(outcome, expected, "{} {} to {} {}", from, name, to, new_name);
            if outcome.is_ok() {
                let moved = files.remove(&(from, name)).unwrap();
                files.insert((to, new_name), moved);
            }
            for ((world, name), content) in &files {
                prop_assert_eq!(&get(&mut fs, &format!("{}/{name}", worlds[*world])).unwrap(), content.as_bytes());
            }
        }
    }
}
