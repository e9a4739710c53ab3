//! `sandbox-run`: run code in a sandbox from the command line. `--help` is the manual.

mod archive;
mod args;
mod doctor;
mod help;
mod interrupt;
mod json;
mod languages;
mod licenses;
mod output;
mod policy;
mod program;
mod repl;
mod report;
mod sandbox;

use args::{Cli, Command};
use clap::{CommandFactory, Parser};
use report::{Failure, exit};
use std::io::Write;
use std::panic;

fn main() {
    // A panic has printed itself; it is a failure of ours, not the program's.
    let status = panic::catch_unwind(|| match Cli::try_parse() {
        Ok(cli) => run(cli).unwrap_or_else(|failure| failure.report()),
        Err(error) => usage(&error),
    })
    .unwrap_or(exit::OURS);
    std::process::exit(status.into());
}

fn run(cli: Cli) -> Result<u8, Failure> {
    match cli.command {
        None => program::run(cli.program),
        Some(Command::Repl(sandbox)) => repl::run(&sandbox),
        Some(Command::Languages { json }) => languages::run(json),
        Some(Command::Policy { command }) => policy::run(command),
        Some(Command::Doctor) => Ok(doctor::run()),
        Some(Command::Completions { shell }) => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "sandbox-run", &mut script);
            output::whole(&script)
        }
        Some(Command::Licenses) => licenses::run(),
    }
}

/// Prints what clap has to say in our own form: help and version as they are, mistakes with our prefix.
fn usage(error: &clap::Error) -> u8 {
    if !error.use_stderr() {
        // A reader that leaves early, such as `head`, is no failure.
        let _ = error.print();
        return 0;
    }
    if error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = error.print();
        return exit::USAGE;
    }
    let text = error.render().ansi().to_string();
    let _ = write!(anstream::stderr(), "{}", prefixed(&text));
    exit::USAGE
}

/// Puts our name in the place of clap's `error:`, keeping its colours.
fn prefixed(text: &str) -> String {
    text.replacen("error:", "sandbox-run:", 1)
}
