//! From what came of a request to what the caller is told.

use crate::error::Result;
use crate::host::Stop;
use crate::instance::{Failure, MAX_REPLY};
use crate::language::Language;
use crate::policy::{Limit, Limits, Size};
use crate::result::{ErrorInfo, ExecutionResult, StateAfter, Status, Usage};
use crate::session::{Exchange, unexpected};
use sandbox_abi::{GuestError, Interrupt, Outcome, Ran, Reply};
use std::time::Duration;

/// The result of a run.
pub(crate) fn result(
    mut exchange: Exchange,
    language: Language,
    limits: &Limits,
    time: Duration,
) -> Result<ExecutionResult> {
    let usage = Usage {
        wall: exchange.wall,
        cpu: exchange.cpu,
        fuel: exchange.fuel,
        peak_memory: exchange.growth.size,
        output_bytes: exchange.output.total,
        file_bytes: exchange.file_bytes,
        host_calls: exchange.calls,
    };
    let verdict = match std::mem::replace(&mut exchange.answer, Ok(Reply::Started)) {
        // What the language says where the limit refused it memory, the limit did.
        Ok(Reply::Ran(mut ran)) => {
            if let Outcome::Error(error) = &mut ran.outcome
                && exchange.growth.refused
                && error.name == language.memory_error()
            {
                error.interrupted.get_or_insert(Interrupt::Memory);
            }
            replied(ran)
        }
        Ok(other) => return Err(unexpected(&other)),
        Err(failure) => failed(&failure, &exchange, limits, time),
    };
    if let Some(value) = &verdict.value {
        exchange.output.value(value);
    }
    Ok(ExecutionResult {
        status: verdict.status,
        limit: verdict
            .limit
            .or(exchange.output.cut.then_some(Limit::Output)),
        state: verdict.state,
        stdout: exchange.output.stdout,
        stderr: exchange.output.stderr,
        value: verdict.value,
        displays: exchange.output.displays,
        files: exchange.files,
        error: verdict.error,
        usage,
        count: verdict.count,
    })
}

struct Verdict {
    status: Status,
    limit: Option<Limit>,
    state: StateAfter,
    value: Option<String>,
    error: Option<ErrorInfo>,
    count: u32,
}

/// The guest came to an end and told of it.
fn replied(ran: Ran) -> Verdict {
    let (status, limit, error) = match ran.outcome {
        Outcome::Ok => (Status::Ok, None, None),
        Outcome::Exit(code) => (Status::Exited { code }, None, None),
        Outcome::Error(GuestError {
            name,
            message,
            traceback,
            interrupted,
        }) => {
            let (status, limit) = match interrupted {
                None => (Status::Error, None),
                Some(Interrupt::Keyboard) => (Status::Interrupted, None),
                Some(Interrupt::Timeout) => (Status::LimitReached, Some(Limit::Wall)),
                Some(Interrupt::Memory) => (Status::LimitReached, Some(Limit::Memory)),
                Some(Interrupt::Output) => (Status::LimitReached, Some(Limit::Output)),
                Some(Interrupt::HostCalls) => (Status::LimitReached, Some(Limit::HostCalls)),
            };
            (
                status,
                limit,
                Some(ErrorInfo {
                    name,
                    message,
                    traceback,
                }),
            )
        }
    };
    Verdict {
        status,
        limit,
        state: StateAfter::Kept,
        value: ran.value,
        error,
        count: ran.count,
    }
}

/// The guest was stopped, or broke.
fn failed(failure: &Failure, exchange: &Exchange, limits: &Limits, time: Duration) -> Verdict {
    let stopped = |limit, name, what| (Status::LimitReached, Some(limit), name, what);
    let crashed = |what| (Status::Crashed, None, "InterpreterCrash", what);
    let ignored = |limit: String| {
        format!("the {limit} was reached and the code did not react to the interrupt")
    };
    let (status, limit, name, what) = match failure {
        Failure::Stopped(Stop::Exit(code)) => (
            Status::Exited { code: *code },
            None,
            "Exit",
            format!("the interpreter was ended with status {code}"),
        ),
        Failure::Stopped(Stop::Time) => {
            let time = humantime::format_duration(time);
            let what = ignored(format!("time limit of {time}"));
            stopped(Limit::Wall, "TimeLimit", what)
        }
        Failure::Stopped(Stop::Output) => {
            let what = ignored(format!("output limit of {}", limits.output_total));
            stopped(Limit::Output, "OutputLimit", what)
        }
        Failure::Stopped(Stop::HostCalls) => {
            let what = ignored(format!("limit of {} calls to the host", limits.host_calls));
            stopped(Limit::HostCalls, "HostCallLimit", what)
        }
        Failure::LongReply(len) => {
            let most = Size(MAX_REPLY as u64);
            let what = format!(
                "the value or the error is told in {len} bytes, and at most {most} are read"
            );
            stopped(Limit::Output, "OutputLimit", what)
        }
        Failure::Stopped(Stop::Killed) => (
            Status::Interrupted,
            None,
            "Interrupted",
            "the run was ended by its caller".to_owned(),
        ),
        Failure::Fuel => {
            let fuel = limits.fuel.unwrap_or_default();
            let what = format!("the fuel of {fuel} units was used up");
            stopped(Limit::Fuel, "FuelLimit", what)
        }
        Failure::Stack => {
            let what = "the interpreter's own stack was used up by deep nesting".to_owned();
            stopped(Limit::Stack, "StackLimit", what)
        }
        // An allocation that fails ends the interpreter, so the trap as such says little.
        Failure::Trap(_) if exchange.growth.refused => {
            let what = format!("the memory limit of {} was reached", limits.memory);
            stopped(Limit::Memory, "MemoryLimit", what)
        }
        Failure::Trap(text) => crashed(format!("the interpreter failed: {text}")),
        Failure::Stopped(Stop::Diverged) => {
            crashed("the interpreter did not repeat itself".to_owned())
        }
        Failure::Protocol(text) => {
            crashed(format!("the interpreter's answer makes no sense: {text}"))
        }
    };
    let message = format!("{what}; the session is back at its state before this cell");
    let error = ErrorInfo {
        name: name.to_owned(),
        traceback: format!("{name}: {message}"),
        message,
    };
    Verdict {
        status,
        limit,
        state: StateAfter::RolledBack,
        value: None,
        error: Some(error),
        count: 0,
    }
}
