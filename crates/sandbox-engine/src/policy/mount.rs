//! Host folders that a guest sees.

use super::limits::Limits;
use super::values::Size;
use crate::error::{Error, Result};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A host folder that the guest sees.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mount {
    /// The folder on the host. In a policy file, a relative path starts at the file's folder.
    #[serde(serialize_with = "write_path")]
    pub host: PathBuf,
    /// Where the guest sees it: an absolute path.
    #[schemars(regex(pattern = r"^/."))]
    pub guest: String,
    /// Whether the guest may change it. Default: no.
    #[serde(default)]
    pub writable: bool,
    /// How many bytes more than when the session began may lie in it because of what the session does. Default: as many
    /// as `limits.workspace`. The number of files and folders that are made in it is limited like that of the session's
    /// own, by `limits.files`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quota: Option<Size>,
}

/// A path that is no Unicode is shown as well as it can be: the alternative is a policy that cannot be shown at all.
fn write_path<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&path.display())
}

impl Mount {
    /// How many bytes may be added to it under these limits.
    pub(crate) fn quota_under(&self, limits: &Limits) -> Size {
        self.quota.unwrap_or(limits.workspace)
    }

    /// What is wrong with it as such, whatever is on the host.
    pub(super) fn check(&self) -> Result<(), String> {
        let path = Path::new(&self.guest);
        if !path.is_absolute()
            || self
                .guest
                .split('/')
                .any(|part| part == ".." || part == ".")
        {
            return Err(format!(
                "mount point `{}` is not an absolute plain path",
                self.guest
            ));
        }
        if path.components().count() == 1 {
            return Err("a mount at `/` would hide the workspace".to_owned());
        }
        if self.guest.contains('\0') {
            return Err(format!(
                "mount point `{}` has a NUL in it",
                self.guest.escape_debug()
            ));
        }
        Ok(())
    }

    /// Whether it covers a path inside the sandbox.
    pub(super) fn covers(&self, path: &str) -> bool {
        Path::new(path).starts_with(&self.guest)
    }

    /// Whether it covers one of several paths.
    pub(super) fn covers_any<'a>(&self, paths: impl IntoIterator<Item = &'a str>) -> bool {
        paths.into_iter().any(|path| self.covers(path))
    }

    /// The same place for the guest, however it is spelt.
    pub(super) fn same_point(&self, other: &Self) -> bool {
        Path::new(&self.guest) == Path::new(&other.guest)
    }
}

impl FromStr for Mount {
    type Err = Error;

    /// `HOST:GUEST`, `HOST:GUEST:ro`, `HOST:GUEST:rw` or, with a quota, `HOST:GUEST:rw:SIZE`; read-only where nothing
    /// is said.
    fn from_str(text: &str) -> Result<Self> {
        let (rest, quota) = match text.rsplit_once(':') {
            Some((rest, size)) if rest.ends_with(":rw") => (rest, Some(size.parse()?)),
            _ => (text, None),
        };
        let (rest, writable) = match rest.rsplit_once(':') {
            Some((rest, "ro")) => (rest, false),
            Some((rest, "rw")) => (rest, true),
            _ => (rest, false),
        };
        let Some((host, guest)) = rest
            .rsplit_once(':')
            .filter(|(host, guest)| !host.is_empty() && !guest.is_empty())
        else {
            return Err(Error::Policy(format!(
                "`{text}` is no mount; expected HOST:GUEST[:ro|rw[:SIZE]]"
            )));
        };
        let mount = Self {
            host: host.into(),
            guest: guest.to_owned(),
            writable,
            quota,
        };
        mount.check().map_err(Error::Policy)?;
        Ok(mount)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mount_is_read_only_unless_it_says_otherwise() {
        let mount: Mount = "/data:/mnt/in".parse().unwrap();
        assert!(!mount.writable);
        assert!("/data:/mnt/in:rw".parse::<Mount>().unwrap().writable);
        let mount: Mount = "/da:ta:/mnt/in:rw:1.5GiB".parse().unwrap();
        assert_eq!(mount.quota, Some(Size(3 << 29)));
        assert_eq!((mount.host, mount.writable), ("/da:ta".into(), true));
        for wrong in [
            "/data",
            "/data:relative",
            "/data:/",
            "/data://",
            "/data:/a/../b",
            "/data:/a\0b",
            ":/x",
            "/data:/x:rw:much",
            "/data:/x:ro:1MiB",
            "/data:/x:1MiB",
        ] {
            assert!(wrong.parse::<Mount>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_mount_covers_itself_and_what_is_below() {
        let mount: Mount = "/data:/mnt/in/".parse().unwrap();
        assert!(mount.covers("/mnt/in") && mount.covers("/mnt/in/a/b"));
        assert!(!mount.covers("/mnt/inside") && !mount.covers("/mnt"));
    }
}
