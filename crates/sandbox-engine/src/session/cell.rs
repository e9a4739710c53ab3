//! One run of code, with settings of its own.

use super::Session;
use crate::error::Result;
use crate::outcome;
use crate::output::{Capture, Sink};
use crate::result::{Event, ExecutionResult};
use sandbox_abi::{Mode, Request, Run};
use std::sync::Arc;
use std::time::Duration;

/// A cell with settings of its own, from [`Session::cell`].
#[must_use = "a cell does nothing until it is run"]
pub struct Cell<'a> {
    session: &'a mut Session,
    code: &'a str,
    name: String,
    mode: Mode,
    keep: bool,
    sink: Option<Sink>,
    timeout: Option<Duration>,
}

impl<'a> Cell<'a> {
    pub(super) fn new(session: &'a mut Session, code: &'a str) -> Self {
        Self {
            session,
            code,
            name: String::new(),
            mode: Mode::Cell,
            keep: true,
            sink: None,
            timeout: None,
        }
    }

    /// What tracebacks call the code. Default: `<cell N>`.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Runs the code as a program: nothing is echoed, an error is printed to standard error, exit handlers run.
    pub fn program(mut self) -> Self {
        self.mode = Mode::Program;
        self
    }

    /// Is told what happens while it happens, in order.
    pub fn on_event(mut self, sink: impl FnMut(Event) + Send + 'static) -> Self {
        self.sink = Some(Box::new(sink));
        self
    }

    /// Leaves output out of the result: it goes to [`Cell::on_event`] only. Limits count it all the same.
    pub fn without_capture(mut self) -> Self {
        self.keep = false;
        self
    }

    /// A shorter time limit than the policy's. A longer one changes nothing.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Runs it.
    ///
    /// # Errors
    /// As [`Session::run`].
    pub async fn run(self) -> Result<ExecutionResult> {
        let session = self.session;
        session.ready().await?;
        let limits = Arc::clone(&session.limits);
        let output = Capture::new(&limits, self.keep, self.sink);
        let request = Request::Run(Run {
            code: self.code.to_owned(),
            name: self.name,
            mode: self.mode,
        });
        let time = self
            .timeout
            .map_or(limits.wall, |timeout| timeout.min(limits.wall));
        let exchange = session
            .exchange(&request, time, limits.fuel, output)
            .await?;
        if let Some(instance) = &mut session.instance
            && instance.is_teacher()
        {
            session.guest.hot_pages().learn(instance.memory());
        }
        outcome::result(exchange, session.language, &limits, time)
    }

    /// Runs it on the calling thread.
    ///
    /// # Errors
    /// As [`Session::run`].
    pub fn run_blocking(self) -> Result<ExecutionResult> {
        pollster::block_on(self.run())
    }
}
