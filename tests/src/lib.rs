//! What the suites share: one engine for the process, and sessions that are short to write with.
//!
//! Everything here panics where it fails, because only tests call it.
#![allow(
    clippy::missing_panics_doc,
    reason = "a helper that fails fails its test"
)]

pub mod hostile;

use sandbox_engine::{
    Engine, ExecutionResult, Language, Policy, Session, SessionOptions, StateAfter, Status,
};
use std::sync::OnceLock;
use std::time::Duration;

/// The engine of this process. Loading the guest once is enough for a suite.
pub fn engine() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(|| {
        Engine::new().unwrap_or_else(|error| panic!("the engine does not start: {error}"))
    })
}

/// The default policy after `change`.
pub fn policy(change: impl FnOnce(&mut Policy)) -> Policy {
    let mut policy = Policy::default();
    change(&mut policy);
    policy
}

/// The default policy with a wall-clock limit.
pub fn within(limit: Duration) -> Policy {
    policy(|policy| policy.limits.wall = limit)
}

/// A Python session and ways to use it that fail the test where something unexpected happens.
pub struct Python {
    /// The session itself.
    pub session: Session,
}

impl Python {
    /// A session under the default policy.
    pub fn new() -> Self {
        Self::with(&Policy::default())
    }

    /// A session under `policy`.
    pub fn with(policy: &Policy) -> Self {
        Self::with_options(policy, SessionOptions::default())
    }

    /// A session under `policy`, with arguments or standard input.
    pub fn with_options(policy: &Policy, options: SessionOptions) -> Self {
        let session = engine()
            .session_with(Language::Python, policy, options)
            .unwrap_or_else(|error| panic!("no session: {error}"));
        Self { session }
    }

    /// Runs a cell, however it ends.
    pub fn run(&mut self, code: &str) -> ExecutionResult {
        self.session
            .run_blocking(code)
            .unwrap_or_else(|error| panic!("{error} while running {code:?}"))
    }

    /// Runs code as a program, however it ends.
    pub fn program(&mut self, code: &str) -> ExecutionResult {
        self.session
            .cell(code)
            .program()
            .run_blocking()
            .unwrap_or_else(|error| panic!("{error} while running {code:?}"))
    }

    /// Runs a cell that has to succeed.
    pub fn ok(&mut self, code: &str) -> ExecutionResult {
        let result = self.run(code);
        assert_eq!(
            result.status,
            Status::Ok,
            "{code:?} ended with {}",
            describe(&result)
        );
        result
    }

    /// The value of a cell that has to succeed and to have one.
    pub fn value(&mut self, code: &str) -> String {
        let result = self.ok(code);
        result
            .value
            .clone()
            .unwrap_or_else(|| panic!("{code:?} has no value: {}", describe(&result)))
    }

    /// What a cell that has to succeed prints.
    pub fn prints(&mut self, code: &str) -> String {
        self.ok(code).stdout.text().into_owned()
    }

    /// The error of a cell that has to fail: its class and its message.
    pub fn error(&mut self, code: &str) -> (String, String) {
        let result = self.run(code);
        match result.error {
            Some(error) => (error.name, error.message),
            None => panic!("{code:?} raised nothing: {}", describe(&result)),
        }
    }

    /// Runs code that a limit stops, and checks that what the result says about the state is true: a variable
    /// that the code sets first has its new value where the state was kept, and its old one where it was not.
    pub fn run_checking_state(&mut self, code: &str) -> ExecutionResult {
        self.ok("marker = 'before'");
        let result = self.run(&format!("marker = 'during'\n{code}"));
        let expected = match result.state {
            StateAfter::RolledBack => "'before'",
            _ => "'during'",
        };
        assert_eq!(
            self.value("marker"),
            expected,
            "after {}",
            describe(&result)
        );
        result
    }
}

impl Default for Python {
    fn default() -> Self {
        Self::new()
    }
}

/// A result in one line of an assertion's message.
pub fn describe(result: &ExecutionResult) -> String {
    let error = result.error.as_ref().map_or(String::new(), |error| {
        format!(", error:\n{}", error.traceback)
    });
    let stderr = result.stderr.text();
    let stderr = if stderr.is_empty() {
        String::new()
    } else {
        format!(", stderr:\n{stderr}")
    };
    format!(
        "{:?}, limit {:?}, state {:?}, value {:?}{error}{stderr}",
        result.status, result.limit, result.state, result.value
    )
}

/// The README's example, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
