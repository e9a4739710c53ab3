//! Stage two: cargo compiles a guest to WebAssembly.

use anyhow::{Context, Result};
use std::fs;
use std::process::Command;

use super::config::Guest;
use super::crates::cargo_home;
use crate::cargo::build;
use crate::process;
use crate::project::Project;
use crate::toolchain::{GuestToolchain, TARGET};
use crate::ui;

/// Compiles the guest and answers the module. `changed` says that files of the guest's own folder differ
/// from what was compiled last.
pub fn compile(
    project: &Project,
    toolchain: &GuestToolchain,
    guest: &Guest,
    profile: &str,
    changed: bool,
) -> Result<Vec<u8>> {
    let package = guest.config.package.as_str();
    if changed {
        // Procedural macros may read files that cargo does not watch, such as sources to freeze.
        process::output(cargo(project, toolchain, guest, "clean").args([
            "--package",
            package,
            "--profile",
            profile,
        ]))?;
    }
    let built = ui::section("Building", &format!("{package} for {TARGET}"), || {
        build(
            cargo(project, toolchain, guest, "build")
                .args(toolchain.cargo_args())
                // Some dependencies declare a newer compiler than they need.
                .args(["--locked", "--ignore-rust-version"])
                .args(["--package", package, "--profile", profile]),
        )
    })?;
    let module = built.module(package)?;
    fs::read(&module).with_context(|| format!("cannot read {}", module.display()))
}

/// A cargo command in the guests' workspace, with the guest's flags and nothing of the caller's.
pub fn cargo(
    project: &Project,
    toolchain: &GuestToolchain,
    guest: &Guest,
    subcommand: &str,
) -> Command {
    let mut command = toolchain.cargo(project);
    command
        .current_dir(project.guest_workspace())
        .arg(subcommand)
        .args(["--target", TARGET])
        .arg("--target-dir")
        .arg(project.guest_target())
        // This one takes precedence over every other way to give flags.
        .env(
            "CARGO_ENCODED_RUSTFLAGS",
            flags(
                toolchain.rustflags(),
                &guest.config.rustflags,
                &without_local_paths(project),
            ),
        );
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(changes_code) {
            command.env_remove(name);
        }
    }
    command
}

/// The tool chain's flags, then the guest's, in cargo's encoding.
fn flags(toolchain: &[String], guest: &[String], paths: &[String]) -> String {
    [toolchain, guest, paths].concat().join("\u{1f}")
}

/// Messages of a guest name its sources, but not where they lie on the machine that built it. Cargo leaves these flags
/// out of what it derives names and keys from.
fn without_local_paths(project: &Project) -> Vec<String> {
    let workspace = project.guest_workspace();
    let registry = cargo_home().ok().map(|home| home.join("registry/src"));
    registry
        .iter()
        .map(|folder| (folder.as_path(), "crates"))
        .chain([(workspace.as_path(), "guest-runtimes")])
        .map(|(folder, name)| format!("--remap-path-prefix={}={name}", folder.display()))
        .collect()
}

/// Whether a variable of the caller's would change what cargo builds, so that the result would depend on
/// more than its key says.
fn changes_code(name: &str) -> bool {
    matches!(
        name,
        "RUSTFLAGS" | "CARGO_BUILD_RUSTFLAGS" | "CARGO_BUILD_TARGET" | "CARGO_BUILD_TARGET_DIR"
    ) || name.starts_with("CARGO_PROFILE_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_joined_in_order_and_may_hold_spaces() {
        let list = |flags: &[&str]| flags.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(
            flags(&list(&["-Ca"]), &list(&["-C b", "-Cc"]), &list(&["-Cd"])),
            "-Ca\u{1f}-C b\u{1f}-Cc\u{1f}-Cd"
        );
        assert_eq!(flags(&[], &list(&["-Ca"]), &[]), "-Ca");
        assert_eq!(flags(&[], &[], &[]), "");
    }

    #[test]
    fn only_variables_that_change_code_are_kept_away() {
        assert!(changes_code("RUSTFLAGS"));
        assert!(changes_code("CARGO_PROFILE_RELEASE_LTO"));
        assert!(!changes_code("CARGO_HOME"));
        assert!(!changes_code("HTTPS_PROXY"));
    }
}
