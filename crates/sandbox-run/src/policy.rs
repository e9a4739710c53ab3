//! `sandbox-run policy`: the presets, and what a policy means.

use crate::args::{PolicyCommand, Which};
use crate::output;
use crate::report::{Failure, exit};
use sandbox_engine::Policy;
use serde::Serialize;
use std::fmt::Write;
use std::fs;

/// Does what the command says and gives the exit status.
pub fn run(command: PolicyCommand) -> Result<u8, Failure> {
    match command {
        PolicyCommand::List { json } => list(json),
        PolicyCommand::Show {
            which,
            source: true,
            ..
        } => source(&which.name),
        PolicyCommand::Show { which, json, .. } => {
            let policy = which.policy()?;
            if json {
                print_json(&policy)
            } else {
                output::whole(policy.to_toml().as_bytes())
            }
        }
        PolicyCommand::Check { names } => check(&names),
        PolicyCommand::Explain { which, json } => {
            let explanation = which.policy()?.explain();
            if json {
                print_json(&explanation)
            } else {
                output::whole(explanation.to_string().as_bytes())
            }
        }
        PolicyCommand::Schema => {
            let schema = serde_json::to_string_pretty(&Policy::schema()).map_err(unwritable)?;
            output::whole((schema + "\n").as_bytes())
        }
    }
}

impl Which {
    fn policy(&self) -> Result<Policy, Failure> {
        self.flags.over(Some(&self.name))
    }
}

/// A preset, as `--json` prints it.
#[derive(Serialize)]
struct Row {
    name: &'static str,
    description: String,
}

fn list(json: bool) -> Result<u8, Failure> {
    let mut rows = Vec::new();
    for name in Policy::preset_names() {
        let description = Policy::find(name)?.description;
        rows.push(Row { name, description });
    }
    if json {
        return print_json(&rows);
    }
    let mut text = format!("{:<14} {}\n", "PRESET", "WHAT IT IS FOR");
    for row in rows {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{:<14} {}", row.name, row.description);
    }
    output::whole(text.as_bytes())
}

/// Prints a policy as it is written, once it is known to be one.
fn source(name: &str) -> Result<u8, Failure> {
    Policy::find(name)?;
    match Policy::preset_text(name) {
        Some(text) => output::whole(text.as_bytes()),
        None => match fs::read(name) {
            Ok(text) => output::whole(&text),
            Err(error) => Err(Failure::usage(format!("cannot read {name}: {error}"))),
        },
    }
}

/// Checks each, so that all mistakes are told at once.
fn check(names: &[String]) -> Result<u8, Failure> {
    let mut status = 0;
    for name in names {
        match Policy::find(name) {
            Ok(_) => {
                let told = output::whole(format!("{name}: ok\n").as_bytes())?;
                if told != 0 {
                    return Ok(told);
                }
            }
            Err(error) => {
                Failure::from(error).report();
                status = exit::USAGE;
            }
        }
    }
    Ok(status)
}

fn print_json(value: &impl Serialize) -> Result<u8, Failure> {
    let text = serde_json::to_string(value).map_err(unwritable)?;
    output::whole((text + "\n").as_bytes())
}

#[expect(clippy::needless_pass_by_value, reason = "it is passed to `map_err`")]
fn unwritable(error: serde_json::Error) -> Failure {
    Failure::ours(format!("cannot write JSON: {error}"))
}
