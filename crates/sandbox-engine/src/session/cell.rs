//! One run of code, with settings of its own.

use super::Session;
use crate::error::Result;
use crate::outcome;
use crate::output::{Capture, Sink};
use crate::policy::Policy;
use crate::result::{Event, ExecutionResult};
use sandbox_abi::{Mode, Request, Run};
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
    /// The session's policy as this cell tightens it.
    policy: Option<Policy>,
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
            policy: None,
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

    /// Runs the cell under the stricter of everything that the session's policy and `policy` say, for this call only: see
    /// [`Policy::tightened_by`]. What asks for more has no effect. Said several times, the strictest counts.
    ///
    /// All limits can be tightened but [`fuel`](crate::Limits::fuel) where the session has none, and mounts can be made
    /// read-only. Memory, files and descriptors that are in use already stay so; there are just no more of them. `policy`
    /// best starts from [`Session::policy`], for what it does not grant counts as taken away: variables, mounts, a clock
    /// and randomness stay what they are in a session, and a policy that takes something of them away is refused.
    ///
    /// ```no_run
    /// # let engine = sandbox_engine::Engine::new()?;
    /// # let mut session = engine.session(sandbox_engine::Language::Python, &Default::default())?;
    /// let mut policy = session.policy().clone();
    /// policy.limits.files = 10;
    /// let result = session.cell("open('notes', 'w')").tightened_by(&policy).run_blocking()?;
    /// # Ok::<(), sandbox_engine::Error>(())
    /// ```
    ///
    /// # Errors
    /// Running it gives [`Error::Policy`](crate::Error::Policy) where nothing could run under the result, or where it
    /// differs in something that cannot change for one call, and then nothing was run.
    pub fn tightened_by(mut self, policy: &Policy) -> Self {
        let current = self.policy.as_ref().unwrap_or(&self.session.policy);
        self.policy = Some(current.tightened_by(policy));
        self
    }

    /// As [`Cell::tightened_by`], from a text in the form of a policy file, which may come from anybody. It names only what
    /// it wants to change.
    ///
    /// # Errors
    /// As [`Policy::tightened_by_toml`].
    pub fn tightened_by_toml(mut self, text: &str) -> Result<Self> {
        let current = self.policy.as_ref().unwrap_or(&self.session.policy);
        self.policy = Some(current.tightened_by_toml(text)?);
        Ok(self)
    }

    /// A shorter time limit than the policy's. A longer one changes nothing.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Runs it.
    ///
    /// # Errors
    /// As [`Session::run`], and as [`Cell::tightened_by`] says.
    pub async fn run(self) -> Result<ExecutionResult> {
        let session = self.session;
        let terms = session.cell_terms(self.policy.as_ref(), self.timeout)?;
        session.ready().await?;
        let output = Capture::new(&terms.limits, self.keep, self.sink);
        let request = Request::Run(Run {
            code: self.code.to_owned(),
            name: self.name,
            mode: self.mode,
            stack: super::stack_of(&terms.limits),
        });
        let exchange = session.exchange(&request, &terms, output).await?;
        if let Some(instance) = &mut session.instance
            && instance.is_teacher()
        {
            session.guest.hot_pages().learn(instance.memory());
        }
        outcome::result(exchange, session.language, &terms.limits, terms.time)
    }

    /// Runs it on the calling thread.
    ///
    /// # Errors
    /// As [`Session::run`].
    pub fn run_blocking(self) -> Result<ExecutionResult> {
        pollster::block_on(self.run())
    }
}
