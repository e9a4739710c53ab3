//! The session's own files and folders, in the host's memory, and the quotas on them.

use super::Result;
use super::content::Content;
use super::inode::{Body, Folder, Ino, Inode};
use super::node::{FileKind, Stat};
use super::quota::Quota;
use super::table::Table;
use crate::wasi::errno::Errno;
use std::collections::BTreeMap;
use std::sync::Arc;

/// `/`.
pub(super) const ROOT: Ino = 1;

/// What a name costs beside its bytes, about.
const NAME_COST: u64 = 64;

/// All of a session's own files. A clone is a snapshot.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    inodes: Table<Inode>,
    /// How many descriptors each open file has.
    open: BTreeMap<Ino, u32>,
    pub(super) quota: Quota,
    /// Sizes of all files and links, those included that have no name any more but are open.
    pub(super) bytes: u64,
    /// Names, and files without one that are open.
    pub(super) names: u64,
    /// Bytes of host memory.
    pub(super) held: u64,
}

impl Tree {
    /// A tree of the root alone, which is fixed.
    pub(super) fn new() -> Self {
        let mut inodes = Table::new(ROOT);
        let body = Body::Folder(Folder {
            parent: ROOT,
            fixed: true,
            ..Folder::default()
        });
        let held = body.held();
        inodes.insert(Inode {
            body,
            nlink: 1,
            atim: 0,
            mtim: 0,
            ctim: 0,
        });
        Self {
            inodes,
            open: BTreeMap::new(),
            // Until the limits are known.
            quota: Quota::default(),
            bytes: 0,
            names: 0,
            held,
        }
    }

    /// A folder that is there from the start and counts towards no quota.
    pub(super) fn add_base(&mut self, parent: Ino, name: &[u8], fixed: bool) -> Result<Ino> {
        let body = Body::Folder(Folder {
            parent,
            fixed,
            ..Folder::default()
        });
        self.held += body.held() + name_cost(name);
        let ino = self.inodes.insert(Inode {
            body,
            nlink: 1,
            atim: 0,
            mtim: 0,
            ctim: 0,
        });
        self.folder_mut(parent)?.entries.insert(name.into(), ino);
        Ok(ino)
    }

    /// Whether nothing was changed in either since the one was cloned from the other.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.inodes.is_same(&other.inodes)
    }

    pub(super) fn get(&self, ino: Ino) -> Result<&Inode> {
        self.inodes.get(ino).ok_or(Errno::Noent)
    }

    pub(super) fn get_mut(&mut self, ino: Ino) -> Result<&mut Inode> {
        self.inodes.get_mut(ino).ok_or(Errno::Noent)
    }

    pub(super) fn folder(&self, ino: Ino) -> Result<&Folder> {
        match &self.get(ino)?.body {
            Body::Folder(folder) => Ok(folder),
            _ => Err(Errno::Notdir),
        }
    }

    pub(super) fn folder_mut(&mut self, ino: Ino) -> Result<&mut Folder> {
        match &mut self.get_mut(ino)?.body {
            Body::Folder(folder) => Ok(folder),
            _ => Err(Errno::Notdir),
        }
    }

    pub(super) fn content(&self, ino: Ino) -> Result<&Content> {
        match &self.get(ino)?.body {
            Body::File(content) => Ok(content),
            Body::Folder(_) => Err(Errno::Isdir),
            Body::Link(_) => Err(Errno::Inval),
        }
    }

    pub(super) fn stat(&self, ino: Ino) -> Result<Stat> {
        let inode = self.get(ino)?;
        Ok(Stat {
            kind: inode.body.kind(),
            size: inode.body.size(),
            nlink: inode.nlink,
            ino,
            dev: 1,
            atim: inode.atim,
            mtim: inode.mtim,
            ctim: inode.ctim,
        })
    }

    /// How many folders lie between a folder and the root, itself included.
    pub(super) fn depth(&self, mut ino: Ino) -> Result<u32> {
        let mut depth = 0;
        while ino != ROOT {
            ino = self.folder(ino)?.parent;
            depth += 1;
        }
        Ok(depth)
    }

    /// How many folders lie one inside another from a folder on, itself included.
    pub(super) fn height(&self, ino: Ino) -> Result<u32> {
        let mut highest = 0;
        let mut pending = vec![(ino, 1)];
        while let Some((ino, height)) = pending.pop() {
            if let Body::Folder(folder) = &self.get(ino)?.body {
                highest = highest.max(height);
                pending.extend(folder.entries.values().map(|&child| (child, height + 1)));
            }
        }
        Ok(highest)
    }

    /// Whether a folder is another one or lies somewhere in it.
    pub(super) fn is_within(&self, mut ino: Ino, ancestor: Ino) -> Result<bool> {
        while ino != ancestor {
            if ino == ROOT {
                return Ok(false);
            }
            ino = self.folder(ino)?.parent;
        }
        Ok(true)
    }

    /// Whether a folder takes new names and gives up old ones.
    pub(super) fn check_writable(&self, folder: Ino) -> Result<()> {
        let inode = self.get(folder)?;
        if self.folder(folder)?.fixed {
            return Err(Errno::Rofs);
        }
        // It was removed while it was open.
        if inode.nlink == 0 {
            Err(Errno::Noent)
        } else {
            Ok(())
        }
    }

    /// Makes something new under a name that is free.
    pub(super) fn create(&mut self, folder: Ino, name: &[u8], body: Body, now: u64) -> Result<Ino> {
        self.check_writable(folder)?;
        self.check_names()?;
        if body.kind() == FileKind::Folder && self.depth(folder)? >= self.quota.depth {
            return Err(Errno::Nametoolong);
        }
        if body.size() > self.room() {
            return Err(Errno::Nospc);
        }
        self.bytes += body.size();
        self.held += body.held();
        let ino = self.inodes.insert(Inode {
            body,
            nlink: 0,
            atim: now,
            mtim: now,
            ctim: now,
        });
        self.attach(folder, name, ino, now)?;
        Ok(ino)
    }

    /// Gives something one more name, which must be free.
    pub(super) fn link(&mut self, folder: Ino, name: &[u8], ino: Ino, now: u64) -> Result<()> {
        self.check_writable(folder)?;
        self.check_names()?;
        self.attach(folder, name, ino, now)
    }

    /// Takes a name away, and what it stood for with the last one unless it is open.
    pub(super) fn unlink(&mut self, folder: Ino, name: &[u8], now: u64) -> Result<()> {
        let ino = self.detach(folder, name, now)?;
        if self.get(ino)?.nlink == 0 {
            if self.open.contains_key(&ino) {
                // A file that is open without a name counts like one that has a name.
                self.names += 1;
            } else {
                self.free(ino);
            }
        }
        Ok(())
    }

    /// Moves a name to another place, where nothing is.
    pub(super) fn move_name(
        &mut self,
        from: (Ino, &[u8]),
        to: (Ino, &[u8]),
        now: u64,
    ) -> Result<()> {
        let ino = self.detach(from.0, from.1, now)?;
        if let Body::Folder(folder) = &mut self.get_mut(ino)?.body {
            folder.parent = to.0;
        }
        self.attach(to.0, to.1, ino, now)
    }

    /// Writes as much as the quotas leave room for.
    pub(super) fn write(&mut self, ino: Ino, offset: u64, data: &[u8], now: u64) -> Result<usize> {
        let len = self.content(ino)?.len();
        let end = offset.saturating_add(data.len() as u64);
        let allowed = self
            .quota
            .file
            .min(len.saturating_add(self.room()))
            .max(len);
        let n = end.min(allowed).saturating_sub(offset) as usize;
        if n == 0 {
            return if data.is_empty() {
                Ok(0)
            } else {
                Err(self.full(offset.saturating_add(1)))
            };
        }
        self.change(ino, now, |content| content.write(offset, &data[..n]))?;
        Ok(n)
    }

    /// Cuts a file or lengthens it with a hole.
    pub(super) fn set_size(&mut self, ino: Ino, size: u64, now: u64) -> Result<()> {
        let len = self.content(ino)?.len();
        if size > len && (size > self.quota.file || size - len > self.room()) {
            return Err(self.full(size));
        }
        self.change(ino, now, |content| content.set_len(size))
    }

    /// Counts one more descriptor.
    pub(super) fn retain(&mut self, ino: Ino) {
        *self.open.entry(ino).or_default() += 1;
    }

    /// Counts one descriptor less.
    pub(super) fn release(&mut self, ino: Ino) {
        let Some(count) = self.open.get_mut(&ino) else {
            return;
        };
        *count -= 1;
        if *count > 0 {
            return;
        }
        self.open.remove(&ino);
        if self.get(ino).is_ok_and(|inode| inode.nlink == 0) {
            self.names -= 1;
            self.free(ino);
        }
    }

    fn attach(&mut self, folder: Ino, name: &[u8], ino: Ino, now: u64) -> Result<()> {
        let inode = self.get_mut(ino)?;
        inode.nlink += 1;
        inode.ctim = now;
        self.entries_mut(folder, now)?.insert(name.into(), ino);
        self.names += 1;
        self.held += name_cost(name);
        Ok(())
    }

    fn detach(&mut self, folder: Ino, name: &[u8], now: u64) -> Result<Ino> {
        self.check_writable(folder)?;
        let ino = self
            .entries_mut(folder, now)?
            .remove(name)
            .ok_or(Errno::Noent)?;
        self.names -= 1;
        self.held -= name_cost(name);
        let inode = self.get_mut(ino)?;
        inode.nlink -= 1;
        inode.ctim = now;
        Ok(ino)
    }

    fn entries_mut(&mut self, folder: Ino, now: u64) -> Result<&mut BTreeMap<Arc<[u8]>, Ino>> {
        let inode = self.get_mut(folder)?;
        inode.mtim = now;
        inode.ctim = now;
        match &mut inode.body {
            Body::Folder(folder) => Ok(&mut folder.entries),
            _ => Err(Errno::Notdir),
        }
    }

    /// Changes a file's content and keeps the sums right.
    fn change(&mut self, ino: Ino, now: u64, change: impl FnOnce(&mut Content)) -> Result<()> {
        let inode = self.inodes.get_mut(ino).ok_or(Errno::Noent)?;
        let Body::File(content) = &mut inode.body else {
            return Err(Errno::Inval);
        };
        let (len, held) = (content.len(), content.held());
        change(content);
        self.bytes = self.bytes - len + content.len();
        self.held = self.held - held + content.held();
        inode.mtim = now;
        inode.ctim = now;
        Ok(())
    }

    fn free(&mut self, ino: Ino) {
        if let Some(inode) = self.inodes.get(ino) {
            self.bytes -= inode.body.size();
            self.held -= inode.body.held();
            self.inodes.remove(ino);
        }
    }

    /// How many bytes more there may be: by the quota, and by what the host may hold.
    fn room(&self) -> u64 {
        let bytes = self.quota.bytes.saturating_sub(self.bytes);
        bytes.min(self.quota.memory.saturating_sub(self.held))
    }

    /// Why a file cannot become this large.
    fn full(&self, size: u64) -> Errno {
        if size > self.quota.file {
            Errno::Fbig
        } else {
            Errno::Nospc
        }
    }

    fn check_names(&self) -> Result<()> {
        if self.names < self.quota.names {
            Ok(())
        } else {
            Err(Errno::Dquot)
        }
    }
}

fn name_cost(name: &[u8]) -> u64 {
    NAME_COST + name.len() as u64
}
