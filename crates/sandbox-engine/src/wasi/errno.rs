//! The error numbers of WASI preview 1.

use std::io;

/// An error number of WASI preview 1, as a guest sees it.
///
/// Source: the preview 1 witx files of the WebAssembly System Interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u16)]
#[allow(missing_docs, reason = "the names are those of POSIX")]
pub enum Errno {
    Acces = 2,
    Again = 6,
    Badf = 8,
    Dquot = 19,
    Exist = 20,
    Fault = 21,
    Fbig = 22,
    Intr = 27,
    Inval = 28,
    Io = 29,
    Isdir = 31,
    Loop = 32,
    Mfile = 33,
    Mlink = 34,
    Nametoolong = 37,
    Noent = 44,
    Nomem = 48,
    Nospc = 51,
    Nosys = 52,
    Notdir = 54,
    Notempty = 55,
    Notsup = 58,
    Perm = 63,
    Pipe = 64,
    Rofs = 69,
    Spipe = 70,
    Xdev = 75,
}

impl Errno {
    /// What the number means, in words.
    pub fn message(self) -> &'static str {
        match self {
            Self::Acces | Self::Perm => "permission denied",
            Self::Badf => "bad descriptor",
            Self::Dquot => "quota exceeded",
            Self::Exist => "exists already",
            Self::Fbig => "file too large",
            Self::Isdir => "is a folder",
            Self::Loop => "too many symbolic links",
            Self::Mfile => "too many open descriptors",
            Self::Nametoolong => "name or path too long",
            Self::Noent => "no such file or folder",
            Self::Nomem => "more than the memory limit allows",
            Self::Nospc => "no space left",
            Self::Notdir => "not a folder",
            Self::Notempty => "folder not empty",
            Self::Rofs => "read-only file system",
            Self::Xdev => "crosses a mount",
            Self::Inval => "invalid argument",
            _ => "input or output error",
        }
    }
}

impl From<io::Error> for Errno {
    /// What the guest is told when the host's file system refuses.
    fn from(error: io::Error) -> Self {
        use io::ErrorKind as Kind;
        match error.kind() {
            Kind::NotFound => Self::Noent,
            Kind::PermissionDenied => Self::Acces,
            Kind::AlreadyExists => Self::Exist,
            Kind::NotADirectory => Self::Notdir,
            Kind::IsADirectory => Self::Isdir,
            Kind::DirectoryNotEmpty => Self::Notempty,
            Kind::ReadOnlyFilesystem => Self::Rofs,
            Kind::StorageFull => Self::Nospc,
            Kind::QuotaExceeded => Self::Dquot,
            Kind::FileTooLarge => Self::Fbig,
            Kind::InvalidInput | Kind::InvalidFilename => Self::Inval,
            Kind::Interrupted => Self::Intr,
            Kind::CrossesDevices => Self::Xdev,
            Kind::TooManyLinks => Self::Mlink,
            Kind::OutOfMemory => Self::Nomem,
            Kind::BrokenPipe => Self::Pipe,
            Kind::WouldBlock => Self::Again,
            Kind::Unsupported => Self::Notsup,
            _ => Self::Io,
        }
    }
}
