//! Guest memory as the host's functions see it: bounds-checked, and every write is noted in the journal.

use super::errno::Errno;
use crate::rollback::journal::CallLog;

/// The guest's linear memory during one host call.
pub(crate) struct GuestMemory<'a> {
    bytes: &'a mut [u8],
    log: &'a mut CallLog,
}

/// A list of buffers longer than this is refused; wasi-libc uses two at most.
const MAX_IOVECS: u32 = 1024;

impl<'a> GuestMemory<'a> {
    pub(crate) fn new(bytes: &'a mut [u8], log: &'a mut CallLog) -> Self {
        Self { bytes, log }
    }

    /// The bytes at an address.
    pub(crate) fn read(&self, at: u32, len: u32) -> Result<&[u8], Errno> {
        self.bytes.get(range(at, len)).ok_or(Errno::Fault)
    }

    /// Copies bytes to an address.
    pub(crate) fn write(&mut self, at: u32, data: &[u8]) -> Result<(), Errno> {
        let len = u32::try_from(data.len()).map_err(|_| Errno::Fault)?;
        self.bytes
            .get_mut(range(at, len))
            .ok_or(Errno::Fault)?
            .copy_from_slice(data);
        self.log.wrote(at, data);
        Ok(())
    }

    /// Writes a little-endian 32-bit number.
    pub(crate) fn write_u32(&mut self, at: u32, value: u32) -> Result<(), Errno> {
        self.write(at, &value.to_le_bytes())
    }

    /// Writes a little-endian 64-bit number.
    pub(crate) fn write_u64(&mut self, at: u32, value: u64) -> Result<(), Errno> {
        self.write(at, &value.to_le_bytes())
    }

    /// Lets `fill` write to the bytes at an address and say how many it wrote, from the start.
    pub(crate) fn fill(
        &mut self,
        at: u32,
        len: u32,
        fill: impl FnOnce(&mut [u8]) -> Result<usize, Errno>,
    ) -> Result<u32, Errno> {
        let target = self.bytes.get_mut(range(at, len)).ok_or(Errno::Fault)?;
        let count = fill(target)?.min(target.len());
        self.log.wrote(at, &target[..count]);
        Ok(count as u32)
    }

    /// The buffers of a scatter or gather list, as address and length.
    pub(crate) fn buffers(&self, at: u32, count: u32) -> Result<Vec<(u32, u32)>, Errno> {
        if count > MAX_IOVECS {
            return Err(Errno::Inval);
        }
        let bytes = self.read(at, count * 8)?;
        Ok(bytes
            .chunks_exact(8)
            .map(|pair| {
                let number =
                    |i: usize| u32::from_le_bytes([pair[i], pair[i + 1], pair[i + 2], pair[i + 3]]);
                (number(0), number(4))
            })
            .collect())
    }
}

fn range(at: u32, len: u32) -> std::ops::Range<usize> {
    at as usize..at as usize + len as usize
}
