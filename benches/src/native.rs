//! The units: `CPython` as a process, and `CPython` kept open.

use anyhow::{Context, Result, ensure};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// The interpreter that everything is compared with.
pub(crate) const PYTHON: &str = "/usr/bin/python3";

/// P: one whole process.
pub(crate) fn process() -> Result<Duration> {
    let begun = Instant::now();
    let output = Command::new(PYTHON)
        .args(["-I", "-c", "print(1+1)"])
        .output()
        .context(PYTHON)?;
    let took = begun.elapsed();
    ensure!(
        output.stdout == b"2\n",
        "{PYTHON} printed {:?}",
        output.stdout
    );
    Ok(took)
}

/// Executes each line that it reads, and answers with a line.
const SERVER: &str = "import sys
scope = {'x': 0}
for line in iter(sys.stdin.readline, ''):
    exec(line, scope)
    print('ok')
";

/// An interpreter at the other end of two pipes.
pub(crate) struct KeptOpen {
    child: Child,
    requests: ChildStdin,
    replies: BufReader<ChildStdout>,
}

/// Round trips that one sample is the mean of: one alone is shorter than the clock is good for.
const BATCH: u32 = 200;

impl KeptOpen {
    pub(crate) fn start() -> Result<Self> {
        let mut child = Command::new(PYTHON)
            .args(["-I", "-u", "-c", SERVER])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context(PYTHON)?;
        let requests = child.stdin.take().context("no pipe to Python")?;
        let replies = BufReader::new(child.stdout.take().context("no pipe from Python")?);
        let mut kept = Self {
            child,
            requests,
            replies,
        };
        kept.round_trip()?;
        Ok(kept)
    }

    /// T: the mean of a batch of round trips.
    pub(crate) fn round_trip(&mut self) -> Result<Duration> {
        let mut reply = String::new();
        let begun = Instant::now();
        for _ in 0..BATCH {
            self.requests.write_all(b"x = x + 1\n")?;
            reply.clear();
            self.replies.read_line(&mut reply)?;
        }
        let took = begun.elapsed() / BATCH;
        ensure!(reply == "ok\n", "Python answered {reply:?}");
        Ok(took)
    }
}

impl Drop for KeptOpen {
    fn drop(&mut self) {
        // It is ours, and nothing of it is wanted any more; where it has ended already there is nothing to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
