//! Steps of a set-up: shown by `--dry-run`, carried out otherwise.

use anyhow::{Context, Result, bail, ensure};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use flate2::read::GzDecoder;
use sha2::{Digest, Sha512};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use crate::process;
use crate::ui;

/// Steps in the order in which they have to happen.
#[derive(Default)]
pub struct Plan {
    steps: Vec<Step>,
}

/// A package of the npm registry in one exact version.
#[derive(Debug, Clone)]
pub struct NpmPackage {
    /// Its name.
    pub name: &'static str,
    /// The version.
    pub version: &'static str,
    /// SHA-512 of the published file in base 64, as npm itself writes it.
    pub sha512: &'static str,
}

enum Step {
    Run {
        command: Vec<String>,
        as_root: bool,
    },
    Unpack {
        package: NpmPackage,
        archive: &'static str,
        folders: Vec<&'static str>,
        into: PathBuf,
    },
}

impl Plan {
    /// Adds a command.
    pub fn run(&mut self, command: &[&str]) {
        self.push(command, false);
    }

    /// Adds a command that needs the system administrator's rights.
    pub fn run_as_root(&mut self, command: &[&str]) {
        self.push(command, true);
    }

    /// Adds a download: some folders of a tar file that lies in an npm package.
    pub fn unpack(
        &mut self,
        package: NpmPackage,
        archive: &'static str,
        folders: &[&'static str],
        into: &Path,
    ) {
        self.steps.push(Step::Unpack {
            package,
            archive,
            folders: folders.to_vec(),
            into: into.to_owned(),
        });
    }

    /// Prints the steps on stdout.
    pub fn show(&self) {
        if self.steps.is_empty() {
            println!("nothing to install");
        }
        for step in &self.steps {
            println!("{}", step.describe());
        }
    }

    /// Carries the steps out, each announced.
    pub fn execute(&self) -> Result<()> {
        for step in &self.steps {
            ui::section("Installing", &step.describe(), || step.execute())?;
        }
        Ok(())
    }

    fn push(&mut self, command: &[&str], as_root: bool) {
        let command = command.iter().map(ToString::to_string).collect();
        self.steps.push(Step::Run { command, as_root });
    }
}

impl Step {
    fn describe(&self) -> String {
        match self {
            Self::Run { command, as_root } => {
                let sudo = if *as_root && !is_root() { "sudo " } else { "" };
                format!("{sudo}{}", command.join(" "))
            }
            Self::Unpack {
                package,
                folders,
                into,
                ..
            } => format!(
                "npm package {}@{} (SHA-512 {}…): {} into {}",
                package.name,
                package.version,
                &package.sha512[..12],
                folders.join(", "),
                into.display()
            ),
        }
    }

    fn execute(&self) -> Result<()> {
        match self {
            Self::Run { command, as_root } => {
                let sudo = *as_root && !is_root();
                // `-n`: fail rather than ask.
                let words: &[&str] = if sudo { &["sudo", "-n"] } else { &[] };
                let mut words = words
                    .iter()
                    .copied()
                    .chain(command.iter().map(String::as_str));
                let program = words.next().context("an empty command")?;
                let result = process::run(
                    Command::new(program)
                        .args(words)
                        .env("DEBIAN_FRONTEND", "noninteractive"),
                );
                if sudo {
                    result.with_context(|| {
                        format!("run this yourself, then try again: {}", self.describe())
                    })
                } else {
                    result
                }
            }
            Self::Unpack {
                package,
                archive,
                folders,
                into,
            } => {
                let download = tempfile::tempdir().context("cannot create a temporary folder")?;
                let file = package.download(download.path())?;
                package.check(&file)?;
                unpack(&file, archive, folders, into)
            }
        }
    }
}

impl NpmPackage {
    /// Downloads the published file, with npm where it is installed: it knows the user's mirror.
    fn download(&self, folder: &Path) -> Result<PathBuf> {
        if process::succeeds(Command::new("npm").arg("--version")) {
            let package = format!("{}@{}", self.name, self.version);
            process::run(
                Command::new("npm")
                    .args(["pack", "--silent", &package])
                    .current_dir(folder),
            )?;
        } else {
            process::run(
                Command::new("curl")
                    .args([
                        "--fail",
                        "--location",
                        "--silent",
                        "--show-error",
                        "--retry",
                        "3",
                    ])
                    .args(["--remote-name", &self.url()])
                    .current_dir(folder),
            )?;
        }
        let mut files = fs::read_dir(folder)?.flatten().map(|entry| entry.path());
        files
            .find(|path| path.extension().is_some_and(|extension| extension == "tgz"))
            .with_context(|| format!("the download of {} left no file", self.name))
    }

    fn url(&self) -> String {
        let short = self.name.rsplit('/').next().unwrap_or(self.name);
        format!(
            "https://registry.npmjs.org/{}/-/{short}-{}.tgz",
            self.name, self.version
        )
    }

    fn check(&self, file: &Path) -> Result<()> {
        let content = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        let found = BASE64_STANDARD.encode(Sha512::digest(&content));
        if found != self.sha512 {
            bail!(
                "{}@{} is not the file that was expected: its SHA-512 is {found}, not {}",
                self.name,
                self.version,
                self.sha512
            );
        }
        Ok(())
    }
}

/// Unpacks folders of the tar file `archive` that lies in an npm package. The target appears only when it
/// is complete.
fn unpack(package: &Path, archive: &str, folders: &[&str], into: &Path) -> Result<()> {
    let parent = into.parent().context("the target needs a parent folder")?;
    fs::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
    let partial = tempfile::tempdir_in(parent)
        .with_context(|| format!("cannot write to {}", parent.display()))?;

    let mut outer = tar::Archive::new(GzDecoder::new(File::open(package)?));
    let inner = outer
        .entries()?
        .find_map(|entry| match entry {
            Ok(entry) if entry.path().is_ok_and(|path| path == Path::new(archive)) => {
                Some(Ok(entry))
            }
            Ok(_) => None,
            Err(error) => Some(Err(error)),
        })
        .with_context(|| format!("the package has no {archive}"))??;
    let count = unpack_inner(inner, folders, partial.path())?;
    ensure!(count > 0, "{archive} has none of {}", folders.join(", "));

    if into.exists() {
        fs::remove_dir_all(into).with_context(|| format!("cannot replace {}", into.display()))?;
    }
    fs::rename(partial.path(), into).with_context(|| format!("cannot create {}", into.display()))
}

fn unpack_inner(archive: impl Read, folders: &[&str], into: &Path) -> Result<usize> {
    let mut count = 0;
    for entry in tar::Archive::new(archive).entries()? {
        let mut entry = entry?;
        let path = entry.path()?.into_owned();
        let plain = path
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        if !entry.header().entry_type().is_file()
            || !folders.iter().any(|folder| path.starts_with(folder))
        {
            continue;
        }
        ensure!(plain, "an unusable path in the archive: {}", path.display());
        let target = into.join(&path);
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut content = Vec::new();
        entry.read_to_end(&mut content)?;
        fs::write(&target, content)
            .with_context(|| format!("cannot write {}", target.display()))?;
        count += 1;
    }
    Ok(count)
}

fn is_root() -> bool {
    process::output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};

    const PACKAGE: NpmPackage = NpmPackage {
        name: "@scope/tool",
        version: "1.2.3",
        // Of the three bytes `abc`.
        sha512: "3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4qmslPpUyknw==",
    };

    #[test]
    fn only_the_expected_file_passes() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x.tgz");
        fs::write(&file, "abc").unwrap();
        PACKAGE.check(&file).unwrap();
        fs::write(&file, "abd").unwrap();
        assert!(
            PACKAGE
                .check(&file)
                .unwrap_err()
                .to_string()
                .contains("not the file")
        );
        assert_eq!(
            PACKAGE.url(),
            "https://registry.npmjs.org/@scope/tool/-/tool-1.2.3.tgz"
        );
    }

    #[test]
    fn only_the_wanted_folders_are_unpacked() {
        let folder = tempfile::tempdir().unwrap();
        let mut inner = tar::Builder::new(Vec::new());
        let mut outer = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        for path in ["lib/a/libc.a", "lib/b/libc.a", "readme"] {
            add(&mut inner, path, b"content");
        }
        add(
            &mut outer,
            "package/inner.tar",
            &inner.into_inner().unwrap(),
        );
        let package = folder.path().join("x.tgz");
        fs::write(&package, outer.into_inner().unwrap().finish().unwrap()).unwrap();

        let into = folder.path().join("sysroot");
        unpack(&package, "package/inner.tar", &["lib/a"], &into).unwrap();
        assert_eq!(fs::read(into.join("lib/a/libc.a")).unwrap(), b"content");
        assert!(!into.join("lib/b").exists() && !into.join("readme").exists());
        // Again, over what is there.
        unpack(&package, "package/inner.tar", &["lib/b"], &into).unwrap();
        assert!(!into.join("lib/a").exists() && into.join("lib/b/libc.a").exists());
        assert!(unpack(&package, "package/other.tar", &["lib/a"], &into).is_err());
        assert!(unpack(&package, "package/inner.tar", &["nothing"], &into).is_err());
    }

    fn add<W: std::io::Write>(archive: &mut tar::Builder<W>, path: &str, content: &[u8]) {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, path, content).unwrap();
    }
}
