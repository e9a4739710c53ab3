//! `cargo xtask test`: every check, in an order that finds cheap mistakes first.

use anyhow::{Context, Result};
use std::process::Command;

use crate::guests::{self, Guest};
use crate::licenses;
use crate::process;
use crate::project::Project;
use crate::readme;
use crate::toolchain::{self, GuestToolchain};
use crate::ui;

/// A named check.
struct Check {
    name: &'static str,
    /// Part of `--quick` as well.
    quick: bool,
    run: fn(&Project) -> Result<()>,
}

const CHECKS: [Check; 9] = [
    Check {
        name: "README's map",
        quick: true,
        run: readme::check,
    },
    Check {
        name: "format",
        quick: true,
        run: format,
    },
    Check {
        name: "guests",
        quick: true,
        run: build_guests,
    },
    Check {
        name: "format of the guests",
        quick: true,
        run: format_guests,
    },
    Check {
        name: "licences",
        quick: false,
        run: licenses::check,
    },
    Check {
        name: "lints",
        quick: true,
        run: lints,
    },
    Check {
        name: "lints of the guests",
        quick: false,
        run: lints_of_guests,
    },
    Check {
        name: "documentation",
        quick: false,
        run: documentation,
    },
    Check {
        name: "tests",
        quick: true,
        run: tests,
    },
];

/// Runs the checks until one fails.
pub fn run(project: &Project, quick: bool) -> Result<()> {
    for check in CHECKS.iter().filter(|check| check.quick || !quick) {
        ui::section("Checking", check.name, || (check.run)(project))
            .with_context(|| format!("the check \"{}\" failed", check.name))?;
    }
    Ok(())
}

fn format(project: &Project) -> Result<()> {
    check_format(project.cargo())
}

fn format_guests(project: &Project) -> Result<()> {
    let mut cargo = project.cargo();
    // Without `--all`: the patched crates below this folder are not ours to format.
    cargo.current_dir(project.guest_workspace());
    check_format(cargo)
}

fn check_format(mut cargo: Command) -> Result<()> {
    if component(&mut Command::new("rustfmt"), "rustfmt")? {
        process::run(cargo.args(["fmt", "--check"]))?;
    }
    Ok(())
}

fn build_guests(project: &Project) -> Result<()> {
    guests::build(project, guests::DEFAULT_PROFILE)?;
    Ok(())
}

/// In release mode, as everything here: macros and build scripts are then compiled once.
fn lints(project: &Project) -> Result<()> {
    if component(project.cargo().arg("clippy"), "clippy")? {
        process::run(project.cargo().args([
            "clippy",
            "--release",
            "--workspace",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ]))?;
    }
    Ok(())
}

fn lints_of_guests(project: &Project) -> Result<()> {
    let toolchain = toolchain::ready(project)?;
    if !toolchain.may_lint() {
        ui::warning("skipped: the guests' compiler comes without clippy");
        return Ok(());
    }
    if !component(toolchain.cargo(project).arg("clippy"), "clippy")? {
        return Ok(());
    }
    for guest in Guest::all(project)? {
        lint_guest(project, &toolchain, &guest)?;
    }
    Ok(())
}

fn lint_guest(project: &Project, toolchain: &GuestToolchain, guest: &Guest) -> Result<()> {
    process::run(
        guests::cargo(project, toolchain, guest, "clippy")
            .args(toolchain.cargo_args())
            .args([
                "--locked",
                "--ignore-rust-version",
                "--release",
                "--no-deps",
            ])
            .args([
                "--package",
                &guest.config.package,
                "--package",
                "sandbox-abi",
            ])
            .args(["--", "-D", "warnings"]),
    )
}

fn documentation(project: &Project) -> Result<()> {
    process::run(
        project
            .cargo()
            .args(["doc", "--release", "--workspace", "--no-deps"])
            .env("RUSTDOCFLAGS", "-D warnings"),
    )
}

fn tests(project: &Project) -> Result<()> {
    process::run_visible(project.cargo().args([
        "test",
        "--release",
        "--workspace",
        "--no-fail-fast",
    ]))
}

/// Whether a part of the Rust distribution is there, after installing it where rustup can.
fn component(command: &mut Command, name: &str) -> Result<bool> {
    let command = command.arg("--version");
    if process::succeeds(command) {
        return Ok(true);
    }
    let mut rustup = Command::new("rustup");
    if process::succeeds(rustup.arg("--version")) {
        process::run(Command::new("rustup").args(["component", "add", name]))?;
    }
    let found = process::succeeds(command);
    if !found {
        ui::warning(&format!("skipped: this Rust has no {name}"));
    }
    Ok(found)
}
