//! What code may use: the whole answer to what it can do to its host.
//!
//! Everything that is not granted is denied. The defaults stand in [`Limits`]'s fields and in
//! `policies/default.toml`, and a test keeps the two equal.

use crate::error::{Error, Result};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

/// Everything a guest may use. See the [module documentation](self).
///
/// ```
/// use sandbox_engine::Policy;
/// let policy = Policy::from_toml("[limits]\nwall = \"1.5s\"\nmemory = \"64MiB\"")?;
/// assert_eq!(policy.limits.memory.bytes(), 64 << 20);
/// # Ok::<(), sandbox_engine::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Policy {
    /// A name for messages.
    pub name: String,
    /// One sentence for people.
    pub description: String,
    /// How much of everything.
    pub limits: Limits,
    /// Environment variables. Default: none.
    pub env: BTreeMap<String, String>,
    /// Host folders that the guest sees. Default: none.
    pub mounts: Vec<Mount>,
    /// The folder that code starts in. Default: `/mnt/data`, the session's own workspace.
    pub workdir: String,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            name: "default".to_owned(),
            description:
                "For code that nobody has read: generous enough to work, nothing of the host"
                    .to_owned(),
            limits: Limits::default(),
            env: BTreeMap::new(),
            mounts: Vec::new(),
            workdir: WORKSPACE.to_owned(),
        }
    }
}

/// Where the session's own files are, inside the sandbox.
pub const WORKSPACE: &str = "/mnt/data";
/// Scratch space inside the sandbox. It counts towards the same limits as the workspace.
pub const SCRATCH: &str = "/tmp";

/// The policies that come with the engine, by name.
const PRESETS: &[(&str, &str)] = &[
    ("default", include_str!("../../../policies/default.toml")),
    (
        "permissive",
        include_str!("../../../policies/permissive.toml"),
    ),
];

impl Policy {
    /// One of the policies that come with the engine, `None` where there is none of that name.
    ///
    /// # Errors
    /// [`Error::Policy`] where the preset's own file is wrong, which the tests rule out.
    pub fn named(name: &str) -> Result<Option<Self>> {
        PRESETS
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, text)| Self::from_toml(text))
            .transpose()
    }

    /// The names that [`Policy::named`] knows.
    pub fn preset_names() -> impl Iterator<Item = &'static str> {
        PRESETS.iter().map(|(name, _)| *name)
    }

    /// Reads a policy file's text.
    ///
    /// # Errors
    /// [`Error::Policy`] with line and column where a key is unknown, a unit is wrong or a value does not fit.
    pub fn from_toml(text: &str) -> Result<Self> {
        let policy: Self =
            toml::from_str(text).map_err(|error| Error::Policy(error.to_string()))?;
        policy.check()?;
        Ok(policy)
    }

    /// The policy as a file's text, which [`Policy::from_toml`] reads back.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).unwrap_or_default()
    }

    /// Whether the parts fit together.
    ///
    /// # Errors
    /// [`Error::Policy`] with the first contradiction.
    pub fn check(&self) -> Result<()> {
        let limits = &self.limits;
        if limits.wall.is_zero() {
            return Err(Error::Policy(
                "limits.wall is zero: nothing could run".to_owned(),
            ));
        }
        if limits.memory.bytes() < MIN_MEMORY {
            return Err(Error::Policy(format!(
                "limits.memory is {}; an interpreter needs at least {}",
                limits.memory,
                Size(MIN_MEMORY)
            )));
        }
        if limits.memory.bytes() > MAX_MEMORY {
            return Err(Error::Policy(format!(
                "limits.memory is {}; a 32-bit instance has at most {}",
                limits.memory,
                Size(MAX_MEMORY)
            )));
        }
        if limits.file_size > limits.workspace {
            return Err(Error::Policy(format!(
                "limits.file_size ({}) is larger than limits.workspace ({})",
                limits.file_size, limits.workspace
            )));
        }
        if limits.descriptors < 8 {
            return Err(Error::Policy(
                "limits.descriptors must be at least 8".to_owned(),
            ));
        }
        if !self.workdir.starts_with('/') {
            return Err(Error::Policy(format!(
                "workdir `{}` is not absolute",
                self.workdir
            )));
        }
        for mount in &self.mounts {
            mount.check()?;
        }
        if let Some(key) = self
            .env
            .keys()
            .find(|key| key.is_empty() || key.contains(['=', '\0']))
        {
            return Err(Error::Policy(format!(
                "env: `{key}` is no name for a variable"
            )));
        }
        Ok(())
    }
}

/// The smallest useful memory limit, in bytes: an interpreter's image and a little room.
pub const MIN_MEMORY: u64 = 48 << 20;
/// The largest memory limit, in bytes: what 32-bit addresses reach, less one page.
pub const MAX_MEMORY: u64 = (4 << 30) - (64 << 10);

/// How much of everything a guest may use. The defaults are those of the `default` policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Limits {
    /// Wall-clock time for one run. Default: 30 s.
    #[serde(with = "duration_text")]
    pub wall: Duration,
    /// How long an interrupted run may go on before it is stopped for good. Default: 100 ms.
    #[serde(with = "duration_text")]
    pub grace: Duration,
    /// Fuel for one run, about one unit for each WebAssembly instruction. Default: unlimited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fuel: Option<u64>,
    /// Linear memory, plus what the host holds on the guest's behalf. Default: 256 MiB.
    pub memory: Size,
    /// Bytes kept of each output stream; what is beyond is dropped and counted. Default: 1 MiB.
    pub output: Size,
    /// Bytes a run may write to both streams together before it is stopped. Default: 1 GiB.
    pub output_total: Size,
    /// Bytes of all files in workspace and scratch space. Default: 64 MiB.
    pub workspace: Size,
    /// Bytes of one file. Default: 32 MiB.
    pub file_size: Size,
    /// Number of files and folders. Default: 4,096.
    pub files: u64,
    /// Open descriptors. Default: 64.
    pub descriptors: u32,
    /// Folders one inside another. Default: 64.
    pub path_depth: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            wall: Duration::from_secs(30),
            grace: Duration::from_millis(100),
            fuel: None,
            memory: Size(256 << 20),
            output: Size(1 << 20),
            output_total: Size(1 << 30),
            workspace: Size(64 << 20),
            file_size: Size(32 << 20),
            files: 4096,
            descriptors: 64,
            path_depth: 64,
        }
    }
}

/// The limits that can stop a run or take something from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Limit {
    /// [`Limits::wall`].
    Wall,
    /// [`Limits::fuel`].
    Fuel,
    /// [`Limits::memory`].
    Memory,
    /// The interpreter's stack.
    Stack,
    /// [`Limits::output`] dropped something, or [`Limits::output_total`] stopped the run.
    Output,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Wall => "wall-clock time",
            Self::Fuel => "fuel",
            Self::Memory => "memory",
            Self::Stack => "stack",
            Self::Output => "output",
        })
    }
}

/// A host folder that the guest sees.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mount {
    /// The folder on the host.
    pub host: PathBuf,
    /// Where the guest sees it: an absolute path.
    pub guest: String,
    /// Whether the guest may change it. Default: no.
    #[serde(default)]
    pub writable: bool,
}

impl Mount {
    fn check(&self) -> Result<()> {
        let path = Path::new(&self.guest);
        if !path.is_absolute()
            || self
                .guest
                .split('/')
                .any(|part| part == ".." || part == ".")
        {
            return Err(Error::Policy(format!(
                "mount point `{}` is not an absolute plain path",
                self.guest
            )));
        }
        if path == Path::new("/") {
            return Err(Error::Policy(
                "a mount at `/` would hide the workspace".to_owned(),
            ));
        }
        Ok(())
    }
}

impl FromStr for Mount {
    type Err = Error;

    /// `HOST:GUEST`, `HOST:GUEST:ro` or `HOST:GUEST:rw`; read-only where nothing is said.
    fn from_str(text: &str) -> Result<Self> {
        let (rest, writable) = match text.rsplit_once(':') {
            Some((rest, "ro")) => (rest, false),
            Some((rest, "rw")) => (rest, true),
            _ => (text, false),
        };
        let Some((host, guest)) = rest
            .rsplit_once(':')
            .filter(|(host, guest)| !host.is_empty() && !guest.is_empty())
        else {
            return Err(Error::Policy(format!(
                "`{text}` is no mount; expected HOST:GUEST[:ro|rw]"
            )));
        };
        let mount = Self {
            host: host.into(),
            guest: guest.to_owned(),
            writable,
        };
        mount.check()?;
        Ok(mount)
    }
}

/// A number of bytes that reads and prints as people write it: `256MiB`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Size(pub u64);

impl Size {
    /// The number of bytes.
    pub fn bytes(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (unit, name) in [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")] {
            if self.0 >= unit && self.0.is_multiple_of(unit) {
                return write!(f, "{}{name}", self.0 / unit);
            }
        }
        write!(f, "{}B", self.0)
    }
}

impl FromStr for Size {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        text.parse::<bytesize::ByteSize>()
            .map(|size| Self(size.as_u64()))
            .map_err(|_| {
                Error::Policy(format!(
                    "`{text}` is no size; expected one such as 256MiB, 64KiB or 1000000"
                ))
            })
    }
}

impl Serialize for Size {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Raw {
            Bytes(u64),
            Text(String),
        }
        match Raw::deserialize(deserializer)? {
            Raw::Bytes(bytes) => Ok(Self(bytes)),
            Raw::Text(text) => text.parse().map_err(serde::de::Error::custom),
        }
    }
}

/// Durations as people write them: `1.5s`, `250ms`, `2m`.
///
/// # Errors
/// [`Error::Policy`] where the text is no duration.
pub fn parse_duration(text: &str) -> Result<Duration> {
    let wrong = || {
        Error::Policy(format!(
            "`{text}` is no duration; expected one such as 1.5s, 250ms or 2m"
        ))
    };
    // A fraction is what people write and humantime does not read.
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    if let Ok(number) = digits.trim().parse::<f64>() {
        let unit = match text[digits.len()..].trim() {
            "" | "s" | "sec" => 1.0,
            "ms" => 1e-3,
            "us" => 1e-6,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            _ => return Err(wrong()),
        };
        return Duration::try_from_secs_f64(number * unit).map_err(|_| wrong());
    }
    humantime::parse_duration(text).map_err(|_| wrong())
}

mod duration_text {
    use serde::{Deserialize, Deserializer, Serializer};
    use std::time::Duration;

    pub fn serialize<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&humantime::format_duration(*duration))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        let text = String::deserialize(deserializer)?;
        super::parse_duration(&text).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_can_be_read_and_the_default_is_the_default() {
        for name in Policy::preset_names() {
            let policy = Policy::named(name).unwrap().unwrap();
            assert_eq!(policy.name, name);
        }
        assert_eq!(
            Policy::named("default").unwrap().unwrap(),
            Policy::default()
        );
        assert_eq!(Policy::named("no such preset").unwrap(), None);
    }

    #[test]
    fn a_policy_reads_back_from_its_own_text() {
        let mut policy = Policy::default();
        policy.limits.fuel = Some(7);
        policy.env.insert("KEY".to_owned(), "value".to_owned());
        policy.mounts.push("/etc:/mnt/etc:rw".parse().unwrap());
        assert_eq!(Policy::from_toml(&policy.to_toml()).unwrap(), policy);
    }

    #[test]
    fn a_mistake_in_a_policy_is_named_with_its_place() {
        for (text, wanted) in [
            ("[limits]\nwal = \"1s\"", "wal"),
            ("[limits]\nwall = \"1 fortnight\"", "1 fortnight"),
            ("[limits]\nmemory = \"12 potatoes\"", "12 potatoes"),
            ("[limits]\nmemory = \"1MiB\"", "at least"),
            (
                "[limits]\nfile_size = \"65MiB\"",
                "larger than limits.workspace",
            ),
        ] {
            let error = Policy::from_toml(text).unwrap_err().to_string();
            assert!(error.contains(wanted), "{text}: {error}");
        }
    }

    #[test]
    fn sizes_and_durations_read_as_people_write_them() {
        assert_eq!("256MiB".parse::<Size>().unwrap(), Size(256 << 20));
        assert_eq!("1000".parse::<Size>().unwrap(), Size(1000));
        assert_eq!(Size(1536).to_string(), "1536B");
        assert_eq!(parse_duration("1.5s").unwrap(), Duration::from_millis(1500));
        assert_eq!(parse_duration("250ms").unwrap(), Duration::from_millis(250));
        assert_eq!(parse_duration("1h 30m").unwrap(), Duration::from_mins(90));
        assert!(parse_duration("soon").is_err());
        assert!(parse_duration("-1s").is_err());
    }

    #[test]
    fn a_mount_is_read_only_unless_it_says_otherwise() {
        let mount: Mount = "/data:/mnt/in".parse().unwrap();
        assert!(!mount.writable);
        assert!("/data:/mnt/in:rw".parse::<Mount>().unwrap().writable);
        for wrong in ["/data", "/data:relative", "/data:/", "/data:/a/../b", ":/x"] {
            assert!(wrong.parse::<Mount>().is_err(), "{wrong}");
        }
    }
}
