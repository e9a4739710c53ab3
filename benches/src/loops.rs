//! Endless loops side by side, and how late each is stopped.

use anyhow::{Context, Result, ensure};
use sandbox_engine::{Engine, Language, Limit, Policy};
use serde::Serialize;
use std::time::{Duration, Instant};

const LOOPS: usize = 64;
const LIMIT: Duration = Duration::from_millis(100);

/// How long after their deadlines loops were stopped, for each loop of each round. Every one has to be stopped.
pub(crate) fn overshoot(engine: &Engine, rounds: usize) -> Result<Vec<Duration>> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let mut policy = Policy::default();
    policy.limits.wall = LIMIT;
    let mut late = Vec::with_capacity(rounds * LOOPS);
    for _ in 0..rounds {
        late.extend(runtime.block_on(one_round(engine, &policy))?);
    }
    Ok(late)
}

async fn one_round(engine: &Engine, policy: &Policy) -> Result<Vec<Duration>> {
    let mut tasks = Vec::with_capacity(LOOPS);
    for _ in 0..LOOPS {
        let mut session = engine.session(Language::Python, policy)?;
        // The loop shall find a session that has started.
        session.run("n = 0").await?;
        tasks.push(session);
    }
    let tasks: Vec<_> = tasks
        .into_iter()
        .map(|mut session| {
            tokio::spawn(async move {
                let begun = Instant::now();
                let result = session.run("while True: n += 1").await?;
                let took = begun.elapsed();
                ensure!(
                    result.limit == Some(Limit::Wall),
                    "a loop ended otherwise: {result:?}"
                );
                Ok(took.saturating_sub(LIMIT))
            })
        })
        .collect();
    let mut late = Vec::with_capacity(LOOPS);
    for task in tasks {
        late.push(task.await.context("a loop's task failed")??);
    }
    Ok(late)
}

/// How lateness is distributed, in milliseconds.
#[derive(Debug, Serialize)]
pub(crate) struct Distribution {
    pub(crate) stopped: usize,
    pub(crate) p50_ms: f64,
    pub(crate) p90_ms: f64,
    pub(crate) p99_ms: f64,
    pub(crate) max_ms: f64,
}

impl Distribution {
    pub(crate) fn of(late: &[Duration]) -> Self {
        let at = |percent| crate::stats::percentile(late, percent).as_secs_f64() * 1e3;
        Self {
            stopped: late.len(),
            p50_ms: at(50.0),
            p90_ms: at(90.0),
            p99_ms: at(99.0),
            max_ms: at(100.0),
        }
    }
}
