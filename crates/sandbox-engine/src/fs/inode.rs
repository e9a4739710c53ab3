//! One file, folder or link of the session's own tree.

use super::content::Content;
use super::node::FileKind;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The number of a file or folder. It is never used again within a session.
pub(super) type Ino = u64;

/// What a file or folder costs the host beside its content and names, about.
const NODE_COST: u64 = 256;

/// One file, folder or link.
#[derive(Debug, Clone)]
pub(super) struct Inode {
    pub(super) body: Body,
    /// Names that lead here. At 0 it lives on while it is open.
    pub(super) nlink: u64,
    pub(super) atim: u64,
    pub(super) mtim: u64,
    pub(super) ctim: u64,
}

/// What makes files, folders and links different.
#[derive(Debug, Clone)]
pub(super) enum Body {
    File(Content),
    Folder(Folder),
    Link(Arc<[u8]>),
}

/// A folder's names, in the order of their bytes.
#[derive(Debug, Clone, Default)]
pub(super) struct Folder {
    pub(super) entries: BTreeMap<Arc<[u8]>, Ino>,
    pub(super) parent: Ino,
    /// Part of the sandbox's structure: its entries cannot be changed.
    pub(super) fixed: bool,
    /// The mount that covers it.
    pub(super) mount: Option<usize>,
}

impl Body {
    pub(super) fn kind(&self) -> FileKind {
        match self {
            Self::File(_) => FileKind::File,
            Self::Folder(_) => FileKind::Folder,
            Self::Link(_) => FileKind::Link,
        }
    }

    pub(super) fn folder(parent: Ino) -> Self {
        Self::Folder(Folder {
            parent,
            ..Folder::default()
        })
    }

    /// Bytes as the quota counts them.
    pub(super) fn size(&self) -> u64 {
        match self {
            Self::File(content) => content.len(),
            Self::Folder(_) => 0,
            Self::Link(target) => target.len() as u64,
        }
    }

    /// Bytes of host memory.
    pub(super) fn held(&self) -> u64 {
        NODE_COST
            + match self {
                Self::File(content) => content.held(),
                Self::Folder(_) => 0,
                Self::Link(target) => target.len() as u64,
            }
    }
}
