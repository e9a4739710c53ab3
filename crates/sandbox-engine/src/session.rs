//! A session: one interpreter, its files, and the promise that a cell that fails badly leaves no trace.

mod cell;
mod exchange;
mod files;
mod tar;
mod undo;

pub use cell::Cell;
pub(crate) use exchange::Exchange;

use crate::clock::Clock;
use crate::descriptors::Descriptors;
use crate::entropy::Entropy;
use crate::error::{Error, Result};
use crate::fs::{DiskUse, FileKind, FileSystem};
use crate::guest::Guest;
use crate::host::{Growth, Host};
use crate::instance::Instance;
use crate::language::Language;
use crate::output::Capture;
use crate::policy::{Limits, Policy};
use crate::result::ExecutionResult;
use crate::rollback::journal::{CallLog, Journal};
use crate::rollback::snapshot::Snapshot;
use crate::run::{InterruptHandle, RunControl};
use crate::stdin::{Input, Stdin};
use crate::ticker::Ticker;
use sandbox_abi::{Complete, Completeness, Reply, Request, Start};
use std::sync::Arc;
use std::time::Duration;

/// One interpreter with its own variables and files.
///
/// State persists from cell to cell. A cell that is stopped for good (by a limit that the language cannot raise as an
/// error, by its caller, by a crash of the interpreter) is undone: memory, files and descriptors are as they were
/// before it, and [`ExecutionResult::state`] says so.
///
/// The futures of a session run the guest on the task that polls them and yield to the runtime at every tick of the
/// watchdog, a millisecond apart. Dropping one stops the guest; what the cell did is undone before the next call.
pub struct Session {
    language: Language,
    guest: Arc<Guest>,
    ticker: Arc<Ticker>,
    policy: Policy,
    limits: Arc<Limits>,
    arguments: Vec<String>,
    environment: Arc<Vec<Vec<u8>>>,
    input: Input,
    handle: InterruptHandle,
    instance: Option<Instance>,
    /// Files and descriptors before the request that is running or was abandoned.
    before: Option<State>,
    started: bool,
    snapshot: Snapshot,
    snapshot_cost: Duration,
    journal: Journal,
    /// What was added to mounts. It stays there, whatever is undone.
    disk_use: DiskUse,
}

/// The part of a session's state that the host holds.
#[derive(Clone)]
struct State {
    files: FileSystem,
    descriptors: Descriptors,
    /// A seeded source's place in its sequence, so that a cell that is undone has drawn nothing.
    entropy: Entropy,
    /// How far sleeping has moved a frozen clock.
    clock: Clock,
}

/// How a session begins, beyond its policy.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct SessionOptions {
    argv: Vec<String>,
    stdin: Stdin,
}

impl SessionOptions {
    /// The program's name and its arguments. Default: an empty name.
    #[must_use]
    pub fn argv(mut self, argv: Vec<String>) -> Self {
        self.argv = argv;
        self
    }

    /// What the code can read on standard input. Default: nothing, and reading is refused.
    #[must_use]
    pub fn stdin(mut self, stdin: Stdin) -> Self {
        self.stdin = stdin;
        self
    }
}

impl Session {
    pub(crate) fn new(
        language: Language,
        guest: Arc<Guest>,
        ticker: Arc<Ticker>,
        policy: &Policy,
        options: SessionOptions,
    ) -> Result<Self> {
        let limits = Arc::new(policy.limits.clone());
        let disk_use = DiskUse::default();
        let state = State {
            files: FileSystem::with_disk_use(&limits, &policy.mounts, &disk_use)?,
            descriptors: Descriptors::new(limits.descriptors),
            entropy: Entropy::of(policy.randomness),
            clock: Clock::of(policy.clock),
        };
        let root = FileSystem::root();
        let is_folder = state
            .files
            .lookup(&root, policy.workdir.as_bytes(), true)
            .is_ok_and(|node| node.kind() == FileKind::Folder);
        if !is_folder {
            return Err(Error::Policy(format!(
                "workdir `{}` is no folder in the sandbox; there are /mnt/data, /tmp and the mounts",
                policy.workdir
            )));
        }
        let environment = policy
            .env
            .iter()
            .map(|(key, value)| format!("{key}={value}").into_bytes())
            .collect();
        let mut arguments = options.argv;
        if arguments.is_empty() {
            arguments.push(String::new());
        }
        let mut session = Self {
            language,
            guest,
            ticker,
            policy: policy.clone(),
            limits,
            arguments,
            environment: Arc::new(environment),
            input: Input::new(options.stdin),
            handle: InterruptHandle::default(),
            instance: None,
            before: None,
            started: false,
            snapshot: Snapshot::default(),
            snapshot_cost: Duration::ZERO,
            journal: Journal::default(),
            disk_use,
        };
        let host = session.host(state)?;
        session.instance = Some(Instance::new(&session.guest, host)?);
        Ok(session)
    }

    /// Runs a cell.
    ///
    /// # Errors
    /// Only where the engine itself fails: see [`Error`]. An error of the code is part of the result.
    pub async fn run(&mut self, code: &str) -> Result<ExecutionResult> {
        self.cell(code).run().await
    }

    /// As [`Session::run`], on the calling thread.
    ///
    /// # Errors
    /// As [`Session::run`].
    pub fn run_blocking(&mut self, code: &str) -> Result<ExecutionResult> {
        self.cell(code).run_blocking()
    }

    /// A cell with settings of its own.
    pub fn cell<'a>(&'a mut self, code: &'a str) -> Cell<'a> {
        Cell::new(self, code)
    }

    /// The language of the session.
    pub fn language(&self) -> Language {
        self.language
    }

    /// What the session may use.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Lets another thread interrupt what runs here.
    pub fn interrupt_handle(&self) -> InterruptHandle {
        self.handle.clone()
    }

    /// Completions for the name before the cursor, a place in `code` in bytes: where they begin to replace, and what
    /// they are.
    ///
    /// # Errors
    /// As [`Session::run`].
    pub async fn complete(&mut self, code: &str, cursor: usize) -> Result<(usize, Vec<String>)> {
        let cursor = u32::try_from(cursor.min(code.len())).unwrap_or(u32::MAX);
        let request = Request::Complete(Complete {
            code: code.to_owned(),
            cursor,
        });
        match self.ask(&request).await? {
            Reply::Completions(from, candidates) => Ok((from as usize, candidates)),
            other => Err(unexpected(&other)),
        }
    }

    /// As [`Session::complete`], on the calling thread.
    ///
    /// # Errors
    /// As [`Session::run`].
    pub fn complete_blocking(&mut self, code: &str, cursor: usize) -> Result<(usize, Vec<String>)> {
        pollster::block_on(self.complete(code, cursor))
    }

    /// Whether `code` is a whole cell, or more lines are wanted.
    ///
    /// # Errors
    /// As [`Session::run`].
    pub async fn completeness(&mut self, code: &str) -> Result<Completeness> {
        match self.ask(&Request::IsComplete(code.to_owned())).await? {
            Reply::Completeness(completeness) => Ok(completeness),
            other => Err(unexpected(&other)),
        }
    }

    /// As [`Session::completeness`], on the calling thread.
    ///
    /// # Errors
    /// As [`Session::run`].
    pub fn completeness_blocking(&mut self, code: &str) -> Result<Completeness> {
        pollster::block_on(self.completeness(code))
    }

    /// Back to a fresh interpreter with an empty workspace. Standard input goes on where it was.
    ///
    /// # Errors
    /// [`Error::Policy`] where a mount is gone.
    pub fn reset(&mut self) -> Result<()> {
        let state = State {
            files: FileSystem::with_disk_use(&self.limits, &self.policy.mounts, &self.disk_use)?,
            descriptors: Descriptors::new(self.limits.descriptors),
            entropy: Entropy::of(self.policy.randomness),
            clock: Clock::of(self.policy.clock),
        };
        self.instance = None;
        self.before = None;
        self.started = false;
        self.snapshot = Snapshot::default();
        self.journal.clear();
        let host = self.host(state)?;
        self.instance = Some(Instance::new(&self.guest, host)?);
        Ok(())
    }

    fn live(&mut self) -> Result<&mut Instance> {
        self.instance.as_mut().ok_or_else(lost)
    }

    /// The host's side of a new instance, under the session's own terms.
    fn host(&self, state: State) -> Result<Host> {
        let mut host = Host {
            arguments: Arc::new(
                self.arguments
                    .iter()
                    .map(|argument| argument.clone().into_bytes())
                    .collect(),
            ),
            environment: Arc::clone(&self.environment),
            files: state.files,
            descriptors: state.descriptors,
            input: self.input.clone(),
            clock: state.clock,
            entropy: state.entropy,
            ..idle_host()?
        };
        host.set_terms(&self.limits, &self.policy.mounts);
        Ok(host)
    }

    /// Sends a request that is not somebody's code.
    async fn ask(&mut self, request: &Request) -> Result<Reply> {
        self.ready().await?;
        let output = Capture::new(&self.limits, false, None);
        let terms = self.service_terms();
        match self.exchange(request, &terms, output).await?.answer {
            Ok(reply) => Ok(reply),
            Err(failure) => Err(Error::Protocol(format!("{failure:?}"))),
        }
    }

    /// Makes sure that an instance is there, has been told what the image could not know, and is at rest.
    async fn ready(&mut self) -> Result<()> {
        self.recover().await?;
        if self.started {
            return Ok(());
        }
        let start = Request::Start(Start {
            argv: self.arguments.clone(),
            stdin: self.input.is_supplied(),
            cwd: self.policy.workdir.clone(),
            stack: stack_of(&self.limits),
        });
        let output = Capture::new(&self.limits, false, None);
        let terms = self.service_terms();
        match self.exchange(&start, &terms, output).await?.answer {
            Ok(Reply::Started) => {
                self.started = true;
                Ok(())
            }
            Ok(other) => Err(unexpected(&other)),
            Err(failure) => Err(Error::Protocol(format!(
                "the guest does not start: {failure:?}"
            ))),
        }
    }
}

/// The limit on the stack as a guest is told. A policy that passes its check has less than 32 bits of it.
fn stack_of(limits: &Limits) -> u32 {
    u32::try_from(limits.stack.bytes()).unwrap_or(u32::MAX)
}

fn lost() -> Error {
    Error::SessionLost("an earlier restoration failed".to_owned())
}

pub(crate) fn unexpected(reply: &Reply) -> Error {
    Error::Protocol(match reply {
        Reply::Refused(reason) => format!("the guest refused the request: {reason}"),
        _ => "the guest answered another question".to_owned(),
    })
}

/// The host's side of an instance that nobody's code runs in.
pub(crate) fn idle_host() -> Result<Host> {
    let limits = Limits::default();
    Ok(Host {
        memory: None,
        engine: None,
        interrupt_at: 0,
        log: CallLog::default(),
        environment: Arc::default(),
        arguments: Arc::default(),
        files: FileSystem::with_disk_use(&limits, &[], &DiskUse::default())?,
        descriptors: Descriptors::new(limits.descriptors),
        input: Input::default(),
        output: Capture::new(&limits, false, None),
        clock: Clock::real(),
        entropy: Entropy::System,
        run: RunControl::default(),
        running: None,
        stop: None,
        growth: Growth::default(),
        file_bytes: 0,
        calls: 0,
        limits: Arc::new(limits),
    })
}
