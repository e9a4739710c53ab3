//! Results and events as JSON.

use crate::output;
use crate::report::{self, Failure};
use sandbox_engine::{Cell, Event, ExecutionResult, RichOutput};
use serde::Serialize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Runs the cell and prints its result as one JSON object.
pub fn whole(cell: Cell<'_>) -> Result<u8, Failure> {
    let result = cell.run_blocking()?;
    print(&result)?;
    Ok(report::status(&result))
}

/// Runs the cell and prints each event as it comes, one JSON object a line; the result is the last.
pub fn events(cell: Cell<'_>) -> Result<u8, Failure> {
    let texts = Arc::new(Mutex::new(Texts::default()));
    let of_sink = Arc::clone(&texts);
    let result = cell
        .on_event(move |event| lock(&of_sink).event(&event))
        .run_blocking()?;
    lock(&texts).end();
    write(&Line::Result { result: &result });
    Ok(report::status(&result))
}

/// The program's two streams, on their way to lines.
#[derive(Default)]
struct Texts {
    stdout: Text,
    stderr: Text,
}

impl Texts {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Stdout(bytes) => stdout(&self.stdout.next(bytes)),
            Event::Stderr(bytes) => stderr(&self.stderr.next(bytes)),
            Event::Display(display) => write(&Line::Display(display)),
            Event::Value(value) => {
                self.end();
                write(&Line::Value { text: value });
            }
            _ => {}
        }
    }

    fn end(&mut self) {
        stdout(&self.stdout.end());
        stderr(&self.stderr.end());
    }
}

fn lock(texts: &Mutex<Texts>) -> MutexGuard<'_, Texts> {
    texts.lock().unwrap_or_else(PoisonError::into_inner)
}

fn stdout(text: &str) {
    if !text.is_empty() {
        write(&Line::Stdout { text });
    }
}

fn stderr(text: &str) {
    if !text.is_empty() {
        write(&Line::Stderr { text });
    }
}

/// What one line of `--stream` says.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Line<'a> {
    Stdout { text: &'a str },
    Stderr { text: &'a str },
    Display(&'a RichOutput),
    Value { text: &'a str },
    Result { result: &'a ExecutionResult },
}

fn write(line: &Line<'_>) {
    match encode(line) {
        Ok(bytes) => output::pass_on(&bytes),
        Err(failure) => std::process::exit(failure.report().into()),
    }
}

fn print(result: &ExecutionResult) -> Result<(), Failure> {
    output::pass_on(&encode(result)?);
    Ok(())
}

fn encode(value: &impl Serialize) -> Result<Vec<u8>, Failure> {
    let mut bytes = serde_json::to_vec(value)
        .map_err(|error| Failure::ours(format!("cannot write the result as JSON: {error}")))?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Makes text of bytes that come in pieces: a character split between two pieces is kept back until it is whole,
/// and what is no UTF-8 becomes U+FFFD.
#[derive(Default)]
struct Text {
    rest: Vec<u8>,
}

impl Text {
    fn next(&mut self, bytes: &[u8]) -> String {
        self.rest.extend_from_slice(bytes);
        let keep = unfinished(&self.rest);
        let whole = self.rest.len() - keep;
        let text = String::from_utf8_lossy(&self.rest[..whole]).into_owned();
        self.rest.drain(..whole);
        text
    }

    fn end(&mut self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.rest)).into_owned()
    }
}

/// How many bytes at the end are the beginning of a character.
fn unfinished(bytes: &[u8]) -> usize {
    bytes.utf8_chunks().last().map_or(0, |chunk| {
        let tail = chunk.invalid();
        // Of an invalid sequence at the end, more bytes could still make a character only if it is a true prefix.
        let is_prefix = std::str::from_utf8(tail).is_err_and(|error| error.error_len().is_none());
        if is_prefix { tail.len() } else { 0 }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_characters_are_joined_and_wrong_bytes_replaced() {
        let mut text = Text::default();
        assert_eq!(text.next(b"a\xe2\x82"), "a");
        assert_eq!(text.next(b"\xac\xff"), "€\u{fffd}");
        assert_eq!(text.next(b"\xf0\x9f"), "");
        assert_eq!(text.next(b"b"), "\u{fffd}b");
        assert_eq!(text.next(b"\xf0"), "");
        assert_eq!(text.end(), "\u{fffd}");
        assert_eq!(text.end(), "");
    }
}
