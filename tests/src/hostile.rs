//! Guests that are written as WebAssembly text, to break rules that a real guest keeps.

use sandbox_engine::{Language, Manifest};
use sha2::{Digest, Sha256};
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Makes `folder`, with a guest in it as the engine takes it: the module that `wat` describes, and a manifest after
/// `change`.
///
/// # Errors
/// If the text is no module, or the folder cannot be written.
pub fn write_guest(
    folder: &Path,
    wat: &str,
    change: impl FnOnce(&mut Manifest),
) -> Result<(), Box<dyn Error>> {
    let wasm = wat::parse_str(wat)?;
    let mut digest = String::new();
    for byte in Sha256::digest(&wasm) {
        write!(digest, "{byte:02x}")?;
    }
    let mut manifest = Manifest {
        language: Language::Python,
        abi: 2,
        interpreter: "hostile".to_owned(),
        digest,
        wasm_size: wasm.len() as u64,
        epoch_digest: String::new(),
        epoch_size: 0,
        compatibility: String::new(),
    };
    change(&mut manifest);
    fs::create_dir(folder)?;
    let packed = zstd::encode_all(wasm.as_slice(), 1)?;
    fs::write(folder.join("guest.wasm.zst"), packed)?;
    fs::write(folder.join("manifest.json"), serde_json::to_vec(&manifest)?)?;
    Ok(())
}
