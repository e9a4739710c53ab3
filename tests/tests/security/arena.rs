//! The host that an attack meets: folders of its own, some of them mounted, and secrets that are not.

use sandbox_engine::{Mount, Policy, Size};
use sandbox_tests::policy;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// Begins every secret; what follows tells where it was.
const PREFIX: &str = "SECRET";
/// The variable of the host's environment that nobody inside may read.
const VARIABLE: &str = "SANDBOX_TESTS_SECRET";

/// The secret of a place: the same in the whole process, another one in the next.
pub fn secret(place: &str) -> String {
    static RANDOM: OnceLock<String> = OnceLock::new();
    let random = RANDOM.get_or_init(|| {
        let since = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default();
        format!("{:x}-{:x}", std::process::id(), since.as_nanos())
    });
    format!("{PREFIX}-{place}-{random}")
}

/// Where a text gives away a secret, the secret.
pub fn leak(bytes: &[u8]) -> Option<String> {
    // Any secret will do: all of them have this in common, which no attack can know.
    let shared = secret("");
    let random = &shared[PREFIX.len() + 2..];
    let found = bytes
        .windows(random.len())
        .position(|window| window == random.as_bytes())?;
    let start = found.saturating_sub(40);
    Some(String::from_utf8_lossy(&bytes[start..found + random.len()]).into_owned())
}

/// Plants the secret in the environment of this process.
pub fn plant_in_environment() {
    static ONCE: OnceLock<()> = OnceLock::new();
    ONCE.get_or_init(|| {
        // SAFETY: all code in this process reads the environment through the standard library, which locks it.
        unsafe { std::env::set_var(VARIABLE, secret("environment")) };
    });
}

/// A folder with more names than an attack may make, read-only and the same for all.
pub fn crowd() -> Mount {
    static ONCE: OnceLock<()> = OnceLock::new();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("crowd");
    ONCE.get_or_init(|| {
        fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{error}"));
        for n in 0..3000 {
            let name = format!("{n:04}{}", "n".repeat(240));
            fs::write(folder.join(name), "").unwrap_or_else(|error| panic!("{error}"));
        }
    });
    Mount {
        host: folder,
        guest: "/mnt/crowd".to_owned(),
        writable: false,
        quota: None,
    }
}

/// Folders of the host for one attack.
pub struct Arena {
    folder: TempDir,
    before: BTreeMap<PathBuf, Facts>,
}

/// What must not change about an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Facts {
    content: Vec<u8>,
    mode: u32,
    links: u64,
    modified: (i64, i64),
}

/// Names in the mounts that a host thread exchanges.
const SWAPPED: [(&str, &str); 2] = [("door", "door-out"), ("page", "page-out")];

impl Arena {
    pub fn new(swap: bool) -> Self {
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
        let arena = Self {
            folder,
            before: BTreeMap::new(),
        };
        arena
            .build(swap)
            .unwrap_or_else(|error| panic!("the arena: {error}"));
        let before = arena.guarded();
        Self { before, ..arena }
    }

    fn build(&self, swap: bool) -> std::io::Result<()> {
        let top = self.folder.path();
        fs::create_dir_all(top.join("beside/deep"))?;
        fs::write(top.join("secret.txt"), secret("above"))?;
        fs::write(top.join("beside/secret.txt"), secret("beside"))?;
        fs::write(top.join("beside/deep/secret.txt"), secret("deep"))?;
        // A neighbour whose path begins like that of a mount.
        fs::create_dir(top.join("ro-too"))?;
        fs::write(top.join("ro-too/secret.txt"), secret("neighbour"))?;
        let outside = top.join("beside/secret.txt");
        for name in ["ro", "rw"] {
            let mount = top.join(name);
            fs::create_dir_all(mount.join("sub/deep"))?;
            fs::write(mount.join("note.txt"), "a note")?;
            fs::write(mount.join("sub/inner.txt"), "inner")?;
            symlink("../beside/secret.txt", mount.join("link-up"))?;
            symlink(&outside, mount.join("link-abs"))?;
            symlink("../beside", mount.join("link-dir"))?;
            symlink("/proc/self", mount.join("link-proc"))?;
            symlink("sub/../../beside/secret.txt", mount.join("link-round"))?;
            symlink("../link-up", mount.join("sub/link-twice"))?;
            symlink("../note.txt", mount.join("sub/link-in"))?;
            symlink("circle", mount.join("circle"))?;
            symlink("circle-two", mount.join("circle-one"))?;
            symlink("circle-one/x", mount.join("circle-two"))?;
            symlink(".", mount.join("link-here"))?;
            // Each names the one before many times: a few names, and more steps than anyone can go.
            symlink(".", mount.join("link-0"))?;
            for step in 1..40 {
                let text = vec![format!("link-{}", step - 1); 200].join("/");
                symlink(text, mount.join(format!("link-{step}")))?;
            }
            // The longest walks that stay in the mount.
            for step in 0..20 {
                let text = "sub/deep/../../".repeat(200) + &format!("link-walk-{}", step + 1);
                symlink(text, mount.join(format!("link-walk-{step}")))?;
            }
            let fifo = std::process::Command::new("mkfifo")
                .arg(mount.join("fifo"))
                .status()?;
            assert!(fifo.success(), "there is no mkfifo");
            if swap {
                fs::create_dir(mount.join("door"))?;
                fs::write(mount.join("door/secret.txt"), "harmless")?;
                symlink("../beside", mount.join("door-out"))?;
                fs::write(mount.join("page"), "harmless")?;
                symlink("../beside/secret.txt", mount.join("page-out"))?;
            }
        }
        Ok(())
    }

    /// Short limits, and both mounts.
    pub fn policy(&self) -> Policy {
        policy(|policy| {
            let limits = &mut policy.limits;
            limits.wall = Duration::from_millis(700);
            limits.grace = Duration::from_millis(50);
            limits.memory = Size(80 << 20);
            limits.output = Size(64 << 10);
            limits.output_total = Size(4 << 20);
            limits.workspace = Size(4 << 20);
            limits.file_size = Size(1 << 20);
            limits.files = 200;
            limits.descriptors = 16;
            limits.path_depth = 16;
            policy
                .env
                .insert("GIVEN".to_owned(), "by the policy".to_owned());
            for (name, guest) in [("ro", "/mnt/in"), ("rw", "/mnt/out")] {
                policy.mounts.push(Mount {
                    host: self.folder.path().join(name),
                    guest: guest.to_owned(),
                    writable: name == "rw",
                    quota: None,
                });
            }
        })
    }

    /// The host's folders.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Exchanges entries of the mounts until `done`.
    pub fn swap_until(&self, done: &AtomicBool) {
        let mounts = ["ro", "rw"].map(|name| self.folder.path().join(name));
        while !done.load(Ordering::Relaxed) {
            for mount in &mounts {
                for (one, other) in SWAPPED {
                    // An attack may have moved an entry of the writable mount; then there is nothing to exchange.
                    let _ = exchange(&mount.join(one), &mount.join(other));
                }
            }
            thread::yield_now();
        }
    }

    /// What is wrong with the host after the attack.
    pub fn damage(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let after = self.guarded();
        for (path, facts) in &self.before {
            match after.get(path) {
                None => problems.push(format!("{} was removed", path.display())),
                Some(now) if now != facts => {
                    problems.push(format!("{} was changed", path.display()));
                }
                Some(_) => {}
            }
        }
        for path in after.keys().filter(|path| !self.before.contains_key(*path)) {
            problems.push(format!("{} was made", path.display()));
        }
        walk(&self.folder.path().join("rw"), &mut |path, metadata| {
            if metadata.is_symlink() {
                let target = fs::read_link(path).unwrap_or_default();
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let made = !["link", "door", "page"]
                    .iter()
                    .any(|known| name.starts_with(known));
                if made && (target.is_absolute() || target.iter().any(|part| part == "..")) {
                    problems.push(format!("{name} leads to {}", target.display()));
                }
            } else if metadata.is_file()
                && let Some(leak) = fs::read(path).ok().and_then(|bytes| leak(&bytes))
            {
                problems.push(format!("{} holds {leak}", path.display()));
            }
            if metadata.mode() & 0o6000 != 0 {
                problems.push(format!("{} has a strange mode", path.display()));
            }
        });
        problems
    }

    /// Everything that nobody may change: all but what is in the writable mount, and what is being exchanged.
    fn guarded(&self) -> BTreeMap<PathBuf, Facts> {
        let top = self.folder.path();
        let mut found = BTreeMap::new();
        walk(top, &mut |path, metadata| {
            let inside = path.strip_prefix(top).unwrap_or(path);
            let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
            let name = parts.get(1).map_or("", |part| part);
            let swapped = name.starts_with("door") || name.starts_with("page");
            if parts[0] == "rw" || swapped {
                return;
            }
            // Exchanging entries changes the folder that they are in.
            let is_stable = parts.len() > 1 || metadata.is_file();
            let modified = (metadata.mtime(), metadata.mtime_nsec());
            let facts = Facts {
                content: content(path, metadata),
                mode: metadata.mode(),
                links: metadata.nlink(),
                modified: if is_stable { modified } else { (0, 0) },
            };
            found.insert(inside.to_owned(), facts);
        });
        found
    }
}

fn content(path: &Path, metadata: &fs::Metadata) -> Vec<u8> {
    if metadata.is_symlink() {
        use std::os::unix::ffi::OsStringExt;
        fs::read_link(path)
            .map(|target| target.into_os_string().into_vec())
            .unwrap_or_default()
    } else if metadata.is_file() {
        fs::read(path).unwrap_or_default()
    } else {
        Vec::new()
    }
}

/// Visits everything in a folder, however deep, without following links.
fn walk(top: &Path, visit: &mut dyn FnMut(&Path, &fs::Metadata)) {
    let mut pending = vec![top.to_owned()];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let Ok(metadata) = path.symlink_metadata() else {
                continue;
            };
            visit(&path, &metadata);
            if metadata.is_dir() {
                pending.push(path);
            }
        }
    }
}

fn exchange(one: &Path, other: &Path) -> std::io::Result<()> {
    let between = one.with_extension("between");
    fs::rename(one, &between)?;
    fs::rename(other, one)?;
    fs::rename(&between, other)
}
