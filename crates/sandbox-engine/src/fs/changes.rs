//! What a run did to the session's own files, found by comparing two snapshots.

use super::FileSystem;
use super::inode::{Body, Ino};
use super::tree::{ROOT, Tree};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// More paths than this are only counted.
const MAX_PATHS: usize = 1000;

/// Files of workspace and scratch space that a run created, changed or deleted; folders are not listed, and neither is
/// what happened in mounts. A file that was moved is deleted at the one place and created at the other.
///
/// Paths are absolute inside the sandbox and in the order of their bytes, with U+FFFD in place of what is not UTF-8.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FileChanges {
    /// Files and links that were not there before.
    pub created: Vec<String>,
    /// Files with other content, links with another target.
    pub changed: Vec<String>,
    /// Files and links that are there no more.
    pub deleted: Vec<String>,
    /// How many more there are: at most a thousand paths are kept.
    pub omitted: u64,
}

impl FileChanges {
    /// Whether no file is different.
    pub fn is_empty(&self) -> bool {
        self.created.is_empty() && self.changed.is_empty() && self.deleted.is_empty()
    }
}

impl FileSystem {
    /// What is different from an earlier snapshot of the same file system. Costs nothing where nothing is.
    pub(crate) fn changes_since(&self, before: &Self) -> FileChanges {
        let mut changes = Changes {
            before: &before.tree,
            after: &self.tree,
            found: FileChanges::default(),
        };
        if !self.tree.is_same(&before.tree) {
            changes.compare(Some(ROOT), Some(ROOT), &mut Vec::new());
        }
        changes.found
    }
}

struct Changes<'a> {
    before: &'a Tree,
    after: &'a Tree,
    found: FileChanges,
}

impl Changes<'_> {
    /// Compares what a path stood for with what it stands for. Folders are at most as deep as the policy allows.
    fn compare(&mut self, old: Option<Ino>, new: Option<Ino>, path: &mut Vec<u8>) {
        let (old, new) = (body(self.before, old), body(self.after, new));
        let is_file = |body: Option<&Body>| matches!(body, Some(Body::File(_) | Body::Link(_)));
        let same = match (old, new) {
            (Some(Body::File(old)), Some(Body::File(new))) => old.is_same(new),
            (Some(Body::Link(old)), Some(Body::Link(new))) => old == new,
            _ => false,
        };
        match (is_file(old), is_file(new)) {
            (true, true) if !same => self.note(path, |found| &mut found.changed),
            (true, false) => self.note(path, |found| &mut found.deleted),
            (false, true) => self.note(path, |found| &mut found.created),
            _ => {}
        }
        let (old, new) = (entries(old), entries(new));
        let names: BTreeSet<_> = old.keys().chain(new.keys()).collect();
        for name in names {
            let len = path.len();
            path.push(b'/');
            path.extend_from_slice(name);
            self.compare(old.get(name).copied(), new.get(name).copied(), path);
            path.truncate(len);
        }
    }

    fn note(&mut self, path: &[u8], list: fn(&mut FileChanges) -> &mut Vec<String>) {
        let found = &mut self.found;
        if found.created.len() + found.changed.len() + found.deleted.len() >= MAX_PATHS {
            found.omitted += 1;
            return;
        }
        list(found).push(String::from_utf8_lossy(path).into_owned());
    }
}

fn body(tree: &Tree, ino: Option<Ino>) -> Option<&Body> {
    Some(&tree.get(ino?).ok()?.body)
}

/// A folder's names; none for anything else.
fn entries(body: Option<&Body>) -> &BTreeMap<Arc<[u8]>, Ino> {
    static NONE: BTreeMap<Arc<[u8]>, Ino> = BTreeMap::new();
    match body {
        Some(Body::Folder(folder)) => &folder.entries,
        _ => &NONE,
    }
}
