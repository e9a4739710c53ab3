//! The check against the allow-list, where `cargo deny` is not installed.

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use spdx::{Expression, Licensee, ParseMode};
use std::fs;
use std::path::Path;
use std::process::Command;

use super::linked::Workspace;
use crate::process;
use crate::project::Project;
use crate::toolchain::TARGET;
use crate::ui;

/// Checks the licences and origins of every dependency of both workspaces, offline; known vulnerabilities
/// where `cargo deny` is installed and its database can be had.
pub fn check(project: &Project) -> Result<()> {
    if process::succeeds(project.cargo().args(["deny", "--version"])) {
        return check_with_deny(project);
    }
    let allowed = Allowed::read(&project.root().join("deny.toml"))?;
    let host = Workspace::host(project)?;
    let guests = Workspace::new(project, &project.guest_workspace(), TARGET)?;
    let mut problems = Vec::new();
    for package in host.dependencies().chain(guests.dependencies()) {
        let name = format!("{} {}", package.name, package.version);
        if !package
            .source
            .as_ref()
            .is_some_and(cargo_metadata::Source::is_crates_io)
        {
            problems.push(format!("{name} comes from elsewhere than crates.io"));
        }
        let license = package.license.as_deref().unwrap_or_default();
        if let Err(reason) = allowed.check(license) {
            problems.push(format!("{name}: {reason}"));
        }
    }
    problems.sort();
    problems.dedup();
    if !problems.is_empty() {
        bail!(
            "these dependencies do not fit deny.toml:\n  {}",
            problems.join("\n  ")
        );
    }
    ui::status(
        "Skipped",
        "known vulnerabilities: `cargo deny` is not installed",
    );
    Ok(())
}

fn check_with_deny(project: &Project) -> Result<()> {
    let deny = |manifest: &str, arguments: &[&str]| -> Command {
        let mut command = project.cargo();
        command
            .args(["deny", "--manifest-path", manifest])
            .args(arguments);
        command
    };
    let online = process::succeeds(&mut deny("Cargo.toml", &["fetch", "db"]));
    if !online {
        ui::warning("known vulnerabilities are not checked: their database cannot be reached");
    }
    for manifest in ["Cargo.toml", "guest-runtimes/Cargo.toml"] {
        let config = project.root().join("deny.toml");
        let mut command = deny(manifest, &["check", "--config"]);
        command.arg(config).args(["licenses", "sources"]);
        if online {
            command.arg("advisories");
        }
        process::run(&mut command)?;
    }
    Ok(())
}

/// The part of `deny.toml` that this check knows.
#[derive(Deserialize)]
struct Allowed {
    licenses: AllowedLicenses,
}

#[derive(Deserialize)]
struct AllowedLicenses {
    allow: Vec<String>,
}

impl Allowed {
    fn read(path: &Path) -> Result<Self> {
        let text =
            fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        toml::from_str(&text).with_context(|| format!("invalid {}", path.display()))
    }

    fn check(&self, license: &str) -> Result<(), String> {
        if license.is_empty() {
            return Err("it names no licence".to_owned());
        }
        let expression = Expression::parse_mode(license, ParseMode::LAX)
            .map_err(|error| format!("its licence `{license}` cannot be read: {}", error.reason))?;
        let accepted = expression.evaluate(|wanted| {
            self.licenses.allow.iter().any(|allowed| {
                Licensee::parse(allowed).is_ok_and(|allowed| allowed.satisfies(wanted))
            })
        });
        if accepted {
            Ok(())
        } else {
            Err(format!("its licence `{license}` is not on the list"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(license: &str) -> Result<(), String> {
        let allow = ["MIT", "Apache-2.0 WITH LLVM-exception"]
            .map(str::to_owned)
            .to_vec();
        Allowed {
            licenses: AllowedLicenses { allow },
        }
        .check(license)
    }

    #[test]
    fn expressions_are_weighed_against_the_list() {
        assert_eq!(check("MIT"), Ok(()));
        assert_eq!(check("GPL-3.0-only OR MIT"), Ok(()));
        assert_eq!(check("MIT/Apache-2.0"), Ok(()));
        assert_eq!(check("Apache-2.0 WITH LLVM-exception"), Ok(()));
        for license in [
            "",
            "Apache-2.0",
            "MIT AND GPL-3.0-only",
            "no licence at all",
        ] {
            assert!(check(license).is_err(), "{license}");
        }
    }
}
