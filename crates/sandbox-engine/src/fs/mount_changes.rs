//! What changes a host folder, and counts towards the quotas on it.

use super::Result;
use super::disk_use::{FileId, OpenFile};
use super::mount::{HostPath, OpenMount};
use super::native::{self, errno, file_id, kind, links, path_of};
use super::node::FileKind;
use crate::wasi::errno::Errno;
use cap_std::fs::Metadata;
use std::io;
use std::path::Path;

impl OpenMount {
    /// Writes to an open file what the quotas leave room for, of which `most` is the largest size of one file.
    pub(super) fn write_at(
        &self,
        file: &OpenFile,
        offset: u64,
        data: &[u8],
        most: u64,
    ) -> Result<usize> {
        self.check_writable()?;
        let fits = most.saturating_sub(offset).min(data.len() as u64) as usize;
        if fits == 0 && !data.is_empty() {
            return Err(Errno::Fbig);
        }
        let size = file.metadata().map_err(errno)?.len();
        let write = |fits| native::write_at(file, offset, &data[..fits]);
        self.account.write(file.id(), size, offset, fits, write)
    }

    /// Gives an open file another size, of which `most` is the largest.
    pub(super) fn set_size(&self, file: &OpenFile, size: u64, most: u64) -> Result<()> {
        self.check_writable()?;
        let old = file.metadata().map_err(errno)?.len();
        if size > most && size > old {
            return Err(Errno::Fbig);
        }
        let resize = || native::set_len(file, size);
        self.account.resize(file.id(), (old, size), resize)
    }

    pub(super) fn create_dir(&self, path: &[u8]) -> Result<()> {
        self.check_writable()?;
        self.account.check_names()?;
        self.dir.create_dir(path_of(path)?).map_err(errno)?;
        self.count_name(path);
        Ok(())
    }

    pub(super) fn remove_dir(&self, path: &[u8]) -> Result<()> {
        self.check_writable()?;
        let old = self.metadata(path);
        self.dir.remove_dir(path_of(path)?).map_err(errno)?;
        self.count_removed(old, path);
        Ok(())
    }

    pub(super) fn remove_file(&self, path: &[u8]) -> Result<()> {
        self.check_writable()?;
        let old = self.metadata(path);
        self.dir.remove_file(path_of(path)?).map_err(errno)?;
        self.count_removed(old, path);
        Ok(())
    }

    /// Removes a folder with everything in it.
    pub(super) fn remove_all(&self, path: &[u8]) -> Result<()> {
        self.check_writable()?;
        let known = self.known_below(path)?;
        self.dir.remove_dir_all(path_of(path)?).map_err(errno)?;
        for (id, is_last) in known {
            self.account.unnamed(id, is_last);
        }
        Ok(())
    }

    pub(super) fn rename(&self, from: &[u8], to: &[u8]) -> Result<()> {
        self.check_writable()?;
        let moved = self.metadata(from).map_err(errno)?;
        let old = self.metadata(to);
        self.dir
            .rename(path_of(from)?, &self.dir, path_of(to)?)
            .map_err(errno)?;
        // Two names of one file stay as they are.
        let is_same = |old: &Metadata| file_id(old, to) == file_id(&moved, from);
        if !old.as_ref().is_ok_and(is_same) {
            self.count_removed(old, to);
        }
        Ok(())
    }

    pub(super) fn hard_link(&self, from: &[u8], to: &[u8]) -> Result<()> {
        self.check_writable()?;
        self.account.check_names()?;
        self.dir
            .hard_link(path_of(from)?, &self.dir, path_of(to)?)
            .map_err(errno)?;
        self.count_name(to);
        Ok(())
    }

    /// Counts a name that was made.
    fn count_name(&self, path: &[u8]) {
        let id = self.metadata(path).map(|new| file_id(&new, path));
        // Where it is gone again, somebody on the host's side was quick. It stays counted.
        self.account.named(id.unwrap_or_default());
    }

    /// Gives back what a name counted that was removed, if it was there.
    fn count_removed(&self, old: io::Result<Metadata>, path: &[u8]) {
        if let Ok(old) = old {
            let is_last = links(&old, kind(old.file_type())) <= 1;
            self.account.unnamed(file_id(&old, path), is_last);
        }
    }

    /// What is below a folder and counts towards quotas, with itself.
    fn known_below(&self, path: &[u8]) -> Result<Vec<(FileId, bool)>> {
        let top = HostPath {
            mount: self.index,
            path: path.to_vec(),
        };
        let mut known = Vec::new();
        let mut pending = vec![top];
        while let Some(at) = pending.pop() {
            let Ok(metadata) = self.metadata(&at.path) else {
                continue;
            };
            let (id, kind) = (file_id(&metadata, &at.path), kind(metadata.file_type()));
            if self.account.knows(id) {
                known.push((id, links(&metadata, kind) <= 1));
            }
            if kind == FileKind::Folder {
                for entry in self.entries(&at.path)? {
                    pending.push(at.join(&entry?.name));
                }
            }
        }
        Ok(known)
    }

    /// Makes a symbolic link that leads downwards only. Any other could lead a program on the host, which knows nothing
    /// of mounts, out of the folder; now, or after the link is moved.
    pub(super) fn symlink(&self, target: &[u8], path: &[u8]) -> Result<()> {
        self.check_writable()?;
        if target.starts_with(b"/") || target.split(|&byte| byte == b'/').any(|name| name == b"..")
        {
            return Err(Errno::Acces);
        }
        self.account.check_names()?;
        self.make_symlink(path_of(target)?, path_of(path)?)
            .map_err(errno)?;
        self.count_name(path);
        Ok(())
    }

    #[cfg(not(windows))]
    fn make_symlink(&self, target: &Path, path: &Path) -> io::Result<()> {
        self.dir.symlink(target, path)
    }

    #[cfg(windows)]
    fn make_symlink(&self, target: &Path, path: &Path) -> io::Result<()> {
        self.dir.symlink_file(target, path)
    }
}
