//! `cargo xtask doctor`: what is there, what is missing, and what to do about it.

use anyhow::Result;
use console::style;
use semver::Version;
use std::process::{Command, ExitCode};

use crate::guests::{self, State};
use crate::process;
use crate::project::Project;
use crate::toolchain::{GuestToolchain, TARGET, advice};

/// The oldest Rust that this project builds with, as `Cargo.toml` says.
const OLDEST_RUST: &str = env!("CARGO_PKG_RUST_VERSION");

/// One line of the report.
struct Finding {
    subject: String,
    state: Judgement,
    /// What was found, or the next step.
    text: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Judgement {
    Good,
    /// Works without, or is made when it is needed.
    Optional,
    Missing,
}

/// Prints the report on stdout. The status says whether anything necessary is missing.
pub fn run(project: &Project) -> Result<ExitCode> {
    let mut findings = vec![rust(), c_compiler()];
    let toolchain = GuestToolchain::find(project)?;
    findings.push(target(toolchain.as_ref())?);
    if let Some(toolchain) = &toolchain {
        findings.extend(guests_of(project, toolchain));
    }
    findings.extend(optional_tools(project));
    for finding in &findings {
        print(finding);
    }
    let missing = findings
        .iter()
        .any(|finding| finding.state == Judgement::Missing);
    Ok(if missing {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

fn rust() -> Finding {
    let found = process::output(Command::new("rustc").arg("-V")).unwrap_or_default();
    let version = found
        .split(' ')
        .nth(1)
        .and_then(|version| Version::parse(version).ok());
    // `rust-version` may leave the patch level out.
    let oldest = Version::parse(OLDEST_RUST)
        .or_else(|_| Version::parse(&format!("{OLDEST_RUST}.0")))
        .ok();
    if version.is_some() && version >= oldest {
        good("Rust", found.trim())
    } else {
        missing(
            "Rust",
            &format!(
                "{OLDEST_RUST} or newer is needed: `rustup update stable`, or see https://rustup.rs"
            ),
        )
    }
}

fn c_compiler() -> Finding {
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    match process::output(Command::new(&compiler).arg("--version")) {
        Ok(text) => good("C compiler", text.lines().next().unwrap_or(&compiler)),
        Err(_) => missing(
            "C compiler",
            "needed for zstd: install gcc or clang (Debian: `apt-get install gcc libc6-dev`, macOS: `xcode-select --install`)",
        ),
    }
}

fn target(toolchain: Option<&GuestToolchain>) -> Result<Finding> {
    Ok(match toolchain {
        Some(toolchain) => good(TARGET, &toolchain.describe()?),
        None => missing(
            TARGET,
            &format!(
                "`cargo xtask setup` installs it\n{}",
                advice::for_this_system()
            ),
        ),
    })
}

fn guests_of(project: &Project, toolchain: &GuestToolchain) -> Vec<Finding> {
    let states = match guests::states(project, toolchain) {
        Ok(states) => states,
        Err(error) => return vec![missing("guests", &format!("{error:#}"))],
    };
    states
        .into_iter()
        .map(|(language, state)| {
            let subject = format!("{language} guest");
            match state {
                State::Current => good(&subject, "built and up to date"),
                State::Stale => optional(
                    &subject,
                    "made from other sources; `cargo xtask guests` makes it anew",
                ),
                State::Missing => optional(
                    &subject,
                    "not built yet; `cargo xtask guests` builds it in some minutes",
                ),
            }
        })
        .collect()
}

fn optional_tools(project: &Project) -> Vec<Finding> {
    let tools: [(&str, Command, &str); 4] = [
        (
            "rustfmt",
            Command::new("rustfmt"),
            "`cargo xtask test` checks formats with it: `rustup component add rustfmt`",
        ),
        (
            "clippy",
            with_argument(project.cargo(), "clippy"),
            "`cargo xtask test` finds mistakes with it: `rustup component add clippy`",
        ),
        (
            "python3",
            Command::new("python3"),
            "tests compare the Python guest with it; install it with the system's package manager",
        ),
        (
            "cargo-deny",
            with_argument(project.cargo(), "deny"),
            "`cargo xtask test` looks for known vulnerabilities with it: `cargo install --locked cargo-deny`",
        ),
    ];
    tools
        .into_iter()
        .map(
            |(name, mut command, advice)| match process::output(command.arg("--version")) {
                Ok(text) => good(name, text.trim()),
                Err(_) => optional(name, advice),
            },
        )
        .collect()
}

fn with_argument(mut command: Command, argument: &str) -> Command {
    command.arg(argument);
    command
}

fn good(subject: &str, text: &str) -> Finding {
    Finding {
        subject: subject.to_owned(),
        state: Judgement::Good,
        text: text.to_owned(),
    }
}

fn optional(subject: &str, text: &str) -> Finding {
    Finding {
        subject: subject.to_owned(),
        state: Judgement::Optional,
        text: text.to_owned(),
    }
}

fn missing(subject: &str, text: &str) -> Finding {
    Finding {
        subject: subject.to_owned(),
        state: Judgement::Missing,
        text: text.to_owned(),
    }
}

fn print(finding: &Finding) {
    let mark = match finding.state {
        Judgement::Good => style("ok     ").green(),
        Judgement::Optional => style("absent ").yellow(),
        Judgement::Missing => style("MISSING").red().bold(),
    };
    let text = finding.text.replace('\n', "\n                            ");
    println!("{mark} {:<18} {text}", finding.subject);
}
