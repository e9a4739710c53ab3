//! Cells typed at a terminal, with history, completion, colours and several lines.

use super::python::{self, Kind};
use super::split::is_whole;
use super::{Cells, Input, Shared};
use crate::report::{self, Failure};
use anstyle::{AnsiColor, Style};
use etcetera::BaseStrategy;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{
    Cmd, CompletionType, ConditionalEventHandler, Config, Context, Event, EventContext,
    EventHandler, Helper, KeyCode, KeyEvent, Modifiers, Movement, RepeatCount,
};
use sandbox_engine::Language;
use std::borrow::Cow;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Whether the terminal can do what the editor needs: moving the cursor.
pub fn is_usable() -> bool {
    io::IsTerminal::is_terminal(&io::stdout())
        && std::env::var_os("TERM").is_some_and(|term| term != "dumb")
}

/// The file that keeps what was typed, if the user has a folder for such data.
pub fn history_file() -> Option<PathBuf> {
    let base = etcetera::choose_base_strategy().ok()?;
    Some(base.data_dir().join("sandbox-run").join("history"))
}

/// The line editor.
pub struct Editor {
    editor: rustyline::Editor<Assistant, FileHistory>,
    /// Where history is kept. `None` where it cannot be.
    history: Option<PathBuf>,
}

impl Editor {
    /// An editor that asks `session` about the code.
    pub fn new(session: &Shared, language: Language) -> Result<Self, Failure> {
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .max_history_size(HISTORY_ENTRIES)
            .and_then(|config| config.history_ignore_dups(true))
            .map(|config| {
                config
                    .tab_stop(python::STEP as u8)
                    .indent_size(python::STEP as u8)
                    .build()
            })
            .map_err(|error| unusable(&error))?;
        let mut editor =
            rustyline::Editor::with_config(config).map_err(|error| unusable(&error))?;
        editor.set_helper(Some(Assistant {
            session: session.clone(),
            language,
        }));
        for enter in [
            KeyEvent(KeyCode::Enter, Modifiers::NONE),
            KeyEvent::ctrl('J'),
        ] {
            editor.bind_sequence(
                enter,
                EventHandler::Conditional(Box::new(Enter(session.clone()))),
            );
        }
        editor.bind_sequence(
            KeyEvent::from('\t'),
            EventHandler::Conditional(Box::new(Tab)),
        );
        editor.bind_sequence(
            KeyEvent(KeyCode::Backspace, Modifiers::NONE),
            EventHandler::Conditional(Box::new(Backspace)),
        );
        let history = history_file().filter(|path| match prepare(path) {
            Ok(()) => true,
            Err(error) => {
                report::note(format!("history is not kept: {}: {error}", path.display()));
                false
            }
        });
        if let Some(path) = &history
            && let Err(error) = editor.load_history(path)
            && !matches!(&error, ReadlineError::Io(error) if error.kind() == io::ErrorKind::NotFound)
        {
            report::note(format!("cannot read {}: {error}", path.display()));
        }
        Ok(Self { editor, history })
    }

    fn remember(&mut self, cell: &str) {
        let added = self.editor.add_history_entry(cell.trim_end());
        if let Some(path) = &self.history
            && matches!(added, Ok(true))
            && let Err(error) = self.editor.append_history(path)
        {
            report::note(format!("history is not kept: {}: {error}", path.display()));
            self.history = None;
        }
    }
}

impl Cells for Editor {
    fn next(&mut self, number: u32) -> Result<Input, Failure> {
        let style = Style::new().fg_color(Some(AnsiColor::Green.into()));
        let raw = format!("In [{number}]: ");
        let styled = format!("{style}{raw}{style:#}");
        match self.editor.readline(&(raw, styled)) {
            Ok(cell) => {
                if !cell.trim().is_empty() {
                    self.remember(&cell);
                }
                Ok(Input::Cell(cell))
            }
            Err(ReadlineError::Interrupted | ReadlineError::Signal(_)) => Ok(Input::Dropped),
            Err(ReadlineError::Eof) => Ok(Input::End),
            Err(error) => Err(unusable(&error)),
        }
    }
}

/// How many cells history holds.
const HISTORY_ENTRIES: usize = 10_000;

fn unusable(error: &ReadlineError) -> Failure {
    Failure::ours(format!(
        "cannot use the terminal: {error}\nWith TERM=dumb the REPL reads plain lines."
    ))
}

/// Makes the history file's folder, for its user alone.
fn prepare(path: &Path) -> io::Result<()> {
    let Some(folder) = path.parent() else {
        return Ok(());
    };
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Completes and colours what is being typed.
struct Assistant {
    session: Shared,
    language: Language,
}

impl Helper for Assistant {}
impl Hinter for Assistant {
    type Hint = String;
}
// `Enter` decides when a cell is whole, since it also indents the next line.
impl Validator for Assistant {}

impl Completer for Assistant {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        // Where the session cannot tell, there is nothing to offer.
        Ok(self
            .session
            .lock()
            .complete_blocking(line, pos)
            .unwrap_or((pos, Vec::new())))
    }
}

impl Highlighter for Assistant {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        if self.language != Language::Python {
            return Cow::Borrowed(line);
        }
        let mut coloured = String::with_capacity(line.len() * 2);
        let mut at = 0;
        for (range, kind) in python::pieces(line) {
            let style = style(kind);
            coloured.push_str(&line[at..range.start]);
            // Writing to a string cannot fail.
            let _ = write!(coloured, "{style}{}{style:#}", &line[range.clone()]);
            at = range.end;
        }
        coloured.push_str(&line[at..]);
        Cow::Owned(coloured)
    }

    fn highlight_char(&self, _: &str, _: usize, kind: CmdKind) -> bool {
        kind != CmdKind::MoveCursor
    }
}

fn style(kind: Kind) -> Style {
    let colour = match kind {
        Kind::Keyword => AnsiColor::Magenta,
        Kind::Text => AnsiColor::Yellow,
        Kind::Comment => AnsiColor::BrightBlack,
        Kind::Number => AnsiColor::Cyan,
        Kind::Definition => AnsiColor::Blue,
    };
    Style::new().fg_color(Some(colour.into()))
}

/// Runs the cell where it is whole, else begins its next line.
struct Enter(Shared);

impl ConditionalEventHandler for Enter {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, context: &EventContext) -> Option<Cmd> {
        let (text, pos) = (context.line(), context.pos());
        // In the midst of a cell, Enter opens a line there.
        let on_last_line = !text[pos..].contains('\n');
        if on_last_line && (text.starts_with('%') || is_whole(text, self.0.completeness(text))) {
            return Some(Cmd::AcceptLine);
        }
        Some(Cmd::Insert(
            1,
            format!("\n{}", python::indentation(&text[..pos])),
        ))
    }
}

/// Indents where there is nothing to complete.
struct Tab;

impl ConditionalEventHandler for Tab {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, context: &EventContext) -> Option<Cmd> {
        let before = before_cursor(context);
        before.trim().is_empty().then(|| {
            let missing = python::STEP - before.len() % python::STEP;
            Cmd::Insert(1, " ".repeat(missing))
        })
    }
}

/// Takes back a whole step of indentation.
struct Backspace;

impl ConditionalEventHandler for Backspace {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, context: &EventContext) -> Option<Cmd> {
        let before = before_cursor(context);
        let last = before.len().checked_sub(1)?;
        let step = last % python::STEP + 1;
        before
            .bytes()
            .all(|b| b == b' ')
            .then_some(Cmd::Kill(Movement::BackwardChar(step as RepeatCount)))
    }
}

/// The cursor's line up to the cursor.
fn before_cursor<'a>(context: &'a EventContext) -> &'a str {
    context.line()[..context.pos()]
        .rsplit('\n')
        .next()
        .unwrap_or_default()
}
