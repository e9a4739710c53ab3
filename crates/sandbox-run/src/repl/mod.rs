//! `sandbox-run repl`: cells typed at a terminal or read from a pipe, in one session.

mod command;
mod editor;
mod keyboard;
mod lines;
mod python;
mod screen;
mod split;

pub use editor::history_file;

use crate::args::SandboxArgs;
use crate::interrupt::CellWatch;
use crate::report::{self, Failure};
use crate::{output, sandbox};
use command::Command;
use sandbox_engine::{
    Completeness, Error, Event, Language, Policy, Session, SessionOptions, StateAfter, Status,
    Stdin,
};
use screen::Screen;
use std::io::{self, IsTerminal};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Runs the REPL and gives the exit status.
pub fn run(args: &SandboxArgs) -> Result<u8, Failure> {
    let policy = args.policy()?;
    let language = args.language.unwrap_or(Language::Python);
    let engine = sandbox::engine()?;
    let terminal = io::stdin().is_terminal();
    // Cells that come through a pipe are all that is in it; at a terminal, `input()` may ask.
    let watch = CellWatch::install();
    let stdin = if terminal {
        keyboard::stdin(&watch)
    } else {
        Stdin::None
    };
    let session = engine.session_with(language, &policy, SessionOptions::default().stdin(stdin))?;
    let session = Shared(Arc::new(Mutex::new(session)));

    let mut cells: Box<dyn Cells> = if terminal && editor::is_usable() {
        Box::new(editor::Editor::new(&session, language)?)
    } else {
        Box::new(lines::Lines::new(session.clone(), watch.clone(), terminal))
    };
    if terminal {
        let greeting = format!(
            "sandbox-run {}, {language}. %help for help, Ctrl-D to leave.\n",
            env!("CARGO_PKG_VERSION")
        );
        output::pass_on(greeting.as_bytes());
    }
    Repl {
        session,
        policy,
        watch,
        screen: Screen::new(),
        next: 1,
    }
    .run(cells.as_mut())
}

/// Where cells come from.
trait Cells {
    /// The next cell; `number` is for the prompt.
    fn next(&mut self, number: u32) -> Result<Input, Failure>;
}

/// What a person did.
enum Input {
    /// Entered a cell.
    Cell(String),
    /// Gave up what was being typed.
    Dropped,
    /// Left.
    End,
}

struct Repl {
    session: Shared,
    policy: Policy,
    watch: CellWatch,
    screen: Screen,
    /// The number of the next cell.
    next: u32,
}

impl Repl {
    fn run(mut self, cells: &mut dyn Cells) -> Result<u8, Failure> {
        loop {
            let text = match cells.next(self.next)? {
                Input::Cell(text) if text.trim().is_empty() => continue,
                Input::Cell(text) => text,
                Input::Dropped => continue,
                Input::End => return Ok(0),
            };
            match Command::parse(&text) {
                None => {
                    if let Some(status) = self.cell(&text)? {
                        return Ok(status);
                    }
                }
                Some(Command::Quit) => return Ok(0),
                Some(Command::Help) => output::pass_on(command::HELP.as_bytes()),
                Some(Command::Reset) => self.reset("the session was reset")?,
                Some(Command::Unknown(name)) => {
                    report::say(format!("unknown command {name}; %help lists them"));
                }
            }
        }
    }

    /// Runs a cell and shows what became of it. A status where the cell asked to leave.
    fn cell(&mut self, code: &str) -> Result<Option<u8>, Failure> {
        let mut session = self.session.lock();
        let running = self.watch.running(session.interrupt_handle());
        let screen = self.screen.clone();
        let result = session
            .cell(code)
            .on_event(move |event| match event {
                Event::Stdout(bytes) => screen.out(&bytes),
                Event::Stderr(bytes) => screen.err(&bytes),
                Event::Display(display) => screen.display(&display),
                _ => {}
            })
            .run_blocking();
        drop(running);
        drop(session);
        self.screen.fresh_line();
        let result = match result {
            Ok(result) => result,
            Err(error @ Error::SessionLost(_)) => {
                report::say(error);
                self.reset("a new session was started; what was defined is gone")?;
                return Ok(None);
            }
            Err(error) => {
                report::say(error);
                return Ok(None);
            }
        };

        if let Some(value) = &result.value {
            screen::value(self.next, value);
        }
        if let Some(error) = &result.error {
            screen::traceback(error);
        }
        if result.state == StateAfter::RolledBack {
            // The error has said so, and the next cell has this one's number.
            return Ok(None);
        }
        for remark in report::remarks(&result, &self.policy) {
            report::say(remark);
        }
        if result.status == Status::LimitReached {
            report::note("the session's state was kept, up to where the cell was stopped");
        }
        self.next = result.count + 1;
        Ok(match result.status {
            Status::Exited { .. } => Some(report::status(&result)),
            _ => None,
        })
    }

    fn reset(&mut self, told: &str) -> Result<(), Failure> {
        self.session.lock().reset()?;
        self.next = 1;
        report::note(told);
        Ok(())
    }
}

/// The session, shared by the loop that runs cells and the editor that asks it about code.
#[derive(Clone)]
struct Shared(Arc<Mutex<Session>>);

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Session> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the code is a whole cell. Where the session cannot tell, running it will say why.
    fn completeness(&self, code: &str) -> Completeness {
        self.lock()
            .completeness_blocking(code)
            .unwrap_or(Completeness::Complete)
    }
}
