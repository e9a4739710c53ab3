//! `cargo build`, with its progress for the reader and its results for us.

use anyhow::{Context, Result};
use cargo_metadata::diagnostic::DiagnosticLevel;
use cargo_metadata::{Artifact, CompilerMessage, Message};
use std::io::BufReader;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::process;

/// What a build made.
pub struct Built(Vec<Artifact>);

/// Runs a `cargo build` command. Progress and errors go to stderr; warnings, too, but not those of patched crates,
/// which are not ours to tidy up.
pub fn build(command: &mut Command) -> Result<Built> {
    let format = if console::colors_enabled_stderr() {
        "json-diagnostic-rendered-ansi"
    } else {
        "json"
    };
    command
        .args(["--message-format", format])
        .stdout(Stdio::piped());
    let mut child = command.spawn().context("cannot start cargo")?;
    let messages = BufReader::new(child.stdout.take().context("cargo has no output")?);
    let mut artifacts = Vec::new();
    for message in Message::parse_stream(messages) {
        match message.context("cannot read from cargo")? {
            Message::CompilerMessage(message) if is_for_the_reader(&message) => {
                eprint!("{}", message.message.rendered.unwrap_or_default());
            }
            Message::CompilerArtifact(artifact) => artifacts.push(artifact),
            _ => {}
        }
    }
    process::check(command, child.wait().context("cannot wait for cargo")?)?;
    Ok(Built(artifacts))
}

impl Built {
    /// The program of this name.
    pub fn program(&self, name: &str) -> Result<PathBuf> {
        self.0
            .iter()
            .filter(|artifact| artifact.target.name == name)
            .find_map(|artifact| artifact.executable.clone())
            .map(Into::into)
            .with_context(|| format!("cargo built no program called {name}"))
    }

    /// The WebAssembly module of the library in this package.
    pub fn module(&self, package: &str) -> Result<PathBuf> {
        let library = package.replace('-', "_");
        self.0
            .iter()
            .filter(|artifact| artifact.target.name == library)
            .flat_map(|artifact| &artifact.filenames)
            .find(|path| path.extension() == Some("wasm"))
            .map(Into::into)
            .with_context(|| format!("cargo made no module; is `{package}` a cdylib?"))
    }
}

fn is_for_the_reader(message: &CompilerMessage) -> bool {
    let error = matches!(
        message.message.level,
        DiagnosticLevel::Error | DiagnosticLevel::Ice
    );
    error || !message.package_id.repr.contains("/.patched/")
}
