//! A file's bytes: chunks that snapshots share.

use std::sync::Arc;

/// How much a snapshot followed by a write copies.
const CHUNK: usize = 64 << 10;

/// The bytes of one file. A clone shares every chunk; a write copies the chunks that it touches.
///
/// Chunks that are missing are zero, and so is what lies beyond a chunk's end: holes cost nothing.
#[derive(Debug, Clone, Default)]
pub(super) struct Content {
    len: u64,
    /// Up to the last chunk that holds something; none is longer than [`CHUNK`].
    chunks: Vec<Option<Arc<Vec<u8>>>>,
    /// The capacity of all chunks together.
    held: u64,
}

impl Content {
    /// Bytes, holes included.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Whether nothing was written to either since the one was cloned from the other.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let same = |(one, other): (&Option<Arc<_>>, &Option<Arc<_>>)| match (one, other) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (None, None) => true,
            _ => false,
        };
        self.len == other.len
            && self.chunks.len() == other.chunks.len()
            && self.chunks.iter().zip(&other.chunks).all(same)
    }

    /// Bytes of host memory.
    pub(super) fn held(&self) -> u64 {
        self.held + (self.chunks.len() * size_of::<Option<Arc<Vec<u8>>>>()) as u64
    }

    /// Fills `buf` from `offset` on and says how much there was.
    pub(super) fn read(&self, offset: u64, buf: &mut [u8]) -> usize {
        let n = self.len.saturating_sub(offset).min(buf.len() as u64) as usize;
        for_each_chunk(offset, n, |index, start, range| {
            let piece = &mut buf[range];
            let there = self
                .chunks
                .get(index)
                .and_then(Option::as_ref)
                .map_or(&[][..], |chunk| chunk);
            let there = there.get(start..).unwrap_or_default();
            let there = &there[..there.len().min(piece.len())];
            piece[..there.len()].copy_from_slice(there);
            piece[there.len()..].fill(0);
        });
        n
    }

    /// Puts `data` at `offset`; a gap between the end and `offset` becomes a hole.
    pub(super) fn write(&mut self, offset: u64, data: &[u8]) {
        for_each_chunk(offset, data.len(), |index, start, range| {
            if self.chunks.len() <= index {
                self.chunks.resize(index + 1, None);
            }
            let chunk = self.chunks[index].get_or_insert_default();
            write_chunk(chunk, start, &data[range], &mut self.held);
        });
        if !data.is_empty() {
            self.len = self.len.max(offset + data.len() as u64);
        }
    }

    /// Cuts, or lengthens with a hole.
    pub(super) fn set_len(&mut self, len: u64) {
        if len < self.len {
            let whole = usize::try_from(len.div_ceil(CHUNK as u64)).unwrap_or(usize::MAX);
            while self.chunks.len() > whole {
                if let Some(chunk) = self.chunks.pop().flatten() {
                    self.held -= chunk.capacity() as u64;
                }
            }
            let rest = (len % CHUNK as u64) as usize;
            if rest > 0 && self.chunks.len() == whole {
                self.cut_last_chunk(rest);
            }
            self.chunks.shrink_to_fit();
        }
        self.len = len;
    }

    fn cut_last_chunk(&mut self, len: usize) {
        let Some(Some(chunk)) = self.chunks.last_mut() else {
            return;
        };
        if chunk.len() <= len {
            return;
        }
        self.held -= chunk.capacity() as u64;
        match Arc::get_mut(chunk) {
            Some(own) => {
                own.truncate(len);
                own.shrink_to_fit();
            }
            None => *chunk = Arc::new(chunk[..len].to_vec()),
        }
        self.held += chunk.capacity() as u64;
    }
}

/// Calls `each` with a chunk's index, the first byte in it, and the range of the `len` bytes from `offset` on that
/// lies there.
fn for_each_chunk(
    offset: u64,
    len: usize,
    mut each: impl FnMut(usize, usize, std::ops::Range<usize>),
) {
    let mut done = 0;
    while done < len {
        let at = offset + done as u64;
        let start = (at % CHUNK as u64) as usize;
        let n = (CHUNK - start).min(len - done);
        each((at / CHUNK as u64) as usize, start, done..done + n);
        done += n;
    }
}

/// Writes into one chunk, which grows only as far as needed, and keeps count of its capacity in `held`.
fn write_chunk(chunk: &mut Arc<Vec<u8>>, start: usize, data: &[u8], held: &mut u64) {
    let end = start + data.len();
    *held -= chunk.capacity() as u64;
    if let Some(own) = Arc::get_mut(chunk) {
        if own.capacity() < end {
            // Doubling makes many small writes cheap; a chunk's size is the most it ever needs.
            let room = end.max(own.capacity() * 2).min(CHUNK);
            own.reserve_exact(room - own.len());
        }
        overwrite(own, start, data);
    } else {
        // Shared with a snapshot. What `data` replaces is not copied first.
        let mut own = Vec::with_capacity(end.max(chunk.len()));
        own.extend_from_slice(&chunk[..chunk.len().min(start)]);
        own.resize(start, 0);
        own.extend_from_slice(data);
        own.extend_from_slice(chunk.get(end..).unwrap_or_default());
        *chunk = Arc::new(own);
    }
    *held += chunk.capacity() as u64;
}

fn overwrite(chunk: &mut Vec<u8>, start: usize, data: &[u8]) {
    if chunk.len() < start {
        chunk.resize(start, 0);
    }
    let inside = data.len().min(chunk.len() - start);
    chunk[start..start + inside].copy_from_slice(&data[..inside]);
    chunk.extend_from_slice(&data[inside..]);
}

#[cfg(test)]
impl Content {
    /// Where the chunks lie in memory: equal for chunks that are shared.
    pub(super) fn chunk_addresses(&self) -> Vec<usize> {
        self.chunks
            .iter()
            .map(|chunk| {
                chunk
                    .as_ref()
                    .map_or(0, |chunk| Arc::as_ptr(chunk) as usize)
            })
            .collect()
    }
}
