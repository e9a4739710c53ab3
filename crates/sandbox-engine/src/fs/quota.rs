//! The quotas on a session's own files.

use crate::policy::Limits;

/// How much a session may keep.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Quota {
    /// Bytes of all files together.
    pub(super) bytes: u64,
    /// Bytes of one file.
    pub(super) file: u64,
    /// Names of files and folders.
    pub(super) names: u64,
    /// Folders one inside another.
    pub(super) depth: u32,
    /// Bytes that the host may hold.
    pub(super) memory: u64,
}

impl From<&Limits> for Quota {
    fn from(limits: &Limits) -> Self {
        Self {
            bytes: limits.workspace.bytes(),
            file: limits.file_size.bytes(),
            names: limits.files,
            depth: limits.path_depth,
            memory: limits.memory.bytes(),
        }
    }
}
