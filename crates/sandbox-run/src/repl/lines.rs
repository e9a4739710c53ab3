//! Cells from plain lines: a pipe, or a terminal that cannot move its cursor.

use super::split::Splitter;
use super::{Cells, Input, Shared};
use crate::interrupt::CellWatch;
use crate::report::Failure;
use std::io::{self, BufRead, Write};

/// Standard input, line by line.
pub struct Lines {
    session: Shared,
    watch: CellWatch,
    /// Whether a person is typing, who wants prompts.
    terminal: bool,
    splitter: Splitter,
}

impl Lines {
    /// Reads standard input, which is a terminal or is not.
    pub fn new(session: Shared, watch: CellWatch, terminal: bool) -> Self {
        Self {
            session,
            watch,
            terminal,
            splitter: Splitter::default(),
        }
    }

    /// Reads one line. `None` at the end.
    fn line(&mut self, number: u32) -> Result<Option<String>, Failure> {
        let first = format!("In [{number}]: ");
        if self.terminal {
            let prompt = if self.splitter.is_between_cells() {
                &first
            } else {
                "   ...: "
            };
            // A prompt that cannot be written does not keep the line from being read.
            let _ = write!(io::stdout(), "{prompt}").and_then(|()| io::stdout().flush());
        }
        let waiting = self.watch.waiting(self.terminal.then_some(first));
        let mut line = Vec::new();
        let read = io::stdin().lock().read_until(b'\n', &mut line);
        if waiting.was_pressed() {
            self.splitter = Splitter::default();
        }
        match read {
            Ok(0) => Ok(None),
            Ok(_) => Ok(Some(
                String::from_utf8_lossy(&line)
                    .trim_end_matches(['\n', '\r'])
                    .to_owned(),
            )),
            Err(error) => Err(Failure::ours(format!(
                "cannot read standard input: {error}"
            ))),
        }
    }
}

impl Cells for Lines {
    fn next(&mut self, number: u32) -> Result<Input, Failure> {
        loop {
            if let Some(cell) = self.splitter.ready() {
                return Ok(Input::Cell(cell));
            }
            let Some(line) = self.line(number)? else {
                return Ok(self.splitter.rest().map_or(Input::End, Input::Cell));
            };
            let Self {
                session, splitter, ..
            } = self;
            splitter.add(&line, |code| session.completeness(code));
        }
    }
}
