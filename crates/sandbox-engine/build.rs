//! Finds the guests that `cargo xtask guests` made and has them embedded.
//!
//! They lie in `target/guests` of the workspace, or where `SANDBOX_GUESTS_DIR` says. A build without them succeeds: the
//! library then says at run time what to do, and guests can still be loaded from files.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-env-changed=SANDBOX_GUESTS_DIR");
    let Some(out) = env::var_os("OUT_DIR").map(PathBuf::from) else {
        return;
    };
    let mut entries = String::new();
    if env::var_os("CARGO_FEATURE_BUNDLED").is_some() {
        let folder = guests_folder();
        println!("cargo::rerun-if-changed={}", folder.display());
        let mut languages: Vec<PathBuf> = fs::read_dir(&folder)
            .map(|entries| {
                entries
                    .flatten()
                    .map(|entry| entry.path())
                    .filter(|path| path.is_dir())
                    .collect()
            })
            .unwrap_or_default();
        languages.sort();
        for folder in languages {
            entries.push_str(&entry(&folder));
        }
        if entries.is_empty() {
            println!(
                "cargo::warning=no guests to embed: run `cargo xtask guests`, then build again"
            );
        }
    }
    let source = format!("static BUNDLED: &[Artifact] = &[{entries}];\n");
    if let Err(error) = fs::write(out.join("bundled.rs"), source) {
        println!("cargo::error=cannot write to {}: {error}", out.display());
    }
}

fn guests_folder() -> PathBuf {
    env::var_os("SANDBOX_GUESTS_DIR").map_or_else(
        || {
            Path::new(&env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default())
                .join("../../target/guests")
        },
        PathBuf::from,
    )
}

/// The Rust expression for one guest, or nothing where a file is missing.
fn entry(folder: &Path) -> String {
    let file = |name: &str| {
        let path = folder.join(name);
        println!("cargo::rerun-if-changed={}", path.display());
        path.canonicalize()
            .ok()?
            .into_os_string()
            .into_string()
            .ok()
    };
    match (
        file("manifest.json"),
        file("guest.wasm.zst"),
        file("epoch.cwasm.zst"),
    ) {
        (Some(manifest), Some(wasm), Some(epoch)) => format!(
            "Artifact {{ manifest: Cow::Borrowed(include_str!({manifest:?})), \
             wasm: Cow::Borrowed(include_bytes!({wasm:?})), epoch: Some(Cow::Borrowed(include_bytes!({epoch:?}))) }},"
        ),
        _ => String::new(),
    }
}
