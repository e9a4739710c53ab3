//! What a session that waits for its next cell holds.

use anyhow::{Context, Result, ensure};
use sandbox_engine::{Engine, Language, Policy};

/// Bytes of private memory (`Private_Clean` and `Private_Dirty` of `/proc/self/smaps_rollup`) that each of many
/// sessions adds after a first cell. The image that they share is not private, and the engine was there before.
pub(crate) fn per_idle_session(engine: &Engine, count: usize) -> Result<f64> {
    // What only the first session needs is not a session's own.
    let mut sessions = vec![started(engine)?];
    let before = private_bytes()?;
    for _ in 0..count {
        sessions.push(started(engine)?);
    }
    let grown = private_bytes()?.saturating_sub(before);
    ensure!(sessions.len() == count + 1);
    Ok(grown as f64 / count as f64)
}

fn started(engine: &Engine) -> Result<sandbox_engine::Session> {
    let mut session = engine.session(Language::Python, &Policy::default())?;
    let result = session.run_blocking("x = 1 + 1")?;
    ensure!(result.is_ok(), "{result:?}");
    Ok(session)
}

fn private_bytes() -> Result<u64> {
    const FILE: &str = "/proc/self/smaps_rollup";
    let text =
        std::fs::read_to_string(FILE).with_context(|| format!("{FILE} (only Linux has it)"))?;
    let kilobytes = text
        .lines()
        .filter(|line| line.starts_with("Private_Clean:") || line.starts_with("Private_Dirty:"))
        .map(|line| {
            line.split_whitespace()
                .nth(1)
                .and_then(|number| number.parse::<u64>().ok())
        })
        .sum::<Option<u64>>();
    Ok(kilobytes.context("smaps_rollup has another format here")? << 10)
}
