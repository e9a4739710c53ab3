//! The session's own tree and a mount against the system's kernel: the same steps, the same answers, the same files.

use super::*;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use rustix::fs::{self as kernel, AtFlags, Mode, OFlags};
use rustix::io::Errno as Code;
use std::cell::{Cell, RefCell};
use std::os::fd::OwnedFd;

/// So many folders lie above the ones compared that no path climbs out of them.
const ABOVE: usize = 30;

#[derive(Debug, Clone)]
enum Step {
    Mkdir(String),
    Rmdir(String),
    Unlink(String),
    Rename(String, String),
    Link(String, String),
    Symlink(String, String),
    Write {
        path: String,
        exclusive: bool,
        follow: bool,
        truncate: bool,
        at: u64,
        data: Vec<u8>,
    },
    Truncate(String, u64),
    Read {
        path: String,
        follow: bool,
    },
    Stat {
        path: String,
        follow: bool,
    },
    ReadLink(String),
    List(String),
}

/// What a step answers.
#[derive(Debug, PartialEq)]
enum Answer {
    Done,
    Bytes(Vec<u8>),
    /// Kind, size of what is no folder, number of names of what is no folder.
    Facts(FileKind, u64, u64),
    Names(Vec<(Vec<u8>, FileKind)>),
}

fn path() -> impl Strategy<Value = String> {
    let name = prop_oneof![4 => Just("a"), 4 => Just("b"), 3 => Just("c"), 1 => Just("."), 2 => Just("..")];
    let slash = prop_oneof![8 => Just(""), 1 => Just("/")];
    (prop::collection::vec(name, 1..4), slash).prop_map(|(names, slash)| names.join("/") + slash)
}

fn step() -> impl Strategy<Value = Step> {
    let data = prop::collection::vec(any::<u8>(), 0..20);
    prop_oneof![
        3 => path().prop_map(Step::Mkdir),
        1 => path().prop_map(Step::Rmdir),
        1 => path().prop_map(Step::Unlink),
        3 => (path(), path()).prop_map(|(from, to)| Step::Rename(from, to)),
        2 => (path(), path()).prop_map(|(from, to)| Step::Link(from, to)),
        3 => (path(), path()).prop_map(|(target, path)| Step::Symlink(target, path)),
        4 => (path(), any::<bool>(), any::<bool>(), any::<bool>(), 0..50_u64, data).prop_map(
            |(path, exclusive, follow, truncate, at, data)| Step::Write { path, exclusive, follow, truncate, at, data }
        ),
        1 => (path(), 0..50_u64).prop_map(|(path, size)| Step::Truncate(path, size)),
        2 => (path(), any::<bool>()).prop_map(|(path, follow)| Step::Read { path, follow }),
        2 => (path(), any::<bool>()).prop_map(|(path, follow)| Step::Stat { path, follow }),
        1 => path().prop_map(Step::ReadLink),
        2 => path().prop_map(Step::List),
    ]
}

/// One of ours.
struct Ours {
    fs: FileSystem,
    /// The deepest of the folders above.
    above: Node,
    /// Where the steps happen.
    base: Node,
}

impl Ours {
    fn new(mut fs: FileSystem, top: &[u8]) -> Self {
        let mut base = fs.lookup(&FileSystem::root(), top, true).unwrap();
        for _ in 0..ABOVE {
            fs.create_dir(&base, b"up", NOW).unwrap();
            base = fs.lookup(&base, b"up", true).unwrap();
        }
        Self {
            fs,
            above: base.clone(),
            base,
        }
    }

    fn enter(&mut self, name: &[u8]) {
        self.fs.create_dir(&self.above, name, NOW).unwrap();
        self.base = self.fs.lookup(&self.above, name, true).unwrap();
    }

    fn run(&mut self, step: &Step) -> Result<Answer> {
        let (fs, base) = (&mut self.fs, &self.base);
        match step {
            Step::Mkdir(path) => fs.create_dir(base, path.as_bytes(), NOW)?,
            Step::Rmdir(path) => fs.remove_dir(base, path.as_bytes(), NOW)?,
            Step::Unlink(path) => fs.unlink(base, path.as_bytes(), NOW)?,
            Step::Rename(from, to) => fs.rename(base, from.as_bytes(), base, to.as_bytes(), NOW)?,
            Step::Link(from, to) => {
                fs.hard_link(base, from.as_bytes(), false, base, to.as_bytes(), NOW)?;
            }
            Step::Symlink(target, path) => {
                fs.symlink(target.as_bytes(), base, path.as_bytes(), NOW)?;
            }
            Step::Write {
                path,
                exclusive,
                follow,
                truncate,
                at,
                data,
            } => {
                let options = OpenOptions {
                    follow: *follow,
                    create: true,
                    exclusive: *exclusive,
                    truncate: *truncate,
                    write: true,
                    ..OpenOptions::default()
                };
                let node = fs.open(base, path.as_bytes(), options, NOW)?;
                assert_eq!(fs.write_at(&node, *at, data, NOW), Ok(data.len()));
                fs.release(&node);
            }
            Step::Truncate(path, size) => {
                let options = OpenOptions {
                    follow: true,
                    write: true,
                    ..OpenOptions::default()
                };
                let node = fs.open(base, path.as_bytes(), options, NOW)?;
                fs.set_size(&node, *size, NOW)?;
                fs.release(&node);
            }
            Step::Read { path, follow } => {
                let options = OpenOptions {
                    follow: *follow,
                    read: true,
                    ..OpenOptions::default()
                };
                let node = fs.open(base, path.as_bytes(), options, NOW)?;
                let mut bytes = vec![0; 100];
                let n = fs.read_at(&node, 0, &mut bytes);
                fs.release(&node);
                bytes.truncate(n?);
                return Ok(Answer::Bytes(bytes));
            }
            Step::Stat { path, follow } => {
                let stat = fs.stat_path(base, path.as_bytes(), *follow)?;
                return Ok(facts(stat.kind, stat.size, stat.nlink));
            }
            Step::ReadLink(path) => return fs.read_link(base, path.as_bytes()).map(Answer::Bytes),
            Step::List(path) => {
                let options = OpenOptions {
                    follow: true,
                    directory: true,
                    read: true,
                    ..OpenOptions::default()
                };
                let node = fs.open(base, path.as_bytes(), options, NOW)?;
                let entries = fs.read_dir(&node);
                fs.release(&node);
                let entries = entries?
                    .iter()
                    .skip(2)
                    .map(|entry| (entry.name.to_vec(), entry.kind))
                    .collect();
                return Ok(Answer::Names(entries));
            }
        }
        Ok(Answer::Done)
    }
}

/// The kernel, called with the same paths.
#[allow(
    clippy::useless_conversion,
    reason = "the type of `st_nlink` differs between processors"
)]
fn run(base: &OwnedFd, step: &Step) -> Result<Answer, Code> {
    let mode = Mode::from_raw_mode(0o777);
    let follow = |follow: bool| {
        if follow {
            OFlags::empty()
        } else {
            OFlags::NOFOLLOW
        }
    };
    match step {
        Step::Mkdir(path) => kernel::mkdirat(base, path, mode)?,
        Step::Rmdir(path) => kernel::unlinkat(base, path, AtFlags::REMOVEDIR)?,
        Step::Unlink(path) => kernel::unlinkat(base, path, AtFlags::empty())?,
        Step::Rename(from, to) => kernel::renameat(base, from, base, to)?,
        Step::Link(from, to) => kernel::linkat(base, from, base, to, AtFlags::empty())?,
        Step::Symlink(target, path) => kernel::symlinkat(target, base, path)?,
        Step::Write {
            path,
            exclusive,
            follow: following,
            truncate,
            at,
            data,
        } => {
            let mut flags = OFlags::CREATE | OFlags::WRONLY | follow(*following);
            flags.set(OFlags::EXCL, *exclusive);
            flags.set(OFlags::TRUNC, *truncate);
            let file = kernel::openat(base, path, flags, mode)?;
            assert_eq!(rustix::io::pwrite(file, data, *at), Ok(data.len()));
        }
        Step::Truncate(path, size) => {
            let file = kernel::openat(base, path, OFlags::WRONLY, mode)?;
            kernel::ftruncate(file, *size)?;
        }
        Step::Read {
            path,
            follow: following,
        } => {
            let file = kernel::openat(base, path, OFlags::RDONLY | follow(*following), mode)?;
            let mut bytes = vec![0; 100];
            let n = rustix::io::pread(file, &mut bytes, 0)?;
            bytes.truncate(n);
            return Ok(Answer::Bytes(bytes));
        }
        Step::Stat { path, follow } => {
            let flags = if *follow {
                AtFlags::empty()
            } else {
                AtFlags::SYMLINK_NOFOLLOW
            };
            let stat = kernel::statat(base, path, flags)?;
            let kind = kind(kernel::FileType::from_raw_mode(stat.st_mode));
            return Ok(facts(
                kind,
                stat.st_size.unsigned_abs(),
                stat.st_nlink.into(),
            ));
        }
        Step::ReadLink(path) => {
            return kernel::readlinkat(base, path, Vec::new())
                .map(|target| Answer::Bytes(target.into_bytes()));
        }
        Step::List(path) => {
            let folder = kernel::openat(base, path, OFlags::RDONLY | OFlags::DIRECTORY, mode)?;
            let mut names = Vec::new();
            for entry in kernel::Dir::read_from(folder)? {
                let entry = entry?;
                names.push((
                    entry.file_name().to_bytes().to_vec(),
                    kind(entry.file_type()),
                ));
            }
            names.retain(|(name, _)| name != b"." && name != b"..");
            names.sort_by(|a, b| a.0.cmp(&b.0));
            return Ok(Answer::Names(names));
        }
    }
    Ok(Answer::Done)
}

fn facts(kind: FileKind, size: u64, nlink: u64) -> Answer {
    if kind == FileKind::Folder {
        Answer::Facts(kind, 0, 0)
    } else {
        Answer::Facts(kind, size, nlink)
    }
}

fn kind(file_type: kernel::FileType) -> FileKind {
    match file_type {
        kernel::FileType::RegularFile => FileKind::File,
        kernel::FileType::Directory => FileKind::Folder,
        kernel::FileType::Symlink => FileKind::Link,
        _ => FileKind::Other,
    }
}

/// The number that the guest would see, where the kernel's differs by decision.
fn translated(code: Code, step: &Step) -> Errno {
    match code {
        Code::NOENT => Errno::Noent,
        Code::EXIST => Errno::Exist,
        Code::NOTDIR => Errno::Notdir,
        Code::ISDIR => Errno::Isdir,
        // `x/..` is not taken for the name of a folder that is not empty.
        Code::NOTEMPTY if matches!(step, Step::Rmdir(path) if path.trim_end_matches('/').ends_with("..")) => {
            Errno::Inval
        }
        Code::NOTEMPTY => Errno::Notempty,
        Code::LOOP => Errno::Loop,
        Code::PERM => Errno::Perm,
        // Moving `.` and `..`.
        Code::INVAL | Code::BUSY => Errno::Inval,
        other => panic!("{other:?} from {step:?}"),
    }
}

/// Whether two errors say the same. Where two things are wrong at once, systems differ in which one they name.
fn agree(ours: Errno, theirs: Errno, step: &Step) -> bool {
    if ours == theirs {
        return true;
    }
    match step {
        // Making a file of a name with a slash after it, where a link led to that name. The kernel does not look where
        // the name leads: to itself, below a file, or to nothing.
        Step::Write { .. } => {
            theirs == Errno::Isdir && matches!(ours, Errno::Loop | Errno::Notdir | Errno::Noent)
        }
        _ => false,
    }
}

fn check(
    ours: &Result<Answer>,
    theirs: &Result<Answer, Code>,
    step: &Step,
) -> Result<(), TestCaseError> {
    match (ours, theirs) {
        (Ok(ours), Ok(theirs)) => prop_assert_eq!(ours, theirs, "{:?}", step),
        (Err(ours), Err(theirs)) => {
            let theirs = translated(*theirs, step);
            prop_assert!(
                agree(*ours, theirs, step),
                "{:?} instead of {:?}: {:?}",
                ours,
                theirs,
                step
            );
        }
        _ => prop_assert!(false, "{:?} instead of {:?}: {:?}", ours, theirs, step),
    }
    Ok(())
}

fn deep(dir: &std::path::Path) -> OwnedFd {
    let path = dir.join(["up"; ABOVE].join("/"));
    std::fs::create_dir_all(&path).unwrap();
    kernel::open(&path, OFlags::RDONLY | OFlags::DIRECTORY, Mode::empty()).unwrap()
}

/// In a mount, links that climb cannot be made and are not compared.
fn leads_downwards(step: &Step) -> bool {
    !matches!(step, Step::Symlink(target, _) if target.split('/').any(|name| name == ".."))
}

/// Runs steps against the kernel in one folder of the host's and against ours in another.
fn compare(cases: u32, ours: &mut Ours, keep: fn(&Step) -> bool) {
    let host = tempfile::tempdir().unwrap();
    let theirs = deep(host.path());
    let mut config = ProptestConfig::with_cases(cases);
    config.failure_persistence = None;
    let (fs, top) = (RefCell::new(ours), Cell::new(0));
    let steps = prop::collection::vec(step(), 1..60);
    let outcome = TestRunner::new(config).run(&steps, |steps| {
        let ours = &mut **fs.borrow_mut();
        // A folder of its own for each case.
        top.set(top.get() + 1);
        let name = format!("case{}", top.get());
        kernel::mkdirat(&theirs, &name, Mode::from_raw_mode(0o777)).unwrap();
        let theirs = kernel::openat(&theirs, &name, OFlags::DIRECTORY, Mode::empty()).unwrap();
        ours.enter(name.as_bytes());
        for step in steps.iter().filter(|step| keep(step)) {
            check(&ours.run(step), &run(&theirs, step), step)?;
        }
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

#[test]
fn the_tree_answers_like_the_kernel() {
    let limits = Limits {
        files: 1 << 20,
        ..Limits::default()
    };
    let fs = FileSystem::new(&limits, &[]).unwrap();
    compare(500, &mut Ours::new(fs, b"mnt/data"), |_| true);
}

#[test]
fn a_mount_answers_like_the_kernel() {
    let mounted = tempfile::tempdir().unwrap();
    let mount = Mount {
        host: mounted.path().into(),
        guest: "/m".to_owned(),
        writable: true,
        quota: None,
    };
    let fs = FileSystem::new(&Limits::default(), &[mount]).unwrap();
    compare(150, &mut Ours::new(fs, b"m"), leads_downwards);
}
