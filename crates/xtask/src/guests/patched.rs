//! Stage one: crates that guests need with changes, made from the registry's source and the patch files in
//! `<guest>/patches/<crate>-<version>/`. The guests' workspace refers to the result in its `[patch]` section.

use anyhow::{Context, Result, ensure};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::config::Guest;
use super::patch::{self, Tree};
use super::{crates, write_if_changed};
use crate::digest::{Key, files_below};
use crate::project::Project;
use crate::ui;

/// Makes every patched crate that is not up to date. Answers a digest of all their sources.
pub fn prepare(project: &Project, guests: &[Guest]) -> Result<String> {
    let mut key = Key::new("patched crates");
    for patched in all(guests)? {
        key = key.with(&patched.folder_name(), patched.prepare(project)?.as_bytes());
    }
    Ok(key.finish())
}

struct PatchedCrate {
    name: String,
    version: String,
    patches: PathBuf,
}

/// The patch folders of all guests. A crate has one folder: its users share the result.
fn all(guests: &[Guest]) -> Result<Vec<PatchedCrate>> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for guest in guests {
        let Ok(entries) = fs::read_dir(guest.folder.join("patches")) else {
            continue;
        };
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                let patched = PatchedCrate::new(path)?;
                ensure!(
                    seen.insert(patched.folder_name()),
                    "two guests patch {}; keep the patches in one folder",
                    patched.folder_name()
                );
                found.push(patched);
            }
        }
    }
    found.sort_by_key(PatchedCrate::folder_name);
    Ok(found)
}

impl PatchedCrate {
    fn new(patches: PathBuf) -> Result<Self> {
        let folder = patches
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let (name, version) = split(&folder)
            .with_context(|| format!("{} should be called <crate>-<version>", patches.display()))?;
        Ok(Self {
            name,
            version,
            patches,
        })
    }

    fn folder_name(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }

    /// Answers a digest of the sources that lie ready afterwards.
    fn prepare(&self, project: &Project) -> Result<String> {
        let folder = project.patched().join(self.folder_name());
        let stamp = project
            .patched()
            .join(format!("{}.stamp", self.folder_name()));
        let inputs = Key::new("patches")
            .with_tree(&self.patches, &self.patches)?
            .finish();

        // The stamp names the inputs and the result, so that neither can change unseen.
        let known = fs::read_to_string(&stamp).unwrap_or_default();
        if let Some((known_inputs, known_sources)) = known.trim_end().split_once(' ')
            && known_inputs == inputs
            && folder.is_dir()
        {
            if digest(&folder)? == known_sources {
                return Ok(known_sources.to_owned());
            }
            ui::warning(&format!(
                "{} was changed by hand and is made anew; changes belong into {}",
                folder.display(),
                self.patches.display()
            ));
        }

        let published = crates::source(project, &self.name, &self.version, &self.pinned_hash()?)?;
        let what = format!("{} {}", self.name, self.version);
        ui::step("Patching", &what, || {
            write(&self.patch(published)?, &folder)
        })?;
        let sources = digest(&folder)?;
        write_if_changed(&stamp, format!("{inputs} {sources}\n").as_bytes())?;
        Ok(sources)
    }

    /// Applies every patch file, in the order of their names.
    fn patch(&self, mut tree: Tree) -> Result<Tree> {
        for path in files_below(&self.patches)? {
            if path
                .extension()
                .is_some_and(|extension| extension == "patch")
            {
                let text = fs::read_to_string(&path)
                    .with_context(|| format!("cannot read {}", path.display()))?;
                patch::apply(&mut tree, &path.display().to_string(), &text)?;
            }
        }
        Ok(tree)
    }

    /// The hash in `crate.sha256`, a line as `sha256sum` writes it.
    fn pinned_hash(&self) -> Result<String> {
        let path = self.patches.join("crate.sha256");
        let text =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let hash = text.split_whitespace().next().unwrap_or_default();
        ensure!(
            hash.len() == 64
                && hash
                    .bytes()
                    .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b)),
            "{} holds no SHA-256",
            path.display()
        );
        Ok(hash.to_owned())
    }
}

/// Splits `rustpython-vm-0.6.0` before the version.
fn split(folder: &str) -> Option<(String, String)> {
    folder.match_indices('-').find_map(|(at, _)| {
        let version = &folder[at + 1..];
        semver::Version::parse(version).ok()?;
        Some((folder[..at].to_owned(), version.to_owned()))
    })
}

fn digest(folder: &Path) -> Result<String> {
    Ok(Key::new("sources").with_tree(folder, folder)?.finish())
}

/// Makes the folder hold exactly these files. What is right already keeps its time stamp, so that cargo
/// compiles nothing without need.
fn write(tree: &Tree, folder: &Path) -> Result<()> {
    for (name, content) in tree {
        write_if_changed(&folder.join(name), content)?;
    }
    for path in files_below(folder)? {
        let name = path
            .strip_prefix(folder)?
            .to_string_lossy()
            .replace('\\', "/");
        if !tree.contains_key(&name) {
            fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crate_and_version_are_told_apart() {
        let split = |text| split(text).map(|(name, version)| format!("{name} {version}"));
        assert_eq!(
            split("rustpython-vm-0.6.0").as_deref(),
            Some("rustpython-vm 0.6.0")
        );
        assert_eq!(split("a-1.0.0-rc.1").as_deref(), Some("a 1.0.0-rc.1"));
        assert_eq!(split("a-0.1.0+x-2").as_deref(), Some("a 0.1.0+x-2"));
        assert_eq!(split("no-version"), None);
    }

    #[test]
    fn writing_the_same_tree_again_touches_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let tree = Tree::from([
            ("a".to_owned(), b"1".to_vec()),
            ("b/c".to_owned(), b"2".to_vec()),
        ]);
        write(&tree, folder.path()).unwrap();
        let time = |name: &str| {
            fs::metadata(folder.path().join(name))
                .unwrap()
                .modified()
                .unwrap()
        };
        let before = (time("a"), time("b/c"));
        fs::write(folder.path().join("b/extra"), "3").unwrap();
        write(&tree, folder.path()).unwrap();
        assert_eq!(before, (time("a"), time("b/c")));
        assert!(!folder.path().join("b/extra").exists());
    }
}
