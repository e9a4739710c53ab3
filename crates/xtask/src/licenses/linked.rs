//! Which crates end up in a binary or a guest.

use anyhow::{Context, Result};
use cargo_metadata::{Metadata, MetadataCommand, Package};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process;
use crate::project::Project;

/// A workspace as cargo resolves it for one target.
pub struct Workspace {
    folder: PathBuf,
    target: String,
    cargo: PathBuf,
    metadata: Metadata,
}

impl Workspace {
    /// The host workspace, for the machine that this runs on.
    pub fn host(project: &Project) -> Result<Self> {
        let version = process::output(Command::new("rustc").arg("-vV"))?;
        let target = version
            .lines()
            .find_map(|line| line.strip_prefix("host: "))
            .context("`rustc -vV` names no host")?;
        Self::new(project, project.root(), target)
    }

    /// The workspace in this folder.
    pub fn new(project: &Project, folder: &Path, target: &str) -> Result<Self> {
        let cargo = PathBuf::from(project.cargo().get_program());
        let metadata = MetadataCommand::new()
            .cargo_path(&cargo)
            .current_dir(folder)
            .other_options(["--locked".to_owned(), format!("--filter-platform={target}")])
            .exec()
            .with_context(|| format!("cannot read the workspace in {}", folder.display()))?;
        Ok(Self {
            folder: folder.to_owned(),
            target: target.to_owned(),
            cargo,
            metadata,
        })
    }

    /// Every crate that cargo would compile in this workspace, its own members left out.
    pub fn dependencies(&self) -> impl Iterator<Item = &Package> {
        let resolved = self
            .metadata
            .resolve
            .iter()
            .flat_map(|resolve| &resolve.nodes);
        resolved
            .map(|node| &self.metadata[&node.id])
            .filter(|package| package.source.is_some())
    }

    /// The crates whose code is part of the package's binary: neither build scripts nor macros.
    pub fn linked(&self, package: &str) -> Result<Vec<&Package>> {
        // Unlike the metadata, the tree knows which features this one package turns on.
        let tree = process::output(
            Command::new(&self.cargo)
                .current_dir(&self.folder)
                .args([
                    "tree",
                    "--locked",
                    "--prefix=none",
                    "--format={p}",
                    "--edges=normal,no-proc-macro",
                ])
                .args(["--package", package, "--target", &self.target]),
        )?;
        let mut found: Vec<&Package> = Vec::new();
        for (name, version) in tree.lines().filter_map(name_and_version) {
            let package = self
                .metadata
                .packages
                .iter()
                .find(|package| {
                    package.name.as_str() == name && package.version.to_string() == version
                })
                .with_context(|| format!("cargo's metadata has no {name} {version}"))?;
            if !is_ours(package) && !found.iter().any(|known| known.id == package.id) {
                found.push(package);
            }
        }
        found.sort_by_key(|package| (package.name.to_string(), package.version.clone()));
        Ok(found)
    }
}

/// Crates of this project have no registry and are not published. Patched ones are, so they stay in.
fn is_ours(package: &Package) -> bool {
    package.source.is_none() && package.publish.as_ref().is_some_and(Vec::is_empty)
}

/// Reads a line of `cargo tree`, such as `serde v1.0.0 (*)`.
fn name_and_version(line: &str) -> Option<(&str, &str)> {
    let mut words = line.split(' ');
    Some((words.next()?, words.next()?.strip_prefix('v')?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_tree_are_read() {
        assert_eq!(name_and_version("serde v1.0.0"), Some(("serde", "1.0.0")));
        assert_eq!(
            name_and_version("serde v1.0.0 (*)"),
            Some(("serde", "1.0.0"))
        );
        assert_eq!(
            name_and_version("own v0.1.0 (/some where)"),
            Some(("own", "0.1.0"))
        );
        assert_eq!(name_and_version(""), None);
    }
}
