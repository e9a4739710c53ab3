//! The journal: what a session has to do again to come back to where it was.
//!
//! Copying an interpreter's memory before each cell would cost many times what a small cell costs, and would double
//! what an idle session holds. A guest is deterministic but for what its host tells it, so it is enough to
//! remember the requests since the last [snapshot](super::snapshot) and the host's answers: the return value of each
//! call, the bytes that it wrote to the guest's memory and whether memory could grow. To come back, the snapshot is
//! restored and the requests are run again, with the answers from the journal in place of the host; nothing outside
//! of the instance is touched a second time.
//!
//! A journal is worth its price while running it again is cheaper than a snapshot, so it is kept short: see
//! [`Journal::wants_snapshot`].

use sha2::{Digest, Sha256};
use std::time::Duration;

/// A journal longer than this many bytes gives way to a snapshot.
const MAX_BYTES: usize = 256 << 10;
/// Requests that ran for less than this together are always cheap enough to run again.
const MIN_REPLAY: Duration = Duration::from_millis(4);
/// How many times the cost of a snapshot running the journal again may take.
const REPLAY_FACTOR: u32 = 4;

/// The host's answers to the calls of one request, as a flat buffer.
///
/// Each entry: the function's id, its return value (2 bytes), the number of writes (2 bytes), then for each write the
/// address (4 bytes), the length (4 bytes) and the bytes.
#[derive(Default)]
pub(crate) struct CallLog {
    bytes: Vec<u8>,
    /// Where the open entry's count of writes stands.
    open: usize,
    position: usize,
    replaying: bool,
    diverged: bool,
    /// Nothing more is noted: the request told its host too much to be worth running again.
    overflowed: bool,
}

/// The function id of a decision on growing memory.
pub(crate) const GROW: u8 = 0xff;

impl CallLog {
    /// Opens an entry for a call.
    pub(crate) fn begin(&mut self, function: u8) {
        if self.overflowed || self.bytes.len() > MAX_BYTES {
            self.overflowed = true;
            self.bytes = Vec::new();
            return;
        }
        self.bytes.push(function);
        self.open = self.bytes.len();
        self.bytes.extend_from_slice(&[0; 4]);
    }

    /// Notes bytes that the host wrote to guest memory during the open entry.
    pub(crate) fn wrote(&mut self, at: u32, data: &[u8]) {
        if self.overflowed || self.bytes.len() + data.len() > MAX_BYTES {
            self.overflowed = true;
            self.bytes = Vec::new();
            return;
        }
        let count = u16::from_le_bytes([self.bytes[self.open + 2], self.bytes[self.open + 3]])
            .wrapping_add(1);
        self.bytes[self.open + 2..self.open + 4].copy_from_slice(&count.to_le_bytes());
        self.bytes.extend_from_slice(&at.to_le_bytes());
        self.bytes
            .extend_from_slice(&(data.len() as u32).to_le_bytes());
        self.bytes.extend_from_slice(data);
    }

    /// Closes the open entry with the call's return value.
    pub(crate) fn end(&mut self, result: u16) {
        if self.overflowed {
            return;
        }
        self.bytes[self.open..self.open + 2].copy_from_slice(&result.to_le_bytes());
    }

    /// A place to return to with [`CallLog::forget_since`].
    pub(crate) fn mark(&self) -> usize {
        self.bytes.len()
    }

    /// Forgets the entries since a mark.
    pub(crate) fn forget_since(&mut self, mark: usize) {
        self.bytes.truncate(mark);
    }

    /// Whether answers come from the log.
    pub(crate) fn is_replaying(&self) -> bool {
        self.replaying
    }

    /// Answers a call from the log: applies the host's writes to `memory` and returns the return value. `None` where
    /// the guest did not do what it did the first time.
    pub(crate) fn replay(&mut self, function: u8, memory: &mut [u8]) -> Option<u16> {
        let result = self.next_entry(function, memory);
        self.diverged |= result.is_none();
        result
    }

    fn next_entry(&mut self, function: u8, memory: &mut [u8]) -> Option<u16> {
        let mut rest = self.bytes.get(self.position..)?;
        let mut take = |len: usize| -> Option<&[u8]> {
            let (head, tail) = rest.split_at_checked(len)?;
            rest = tail;
            Some(head)
        };
        let header = take(5)?;
        if header[0] != function {
            return None;
        }
        let result = u16::from_le_bytes([header[1], header[2]]);
        let writes = u16::from_le_bytes([header[3], header[4]]);
        for _ in 0..writes {
            let place = take(8)?;
            let at = u32::from_le_bytes(place[..4].try_into().ok()?) as usize;
            let len = u32::from_le_bytes(place[4..].try_into().ok()?) as usize;
            memory.get_mut(at..at + len)?.copy_from_slice(take(len)?);
        }
        self.position = self.bytes.len() - rest.len();
        Some(result)
    }

    /// A log that answers with what `self` holds.
    fn for_replay(&self) -> Self {
        Self {
            bytes: self.bytes.clone(),
            replaying: true,
            ..Self::default()
        }
    }

    /// Whether a replay used up the log and nothing else.
    pub(crate) fn replayed_exactly(&self) -> bool {
        !self.diverged && self.position == self.bytes.len()
    }
}

/// One request that the guest has answered.
pub(crate) struct Entry {
    request: Vec<u8>,
    log: CallLog,
    reply: [u8; 32],
}

impl Entry {
    /// The request, and the log to answer the guest's calls from.
    pub(crate) fn replay(&self) -> (&[u8], CallLog) {
        (&self.request, self.log.for_replay())
    }

    /// Whether the guest answered as it did the first time.
    pub(crate) fn same_reply(&self, reply: &[u8]) -> bool {
        digest(reply) == self.reply
    }
}

/// The requests since the last snapshot.
#[derive(Default)]
pub(crate) struct Journal {
    entries: Vec<Entry>,
    bytes: usize,
    cost: Duration,
    unrepeatable: bool,
}

impl Journal {
    /// Adds a request that ran to its reply.
    pub(crate) fn push(&mut self, request: Vec<u8>, log: CallLog, reply: &[u8], cost: Duration) {
        self.bytes += request.len() + log.bytes.len();
        self.cost += cost;
        self.unrepeatable |= log.overflowed;
        self.entries.push(Entry {
            request,
            log,
            reply: digest(reply),
        });
    }

    /// Notes that the last request cannot be run again, as after an interrupt, which came at no repeatable place.
    pub(crate) fn set_unrepeatable(&mut self) {
        self.unrepeatable = true;
    }

    /// Whether a snapshot should take the journal's place now, given what the last snapshot cost.
    pub(crate) fn wants_snapshot(&self, snapshot_cost: Duration) -> bool {
        self.unrepeatable
            || self.bytes > MAX_BYTES
            || self.cost > MIN_REPLAY.max(snapshot_cost * REPLAY_FACTOR)
    }

    /// The requests, oldest first.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Forgets everything, after a snapshot.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}

fn digest(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}
