//! The way back to the state before a request: the last snapshot, and the requests since, run again.

use super::Session;
use crate::error::{Error, Result};
use crate::instance::Instance;
use crate::rollback::journal::CallLog;
use crate::rollback::snapshot::Snapshot;
use std::time::Instant;

impl Session {
    /// Undoes a request whose future was dropped.
    pub(super) async fn recover(&mut self) -> Result<()> {
        if self.before.is_some() {
            self.roll_back().await
        } else {
            Ok(())
        }
    }

    /// Replaces the journal by a snapshot where that is the cheaper way back. Done before a request rather than after
    /// one: a session that is never used again needs no way back.
    pub(super) fn keep_journal_short(&mut self) {
        if let Some(instance) = self
            .instance
            .as_ref()
            .filter(|_| self.journal.wants_snapshot(self.snapshot_cost))
        {
            let begun = Instant::now();
            self.snapshot = Snapshot::take(instance.memory());
            self.snapshot_cost = begun.elapsed();
            self.journal.clear();
        }
    }

    /// Back to the state before the request that is running or was abandoned. Can be tried again where it is dropped.
    pub(super) async fn roll_back(&mut self) -> Result<()> {
        let Some(before) = self.before.clone() else {
            return Ok(());
        };
        self.instance = None;
        let running = self.ticker.running();
        let mut host = self.host(before)?;
        host.running = Some(running);
        let mut instance = Instance::new(&self.guest, host)?;
        if self.snapshot.size() > 0 {
            self.snapshot
                .restore(instance.memory_of_size(self.snapshot.size())?);
        }
        for entry in self.journal.entries() {
            let (request, log) = entry.replay();
            instance.host_mut().log = log;
            instance.set_fuel(None)?;
            let same = match instance.call(request).await {
                Ok(place) => {
                    entry.same_reply(instance.reply(place))
                        && instance.host().log.replayed_exactly()
                }
                Err(_) => false,
            };
            if !same {
                return Err(Error::SessionLost(
                    "the guest did not repeat what it had done".to_owned(),
                ));
            }
        }
        let host = instance.host_mut();
        host.log = CallLog::default();
        host.running = None;
        self.instance = Some(instance);
        self.before = None;
        Ok(())
    }
}
