//! Other programs: run them, and say plainly what failed.

use anyhow::{Context, Result, bail};
use std::io;
use std::process::{Command, ExitStatus, Stdio};

/// Runs a program whose output is for the reader; its stdout goes to our stderr.
pub fn run(command: &mut Command) -> Result<()> {
    command.stdout(io::stderr());
    run_visible(command)
}

/// Runs a program that shares our stdout.
pub fn run_visible(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| cannot_start(command))?;
    check(command, status)
}

/// An error that names the command, unless it succeeded.
pub fn check(command: &Command, status: ExitStatus) -> Result<()> {
    if !status.success() {
        bail!("`{}` failed ({status})", line(command));
    }
    Ok(())
}

/// Runs a program for what it prints. What it says on stderr is part of the error.
pub fn output(command: &mut Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| cannot_start(command))?;
    if !output.status.success() {
        bail!(
            "`{}` failed ({}): {}",
            line(command),
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    String::from_utf8(output.stdout)
        .with_context(|| format!("`{}` printed no UTF-8", line(command)))
}

/// Whether a program can be started and succeeds, whatever it says.
pub fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// The command as one would type it, without its environment.
pub fn line(command: &Command) -> String {
    std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|part| {
            let part = part.to_string_lossy();
            if part.is_empty() || part.contains([' ', '"', '\'', '$', '\u{1f}']) {
                format!("'{part}'")
            } else {
                part.into_owned()
            }
        })
        .collect::<Vec<_>>()
        .join(" ")
}

fn cannot_start(command: &Command) -> String {
    format!("cannot start `{}`", command.get_program().to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_name_the_command_and_its_words() {
        let error = output(Command::new("sh").args(["-c", "echo broken >&2; exit 3"])).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("sh -c 'echo broken >&2; exit 3'"), "{text}");
        assert!(text.contains("broken"), "{text}");
    }

    #[test]
    fn a_missing_program_is_named() {
        let error = output(&mut Command::new("no-such-program-here")).unwrap_err();
        assert!(error.to_string().contains("no-such-program-here"));
        assert!(!succeeds(&mut Command::new("no-such-program-here")));
    }
}
