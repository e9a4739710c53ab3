//! What we say on standard error, and what our exit statuses mean.

use anstyle::{AnsiColor, Style};
use sandbox_engine::{Error, ExecutionResult, Limit, Policy, Status};
use std::fmt::Display;
use std::io::Write;

/// Exit statuses; `--help` lists them.
pub mod exit {
    /// An error that the program did not catch.
    pub const ERROR: u8 = 1;
    /// Wrong usage.
    pub const USAGE: u8 = 2;
    /// Stopped by the limit on time, fuel, output or calls to the host.
    pub const LIMIT: u8 = 124;
    /// Our own failure.
    pub const OURS: u8 = 125;
    /// Interrupted by Ctrl-C, as a shell reports it.
    pub const INTERRUPTED: u8 = 130;
    /// Stopped by the limit on memory, as a shell reports a process that the kernel killed.
    pub const MEMORY: u8 = 137;
    /// The interpreter crashed, as a shell reports a segmentation fault.
    pub const CRASHED: u8 = 139;
    /// Nobody reads our output any more, as a shell reports it.
    pub const PIPE: u8 = 141;
}

/// Why we could not do what was asked.
#[derive(Debug)]
pub struct Failure {
    /// The exit status.
    pub status: u8,
    /// The cause, and the next step where there is one.
    pub message: String,
}

impl Failure {
    /// A mistake in how we were called.
    pub fn usage(message: impl Into<String>) -> Self {
        Self {
            status: exit::USAGE,
            message: message.into(),
        }
    }

    /// A failure of ours.
    pub fn ours(message: impl Into<String>) -> Self {
        Self {
            status: exit::OURS,
            message: message.into(),
        }
    }

    /// Prints it and gives its exit status.
    pub fn report(&self) -> u8 {
        say(&self.message);
        self.status
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Policy(_) | Error::PolicyFile { .. } | Error::UnknownLanguage { .. } => {
                Self::usage(error.to_string())
            }
            Error::Io { .. } => Self::ours(format!("{error}\n{CACHE_STEP}")),
            _ => Self::ours(error.to_string()),
        }
    }
}

/// What helps where the cache folder cannot be used.
pub const CACHE_STEP: &str = "Set SANDBOX_RUN_CACHE to a folder that can be written and has room; `sandbox-run doctor` tells more.";

/// Prints a message of ours.
pub fn say(message: impl Display) {
    let prefix = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
    line(prefix, message);
}

/// Prints a notice: nothing is wrong, but somebody would wonder.
pub fn note(message: impl Display) {
    line(Style::new().dimmed(), message);
}

fn line(prefix: Style, message: impl Display) {
    // Where standard error is gone, there is nobody left to tell.
    let _ = writeln!(
        anstream::stderr(),
        "{prefix}sandbox-run:{prefix:#} {message}"
    );
}

/// The exit status that a run's end calls for.
pub fn status(result: &ExecutionResult) -> u8 {
    match result.status {
        Status::Ok => 0,
        // What a parent process sees of it.
        Status::Exited { code } => (code & 0xff) as u8,
        Status::LimitReached if result.limit == Some(Limit::Memory) => exit::MEMORY,
        Status::LimitReached => exit::LIMIT,
        Status::Interrupted => exit::INTERRUPTED,
        Status::Crashed => exit::CRASHED,
        _ => exit::ERROR,
    }
}

/// What a person should know of a run beyond its output: which limit took what, and which option gives more.
pub fn remarks(result: &ExecutionResult, policy: &Policy) -> Vec<String> {
    let mut remarks = Vec::new();
    match result.status {
        Status::LimitReached => remarks.push(match result.limit {
            Some(limit) => format!("stopped by the limit on {}", describe(limit, policy)),
            None => "stopped by a limit".to_owned(),
        }),
        Status::Crashed => remarks
            .push("the interpreter crashed; the code overflowed its stack or hit a bug".to_owned()),
        _ => {}
    }
    for (name, stream) in [
        ("standard output", &result.stdout),
        ("standard error", &result.stderr),
    ] {
        if stream.dropped > 0 {
            remarks.push(format!(
                "{} bytes of {name} were dropped: it may have {} (--max-output)",
                stream.dropped, policy.limits.output
            ));
        }
    }
    remarks
}

fn describe(limit: Limit, policy: &Policy) -> String {
    let limits = &policy.limits;
    match limit {
        Limit::Wall => format!("{limit}: {:?} (--timeout)", limits.wall),
        Limit::Fuel => format!(
            "{limit}: {} units (--fuel)",
            limits.fuel.unwrap_or_default()
        ),
        Limit::Memory => format!("{limit}: {} (--memory)", limits.memory),
        Limit::Output => format!(
            "{limit}: {} in all (limits.output_total in a policy file)",
            limits.output_total
        ),
        Limit::HostCalls => format!(
            "{limit}: {} in one run (limits.host_calls in a policy file)",
            limits.host_calls
        ),
        _ => limit.to_string(),
    }
}
