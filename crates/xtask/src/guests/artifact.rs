//! Stages three and four: the compiled module is started once and frozen, turned into machine code, and
//! compressed for the engine to embed.

use anyhow::{Context, Result};
use sandbox_engine::{Language, Manifest, Metering, build};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::thread;

use super::write_if_changed;
use crate::digest::sha256;
use crate::ui;

/// The level that still pays: higher ones cost minutes and save little.
const ZSTD_LEVEL: i32 = 19;

/// How far back compression looks, as a power of two.
const WINDOW: u32 = 27;

/// The level for what is mostly a copy of a prefix: the highest ones find the long matches no more.
const DELTA_LEVEL: i32 = 12;

/// The smallest window worth having, as a power of two.
const SMALLEST_WINDOW: u32 = 20;

const MANIFEST: &str = "manifest.json";
const WASM: &str = "guest.wasm.zst";
const EPOCH: &str = "epoch.cwasm.zst";

/// Makes the files of one guest in `folder` from its compiled module. Machine code for the same frozen
/// module is kept if `intact` says that the files can be relied on.
pub fn make(
    language: Language,
    interpreter: String,
    module: &[u8],
    folder: &Path,
    intact: bool,
) -> Result<()> {
    let wasm = ui::step("Starting", &format!("{language} and freezing it"), || {
        build::preinitialise(module).context("the guest could not be pre-initialised")
    })?;
    let digest = sha256(&wasm);
    let compatibility = build::compatibility()?;
    let old = read(folder)
        .filter(|old| intact && old.digest == digest && old.compatibility == compatibility);
    let (epoch_digest, epoch_size) = if let Some(old) = old {
        (old.epoch_digest, old.epoch_size)
    } else {
        let epoch = ui::step("Compiling", &format!("{language} to machine code"), || {
            build::precompile(&wasm, Metering::Epoch).context("the guest could not be compiled")
        })?;
        pack(folder, EPOCH, &epoch, &[])?;
        // The machine code's file holds the interpreter's memory as well, so the module is kept as what is
        // different from it: it is wanted only where the machine code does not fit.
        pack(folder, WASM, &wasm, &epoch)?;
        (sha256(&epoch), epoch.len() as u64)
    };
    let manifest = Manifest {
        language,
        abi: sandbox_abi::ABI_VERSION,
        interpreter,
        digest,
        wasm_size: wasm.len() as u64,
        epoch_digest,
        epoch_size,
        compatibility,
    };
    let mut text = serde_json::to_string_pretty(&manifest)?;
    text.push('\n');
    write_if_changed(&folder.join(MANIFEST), text.as_bytes())
}

/// The files that make up a finished guest.
pub fn files() -> [&'static str; 3] {
    [MANIFEST, WASM, EPOCH]
}

/// Compresses with a checksum and the size in the header, so that a reader can reserve memory at once. What
/// stands in `prefix`, too, takes no space; a reader needs the same prefix.
pub fn compress(content: &[u8], prefix: &[u8]) -> Result<Vec<u8>> {
    let level = if prefix.is_empty() {
        ZSTD_LEVEL
    } else {
        DELTA_LEVEL
    };
    let mut encoder = zstd::Encoder::with_ref_prefix(Vec::new(), level, prefix)?;
    if prefix.is_empty() {
        // Code repeats itself over longer distances than the level expects.
        encoder.window_log(WINDOW)?;
        let threads = thread::available_parallelism().map_or(1, usize::from);
        encoder.multithread(u32::try_from(threads)?)?;
    } else {
        // Threads would see the prefix only at the start, and the usual window not at all.
        encoder.long_distance_matching(true)?;
        encoder.window_log((content.len() + prefix.len()).ilog2().max(SMALLEST_WINDOW) + 1)?;
    }
    encoder.include_checksum(true)?;
    encoder.set_pledged_src_size(Some(content.len() as u64))?;
    encoder.write_all(content)?;
    Ok(encoder.finish()?)
}

fn read(folder: &Path) -> Option<Manifest> {
    serde_json::from_slice(&fs::read(folder.join(MANIFEST)).ok()?).ok()
}

fn pack(folder: &Path, name: &str, content: &[u8], prefix: &[u8]) -> Result<()> {
    let what = format!("{name}, {} as it is", ui::megabytes(content.len()));
    let packed = ui::step("Compressing", &what, || compress(content, prefix))?;
    ui::status(
        "Packed",
        &format!("{name}, {}", ui::megabytes(packed.len())),
    );
    write_if_changed(&folder.join(name), &packed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_content_tells_its_size_and_unpacks() {
        let content = b"some code ".repeat(1000);
        let packed = compress(&content, &[]).unwrap();
        let size = zstd::zstd_safe::get_frame_content_size(&packed).unwrap();
        assert_eq!(size, Some(content.len() as u64));
        assert_eq!(zstd::decode_all(packed.as_slice()).unwrap(), content);
    }

    #[test]
    fn what_stands_in_the_prefix_takes_no_space() {
        let content: Vec<u8> = (0_u32..1 << 16)
            .flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes())
            .collect();
        let packed = compress(&content, &content).unwrap();
        assert!(packed.len() < content.len() / 100, "{}", packed.len());
        let mut decoder = zstd::Decoder::with_ref_prefix(packed.as_slice(), &content).unwrap();
        let mut read = Vec::new();
        std::io::Read::read_to_end(&mut decoder, &mut read).unwrap();
        assert_eq!(read, content);
    }
}
