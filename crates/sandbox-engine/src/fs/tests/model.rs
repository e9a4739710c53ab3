//! Where paths lead, against a model that knows nothing of how it is done: names in a map, and a queue of steps.

use super::mounts::mounted;
use super::*;
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::{BTreeMap, VecDeque};
use std::os::unix::fs::symlink as host_symlink;
use std::path::Path;
use tempfile::TempDir;

/// An absolute path without dots or links, by its names.
type Canonical = Vec<String>;

#[derive(Debug, Clone)]
enum Thing {
    Folder,
    File,
    Link(String),
}

/// Everything there is, by its place.
#[derive(Debug, Default)]
struct Model(BTreeMap<Canonical, Thing>);

/// Where the world has mounts.
const MOUNTS: [&[&str]; 2] = [&["m"], &["mnt", "data", "n"]];

fn names(path: &[&str]) -> Canonical {
    path.iter().map(|name| (*name).to_owned()).collect()
}

fn mount_of(place: &[String]) -> Option<usize> {
    MOUNTS
        .into_iter()
        .find(|mount| place.len() >= mount.len() && place.iter().zip(*mount).all(|(a, b)| a == b))
        .map(<[&str]>::len)
}

impl Model {
    /// Where a path leads from a folder: each step is a name, and how many names the folder has that it must stay in.
    fn resolve(&self, base: &[String], path: &str, follow: bool) -> Result<Canonical> {
        let mut at = if path.starts_with('/') {
            Vec::new()
        } else {
            base.to_owned()
        };
        let mut steps: VecDeque<(String, usize)> = split(path).map(|name| (name, 0)).collect();
        let mut must_be_folder = path.ends_with('/');
        let mut links = 0;
        while let Some((name, confined)) = steps.pop_front() {
            match name.as_str() {
                "." => continue,
                ".." => {
                    if confined > 0 && at.len() == confined {
                        return Err(Errno::Acces);
                    }
                    at.pop();
                    continue;
                }
                _ => at.push(name),
            }
            let last = steps.is_empty();
            match self.0.get(&at) {
                None => return Err(Errno::Noent),
                Some(Thing::Link(text)) if !last || follow || must_be_folder => {
                    links += 1;
                    // A slash at the end means the same in the text of a link that the path ends with.
                    must_be_folder |= last && text.ends_with('/');
                    let mount = mount_of(&at);
                    if text.starts_with('/') {
                        if mount.is_some() {
                            return Err(Errno::Acces);
                        }
                        at.clear();
                    } else {
                        at.pop();
                    }
                    if links > 40 {
                        return Err(Errno::Loop);
                    }
                    for name in split(text).collect::<Vec<_>>().into_iter().rev() {
                        steps.push_front((name, mount.unwrap_or(0)));
                    }
                }
                Some(Thing::Folder) => {}
                Some(_) if last && !must_be_folder => {}
                Some(_) => return Err(Errno::Notdir),
            }
        }
        Ok(at)
    }
}

fn split(path: &str) -> impl Iterator<Item = String> {
    path.split('/')
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
}

/// Few names, so that paths often lead somewhere.
pub(super) fn name() -> impl Strategy<Value = &'static str> {
    prop_oneof![3 => Just("a"), 3 => Just("b"), 2 => Just("c"), 1 => Just(".hid"), 1 => Just("n")]
}

fn step() -> impl Strategy<Value = &'static str> {
    prop_oneof![6 => name(), 3 => Just(".."), 1 => Just("."), 1 => Just(""), 1 => Just("mnt"), 1 => Just("data"), 1 => Just("m")]
}

fn path() -> impl Strategy<Value = String> {
    let start = prop_oneof![4 => Just(""), 1 => Just("/"), 2 => Just("/m/"), 1 => Just("/mnt/data/n/"), 1 => Just("/mnt/data/")];
    let end = prop_oneof![6 => Just(""), 1 => Just("/")];
    (start, vec(step(), 1..7), end)
        .prop_map(|(start, steps, end)| format!("{start}{}{end}", steps.join("/")))
        .prop_filter("an empty path is no path", |path| !path.is_empty())
}

#[derive(Debug, Clone)]
struct Entry {
    /// 0 and 1 are the mounts, 2 is the workspace.
    world: usize,
    place: Vec<&'static str>,
    thing: Thing,
}

fn entry() -> impl Strategy<Value = Entry> {
    let thing = prop_oneof![3 => Just(Thing::Folder), 2 => Just(Thing::File), 5 => path().prop_map(Thing::Link)];
    (0..3_usize, vec(name(), 1..4), thing).prop_map(|(world, place, thing)| Entry {
        world,
        place,
        thing,
    })
}

/// A file system with two mounts, the host folders behind them, and the model of both.
struct World {
    fs: FileSystem,
    model: Model,
    _hosts: [TempDir; 2],
}

impl World {
    fn new(entries: &[Entry]) -> Self {
        let hosts = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let mounts: Vec<Mount> = hosts
            .iter()
            .zip(MOUNTS)
            .map(|(host, mount)| mounted(host.path(), &format!("/{}", mount.join("/")), true))
            .collect();
        let mut fs = FileSystem::new(&Limits::default(), &mounts).unwrap();
        let mut model = Model::default();
        for place in [
            &["mnt"][..],
            &["mnt", "data"],
            &["tmp"],
            MOUNTS[0],
            MOUNTS[1],
        ] {
            model.0.insert(names(place), Thing::Folder);
        }
        for entry in entries {
            let mut place = names(match entry.world {
                2 => &["mnt", "data"],
                mount => MOUNTS[mount],
            });
            place.extend(names(&entry.place));
            let parent = model.0.get(&place[..place.len() - 1]);
            // What lies in the workspace's `n` belongs to the mount.
            let is_covered = entry.world == 2 && mount_of(&place).is_some();
            if is_covered || model.0.contains_key(&place) || !matches!(parent, Some(Thing::Folder))
            {
                continue;
            }
            match entry.world {
                2 => make_inside(&mut fs, &format!("/{}", place.join("/")), &entry.thing),
                mount => make_outside(
                    &hosts[mount].path().join(entry.place.join("/")),
                    &entry.thing,
                ),
            }
            model.0.insert(place, entry.thing.clone());
        }
        Self {
            fs,
            model,
            _hosts: hosts,
        }
    }

    /// What tells a place from all others.
    fn facts(&self, place: &[String]) -> Stat {
        let path = format!("/{}", place.join("/"));
        self.fs
            .stat_path(&FileSystem::root(), path.as_bytes(), false)
            .unwrap()
    }
}

fn make_inside(fs: &mut FileSystem, path: &str, thing: &Thing) {
    match thing {
        Thing::Folder => mkdir(fs, path).unwrap(),
        Thing::File => put(fs, path, b"").unwrap(),
        Thing::Link(text) => symlink(fs, text, path).unwrap(),
    }
}

fn make_outside(path: &Path, thing: &Thing) {
    match thing {
        Thing::Folder => std::fs::create_dir(path).unwrap(),
        Thing::File => std::fs::write(path, "").unwrap(),
        Thing::Link(text) => host_symlink(text, path).unwrap(),
    }
}

pub(super) fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(cases)
    }
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn paths_lead_where_the_model_says(
        entries in vec(entry(), 1..40),
        paths in vec((path(), any::<bool>()), 1..60),
    ) {
        let world = World::new(&entries);
        let bases = [vec![], names(&["mnt", "data"]), names(&["m"]), names(MOUNTS[1])];
        for (number, (path, follow)) in paths.iter().enumerate() {
            let base = &bases[number % bases.len()];
            let start = format!("/{}", base.join("/"));
            let node = world.fs.lookup(&FileSystem::root(), start.as_bytes(), true).unwrap();
            let ours = world.fs.stat_path(&node, path.as_bytes(), *follow);
            let expected = world.model.resolve(base, path, *follow).map(|place| world.facts(&place));
            prop_assert_eq!(
                ours.map(|stat| (stat.dev, stat.ino, stat.kind)),
                expected.map(|stat| (stat.dev, stat.ino, stat.kind)),
                "{} from /{}, following {}", path, base.join("/"), follow
            );
        }
    }
}
