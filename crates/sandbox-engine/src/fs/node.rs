//! The values that the file system's operations take and give.

use super::inode::Ino;
use super::mount::Mounted;
use serde::Serialize;
use std::sync::Arc;

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FileKind {
    /// A file with content.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// Something in a mount that cannot be opened here: a device, a pipe, a socket.
    Other,
}

/// A file or folder as a listing shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FileInfo {
    /// The absolute path inside the sandbox, with U+FFFD in place of what is not UTF-8.
    pub path: String,
    /// What it is.
    pub kind: FileKind,
    /// Bytes of a file, holes included, or of the text of a link; 0 for folders.
    pub size: u64,
    /// When its content last changed, in nanoseconds since the Unix epoch.
    pub modified: u64,
}

/// A file or folder that a path led to. It stays valid while a descriptor that
/// [`open`](super::FileSystem::open) counted is there.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(super) kind: FileKind,
    pub(super) place: Place,
}

impl Node {
    /// What it is. A node never changes its kind.
    pub(crate) fn kind(&self) -> FileKind {
        self.kind
    }
}

/// Where a node lives.
#[derive(Debug, Clone)]
pub(super) enum Place {
    /// In the session's own tree.
    Memory(Ino),
    /// In a host folder.
    Mounted(Arc<Mounted>),
}

/// How to open. The default opens what is there, for nothing.
#[derive(Debug, Clone, Copy, Default)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "these are the flags of `open`"
)]
pub(crate) struct OpenOptions {
    /// Follow a symbolic link in the last place.
    pub(crate) follow: bool,
    /// Make a file where there is none.
    pub(crate) create: bool,
    /// With `create`: fail where something is there.
    pub(crate) exclusive: bool,
    /// Empty the file.
    pub(crate) truncate: bool,
    /// Fail where it is no folder.
    pub(crate) directory: bool,
    /// For reading.
    pub(crate) read: bool,
    /// For writing.
    pub(crate) write: bool,
}

/// What there is to know about a file. Times are nanoseconds since the Unix epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stat {
    pub(crate) kind: FileKind,
    pub(crate) size: u64,
    /// Names of it; 1 for a folder that has not been removed.
    pub(crate) nlink: u64,
    pub(crate) ino: u64,
    /// 1 is the session's own tree; mounts count on from 2.
    pub(crate) dev: u64,
    /// Last access. Reading does not change it here: only setting it does, and writing on the host's side.
    pub(crate) atim: u64,
    /// Last change of the content.
    pub(crate) mtim: u64,
    /// Last change of anything.
    pub(crate) ctim: u64,
}
