//! Random input for what reads input that nobody trusts: the calls and replies of guests, and policy files.
//!
//! Each target takes an input of the corpus, or makes one, and changes it. `cargo run --release -p sandbox-tests --example
//! fuzz -- --seconds 60` runs all of them for a minute each; the test suite runs them for a moment. A failure prints a seed,
//! and `--seed` runs that input again.

#[cfg(unix)]
pub mod guests;
pub mod policies;

use arbitrary::Unstructured;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// How long, or which input.
#[derive(Debug, Clone, Copy)]
pub enum Extent {
    /// Random inputs for so long.
    For(Duration),
    /// The input that a failure printed.
    #[allow(dead_code, reason = "only the program takes one")]
    Seed(u64),
}

/// One input after the other, as many as the time allows.
fn run(extent: Extent, mut property: impl FnMut(&mut Unstructured<'_>) -> arbitrary::Result<()>) {
    let mut count = 0_u64;
    let counted = |u: &mut Unstructured<'_>| {
        count += 1;
        property(u)
    };
    let test = arbtest::arbtest(counted)
        .size_min(1 << 10)
        .size_max(1 << 14);
    match extent {
        Extent::For(time) => test.budget(time).run(),
        Extent::Seed(seed) => test.seed(seed).run(),
    }
    println!("{count} inputs");
}

/// The files of a folder of the corpus.
fn corpus(folder: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz/corpus")
        .join(folder);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{error}"));
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    // A seed means the same input on every machine.
    paths.sort();
    paths
        .iter()
        .map(|path| fs::read(path).unwrap_or_else(|error| panic!("{error}")))
        .collect()
}

/// Changes some bytes, leaves some out and puts some in.
fn mutate(bytes: &mut Vec<u8>, u: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    for _ in 0..u.int_in_range(0..=8)? {
        let at = u.int_in_range(0..=bytes.len())?;
        match u.int_in_range(0..=4)? {
            0 if at < bytes.len() => bytes[at] = u.arbitrary()?,
            1 if at < bytes.len() => bytes[at] ^= 1 << u.int_in_range(0..=7)?,
            2 => {
                let end = (at + u.int_in_range(0..=20)?).min(bytes.len());
                bytes.drain(at..end);
            }
            3 => {
                let len = u.int_in_range(0..=8)?;
                let piece = u.bytes(len.min(u.len()))?.to_vec();
                bytes.splice(at..at, piece);
            }
            _ => {
                let end = (at + u.int_in_range(0..=40)?).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                let to = u.int_in_range(0..=bytes.len())?;
                bytes.splice(to..to, piece);
            }
        }
    }
    Ok(())
}
