//! The workspace as a tar archive, in before a run and out after it.

use crate::report::Failure;
use sandbox_engine::{Error, Session};
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::Path;
use tempfile::NamedTempFile;

/// The workspace, as sessions name it.
const WORKSPACE: &str = sandbox_engine::policy::WORKSPACE;

/// Unpacks an archive into the workspace.
pub fn unpack(session: &mut Session, path: &Path) -> Result<(), Failure> {
    let cannot = |reason: &dyn Display| {
        Failure::usage(format!("cannot unpack {}: {reason}", path.display()))
    };
    let file = File::open(path).map_err(|error| cannot(&error))?;
    match session.put_tar(WORKSPACE, BufReader::new(file)) {
        Ok(_) => Ok(()),
        Err(Error::Archive {
            entry: None,
            reason,
        }) => Err(cannot(&reason)),
        Err(Error::Archive {
            entry: Some(entry),
            reason,
        }) => Err(cannot(&format!("{entry}: {reason}"))),
        Err(error @ (Error::File { .. } | Error::Stream { .. })) => Err(cannot(&error)),
        Err(error) => Err(error.into()),
    }
}

/// Packs the workspace. A file that is there is replaced by a whole archive or left as it is.
pub fn pack(session: &mut Session, path: &Path) -> Result<(), Failure> {
    if is_special(path) {
        let file = File::options().write(true).open(path);
        let file = file.map_err(|error| cannot_pack(path, &error))?;
        return match session.get_tar(WORKSPACE, file) {
            Ok(_) => Ok(()),
            Err(error) => Err(cannot_pack(path, &error)),
        };
    }
    let mut file = new_file(path).map_err(|error| cannot_pack(path, &error))?;
    session
        .get_tar(WORKSPACE, file.as_file_mut())
        .map_err(|error| cannot_pack(path, &error))?;
    file.persist(path)
        .map_err(|error| cannot_pack(path, &error.error))?;
    Ok(())
}

/// Finds out before a run, which may take long, whether there can be an archive after it.
pub fn check_writable(path: &Path) -> Result<(), Failure> {
    let wrong =
        |error: io::Error| Failure::usage(format!("cannot write {}: {error}", path.display()));
    if path.is_dir() {
        return Err(wrong(io::ErrorKind::IsADirectory.into()));
    }
    if !is_special(path) {
        new_file(path).map_err(wrong)?;
    }
    Ok(())
}

/// Whether it is a device or a pipe, which is written to and not replaced.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file())
}

/// A file beside `path` that can take its place.
fn new_file(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|path| !path.as_os_str().is_empty());
    let mut file = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Like any new file's, less what the user's mask takes away.
        file.permissions(fs::Permissions::from_mode(0o666));
    }
    file.tempfile_in(folder.unwrap_or(Path::new(".")))
}

fn cannot_pack(path: &Path, reason: &dyn Display) -> Failure {
    Failure::ours(format!(
        "cannot pack the workspace into {}: {reason}",
        path.display()
    ))
}
