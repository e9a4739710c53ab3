//! Files in and out by the host, with paths as people write them.

use super::node::{FileInfo, FileKind, Node, OpenOptions, Place};
use super::walk::{Last, Spot};
use super::{FileSystem, Result};
use crate::error::Error;
use crate::policy::WORKSPACE;
use crate::wasi::errno::Errno;

/// What a line of a list costs beside its path, about.
const INFO_COST: u64 = 64;

impl FileSystem {
    /// Puts a file with this content at `path`, which is absolute or relative to the workspace, and makes the folders
    /// above it. In the session's own tree it happens wholly or not at all.
    ///
    /// # Errors
    /// [`Error::File`] with the reason.
    pub(crate) fn write_file(&mut self, path: &str, content: &[u8], now: u64) -> Result<(), Error> {
        let before = self.clone();
        self.put(&absolute(path), content, now).map_err(|errno| {
            *self = before;
            file_error(path, errno)
        })
    }

    /// A file's content.
    ///
    /// # Errors
    /// [`Error::File`] with the reason.
    pub(crate) fn read_file(&self, path: &str) -> Result<Vec<u8>, Error> {
        self.content(&absolute(path))
            .map_err(|errno| file_error(path, errno))
    }

    /// Everything in a folder, at every depth, by path; a file by itself. Links are not followed, and a mount that lies
    /// in the folder is named but not listed: ask for it by its own path.
    ///
    /// # Errors
    /// [`Error::File`] with the reason, also where the list takes more than the memory limit.
    pub(crate) fn list(&self, path: &str) -> Result<Vec<FileInfo>, Error> {
        let top_path = absolute(path);
        let top = self
            .lookup(&Self::root(), top_path.as_bytes(), true)
            .map_err(|errno| file_error(&top_path, errno))?;
        let mut found = Vec::new();
        let mut room = self.tree.quota.memory;
        let mut pending = vec![(
            top_path.trim_end_matches('/').as_bytes().to_vec(),
            top.clone(),
        )];
        while let Some((path, node)) = pending.pop() {
            let fail = |errno| file_error(&String::from_utf8_lossy(&path), errno);
            if node.kind != FileKind::Folder {
                found.push(self.info(&path, &node).map_err(fail)?);
                continue;
            }
            for entry in self.read_dir(&node).map_err(fail)?.into_iter().skip(2) {
                let path = [&path[..], b"/", &entry.name].concat();
                let child = match self.lookup(&node, &entry.name, false) {
                    Ok(child) => child,
                    // Deleted on the host's side just now.
                    Err(Errno::Noent) => continue,
                    Err(errno) => return Err(file_error(&String::from_utf8_lossy(&path), errno)),
                };
                // The path is in the list, and a folder's is kept until it is listed itself.
                let cost = INFO_COST + 2 * path.len() as u64;
                room = room
                    .checked_sub(cost)
                    .ok_or_else(|| file_error(&top_path, Errno::Nomem))?;
                found.push(self.info(&path, &child).map_err(fail)?);
                if child.kind == FileKind::Folder && same_world(&top, &child) {
                    pending.push((path, child));
                }
            }
        }
        found.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(found)
    }

    /// Removes a file, or a folder with everything in it. In the session's own tree it happens wholly or not at all.
    ///
    /// # Errors
    /// [`Error::File`] with the reason.
    pub(crate) fn remove(&mut self, path: &str, now: u64) -> Result<(), Error> {
        let before = self.clone();
        self.remove_all(&absolute(path), now).map_err(|errno| {
            *self = before;
            file_error(path, errno)
        })
    }

    fn put(&mut self, path: &str, content: &[u8], now: u64) -> Result<()> {
        let root = Self::root();
        for (end, _) in path.match_indices('/').skip(1) {
            match self.create_dir(&root, &path.as_bytes()[..end], now) {
                // The walk to what comes next says what is wrong, if anything is.
                Ok(()) | Err(Errno::Exist) => {}
                Err(errno) => return Err(errno),
            }
        }
        if content.len() as u64 > self.tree.quota.file {
            return Err(Errno::Fbig);
        }
        let options = OpenOptions {
            follow: true,
            create: true,
            truncate: true,
            write: true,
            ..OpenOptions::default()
        };
        let node = self.open(&root, path.as_bytes(), options, now)?;
        let written = self.write_all(&node, content, now);
        self.release(&node);
        written
    }

    fn write_all(&mut self, node: &Node, content: &[u8], now: u64) -> Result<()> {
        let mut done = 0;
        while done < content.len() {
            match self.write_at(node, done as u64, &content[done..], now)? {
                0 => return Err(Errno::Io),
                n => done += n,
            }
        }
        Ok(())
    }

    fn content(&self, path: &str) -> Result<Vec<u8>> {
        let node = self.lookup(&Self::root(), path.as_bytes(), true)?;
        if node.kind == FileKind::Folder {
            return Err(Errno::Isdir);
        }
        if let Place::Mounted(mounted) = &node.place {
            return self.mount(&mounted.at)?.read(&mounted.at.path);
        }
        let mut content = vec![0; self.stat(&node)?.size as usize];
        let n = self.read_at(&node, 0, &mut content)?;
        content.truncate(n);
        Ok(content)
    }

    fn info(&self, path: &[u8], node: &Node) -> Result<FileInfo> {
        let stat = self.stat(node)?;
        let path = String::from_utf8_lossy(path).into_owned();
        Ok(FileInfo {
            path,
            kind: stat.kind,
            size: stat.size,
            modified: stat.mtim,
        })
    }

    fn remove_all(&mut self, path: &str, now: u64) -> Result<()> {
        let root = Self::root();
        let found = self.walk(&root, path.as_bytes(), Last::Name)?;
        match (&found.folder, &found.there, &found.name) {
            (_, None, _) => Err(Errno::Noent),
            (_, Some(_), None) => Err(Errno::Acces),
            (_, Some((_, kind)), _) if *kind != FileKind::Folder => {
                self.unlink(&root, path.as_bytes(), now)
            }
            (Spot::Mounted(_), Some((Spot::Mounted(at), _)), _) => {
                self.mount(at)?.remove_all(&at.path)
            }
            (_, Some((spot, kind)), _) => {
                let top = spot.clone().into_node(*kind);
                self.empty(&top, now)?;
                self.remove_dir(&root, path.as_bytes(), now)
            }
        }
    }

    /// Removes everything in a folder of the session's own tree.
    fn empty(&mut self, top: &Node, now: u64) -> Result<()> {
        // Folders go after what is in them.
        let mut folders = vec![(top.clone(), false)];
        while let Some((node, emptied)) = folders.pop() {
            if !matches!(node.place, Place::Memory(_)) {
                return Err(Errno::Acces);
            }
            if !emptied {
                folders.push((node.clone(), true));
            }
            for entry in self.read_dir(&node)?.into_iter().skip(2) {
                match entry.kind {
                    FileKind::Folder if emptied => self.remove_dir(&node, &entry.name, now)?,
                    FileKind::Folder => {
                        folders.push((self.lookup(&node, &entry.name, false)?, false));
                    }
                    _ => self.unlink(&node, &entry.name, now)?,
                }
            }
        }
        Ok(())
    }
}

pub(super) fn absolute(path: &str) -> String {
    let path = if path.starts_with('/') {
        path.to_owned()
    } else {
        format!("{WORKSPACE}/{path}")
    };
    // `.` says nothing; `..` after a link means what only a look-up can tell.
    let mut plain = String::with_capacity(path.len());
    for part in path.split('/').filter(|part| !matches!(*part, "" | ".")) {
        plain.push('/');
        plain.push_str(part);
    }
    if plain.is_empty() || path.ends_with('/') {
        plain.push('/');
    }
    plain
}

/// Whether two nodes are both of the session's own tree, or both of one mount.
pub(super) fn same_world(a: &Node, b: &Node) -> bool {
    match (&a.place, &b.place) {
        (Place::Memory(_), Place::Memory(_)) => true,
        (Place::Mounted(a), Place::Mounted(b)) => a.at.mount == b.at.mount,
        _ => false,
    }
}

pub(super) fn file_error(path: &str, errno: Errno) -> Error {
    Error::File {
        path: path.to_owned(),
        reason: errno.message().to_owned(),
    }
}
