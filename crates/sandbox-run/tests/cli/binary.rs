//! Starting the binary in surroundings that no test shares with the user.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The binary under test.
pub const BINARY: &str = env!("CARGO_BIN_EXE_sandbox-run");

/// The cache that tests share, so that guests are unpacked once and not once for each test.
pub fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")
}

/// The binary with no environment but the shared cache and an empty home.
pub fn command() -> Command {
    let mut command = Command::new(BINARY);
    command
        .env_clear()
        .env("SANDBOX_RUN_CACHE", cache())
        .env("HOME", env!("CARGO_TARGET_TMPDIR"));
    command
}

/// What a run of the binary came to.
#[derive(Debug)]
pub struct Outcome {
    /// The exit status. `None` where a signal ended it.
    pub status: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl Outcome {
    /// Standard output, which has to be text.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).expect("text on standard output")
    }

    /// Asserts a status and standard output, and that standard error is empty.
    #[track_caller]
    pub fn quiet(&self, status: i32, stdout: &str) {
        assert_eq!(
            (self.status, self.text(), self.stderr.as_str()),
            (Some(status), stdout, ""),
            "{self:?}"
        );
    }

    /// Asserts a status, and that our message holds a text.
    #[track_caller]
    pub fn says(&self, status: i32, message: &str) {
        assert_eq!(self.status, Some(status), "{self:?}");
        assert!(self.stderr.contains(message), "{self:?}");
    }
}

/// Runs the binary with arguments and nothing on standard input.
pub fn run<A: AsRef<OsStr>>(args: impl IntoIterator<Item = A>) -> Outcome {
    feed(args, b"")
}

/// Runs the binary with arguments and something on standard input.
pub fn feed<A: AsRef<OsStr>>(args: impl IntoIterator<Item = A>, stdin: &[u8]) -> Outcome {
    let mut command = command();
    command.args(args);
    finish(command, stdin)
}

/// Runs a command to its end.
pub fn finish(mut command: Command, stdin: &[u8]) -> Outcome {
    let mut child = start(&mut command);
    // A program may end without reading all of it.
    let _ = child.stdin.take().expect("a pipe").write_all(stdin);
    let output = child.wait_with_output().expect("the binary ends");
    Outcome {
        status: output.status.code(),
        stdout: output.stdout,
        stderr: String::from_utf8(output.stderr).expect("text on standard error"),
    }
}

/// Starts a command with pipes for its streams.
pub fn start(command: &mut Command) -> Child {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts")
}
