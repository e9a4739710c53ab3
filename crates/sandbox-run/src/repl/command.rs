//! The REPL's own commands. They begin with `%`, as no cell does.

/// What `%help` prints.
pub const HELP: &str = "\
%help    this text
%reset   start afresh: variables and files of the session are gone
%quit    leave (Ctrl-D does too)

Enter runs a cell when it is whole; after a block, an empty line does. Tab completes names.
Up and Down recall earlier cells, Ctrl-R searches them. Ctrl-C clears what is being typed,
or interrupts the cell that is running.
";

/// A command.
#[derive(Debug, PartialEq, Eq)]
pub enum Command<'a> {
    /// `%help`
    Help,
    /// `%reset`
    Reset,
    /// `%quit`, `%exit`
    Quit,
    /// Something else after a `%`.
    Unknown(&'a str),
}

impl<'a> Command<'a> {
    /// The command in a line, if it is one.
    pub fn parse(text: &'a str) -> Option<Self> {
        let text = text.trim();
        if !text.starts_with('%') {
            return None;
        }
        Some(match text {
            "%help" => Self::Help,
            "%reset" => Self::Reset,
            "%quit" | "%exit" => Self::Quit,
            other => Self::Unknown(other),
        })
    }
}
