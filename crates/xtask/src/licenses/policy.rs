//! The check of dependencies against `deny.toml`, the file of `cargo deny`.

use anyhow::{Context, Result, bail};
use cargo_metadata::Source;
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

/// Checks the licences and origins of every dependency of both workspaces, offline, and looks for known
/// vulnerabilities where `cargo deny` is installed.
pub fn check(project: &Project) -> Result<()> {
    let policy = Policy::read(&project.root().join("deny.toml"))?;
    let host = Workspace::host(project)?;
    let guests = Workspace::new(project, &project.guest_workspace(), TARGET)?;
    let mut problems = Vec::new();
    for package in host.dependencies().chain(guests.dependencies()) {
        let name = format!("{} {}", package.name, package.version);
        if !package.source.as_ref().is_some_and(Source::is_crates_io) {
            problems.push(format!("{name} comes from elsewhere than crates.io"));
        }
        if let Err(reason) = policy.check(&package.name, package.license.as_deref()) {
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
    vulnerabilities(project)
}

/// Asks `cargo deny`. Its database lies in the net, and a test does not fail for want of a network.
fn vulnerabilities(project: &Project) -> Result<()> {
    if !process::succeeds(project.cargo().args(["deny", "--version"])) {
        ui::warning("known vulnerabilities are not checked: `cargo deny` is not installed");
        return Ok(());
    }
    let deny = |manifest: &str, arguments: &[&str]| -> Command {
        let mut command = project.cargo();
        command
            .args(["deny", "--manifest-path", manifest])
            .args(arguments);
        command
    };
    if !process::succeeds(&mut deny("Cargo.toml", &["fetch", "db"])) {
        ui::warning("known vulnerabilities are not checked: their database is out of reach");
        return Ok(());
    }
    let config = project.root().join("deny.toml");
    for manifest in ["Cargo.toml", "guest-runtimes/Cargo.toml"] {
        process::run(
            deny(manifest, &["check", "--config"])
                .arg(&config)
                .arg("advisories"),
        )?;
    }
    Ok(())
}

/// The part of `deny.toml` that this check knows.
#[derive(Deserialize)]
struct Policy {
    licenses: Licenses,
}

#[derive(Deserialize)]
struct Licenses {
    allow: Vec<String>,
    #[serde(default)]
    exceptions: Vec<Exception>,
    #[serde(default)]
    clarify: Vec<Clarification>,
}

/// Licences that one crate may have.
#[derive(Deserialize)]
struct Exception {
    #[serde(rename = "crate")]
    name: String,
    allow: Vec<String>,
}

/// The licence of a crate that does not name it.
#[derive(Deserialize)]
struct Clarification {
    #[serde(rename = "crate")]
    name: String,
    expression: String,
}

impl Policy {
    fn read(path: &Path) -> Result<Self> {
        let text =
            fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        toml::from_str(&text).with_context(|| format!("invalid {}", path.display()))
    }

    fn check(&self, name: &str, license: Option<&str>) -> Result<(), String> {
        let clarified = self
            .licenses
            .clarify
            .iter()
            .find(|crate_| crate_.name == name);
        let license = license
            .or(clarified.map(|crate_| crate_.expression.as_str()))
            .ok_or("it names no licence; read its text and add it to `licenses.clarify`")?;
        let expression = Expression::parse_mode(license, ParseMode::LAX)
            .map_err(|error| format!("its licence `{license}` cannot be read: {}", error.reason))?;
        let exceptions = self
            .licenses
            .exceptions
            .iter()
            .filter(|crate_| crate_.name == name);
        let allowed: Vec<Licensee> = exceptions
            .flat_map(|crate_| &crate_.allow)
            .chain(&self.licenses.allow)
            .filter_map(|license| Licensee::parse(license).ok())
            .collect();
        if expression.evaluate(|wanted| allowed.iter().any(|allowed| allowed.satisfies(wanted))) {
            Ok(())
        } else {
            Err(format!("its licence `{license}` is not on the list"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, license: Option<&str>) -> Result<(), String> {
        let policy: Policy = toml::from_str(
            "[licenses]\nallow = ['MIT', 'Apache-2.0 WITH LLVM-exception']\n\
             [[licenses.exceptions]]\ncrate = 'special'\nallow = ['LGPL-3.0-only']\n\
             [[licenses.clarify]]\ncrate = 'silent'\nexpression = 'MIT'\n",
        )
        .unwrap();
        policy.check(name, license)
    }

    #[test]
    fn expressions_are_weighed_against_the_list() {
        for license in [
            "MIT",
            "GPL-3.0-only OR MIT",
            "MIT/Apache-2.0",
            "Apache-2.0 WITH LLVM-exception",
        ] {
            assert_eq!(check("some", Some(license)), Ok(()));
        }
        for license in [
            "",
            "Apache-2.0",
            "MIT AND GPL-3.0-only",
            "no licence at all",
            "LGPL-3.0-only",
        ] {
            assert!(check("some", Some(license)).is_err(), "{license}");
        }
    }

    #[test]
    fn exceptions_and_clarifications_hold_for_their_crate_alone() {
        assert_eq!(check("special", Some("LGPL-3.0-only")), Ok(()));
        assert_eq!(check("silent", None), Ok(()));
        assert!(check("some", None).is_err());
        assert!(check("silent", Some("GPL-3.0-only")).is_err());
    }

    #[test]
    fn the_policy_of_this_project_can_be_read() {
        let policy = Policy::read(&Project::find().unwrap().root().join("deny.toml")).unwrap();
        for license in &policy.licenses.allow {
            assert!(Licensee::parse(license).is_ok(), "{license}");
        }
    }
}
