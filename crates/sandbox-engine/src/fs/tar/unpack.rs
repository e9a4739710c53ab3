//! From an archive to files.

use super::TarSummary;
use super::entry::{Refusal, check_global, names, time};
use super::source::{MAX_HEADERS, Progress, Source};
use crate::error::Error;
use crate::fs::host::{absolute, file_error};
use crate::fs::inode::{Body, Ino};
use crate::fs::node::{FileKind, Node, Place};
use crate::fs::tree::Tree;
use crate::fs::walk::check_path;
use crate::fs::{FileSystem, content::Content};
use crate::policy::Size;
use crate::wasi::errno::Errno;
use std::collections::BTreeMap;
use std::io::Read;
use tar::{Archive, Entry, EntryType};

/// How much of a file's content is held at a time.
const PIECE: usize = 64 << 10;
/// A longer name is cut in messages, in characters.
const MAX_SHOWN: usize = 200;

impl FileSystem {
    /// Unpacks an archive into a folder of the session's own tree, which is made where it is missing. It happens wholly
    /// or not at all.
    ///
    /// # Errors
    /// [`Error::Archive`] for what is wrong with the archive, [`Error::File`] for a path or quota that does not allow
    /// it, [`Error::Stream`] where the reader fails.
    pub(crate) fn unpack_tar(
        &mut self,
        path: &str,
        reader: impl Read,
        now: u64,
    ) -> Result<TarSummary, Error> {
        let before = self.clone();
        let path = absolute(path);
        let unpacked = self
            .folder_for(&path, now)
            .map_err(|errno| file_error(&path, errno))
            .and_then(|top| Unpacker::new(&mut self.tree, top, now).unpack(&path, reader));
        unpacked.inspect_err(|_| *self = before)
    }

    /// The folder at a path, with those above it. Nothing is made in a mount on the way.
    fn folder_for(&mut self, path: &str, now: u64) -> Result<Ino, Errno> {
        let root = Self::root();
        let path = path.trim_end_matches('/');
        let ends = path.match_indices('/').skip(1).map(|(end, _)| end);
        let mut folder = own_folder(&root)?;
        for end in ends.chain([path.len()]).filter(|end| *end > 0) {
            let path = &path.as_bytes()[..end];
            let node = match self.lookup(&root, path, true) {
                Err(Errno::Noent) => {
                    self.create_dir(&root, path, now)?;
                    self.lookup(&root, path, true)?
                }
                there => there?,
            };
            folder = own_folder(&node)?;
        }
        Ok(folder)
    }
}

/// A folder of the session's own tree. What is changed in a mount cannot be put back.
fn own_folder(node: &Node) -> Result<Ino, Errno> {
    match node.place {
        _ if node.kind != FileKind::Folder => Err(Errno::Notdir),
        Place::Memory(ino) => Ok(ino),
        Place::Mounted(_) => Err(Errno::Xdev),
    }
}

/// An archive on its way into a folder.
struct Unpacker<'a> {
    tree: &'a mut Tree,
    top: Ino,
    now: u64,
    /// Folders' times, which are set when nothing more is made in them.
    times: BTreeMap<Ino, u64>,
    summary: TarSummary,
    piece: Vec<u8>,
}

impl<'a> Unpacker<'a> {
    fn new(tree: &'a mut Tree, top: Ino, now: u64) -> Self {
        Self {
            tree,
            top,
            now,
            times: BTreeMap::new(),
            summary: TarSummary::default(),
            piece: vec![0; PIECE],
        }
    }

    /// Unpacks everything into the top, which messages call `top`.
    fn unpack(mut self, top: &str, reader: impl Read) -> Result<TarSummary, Error> {
        let progress = Progress::default();
        let failed = |path: Option<&[u8]>, refusal| failed(top, path, refusal, &progress);
        let mut archive = Archive::new(Source::new(reader, &progress));
        let damaged = |error| failed(None, Refusal::Parser(error));
        let mut entries = archive.entries().map_err(damaged)?;
        loop {
            progress.headers();
            let Some(entry) = entries.next() else { break };
            let mut entry = entry.map_err(damaged)?;
            let path = entry.path_bytes().into_owned();
            self.entry(&mut entry, &path, &progress)
                .map_err(|refusal| failed(Some(&path), refusal))?;
        }
        if progress.is_over() {
            let cut = Refusal::from("it ends without the mark of its end; it was cut off");
            return Err(failed(None, cut));
        }
        self.set_folder_times();
        Ok(self.summary)
    }

    fn entry(
        &mut self,
        entry: &mut Entry<'_, impl Read>,
        path: &[u8],
        progress: &Progress,
    ) -> Result<(), Refusal> {
        let kind = entry.header().entry_type();
        if kind == EntryType::XGlobalHeader {
            return check_global(entry);
        }
        let time = time(entry)?;
        let is_folder = kind == EntryType::Directory
            // As archives said it that are older than the kind.
            || kind == EntryType::Regular && path.ends_with(b"/");
        let is_file = matches!(
            kind,
            EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse
        );
        if (is_folder || !is_file) && entry.size() > 0 {
            return Err("a folder, link or device with content".into());
        }
        let names = names(path)?;
        let Some((&name, above)) = names.split_last() else {
            return if is_folder {
                Ok(())
            } else {
                Err("has no name".into())
            };
        };
        match kind {
            _ if is_folder => {
                let folder = self.folder(&names)?;
                self.times.insert(folder, time);
                self.summary.folders += 1;
            }
            _ if is_file => {
                let folder = self.folder(above)?;
                progress.content();
                self.file(folder, name, entry, time)?;
            }
            EntryType::Symlink => {
                let target = entry.link_name_bytes().unwrap_or_default();
                check_path(&target)?;
                let folder = self.folder(above)?;
                self.make_room(folder, name)?;
                let body = Body::Link(target.as_ref().into());
                let ino = self.tree.create(folder, name, body, self.now)?;
                self.tree.get_mut(ino)?.mtim = time;
                self.summary.links += 1;
            }
            EntryType::Link => {
                let target = entry.link_name_bytes().unwrap_or_default();
                let target = self.link_target(&target)?;
                let folder = self.folder(above)?;
                if self.tree.folder(folder)?.entries.get(name) != Some(&target) {
                    self.make_room(folder, name)?;
                    self.tree.link(folder, name, target, self.now)?;
                }
                self.summary.links += 1;
            }
            EntryType::Char | EntryType::Block | EntryType::Fifo => {
                return Err("a device or a pipe".into());
            }
            other => {
                let letter = char::from(other.as_byte()).escape_default();
                let reason = format!("of the kind `{letter}`, which is not unpacked");
                return Err(Refusal::Archive(reason));
            }
        }
        Ok(())
    }

    /// The folder that names lead to from the top, made where it is missing.
    fn folder(&mut self, names: &[&[u8]]) -> Result<Ino, Refusal> {
        let mut folder = self.top;
        for &name in names {
            folder = match self.child(folder, name)? {
                Some((child, FileKind::Folder)) => child,
                Some((_, FileKind::Link)) => return Err("a symbolic link is in its way".into()),
                Some(_) => return Err(Errno::Notdir.into()),
                None => {
                    let body = Body::folder(folder);
                    self.tree.create(folder, name, body, self.now)?
                }
            };
        }
        Ok(folder)
    }

    /// What a name stands for in a folder. A mount is not entered.
    fn child(&self, folder: Ino, name: &[u8]) -> Result<Option<(Ino, FileKind)>, Refusal> {
        let Some(&child) = self.tree.folder(folder)?.entries.get(name) else {
            return Ok(None);
        };
        match &self.tree.get(child)?.body {
            Body::Folder(folder) if folder.mount.is_some() => Err(Errno::Xdev.into()),
            body => Ok(Some((child, body.kind()))),
        }
    }

    /// Takes a file or link away that has the name of a new one.
    fn make_room(&mut self, folder: Ino, name: &[u8]) -> Result<(), Refusal> {
        match self.child(folder, name)? {
            None => Ok(()),
            Some((_, FileKind::Folder)) => Err(Errno::Isdir.into()),
            Some(_) => Ok(self.tree.unlink(folder, name, self.now)?),
        }
    }

    fn file(
        &mut self,
        folder: Ino,
        name: &[u8],
        content: &mut Entry<'_, impl Read>,
        time: u64,
    ) -> Result<(), Refusal> {
        let size = content.size();
        if size > self.tree.quota.file {
            return Err(Errno::Fbig.into());
        }
        self.make_room(folder, name)?;
        let body = Body::File(Content::default());
        let ino = self.tree.create(folder, name, body, self.now)?;
        let mut offset = 0;
        loop {
            let n = fill(content, &mut self.piece).map_err(Refusal::Parser)?;
            let piece = &self.piece[..n];
            if n == 0 {
                break;
            }
            // What is zero stays a hole.
            if piece.iter().any(|&byte| byte != 0) {
                let mut done = 0;
                while done < n {
                    let at = offset + done as u64;
                    done += self.tree.write(ino, at, &piece[done..], self.now)?;
                }
            }
            offset += n as u64;
        }
        if offset < size {
            return Err("its content is cut off".into());
        }
        self.tree.set_size(ino, size, self.now)?;
        self.tree.get_mut(ino)?.mtim = time;
        self.summary.files += 1;
        self.summary.bytes += size;
        Ok(())
    }

    /// The file that a hard link is one more name of.
    fn link_target(&self, path: &[u8]) -> Result<Ino, Refusal> {
        let mut place = (self.top, FileKind::Folder);
        for name in names(path)? {
            place = match place {
                (folder, FileKind::Folder) => self
                    .child(folder, name)?
                    .ok_or("a hard link to what is not there")?,
                (_, FileKind::Link) => return Err("a symbolic link is in its way".into()),
                _ => return Err(Errno::Notdir.into()),
            };
        }
        match place {
            (_, FileKind::Folder) => Err("a hard link to a folder".into()),
            (file, _) => Ok(file),
        }
    }

    fn set_folder_times(&mut self) {
        for (&ino, &time) in &self.times {
            if let Ok(inode) = self.tree.get_mut(ino)
                && !matches!(&inode.body, Body::Folder(folder) if folder.fixed)
            {
                inode.mtim = time;
            }
        }
    }
}

/// Reads until the buffer is full or there is no more.
fn fill(reader: &mut impl Read, buf: &mut [u8]) -> std::io::Result<usize> {
    let mut filled = 0;
    while filled < buf.len() {
        match reader.read(&mut buf[filled..])? {
            0 => break,
            n => filled += n,
        }
    }
    Ok(filled)
}

/// What the caller is told.
fn failed(top: &str, path: Option<&[u8]>, refusal: Refusal, progress: &Progress) -> Error {
    let entry = path.map(|path| {
        let path = String::from_utf8_lossy(path);
        let mut shown: String = path.chars().take(MAX_SHOWN).collect();
        if shown.len() < path.len() {
            shown.push('…');
        }
        shown
    });
    let reason = match refusal {
        Refusal::File(errno) => {
            let top = top.trim_end_matches('/');
            return file_error(&format!("{top}/{}", entry.unwrap_or_default()), errno);
        }
        Refusal::Archive(reason) => reason,
        Refusal::Parser(error) => {
            if let Some(source) = progress.failure() {
                let what = "cannot read the archive";
                return Error::Stream { what, source };
            }
            if progress.exceeded() {
                format!("headers of more than {} for one entry", Size(MAX_HEADERS))
            } else if progress.is_compressed() {
                "it is compressed; decode it first".to_owned()
            } else if progress.is_over() {
                "it was cut off, or is no archive".to_owned()
            } else {
                error.to_string()
            }
        }
    };
    Error::Archive { entry, reason }
}
