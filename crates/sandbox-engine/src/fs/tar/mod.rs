//! Many files in and out at once, as tar archives.
//!
//! An archive that comes in may be anybody's, so it is taken for hostile. What was decided:
//!
//! | in an archive | here |
//! |---|---|
//! | files, folders, symbolic and hard links | are made, with the archive's times; owners and modes are left out |
//! | `./` in front, or alone | says nothing; the folder that is unpacked into keeps its own times |
//! | absolute names, `..` in a name, no name, NUL in a name | refused |
//! | names that are not UTF-8, GNU long names, pax headers | taken as they are |
//! | a symbolic link, wherever it leads | is made as it stands; nothing is ever unpacked through one, which is refused |
//! | a hard link | to a file in the folder that is unpacked into; any other is refused |
//! | a name that is there already | files and links are replaced, folders filled; a folder for a file or the other way round is refused |
//! | sparse files, as GNU tar writes them | are made, their holes as holes; those in pax headers are refused |
//! | devices, pipes, unknown kinds, folders and links with content | refused |
//! | a pax header that cannot be read, says something twice, or renames all that follows | refused |
//! | sizes | count where they are real: a file's against the quota before its content is read, the rest as it comes |
//! | headers of one entry | at most [`MAX_HEADERS`](source::MAX_HEADERS) bytes |
//! | damage, and an end without the mark of an end | refused |
//! | what comes after the mark of the end | is not read |
//!
//! Refused means the whole archive: the files are as they were before it. Mounts could not be put back, so nothing is
//! unpacked into them.
//!
//! Archives that go out are the same for the same files: by name, of owner 0, with modes 644 and 755. Times are kept to
//! the nanosecond. Files with several names appear once and as hard links; holes are written out. Mounts that lie in a
//! folder, and what cannot be opened in a mount, are left out.

mod entry;
mod pack;
mod source;
mod unpack;

use serde::Serialize;

/// What went into an archive or came out of one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TarSummary {
    /// Files with content of their own.
    pub files: u64,
    /// Folders that the archive names; those that it only implies are not counted.
    pub folders: u64,
    /// Symbolic links, and further names of files.
    pub links: u64,
    /// Bytes of the files' content, holes included.
    pub bytes: u64,
}
