//! Making, moving and removing names.

use super::inode::{Body, Ino};
use super::mount::HostPath;
use super::node::{FileKind, Node};
use super::walk::{Found, Last, Spot};
use super::{FileSystem, Result};
use crate::wasi::errno::Errno;

impl FileSystem {
    /// Makes a folder.
    pub(crate) fn create_dir(&mut self, base: &Node, path: &[u8], now: u64) -> Result<()> {
        let found = self.walk(base, path, Last::Name)?;
        let name = free_name(&found)?;
        match &found.folder {
            Spot::Memory(folder) => self
                .tree
                .create(*folder, name, Body::folder(*folder), now)
                .map(drop),
            Spot::Mounted(folder) => {
                let mount = self.mount(folder)?;
                let at = folder.join(name);
                if self.tree.depth(mount.point)? + at.depth() > self.tree.quota.depth {
                    return Err(Errno::Nametoolong);
                }
                mount.create_dir(&at.path)
            }
        }
    }

    /// Removes a folder, which must be empty.
    pub(crate) fn remove_dir(&mut self, base: &Node, path: &[u8], now: u64) -> Result<()> {
        let found = self.walk(base, path, Last::Name)?;
        let (name, spot, kind) = named(&found)?;
        if kind != FileKind::Folder {
            return Err(Errno::Notdir);
        }
        match place(&found.folder, spot)? {
            Named::Memory(folder, ino) => {
                self.tree.check_writable(folder)?;
                if !self.tree.folder(ino)?.entries.is_empty() {
                    return Err(Errno::Notempty);
                }
                self.tree.unlink(folder, name, now)
            }
            Named::Mounted(at) => self.mount(at)?.remove_dir(&at.path),
        }
    }

    /// Removes a name that stands for no folder.
    pub(crate) fn unlink(&mut self, base: &Node, path: &[u8], now: u64) -> Result<()> {
        let found = self.walk(base, path, Last::Name)?;
        let (name, spot, kind) = named(&found).map_err(|errno| {
            if errno == Errno::Inval {
                Errno::Isdir
            } else {
                errno
            }
        })?;
        if kind == FileKind::Folder {
            return Err(Errno::Isdir);
        }
        if found.slash {
            return Err(Errno::Notdir);
        }
        match place(&found.folder, spot)? {
            Named::Memory(folder, _) => self.tree.unlink(folder, name, now),
            Named::Mounted(at) => self.mount(at)?.remove_file(&at.path),
        }
    }

    /// Moves a name, replacing what is at the new one: a file by a file, an empty folder by a folder.
    pub(crate) fn rename(
        &mut self,
        base: &Node,
        path: &[u8],
        new_base: &Node,
        new_path: &[u8],
        now: u64,
    ) -> Result<()> {
        let from = self.walk(base, path, Last::Name)?;
        let to = self.walk(new_base, new_path, Last::Name)?;
        let new_name = to.name.as_deref().ok_or(Errno::Inval)?;
        let (name, spot, kind) = named(&from)?;
        if kind != FileKind::Folder && (from.slash || to.slash) {
            return Err(Errno::Notdir);
        }
        match (&from.folder, &to.folder) {
            (Spot::Mounted(old), Spot::Mounted(new)) if old.mount == new.mount => {
                let mount = self.mount(new)?;
                mount.check_writable()?;
                let from = old.join(name);
                if old != new {
                    let above = self.tree.depth(mount.point)? + new.depth();
                    let levels = self.tree.quota.depth.saturating_sub(above);
                    mount.check_carry(&from, kind, levels)?;
                }
                mount.rename(&from.path, &new.join(new_name).path)
            }
            (&Spot::Memory(old), &Spot::Memory(new)) => {
                let Named::Memory(_, ino) = place(&from.folder, spot)? else {
                    return Err(Errno::Acces);
                };
                self.tree.check_writable(old)?;
                self.tree.check_writable(new)?;
                if kind == FileKind::Folder {
                    self.check_move(ino, new)?;
                }
                if let Some((there, new_kind)) = &to.there {
                    let Named::Memory(_, replaced) = place(&to.folder, there)? else {
                        return Err(Errno::Acces);
                    };
                    if replaced == ino {
                        return Ok(());
                    }
                    if *new_kind == FileKind::Folder && self.tree.is_within(old, replaced)? {
                        return Err(Errno::Notempty);
                    }
                    self.check_replace(kind, *new_kind, replaced)?;
                    self.tree.unlink(new, new_name, now)?;
                }
                self.tree.move_name((old, name), (new, new_name), now)
            }
            _ => Err(Errno::Xdev),
        }
    }

    /// Gives a file one more name.
    pub(crate) fn hard_link(
        &mut self,
        base: &Node,
        path: &[u8],
        follow: bool,
        new_base: &Node,
        new_path: &[u8],
        now: u64,
    ) -> Result<()> {
        let from = self.walk(base, path, Last::following(follow))?.existing()?;
        let to = self.walk(new_base, new_path, Last::Name)?;
        let name = free_name(&to)?;
        if to.slash {
            return Err(Errno::Noent);
        }
        if from.kind == FileKind::Folder {
            return Err(Errno::Perm);
        }
        match (Spot::from(&from), &to.folder) {
            (Spot::Memory(ino), Spot::Memory(folder)) => self.tree.link(*folder, name, ino, now),
            (Spot::Mounted(at), Spot::Mounted(folder)) if at.mount == folder.mount => {
                let mount = self.mount(&at)?;
                mount.check_writable()?;
                if at.clone().parent().as_ref() != Some(folder) {
                    mount.check_carry(&at, from.kind, 0)?;
                }
                mount.hard_link(&at.path, &folder.join(name).path)
            }
            _ => Err(Errno::Xdev),
        }
    }

    /// Makes a symbolic link.
    pub(crate) fn symlink(
        &mut self,
        target: &[u8],
        base: &Node,
        path: &[u8],
        now: u64,
    ) -> Result<()> {
        super::walk::check_path(target)?;
        let found = self.walk(base, path, Last::Name)?;
        let name = free_name(&found)?;
        if found.slash {
            return Err(Errno::Noent);
        }
        match &found.folder {
            Spot::Memory(folder) => self
                .tree
                .create(*folder, name, Body::Link(target.into()), now)
                .map(drop),
            Spot::Mounted(folder) => self.mount(folder)?.symlink(target, &folder.join(name).path),
        }
    }

    /// Where a symbolic link leads.
    pub(crate) fn read_link(&self, base: &Node, path: &[u8]) -> Result<Vec<u8>> {
        let node = self.walk(base, path, Last::Keep)?.existing()?;
        if node.kind == FileKind::Link {
            self.link_target(&Spot::from(&node))
        } else {
            Err(Errno::Inval)
        }
    }

    /// Whether a folder may move into another one: not into itself, and not too deep.
    fn check_move(&self, ino: Ino, target: Ino) -> Result<()> {
        if self.tree.is_within(target, ino)? {
            return Err(Errno::Inval);
        }
        if self.tree.depth(target)? + self.tree.height(ino)? > self.tree.quota.depth {
            return Err(Errno::Nametoolong);
        }
        Ok(())
    }

    /// Whether one thing may take another one's place.
    fn check_replace(&self, kind: FileKind, old_kind: FileKind, old: Ino) -> Result<()> {
        match (kind == FileKind::Folder, old_kind == FileKind::Folder) {
            (true, false) => Err(Errno::Notdir),
            (false, true) => Err(Errno::Isdir),
            (true, true) if !self.tree.folder(old)?.entries.is_empty() => Err(Errno::Notempty),
            _ => Ok(()),
        }
    }
}

/// Something with a name, in the same world as the folder that holds it.
enum Named<'a> {
    /// The folder, and what is in it.
    Memory(Ino, Ino),
    Mounted(&'a HostPath),
}

/// What a name in a folder stands for. A mount point belongs to neither world and stays where it is.
fn place<'a>(folder: &'a Spot, spot: &'a Spot) -> Result<Named<'a>> {
    match (folder, spot) {
        (Spot::Memory(folder), Spot::Memory(ino)) => Ok(Named::Memory(*folder, *ino)),
        (Spot::Mounted(_), Spot::Mounted(at)) => Ok(Named::Mounted(at)),
        _ => Err(Errno::Acces),
    }
}

/// The name that a path ends in, for something new.
fn free_name<'a>(found: &'a Found<'_>) -> Result<&'a [u8]> {
    if found.there.is_some() {
        return Err(Errno::Exist);
    }
    found.name.as_deref().ok_or(Errno::Exist)
}

/// The name that a path ends in, and what is there.
fn named<'a>(found: &'a Found<'_>) -> Result<(&'a [u8], &'a Spot, FileKind)> {
    let name = found.name.as_deref().ok_or(Errno::Inval)?;
    let (spot, kind) = found.there.as_ref().ok_or(Errno::Noent)?;
    Ok((name, spot, *kind))
}
