//! Many of a session's files in or out at once.

use super::Session;
use crate::error::Result;
use crate::fs::TarSummary;
use std::io::{Read, Write};

impl Session {
    /// Unpacks a tar archive into a folder, which is made where it is missing. Relative paths start at `/mnt/data`.
    ///
    /// The archive may come from anybody. It is read as it comes and never held as a whole, the session's quotas hold
    /// for what is in it, and nothing of the host's file system is touched. What it may hold: files, folders, symbolic
    /// and hard links, with names and times; owners and modes are left out. Files that are there already are replaced.
    /// An archive with anything else in it, with absolute paths or with `..` in them, or with an entry that would have
    /// to go through a symbolic link, is refused as a whole. So is one that lacks the mark of its end; what comes after
    /// that mark is not read.
    ///
    /// Compressed archives are the caller's to decode, by a reader around the reader. Such a reader should be read to
    /// its end afterwards where it checks a sum there.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let mut session = sandbox_engine::Engine::new()?
    /// #     .session(sandbox_engine::Language::Python, &sandbox_engine::Policy::default())?;
    /// let unpacked = session.put_tar("project", std::fs::File::open("project.tar")?)?;
    /// println!("{} files, {} bytes", unpacked.files, unpacked.bytes);
    /// session.run_blocking("import os; os.listdir('project')")?;
    /// session.get_tar("project", std::fs::File::create("changed.tar")?)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Archive`](crate::Error::Archive) where the archive is damaged, cut off or refused;
    /// [`Error::File`](crate::Error::File) where a path or a quota does not allow it, or the folder is a mount, which
    /// could not be put back; [`Error::Stream`](crate::Error::Stream) where the reader fails. The files are as they were
    /// before.
    pub fn put_tar(&mut self, path: &str, archive: impl Read) -> Result<TarSummary> {
        let host = self.host_side_to_fill()?;
        host.files.unpack_tar(path, archive, host.clock.wall())
    }

    /// Packs a folder with everything in it, or a single file, into a tar archive. Relative paths start at `/mnt/data`.
    ///
    /// Names in the archive start at the folder, and the same files always give the same archive: entries come by name,
    /// their owner is 0, their modes are 644 and 755. Times are exact. A file with several names is in it once, with
    /// hard links for the others; holes are written out. Mounts that lie in the folder are left out (pack them by their
    /// own paths), and so are devices, pipes and sockets in a mount. [`Session::put_tar`] and any `tar` program read it.
    ///
    /// # Errors
    /// [`Error::File`](crate::Error::File) where the path leads nowhere, or a file in a mount cannot be read or becomes
    /// shorter meanwhile; [`Error::Stream`](crate::Error::Stream) where the writer fails. What was written until then
    /// lacks the mark of the end.
    pub fn get_tar(&mut self, path: &str, archive: impl Write) -> Result<TarSummary> {
        self.host_side()?.files.pack_tar(path, archive)
    }
}
