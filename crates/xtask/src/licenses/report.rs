//! The text of `sandbox-run licenses`: what is inside, then every licence text once.

use anyhow::{Context, Result, bail};
use cargo_metadata::Package;
use spdx::{Expression, LicenseItem, ParseMode};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::guests::CarriedWork;

/// A work that the program carries.
pub struct Work {
    name: String,
    license: String,
    origin: String,
    /// Texts that come with the work; the standard texts of its licence stand in where there are none.
    texts: Vec<String>,
}

/// Works and the texts that they refer to by number.
pub struct Report {
    program: &'static str,
    works: Vec<Work>,
}

impl Work {
    /// A crate.
    pub fn package(package: &Package) -> Self {
        let authors = match package.authors.as_slice() {
            [] => String::new(),
            authors => format!(", by {}", authors.join(", ")),
        };
        Self {
            name: format!("{} {}{authors}", package.name, package.version),
            license: package
                .license
                .clone()
                .unwrap_or_else(|| "see its text".to_owned()),
            origin: package.repository.clone().unwrap_or_default(),
            texts: texts_of(package),
        }
    }

    /// A work inside a crate.
    pub fn carried(carried: &CarriedWork, package: &Package) -> Result<Self> {
        let path = folder_of(package).join(&carried.file);
        let text = fs::read_to_string(&path).with_context(|| {
            format!(
                "guest.toml names {} in {}, which cannot be read",
                carried.file.display(),
                package.name
            )
        })?;
        Ok(Self {
            name: carried.name.clone(),
            license: carried.license.clone(),
            origin: format!("in {} {}", package.name, package.version),
            texts: vec![text],
        })
    }

    /// What every Rust program carries.
    pub fn rust() -> Vec<Self> {
        vec![Self::standard(
            "Rust's standard library",
            "MIT OR Apache-2.0",
            "https://github.com/rust-lang/rust",
        )]
    }

    /// The C library that guests are linked with.
    pub fn wasi_libc() -> Vec<Self> {
        let origin = "https://github.com/WebAssembly/wasi-libc";
        vec![
            Self::standard(
                "wasi-libc",
                "Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT",
                origin,
            ),
            Self::standard(
                "musl, by Rich Felker and others, in wasi-libc",
                "MIT",
                origin,
            ),
            Self::standard(
                "cloudlibc, by Nuxi and others, in wasi-libc",
                "BSD-2-Clause",
                origin,
            ),
            Self::standard("dlmalloc, by Doug Lea, in wasi-libc", "CC0-1.0", origin),
        ]
    }

    fn standard(name: &str, license: &str, origin: &str) -> Self {
        Self {
            name: name.to_owned(),
            license: license.to_owned(),
            origin: origin.to_owned(),
            texts: Vec::new(),
        }
    }

    fn texts(&self) -> Result<Vec<String>> {
        if self.texts.is_empty() {
            standard_texts(&self.license)
        } else {
            Ok(self.texts.clone())
        }
    }
}

impl Report {
    /// A report about these works; the same work twice counts once.
    pub fn new(program: &'static str, mut works: Vec<Work>) -> Result<Self> {
        if works.is_empty() {
            bail!("no works to report about");
        }
        works.sort_by(|a, b| a.name.cmp(&b.name));
        works.dedup_by(|a, b| a.name == b.name);
        Ok(Self { program, works })
    }

    /// What the LGPL asks to be said.
    fn relinking(&self) -> String {
        let names: Vec<&str> = self
            .works
            .iter()
            .filter(|work| work.license.contains("LGPL"))
            .map(|work| work.name.as_str())
            .collect();
        if names.is_empty() {
            return String::new();
        }
        format!(
            "\nThese are used under the GNU Lesser General Public License: {}. To use another version of them, change \
             it in the source of this program and build the guest and the program anew.\n",
            names.join("; ")
        )
    }

    /// The whole report.
    pub fn text(&self) -> Result<String> {
        let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
        let mut texts: Vec<String> = Vec::new();
        let mut list = String::new();
        for work in &self.works {
            let mut references = Vec::new();
            for text in work
                .texts()
                .with_context(|| format!("no licence text for {}", work.name))?
            {
                let number = *numbers.entry(words(&text)).or_insert_with(|| {
                    texts.push(text.replace("\r\n", "\n").trim().to_owned());
                    texts.len()
                });
                references.push(format!("[{number}]"));
            }
            references.dedup();
            writeln!(
                list,
                "{}\n    {}  {}",
                work.name,
                work.license,
                references.join(" ")
            )?;
            if !work.origin.is_empty() {
                writeln!(list, "    {}", work.origin)?;
            }
        }
        let mut report = format!(
            "{} contains the works below, each under its own licence. Numbers refer to the texts that follow.\n{}\n{list}",
            self.program,
            self.relinking()
        );
        for (index, text) in texts.iter().enumerate() {
            write!(report, "\n{}\n[{}]\n\n{text}\n", "=".repeat(100), index + 1)?;
        }
        Ok(report)
    }
}

/// The licence texts in a crate: beside its manifest, and beside C sources that a `-sys` crate carries.
fn texts_of(package: &Package) -> Vec<String> {
    let folder = folder_of(package);
    let mut paths = license_files(&folder);
    if package.name.ends_with("-sys") {
        let folders = fs::read_dir(&folder).into_iter().flatten().flatten();
        paths.extend(
            folders
                .filter(|entry| entry.path().is_dir())
                .flat_map(|entry| license_files(&entry.path())),
        );
    }
    if let Some(named) = package.license_file() {
        paths.push(named.into_std_path_buf());
    }
    paths.sort();
    paths.dedup();
    paths
        .iter()
        .filter_map(|path| fs::read_to_string(path).ok())
        .filter(|text| !text.trim().is_empty())
        .collect()
}

fn license_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path())
        .filter(|path| {
            path.is_file()
                && path
                    .file_name()
                    .is_some_and(|name| is_license(&name.to_string_lossy()))
        })
        .collect()
}

/// GPL texts in `COPYING` of dual-licensed C libraries do not apply, so that name is not among these.
fn is_license(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let source = Path::new(&name)
        .extension()
        .is_some_and(|extension| extension == "rs" || extension == "toml");
    !source
        && ["license", "licence", "unlicense", "notice", "copyright"]
            .iter()
            .any(|start| name.starts_with(start))
}

fn folder_of(package: &Package) -> PathBuf {
    package
        .manifest_path
        .parent()
        .map(|folder| folder.as_std_path().to_owned())
        .unwrap_or_default()
}

/// The standard texts for every licence of an expression.
fn standard_texts(license: &str) -> Result<Vec<String>> {
    let expression = Expression::parse_mode(license, ParseMode::LAX).map_err(|error| {
        anyhow::anyhow!("the licence `{license}` cannot be read: {}", error.reason)
    })?;
    let mut texts = Vec::new();
    for requirement in expression.requirements() {
        let LicenseItem::Spdx { id, .. } = &requirement.req.license else {
            bail!("the licence `{license}` has no standard text");
        };
        texts.push(id.text().to_owned());
        // The Lesser GPL is an addition to the GPL and has to come with it.
        if let Some(gpl) = id
            .name
            .strip_prefix('L')
            .filter(|name| name.starts_with("GPL-3"))
            .and_then(spdx::license_id)
        {
            texts.push(gpl.text().to_owned());
        }
        if let Some(exception) = requirement
            .req
            .addition
            .as_ref()
            .and_then(spdx::AdditionItem::id)
        {
            texts.push(exception.text().to_owned());
        }
    }
    Ok(texts)
}

/// A text's words in lower case: texts that differ in line breaks only count as one.
fn words(text: &str) -> String {
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(name: &str, text: &str) -> Work {
        Work {
            texts: vec![text.to_owned()],
            ..Work::standard(name, "MIT", "")
        }
    }

    #[test]
    fn equal_texts_are_printed_once() {
        let works = vec![
            work("b", "Free  for\nall."),
            work("a", "Free for all."),
            work("c", "Other."),
        ];
        let text = Report::new("x", works).unwrap().text().unwrap();
        assert_eq!(text.matches("for all.").count(), 1, "{text}");
        assert!(
            text.contains("a\n    MIT  [1]\nb\n    MIT  [1]\nc\n    MIT  [2]"),
            "{text}"
        );
    }

    #[test]
    fn works_that_can_be_exchanged_are_named() {
        let works = vec![
            Work::standard("numbers 1.0", "LGPL-3.0-only", ""),
            work("a", "Free."),
        ];
        let text = Report::new("x", works).unwrap().text().unwrap();
        assert!(
            text.contains("Lesser General Public License: numbers 1.0. To use"),
            "{text}"
        );
        assert!(
            !Report::new("x", vec![work("a", "Free.")])
                .unwrap()
                .text()
                .unwrap()
                .contains("Lesser")
        );
    }

    #[test]
    fn standard_texts_stand_in() {
        let texts = standard_texts("MIT OR Apache-2.0 WITH LLVM-exception").unwrap();
        assert_eq!(texts.len(), 3);
        assert!(texts[0].contains("without restriction"));
        assert_eq!(standard_texts("LGPL-3.0-only").unwrap().len(), 2);
        assert!(standard_texts("no licence").is_err());
    }

    #[test]
    fn license_files_are_known_by_name() {
        for name in [
            "LICENSE",
            "LICENSE-MIT",
            "license.txt",
            "Unlicense",
            "NOTICE",
        ] {
            assert!(is_license(name), "{name}");
        }
        for name in ["license.rs", "README.md", "COPYING", "licenses.toml"] {
            assert!(!is_license(name), "{name}");
        }
    }
}
