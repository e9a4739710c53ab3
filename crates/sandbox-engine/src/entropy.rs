//! Where guests get randomness from.

use crate::wasi::errno::Errno;
use sha2::{Digest, Sha256};

/// A source of random bytes.
#[derive(Debug, Clone)]
pub(crate) enum Entropy {
    /// The operating system.
    System,
    /// The same bytes each time, for making images that can be made again. The number counts the blocks drawn.
    #[cfg_attr(
        not(feature = "build-guests"),
        expect(dead_code, reason = "only images are made with it")
    )]
    Fixed(u64),
}

impl Entropy {
    /// Fills a buffer.
    pub(crate) fn fill(&mut self, buffer: &mut [u8]) -> Result<(), Errno> {
        match self {
            Self::System => getrandom::fill(buffer).map_err(|_| Errno::Io),
            Self::Fixed(count) => {
                for block in buffer.chunks_mut(32) {
                    *count += 1;
                    block.copy_from_slice(&Sha256::digest(count.to_le_bytes())[..block.len()]);
                }
                Ok(())
            }
        }
    }
}
