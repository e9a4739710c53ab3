//! `cargo xtask run`, `bench` and `fuzz`: from a fresh clone to a program's output.

use anyhow::{Context, Result};
use std::ffi::OsString;
use std::process::{Command, ExitCode};

use crate::cargo;
use crate::guests;
use crate::process;
use crate::project::Project;

const PROGRAM: &str = "sandbox-run";
const BENCH: &str = "sandbox-bench";
const TESTS: &str = "sandbox-tests";

/// Builds what is missing and becomes `sandbox-run`.
pub fn run(project: &Project, arguments: &[OsString]) -> Result<ExitCode> {
    start(project, &[PROGRAM], PROGRAM, arguments)
}

/// Builds what is missing and becomes the benchmark, which measures the program that lies beside it.
pub fn bench(project: &Project, arguments: &[OsString]) -> Result<ExitCode> {
    start(project, &[PROGRAM, BENCH], BENCH, arguments)
}

/// Builds what is missing and becomes the fuzzer.
pub fn fuzz(project: &Project, seconds: u64, target: Option<&str>) -> Result<ExitCode> {
    guests::build(project, guests::DEFAULT_PROFILE)?;
    let mut command = project.cargo();
    command.args(["run", "--release", "--package", TESTS, "--example", "fuzz"]);
    command.args(["--", "--seconds", &seconds.to_string()]);
    if let Some(target) = target {
        command.args(["--target", target]);
    }
    become_program(&mut command)
}

fn start(
    project: &Project,
    packages: &[&str],
    program: &str,
    arguments: &[OsString],
) -> Result<ExitCode> {
    guests::build(project, guests::DEFAULT_PROFILE)?;
    let mut command = project.cargo();
    command.args(["build", "--release"]);
    for package in packages {
        command.args(["--package", package]);
    }
    let program = cargo::build(&mut command)?.program(program)?;
    become_program(Command::new(program).args(arguments))
}

#[cfg(unix)]
fn become_program(command: &mut Command) -> Result<ExitCode> {
    use std::os::unix::process::CommandExt;
    // Answers only where it fails. The program then gets signals and ends as if it had been called directly.
    Err(command.exec()).with_context(|| format!("cannot start `{}`", process::line(command)))
}

#[cfg(not(unix))]
fn become_program(command: &mut Command) -> Result<ExitCode> {
    let status = command
        .status()
        .with_context(|| format!("cannot start `{}`", process::line(command)))?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}
