//! Mistakes in policy files, each with its place.

use crate::error::Error;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// Something wrong in a policy file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mistake {
    /// Where.
    pub place: Place,
    /// What is wrong, what was expected, and what may have been meant.
    pub message: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

/// A place in a policy file, or in a text that is none.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The file's path, or `preset NAME`. `None` where the text came without a name.
    pub file: Option<Arc<str>>,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl Place {
    fn in_order(&self) -> (Option<&str>, usize, usize) {
        (self.file.as_deref(), self.line, self.column)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{file}:{}:{}", self.line, self.column),
            None => write!(f, "line {}, column {}", self.line, self.column),
        }
    }
}

/// One text, and what turned out to be wrong with it.
pub(super) struct Source<'t> {
    file: Option<Arc<str>>,
    pub(super) text: &'t Arc<str>,
    pub(super) mistakes: Vec<Mistake>,
}

/// Where something stands, as long as nobody asks for line and column: finding them takes a look at the whole text.
pub(super) struct Spot {
    file: Option<Arc<str>>,
    text: Arc<str>,
    start: usize,
}

impl Spot {
    pub(super) fn is_in(&self, file: Option<&Arc<str>>) -> bool {
        self.file.as_ref() == file
    }

    pub(super) fn place(&self) -> Place {
        place(self.file.clone(), &self.text, self.start)
    }
}

fn place(file: Option<Arc<str>>, text: &str, start: usize) -> Place {
    // A range from elsewhere may end inside of a character or beyond the text.
    let before = &text.as_bytes()[..start.min(text.len())];
    let before = String::from_utf8_lossy(before);
    let line = before.rsplit('\n').next().unwrap_or_default();
    Place {
        file,
        line: 1 + before.matches('\n').count(),
        column: 1 + line.chars().count(),
    }
}

/// What is known of several files that extend one another.
#[derive(Default)]
pub(super) struct Places {
    /// Where each key was set last.
    pub(super) set: BTreeMap<String, Spot>,
    /// Mounts whose source is missing, as a file that changes them may still mend it.
    pub(super) missing: BTreeMap<String, Mistake>,
}

/// More mistakes than this are not told: the first ones explain the others.
const MAX_MISTAKES: usize = 20;

impl<'t> Source<'t> {
    pub(super) fn new(file: Option<Arc<str>>, text: &'t Arc<str>) -> Self {
        Self {
            file,
            text,
            mistakes: Vec::new(),
        }
    }

    /// The place where a range of bytes begins.
    pub(super) fn place(&self, span: &Range<usize>) -> Place {
        place(self.file.clone(), self.text, span.start)
    }

    /// The same for later.
    pub(super) fn spot(&self, span: &Range<usize>) -> Spot {
        Spot {
            file: self.file.clone(),
            text: Arc::clone(self.text),
            start: span.start,
        }
    }

    /// The error with all mistakes, in the order in which somebody reads the file.
    pub(super) fn wrong(&mut self) -> Error {
        let mut mistakes = std::mem::take(&mut self.mistakes);
        mistakes.sort_by(|one, other| one.place.in_order().cmp(&other.place.in_order()));
        Error::PolicyFile { mistakes }
    }

    /// Whether nothing more is told.
    pub(super) fn is_full(&self) -> bool {
        self.mistakes.len() >= MAX_MISTAKES
    }

    pub(super) fn mistake(&mut self, span: &Range<usize>, message: impl Into<String>) {
        if !self.is_full() {
            let place = self.place(span);
            self.mistakes.push(Mistake {
                place,
                message: message.into(),
            });
        }
    }
}

/// The name among `known` that was meant by `name`, if one is near enough.
pub(super) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// How alike two names have to be, from 0 to 1.
    const ALIKE: f64 = 0.5;
    let name = name.to_lowercase().replace('-', "_");
    known
        .into_iter()
        .map(|known| (strsim::normalized_damerau_levenshtein(&name, known), known))
        .filter(|(alike, _)| *alike >= ALIKE)
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .map(|(_, known)| known)
}

/// Names for a sentence: `a, b or c`.
pub(super) fn either<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => "nothing".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_counts_lines_and_characters() {
        let text = "a = 1\nü = \"ä\" # x\n".into();
        let source = Source::new(None, &text);
        for (start, line, column) in [(0, 1, 1), (4, 1, 5), (6, 2, 1), (11, 2, 5), (999, 3, 1)] {
            let place = source.place(&(start..start));
            assert_eq!((place.line, place.column), (line, column), "{start}");
        }
    }

    #[test]
    fn the_nearest_name_is_the_one_that_was_meant() {
        let known = ["wall", "grace", "memory", "output", "output_total", "files"];
        for (name, meant) in [
            ("wal", Some("wall")),
            ("Memory", Some("memory")),
            ("output-total", Some("output_total")),
            ("mem", Some("memory")),
            ("flies", Some("files")),
            ("colour", None),
            ("", None),
        ] {
            assert_eq!(nearest(name, known), meant, "{name}");
        }
    }
}
