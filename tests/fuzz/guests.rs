//! A guest that makes any call with any arguments and gives any reply. The host process goes on, the session too, and
//! nothing of the host comes out.
//!
//! The guest is a small machine. Its program is a sequence of
//!
//! - `1`, kind, length (2 bytes), bytes: an event;
//! - `2`, a function's number in [`FUNCTIONS`], nine arguments of 8 bytes: a call;
//! - `0` and the rest: a reply. At the end of the program the reply is an honest one.

use super::{Extent, corpus, mutate, run};
use arbitrary::Unstructured;
use sandbox_engine::{Engine, Error, Language, Mount, Policy, Session, Size};
use sandbox_tests::hostile::write_guest;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// What the guest can call: its name, and the types of its arguments, `i` for 32 and `l` for 64 bits.
const FUNCTIONS: [(&str, &str); 41] = [
    ("args_get", "ii"),
    ("args_sizes_get", "ii"),
    ("environ_get", "ii"),
    ("environ_sizes_get", "ii"),
    ("clock_res_get", "ii"),
    ("clock_time_get", "ili"),
    ("random_get", "ii"),
    ("sched_yield", ""),
    ("fd_advise", "illi"),
    ("fd_allocate", "ill"),
    ("fd_close", "i"),
    ("fd_datasync", "i"),
    ("fd_fdstat_get", "ii"),
    ("fd_fdstat_set_flags", "ii"),
    ("fd_fdstat_set_rights", "ill"),
    ("fd_filestat_get", "ii"),
    ("fd_filestat_set_size", "il"),
    ("fd_filestat_set_times", "illi"),
    ("fd_pread", "iiili"),
    ("fd_prestat_get", "ii"),
    ("fd_prestat_dir_name", "iii"),
    ("fd_pwrite", "iiili"),
    ("fd_read", "iiii"),
    ("fd_readdir", "iiili"),
    ("fd_renumber", "ii"),
    ("fd_seek", "ilii"),
    ("fd_sync", "i"),
    ("fd_tell", "ii"),
    ("fd_write", "iiii"),
    ("path_create_directory", "iii"),
    ("path_filestat_get", "iiiii"),
    ("path_filestat_set_times", "iiiilli"),
    ("path_link", "iiiiiii"),
    ("path_open", "iiiiillii"),
    ("path_readlink", "iiiiii"),
    ("path_remove_directory", "iii"),
    ("path_rename", "iiiiii"),
    ("path_symlink", "iiiii"),
    ("path_unlink_file", "iii"),
    ("poll_oneoff", "iiii"),
    ("proc_raise", "i"),
];

/// Paths that lie in the guest's memory, one after the other from [`PATHS_AT`] on.
const PATHS: [&str; 14] = [
    "m/note",
    "m/link-up",
    "m/link-dir/secret",
    "m/sub",
    "m/sub/..",
    "m/../m",
    "..",
    "/",
    "mnt/data/f",
    "mnt/data/d",
    "mnt/data/d/e",
    "mnt/data",
    "tmp/../m/sub/new",
    "../../secret",
];
const PATHS_AT: u32 = 1024;
/// Lists of one, two and three buffers; the last ones overlap and lie outside.
const BUFFERS_AT: u32 = 2048;
const BUFFERS: [(u32, u32); 5] = [
    (300_000, 64),
    (300_010, 100_000),
    (2048, 40),
    (524_280, 100),
    (0, u32::MAX),
];

const SECRET: &str = "marker-of-the-host";

/// Runs the target.
pub fn fuzz(extent: Extent) {
    let programs: Vec<Vec<u8>> = corpus("programs").iter().map(|text| unhex(text)).collect();
    let world = World::new();
    run(extent, |u| {
        let mut cells = Vec::new();
        for _ in 0..u.int_in_range(1..=3)? {
            let mut program = if u.ratio(1, 4)? {
                u.choose(&programs)?.clone()
            } else {
                program(u)?
            };
            if u.ratio(1, 2)? {
                mutate(&mut program, u)?;
            }
            cells.push(program);
        }
        world.check(&cells);
        Ok(())
    });
}

/// What a program of the corpus prints that reads a file of the mount.
#[allow(dead_code, reason = "only the test suite asks")]
pub fn printed_file() -> Vec<u8> {
    let program = unhex(include_bytes!("corpus/programs/print-file.hex"));
    let result = World::new().session().run_blocking(&hex(&program));
    result
        .unwrap_or_else(|error| panic!("{error}"))
        .stdout
        .bytes
}

/// Some events and calls with arguments that often make sense, then perhaps a reply.
fn program(u: &mut Unstructured<'_>) -> arbitrary::Result<Vec<u8>> {
    let mut program = Vec::new();
    for _ in 0..u.int_in_range(0..=12)? {
        if u.ratio(1, 6)? {
            let forms = u.int_in_range(0..=80_u8)?;
            let mut event = vec![forms];
            event.extend(std::iter::repeat_n(0, usize::from(forms) * 2));
            mutate(&mut event, u)?;
            program.extend([1, u.int_in_range(0..=3)?]);
            program.extend((event.len() as u16).to_le_bytes());
            program.extend(event);
            continue;
        }
        let function = u.int_in_range(0..=FUNCTIONS.len() - 1)?;
        program.extend([2, function as u8]);
        let is_path = FUNCTIONS[function].0.starts_with("path_");
        let mut arguments = [0_u64; 9];
        for argument in &mut arguments {
            *argument = argument_of(u)?;
        }
        if is_path && u.ratio(3, 4)? {
            // Most take a folder, flags or a path, and a path.
            for at in [1, 2, 4, 5] {
                let (address, len) = path(u)?;
                if arguments[at] > 8 || u.ratio(1, 2)? {
                    arguments[at] = address;
                    arguments[at + 1] = len;
                }
            }
            arguments[0] = 3;
        }
        for argument in arguments {
            program.extend(argument.to_le_bytes());
        }
    }
    if u.ratio(1, 3)? {
        program.push(0);
        let mut reply = vec![1, 0, 0, 1];
        mutate(&mut reply, u)?;
        program.extend(reply);
    }
    Ok(program)
}

fn path(u: &mut Unstructured<'_>) -> arbitrary::Result<(u64, u64)> {
    let chosen = u.int_in_range(0..=PATHS.len() - 1)?;
    let before: usize = PATHS[..chosen].iter().map(|path| path.len()).sum();
    Ok((
        u64::from(PATHS_AT) + before as u64,
        PATHS[chosen].len() as u64,
    ))
}

fn argument_of(u: &mut Unstructured<'_>) -> arbitrary::Result<u64> {
    Ok(match u.int_in_range(0..=9)? {
        0..=3 => u.int_in_range(0..=8)?,
        4 | 5 => u64::from(BUFFERS_AT) + u.int_in_range(0..=4)? * 8,
        6 => u.int_in_range(299_990..=300_100)?,
        7 => *u.choose(&[
            u64::MAX,
            1 << 31,
            u64::from(u32::MAX),
            1 << 63,
            (1 << 63) - 1,
            524_288,
            524_287,
            1 << 20,
        ])?,
        8 => 1 << u.int_in_range(0..=63)?,
        _ => u.arbitrary()?,
    })
}

/// A host folder to mount, with a secret beside it, and the engine with the guest.
struct World {
    folder: TempDir,
    engine: Engine,
    policy: Policy,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
        let (engine, policy) =
            set_up(folder.path()).unwrap_or_else(|error| panic!("no world: {error}"));
        Self {
            folder,
            engine,
            policy,
        }
    }

    fn session(&self) -> Session {
        self.engine
            .session(Language::Python, &self.policy)
            .unwrap_or_else(|error| panic!("no session: {error}"))
    }

    fn check(&self, cells: &[Vec<u8>]) {
        let mut session = self.session();
        for program in cells {
            let begun = Instant::now();
            match session.run_blocking(&hex(program)) {
                Ok(result) => {
                    let said = format!("{result:?}");
                    assert!(!said.contains(SECRET), "it gives away a secret");
                }
                // An honest answer to another question.
                Err(Error::Protocol(_)) => {}
                Err(error) => panic!("the engine failed: {error}"),
            }
            assert!(
                begun.elapsed() < Duration::from_secs(5),
                "it was not stopped"
            );
            let answer = session.run_blocking("");
            assert!(
                answer.is_ok_and(|answer| answer.is_ok()),
                "the session ended"
            );
        }
        let secret = fs::read_to_string(self.folder.path().join("outside/secret"));
        assert_eq!(secret.unwrap_or_default(), SECRET, "the secret was changed");
        let beside = fs::read_dir(self.folder.path().join("outside"));
        assert_eq!(beside.map_or(0, Iterator::count), 1, "something was made");
        // What one input made must not fill the disk in an hour.
        self.mount().unwrap_or_else(|error| panic!("{error}"));
    }

    fn mount(&self) -> std::io::Result<()> {
        fill_mount(&self.folder.path().join("m"))
    }
}

fn fill_mount(mount: &Path) -> std::io::Result<()> {
    if mount.exists() {
        fs::remove_dir_all(mount)?;
    }
    fs::create_dir_all(mount.join("sub"))?;
    fs::write(mount.join("note"), "a note")?;
    symlink("../outside/secret", mount.join("link-up"))?;
    symlink("../outside", mount.join("link-dir"))
}

fn set_up(folder: &Path) -> Result<(Engine, Policy), Box<dyn std::error::Error>> {
    fs::create_dir_all(folder.join("outside"))?;
    fs::write(folder.join("outside/secret"), SECRET)?;
    fill_mount(&folder.join("m"))?;
    let guest = folder.join("guest");
    write_guest(&guest, &source()?, |_| ())?;
    let engine = Engine::builder()
        .cache_dir(folder.join("cache"))
        .guest(guest)
        .build()?;
    let mut policy = Policy::default();
    policy.limits.wall = Duration::from_millis(20);
    policy.limits.grace = Duration::from_millis(5);
    policy.limits.memory = Size(64 << 20);
    policy.limits.workspace = Size(1 << 20);
    policy.limits.file_size = Size(1 << 20);
    policy.mounts.push(Mount {
        host: folder.join("m"),
        guest: "/m".to_owned(),
        writable: true,
        quota: None,
    });
    Ok((engine, policy))
}

/// The guest's text.
fn source() -> Result<String, std::fmt::Error> {
    let (mut imports, mut calls) = (String::new(), String::new());
    for (number, (name, types)) in FUNCTIONS.iter().enumerate() {
        let parameters: String = types
            .chars()
            .map(|kind| if kind == 'i' { " i32" } else { " i64" })
            .collect();
        writeln!(
            imports,
            "(import \"wasi_snapshot_preview1\" \"{name}\" (func $f{number} (param{parameters}) (result i32)))"
        )?;
        write!(
            calls,
            "(if (i32.eq (local.get $f) (i32.const {number})) (then (drop (call $f{number}"
        )?;
        for (at, kind) in types.chars().enumerate() {
            let load = format!("(i64.load offset={} (local.get $pc))", 2 + 8 * at);
            match kind {
                'i' => write!(calls, " (i32.wrap_i64 {load})")?,
                _ => write!(calls, " {load}")?,
            }
        }
        writeln!(calls, "))))")?;
    }
    let paths = PATHS.concat();
    let mut buffers = String::new();
    for byte in BUFFERS
        .iter()
        .flat_map(|(at, len)| [at.to_le_bytes(), len.to_le_bytes()].concat())
    {
        write!(buffers, "\\{byte:02x}")?;
    }
    Ok(include_str!("machine.wat")
        .replace(";; IMPORTS", &imports)
        .replace(";; CALLS", &calls)
        .replace("PATHS", &paths)
        .replace("BUFFERS", &buffers))
}

fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| {
        char::from(if value < 10 {
            b'0' + value
        } else {
            b'a' + value - 10
        })
    };
    bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
        .collect()
}

/// Bytes from pairs of digits; what is no digit is left out.
fn unhex(text: &[u8]) -> Vec<u8> {
    let digits: Vec<u8> = text
        .iter()
        .filter_map(|byte| char::from(*byte).to_digit(16))
        .map(|digit| digit as u8)
        .collect();
    digits
        .chunks_exact(2)
        .map(|pair| pair[0] << 4 | pair[1])
        .collect()
}
