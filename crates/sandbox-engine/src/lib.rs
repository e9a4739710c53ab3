//! Runs model-written code in WebAssembly instances.
//!
//! An [`Engine`] holds compiled interpreters. A [`Session`] is one of them at work: it keeps its variables and files
//! from cell to cell, under a [`Policy`] that says what it may use. Each run ends in an [`ExecutionResult`], whatever
//! the code did.
//!
//! ```no_run
//! use sandbox_engine::{Engine, Language, Policy};
//!
//! let engine = Engine::new()?;
//! let mut session = engine.session(Language::Python, &Policy::default())?;
//! let result = session.run_blocking("sum(range(10))")?;
//! assert_eq!(result.value.as_deref(), Some("45"));
//! # Ok::<(), sandbox_engine::Error>(())
//! ```

#![deny(unsafe_code)]

mod artifact;
#[cfg(feature = "build-guests")]
pub mod build;
mod clock;
mod config;
mod descriptors;
mod engine;
mod entropy;
mod error;
mod fs;
mod guest;
mod host;
mod instance;
mod language;
mod outcome;
mod output;
pub mod policy;
mod prefault;
mod reply;
mod result;
mod rollback;
mod run;
mod session;
mod stdin;
mod ticker;
mod trial;
mod wasi;

pub use artifact::Manifest;
pub use config::Metering;
pub use engine::{Engine, EngineBuilder};
pub use error::{Error, Result};
pub use fs::{FileChanges, FileInfo, FileKind, TarSummary};
pub use language::Language;
pub use policy::{Clock, Limit, Limits, Mount, Permission, Policy, Randomness, Size, Tools};
pub use result::{
    ErrorInfo, Event, ExecutionResult, Output, RichOutput, StateAfter, Status, Usage,
};
pub use run::InterruptHandle;
pub use sandbox_abi::Completeness;
pub use session::{Cell, Session, SessionOptions};
pub use stdin::Stdin;
