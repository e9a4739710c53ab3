//! Guests with Debian's own compiler, for networks where rustup's server is out of reach.
//!
//! Debian ships no standard library for the target, so cargo builds it from `rust-web-src`. Debian's own
//! `wasi-libc` lacks symbols that this library needs, so the C library comes from an npm package.

use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use super::advice::System;
use super::plan::{NpmPackage, Plan};
use super::{GuestToolchain, TARGET};
use crate::process;
use crate::project::Project;

/// Rust 1.95 or newer, its sources, and a linker with the LLVM version of that Rust.
const PACKAGES: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "lld-22"];
const RUSTC: &str = "/usr/bin/rustc";
const CARGO: &str = "/usr/bin/cargo";
const LINKER: &str = "/usr/bin/wasm-ld-22";
const STANDARD_LIBRARY: &str = "/usr/lib/rustlib/src/rust/library/Cargo.toml";

/// Carries a WASI C library that fits this LLVM.
const SYSROOT: NpmPackage = NpmPackage {
    name: "@yowasp/clang",
    version: "22.0.0-git20542-10",
    sha512: "V31/z9GrJECKeACTDUyvg2llbEUiFi3bxtL5HSg7H/6sydSxdI/AoVAD9F5ozrfLjotWl0B9rghR87m+DUM/zg==",
};
const SYSROOT_ARCHIVE: &str = "package/gen/llvm-resources.tar";
const SYSROOT_FOLDERS: [&str; 2] = ["lib/wasm32-wasip1", "include/wasm32-wasip1"];

/// What is still missing on this machine, and how cargo is called afterwards.
pub fn plan(project: &Project) -> Result<(Plan, GuestToolchain)> {
    let system = System::detect();
    if system != System::Debian {
        bail!("this system is not Debian");
    }
    let sysroot = project
        .downloads()
        .join(format!("wasi-sysroot-{}", SYSROOT.version));
    let libraries = sysroot.join(SYSROOT_FOLDERS[0]);

    let mut plan = Plan::default();
    let mut missing: Vec<&str> = PACKAGES
        .into_iter()
        .filter(|package| !is_installed(package))
        .collect();
    if !has_program("npm") && !has_program("curl") {
        missing.extend(["curl", "ca-certificates"]);
    }
    if !missing.is_empty() {
        plan.run_as_root(&["apt-get", "update"]);
        let install = ["apt-get", "install", "--yes", "--no-install-recommends"];
        plan.run_as_root(&[&install, missing.as_slice()].concat());
    }
    if !libraries.join("libc.a").is_file() {
        plan.unpack(SYSROOT, SYSROOT_ARCHIVE, &SYSROOT_FOLDERS, &sysroot);
    }
    Ok((plan, toolchain(&libraries)?))
}

fn toolchain(libraries: &Path) -> Result<GuestToolchain> {
    let search = libraries
        .to_str()
        .with_context(|| format!("the linker cannot take the path {}", libraries.display()))?;
    let env = [
        // Building the standard library is a nightly feature of cargo that this compiler supports as well.
        ("RUSTC_BOOTSTRAP".to_owned(), "1".to_owned()),
        (linker_variable(), LINKER.to_owned()),
    ];
    Ok(GuestToolchain {
        cargo: Some(CARGO.into()),
        rustc: Some(RUSTC.into()),
        env: BTreeMap::from(env),
        cargo_args: vec!["-Zbuild-std=std,panic_abort".to_owned()],
        rustflags: vec![
            "-Clink-self-contained=no".to_owned(),
            format!("-Clink-arg=-L{search}"),
            "-Clink-arg=-lc".to_owned(),
        ],
        needs: [CARGO, RUSTC, LINKER, STANDARD_LIBRARY]
            .into_iter()
            .map(Into::into)
            .chain([libraries.join("libc.a")])
            .collect(),
    })
}

/// The variable that names the target's linker to cargo.
fn linker_variable() -> String {
    format!(
        "CARGO_TARGET_{}_LINKER",
        TARGET.replace('-', "_").to_uppercase()
    )
}

fn is_installed(package: &str) -> bool {
    process::output(Command::new("dpkg-query").args(["--show", "--showformat=${Status}", package]))
        .is_ok_and(|status| status.ends_with(" installed"))
}

fn has_program(name: &str) -> bool {
    process::succeeds(Command::new(name).arg("--version"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_record_names_the_linker_and_the_c_library() {
        let toolchain = toolchain(Path::new("/x/lib/wasm32-wasip1")).unwrap();
        assert_eq!(toolchain.env["CARGO_TARGET_WASM32_WASIP1_LINKER"], LINKER);
        assert!(
            toolchain
                .rustflags
                .contains(&"-Clink-arg=-L/x/lib/wasm32-wasip1".to_owned())
        );
        assert!(
            toolchain
                .needs
                .contains(&"/x/lib/wasm32-wasip1/libc.a".into())
        );
    }
}
