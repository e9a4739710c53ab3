//! The project's own tasks, called as `cargo xtask`.

mod cargo;
mod digest;
mod doctor;
mod guests;
mod licenses;
mod process;
mod project;
mod readme;
mod run;
mod test;
mod toolchain;
mod ui;

use anyhow::Result;
use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::process::ExitCode;

use project::Project;
use toolchain::Route;

/// Sets up the tool chain, builds guests and the program, and runs every check.
#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    disable_help_subcommand = true
)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run `sandbox-run`, after building whatever is missing
    ///
    /// Builds the tool chain, the guests and the program where needed, then passes every argument on. The exit
    /// status is the program's own. Our messages go to stderr, so stdout is the program's alone.
    #[command(after_help = "Example: cargo xtask run -- -c 'print(6 * 7)'")]
    Run {
        /// Arguments for `sandbox-run`, after `--`
        #[arg(last = true)]
        arguments: Vec<OsString>,
    },
    /// Run every check: format, lints, documentation, tests, licences
    Test {
        /// Leave out documentation, lints of the guests, and licences
        #[arg(long)]
        quick: bool,
    },
    /// Measure what isolation costs, after building whatever is missing
    #[command(after_help = "Example: cargo xtask bench --quick")]
    Bench {
        /// Arguments for the benchmark, such as `--quick`; `-- --help` lists them
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Feed the host with hostile guests and policy files, made at random
    ///
    /// A failure prints the seed that makes its input again.
    Fuzz {
        /// How long each target runs
        #[arg(long, default_value_t = 300)]
        seconds: u64,
        /// One target only: `guests` or `policies`
        #[arg(long)]
        target: Option<String>,
    },
    /// Build the guests that are not up to date
    ///
    /// Patches crates, compiles to WebAssembly, starts and freezes the interpreter, compiles it to machine code, and
    /// compresses the result for the engine to embed. Everything is keyed by a digest of what goes in, so a second
    /// run does nothing. The files are put into `target/guests`.
    Guests {
        /// Cargo's profile for compiling guests
        #[arg(long, default_value = guests::DEFAULT_PROFILE)]
        profile: String,
    },
    /// Make the guests' compiler target available
    ///
    /// Uses an installed target, else `rustup target add`, else Debian's packages, else says what to do on this
    /// system. Other tasks call this by themselves. Asks nothing and says what it installs.
    Setup {
        /// Print the steps and change nothing
        #[arg(long)]
        dry_run: bool,
        /// Take this way even if another one works
        #[arg(long)]
        route: Option<Route>,
    },
    /// Say what is there, what is missing, and what to do about it
    ///
    /// The exit status is 1 if something necessary is missing.
    Doctor,
    /// Print the licences of everything that the program carries
    Licenses,
}

fn main() -> ExitCode {
    match perform(Arguments::parse().task) {
        Ok(status) => status,
        Err(error) => {
            ui::error(&format!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn perform(task: Task) -> Result<ExitCode> {
    let project = Project::find()?;
    match task {
        Task::Run { arguments } => return run::run(&project, &arguments),
        Task::Bench { arguments } => return run::bench(&project, &arguments),
        Task::Fuzz { seconds, target } => {
            return run::fuzz(&project, seconds, target.as_deref());
        }
        Task::Test { quick } => test::run(&project, quick)?,
        Task::Guests { profile } => {
            let built = guests::build(&project, &profile)?;
            if !built {
                ui::status("Fresh", "every guest is up to date");
            }
        }
        Task::Setup { dry_run, route } => toolchain::setup(&project, route, dry_run)?,
        Task::Doctor => return doctor::run(&project),
        Task::Licenses => {
            guests::prepare_sources(&project)?;
            print!(
                "{}",
                licenses::report(&project, &guests::Guest::all(&project)?)?
            );
        }
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn arguments_of_the_benchmark_are_left_alone() {
        for line in [
            &["xtask", "bench", "--quick", "--only", "x"][..],
            &["xtask", "bench", "--", "--quick", "--only", "x"],
        ] {
            let Ok(Arguments {
                task: Task::Bench { arguments },
            }) = Arguments::try_parse_from(line)
            else {
                panic!("not understood");
            };
            assert_eq!(arguments, ["--quick", "--only", "x"]);
        }
    }

    #[test]
    fn arguments_of_the_program_are_left_alone() {
        let Ok(Arguments {
            task: Task::Run { arguments },
        }) = Arguments::try_parse_from(["xtask", "run", "--", "-c", "print(1)", "--", "--help"])
        else {
            panic!("not understood");
        };
        assert_eq!(arguments, ["-c", "print(1)", "--", "--help"]);
    }
}
