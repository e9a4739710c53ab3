//! Reading one table of a policy file: each value with its place, and what is left over.

use super::mistake::{Places, Source, either, nearest};
use super::values::{A_DURATION, A_SIZE, MAX_INTEGER, Size, duration_with_unit};
use crate::error::Error;
use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

/// What is read of one file, and where things stand in it.
pub(super) struct Reader<'r, 't> {
    pub(super) source: &'r mut Source<'t>,
    pub(super) places: &'r mut Places,
    /// Every key that could have been there, by section.
    pub(super) known: Known,
    /// Keys that nobody asked for: section, key, place.
    unknown: Vec<(String, String, Range<usize>)>,
}

/// The keys of each section. The one for the top level is the empty text.
pub(super) type Known = BTreeMap<String, Vec<&'static str>>;

/// A value and where it stands.
pub(super) type Item<'t> = Spanned<DeValue<'t>>;

impl<'r, 't> Reader<'r, 't> {
    pub(super) fn new(source: &'r mut Source<'t>, places: &'r mut Places) -> Self {
        Self {
            source,
            places,
            known: Known::new(),
            unknown: Vec::new(),
        }
    }

    /// Says of a value what was expected in its place.
    pub(super) fn expected(&mut self, key: &str, item: &Item<'_>, what: &str) {
        self.source.mistake(
            &item.span(),
            format!("`{key}` is {}; expected {what}", shown(item.get_ref())),
        );
    }

    /// Tells of keys that nobody asked for. Called when every section has been read, so that all keys are known.
    pub(super) fn finish(self) -> Known {
        for (section, key, span) in self.unknown {
            if self.source.is_full() {
                break;
            }
            let here = self.known.get(&section).map_or(&[][..], Vec::as_slice);
            let place = if section.is_empty() {
                String::new()
            } else {
                format!(" in `{section}`")
            };
            let elsewhere = || {
                let mut sections = self.known.iter();
                sections.find(|(_, keys)| keys.contains(&key.as_str()))
            };
            let hint = match elsewhere() {
                Some((home, _)) if home.is_empty() => {
                    format!("`{key}` stands at the top of the file, before the first section")
                }
                Some((home, _)) => format!("`{key}` belongs to `{home}`"),
                None => match nearest(&key, here.iter().copied()) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => format!("expected {}", either(here.iter().copied())),
                },
            };
            self.source
                .mistake(&span, format!("unknown key `{key}`{place}; {hint}"));
        }
        self.known
    }
}

/// No list has more entries.
const MAX_ITEMS: usize = 256;

/// One table of a file.
pub(super) struct Section<'x, 'r, 't> {
    pub(super) reader: &'x mut Reader<'r, 't>,
    /// Its path, such as `limits`; empty for the top of the file.
    path: String,
    table: BTreeMap<String, (Range<usize>, Item<'t>)>,
}

impl<'x, 'r, 't> Section<'x, 'r, 't> {
    pub(super) fn new(reader: &'x mut Reader<'r, 't>, path: &str, table: DeTable<'t>) -> Self {
        let table = table
            .into_iter()
            .map(|(key, item): (Spanned<DeString<'t>>, Item<'t>)| {
                (key.get_ref().to_string(), (key.span(), item))
            })
            .collect();
        Self {
            reader,
            path: path.to_owned(),
            table,
        }
    }

    /// The key's full name.
    pub(super) fn name(&self, key: &str) -> String {
        if self.path.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.path)
        }
    }

    /// The value of a key, where it is set.
    pub(super) fn take(&mut self, key: &'static str) -> Option<Item<'t>> {
        let known = self.reader.known.entry(self.path.clone()).or_default();
        if !known.contains(&key) {
            known.push(key);
        }
        let (_, item) = self.table.remove(key)?;
        let spot = self.reader.source.spot(&item.span());
        let name = self.name(key);
        self.reader.places.set.insert(name, spot);
        Some(item)
    }

    /// A table below this one. Where it is absent it is read as an empty one, so that its keys are known.
    pub(super) fn table(&mut self, key: &'static str) -> Section<'_, 'r, 't> {
        let name = self.name(key);
        let mut table = DeTable::new();
        if let Some(item) = self.take(key) {
            if item.get_ref().is_table() {
                table = into_table(item).into_inner();
            } else {
                let what = format!("a table, written as `[{name}]` and the keys below it");
                self.reader.expected(&name, &item, &what);
            }
        }
        Section::new(self.reader, &name, table)
    }

    /// The tables of a list. None where it is absent.
    pub(super) fn tables(&mut self, key: &'static str, what: &str) -> Vec<Spanned<DeTable<'t>>> {
        let Some(item) = self.take(key) else {
            return Vec::new();
        };
        let name = self.name(key);
        match item.get_ref().as_array() {
            None => self.reader.expected(&name, &item, what),
            Some(list) if !self.few(&name, &item, list.len()) => return Vec::new(),
            Some(_) => {}
        }
        let DeValue::Array(list) = item.into_inner() else {
            return Vec::new();
        };
        let mut tables = Vec::new();
        for item in list {
            if item.get_ref().is_table() {
                tables.push(into_table(item));
            } else {
                self.reader.expected(&name, &item, what);
            }
        }
        tables
    }

    /// Whether a list is short enough to be compared with itself and with others.
    fn few(&mut self, name: &str, item: &Item<'_>, len: usize) -> bool {
        let is_few = len <= MAX_ITEMS;
        if !is_few {
            let message = format!("`{name}` has {len} entries; expected at most {MAX_ITEMS}");
            self.reader.source.mistake(&item.span(), message);
        }
        is_few
    }

    /// Everything that is left in it, for a section whose keys are anybody's choice.
    pub(super) fn rest(&mut self) -> Vec<(String, Item<'t>)> {
        let rest = std::mem::take(&mut self.table);
        rest.into_iter()
            .map(|(key, (_, item))| {
                let spot = self.reader.source.spot(&item.span());
                self.reader.places.set.insert(self.name(&key), spot);
                (key, item)
            })
            .collect()
    }

    /// A size. Returns whether there was one.
    pub(super) fn size(&mut self, key: &'static str, into: &mut Size) -> bool {
        let Some(item) = self.take(key) else {
            return false;
        };
        let read = match item.get_ref() {
            DeValue::String(text) => text.parse().ok(),
            other => whole_number(other).map(Size),
        };
        self.put(key, &item, read, A_SIZE, into)
    }

    pub(super) fn duration(&mut self, key: &'static str, into: &mut Duration) {
        let Some(item) = self.take(key) else { return };
        let read = item.get_ref().as_str().and_then(duration_with_unit);
        self.put(key, &item, read, A_DURATION, into);
    }

    /// A whole number up to `most`, which `N` holds. Returns whether there was one.
    pub(super) fn count<N: TryFrom<u64>>(
        &mut self,
        key: &'static str,
        most: u64,
        into: &mut N,
    ) -> bool {
        let Some(item) = self.take(key) else {
            return false;
        };
        let read = whole_number(item.get_ref()).and_then(|number| N::try_from(number).ok());
        self.put(key, &item, read, &whole_number_to(most), into)
    }

    pub(super) fn text(&mut self, key: &'static str, into: &mut String) {
        let Some(item) = self.take(key) else { return };
        let read = item.get_ref().as_str().map(str::to_owned);
        self.put(key, &item, read, A_TEXT, into);
    }

    pub(super) fn boolean(&mut self, key: &'static str, into: &mut bool) {
        let Some(item) = self.take(key) else { return };
        let read = item.get_ref().as_bool();
        self.put(key, &item, read, "`true` or `false`", into);
    }

    /// A text and where it stands.
    pub(super) fn spanned_text(&mut self, key: &'static str) -> Option<(String, Range<usize>)> {
        let item = self.take(key)?;
        let Some(text) = item.get_ref().as_str() else {
            let name = self.name(key);
            self.reader.expected(&name, &item, A_TEXT);
            return None;
        };
        Some((text.to_owned(), item.span()))
    }

    /// A list of texts, each read by `read`.
    pub(super) fn list<T>(
        &mut self,
        key: &'static str,
        what: &str,
        read: impl Fn(&str) -> Result<T, Error>,
    ) -> Option<Vec<T>> {
        let item = self.take(key)?;
        let name = self.name(key);
        let Some(array) = item.get_ref().as_array() else {
            self.reader
                .expected(&name, &item, &format!("a list of {what}"));
            return None;
        };
        if !self.few(&name, &item, array.len()) {
            return None;
        }
        let mut list = Vec::new();
        for one in array {
            match one.get_ref().as_str() {
                None => self
                    .reader
                    .expected(&name, one, &format!("{what} in quotes")),
                Some(text) => match read(text) {
                    Ok(value) => list.push(value),
                    Err(error) => {
                        let message = format!("`{name}`: {}", reason(&error));
                        self.reader.source.mistake(&one.span(), message);
                    }
                },
            }
        }
        Some(list)
    }

    fn put<T>(
        &mut self,
        key: &'static str,
        item: &Item<'_>,
        read: Option<T>,
        what: &str,
        into: &mut T,
    ) -> bool {
        let is_right = read.is_some();
        if let Some(value) = read {
            *into = value;
        } else {
            let name = self.name(key);
            self.reader.expected(&name, item, what);
        }
        is_right
    }
}

impl Drop for Section<'_, '_, '_> {
    /// Whatever was not asked for is unknown.
    fn drop(&mut self) {
        for (key, (span, _)) in std::mem::take(&mut self.table) {
            self.reader.unknown.push((self.path.clone(), key, span));
        }
    }
}

/// The reason alone: the place already says that it is about a policy.
fn reason(error: &Error) -> String {
    match error {
        Error::Policy(reason) => reason.clone(),
        other => other.to_string(),
    }
}

/// A value as a table, an empty one where it is none.
fn into_table(item: Item<'_>) -> Spanned<DeTable<'_>> {
    let span = item.span();
    let table = match item.into_inner() {
        DeValue::Table(table) => table,
        _ => DeTable::new(),
    };
    Spanned::new(span, table)
}

/// What is expected where a number is wanted.
pub(super) fn whole_number_to(most: u64) -> String {
    format!("a whole number from 0 to {most}")
}

/// What is expected where a text is wanted.
pub(super) const A_TEXT: &str = "a text in quotes";

pub(super) fn whole_number(value: &DeValue<'_>) -> Option<u64> {
    let integer = value.as_integer()?;
    u64::from_str_radix(integer.as_str(), integer.radix())
        .ok()
        .filter(|number| *number <= MAX_INTEGER)
}

/// A value as a message shows it.
fn shown(value: &DeValue<'_>) -> String {
    /// A longer text is not shown in full, in characters.
    const MAX: usize = 60;
    match value {
        DeValue::String(text) if text.chars().count() > MAX => {
            format!("{:?}…", text.chars().take(MAX).collect::<String>())
        }
        DeValue::String(text) => format!("{text:?}"),
        DeValue::Integer(number) => format!("the number {number}"),
        DeValue::Float(number) => format!("the number {number}"),
        DeValue::Boolean(value) => format!("{value}"),
        DeValue::Datetime(moment) => format!("the moment {moment}"),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}
