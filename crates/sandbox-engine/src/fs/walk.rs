//! Where a path leads: one walk, name by name, through the session's own tree and through mounts.

use super::inode::{Body, Ino};
use super::mount::{HostPath, Mounted};
use super::node::{FileKind, Node, Place};
use super::tree::ROOT;
use super::{FileSystem, Result};
use crate::wasi::errno::Errno;
use std::borrow::Cow;
use std::sync::Arc;

/// Bytes of one name.
pub(super) const MAX_NAME: usize = 255;
/// Bytes of one path.
const MAX_PATH: usize = 4096;
/// Symbolic links on one walk.
const MAX_LINKS: usize = 40;

/// What to do with a symbolic link in the last place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    /// Follow it.
    Follow,
    /// Stop at it, unless a slash comes after it.
    Keep,
    /// Stop at it: the name itself is meant, to be made, moved or removed.
    Name,
}

impl Last {
    pub(super) fn following(follow: bool) -> Self {
        if follow { Self::Follow } else { Self::Keep }
    }
}

/// A place on a walk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Spot {
    Memory(Ino),
    Mounted(HostPath),
}

/// Where a walk ended.
#[derive(Debug)]
pub(super) struct Found<'p> {
    /// The folder that holds the last name.
    pub(super) folder: Spot,
    /// The last name; `None` where the path ended in `.`, `..` or `/` and so means a folder, not a name in one.
    pub(super) name: Option<Cow<'p, [u8]>>,
    /// What is there.
    pub(super) there: Option<(Spot, FileKind)>,
    /// Whether a slash comes after the name, which then has to be a folder.
    pub(super) slash: bool,
}

impl Found<'_> {
    /// What is there, which must be a folder where a slash came last.
    pub(super) fn existing(self) -> Result<Node> {
        let (spot, kind) = self.there.ok_or(Errno::Noent)?;
        if self.slash && kind != FileKind::Folder {
            return Err(Errno::Notdir);
        }
        Ok(spot.into_node(kind))
    }
}

impl Spot {
    pub(super) fn into_node(self, kind: FileKind) -> Node {
        let place = match self {
            Self::Memory(ino) => Place::Memory(ino),
            Self::Mounted(at) => Place::Mounted(Arc::new(Mounted { at, file: None })),
        };
        Node { kind, place }
    }
}

impl From<&Node> for Spot {
    fn from(node: &Node) -> Self {
        match &node.place {
            Place::Memory(ino) => Self::Memory(*ino),
            Place::Mounted(mounted) => Self::Mounted(mounted.at.clone()),
        }
    }
}

/// The part of the path that a walk has still to go.
struct Rest<'p> {
    text: Cow<'p, [u8]>,
    at: usize,
    /// How many links were followed.
    links: usize,
    /// As long as more than this many bytes are left, they come from a link in a mount and must stay in it.
    outside: usize,
}

impl<'p> Rest<'p> {
    fn new(path: &'p [u8]) -> Self {
        Self {
            text: Cow::Borrowed(path),
            at: 0,
            links: 0,
            outside: usize::MAX,
        }
    }

    /// The bounds of the next name.
    fn next(&mut self) -> Option<(usize, usize)> {
        let text = &self.text[self.at..];
        let start = self.at + text.iter().position(|&byte| byte != b'/')?;
        let len = self.text[start..]
            .iter()
            .position(|&byte| byte == b'/')
            .unwrap_or(self.text.len() - start);
        if self.text.len() - start <= self.outside {
            self.outside = usize::MAX;
        }
        self.at = start + len;
        Some((start, self.at))
    }

    /// Whether the name that came last is in the text of a link in a mount.
    fn in_mount_link(&self) -> bool {
        self.outside != usize::MAX
    }

    /// Whether only slashes follow.
    fn is_last(&self) -> bool {
        self.text[self.at..].iter().all(|&byte| byte == b'/')
    }

    /// Puts a link's target in the place of its name.
    fn expand(&mut self, target: &[u8], in_mount: bool) -> Result<()> {
        self.links += 1;
        if self.links > MAX_LINKS {
            return Err(Errno::Loop);
        }
        let left = &self.text[self.at..];
        if in_mount && !self.in_mount_link() {
            self.outside = left.len();
        }
        self.text = Cow::Owned([target, left].concat());
        self.at = 0;
        Ok(())
    }

    fn into_name(self, (start, end): (usize, usize)) -> Cow<'p, [u8]> {
        match self.text {
            Cow::Borrowed(text) => Cow::Borrowed(&text[start..end]),
            Cow::Owned(text) => Cow::Owned(text[start..end].to_vec()),
        }
    }
}

impl FileSystem {
    /// Follows `path` from `base`, which an absolute path ignores.
    pub(super) fn walk<'p>(&self, base: &Node, path: &'p [u8], last: Last) -> Result<Found<'p>> {
        check_path(path)?;
        let mut folder = if path[0] == b'/' {
            Spot::Memory(ROOT)
        } else {
            Spot::from(base)
        };
        if path[0] != b'/' && base.kind != FileKind::Folder {
            return Err(Errno::Notdir);
        }
        let mut rest = Rest::new(path);
        while let Some((start, end)) = rest.next() {
            let name = &rest.text[start..end];
            if name == b"." {
                continue;
            }
            if name == b".." {
                folder = self.parent(folder, rest.in_mount_link())?;
                continue;
            }
            if name.len() > MAX_NAME {
                return Err(Errno::Nametoolong);
            }
            let is_last = rest.is_last();
            let slash = is_last && end < rest.text.len();
            let there = self.child(&folder, name)?;
            match &there {
                Some((spot, FileKind::Link))
                    if !is_last || last == Last::Follow || slash && last == Last::Keep =>
                {
                    let target = self.link_target(spot)?;
                    let in_mount = matches!(spot, Spot::Mounted(_));
                    if target.starts_with(b"/") {
                        if in_mount {
                            return Err(Errno::Acces);
                        }
                        folder = Spot::Memory(ROOT);
                    }
                    rest.expand(&target, in_mount)?;
                }
                _ if is_last => {
                    return Ok(Found {
                        folder,
                        name: Some(rest.into_name((start, end))),
                        there,
                        slash,
                    });
                }
                Some((_, FileKind::Folder)) => folder = there.map_or(folder, |(spot, _)| spot),
                Some(_) => return Err(Errno::Notdir),
                None => return Err(Errno::Noent),
            }
        }
        let there = Some((folder.clone(), FileKind::Folder));
        Ok(Found {
            folder,
            name: None,
            there,
            slash: false,
        })
    }

    /// What a name stands for in a folder. Where a mount covers a folder, the mount's.
    fn child(&self, folder: &Spot, name: &[u8]) -> Result<Option<(Spot, FileKind)>> {
        match folder {
            Spot::Memory(ino) => {
                let Some(&child) = self.tree.folder(*ino)?.entries.get(name) else {
                    return Ok(None);
                };
                let body = &self.tree.get(child)?.body;
                let spot = match body {
                    Body::Folder(folder) if let Some(mount) = folder.mount => {
                        Spot::Mounted(HostPath::root(mount))
                    }
                    _ => Spot::Memory(child),
                };
                Ok(Some((spot, body.kind())))
            }
            Spot::Mounted(at) => {
                let at = at.join(name);
                let mount = self.mount(&at)?;
                let Some(kind) = mount.kind(&at.path)? else {
                    return Ok(None);
                };
                if kind == FileKind::Folder
                    && self.tree.depth(mount.point)? + at.depth() > self.tree.quota.depth
                {
                    return Err(Errno::Nametoolong);
                }
                Ok(Some((Spot::Mounted(at), kind)))
            }
        }
    }

    /// The folder around a folder. The root's is the root, and a mount's lies in the session's own tree, but a link in
    /// a mount does not lead there.
    pub(super) fn parent(&self, folder: Spot, in_mount_link: bool) -> Result<Spot> {
        match folder {
            Spot::Memory(ino) => Ok(Spot::Memory(self.tree.folder(ino)?.parent)),
            Spot::Mounted(at) => {
                let point = self.mount(&at)?.point;
                match at.parent() {
                    Some(parent) => Ok(Spot::Mounted(parent)),
                    None if in_mount_link => Err(Errno::Acces),
                    None => Ok(Spot::Memory(self.tree.folder(point)?.parent)),
                }
            }
        }
    }

    pub(super) fn link_target(&self, spot: &Spot) -> Result<Vec<u8>> {
        match spot {
            Spot::Memory(ino) => match &self.tree.get(*ino)?.body {
                Body::Link(target) => Ok(target.to_vec()),
                _ => Err(Errno::Inval),
            },
            Spot::Mounted(at) => self.mount(at)?.read_link(&at.path),
        }
    }
}

/// Whether something can be a path at all.
pub(super) fn check_path(path: &[u8]) -> Result<()> {
    if path.is_empty() {
        return Err(Errno::Noent);
    }
    if path.len() > MAX_PATH {
        return Err(Errno::Nametoolong);
    }
    if path.contains(&0) {
        Err(Errno::Inval)
    } else {
        Ok(())
    }
}
