//! How much of everything.

use super::values::{Size, duration_schema, write_count, write_duration};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use std::fmt;
use std::time::Duration;

/// The smallest useful memory limit, in bytes: an interpreter's image and a little room.
pub const MIN_MEMORY: u64 = 48 << 20;
/// The largest memory limit, in bytes: what 32-bit addresses reach, less one page.
pub const MAX_MEMORY: u64 = (4 << 30) - (64 << 10);
/// The smallest stack that ordinary programs fit in, in bytes.
pub const MIN_STACK: u64 = 128 << 10;
/// The largest stack, in bytes: guests have twice as much, for recursion that nothing counts.
pub const MAX_STACK: u64 = 2 << 20;
/// Folders may lie at most so deep one inside another; what a path can name is about as deep.
pub const MAX_PATH_DEPTH: u32 = 1024;
/// The fewest descriptors that an interpreter can work with.
pub const MIN_DESCRIPTORS: u32 = 8;

/// How much of everything a guest may use. The defaults are those of the `default` policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
// These two are for the schema: files are read by `read`.
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Limits {
    /// Wall-clock time for one run; beyond it the code is interrupted as by Ctrl-C. Default: 30 s.
    #[serde(serialize_with = "write_duration")]
    #[schemars(schema_with = "duration_schema")]
    pub wall: Duration,
    /// How long an interrupted run may go on before it is stopped for good and undone. Default: 100 ms.
    #[serde(serialize_with = "write_duration")]
    #[schemars(schema_with = "duration_schema")]
    pub grace: Duration,
    /// Fuel for one run, about one unit for each WebAssembly instruction. Default: unlimited.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "write_fuel")]
    pub fuel: Option<u64>,
    /// Linear memory, plus what the host holds on the guest's behalf, files included. Default: 256 MiB.
    pub memory: Size,
    /// Stack in linear memory that calls inside calls may use before the language's own error for it (`RecursionError`),
    /// 128 KiB to 2 MiB. Default: 2 MiB.
    pub stack: Size,
    /// Bytes kept of each output stream; what is beyond is dropped and counted. Of a cell's value and an error's texts no
    /// more is kept either, but always 64 KiB of an error. Default: 1 MiB.
    pub output: Size,
    /// Bytes a run may write to both streams together; beyond it the code is interrupted, and stopped where it goes on
    /// writing. Default: 1 GiB.
    pub output_total: Size,
    /// Bytes of all files in workspace and scratch space. Default: 64 MiB.
    pub workspace: Size,
    /// Bytes of one file. Default: 32 MiB.
    pub file_size: Size,
    /// Number of files and folders. Default: 4,096.
    #[serde(serialize_with = "write_count")]
    pub files: u64,
    /// Open descriptors, 8 at least. Default: 64.
    #[schemars(range(min = 8))]
    pub descriptors: u32,
    /// Folders one inside another, 1,024 at most. Default: 64.
    #[schemars(range(max = 1024))]
    pub path_depth: u32,
    /// How often a run may call its host: each function of WASI and each displayed object is one call. Beyond it the code is
    /// interrupted, and stopped where it goes on. Default: 50,000,000.
    #[serde(serialize_with = "write_count")]
    pub host_calls: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            wall: Duration::from_secs(30),
            grace: Duration::from_millis(100),
            fuel: None,
            memory: Size(256 << 20),
            stack: Size(2 << 20),
            output: Size(1 << 20),
            output_total: Size(1 << 30),
            workspace: Size(64 << 20),
            file_size: Size(32 << 20),
            files: 4096,
            descriptors: 64,
            path_depth: 64,
            host_calls: 50_000_000,
        }
    }
}

#[expect(clippy::ref_option, reason = "serde's signature")]
fn write_fuel<S: Serializer>(fuel: &Option<u64>, serializer: S) -> Result<S::Ok, S::Error> {
    write_count(&fuel.unwrap_or_default(), serializer)
}

/// The limits that can stop a run or take something from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Limit {
    /// [`Limits::wall`].
    Wall,
    /// [`Limits::fuel`].
    Fuel,
    /// [`Limits::memory`].
    Memory,
    /// The engine's stack, by recursion that does not count towards [`Limits::stack`].
    Stack,
    /// [`Limits::output`] dropped something, or [`Limits::output_total`] stopped the run.
    Output,
    /// [`Limits::host_calls`].
    HostCalls,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Wall => "wall-clock time",
            Self::Fuel => "fuel",
            Self::Memory => "memory",
            Self::Stack => "stack",
            Self::Output => "output",
            Self::HostCalls => "calls to the host",
        })
    }
}
