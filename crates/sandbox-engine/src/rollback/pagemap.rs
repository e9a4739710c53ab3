//! Which pages of a private mapping differ from what was mapped, as Linux tells.

/// Size of the pages that are compared and copied.
pub(crate) const PAGE: usize = 4096;

/// The pages of `memory` that may differ from the image that it was mapped from, ascending. `None` where the system
/// does not tell.
#[cfg(target_os = "linux")]
pub(crate) fn changed_pages(memory: &[u8]) -> Option<Vec<u32>> {
    use std::fs::File;
    use std::os::unix::fs::FileExt;

    /// The page is in memory.
    const PRESENT: u64 = 1 << 63;
    /// The page is swapped out.
    const SWAPPED: u64 = 1 << 62;
    /// The page belongs to a file, or to a memory file: nobody has written to it.
    const OF_FILE: u64 = 1 << 61;
    /// Entries read at once.
    const BATCH: usize = 8192;

    if rustix::param::page_size() != PAGE || !memory.as_ptr().addr().is_multiple_of(PAGE) {
        return None;
    }
    let file = File::open("/proc/self/pagemap").ok()?;
    let first = memory.as_ptr().addr() / PAGE;
    let count = memory.len() / PAGE;
    let mut changed = Vec::new();
    let mut buffer = vec![0; BATCH.min(count) * 8];
    let mut page = 0;
    while page < count {
        let batch = BATCH.min(count - page);
        let bytes = &mut buffer[..batch * 8];
        file.read_exact_at(bytes, ((first + page) * 8) as u64)
            .ok()?;
        for (index, entry) in bytes.chunks_exact(8).enumerate() {
            let entry = u64::from_ne_bytes(entry.try_into().ok()?);
            if entry & SWAPPED != 0 || (entry & PRESENT != 0 && entry & OF_FILE == 0) {
                changed.push((page + index) as u32);
            }
        }
        page += batch;
    }
    Some(changed)
}

/// Other systems do not tell.
#[cfg(not(target_os = "linux"))]
pub(crate) fn changed_pages(_: &[u8]) -> Option<Vec<u32>> {
    None
}
