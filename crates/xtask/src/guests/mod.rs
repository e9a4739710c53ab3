//! `cargo xtask guests`: from a guest's source to the files that the engine embeds.
//!
//! Stages: [`patched`] crates, [`compile`], then [`artifact`] (start and freeze, precompile, compress).
//! [`stamp`] tells which of them have to run.

mod artifact;
mod compile;
mod config;
mod crates;
mod patch;
mod patched;
mod stamp;

use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

use crate::digest::sha256;
use crate::licenses;
use crate::project::Project;
use crate::toolchain::{self, GuestToolchain};
use crate::ui;
use stamp::Stamp;

pub use artifact::compress;
pub use compile::cargo;
pub use config::{CarriedWork, Guest};

/// The cargo profile that guests are meant to be built with.
pub const DEFAULT_PROFILE: &str = "release";

/// Whether a guest's files are there and made from the sources as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Nothing to do.
    Current,
    /// Made from other inputs.
    Stale,
    /// Never made, or damaged.
    Missing,
}

/// Builds every guest that is not up to date, and the licence texts. Answers whether there was anything to do.
pub fn build(project: &Project, profile: &str) -> Result<bool> {
    let toolchain = toolchain::ready(project)?;
    let identity = toolchain.identity()?;
    let _lock = project.lock_guests()?;
    let guests = Guest::all(project)?;
    let patched = patched::prepare(project, &guests)?;
    let mut built = false;
    for guest in &guests {
        let now = Stamp::now(project, guest, profile, &identity, &patched)?;
        built |= build_one(project, &toolchain, guest, profile, now)?;
    }
    licenses::write(project, &guests)?;
    Ok(built)
}

/// Makes the patched crates only, without which cargo cannot read the guests' workspace.
pub fn prepare_sources(project: &Project) -> Result<()> {
    let _lock = project.lock_guests()?;
    patched::prepare(project, &Guest::all(project)?)?;
    Ok(())
}

/// Looks at every guest; a patched crate is made where it is missing, nothing else is changed.
pub fn states(project: &Project, toolchain: &GuestToolchain) -> Result<Vec<(String, State)>> {
    let identity = toolchain.identity()?;
    let _lock = project.lock_guests()?;
    let guests = Guest::all(project)?;
    let patched = patched::prepare(project, &guests)?;
    guests
        .iter()
        .map(|guest| {
            let folder = output_folder(project, guest);
            let now = Stamp::now(project, guest, DEFAULT_PROFILE, &identity, &patched)?;
            let state = match Stamp::read(&folder) {
                Some(old) if !old.is_intact(&folder) => State::Missing,
                Some(old) if old.is_current(&now) => State::Current,
                Some(_) => State::Stale,
                None => State::Missing,
            };
            Ok((guest.config.language.clone(), state))
        })
        .collect()
}

/// Writes a file so that a reader sees the old content or the new, never a part. The same content leaves
/// the file alone, so that cargo rebuilds nothing that embeds it.
pub fn write_if_changed(path: &Path, content: &[u8]) -> Result<()> {
    if fs::read(path).is_ok_and(|old| old == content) {
        return Ok(());
    }
    let folder = path.parent().context("a file needs a folder")?;
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    fs::write(&partial, content)
        .and_then(|()| fs::rename(&partial, path))
        .with_context(|| format!("cannot write {}", path.display()))
}

fn build_one(
    project: &Project,
    toolchain: &GuestToolchain,
    guest: &Guest,
    profile: &str,
    mut now: Stamp,
) -> Result<bool> {
    let language = guest.config.language.as_str();
    let folder = output_folder(project, guest);
    let old = Stamp::read(&folder);
    let intact = old.as_ref().is_some_and(|old| old.is_intact(&folder));
    if intact && old.as_ref().is_some_and(|old| old.is_current(&now)) {
        return Ok(false);
    }

    let sources_changed = old.as_ref().is_none_or(|old| old.sources != now.sources);
    let module = compile::compile(project, toolchain, guest, profile, sources_changed)?;
    now.module_sha256 = sha256(&module);
    // A change that makes no difference in the module, such as a comment, needs no second half.
    let same =
        old.is_some_and(|old| old.module_sha256 == now.module_sha256 && old.engine == now.engine);
    if !(same && intact) {
        artifact::make(
            guest.language()?,
            licenses::interpreter(project, guest)?,
            &module,
            &folder,
            intact,
        )?;
    }
    now.write(&folder)?;
    ui::status(
        "Ready",
        &format!("the {language} guest in {}", folder.display()),
    );
    Ok(true)
}

fn output_folder(project: &Project, guest: &Guest) -> PathBuf {
    project.guest_output().join(&guest.config.language)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_replaced_only_when_they_differ() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/file");
        write_if_changed(&path, b"one").unwrap();
        let first = fs::metadata(&path).unwrap().modified().unwrap();
        write_if_changed(&path, b"one").unwrap();
        assert_eq!(first, fs::metadata(&path).unwrap().modified().unwrap());
        write_if_changed(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }
}
