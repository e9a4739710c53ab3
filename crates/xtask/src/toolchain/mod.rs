//! The tool chain for guests: find one, or make one available.
//!
//! Three routes: an installed target, `rustup target add`, and on Debian the distribution's own packages
//! ([`debian`]). Where none works, [`advice`] says what to do on the reader's system.

pub mod advice;
mod debian;
mod plan;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::guests::write_if_changed;
use crate::process;
use crate::project::Project;
use crate::ui;
use plan::Plan;

/// The target that guests are compiled for.
pub const TARGET: &str = "wasm32-wasip1";

/// A way to the guest target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Route {
    /// The target that rustup installs.
    Rustup,
    /// Debian's packages and a pinned WASI C library.
    Debian,
}

/// How to call cargo for guests.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuestToolchain {
    /// The cargo to call; none is the one that runs this program.
    cargo: Option<PathBuf>,
    /// The compiler; none is cargo's own choice.
    rustc: Option<PathBuf>,
    /// Variables for cargo.
    env: BTreeMap<String, String>,
    /// Arguments for commands that compile.
    cargo_args: Vec<String>,
    /// Flags beside the guest's own.
    rustflags: Vec<String>,
    /// What has to exist for this to work.
    needs: Vec<PathBuf>,
}

impl GuestToolchain {
    /// What can be used right now.
    pub fn find(project: &Project) -> Result<Option<Self>> {
        if let Some(recorded) = Self::recorded(project)? {
            return Ok(Some(recorded));
        }
        Ok(has_target()?.then(Self::default))
    }

    /// A cargo command for guests, without a subcommand yet.
    pub fn cargo(&self, project: &Project) -> Command {
        let mut command = self
            .cargo
            .as_ref()
            .map_or_else(|| project.cargo(), Command::new);
        command.envs(&self.env);
        if let Some(rustc) = &self.rustc {
            command.env("RUSTC", rustc);
        }
        command
    }

    /// Arguments for commands that compile.
    pub fn cargo_args(&self) -> &[String] {
        &self.cargo_args
    }

    /// Flags beside the guest's own.
    pub fn rustflags(&self) -> &[String] {
        &self.rustflags
    }

    /// Whether this compiler may have lints. A `cargo clippy` that was made for another one is of no use.
    pub fn may_lint(&self) -> bool {
        self.rustc
            .as_ref()
            .is_none_or(|rustc| rustc.with_file_name("clippy-driver").exists())
    }

    /// Everything about this tool chain that changes what it makes.
    pub fn identity(&self) -> Result<String> {
        let version = process::output(rustc(self.rustc.as_deref()).arg("-vV"))?;
        Ok(format!("{version}{self:?}"))
    }

    /// For messages.
    pub fn describe(&self) -> Result<String> {
        let version = process::output(rustc(self.rustc.as_deref()).arg("-V"))?;
        let source = if self.rustc.is_some() {
            "Debian's packages"
        } else {
            "the installed target"
        };
        Ok(format!("{}, {source}", version.trim()))
    }

    /// What `setup` wrote down, if it still exists.
    fn recorded(project: &Project) -> Result<Option<Self>> {
        let path = project.toolchain_record();
        let Ok(text) = fs::read(&path) else {
            return Ok(None);
        };
        let recorded: Self = serde_json::from_slice(&text).with_context(|| {
            format!(
                "{} is damaged; remove it and run `cargo xtask setup`",
                path.display()
            )
        })?;
        Ok(recorded
            .needs
            .iter()
            .all(|path| path.exists())
            .then_some(recorded))
    }

    fn record(&self, project: &Project) -> Result<()> {
        write_if_changed(
            &project.toolchain_record(),
            serde_json::to_string_pretty(self)?.as_bytes(),
        )
    }
}

/// The tool chain for guests; sets one up if there is none.
pub fn ready(project: &Project) -> Result<GuestToolchain> {
    if let Some(found) = GuestToolchain::find(project)? {
        return Ok(found);
    }
    ui::status("Setting up", &format!("the compiler target {TARGET}"));
    setup(project, None, false)?;
    GuestToolchain::find(project)?.with_context(|| {
        format!("{TARGET} is still missing after set-up; see `cargo xtask doctor`")
    })
}

/// `cargo xtask setup`.
pub fn setup(project: &Project, route: Option<Route>, dry_run: bool) -> Result<()> {
    if route.is_none() && has_target()? {
        forget(project, dry_run)?;
        ui::status(
            "Found",
            &format!("{TARGET} for the installed Rust; nothing to do"),
        );
        return Ok(());
    }
    let mut reasons: Vec<String> = Vec::new();
    for candidate in [Route::Rustup, Route::Debian] {
        if route.is_some_and(|route| route != candidate) {
            continue;
        }
        if let Some(reason) = reasons.last() {
            ui::warning(&format!("{reason}; trying {}", candidate.name()));
        }
        match candidate.take(project, dry_run) {
            Ok(()) => return Ok(()),
            Err(error) => reasons.push(format!("not by way of {}: {error:#}", candidate.name())),
        }
    }
    bail!(
        "the compiler target {TARGET} could not be made available\n  {}\n\n{}",
        reasons.join("\n  "),
        advice::for_this_system()
    )
}

impl Route {
    fn name(self) -> &'static str {
        match self {
            Self::Rustup => "rustup",
            Self::Debian => "Debian's packages",
        }
    }

    /// Carries the steps out, or only shows them.
    fn take(self, project: &Project, dry_run: bool) -> Result<()> {
        let (plan, toolchain) = match self {
            Self::Rustup => rustup_plan()?,
            Self::Debian => debian::plan(project)?,
        };
        if dry_run {
            plan.show();
            return Ok(());
        }
        plan.execute()?;
        match self {
            Self::Rustup if !has_target()? => {
                bail!("the target was added, but not to the compiler that cargo uses")
            }
            Self::Rustup => forget(project, false)?,
            Self::Debian => toolchain.record(project)?,
        }
        ui::status("Ready", &format!("{TARGET} by way of {}", self.name()));
        Ok(())
    }
}

/// Whether the compiler that cargo uses can already build for the target.
fn has_target() -> Result<bool> {
    let libraries =
        process::output(rustc(None).args(["--print", "target-libdir", "--target", TARGET]))
            .context("Rust does not work here; see https://rustup.rs")?;
    let Ok(entries) = fs::read_dir(libraries.trim()) else {
        return Ok(false);
    };
    Ok(entries
        .flatten()
        .any(|entry| entry.file_name().to_string_lossy().starts_with("libstd-")))
}

fn rustup_plan() -> Result<(Plan, GuestToolchain)> {
    if !process::succeeds(Command::new("rustup").arg("--version")) {
        bail!("rustup is not installed");
    }
    let mut plan = Plan::default();
    // rustup itself tells cargo's children which of its tool chains is in use.
    plan.run(&["rustup", "target", "add", TARGET]);
    Ok((plan, GuestToolchain::default()))
}

/// Removes the record of a route that is no longer wanted.
fn forget(project: &Project, dry_run: bool) -> Result<()> {
    let record = project.toolchain_record();
    if !dry_run && record.exists() {
        fs::remove_file(&record).with_context(|| format!("cannot remove {}", record.display()))?;
    }
    Ok(())
}

fn rustc(path: Option<&Path>) -> Command {
    path.map_or_else(
        || Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())),
        Command::new,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_counts_while_what_it_needs_exists() {
        let folder = tempfile::tempdir().unwrap();
        let project = Project::at(folder.path());
        let needed = folder.path().join("linker");
        fs::write(&needed, "").unwrap();
        let toolchain = GuestToolchain {
            rustc: Some("/usr/bin/rustc".into()),
            rustflags: vec!["-Clink-self-contained=no".to_owned()],
            needs: vec![needed.clone()],
            ..GuestToolchain::default()
        };
        assert_eq!(GuestToolchain::recorded(&project).unwrap(), None);
        toolchain.record(&project).unwrap();
        assert_eq!(GuestToolchain::recorded(&project).unwrap(), Some(toolchain));
        fs::remove_file(needed).unwrap();
        assert_eq!(GuestToolchain::recorded(&project).unwrap(), None);
        fs::write(project.toolchain_record(), "{").unwrap();
        assert!(GuestToolchain::recorded(&project).is_err());
    }
}
