//! What a Python session promises, tried on the guest that is built in.
//!
//! All of it is one program, so that the guest is loaded once.

mod calls;
mod capture;
mod cells;
mod conformance;
mod files;
mod isolation;
mod large_folders;
mod limits_calls;
mod limits_files;
mod limits_memory;
mod limits_output;
mod limits_time;
mod modules;
mod policies;
mod start;
mod state;
mod stdin;
mod survive;
mod tracebacks;

use sandbox_engine::{ExecutionResult, Limit};
use sandbox_tests::{Python, describe};
use std::time::{Duration, Instant};

/// Far more time than any limit here needs, for machines that are busy.
const PATIENCE: Duration = Duration::from_secs(5);

/// Runs code that has to reach a limit soon, and checks that the session is then as the result says.
fn reach(python: &mut Python, code: &str, limit: Limit) -> ExecutionResult {
    let start = Instant::now();
    let result = python.run_checking_state(code);
    assert!(
        start.elapsed() < PATIENCE,
        "{code:?} was stopped only after {:?}",
        start.elapsed()
    );
    assert_eq!(result.limit, Some(limit), "{code:?}: {}", describe(&result));
    result
}
