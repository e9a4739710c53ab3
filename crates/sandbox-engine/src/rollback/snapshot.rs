//! A copy of an instance's memory: the pages that differ from a fresh instance's.
//!
//! Between two requests no WebAssembly frame is on the stack and every global is back at its first value, so memory is
//! all there is.

use super::pagemap::{PAGE, changed_pages};

/// The state of an instance's memory.
#[derive(Default)]
pub(crate) struct Snapshot {
    /// Size of the memory in bytes. 0: that of a fresh instance.
    size: usize,
    numbers: Vec<u32>,
    content: Vec<u8>,
}

impl Snapshot {
    /// Copies what differs from a fresh instance; where the system does not tell, everything that is not zero.
    pub(crate) fn take(memory: &[u8]) -> Self {
        let numbers =
            changed_pages(memory).unwrap_or_else(|| (0..(memory.len() / PAGE) as u32).collect());
        let mut content = Vec::with_capacity(numbers.len() * PAGE);
        for number in &numbers {
            content.extend_from_slice(page(memory, *number));
        }
        Self {
            size: memory.len(),
            numbers,
            content,
        }
    }

    /// Size that the memory has to have before [`Snapshot::restore`], in bytes.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Puts the pages into a fresh instance's memory.
    pub(crate) fn restore(&self, memory: &mut [u8]) {
        for (number, content) in self.numbers.iter().zip(self.content.chunks_exact(PAGE)) {
            let start = *number as usize * PAGE;
            memory[start..start + PAGE].copy_from_slice(content);
        }
    }
}

fn page(memory: &[u8], number: u32) -> &[u8] {
    let start = number as usize * PAGE;
    &memory[start..start + PAGE]
}
