//! The command line. Flags stand here once: parsing, help and shell completions all come from these types.

use crate::help;
use clap::{Args, Parser, Subcommand, ValueHint};
use sandbox_engine::{Language, Mount, Size};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Run code that nobody has read, inside a WebAssembly sandbox.
#[derive(Debug, Parser)]
#[command(
    name = "sandbox-run",
    bin_name = "sandbox-run",
    version,
    override_usage = help::USAGE,
    after_help = help::SHORT,
    after_long_help = help::LONG,
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    max_term_width = 110,
)]
pub struct Cli {
    /// What to do instead of running one program.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// What to run where there is no command.
    #[command(flatten)]
    pub program: ProgramArgs,
}

/// Everything that is not running one program.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Type code and see its values; the state lives from cell to cell
    Repl(SandboxArgs),
    /// List the languages that code can be written in
    Languages {
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Show, check and explain what code may use
    Policy {
        /// What to do with policies.
        #[command(subcommand)]
        command: PolicyCommand,
    },
    /// Check that everything works on this machine
    Doctor,
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the licences of the code that this binary carries
    Licenses,
}

/// What can be done with policies.
#[derive(Debug, Subcommand)]
pub enum PolicyCommand {
    /// List the presets
    List {
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Print a policy with everything that it extends and the options that override it
    Show {
        /// What to print.
        #[command(flatten)]
        which: Which,
        /// Print one JSON object instead of a policy file
        #[arg(long)]
        json: bool,
        /// Print the preset's or the file's own text, with its comments
        #[arg(long, conflicts_with_all = ["json", "flags"])]
        source: bool,
    },
    /// Look for mistakes in policies; status 2 where there are any
    Check {
        /// Policy files, or names of presets
        #[arg(value_name = "FILE|NAME", required = true, value_hint = ValueHint::FilePath)]
        names: Vec<String>,
    },
    /// Say what code under a policy can and cannot do, and what an attacker could still cost this machine
    Explain {
        /// What to explain.
        #[command(flatten)]
        which: Which,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Print the JSON Schema of policy files, for editors
    Schema,
}

/// A policy, and what overrides it.
#[derive(Debug, Args)]
pub struct Which {
    /// A preset's name or a policy file; the options below override it
    #[arg(value_name = "FILE|NAME", default_value = "default", value_hint = ValueHint::FilePath)]
    pub name: String,
    /// What overrides it.
    #[command(flatten)]
    pub flags: PolicyFlags,
}

/// One program, its arguments, and how to tell of it.
#[derive(Debug, Args)]
pub struct ProgramArgs {
    /// The program itself; options may follow, and its arguments after them or after `--`
    #[arg(short = 'c', value_name = "CODE", value_hint = ValueHint::Other)]
    pub code: Option<OsString>,
    /// Without -c, a file or `-` for standard input; what follows it belongs to the program
    #[arg(value_name = "FILE|ARGS", trailing_var_arg = true, value_hint = ValueHint::FilePath)]
    pub words: Vec<OsString>,
    /// Unpack a tar archive into the workspace, /mnt/data, before the run
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub unpack: Option<PathBuf>,
    /// Pack the workspace into a tar archive after the run, however it ended
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub pack: Option<PathBuf>,
    /// Run as a cell and print one JSON object: output, value, error, usage, limits
    #[arg(long, conflicts_with = "stream")]
    pub json: bool,
    /// Run as a cell and print one JSON event a line, the result last
    #[arg(long)]
    pub stream: bool,
    /// The sandbox.
    #[command(flatten)]
    pub sandbox: SandboxArgs,
}

/// What the code is written in and what it may use.
#[derive(Debug, Args)]
pub struct SandboxArgs {
    /// The language; else the file's `#!` line or ending tells, else Python
    #[arg(short, long, value_name = "NAME", value_parser = language)]
    pub language: Option<Language>,
    /// A preset's name or a policy file; the options below override it
    #[arg(long, value_name = "FILE|NAME", value_hint = ValueHint::FilePath)]
    pub policy: Option<String>,
    /// What overrides the policy.
    #[command(flatten)]
    pub flags: PolicyFlags,
}

/// What overrides a policy.
#[derive(Debug, Args)]
#[group(id = "flags", multiple = true)]
pub struct PolicyFlags {
    /// Wall-clock time for one run, such as 5s, 250ms or 2m
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub timeout: Option<Duration>,
    /// Fuel for one run, about one unit for each WebAssembly instruction
    #[arg(long, value_name = "N")]
    pub fuel: Option<u64>,
    /// Memory, such as 256MiB
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory: Option<Size>,
    /// Bytes of output kept of each stream; what is beyond is dropped and counted
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub max_output: Option<Size>,
    /// Let the code see a folder of this machine; read-only unless `:rw` follows, and then a SIZE may say how much may be
    /// added to it (else as much as the workspace holds)
    #[arg(long, value_name = "HOST:GUEST[:ro|rw[:SIZE]]", value_parser = mount, value_hint = ValueHint::DirPath)]
    pub mount: Vec<Mount>,
    /// The folder inside the sandbox that the code starts in
    #[arg(long, value_name = "DIR")]
    pub workdir: Option<String>,
    /// Set an environment variable for the code
    #[arg(long, value_name = "K=V", value_parser = variable)]
    pub env: Vec<(String, String)>,
}

/// What a program's first words mean.
#[derive(Debug, PartialEq, Eq)]
pub enum Source {
    /// `-c CODE`
    Code(OsString),
    /// `-`
    Stdin,
    /// `FILE`
    File(PathBuf),
}

impl ProgramArgs {
    /// Where the program comes from, and the arguments for it. `None` where neither `-c` nor a file was given.
    pub fn split(&mut self) -> Option<(Source, Vec<OsString>)> {
        let mut words = std::mem::take(&mut self.words);
        if let Some(code) = self.code.take() {
            return Some((Source::Code(code), words));
        }
        if words.is_empty() {
            return None;
        }
        let first = words.remove(0);
        let source = if first == "-" {
            Source::Stdin
        } else {
            Source::File(first.into())
        };
        Some((source, words))
    }
}

/// Whether a word is the name of a command.
pub fn is_command(word: &str) -> bool {
    Command::has_subcommand(word)
}

fn language(text: &str) -> Result<Language, String> {
    text.parse().map_err(plain)
}

fn duration(text: &str) -> Result<Duration, String> {
    sandbox_engine::policy::parse_duration(text).map_err(plain)
}

fn size(text: &str) -> Result<Size, String> {
    text.parse().map_err(plain)
}

fn mount(text: &str) -> Result<Mount, String> {
    text.parse().map_err(plain)
}

fn variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err(format!("`{text}` is no variable; expected NAME=VALUE")),
    }
}

/// The reason alone: the message already names the option that it is about.
fn plain(error: sandbox_engine::Error) -> String {
    match error {
        sandbox_engine::Error::Policy(reason) => reason,
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        clippy::expect_used,
        reason = "a test that fails says so"
    )]

    use super::*;
    use clap::CommandFactory;

    fn parse(words: &[&str]) -> Cli {
        Cli::try_parse_from(std::iter::once("sandbox-run").chain(words.iter().copied()))
            .unwrap_or_else(|error| panic!("{words:?}: {error}"))
    }

    fn split(words: &[&str]) -> (Source, Vec<OsString>) {
        parse(words)
            .program
            .split()
            .unwrap_or_else(|| panic!("{words:?}: no program"))
    }

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn what_follows_a_file_belongs_to_the_program() {
        let (source, args) = split(&["--timeout", "5s", "job.py", "--json", "-x", "--", "repl"]);
        assert_eq!(source, Source::File("job.py".into()));
        assert_eq!(args, ["--json", "-x", "--", "repl"]);
    }

    #[test]
    fn options_may_follow_code_and_a_double_dash_ends_them() {
        let mut cli = parse(&["-c", "pass", "--json", "--", "-x", "repl"]);
        assert!(cli.program.json);
        let (source, args) = cli.program.split().unwrap();
        assert_eq!(source, Source::Code("pass".into()));
        assert_eq!(args, ["-x", "repl"]);
        assert_eq!(split(&["-c", "pass", "a", "--json"]).1, ["a", "--json"]);
    }

    #[test]
    fn a_command_is_one_only_as_the_first_word() {
        assert!(matches!(
            parse(&["repl", "--timeout", "1s"]).command,
            Some(Command::Repl(_))
        ));
        assert_eq!(split(&["-c", "pass", "repl"]).1, ["repl"]);
        assert_eq!(split(&["./repl"]).0, Source::File("./repl".into()));
    }

    #[test]
    fn a_dash_reads_the_program_from_standard_input() {
        assert_eq!(split(&["-", "a"]), (Source::Stdin, vec!["a".into()]));
    }

    #[test]
    fn values_are_checked_where_they_are_read() {
        for words in [
            ["--timeout", "soon"],
            ["--memory", "lots"],
            ["--fuel", "-1"],
            ["--mount", "here"],
            ["--env", "=x"],
            ["-l", "cobol"],
        ] {
            let all = ["sandbox-run", words[0], words[1], "-c", "pass"];
            let error = Cli::try_parse_from(all).expect_err(words[0]);
            assert_eq!(error.exit_code(), 2, "{words:?}");
        }
    }
}
