//! From files to an archive.

use super::TarSummary;
use crate::error::Error;
use crate::fs::FileSystem;
use crate::fs::host::{absolute, file_error, same_world};
use crate::fs::listing::DirEntry;
use crate::fs::mount::Mounted;
use crate::fs::node::{FileKind, Node, OpenOptions, Place, Stat};
use crate::fs::walk::Spot;
use crate::wasi::errno::Errno;
use std::collections::BTreeMap;
use std::io::{self, BufWriter, Read, Write};
use std::mem::ManuallyDrop;
use std::sync::Arc;
use tar::{Builder, EntryType, Header};

/// How much is handed to the writer at a time.
const BUFFER: usize = 64 << 10;
const NANOSECONDS: u64 = 1_000_000_000;

impl FileSystem {
    /// Packs a folder with everything in it, or a file. Names in the archive start at the folder; a file has its own.
    ///
    /// # Errors
    /// [`Error::File`] where the path leads nowhere or a file in a mount cannot be read, [`Error::Stream`] where the
    /// writer fails. What was written until then is no archive: it lacks the mark of the end.
    pub(crate) fn pack_tar(&self, path: &str, writer: impl Write) -> Result<TarSummary, Error> {
        let path = absolute(path);
        let top = self
            .lookup(&Self::root(), path.as_bytes(), true)
            .map_err(|errno| file_error(&path, errno))?;
        if top.kind == FileKind::Other {
            return Err(file_error(&path, Errno::Acces));
        }
        let mut writer = BufWriter::with_capacity(BUFFER, writer);
        let path = path.trim_end_matches('/');
        let (above, name) = path.rsplit_once('/').unwrap_or_default();
        let is_folder = top.kind == FileKind::Folder;
        let mut packer = Packer {
            files: self,
            top: if is_folder { path } else { above },
            // Dropping it would write the mark of the end, which a failure must not get.
            archive: ManuallyDrop::new(Builder::new(&mut writer)),
            several_names: BTreeMap::new(),
            summary: TarSummary::default(),
        };
        if is_folder {
            packer.folder(&top)?;
        } else {
            packer.entry(name.as_bytes(), &top)?;
        }
        packer.archive.finish().map_err(stream)?;
        let summary = packer.summary;
        writer.flush().map_err(stream)?;
        Ok(summary)
    }
}

/// Files on their way into an archive.
struct Packer<'a, W: Write> {
    files: &'a FileSystem,
    /// What messages put before names in the archive.
    top: &'a str,
    archive: ManuallyDrop<Builder<W>>,
    /// Where files that have several names appeared first.
    several_names: BTreeMap<(u64, u64), Vec<u8>>,
    summary: TarSummary,
}

/// A folder, what is before its entries' names, and those that are still to come.
type Open = (Node, Vec<u8>, std::vec::IntoIter<DirEntry>);

impl<W: Write> Packer<'_, W> {
    fn folder(&mut self, top: &Node) -> Result<(), Error> {
        // Not by recursion: how deep folders may lie is the policy's to say.
        let mut open: Vec<Open> = vec![self.open(top.clone(), Vec::new())?];
        while let Some((folder, before, entries)) = open.last_mut() {
            let Some(entry) = entries.next() else {
                open.pop();
                continue;
            };
            let mut path = [before, &entry.name[..]].concat();
            let child = match self.files.lookup(folder, &entry.name, false) {
                Ok(child) => child,
                // Deleted on the host's side just now.
                Err(Errno::Noent) => continue,
                Err(errno) => return Err(self.failed(&path, errno.message())),
            };
            if child.kind == FileKind::Folder && !same_world(top, &child) {
                continue;
            }
            let is_folder = child.kind == FileKind::Folder;
            if is_folder {
                path.push(b'/');
            }
            self.entry(&path, &child)?;
            if is_folder {
                open.push(self.open(child, path)?);
            }
        }
        Ok(())
    }

    fn open(&self, folder: Node, before: Vec<u8>) -> Result<Open, Error> {
        let mut entries = self
            .files
            .read_dir(&folder)
            .map_err(|errno| self.failed(&before, errno.message()))?;
        entries.drain(..2);
        Ok((folder, before, entries.into_iter()))
    }

    fn failed(&self, path: &[u8], reason: &str) -> Error {
        file_failure(self.top, path, reason)
    }

    fn entry(&mut self, path: &[u8], node: &Node) -> Result<(), Error> {
        let top = self.top;
        let fail = |errno: Errno| file_failure(top, path, errno.message());
        if node.kind == FileKind::Other {
            return Ok(());
        }
        let node = self.readable(node).map_err(fail)?;
        let stat = self.files.stat(&node).map_err(fail)?;
        if stat.nlink > 1 && node.kind != FileKind::Folder {
            if let Some(first) = self.several_names.get(&(stat.dev, stat.ino)) {
                let first = first.clone();
                self.summary.links += 1;
                return self.header(EntryType::Link, path, &first, &stat);
            }
            self.several_names
                .insert((stat.dev, stat.ino), path.to_vec());
        }
        match node.kind {
            FileKind::Folder => {
                self.summary.folders += 1;
                self.header(EntryType::Directory, path, b"", &stat)
            }
            FileKind::Link => {
                self.summary.links += 1;
                let target = self.files.link_target(&Spot::from(&node)).map_err(fail)?;
                self.header(EntryType::Symlink, path, &target, &stat)
            }
            FileKind::File | FileKind::Other => self.file(path, &node, &stat),
        }
    }

    /// The node, opened where it is a file in a mount.
    fn readable(&self, node: &Node) -> Result<Node, Errno> {
        let Place::Mounted(mounted) = &node.place else {
            return Ok(node.clone());
        };
        if node.kind != FileKind::File {
            return Ok(node.clone());
        }
        let at = mounted.at.clone();
        let mount = self.files.mount(&at)?;
        let file = Some(mount.open(&at.path, OpenOptions::default())?);
        Ok(Node {
            kind: node.kind,
            place: Place::Mounted(Arc::new(Mounted { at, file })),
        })
    }

    fn file(&mut self, path: &[u8], node: &Node, stat: &Stat) -> Result<(), Error> {
        let mut content = Exactly {
            files: self.files,
            node,
            offset: 0,
            size: stat.size,
            failure: None,
        };
        let header = self.prepare(EntryType::Regular, path, b"", stat)?;
        self.archive
            .append(&header, &mut content)
            .map_err(|source| match content.failure {
                Some(reason) => file_failure(self.top, path, reason),
                None => stream(source),
            })?;
        self.summary.files += 1;
        self.summary.bytes += stat.size;
        Ok(())
    }

    /// An entry without content.
    fn header(
        &mut self,
        kind: EntryType,
        path: &[u8],
        target: &[u8],
        stat: &Stat,
    ) -> Result<(), Error> {
        let header = self.prepare(kind, path, target, stat)?;
        self.archive.append(&header, io::empty()).map_err(stream)
    }

    /// An entry's header. What does not fit it is written before it: long names as GNU tar does, a fraction of a second
    /// in a pax header.
    fn prepare(
        &mut self,
        kind: EntryType,
        path: &[u8],
        target: &[u8],
        stat: &Stat,
    ) -> Result<Header, Error> {
        let (seconds, rest) = (stat.mtim / NANOSECONDS, stat.mtim % NANOSECONDS);
        if rest > 0 {
            let time = format!("{seconds}.{rest:09}");
            let time = time.trim_end_matches('0').as_bytes();
            self.archive
                .append_pax_extensions([("mtime", time)])
                .map_err(stream)?;
        }
        let mut header = Header::new_gnu();
        header.set_entry_type(kind);
        header.set_mode(match kind {
            EntryType::Directory => 0o755,
            EntryType::Symlink => 0o777,
            _ => 0o644,
        });
        header.set_uid(0);
        header.set_gid(0);
        header.set_mtime(seconds);
        header.set_size(if kind == EntryType::Regular {
            stat.size
        } else {
            0
        });
        let fields = header.as_old_mut();
        for (field, text, kind) in [
            (&mut fields.linkname, target, EntryType::GNULongLink),
            (&mut fields.name, path, EntryType::GNULongName),
        ] {
            let fits = text.len().min(field.len());
            field[..fits].copy_from_slice(&text[..fits]);
            if fits < text.len() {
                self.long(kind, text)?;
            }
        }
        header.set_cksum();
        Ok(header)
    }

    /// The bytes of a name that does not fit, not the host's idea of a path.
    fn long(&mut self, kind: EntryType, text: &[u8]) -> Result<(), Error> {
        let mut header = Header::new_gnu();
        let name = b"././@LongLink";
        header.as_old_mut().name[..name.len()].copy_from_slice(name);
        header.set_entry_type(kind);
        header.set_mode(0o644);
        header.set_uid(0);
        header.set_gid(0);
        header.set_mtime(0);
        header.set_size(text.len() as u64 + 1);
        header.set_cksum();
        self.archive
            .append(&header, text.chain(&b"\0"[..]))
            .map_err(stream)
    }
}

/// As many bytes of a file as its header says. A file in a mount may have changed meanwhile.
struct Exactly<'a> {
    files: &'a FileSystem,
    node: &'a Node,
    offset: u64,
    size: u64,
    failure: Option<&'static str>,
}

impl Read for Exactly<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let left = self.size - self.offset;
        let most = buf.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        if most == 0 {
            return Ok(0);
        }
        let read = self.files.read_at(self.node, self.offset, &mut buf[..most]);
        let reason = match read {
            Ok(0) => "became shorter while it was read",
            Ok(n) => {
                self.offset += n as u64;
                return Ok(n);
            }
            Err(errno) => errno.message(),
        };
        self.failure = Some(reason);
        Err(io::ErrorKind::Other.into())
    }
}

fn file_failure(top: &str, path: &[u8], reason: &str) -> Error {
    Error::File {
        path: format!("{top}/{}", String::from_utf8_lossy(path)),
        reason: reason.to_owned(),
    }
}

fn stream(source: io::Error) -> Error {
    Error::Stream {
        what: "cannot write the archive",
        source,
    }
}
