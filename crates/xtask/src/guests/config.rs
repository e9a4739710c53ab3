//! `guest.toml`: what a guest's folder says about itself.

use anyhow::{Context, Result, ensure};
use sandbox_engine::Language;
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

use crate::project::Project;

/// A guest runtime: one folder of the guests' workspace with a `guest.toml`.
#[derive(Debug, Clone)]
pub struct Guest {
    /// Its folder.
    pub folder: PathBuf,
    /// What `guest.toml` says.
    pub config: Config,
}

/// The content of `guest.toml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The language, as the engine spells it; also the name of the output folder.
    pub language: String,
    /// The cargo package that builds the reactor module.
    pub package: String,
    /// The interpreter inside.
    pub interpreter: Interpreter,
    /// Flags for every crate of the guest.
    #[serde(default)]
    pub rustflags: Vec<String>,
    /// Licences of what the module carries beside its crates, such as a standard library.
    #[serde(default)]
    pub licenses: Vec<CarriedWork>,
}

/// What the engine calls a guest's interpreter: a name and the version of one of its crates.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interpreter {
    /// Its name.
    pub name: String,
    /// The crate whose version it has.
    #[serde(rename = "crate")]
    pub in_crate: String,
}

/// A work inside of a crate that has a licence of its own.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CarriedWork {
    /// What it is called.
    pub name: String,
    /// Its licence as an SPDX expression.
    pub license: String,
    /// The crate that brings it.
    #[serde(rename = "crate")]
    pub in_crate: String,
    /// The licence's text, as a path in that crate.
    pub file: PathBuf,
}

impl Guest {
    /// Every guest of the project, in the order of their folders.
    pub fn all(project: &Project) -> Result<Vec<Self>> {
        let workspace = project.guest_workspace();
        let mut folders = Vec::new();
        for entry in fs::read_dir(&workspace)
            .with_context(|| format!("cannot list {}", workspace.display()))?
        {
            let folder = entry?.path();
            if folder.join("guest.toml").is_file() {
                folders.push(folder);
            }
        }
        folders.sort();
        ensure!(
            !folders.is_empty(),
            "no folder of {} has a guest.toml",
            workspace.display()
        );
        folders.iter().map(|folder| Self::read(folder)).collect()
    }

    /// Reads one guest's folder.
    pub fn read(folder: &Path) -> Result<Self> {
        let path = folder.join("guest.toml");
        let text =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let config: Config =
            toml::from_str(&text).with_context(|| format!("invalid {}", path.display()))?;
        // The name becomes a folder below `target`.
        ensure!(
            !config.language.is_empty()
                && config
                    .language
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()),
            "invalid {}: `language` must consist of lower-case letters and digits",
            path.display()
        );
        // Cargo joins flags with this character.
        ensure!(
            config.rustflags.iter().all(|flag| !flag.contains('\u{1f}')),
            "invalid {}: a control character in `rustflags`",
            path.display()
        );
        Ok(Self {
            folder: folder.to_owned(),
            config,
        })
    }

    /// The language as the engine knows it.
    pub fn language(&self) -> Result<Language> {
        let name = &self.config.language;
        Language::ALL
            .iter()
            .find(|language| language.name() == name)
            .copied()
            .with_context(|| {
                format!("the engine knows no language `{name}`; add it to its `Language`")
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Guest> {
        let folder = tempfile::tempdir()?;
        fs::write(folder.path().join("guest.toml"), text)?;
        Guest::read(folder.path())
    }

    const TAIL: &str = "[interpreter]\nname = 'Python'\ncrate = 'python'\n";

    #[test]
    fn flags_and_names_are_read() {
        let guest = read(&format!("package = 'sandbox-guest-python'\nrustflags = ['-Ca=1', '-Cb=2']\nlanguage = 'python'\n{TAIL}")).unwrap();
        assert_eq!(guest.config.rustflags, ["-Ca=1", "-Cb=2"]);
    }

    #[test]
    fn mistakes_are_refused() {
        for text in [
            "package = 'p'",
            "language = '../up'\npackage = 'p'",
            "language = 'x'\npackage = 'p'\nrustflag = []",
            "language = 'X'\npackage = 'p'",
            "language = 'x'\npackage = 'p'\nrustflags = [\"a\\u001fb\"]",
        ] {
            assert!(read(&format!("{text}\n{TAIL}")).is_err(), "{text}");
        }
    }

    #[test]
    fn the_guests_of_this_project_are_valid() {
        let guests = Guest::all(&Project::find().unwrap()).unwrap();
        assert!(guests.iter().any(|guest| guest.config.language == "python"));
    }
}
