//! The descriptor table of a session. A value: a copy of it, with a copy of the file system, is the state of all open
//! files.

use crate::fs::{FileKind, FileSystem, Listing, Node};
use crate::output::Stream;
use crate::wasi::errno::Errno;
use std::sync::Arc;

/// Standard input, output, error and the root folder are always there first.
pub(crate) const ROOT: u32 = 3;

/// What a descriptor stands for.
#[derive(Debug, Clone)]
pub(crate) enum Target {
    Stdin,
    Output(Stream),
    Node(Node),
}

/// An open descriptor.
#[derive(Debug, Clone)]
pub(crate) struct Descriptor {
    pub(crate) target: Target,
    pub(crate) offset: u64,
    pub(crate) read: bool,
    pub(crate) write: bool,
    pub(crate) append: bool,
    /// The entries of a folder, as they were when somebody began to list them.
    pub(crate) listing: Option<Arc<Listing>>,
}

impl Descriptor {
    pub(crate) fn new(target: Target, read: bool, write: bool, append: bool) -> Self {
        Self {
            target,
            offset: 0,
            read,
            write,
            append,
            listing: None,
        }
    }

    /// The file or folder.
    pub(crate) fn node(&self) -> Result<&Node, Errno> {
        match &self.target {
            Target::Node(node) => Ok(node),
            _ => Err(Errno::Spipe),
        }
    }

    /// The folder.
    pub(crate) fn folder(&self) -> Result<&Node, Errno> {
        match &self.target {
            Target::Node(node) if node.kind() == FileKind::Folder => Ok(node),
            _ => Err(Errno::Notdir),
        }
    }
}

/// All open descriptors by number.
#[derive(Debug, Clone)]
pub(crate) struct Descriptors {
    entries: Vec<Option<Descriptor>>,
    limit: usize,
}

impl Descriptors {
    /// A table with standard input, output, error and the root folder.
    pub(crate) fn new(limit: u32) -> Self {
        let mut table = Self {
            entries: vec![None; ROOT as usize + 1],
            limit: limit as usize,
        };
        table.restore_standard();
        table
    }

    /// Has at most so many open from now on. Those that are open stay so.
    pub(crate) fn set_limit(&mut self, limit: u32) {
        self.limit = limit as usize;
    }

    /// Opens standard input, output, error and the root folder again where the guest closed or replaced them.
    pub(crate) fn restore_standard(&mut self) {
        let standard = [
            Descriptor::new(Target::Stdin, true, false, false),
            Descriptor::new(Target::Output(Stream::Stdout), false, true, false),
            Descriptor::new(Target::Output(Stream::Stderr), false, true, false),
            Descriptor::new(Target::Node(FileSystem::root()), true, false, false),
        ];
        for (entry, standard) in self.entries.iter_mut().zip(standard) {
            if entry.is_none() {
                *entry = Some(standard);
            }
        }
    }

    pub(crate) fn get(&self, number: u32) -> Result<&Descriptor, Errno> {
        self.entries
            .get(number as usize)
            .and_then(Option::as_ref)
            .ok_or(Errno::Badf)
    }

    pub(crate) fn get_mut(&mut self, number: u32) -> Result<&mut Descriptor, Errno> {
        self.entries
            .get_mut(number as usize)
            .and_then(Option::as_mut)
            .ok_or(Errno::Badf)
    }

    /// What the listings that are being read cost the host's memory, about.
    pub(crate) fn host_bytes(&self) -> u64 {
        self.entries
            .iter()
            .flatten()
            .filter_map(|descriptor| descriptor.listing.as_ref())
            .map(|listing| listing.host_bytes())
            .sum()
    }

    /// Whether one more may be opened.
    pub(crate) fn room(&self) -> Result<(), Errno> {
        if self.entries.iter().flatten().count() < self.limit {
            Ok(())
        } else {
            Err(Errno::Mfile)
        }
    }

    /// Puts a descriptor at the lowest free number.
    pub(crate) fn insert(&mut self, descriptor: Descriptor) -> Result<u32, Errno> {
        self.room()?;
        let free = self
            .entries
            .iter()
            .position(Option::is_none)
            .unwrap_or(self.entries.len());
        if free == self.entries.len() {
            self.entries.push(None);
        }
        self.entries[free] = Some(descriptor);
        Ok(free as u32)
    }

    pub(crate) fn remove(&mut self, number: u32) -> Result<Descriptor, Errno> {
        self.entries
            .get_mut(number as usize)
            .and_then(Option::take)
            .ok_or(Errno::Badf)
    }

    /// Moves a descriptor to another open one's number and returns what was there.
    pub(crate) fn renumber(&mut self, from: u32, to: u32) -> Result<Option<Descriptor>, Errno> {
        self.get(to)?;
        self.get(from)?;
        if from == to {
            return Ok(None);
        }
        let moved = self.remove(from)?;
        Ok(self.entries[to as usize].replace(moved))
    }
}
