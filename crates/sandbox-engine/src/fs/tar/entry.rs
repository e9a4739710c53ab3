//! What an archive says of one entry, and what is not accepted.

use crate::fs::walk::MAX_NAME;
use crate::wasi::errno::Errno;
use std::collections::BTreeSet;
use std::io::Read;
use tar::Entry;

/// Why an entry is not unpacked.
pub(super) enum Refusal {
    /// The archive is not as it should be.
    Archive(String),
    /// The files do not allow it.
    File(Errno),
    /// The parser has no more. Why, the reader may know better.
    Parser(std::io::Error),
}

impl From<Errno> for Refusal {
    fn from(errno: Errno) -> Self {
        Self::File(errno)
    }
}

impl From<&str> for Refusal {
    fn from(reason: &str) -> Self {
        Self::Archive(reason.to_owned())
    }
}

/// The names of a path that leads downwards.
pub(super) fn names(path: &[u8]) -> Result<Vec<&[u8]>, Refusal> {
    if path.is_empty() {
        return Err("has no name".into());
    }
    if path.starts_with(b"/") {
        return Err("an absolute path".into());
    }
    let names: Vec<_> = path
        .split(|&byte| byte == b'/')
        .filter(|name| !matches!(*name, b"" | b"."))
        .collect();
    for name in &names {
        if *name == b".." {
            return Err("`..` leads out of the folder".into());
        }
        if name.len() > MAX_NAME {
            return Err(Errno::Nametoolong.into());
        }
        if name.contains(&0) {
            return Err("a name with NUL in it".into());
        }
    }
    Ok(names)
}

/// When an entry's content last changed, in nanoseconds. Looks at its whole extended header, if it has one.
pub(super) fn time(entry: &mut Entry<'_, impl Read>) -> Result<u64, Refusal> {
    let seconds = entry.header().mtime().map_err(Refusal::Parser)?;
    // Numbers below zero come out as very large ones.
    let seconds = i64::try_from(seconds).map_or(0, i64::unsigned_abs);
    let mut time = seconds.saturating_mul(1_000_000_000);
    let mut seen = BTreeSet::new();
    let records = entry.pax_extensions().map_err(Refusal::Parser)?;
    for record in records.into_iter().flatten() {
        let record = record.map_err(|_| "an extended header that cannot be read")?;
        let (key, value) = (record.key_bytes(), record.value_bytes());
        if !seen.insert(key) {
            return Err("an extended header that says something twice".into());
        }
        match key {
            b"mtime" => time = nanoseconds(value).ok_or("an extended header with a wrong time")?,
            b"size" if number(value).is_none() => {
                return Err("an extended header with a wrong size".into());
            }
            _ if key.starts_with(b"GNU.sparse.") => {
                return Err(
                    "a sparse file in a form that is not unpacked; `tar --format=gnu` writes another"
                        .into(),
                );
            }
            _ => {}
        }
    }
    Ok(time)
}

/// Whether a header for all entries that follow says nothing that counts here.
pub(super) fn check_global(entry: &mut Entry<'_, impl Read>) -> Result<(), Refusal> {
    let records = entry.pax_extensions().map_err(Refusal::Parser)?;
    for record in records.into_iter().flatten() {
        let record = record.map_err(|_| "an extended header that cannot be read")?;
        let key = record.key_bytes();
        if matches!(key, b"path" | b"linkpath" | b"size" | b"mtime")
            || key.starts_with(b"GNU.sparse.")
        {
            return Err("a header that changes all entries after it".into());
        }
    }
    Ok(())
}

/// Seconds with a fraction, as nanoseconds. What is before 1970 counts as its beginning.
fn nanoseconds(text: &[u8]) -> Option<u64> {
    let is_before = text.starts_with(b"-");
    let text = text.strip_prefix(b"-").unwrap_or(text);
    let mut parts = text.splitn(2, |&byte| byte == b'.');
    let seconds = number(parts.next()?)?;
    let mut nanoseconds = 0;
    if let Some(fraction) = parts.next() {
        let mut digits = [b'0'; 9];
        let kept = fraction.len().min(9);
        digits[..kept].copy_from_slice(&fraction[..kept]);
        if !fraction.iter().all(u8::is_ascii_digit) {
            return None;
        }
        nanoseconds = number(&digits)?;
    }
    let time = seconds
        .saturating_mul(1_000_000_000)
        .saturating_add(nanoseconds);
    Some(if is_before { 0 } else { time })
}

fn number(digits: &[u8]) -> Option<u64> {
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}
