//! A crate's source as the registry serves it, checked against a pinned hash.

use anyhow::{Context, Result, bail, ensure};
use flate2::read::GzDecoder;
use std::env;
use std::fs;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use super::patch::Tree;
use crate::digest::sha256;
use crate::process;
use crate::project::Project;
use crate::ui;

/// No source of a crate is larger than this when unpacked.
const LARGEST_CRATE: u64 = 512 << 20;

/// The unpacked source of `name` in exactly this version and with exactly this hash.
pub fn source(project: &Project, name: &str, version: &str, hash: &str) -> Result<Tree> {
    let file = format!("{name}-{version}.crate");
    if let Some(bytes) = cached(&file, hash)? {
        return unpack(&bytes, &format!("{name}-{version}"));
    }
    ui::step("Fetching", &file, || fetch(project, name, version))?;
    match cached(&file, hash)? {
        Some(bytes) => unpack(&bytes, &format!("{name}-{version}")),
        None => bail!(
            "cargo's registry cache has no {file} with the SHA-256 {hash}. If cargo is set up to replace crates.io, \
             the replacement must serve the published file"
        ),
    }
}

/// Unpacks a `.crate` file. Every entry lies in one folder, which is left out of the paths.
fn unpack(bytes: &[u8], folder: &str) -> Result<Tree> {
    let mut tree = Tree::new();
    let mut archive = tar::Archive::new(GzDecoder::new(bytes).take(LARGEST_CRATE));
    for entry in archive.entries().context("the crate is no tar file")? {
        let mut entry = entry.context("the crate is damaged")?;
        let path = entry.path().context("the crate is damaged")?.into_owned();
        if entry.header().entry_type().is_dir() {
            continue;
        }
        ensure!(
            entry.header().entry_type().is_file(),
            "the crate has something other than files at {}",
            path.display()
        );
        let mut content = Vec::new();
        entry
            .read_to_end(&mut content)
            .with_context(|| format!("the crate is damaged at {}", path.display()))?;
        tree.insert(inside(&path, folder)?, content);
    }
    ensure!(!tree.is_empty(), "the crate is empty");
    Ok(tree)
}

/// The path below the crate's own folder; an error if it leads anywhere else.
fn inside(path: &Path, folder: &str) -> Result<String> {
    let rest = path
        .strip_prefix(folder)
        .with_context(|| format!("the crate has {} outside of {folder}", path.display()))?;
    let parts = rest
        .components()
        .map(|part| match part {
            Component::Normal(name) => name.to_str(),
            _ => None,
        })
        .collect::<Option<Vec<_>>>()
        .filter(|parts| !parts.is_empty())
        .with_context(|| format!("the crate has an unusable path: {}", path.display()))?;
    Ok(parts.join("/"))
}

/// Looks through cargo's downloads from every registry.
fn cached(file: &str, hash: &str) -> Result<Option<Vec<u8>>> {
    let folder = cargo_home()?.join("registry/cache");
    let Ok(registries) = fs::read_dir(&folder) else {
        return Ok(None);
    };
    for registry in registries.flatten() {
        if let Ok(bytes) = fs::read(registry.path().join(file))
            && sha256(&bytes) == hash
        {
            return Ok(Some(bytes));
        }
    }
    Ok(None)
}

/// Has cargo download the crate, with the user's own proxy, mirror and credentials.
fn fetch(project: &Project, name: &str, version: &str) -> Result<()> {
    // The guests' workspace cannot be resolved before the patched crate exists, so this runs outside of it.
    let outside = tempfile::tempdir().context("cannot create a temporary folder")?;
    process::output(project.cargo().current_dir(outside.path()).args([
        "info",
        "--registry",
        "crates-io",
        &format!("{name}@{version}"),
    ]))?;
    Ok(())
}

pub fn cargo_home() -> Result<PathBuf> {
    env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| env::home_dir().map(|home| home.join(".cargo")))
        .context("neither CARGO_HOME nor a home folder is known")
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};

    fn pack(entries: &[(&str, tar::EntryType, &str)]) -> Vec<u8> {
        let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        for (path, kind, content) in entries {
            let mut header = tar::Header::new_gnu();
            header.set_entry_type(*kind);
            header.set_size(content.len() as u64);
            // `set_path` refuses what a hostile archive would contain.
            header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
            header.set_cksum();
            archive.append(&header, content.as_bytes()).unwrap();
        }
        archive.into_inner().unwrap().finish().unwrap()
    }

    #[test]
    fn files_are_unpacked_without_their_top_folder() {
        let packed = pack(&[
            ("x-1.0.0/src", tar::EntryType::Directory, ""),
            ("x-1.0.0/src/lib.rs", tar::EntryType::Regular, "code"),
        ]);
        let tree = unpack(&packed, "x-1.0.0").unwrap();
        assert_eq!(
            tree,
            Tree::from([("src/lib.rs".to_owned(), b"code".to_vec())])
        );
    }

    #[test]
    fn hostile_archives_are_refused() {
        for (path, kind) in [
            ("x-1.0.0/../../up", tar::EntryType::Regular),
            ("/etc/passwd", tar::EntryType::Regular),
            ("y-1.0.0/lib.rs", tar::EntryType::Regular),
            ("x-1.0.0/link", tar::EntryType::Symlink),
        ] {
            assert!(
                unpack(&pack(&[(path, kind, "")]), "x-1.0.0").is_err(),
                "{path}"
            );
        }
        assert!(unpack(b"no archive", "x-1.0.0").is_err());
    }
}
