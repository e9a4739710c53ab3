//! Where things are in this repository.

use anyhow::{Context, Result};
use std::env;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::ui;

/// The repository that this task runner belongs to.
#[derive(Debug, Clone)]
pub struct Project {
    root: PathBuf,
}

impl Project {
    /// The project whose manifest started this program.
    pub fn find() -> Result<Self> {
        // Cargo sets the variable when it runs us; the compile-time value serves a direct call.
        let manifest = env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = manifest
            .ancestors()
            .nth(2)
            .filter(|root| root.join("guest-runtimes/Cargo.toml").is_file())
            .with_context(|| {
                format!(
                    "{} lies in no checkout of this project; call `cargo xtask` from inside one",
                    manifest.display()
                )
            })?;
        Ok(Self {
            root: root.to_owned(),
        })
    }

    /// A project at another place.
    #[cfg(test)]
    pub fn at(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    /// The top folder, which is the host workspace.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The guests' workspace.
    pub fn guest_workspace(&self) -> PathBuf {
        self.root.join("guest-runtimes")
    }

    /// Where patched crates are made.
    pub fn patched(&self) -> PathBuf {
        self.guest_workspace().join(".patched")
    }

    /// Cargo's target folder for guests. It stays at this place whatever `CARGO_TARGET_DIR` says.
    pub fn guest_target(&self) -> PathBuf {
        self.root.join("target/guest")
    }

    /// Where finished guests are put for the engine to embed.
    pub fn guest_output(&self) -> PathBuf {
        self.root.join("target/guests")
    }

    /// What `setup` downloads.
    pub fn downloads(&self) -> PathBuf {
        self.root.join("target/toolchain")
    }

    /// What `setup` chose, where that is more than the installed Rust.
    pub fn toolchain_record(&self) -> PathBuf {
        self.root.join("target/toolchain/guests.json")
    }

    /// The cargo that runs us, so that nested builds use the same tool chain.
    pub fn cargo(&self) -> Command {
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.current_dir(&self.root);
        command
    }

    /// Keeps two runs from building the same guests; held until dropped.
    pub fn lock_guests(&self) -> Result<File> {
        let folder = self.root.join("target");
        fs::create_dir_all(&folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
        // Outside of the output folder: the engine's build script watches that one.
        let path = folder.join("guests.lock");
        let file =
            File::create(&path).with_context(|| format!("cannot create {}", path.display()))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                ui::status("Waiting", "for another run that builds the guests");
                file.lock()
                    .with_context(|| format!("cannot lock {}", path.display()))?;
            }
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| format!("cannot lock {}", path.display()));
            }
        }
        Ok(file)
    }
}
