//! Writing to standard output, where a reader may leave at any time.

use crate::report::{self, Failure, exit};
use std::io::{self, ErrorKind, Write};

/// Writes a text that is the whole answer of a command.
pub fn whole(bytes: &[u8]) -> Result<u8, Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Ok(()) => Ok(0),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(exit::PIPE),
        Err(error) => Err(Failure::ours(format!(
            "cannot write to standard output: {error}"
        ))),
    }
}

/// Passes a running program's bytes on at once, or ends the process where that cannot be done: nobody is left to
/// run the program for.
pub fn pass_on(bytes: &[u8]) {
    match whole(bytes) {
        Ok(0) => {}
        Ok(status) => std::process::exit(status.into()),
        Err(failure) => std::process::exit(report::Failure::report(&failure).into()),
    }
}

/// The same for standard error, whose loss ends nothing.
pub fn pass_on_error(bytes: &[u8]) {
    let _ = io::stderr().lock().write_all(bytes);
}
