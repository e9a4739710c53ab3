//! Sessions through the public API: policy, workspace and captured output included.

use anyhow::{Result, ensure};
use sandbox_engine::{Engine, Language, Policy, Session};
use std::time::{Duration, Instant};

/// From nothing to the result of a first cell. Dropping the session is not counted.
pub(crate) fn fresh(engine: &Engine) -> Result<Duration> {
    let policy = Policy::default();
    let begun = Instant::now();
    let mut session = engine.session(Language::Python, &policy)?;
    let result = session.run_blocking("x = 1 + 1")?;
    let took = begun.elapsed();
    ensure!(result.is_ok(), "{result:?}");
    Ok(took)
}

/// A session that has been in use.
pub(crate) struct Live(Session);

/// Cells that one sample is the mean of.
const BATCH: u32 = 200;

impl Live {
    pub(crate) fn start(engine: &Engine) -> Result<Self> {
        let mut live = Self(engine.session(Language::Python, &Policy::default())?);
        live.0.run_blocking("x = 0")?;
        live.one_more_cell()?;
        Ok(live)
    }

    /// The mean of a batch of cells.
    pub(crate) fn one_more_cell(&mut self) -> Result<Duration> {
        let begun = Instant::now();
        for _ in 0..BATCH {
            let result = self.0.run_blocking("x = x + 1")?;
            ensure!(result.is_ok(), "{result:?}");
        }
        Ok(begun.elapsed() / BATCH)
    }
}
