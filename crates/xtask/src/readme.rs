//! The README's map of the repository must name folders that exist.

use anyhow::{Context, Result, bail, ensure};
use std::fs;

use crate::project::Project;

/// Checks every folder that the README's map names.
///
/// The map is the table below the heading "Map"; its first column holds folders in backticks.
pub fn check(project: &Project) -> Result<()> {
    let path = project.root().join("README.md");
    let text =
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let folders = folders(&text);
    ensure!(
        !folders.is_empty(),
        "README.md has no map: a table of folders in backticks below the heading \"Map\""
    );
    let missing: Vec<_> = folders
        .into_iter()
        .filter(|folder| !project.root().join(folder).is_dir())
        .collect();
    if !missing.is_empty() {
        bail!(
            "the map in README.md names folders that do not exist: {}",
            missing.join(", ")
        );
    }
    Ok(())
}

fn folders(readme: &str) -> Vec<&str> {
    readme
        .lines()
        .skip_while(|line| !is_heading(line, "map"))
        .skip(1)
        .take_while(|line| !line.starts_with('#'))
        .filter_map(|line| line.strip_prefix('|')?.split('|').next())
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .collect()
}

fn is_heading(line: &str, text: &str) -> bool {
    line.starts_with('#')
        && line
            .trim_start_matches('#')
            .trim()
            .eq_ignore_ascii_case(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_the_first_column_of_the_map() {
        let readme = "# Title\n| `not` | this |\n## Map\ntext with `code`\n\n| folder | what |\n|---|---|\n\
            | `crates/engine` | the engine, see `other` |\n| `a`, `b/` | two |\n## Next\n| `not` | this |\n";
        assert_eq!(folders(readme), ["crates/engine", "a", "b/"]);
    }

    #[test]
    fn without_a_map_there_is_nothing() {
        assert!(folders("# Maps of the world\n| `a` | b |\n").is_empty());
        assert!(folders("# Map\nno table\n").is_empty());
    }
}
