//! Licences of what the program carries: the texts for `sandbox-run licenses`, and the check that all of
//! them are on the allow-list of `deny.toml`.

mod linked;
mod policy;
mod report;

use anyhow::{Context, Result};
use cargo_metadata::Package;

use crate::digest::Key;
use crate::guests::{Guest, compress, write_if_changed};
use crate::project::Project;
use crate::toolchain::TARGET;
use crate::ui;
use linked::Workspace;
use report::{Report, Work};

pub use policy::check;

/// The binary whose licences the report is about.
const PROGRAM: &str = "sandbox-run";
const REPORT: &str = "licenses.txt.zst";
const STAMP: &str = "licenses.stamp";

/// Raised when this program writes something else for the same crates.
const RECIPE: &[u8] = b"2";

/// Writes the licence texts of the program and its guests beside the guests, unless they are current.
pub fn write(project: &Project, guests: &[Guest]) -> Result<()> {
    let key = key(project, guests)?;
    let output = project.guest_output();
    let stamp = output.join(STAMP);
    if output.join(REPORT).is_file()
        && std::fs::read_to_string(&stamp).is_ok_and(|known| known == key)
    {
        return Ok(());
    }
    let text = ui::step("Collecting", "licence texts", || report(project, guests))?;
    write_if_changed(&output.join(REPORT), &compress(text.as_bytes(), &[])?)?;
    write_if_changed(&stamp, key.as_bytes())
}

/// The licence texts of the program and its guests.
pub fn report(project: &Project, guests: &[Guest]) -> Result<String> {
    let host = Workspace::host(project)?;
    let mut works = Work::rust();
    works.extend(host.linked(PROGRAM)?.into_iter().map(Work::package));
    if !guests.is_empty() {
        let workspace = Workspace::new(project, &project.guest_workspace(), TARGET)?;
        works.extend(Work::wasi_libc());
        for guest in guests {
            let packages = workspace.linked(&guest.config.package)?;
            for carried in &guest.config.licenses {
                works.push(Work::carried(
                    carried,
                    package(&packages, &carried.in_crate)?,
                )?);
            }
            works.extend(packages.into_iter().map(Work::package));
        }
    }
    Report::new(PROGRAM, works)?.text()
}

/// The name and version of a guest's interpreter.
pub fn interpreter(project: &Project, guest: &Guest) -> Result<String> {
    let workspace = Workspace::new(project, &project.guest_workspace(), TARGET)?;
    let packages = workspace.linked(&guest.config.package)?;
    let interpreter = &guest.config.interpreter;
    let version = &package(&packages, &interpreter.in_crate)?.version;
    Ok(format!("{} {version}", interpreter.name))
}

fn package<'a>(packages: &'a [&Package], name: &str) -> Result<&'a Package> {
    packages
        .iter()
        .find(|package| package.name.as_str() == name)
        .copied()
        .with_context(|| {
            format!("guest.toml names the crate {name}, which the guest does not link")
        })
}

fn key(project: &Project, guests: &[Guest]) -> Result<String> {
    let root = project.root();
    let mut key = Key::new("licences")
        .with("recipe", RECIPE)
        .with_file(root, &root.join("Cargo.toml"))?
        .with_file(root, &root.join("Cargo.lock"))?
        .with_file(root, &root.join("guest-runtimes/Cargo.lock"))?;
    for manifest in ["sandbox-run", "sandbox-engine"] {
        key = key.with_file(root, &root.join("crates").join(manifest).join("Cargo.toml"))?;
    }
    for guest in guests {
        key = key
            .with_file(root, &guest.folder.join("Cargo.toml"))?
            .with_file(root, &guest.folder.join("guest.toml"))?;
    }
    Ok(key.finish())
}
