//! The binary as a whole process.

use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// The environment variable that moves the binary's cache.
const CACHE: &str = "SANDBOX_RUN_CACHE";

/// `sandbox-run` from the same build as this program.
pub(crate) fn binary_beside_us() -> Result<PathBuf> {
    let us = std::env::current_exe().context("where this program is")?;
    let binary = us.with_file_name(format!("sandbox-run{}", std::env::consts::EXE_SUFFIX));
    ensure!(
        binary.exists(),
        "{} is missing: run `cargo build --release -p sandbox-run` first",
        binary.display()
    );
    Ok(binary)
}

/// One run with whatever is in the cache.
pub(crate) fn run(binary: &Path) -> Result<Duration> {
    timed(&mut Command::new(binary))
}

/// Runs that find an empty cache.
pub(crate) fn first_runs(binary: &Path, count: usize) -> Result<Vec<Duration>> {
    (0..count)
        .map(|_| {
            let cache = tempfile::tempdir().context("a folder for the cache")?;
            timed(Command::new(binary).env(CACHE, cache.path()))
        })
        .collect()
}

fn timed(command: &mut Command) -> Result<Duration> {
    let begun = Instant::now();
    let output = command
        .args(["-c", "print(1+1)"])
        .output()
        .with_context(|| command.get_program().display().to_string())?;
    let took = begun.elapsed();
    ensure!(
        output.stdout == b"2\n",
        "the binary failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(took)
}
