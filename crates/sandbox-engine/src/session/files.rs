//! A session's files, as its owner sees them from outside.

use super::Session;
use crate::error::Result;
use crate::fs::FileInfo;
use crate::host::Host;

impl Session {
    /// Writes a file of the workspace, with the folders above it. Relative paths start at `/mnt/data`.
    ///
    /// # Errors
    /// [`Error::File`](crate::Error::File) where the path or a quota does not allow it, or the session's memory limit;
    /// nothing was written then.
    pub fn put(&mut self, path: &str, content: &[u8]) -> Result<()> {
        let host = self.host_side_to_fill()?;
        host.files.write_file(path, content, host.clock.wall())
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`Error::File`](crate::Error::File).
    pub fn get(&mut self, path: &str) -> Result<Vec<u8>> {
        self.host_side()?.files.read_file(path)
    }

    /// Lists a folder and the folders in it, with sizes and times. Of a mount it takes as long as there is much in it.
    ///
    /// # Errors
    /// [`Error::File`](crate::Error::File), also where the list takes more than the session's memory limit.
    pub fn list(&mut self, path: &str) -> Result<Vec<FileInfo>> {
        self.host_side()?.files.list(path)
    }

    /// Removes a file, or a folder with all that is in it.
    ///
    /// # Errors
    /// [`Error::File`](crate::Error::File).
    pub fn remove(&mut self, path: &str) -> Result<()> {
        let host = self.host_side()?;
        host.files.remove(path, host.clock.wall())
    }

    pub(super) fn host_side(&mut self) -> Result<&mut Host> {
        pollster::block_on(self.recover())?;
        let host = self.live()?.host_mut();
        host.files.set_memory(host.limits.memory.bytes());
        Ok(host)
    }

    /// As [`Session::host_side`], for adding files: they may take what the interpreter and the rest leave of the memory
    /// limit.
    pub(super) fn host_side_to_fill(&mut self) -> Result<&mut Host> {
        let host = self.host_side()?;
        host.files.set_memory(host.files.host_bytes() + host.room());
        Ok(host)
    }
}
