//! The binary as its users meet it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that fails says so"
)]

mod archive;
mod binary;
mod cache;
mod commands;
#[cfg(unix)]
mod interrupt;
mod json;
mod limits;
mod policy;
mod program;
mod repl;
#[cfg(unix)]
mod terminal;
mod usage;
