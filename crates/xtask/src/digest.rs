//! Keys: one SHA-256 over everything that a result depends on.

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Collects inputs, each under a name and with its length, so that no two lists of inputs look alike.
pub struct Key(Sha256);

impl Key {
    /// Starts a key. The purpose keeps keys of different kinds apart.
    pub fn new(purpose: &str) -> Self {
        Self(Sha256::new()).with("purpose", purpose.as_bytes())
    }

    /// Adds a value.
    #[must_use]
    pub fn with(mut self, name: &str, value: &[u8]) -> Self {
        for part in [name.as_bytes(), value] {
            self.0.update((part.len() as u64).to_le_bytes());
            self.0.update(part);
        }
        self
    }

    /// Adds a file's content, under its path below `root`.
    pub fn with_file(self, root: &Path, path: &Path) -> Result<Self> {
        let content = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let name = path.strip_prefix(root).unwrap_or(path);
        Ok(self.with(&name.to_string_lossy().replace('\\', "/"), &content))
    }

    /// Adds every file below a folder, in the order of their paths.
    pub fn with_tree(self, root: &Path, folder: &Path) -> Result<Self> {
        files_below(folder)?
            .iter()
            .try_fold(self, |key, path| key.with_file(root, path))
    }

    /// The key as hexadecimal digits.
    pub fn finish(self) -> String {
        hex(&self.0.finalize())
    }
}

/// SHA-256 of some bytes as hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Every regular file below a folder, sorted. What Python leaves behind when it runs a guest's library is no source.
pub fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let entries =
            fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))?;
        for entry in entries {
            let entry = entry.with_context(|| format!("cannot list {}", folder.display()))?;
            let kind = entry.file_type()?;
            if kind.is_file() {
                found.push(entry.path());
            } else if kind.is_dir() && entry.file_name() != "__pycache__" {
                open.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sha256_matches_the_standard() {
        assert_eq!(
            sha256(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn inputs_do_not_run_into_each_other() {
        let key = |parts: &[(&str, &str)]| {
            parts
                .iter()
                .fold(Key::new("test"), |key, (name, value)| {
                    key.with(name, value.as_bytes())
                })
                .finish()
        };
        assert_eq!(key(&[("a", "bc")]), key(&[("a", "bc")]));
        assert_ne!(key(&[("a", "bc")]), key(&[("ab", "c")]));
        assert_ne!(key(&[("a", "b"), ("c", "d")]), key(&[("a", "bcd")]));
        assert_ne!(Key::new("one").finish(), Key::new("two").finish());
    }

    #[test]
    fn a_tree_changes_with_content_names_and_removals() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let key = || Key::new("tree").with_tree(root, root).unwrap().finish();
        fs::create_dir_all(root.join("src")).unwrap();
        fs::write(root.join("src/lib.rs"), "one").unwrap();
        let first = key();
        assert_eq!(first, key());
        fs::create_dir_all(root.join("src/__pycache__")).unwrap();
        fs::write(root.join("src/__pycache__/x.pyc"), "compiled").unwrap();
        assert_eq!(first, key());
        fs::write(root.join("src/lib.rs"), "two").unwrap();
        let second = key();
        assert_ne!(first, second);
        fs::rename(root.join("src/lib.rs"), root.join("src/main.rs")).unwrap();
        assert_ne!(second, key());
        fs::remove_file(root.join("src/main.rs")).unwrap();
        assert_ne!(first, key());
    }
}
