//! Patch files applied to a source tree in memory.

use anyhow::{Context, Result, bail, ensure};
use diffy::patch_set::{FileOperation, ParseOptions, PatchKind, PatchSet};
use std::collections::BTreeMap;

/// Files by their path, with `/` between folders.
pub type Tree = BTreeMap<String, Vec<u8>>;

/// Applies one patch file in unified format whose paths start with `a/` and `b/`. Either all of it applies
/// or the error names the patch and the file.
pub fn apply(tree: &mut Tree, name: &str, diff: &str) -> Result<()> {
    let mut changed = 0;
    for file in PatchSet::parse(diff, ParseOptions::unidiff()) {
        let file = file.with_context(|| format!("{name} is no valid patch"))?;
        let operation = file.operation().strip_prefix(1);
        let PatchKind::Text(hunks) = file.patch() else {
            bail!("{name} has a binary part, which patches of sources do not need");
        };
        match operation {
            FileOperation::Modify { original, modified } if original == modified => {
                let old = text(tree, name, &original)?;
                let new = diffy::apply(&old, hunks).with_context(|| {
                    format!("{name} does not apply to {original}; make it anew for this version")
                })?;
                tree.insert(original.into_owned(), new.into_bytes());
            }
            FileOperation::Create(path) => {
                ensure!(
                    !tree.contains_key(path.as_ref()),
                    "{name} creates {path}, which exists already"
                );
                let new = diffy::apply("", hunks)
                    .with_context(|| format!("{name} does not apply to {path}"))?;
                tree.insert(path.into_owned(), new.into_bytes());
            }
            FileOperation::Delete(path) => {
                let old = text(tree, name, &path)?;
                let rest = diffy::apply(&old, hunks)
                    .with_context(|| format!("{name} does not apply to {path}"))?;
                ensure!(
                    rest.is_empty(),
                    "{name} deletes {path}, but does not know all of it"
                );
                tree.remove(path.as_ref());
            }
            _ => bail!("{name} renames or copies a file; write it as a deletion and a creation"),
        }
        changed += 1;
    }
    ensure!(changed > 0, "{name} changes no file");
    Ok(())
}

fn text(tree: &Tree, changed_by: &str, path: &str) -> Result<String> {
    let bytes = tree
        .get(path)
        .with_context(|| format!("{changed_by} changes {path}, which does not exist"))?;
    String::from_utf8(bytes.clone())
        .with_context(|| format!("{changed_by} changes {path}, which is no text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHANGE: &str = "Why this is needed.\n\n--- a/src/one.rs\n+++ b/src/one.rs\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n";

    fn tree(content: &str) -> Tree {
        Tree::from([("src/one.rs".to_owned(), content.as_bytes().to_vec())])
    }

    #[test]
    fn a_change_applies_below_its_description() {
        let mut tree = tree("a\nb\nc\n");
        apply(&mut tree, "0001.patch", CHANGE).unwrap();
        assert_eq!(tree["src/one.rs"], b"a\nB\nc\n");
    }

    #[test]
    fn several_files_and_shifted_lines_apply() {
        let mut tree = tree("first\na\nb\nc\n");
        tree.insert("two".to_owned(), b"x\n".to_vec());
        let patch = format!("{CHANGE}--- a/two\n+++ b/two\n@@ -1 +1 @@\n-x\n+y\n");
        apply(&mut tree, "0001.patch", &patch).unwrap();
        assert_eq!(tree["src/one.rs"], b"first\na\nB\nc\n");
        assert_eq!(tree["two"], b"y\n");
    }

    #[test]
    fn files_are_created_and_deleted() {
        let mut tree = tree("a\n");
        let patch = "--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+x\n--- a/src/one.rs\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n";
        apply(&mut tree, "0001.patch", patch).unwrap();
        assert_eq!(tree, Tree::from([("new".to_owned(), b"x\n".to_vec())]));
    }

    #[test]
    fn what_does_not_apply_is_named() {
        for (content, path) in [("a\nother\nc\n", "src/one.rs"), ("", "src/one.rs")] {
            let mut tree = tree(content);
            let error = format!("{:#}", apply(&mut tree, "0007.patch", CHANGE).unwrap_err());
            assert!(
                error.contains("0007.patch") && error.contains(path),
                "{error}"
            );
        }
        let error = apply(&mut Tree::new(), "0007.patch", CHANGE)
            .unwrap_err()
            .to_string();
        assert!(error.contains("does not exist"), "{error}");
    }

    #[test]
    fn a_file_without_changes_is_an_error() {
        assert!(apply(&mut Tree::new(), "0001.patch", "only words\n").is_err());
    }
}
