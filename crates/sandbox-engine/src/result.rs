//! What a run of code produced, and the events that tell of it while it goes on.

use crate::fs::FileChanges;
use crate::policy::Limit;
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::time::Duration;

/// Everything about one run of code.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct ExecutionResult {
    /// How it ended.
    pub status: Status,
    /// Which limit stopped it or took something from it, where one did.
    pub limit: Option<Limit>,
    /// What became of the session's state.
    pub state: StateAfter,
    /// What was written to standard output, raw writes included.
    pub stdout: Output,
    /// What was written to standard error.
    pub stderr: Output,
    /// The value of the last expression, as the language prints it. `None` for programs and for cells that end
    /// in a statement or in nothing. Cut at [`Limits::output`](crate::Limits::output), where `limit` says so.
    pub value: Option<String>,
    /// What the code displayed, in order; a value that has more forms than text comes last.
    pub displays: Vec<RichOutput>,
    /// What it did to the session's own files.
    pub files: FileChanges,
    /// The error that nobody caught.
    pub error: Option<ErrorInfo>,
    /// What the run used.
    pub usage: Usage,
    /// The number of the cell in its session, from 1.
    pub count: u32,
}

impl ExecutionResult {
    /// Whether the code ran to its end, or exited by itself with status 0.
    pub fn is_ok(&self) -> bool {
        matches!(self.status, Status::Ok | Status::Exited { code: 0 })
    }
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
#[non_exhaustive]
pub enum Status {
    /// To its end.
    Ok,
    /// With an error that nobody caught.
    Error,
    /// By itself, through the language's exit call.
    Exited {
        /// The exit status it asked for.
        code: i32,
    },
    /// A limit stopped it: [`ExecutionResult::limit`] says which.
    LimitReached,
    /// The caller interrupted it.
    Interrupted,
    /// The interpreter itself failed, such as by overflowing its stack in native code.
    Crashed,
}

/// What became of the session's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StateAfter {
    /// Everything the code did is there, up to where it ended.
    Kept,
    /// The session is as it was before this run: memory, files of its workspace and open descriptors.
    RolledBack,
}

/// One output stream.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Output {
    /// The bytes that were kept. Not necessarily UTF-8.
    pub bytes: Vec<u8>,
    /// How many bytes beyond the limit were dropped.
    pub dropped: u64,
}

impl Output {
    /// The bytes as text, with U+FFFD in place of what is not UTF-8.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }
}

impl Serialize for Output {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut s = serializer.serialize_struct("Output", 2)?;
        s.serialize_field("text", &self.text())?;
        s.serialize_field("dropped", &self.dropped)?;
        s.end()
    }
}

/// One displayed object in every form that it offers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RichOutput {
    /// MIME type and content. Binary content is base64, JSON is text.
    pub data: Vec<(String, String)>,
    /// Whether it is the cell's value rather than something that the code displayed.
    pub is_value: bool,
}

impl RichOutput {
    /// The content in one MIME type.
    pub fn get(&self, mime: &str) -> Option<&str> {
        self.data
            .iter()
            .find(|(m, _)| m == mime)
            .map(|(_, content)| content.as_str())
    }
}

/// An error that the guest's code did not catch. Each text is cut at [`Limits::output`](crate::Limits::output), but never
/// below 64 KiB; [`ExecutionResult::limit`] says so where no other limit comes first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ErrorInfo {
    /// Its class, such as `ZeroDivisionError`.
    pub name: String,
    /// What it says.
    pub message: String,
    /// The traceback as the language prints it, the message included.
    pub traceback: String,
}

/// What a run used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Usage {
    /// Wall-clock time from the call to its answer.
    #[serde(serialize_with = "seconds", rename = "wall_seconds")]
    pub wall: Duration,
    /// Time that the guest was running, without the time that it slept or waited for its turn.
    #[serde(serialize_with = "seconds", rename = "cpu_seconds")]
    pub cpu: Duration,
    /// Fuel consumed, where the policy limits fuel.
    pub fuel: Option<u64>,
    /// The most linear memory that the instance has had so far, in bytes.
    pub peak_memory: u64,
    /// Bytes written to standard output and error, dropped ones included.
    pub output_bytes: u64,
    /// Bytes written to files.
    pub file_bytes: u64,
    /// Calls to the host: functions of WASI, and displayed objects.
    pub host_calls: u64,
}

fn seconds<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(duration.as_secs_f64())
}

/// What happens while code runs, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// Bytes for standard output. A character may be split between two events.
    Stdout(Vec<u8>),
    /// Bytes for standard error.
    Stderr(Vec<u8>),
    /// Something displayed.
    Display(RichOutput),
    /// The text of the cell's value; the last event of a run.
    Value(String),
}
