//! What may get another folder around it in a mount.
//!
//! A link that climbs leads elsewhere from elsewhere. A guest cannot follow it out of the mount, but a program on the
//! host can, which knows nothing of mounts. So a link that the host made to lead to a place in the mount is not taken to
//! where it would lead out.

use super::Result;
use super::mount::{HostPath, OpenMount};
use super::node::FileKind;
use crate::wasi::errno::Errno;

/// A folder with more than this in it stays in its folder: nothing can interrupt the search through it. Programs that
/// are told `EXDEV` copy instead.
const MAX_ENTRIES: usize = 10_000;

impl OpenMount {
    /// Whether an entry may have another folder around it, from which on `levels` folders may lie one inside another.
    pub(super) fn check_carry(&self, at: &HostPath, kind: FileKind, levels: u32) -> Result<()> {
        match kind {
            FileKind::Link => check_link(&self.read_link(&at.path)?, 0),
            FileKind::Folder => self.check_folder(at, levels),
            FileKind::File | FileKind::Other => Ok(()),
        }
    }

    fn check_folder(&self, top: &HostPath, levels: u32) -> Result<()> {
        let mut seen = 0;
        // Folders, and how many lie between each and the top.
        let mut pending = vec![(top.clone(), 0)];
        while let Some((folder, depth)) = pending.pop() {
            if depth >= levels {
                return Err(Errno::Nametoolong);
            }
            for entry in self.entries(&folder.path)? {
                let entry = entry?;
                seen += 1;
                if seen > MAX_ENTRIES {
                    return Err(Errno::Xdev);
                }
                let at = folder.join(&entry.name);
                match entry.kind {
                    FileKind::Folder => pending.push((at, depth + 1)),
                    FileKind::Link => check_link(&self.read_link(&at.path)?, depth)?,
                    FileKind::File | FileKind::Other => {}
                }
            }
        }
        Ok(())
    }
}

/// Whether a link stays below what moves, the folder that it is in lying `depth` folders inside of it. `..` after a name
/// may lead out by way of another link, so it is taken to.
fn check_link(text: &[u8], depth: u32) -> Result<()> {
    let mut parts = text
        .split(|&byte| byte == b'/')
        .filter(|part| !matches!(*part, b"" | b"."));
    let climbs = parts.by_ref().take_while(|part| *part == b"..").count();
    if climbs > depth as usize || parts.any(|part| part == b"..") {
        return Err(Errno::Acces);
    }
    Ok(())
}
