//! Finds the licence texts that `cargo xtask guests` collected and has them embedded.
//!
//! They lie beside the guests: in `target/guests` of the workspace, or where `SANDBOX_GUESTS_DIR` says. A build without
//! them succeeds, and `sandbox-run licenses` then says what to do.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-env-changed=SANDBOX_GUESTS_DIR");
    let path = guests_folder().join("licenses.txt.zst");
    println!("cargo::rerun-if-changed={}", path.display());
    let packed = match path.canonicalize() {
        Ok(path) => format!("Some(include_bytes!({:?}))", path.to_string_lossy()),
        Err(_) => "None".to_owned(),
    };
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("licenses.rs");
    let source = format!("static PACKED: Option<&[u8]> = {packed};\n");
    if let Err(error) = fs::write(&out, source) {
        println!("cargo::error=cannot write {}: {error}", out.display());
    }
}

fn guests_folder() -> PathBuf {
    let manifest = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    env::var_os("SANDBOX_GUESTS_DIR").map_or_else(
        || Path::new(&manifest).join("../../target/guests"),
        PathBuf::from,
    )
}
