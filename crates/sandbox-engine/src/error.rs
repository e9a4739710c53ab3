//! What can go wrong outside of the guest's code.
//!
//! An exception in the guest, a limit that fires or a guest that crashes is no error here: the call
//! succeeds and its [`ExecutionResult`](crate::ExecutionResult) says what happened.

use crate::policy::Mistake;
use std::io;
use std::path::PathBuf;

/// An error of the engine. Each arm says whose fault it is and what survives it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The caller named a language that does not exist. Nothing was changed.
    #[error("unknown language `{name}`; known: {known}")]
    UnknownLanguage {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },

    /// This build has no guest for the language. Nothing was changed.
    #[error(
        "no {language} guest in this build; run `cargo xtask guests`, then build again, or name a guest file"
    )]
    GuestMissing {
        /// The language asked for.
        language: crate::Language,
    },

    /// The caller's policy makes no sense. Nothing was changed.
    #[error("invalid policy: {0}")]
    Policy(String),

    /// The caller's policy file is wrong. Nothing was changed.
    #[error("invalid policy:{}", lines(mistakes))]
    PolicyFile {
        /// Everything that is wrong, each with its place.
        mistakes: Vec<Mistake>,
    },

    /// The caller's argument makes no sense. The session is as it was.
    #[error("{0}")]
    InvalidArgument(String),

    /// A file of the session's own file system could not be reached. The session is as it was.
    #[error("{path}: {reason}")]
    File {
        /// The path inside the sandbox.
        path: String,
        /// Why not.
        reason: String,
    },

    /// The caller's archive is damaged, or holds what is not unpacked. The session is as it was.
    #[error("cannot unpack {}: {reason}", entry.as_deref().unwrap_or("the archive"))]
    Archive {
        /// The entry's path in the archive, with U+FFFD in place of what is not UTF-8; cut where it is long. `None`
        /// where it is about the archive as a whole.
        entry: Option<String>,
        /// Why not.
        reason: String,
    },

    /// The caller's reader or writer failed. The session is as it was.
    #[error("{what}: {source}")]
    Stream {
        /// What was tried, such as `cannot read the archive`.
        what: &'static str,
        /// What the reader or writer said.
        source: io::Error,
    },

    /// The host's file system refused something that the engine needs. Sessions that exist are not affected.
    #[error("{what} {}: {source}", path.display())]
    Io {
        /// What was tried, such as `cannot write`.
        what: &'static str,
        /// Where.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },

    /// The guest broke the rules of the interface between it and the host. The session was put back to its
    /// state before the call.
    #[error("the guest broke the protocol: {0}")]
    Protocol(String),

    /// A guest's artifact is damaged or made for another version. Other guests are not affected.
    #[error("unusable guest artifact: {0}")]
    Artifact(String),

    /// The state before a cell could not be restored, so the session is gone. Start a new one; its files can
    /// still be read.
    #[error("the session is lost: {0}")]
    SessionLost(String),

    /// The watchdog that enforces time limits does not work on this machine. No session can be started.
    #[error("time limits cannot be enforced here: {0}")]
    Watchdog(String),

    /// A fault of the WebAssembly engine or of this crate. The session was put back or is lost, as the text says.
    #[error("internal error: {0}")]
    Internal(String),
}

/// The mistake, or each on a line of its own where there are several.
fn lines(mistakes: &[Mistake]) -> String {
    let separator = if mistakes.len() > 1 { "\n  " } else { " " };
    mistakes
        .iter()
        .flat_map(|mistake| [separator.to_owned(), mistake.to_string()])
        .collect()
}

impl Error {
    pub(crate) fn io(
        what: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { what, path, source }
    }
}

impl From<wasmtime::Error> for Error {
    fn from(error: wasmtime::Error) -> Self {
        Self::Internal(format!("{error:#}"))
    }
}

/// A result with this crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;
