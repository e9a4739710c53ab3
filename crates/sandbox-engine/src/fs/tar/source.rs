//! The reader that an archive comes from, and how much of it headers may take.

use std::cell::{Cell, RefCell};
use std::io::{self, Read};

/// Bytes of everything that describes one entry: its header, long names, extended headers, the map of a sparse file.
/// The parser holds them all, so their number is bounded and not what they declare.
pub(super) const MAX_HEADERS: u64 = 1 << 20;

/// What is known of the reader while the parser has it.
#[derive(Debug, Default)]
pub(super) struct Progress {
    left: Cell<u64>,
    is_over: Cell<bool>,
    exceeded: Cell<bool>,
    /// The first bytes, and how many of them are known.
    first: Cell<([u8; 4], usize)>,
    failure: RefCell<Option<io::Error>>,
}

impl Progress {
    /// What is read next describes an entry.
    pub(super) fn headers(&self) {
        self.left.set(MAX_HEADERS);
    }

    /// What is read next is content.
    pub(super) fn content(&self) {
        self.left.set(u64::MAX);
    }

    fn begins_with(&self, bytes: &[u8]) {
        let (mut first, known) = self.first.get();
        let more = bytes.len().min(first.len() - known);
        first[known..known + more].copy_from_slice(&bytes[..more]);
        self.first.set((first, known + more));
    }

    /// Whether the reader had nothing more.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.get()
    }

    /// Whether the headers of an entry are too long.
    pub(super) fn exceeded(&self) -> bool {
        self.exceeded.get()
    }

    /// Whether what was read is no archive but the compressed form of something.
    pub(super) fn is_compressed(&self) -> bool {
        let (first, _) = self.first.get();
        let forms: [&[u8]; 4] = [b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xfd7zX", b"BZh"];
        forms.iter().any(|form| first.starts_with(form))
    }

    /// The reader's own failure, if there was one.
    pub(super) fn failure(&self) -> Option<io::Error> {
        self.failure.take()
    }
}

/// A reader that reports to [`Progress`].
pub(super) struct Source<'a, R> {
    reader: R,
    progress: &'a Progress,
}

impl<'a, R> Source<'a, R> {
    pub(super) fn new(reader: R, progress: &'a Progress) -> Self {
        Self { reader, progress }
    }
}

impl<R: Read> Read for Source<'_, R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if buf.is_empty() {
            return Ok(0);
        }
        let progress = self.progress;
        let left = progress.left.get();
        if left == 0 {
            progress.exceeded.set(true);
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let most = buf.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        loop {
            match self.reader.read(&mut buf[..most]) {
                // The parser would take it for the end.
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let kind = error.kind();
                    progress.failure.replace(Some(error));
                    return Err(kind.into());
                }
                Ok(n) => {
                    progress.is_over.set(n == 0);
                    progress.left.set(left.saturating_sub(n as u64));
                    progress.begins_with(&buf[..n]);
                    return Ok(n);
                }
            }
        }
    }
}
