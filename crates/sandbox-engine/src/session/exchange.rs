//! One request to the guest: what it runs under, and what came of it.

use super::{Session, State};
use crate::error::Result;
use crate::fs::FileChanges;
use crate::host::Growth;
use crate::instance::Failure;
use crate::output::Capture;
use crate::policy::{Limits, Policy};
use crate::reply;
use crate::rollback::journal::CallLog;
use crate::run::RunControl;
use sandbox_abi::{Reply, Request};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Requests that are not somebody's code may take this long.
const SERVICE_TIME: Duration = Duration::from_secs(5);

/// What one request runs under: the session's policy, or a tighter one.
pub(super) struct Terms {
    /// The policy, where it is not the session's.
    policy: Option<Policy>,
    pub(super) limits: Arc<Limits>,
    /// The request's own limit on time.
    pub(super) time: Duration,
    fuel: Option<u64>,
}

impl Session {
    /// What a request that is not somebody's code runs under.
    pub(super) fn service_terms(&self) -> Terms {
        Terms {
            policy: None,
            limits: Arc::clone(&self.limits),
            time: SERVICE_TIME,
            fuel: None,
        }
    }

    /// What a cell runs under: the stricter of the session's policy and its own.
    pub(super) fn cell_terms(
        &self,
        policy: Option<&Policy>,
        timeout: Option<Duration>,
    ) -> Result<Terms> {
        let policy = policy
            .map(|policy| self.policy.for_call(policy, self.language))
            .transpose()?;
        let limits = policy.as_ref().map_or_else(
            || Arc::clone(&self.limits),
            |policy| Arc::new(policy.limits.clone()),
        );
        Ok(Terms {
            policy,
            time: timeout.map_or(limits.wall, |timeout| timeout.min(limits.wall)),
            fuel: limits.fuel,
            limits,
        })
    }
}

/// What came of a request.
pub(crate) struct Exchange {
    pub(crate) answer: Result<Reply, Failure>,
    pub(crate) output: Capture,
    pub(crate) delivered: Option<sandbox_abi::Interrupt>,
    pub(crate) growth: Growth,
    pub(crate) file_bytes: u64,
    pub(crate) calls: u64,
    pub(crate) files: FileChanges,
    pub(crate) fuel: Option<u64>,
    pub(crate) cpu: Duration,
    pub(crate) wall: Duration,
}

impl Session {
    /// One request and its reply, or its failure and the way back.
    pub(super) async fn exchange(
        &mut self,
        request: &Request,
        terms: &Terms,
        output: Capture,
    ) -> Result<Exchange> {
        let begun = Instant::now();
        self.keep_journal_short();
        let handle = self.handle.clone();
        let running = self.ticker.running();
        let own_mounts = &self.policy.mounts;
        let mounts = terms.policy.as_ref().map_or(own_mounts, |it| &it.mounts);
        handle.clear();
        let instance = self.instance.as_mut().ok_or_else(super::lost)?;
        instance.set_fuel(terms.fuel)?;
        let host = instance.host_mut();
        // It holds the session's own terms: they are back where the request is undone, or dropped and then undone.
        self.before = Some(State {
            files: host.files.clone(),
            descriptors: host.descriptors.clone(),
            entropy: host.entropy.clone(),
            clock: host.clock.clone(),
        });
        host.set_terms(&terms.limits, mounts);
        host.descriptors.restore_standard();
        host.log = CallLog::default();
        host.output = output;
        host.run = RunControl::new(handle, begun.checked_add(terms.time), terms.limits.grace);
        host.running = Some(running);
        host.growth.refused = false;
        host.file_bytes = 0;
        host.calls = 0;

        let encoded = sandbox_abi::encode(request);
        let (replied, cpu) = timed(instance.call(&encoded)).await;
        let left = instance.fuel();
        let host = instance.host_mut();
        host.set_terms(&self.limits, own_mounts);
        host.running = None;
        let log = std::mem::take(&mut host.log);
        let mut exchange = Exchange {
            output: std::mem::take(&mut host.output),
            delivered: host.run.delivered,
            growth: host.growth,
            file_bytes: host.file_bytes,
            calls: host.calls,
            files: FileChanges::default(),
            fuel: terms.fuel.map(|fuel| fuel.saturating_sub(left)),
            cpu,
            wall: Duration::ZERO,
            answer: Err(Failure::Protocol(String::new())),
        };
        let (journal, output) = (&mut self.journal, &mut exchange.output);
        exchange.answer = replied.and_then(|place| {
            let bytes = instance.reply(place);
            reply::read(bytes, output).inspect(|_| journal.push(encoded, log, bytes, cpu))
        });
        if exchange.answer.is_ok() {
            if let Some(before) = self.before.take() {
                exchange.files = instance.host().files.changes_since(&before.files);
            }
            if exchange.delivered.is_some() {
                self.journal.set_unrepeatable();
            }
        } else {
            self.roll_back().await?;
        }
        exchange.wall = begun.elapsed();
        Ok(exchange)
    }
}

/// Runs a future and says how long it was being polled.
async fn timed<T>(future: impl Future<Output = T>) -> (T, Duration) {
    let mut future = pin!(future);
    let mut busy = Duration::ZERO;
    let value = poll_fn(|context| {
        let begun = Instant::now();
        let state = future.as_mut().poll(context);
        busy += begun.elapsed();
        state
    })
    .await;
    (value, busy)
}
