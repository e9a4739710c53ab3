//! What a session adds to the host's disk through its mounts, and the quotas on that.
//!
//! What lay in a mount before is the host's: removing it earns nothing. What the session itself adds counts, and comes
//! back when the session takes it away again. Sizes are what counts, so holes count like bytes.
//!
//! Nothing here is part of a snapshot. A cell that is undone leaves its files in a mount, and so their count.

use super::Result;
use crate::wasi::errno::Errno;
use std::collections::BTreeMap;
use std::fs::File;
use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What tells a file from all others on the host: its device and its number there.
pub(super) type FileId = (u64, u64);

/// More files than this are not remembered beyond their last descriptor: what was added to them stays counted.
const MAX_KNOWN: usize = 1 << 16;
/// What remembering a file costs the host's memory, about.
const KNOWN_COST: u64 = 96;

/// What one session added to all of its mounts. A clone is the same one, not a copy of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct DiskUse(Arc<Mutex<Ledger>>);

#[derive(Debug, Default)]
struct Ledger {
    /// Folders that are mounted. One that is mounted twice is here once.
    accounts: Vec<(FileId, Usage)>,
    /// Files that are open, and those that something was added to or taken from.
    files: BTreeMap<FileId, Known>,
}

/// What was added below one folder.
#[derive(Debug, Default)]
struct Usage {
    bytes: u64,
    names: u64,
}

/// What is known of a file or folder.
#[derive(Debug)]
struct Known {
    /// Which account it counts towards.
    account: usize,
    /// Descriptors: a file that has lost its names stays on disk until the last one is closed.
    open: u32,
    /// Bytes that the session added.
    added: u64,
    /// Bytes of the host's that the session cut off. It may put as many back.
    cut: u64,
    /// Names that the session made.
    names: u64,
}

/// A mount's part in it, and its quotas.
#[derive(Debug)]
pub(super) struct Account {
    disk_use: DiskUse,
    index: usize,
    /// Bytes that may be added.
    bytes: AtomicU64,
    /// Names that may be added.
    names: AtomicU64,
}

impl DiskUse {
    /// The account for a mounted folder.
    pub(super) fn account(&self, folder: FileId, bytes: u64, names: u64) -> Account {
        let mut ledger = self.ledger();
        let accounts = &mut ledger.accounts;
        let index = accounts.iter().position(|(known, _)| *known == folder);
        let index = index.unwrap_or_else(|| {
            accounts.push((folder, Usage::default()));
            accounts.len() - 1
        });
        Account {
            disk_use: self.clone(),
            index,
            bytes: AtomicU64::new(bytes),
            names: AtomicU64::new(names),
        }
    }

    /// What it costs the host's memory, about.
    pub(super) fn host_bytes(&self) -> u64 {
        self.ledger().files.len() as u64 * KNOWN_COST
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Account {
    /// Other quotas from now on. What was added stays counted, however much it is.
    pub(super) fn set_quotas(&self, bytes: u64, names: u64) {
        self.bytes.store(bytes, Ordering::Relaxed);
        self.names.store(names, Ordering::Relaxed);
    }

    /// Bytes and names that were added.
    #[cfg(test)]
    pub(super) fn used(&self) -> (u64, u64) {
        let ledger = self.disk_use.ledger();
        let usage = &ledger.accounts[self.index].1;
        (usage.bytes, usage.names)
    }

    /// Whether one more name may be made. `EDQUOT` where not.
    pub(super) fn check_names(&self) -> Result<()> {
        if self.disk_use.ledger().accounts[self.index].1.names < self.names.load(Ordering::Relaxed)
        {
            Ok(())
        } else {
            Err(Errno::Dquot)
        }
    }

    /// A name was made for a file or folder.
    pub(super) fn named(&self, id: FileId) {
        let mut ledger = self.disk_use.ledger();
        ledger.accounts[self.index].1.names += 1;
        if let Some(known) = known(&mut ledger.files, id, self.index) {
            known.names += 1;
        }
    }

    /// A name was removed; the file's only one where `is_last`.
    pub(super) fn unnamed(&self, id: FileId, is_last: bool) {
        let mut ledger = self.disk_use.ledger();
        if let Some(known) = ledger.files.get_mut(&id)
            && known.names > 0
        {
            known.names -= 1;
            let usage = &mut ledger.accounts[self.index].1;
            // Where mounts overlap, it may have been made through another one, where it stays counted.
            usage.names = usage.names.saturating_sub(1);
        }
        ledger.settle(id, || is_last);
    }

    /// Whether anything is known of a file.
    pub(super) fn knows(&self, id: FileId) -> bool {
        self.disk_use.ledger().files.contains_key(&id)
    }

    /// A file that was opened.
    pub(super) fn opened(&self, file: File, id: FileId) -> OpenFile {
        let mut ledger = self.disk_use.ledger();
        // Always remembered: there are only as many as there may be descriptors.
        let known = ledger.files.entry(id);
        known.or_insert_with(|| Known::new(self.index)).open += 1;
        drop(ledger);
        OpenFile {
            file,
            id,
            disk_use: self.disk_use.clone(),
        }
    }

    /// Writes what there is room for. `size` is the file's before, `write` writes so many bytes and says how many it
    /// did. `ENOSPC` where nothing fits.
    pub(super) fn write(
        &self,
        id: FileId,
        size: u64,
        offset: u64,
        len: usize,
        write: impl FnOnce(usize) -> Result<usize>,
    ) -> Result<usize> {
        let mut ledger = self.disk_use.ledger();
        let most = size.saturating_add(ledger.room(id, self));
        let end = offset.saturating_add(len as u64).min(most);
        let fits = end.saturating_sub(offset) as usize;
        if fits == 0 && len > 0 {
            return Err(Errno::Nospc);
        }
        let written = write(fits)?;
        if written > 0 {
            let end = offset.saturating_add(written as u64);
            ledger.resized(id, self.index, size, size.max(end));
        }
        Ok(written)
    }

    /// Gives a file another size. `ENOSPC` where there is no room for it.
    pub(super) fn resize(
        &self,
        id: FileId,
        (old, new): (u64, u64),
        resize: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let mut ledger = self.disk_use.ledger();
        if new.saturating_sub(old) > ledger.room(id, self) {
            return Err(Errno::Nospc);
        }
        resize()?;
        ledger.resized(id, self.index, old, new);
        Ok(())
    }
}

impl Known {
    fn new(account: usize) -> Self {
        Self {
            account,
            open: 0,
            added: 0,
            cut: 0,
            names: 0,
        }
    }
}

impl Ledger {
    /// How many bytes a file may grow by.
    fn room(&self, id: FileId, by: &Account) -> u64 {
        let known = self.files.get(&id);
        let account = known.map_or(by.index, |known| known.account);
        let left = by
            .bytes
            .load(Ordering::Relaxed)
            .saturating_sub(self.accounts[account].1.bytes);
        left.saturating_add(known.map_or(0, |known| known.cut))
    }

    /// The session gave a file another size.
    fn resized(&mut self, id: FileId, account: usize, old: u64, new: u64) {
        let Some(known) = known(&mut self.files, id, account) else {
            let usage = &mut self.accounts[account].1;
            usage.bytes += new.saturating_sub(old);
            return;
        };
        let usage = &mut self.accounts[known.account].1;
        if new > old {
            let more = new - old;
            let back = more.min(known.cut);
            known.cut -= back;
            known.added += more - back;
            usage.bytes += more - back;
        } else {
            let less = old - new;
            let own = less.min(known.added);
            known.added -= own;
            usage.bytes -= own;
            known.cut += less - own;
        }
    }

    /// Gives back what was added to a file that is neither open nor has a name, and forgets what says nothing.
    fn settle(&mut self, id: FileId, is_gone: impl FnOnce() -> bool) {
        let Some(known) = self.files.get(&id).filter(|known| known.open == 0) else {
            return;
        };
        let says_nothing = known.added == 0 && known.cut == 0 && known.names == 0;
        let is_gone = !says_nothing && is_gone();
        if is_gone {
            let usage = &mut self.accounts[known.account].1;
            usage.bytes -= known.added;
            usage.names = usage.names.saturating_sub(known.names);
        }
        if says_nothing || is_gone || self.files.len() > MAX_KNOWN {
            self.files.remove(&id);
        }
    }
}

/// What is known of a file, to be changed. `None` where no more files are remembered.
fn known(files: &mut BTreeMap<FileId, Known>, id: FileId, account: usize) -> Option<&mut Known> {
    if files.len() >= MAX_KNOWN && !files.contains_key(&id) {
        return None;
    }
    Some(files.entry(id).or_insert_with(|| Known::new(account)))
}

/// An open file of a mount.
#[derive(Debug)]
pub(super) struct OpenFile {
    file: File,
    id: FileId,
    disk_use: DiskUse,
}

impl OpenFile {
    pub(super) fn id(&self) -> FileId {
        self.id
    }
}

impl Deref for OpenFile {
    type Target = File;

    fn deref(&self) -> &File {
        &self.file
    }
}

impl Drop for OpenFile {
    fn drop(&mut self) {
        let mut ledger = self.disk_use.ledger();
        if let Some(known) = ledger.files.get_mut(&self.id) {
            known.open = known.open.saturating_sub(1);
        }
        ledger.settle(self.id, || super::native::has_no_name(&self.file));
    }
}
