//! Shows what cells produce.

use crate::output;
use anstyle::{AnsiColor, Style};
use sandbox_engine::{ErrorInfo, RichOutput};
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Standard output and error together: at a terminal they are one screen.
#[derive(Clone)]
pub struct Screen {
    /// Whether the last byte shown ended its line.
    at_line_start: Arc<AtomicBool>,
}

impl Screen {
    /// A screen whose cursor is at the start of a line.
    pub fn new() -> Self {
        Self {
            at_line_start: Arc::new(AtomicBool::new(true)),
        }
    }

    /// Bytes that a cell wrote to standard output.
    pub fn out(&self, bytes: &[u8]) {
        output::pass_on(bytes);
        self.moved(bytes);
    }

    /// Bytes that a cell wrote to standard error.
    pub fn err(&self, bytes: &[u8]) {
        output::pass_on_error(bytes);
        self.moved(bytes);
    }

    /// Something that a cell displayed: its text, else what it would be elsewhere.
    pub fn display(&self, display: &RichOutput) {
        // A value's text follows when the cell has ended.
        if display.is_value {
            return;
        }
        self.fresh_line();
        let text = match display.get("text/plain") {
            Some(text) => text.to_owned(),
            None => display
                .data
                .iter()
                .map(|(mime, content)| placeholder(mime, content))
                .collect::<Vec<_>>()
                .join(" "),
        };
        output::pass_on(format!("{text}\n").as_bytes());
    }

    /// Ends a line that a cell left unfinished.
    pub fn fresh_line(&self) {
        if !self.at_line_start.load(Ordering::Relaxed) {
            self.out(b"\n");
        }
    }

    fn moved(&self, bytes: &[u8]) {
        if let Some(last) = bytes.last() {
            self.at_line_start.store(*last == b'\n', Ordering::Relaxed);
        }
    }
}

/// The value of the cell with this number.
pub fn value(count: u32, value: &str) {
    let style = Style::new().fg_color(Some(AnsiColor::Red.into()));
    // A value of many lines keeps its shape below its label.
    let gap = if value.contains('\n') { "\n" } else { "" };
    let mut stdout = anstream::AutoStream::auto(io::stdout());
    let label = write!(stdout, "{style}Out[{count}]:{style:#} {gap}").and_then(|()| stdout.flush());
    if label.is_ok() {
        output::pass_on(format!("{value}\n").as_bytes());
    }
}

/// An error that a cell did not catch.
pub fn traceback(error: &ErrorInfo) {
    let style = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
    let text = error.traceback.trim_end();
    // The last line names the error; only the name is coloured.
    let (head, last) = match text.rfind('\n') {
        Some(at) => text.split_at(at + 1),
        None => ("", text),
    };
    let mut stderr = anstream::stderr();
    let _ = match last.strip_prefix(error.name.as_str()) {
        Some(message) => writeln!(stderr, "{head}{style}{}{style:#}{message}", error.name),
        None => writeln!(stderr, "{text}"),
    };
}

/// What stands for content that a terminal cannot show.
fn placeholder(mime: &str, content: &str) -> String {
    // Binary content comes as base64: four characters for three bytes.
    let is_text = mime.starts_with("text/") || mime.ends_with("json") || mime.ends_with("xml");
    let bytes = if is_text {
        content.len()
    } else {
        content.trim_end_matches('=').len() * 3 / 4
    };
    if bytes < 1000 {
        format!("<{mime}, {bytes} B>")
    } else {
        format!("<{mime}, {} kB>", bytes.div_ceil(1000))
    }
}

#[cfg(test)]
mod tests {
    use super::placeholder;

    #[test]
    fn what_cannot_be_shown_is_named_with_its_size() {
        assert_eq!(placeholder("image/png", "AAAA"), "<image/png, 3 B>");
        assert_eq!(
            placeholder("image/png", &"A".repeat(16_000)),
            "<image/png, 12 kB>"
        );
        assert_eq!(
            placeholder("image/svg+xml", "<svg/>"),
            "<image/svg+xml, 6 B>"
        );
    }
}
