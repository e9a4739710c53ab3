//! Where guests get randomness from.

use crate::policy::Randomness;
use crate::wasi::errno::Errno;
use sha2::{Digest, Sha256};

/// A source of random bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Entropy {
    /// The operating system.
    System,
    /// The same bytes each time, for making images that can be made again. The number counts the blocks drawn.
    #[cfg_attr(
        not(feature = "build-guests"),
        expect(dead_code, reason = "only images are made with it")
    )]
    Fixed(u64),
    /// The same bytes each time for the same seed.
    Seeded {
        /// The seed.
        seed: u64,
        /// The blocks drawn so far.
        count: u64,
    },
}

impl Entropy {
    /// The source that a policy asks for, from its beginning.
    pub(crate) fn of(policy: Randomness) -> Self {
        match policy {
            Randomness::Fresh => Self::System,
            Randomness::Seeded { seed } => Self::Seeded { seed, count: 0 },
        }
    }

    /// Fills a buffer.
    pub(crate) fn fill(&mut self, buffer: &mut [u8]) -> Result<(), Errno> {
        match self {
            Self::System => getrandom::fill(buffer).map_err(|_| Errno::Io),
            Self::Fixed(count) => {
                blocks(buffer, count, &[]);
                Ok(())
            }
            Self::Seeded { seed, count } => {
                blocks(buffer, count, &seed.to_le_bytes());
                Ok(())
            }
        }
    }
}

/// Fills a buffer with digests of a count and a key. A buffer begins with a new block, so what is drawn depends on the
/// calls before, not on when they came.
fn blocks(buffer: &mut [u8], count: &mut u64, key: &[u8]) {
    for block in buffer.chunks_mut(32) {
        *count += 1;
        let digest = Sha256::new()
            .chain_update(count.to_le_bytes())
            .chain_update(key)
            .finalize();
        block.copy_from_slice(&digest[..block.len()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(seed: u64) -> Vec<Vec<u8>> {
        let mut entropy = Entropy::of(Randomness::Seeded { seed });
        [1, 32, 33, 100]
            .map(|len| {
                let mut bytes = vec![0; len];
                entropy.fill(&mut bytes).unwrap();
                bytes
            })
            .to_vec()
    }

    #[test]
    fn a_seed_gives_the_same_bytes_and_another_seed_gives_others() {
        assert_eq!(drawn(1), drawn(1));
        assert_ne!(drawn(1), drawn(2));
        let bytes = drawn(1);
        assert_ne!(bytes[1][..], bytes[2][..32], "each call goes on");
    }

    #[test]
    fn fresh_bytes_are_different_each_time() {
        let mut entropy = Entropy::of(Randomness::Fresh);
        let (mut one, mut other) = ([0; 32], [0; 32]);
        entropy.fill(&mut one).unwrap();
        entropy.fill(&mut other).unwrap();
        assert_ne!(one, other);
    }
}
