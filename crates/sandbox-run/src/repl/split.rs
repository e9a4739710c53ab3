//! Where one cell ends and the next begins, in lines that come one by one.

use sandbox_engine::Completeness;
use std::collections::VecDeque;

/// Whether a text runs at Enter: a block goes on until an empty line, whatever the interpreter thinks of it.
pub fn is_whole(text: &str, completeness: Completeness) -> bool {
    // Where it is wrong, running it shows why. In a block, what is wrong so far may be half of a `try`.
    completeness != Completeness::Incomplete && !ends_in_block(text)
}

/// Collects lines into cells as Python's interactive mode does: a statement is a cell as soon as it is whole, a
/// block when an empty line ends it. More kindly than there, a block also ends where an unindented line follows.
#[derive(Default)]
pub struct Splitter {
    /// The lines of the cell that is not whole yet.
    pending: String,
    whole: VecDeque<String>,
}

impl Splitter {
    /// Takes a line, without its end. `ask` tells whether a piece of source is whole.
    pub fn add(&mut self, line: &str, ask: impl Fn(&str) -> Completeness) {
        if self.block_ends_before(line, &ask) {
            self.whole.push_back(std::mem::take(&mut self.pending));
        }
        self.pending.push_str(line);
        if is_whole(&self.pending, ask(&self.pending)) {
            self.whole.push_back(std::mem::take(&mut self.pending));
        } else {
            self.pending.push('\n');
        }
    }

    /// The next cell that is whole.
    pub fn ready(&mut self) -> Option<String> {
        self.whole.pop_front()
    }

    /// What is left when no more lines come.
    pub fn rest(&mut self) -> Option<String> {
        let rest = std::mem::take(&mut self.pending);
        (!rest.trim().is_empty()).then_some(rest)
    }

    /// Whether the next line begins a cell.
    pub fn is_between_cells(&self) -> bool {
        self.pending.is_empty()
    }

    fn block_ends_before(&self, line: &str, ask: impl Fn(&str) -> Completeness) -> bool {
        ends_in_block(self.pending.trim_end_matches('\n'))
            && !line.is_empty()
            && !line.starts_with([' ', '\t'])
            // Inside brackets or a string, an unindented line is nothing special.
            && ask(&format!("{}\n", self.pending)) == Completeness::Complete
            // `else:` and the like make no sense alone, so they go on with the block.
            && ask(line) != Completeness::Invalid
    }
}

/// Whether the text has several lines and the last one is indented: more may follow.
fn ends_in_block(text: &str) -> bool {
    let last = text.rsplit('\n').next().unwrap_or_default();
    text.contains('\n') && last.starts_with([' ', '\t']) && !last.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Completeness::{Complete, Incomplete, Invalid};

    /// A stand-in for the interpreter that knows just what these tests need.
    fn ask(code: &str) -> Completeness {
        let open = code.matches('(').count() > code.matches(')').count();
        if open || code.trim_end().ends_with(':') && !code.starts_with("else") {
            Incomplete
        } else if code.starts_with("else") {
            Invalid
        } else {
            Complete
        }
    }

    fn split(lines: &str) -> Vec<String> {
        let mut splitter = Splitter::default();
        let mut cells = Vec::new();
        for line in lines.split('\n') {
            splitter.add(line, ask);
            while let Some(cell) = splitter.ready() {
                cells.push(cell);
            }
        }
        cells.extend(splitter.rest());
        cells.retain(|cell| !cell.trim().is_empty());
        cells
    }

    #[test]
    fn a_block_ends_with_an_empty_line() {
        assert!(is_whole("x = 1", Complete));
        assert!(!is_whole("def f():\n    return 1", Complete));
        assert!(is_whole("def f():\n    return 1\n", Complete));
        assert!(is_whole("def f():\n    return 1\n    ", Complete));
        assert!(!is_whole("f(", Incomplete));
        assert!(is_whole("f)", Invalid));
        assert!(!is_whole("try:\n    f()", Invalid));
    }

    #[test]
    fn statements_blocks_and_brackets_are_told_apart() {
        assert_eq!(split("x\ny"), ["x", "y"]);
        assert_eq!(split("f(\n1\n)\ny"), ["f(\n1\n)", "y"]);
        assert_eq!(split("if x:\n  y\n\nz"), ["if x:\n  y\n", "z"]);
        assert_eq!(split("if x:\n  y\nz"), ["if x:\n  y\n", "z"]);
        assert_eq!(
            split("if x:\n  y\nelse:\n  z\n"),
            ["if x:\n  y\nelse:\n  z\n"]
        );
        assert_eq!(split("if x:\n  y"), ["if x:\n  y\n"]);
    }
}
