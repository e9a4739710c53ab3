//! Opening, reading and writing.

use super::content::Content;
use super::disk_use::OpenFile;
use super::inode::Body;
use super::mount::Mounted;
use super::native;
use super::node::{FileKind, Node, OpenOptions, Place, Stat};
use super::walk::{Found, Last, Spot};
use super::{FileSystem, Result};
use crate::wasi::errno::Errno;
use std::sync::Arc;

impl FileSystem {
    /// Opens a file or folder for one descriptor, which [`release`](Self::release) gives up.
    pub(crate) fn open(
        &mut self,
        base: &Node,
        path: &[u8],
        options: OpenOptions,
        now: u64,
    ) -> Result<Node> {
        let exclusive = options.create && options.exclusive;
        // No file can be made of a name with a slash after it, wherever a link of that name leads.
        let slash = options.create && path.ends_with(b"/");
        let last = if exclusive || slash {
            Last::Name
        } else {
            Last::following(options.follow)
        };
        let found = self.walk(base, path, last)?;
        if options.create && found.slash {
            return Err(Errno::Isdir);
        }
        if found.there.is_some() && exclusive {
            return Err(Errno::Exist);
        }
        let node = match &found.there {
            Some((spot, kind)) => {
                check_kind(*kind, found.slash, options)?;
                self.open_existing(spot.clone(), *kind, options, now)?
            }
            None => self.open_new(&found, options, now)?,
        };
        if let Place::Memory(ino) = node.place {
            self.tree.retain(ino);
        }
        Ok(node)
    }

    /// Gives up one descriptor of a node that [`open`](Self::open) gave. A file without names ends with its last one.
    pub(crate) fn release(&mut self, node: &Node) {
        if let Place::Memory(ino) = node.place {
            self.tree.release(ino);
        }
    }

    /// What there is to know about a node.
    pub(crate) fn stat(&self, node: &Node) -> Result<Stat> {
        match &node.place {
            Place::Memory(ino) => self.tree.stat(*ino),
            Place::Mounted(mounted) => {
                let mount = self.mount(&mounted.at)?;
                match &mounted.file {
                    Some(file) => mount.stat_file(file, &mounted.at.path),
                    None => mount.stat(&mounted.at.path),
                }
            }
        }
    }

    /// What there is to know about what a path leads to.
    pub(crate) fn stat_path(&self, base: &Node, path: &[u8], follow: bool) -> Result<Stat> {
        self.stat(&self.lookup(base, path, follow)?)
    }

    /// Reads as much as there is from `offset` on, at most `buf`.
    pub(crate) fn read_at(&self, node: &Node, offset: u64, buf: &mut [u8]) -> Result<usize> {
        match &node.place {
            Place::Memory(ino) => Ok(self.tree.content(*ino)?.read(offset, buf)),
            Place::Mounted(mounted) => native::read_at(opened(mounted, node.kind)?, offset, buf),
        }
    }

    /// Writes at `offset`, as much as the quotas leave room for; an error where they leave none.
    pub(crate) fn write_at(
        &mut self,
        node: &Node,
        offset: u64,
        data: &[u8],
        now: u64,
    ) -> Result<usize> {
        match &node.place {
            Place::Memory(ino) => self.tree.write(*ino, offset, data, now),
            Place::Mounted(mounted) => {
                let mount = self.mount(&mounted.at)?;
                mount.check_writable()?;
                let file = opened(mounted, node.kind)?;
                mount.write_at(file, offset, data, self.tree.quota.file)
            }
        }
    }

    /// Writes at the end. Gives what was written, and where the end is now.
    pub(crate) fn append(&mut self, node: &Node, data: &[u8], now: u64) -> Result<(usize, u64)> {
        let end = self.stat(node)?.size;
        let n = self.write_at(node, end, data, now)?;
        Ok((n, end + n as u64))
    }

    /// Cuts a file, or lengthens it with a hole.
    pub(crate) fn set_size(&mut self, node: &Node, size: u64, now: u64) -> Result<()> {
        match &node.place {
            Place::Memory(ino) => self.tree.set_size(*ino, size, now),
            Place::Mounted(mounted) => {
                let mount = self.mount(&mounted.at)?;
                mount.check_writable()?;
                let file = opened(mounted, node.kind)?;
                mount.set_size(file, size, self.tree.quota.file)
            }
        }
    }

    /// Sets the times that are given.
    pub(crate) fn set_times(
        &mut self,
        node: &Node,
        atim: Option<u64>,
        mtim: Option<u64>,
        now: u64,
    ) -> Result<()> {
        match &node.place {
            Place::Memory(ino) => {
                if matches!(&self.tree.get(*ino)?.body, Body::Folder(folder) if folder.fixed) {
                    return Err(Errno::Rofs);
                }
                let inode = self.tree.get_mut(*ino)?;
                inode.atim = atim.unwrap_or(inode.atim);
                inode.mtim = mtim.unwrap_or(inode.mtim);
                inode.ctim = now;
                Ok(())
            }
            Place::Mounted(mounted) => {
                let mount = self.mount(&mounted.at)?;
                match (&mounted.file, node.kind) {
                    (Some(file), _) => mount.set_file_times(file, atim, mtim),
                    (None, FileKind::File | FileKind::Folder) => {
                        mount.set_times(&mounted.at.path, atim, mtim)
                    }
                    (None, _) => mount.check_writable().and(Err(Errno::Notsup)),
                }
            }
        }
    }

    /// Waits until what was written to a mount is on the host's disk.
    #[allow(
        clippy::unused_self,
        reason = "an operation like the others, whatever it needs today"
    )]
    pub(crate) fn sync(&self, node: &Node) -> Result<()> {
        match &node.place {
            Place::Mounted(mounted) => mounted
                .file
                .as_ref()
                .map_or(Ok(()), |file| native::sync(file)),
            Place::Memory(_) => Ok(()),
        }
    }

    fn open_existing(
        &mut self,
        spot: Spot,
        kind: FileKind,
        options: OpenOptions,
        now: u64,
    ) -> Result<Node> {
        match spot {
            Spot::Memory(ino) => {
                if options.truncate {
                    self.tree.set_size(ino, 0, now)?;
                }
                Ok(spot.into_node(kind))
            }
            Spot::Mounted(at) => {
                let mount = self.mount(&at)?;
                if options.write || options.truncate {
                    mount.check_writable()?;
                }
                let file = match kind {
                    FileKind::File => Some(mount.open(
                        &at.path,
                        OpenOptions {
                            create: false,
                            ..options
                        },
                    )?),
                    _ => None,
                };
                Ok(Node {
                    kind,
                    place: Place::Mounted(Arc::new(Mounted { at, file })),
                })
            }
        }
    }

    fn open_new(&mut self, found: &Found<'_>, options: OpenOptions, now: u64) -> Result<Node> {
        let name = found
            .name
            .as_deref()
            .filter(|_| options.create)
            .ok_or(Errno::Noent)?;
        if options.directory {
            return Err(Errno::Inval);
        }
        match &found.folder {
            Spot::Memory(folder) => {
                let ino = self
                    .tree
                    .create(*folder, name, Body::File(Content::default()), now)?;
                Ok(Spot::Memory(ino).into_node(FileKind::File))
            }
            Spot::Mounted(folder) => {
                let mount = self.mount(folder)?;
                mount.check_writable()?;
                let at = folder.join(name);
                let file = Some(mount.open(&at.path, options)?);
                Ok(Node {
                    kind: FileKind::File,
                    place: Place::Mounted(Arc::new(Mounted { at, file })),
                })
            }
        }
    }
}

/// Whether something that is there can be opened in this way.
fn check_kind(kind: FileKind, slash: bool, options: OpenOptions) -> Result<()> {
    match kind {
        FileKind::Folder if options.truncate || options.create => Err(Errno::Isdir),
        FileKind::Folder if options.write && !options.directory => Err(Errno::Isdir),
        FileKind::Folder => Ok(()),
        _ if slash => Err(Errno::Notdir),
        FileKind::Link => Err(Errno::Loop),
        _ if options.directory => Err(Errno::Notdir),
        FileKind::File => Ok(()),
        FileKind::Other => Err(Errno::Acces),
    }
}

/// The handle of a file in a mount.
fn opened(mounted: &Mounted, kind: FileKind) -> Result<&OpenFile> {
    mounted.file.as_ref().ok_or(if kind == FileKind::Folder {
        Errno::Isdir
    } else {
        Errno::Badf
    })
}
