//! The messages between the sandbox host and its guest interpreters.
//!
//! A guest is a WebAssembly reactor. It exports
//!
//! | export | signature | meaning |
//! |---|---|---|
//! | `memory` | | its linear memory |
//! | [`EXPORT_INIT`] | `()` | starts the interpreter; called once, before the module is snapshotted |
//! | [`EXPORT_BUFFER`] | `(len: u32) -> ptr` | a buffer of at least `len` bytes for requests; one of up to 4,096 bytes serves until the next is asked for |
//! | [`EXPORT_CALL`] | `(len: u32) -> u64` | answers the request in the buffer; the reply's address in the high half, its length in the low half |
//! | [`EXPORT_INTERRUPT`] | `() -> ptr` | the byte that the host sets to an [`Interrupt`] while a call runs |
//! | [`EXPORT_ABI`] | `() -> u32` | [`ABI_VERSION`] |
//! | [`EXPORT_SPIN`] | `()` | an endless loop, on which the host tries its watchdog; this crate brings it |
//!
//! and may import WASI preview 1 and, from the module [`IMPORT_MODULE`],
//! `event(kind: u32, ptr: u32, len: u32) -> u32`, which hands over an encoded [`Display`] and returns 0, or a WASI error
//! number where the host does not take it.
//!
//! Messages are encoded with [`encode`] and read with [`decode`]. The host treats everything that comes
//! from a guest as hostile: it bounds lengths before it looks. The types here have no recursion, but a list of empty texts
//! takes many times the memory of its bytes, so the host reads lists into types of its own that bound them.

#![no_std]
extern crate alloc;

use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// The version of these messages. Host and guest must agree exactly.
pub const ABI_VERSION: u32 = 2;

/// The module that guests import the host's own functions from.
pub const IMPORT_MODULE: &str = "sandbox";
/// See the module documentation.
pub const EXPORT_INIT: &str = "sandbox_init";
/// See the module documentation.
pub const EXPORT_BUFFER: &str = "sandbox_buffer";
/// See the module documentation.
pub const EXPORT_CALL: &str = "sandbox_call";
/// See the module documentation.
pub const EXPORT_INTERRUPT: &str = "sandbox_interrupt";
/// See the module documentation.
pub const EXPORT_ABI: &str = "sandbox_abi";
/// See the module documentation.
pub const EXPORT_SPIN: &str = "sandbox_spin";

/// Loops until the host stops it. Every guest that links this crate exports it.
#[cfg(target_family = "wasm")]
#[unsafe(no_mangle)]
pub extern "C" fn sandbox_spin() {
    loop {
        core::hint::spin_loop();
    }
}

/// What the host asks of a guest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Request {
    /// The first request after instantiation: everything that the snapshot could not know.
    Start(Start),
    /// Run code.
    Run(Run),
    /// Offer completions for an identifier or attribute.
    Complete(Complete),
    /// Tell whether source is a whole cell, or more lines are wanted.
    IsComplete(String),
}

/// What a fresh instance has to learn. Environment variables come through WASI.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// `sys.argv`, with the program's name first.
    pub argv: Vec<String>,
    /// Whether the caller supplied something to read on standard input.
    pub stdin: bool,
    /// The working directory.
    pub cwd: String,
    /// Bytes of the stack in linear memory that calls inside calls may use, from where a request begins, before the
    /// language's own error for it. At most 2 MiB; a guest has to have more, for recursion that it cannot count.
    pub stack: u32,
}

/// How code is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mode {
    /// As in a notebook: the last expression's value is the result, state stays for the next cell.
    Cell,
    /// As a program: nothing is echoed, errors are printed to standard error, exit handlers run.
    Program,
}

/// Code to run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// The source text.
    pub code: String,
    /// What tracebacks call it. Empty: the guest numbers its cells.
    pub name: String,
    /// How to run it.
    pub mode: Mode,
    /// As [`Start::stack`], for this run alone. It is never more than that.
    pub stack: u32,
}

/// A request for completions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Complete {
    /// The text being edited.
    pub code: String,
    /// The cursor, in bytes from the start of `code`.
    pub cursor: u32,
}

/// A guest's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reply {
    /// To [`Request::Start`].
    Started,
    /// To [`Request::Run`].
    Ran(Ran),
    /// To [`Request::Complete`]: the byte offset that candidates replace from, and the candidates.
    Completions(u32, Vec<String>),
    /// To [`Request::IsComplete`].
    Completeness(Completeness),
    /// The request could not be understood.
    Refused(String),
}

/// Whether a piece of source can be run as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Completeness {
    /// It can be run.
    Complete,
    /// More lines are wanted.
    Incomplete,
    /// It is wrong, and more lines will not mend it.
    Invalid,
}

/// How running code ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ran {
    /// How it ended.
    pub outcome: Outcome,
    /// The last expression's value as text, where there is one.
    pub value: Option<String>,
    /// The number of the cell, from 1.
    pub count: u32,
}

/// How running code ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// To its end.
    Ok,
    /// The program asked to exit with this status.
    Exit(i32),
    /// With an error nobody caught.
    Error(GuestError),
}

/// An error that the guest's code did not catch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuestError {
    /// The error's class, such as `ZeroDivisionError`.
    pub name: String,
    /// What it says.
    pub message: String,
    /// The traceback as the language prints it, the message included.
    pub traceback: String,
    /// Whether the error is the host's interrupt and not the code's own.
    pub interrupted: Option<Interrupt>,
}

/// Why the host interrupts running code. The number is the byte that it stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u8)]
pub enum Interrupt {
    /// The time is up.
    Timeout = 1,
    /// Somebody pressed Ctrl-C, or the equivalent.
    Keyboard = 2,
    /// Memory is nearly used up.
    Memory = 3,
    /// More was written than a run may write.
    Output = 4,
    /// The host was called more often than a run may call it.
    HostCalls = 5,
}

impl Interrupt {
    /// The interrupt that a byte stands for.
    #[must_use]
    pub fn from_byte(byte: u8) -> Option<Self> {
        [
            Self::Timeout,
            Self::Keyboard,
            Self::Memory,
            Self::Output,
            Self::HostCalls,
        ]
        .into_iter()
        .find(|kind| *kind as u8 == byte)
    }
}

/// The `kind` of an event that carries a [`Display`].
pub const EVENT_DISPLAY: u32 = 1;
/// The `kind` of an event that carries the [`Display`] of a cell's value.
pub const EVENT_VALUE: u32 = 2;

/// One object in every form that it offers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Display {
    /// MIME type and content; binary content is base64, JSON is text.
    pub data: Vec<(String, String)>,
}

/// Why bytes are no message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodeError(postcard::Error);

impl core::fmt::Display for DecodeError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "not a message of ABI version {ABI_VERSION}: {}", self.0)
    }
}

impl core::error::Error for DecodeError {}

/// Encodes a message.
#[must_use]
pub fn encode<T: Serialize>(message: &T) -> Vec<u8> {
    // Writing plain types to a growing vector has no way to fail.
    postcard::to_allocvec(message).unwrap_or_default()
}

/// Decodes a message, whose texts may be borrowed from the bytes. Bytes left over are an error.
///
/// # Errors
/// [`DecodeError`] where the bytes are not one message of type `T`.
pub fn decode<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, DecodeError> {
    match postcard::take_from_bytes(bytes) {
        Ok((message, [])) => Ok(message),
        Ok(_) => Err(DecodeError(postcard::Error::DeserializeBadEncoding)),
        Err(error) => Err(DecodeError(error)),
    }
}
