//! What is remembered about a finished guest, to tell whether it is still right.

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::config::Guest;
use super::{artifact, write_if_changed};
use crate::digest::Key;
use crate::project::Project;

const FILE: &str = "stamp.json";

/// Raised when this program compiles the same sources in another way.
const RECIPE: &[u8] = b"1";

/// Raised when this program puts the same module into another form of files.
const FORM: u32 = 2;

/// The keys of everything that a guest is made from, stage by stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// The [`FORM`] of the files.
    #[serde(default)]
    form: u32,
    /// The files of the guest's own folder and of the interface that it speaks.
    pub sources: String,
    /// What cargo's output depends on: `sources`, the lock file, patched crates, flags, compiler, profile.
    pub module: String,
    /// What starting, freezing and compiling depend on beside the module.
    pub engine: String,
    /// SHA-256 of the module that cargo made; empty before it is known.
    pub module_sha256: String,
    /// The sizes of the finished files; empty before they are there.
    pub files: BTreeMap<String, u64>,
}

impl Stamp {
    /// The keys as they are now.
    pub fn now(
        project: &Project,
        guest: &Guest,
        profile: &str,
        toolchain: &str,
        patched: &str,
    ) -> Result<Self> {
        let workspace = project.guest_workspace();
        let sources = Key::new("guest sources")
            .with("recipe", RECIPE)
            .with_tree(&workspace, &guest.folder)?
            .with_tree(&workspace, &workspace.join("abi"))?
            .finish();
        let module = Key::new("guest module")
            .with("sources", sources.as_bytes())
            .with_file(&workspace, &workspace.join("Cargo.toml"))?
            .with_file(&workspace, &workspace.join("Cargo.lock"))?
            .with("patched", patched.as_bytes())
            .with("profile", profile.as_bytes())
            .with("toolchain", toolchain.as_bytes())
            .finish();
        Ok(Self {
            form: FORM,
            sources,
            module,
            engine: engine_key(project)?,
            module_sha256: String::new(),
            files: BTreeMap::new(),
        })
    }

    /// The stamp beside the finished files.
    pub fn read(folder: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(folder.join(FILE)).ok()?).ok()
    }

    /// Completes the stamp with the files in the folder and writes it. To be called last.
    pub fn write(mut self, folder: &Path) -> Result<()> {
        for name in artifact::files() {
            let path = folder.join(name);
            let size = fs::metadata(&path)
                .with_context(|| format!("cannot read {}", path.display()))?
                .len();
            self.files.insert(name.to_owned(), size);
        }
        write_if_changed(
            &folder.join(FILE),
            serde_json::to_string_pretty(&self)?.as_bytes(),
        )
    }

    /// Whether the finished files can be relied on: made as they are made now, all there and none cut short.
    pub fn is_intact(&self, folder: &Path) -> bool {
        let present = artifact::files().iter().all(|name| {
            let size = fs::metadata(folder.join(name))
                .map(|found| found.len())
                .ok();
            size.is_some() && size == self.files.get(*name).copied()
        });
        present && self.form == FORM
    }

    /// Whether nothing has changed since this stamp was written.
    pub fn is_current(&self, now: &Self) -> bool {
        self.module == now.module && self.engine == now.engine
    }
}

/// The engine's part in a guest: it runs the guest's start, and it sets the compiler up.
fn engine_key(project: &Project) -> Result<String> {
    let engine = project.root().join("crates/sandbox-engine/src");
    Ok(Key::new("engine")
        .with(
            "compatibility",
            sandbox_engine::build::compatibility()?.as_bytes(),
        )
        .with_tree(&engine, &engine)?
        .finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A project with one guest, in a temporary folder.
    fn project() -> (tempfile::TempDir, Project, Guest) {
        let folder = tempfile::tempdir().unwrap();
        for (path, content) in [
            ("guest-runtimes/Cargo.toml", "[workspace]"),
            ("guest-runtimes/Cargo.lock", "version = 4"),
            ("guest-runtimes/abi/src/lib.rs", "// interface"),
            (
                "guest-runtimes/python/guest.toml",
                "language = 'python'\npackage = 'p'\n[interpreter]\nname = 'P'\ncrate = 'p'",
            ),
            ("guest-runtimes/python/src/lib.rs", "// guest"),
            ("crates/sandbox-engine/src/lib.rs", "// engine"),
        ] {
            write_if_changed(&folder.path().join(path), content.as_bytes()).unwrap();
        }
        let project = Project::at(folder.path());
        let guest = Guest::read(&folder.path().join("guest-runtimes/python")).unwrap();
        (folder, project, guest)
    }

    #[test]
    fn every_input_changes_the_stamp() {
        let (folder, project, guest) = project();
        let stamp = || Stamp::now(&project, &guest, "release", "rustc", "patched").unwrap();
        let mut last = stamp();
        assert!(last.is_current(&stamp()));
        for path in [
            "guest-runtimes/Cargo.toml",
            "guest-runtimes/Cargo.lock",
            "guest-runtimes/abi/src/lib.rs",
            "guest-runtimes/python/guest.toml",
            "guest-runtimes/python/src/lib.rs",
            "crates/sandbox-engine/src/lib.rs",
        ] {
            fs::write(folder.path().join(path), "other").unwrap();
            let now = stamp();
            assert!(!last.is_current(&now), "{path}");
            last = now;
        }
        for (profile, toolchain, patched) in [
            ("dev", "rustc", "patched"),
            ("release", "other", "patched"),
            ("release", "rustc", "other"),
        ] {
            let now = Stamp::now(&project, &guest, profile, toolchain, patched).unwrap();
            assert!(!last.is_current(&now), "{profile} {toolchain} {patched}");
        }
    }

    #[test]
    fn missing_and_short_files_are_noticed() {
        let (folder, project, guest) = project();
        let output = folder.path().join("out");
        let now = Stamp::now(&project, &guest, "release", "rustc", "patched").unwrap();
        assert!(now.clone().write(&output).is_err());
        for name in artifact::files() {
            write_if_changed(&output.join(name), b"content").unwrap();
        }
        now.write(&output).unwrap();
        assert!(Stamp::read(&output).unwrap().is_intact(&output));
        for name in artifact::files() {
            fs::write(output.join(name), "cut").unwrap();
            assert!(!Stamp::read(&output).unwrap().is_intact(&output), "{name}");
            fs::write(output.join(name), "content").unwrap();
        }
        let other_form = Stamp {
            form: FORM - 1,
            ..Stamp::read(&output).unwrap()
        };
        assert!(!other_form.is_intact(&output));
        fs::remove_file(output.join("guest.wasm.zst")).unwrap();
        assert!(!Stamp::read(&output).unwrap().is_intact(&output));
    }
}
