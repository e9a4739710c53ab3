//! From a text, a file or a preset's name to a policy: `extends` is followed, and mistakes get their places.

use super::mistake::{Mistake, Place, Places, Source, Spot, nearest};
use super::{Policy, Size, check, presets, read};
use crate::error::{Error, Result};
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use toml::de::DeTable;

/// A longer text is no policy, in bytes. What anybody may write costs little to read.
pub(super) const MAX_TEXT: u64 = 64 << 10;
/// More policies than this do not extend one another.
const MAX_CHAIN: usize = 16;

/// A text that a policy is read from.
struct Text {
    /// What messages call it.
    label: Option<Arc<str>>,
    content: Arc<str>,
    /// Where relative paths start. `None` where the text is no file.
    folder: Option<PathBuf>,
}

/// One reading: the policies that are being extended, and where each key was set.
#[derive(Default)]
struct Loader {
    /// From the one that was asked for to the one that is being read.
    chain: Vec<String>,
    places: Places,
}

/// A policy from a text that has no file.
pub(super) fn text(content: &str) -> Result<Policy> {
    load(&Text {
        label: None,
        content: content.into(),
        folder: None,
    })
}

/// One of the policies that come with the engine.
pub(super) fn preset(name: &str) -> Result<Option<Policy>> {
    presets::text(name)
        .map(|content| load(&preset_text(name, content)))
        .transpose()
}

/// A policy from a file.
pub(super) fn file(path: &Path) -> Result<Policy> {
    let content = read_file(path).map_err(Error::io("cannot read the policy file", path))?;
    load(&file_text(path, &content))
}

/// A preset by its name, else a file by its path.
pub(super) fn find(name: &str) -> Result<Policy> {
    if let Some(policy) = preset(name)? {
        return Ok(policy);
    }
    let path = Path::new(name);
    match read_file(path) {
        Ok(content) => load(&file_text(path, &content)),
        Err(error) => {
            let presets: Vec<_> = presets::names().collect();
            Err(Error::Policy(format!(
                "there is no preset `{name}`, and as a file: {error}{}\nPresets: {}",
                meant(name),
                presets.join(", ")
            )))
        }
    }
}

/// The preset that was meant, as the end of a sentence.
fn meant(name: &str) -> String {
    nearest(name, presets::names()).map_or_else(String::new, |preset| {
        format!("; did you mean the preset `{preset}`?")
    })
}

/// A text that changes a policy instead of extending one. It may come from anybody, so it reaches no file.
pub(super) fn change(base: &Policy, content: &str) -> Result<Policy> {
    let mut loader = Loader::default();
    let content = content.into();
    let mut source = Source::new(None, &content);
    let table = parse(&mut source)?;
    if let Some(span) = extends(&table).map(|(_, span)| span) {
        source.mistake(
            &span,
            "`extends` has no place here: this changes a policy that is there",
        );
    }
    let mut policy = base.clone();
    read::apply(table, &mut policy, None, &mut source, &mut loader.places);
    finish(source)?;
    Ok(policy)
}

fn load(text: &Text) -> Result<Policy> {
    let mut loader = Loader::default();
    let policy = loader.read(text, false)?;
    let mistakes: Vec<_> = check::contradictions(&policy)
        .into_iter()
        .map(|contradiction| Mistake {
            place: loader.place_of(&contradiction.keys, text),
            message: contradiction.message,
        })
        .collect();
    if mistakes.is_empty() {
        Ok(policy)
    } else {
        Err(Error::PolicyFile { mistakes })
    }
}

impl Loader {
    /// Reads a text and what it extends. `is_base` where another text changes what comes of it.
    fn read(&mut self, text: &Text, is_base: bool) -> Result<Policy> {
        let mut source = Source::new(text.label.clone(), &text.content);
        let table = parse(&mut source)?;
        let mut policy = match extends(&table) {
            Some((Some(base), span)) => match self.base(base, text) {
                Ok(text) => self.read(&text, true)?,
                Err(message) => {
                    source.mistake(&span, message);
                    Policy::default()
                }
            },
            Some((None, span)) => {
                source.mistake(
                    &span,
                    "`extends`: expected a preset's name or a file's path in quotes",
                );
                Policy::default()
            }
            None => Policy::default(),
        };
        // Of the base, these two would mislead.
        policy.name = text.name();
        policy.description = String::new();
        let folder = text.folder.as_deref();
        read::apply(table, &mut policy, folder, &mut source, &mut self.places);
        if !is_base {
            let missing = std::mem::take(&mut self.places.missing);
            source.mistakes.extend(missing.into_values());
        }
        finish(source)?;
        Ok(policy)
    }

    /// Where one of these keys is set: in the text that was asked for rather than in what it extends.
    fn place_of(&self, keys: &[String], text: &Text) -> Place {
        let set = || keys.iter().filter_map(|key| self.places.set.get(key));
        let spot = set()
            .find(|spot| spot.is_in(text.label.as_ref()))
            .or_else(|| set().next());
        spot.map_or_else(
            || Place {
                file: text.label.clone(),
                line: 1,
                column: 1,
            },
            Spot::place,
        )
    }

    /// What `extends` names: a preset first, as on the command line, else a file.
    fn base(&mut self, name: &str, by: &Text) -> Result<Text, String> {
        if self.chain.is_empty() {
            self.chain.push(by.identity());
        }
        let base = if let Some(content) = presets::text(name) {
            preset_text(name, content)
        } else {
            let meant = meant(name);
            let Some(folder) = &by.folder else {
                return Err(format!(
                    "`extends`: there is no preset `{name}`, and only a file can extend a file{meant}"
                ));
            };
            let path = folder.join(name);
            let content = read_file(&path).map_err(|error| {
                format!(
                    "`extends`: there is no preset `{name}`, and as a file {}: {error}{meant}",
                    path.display()
                )
            })?;
            file_text(&path, &content)
        };
        let identity = base.identity();
        let closes = self.chain.contains(&identity);
        self.chain.push(identity);
        if closes {
            return Err(format!(
                "`extends` goes round in a circle: {}",
                self.chain.join(" → ")
            ));
        }
        if self.chain.len() > MAX_CHAIN {
            return Err(format!(
                "`extends`: more than {MAX_CHAIN} policies extend one another"
            ));
        }
        Ok(base)
    }
}

impl Text {
    /// The same for two spellings of a path.
    fn identity(&self) -> String {
        let label = self.label.as_deref().unwrap_or("this text");
        match &self.folder {
            Some(_) => Path::new(label)
                .canonicalize()
                .map_or_else(|_| label.to_owned(), |path| path.display().to_string()),
            None => label.to_owned(),
        }
    }

    /// The policy's name where it gives itself none.
    fn name(&self) -> String {
        self.folder
            .as_ref()
            .and(self.label.as_deref())
            .and_then(|label| Path::new(label).file_stem())
            .map_or_else(
                || "unnamed".to_owned(),
                |stem| stem.to_string_lossy().into_owned(),
            )
    }
}

fn preset_text(name: &str, content: &str) -> Text {
    Text {
        label: Some(format!("preset {name}").into()),
        content: content.into(),
        folder: None,
    }
}

fn file_text(path: &Path, content: &str) -> Text {
    Text {
        label: Some(path.display().to_string().into()),
        content: content.into(),
        folder: Some(path.parent().unwrap_or(Path::new("")).to_owned()),
    }
}

/// What stands under `extends`, and where.
fn extends<'i>(table: &'i DeTable<'_>) -> Option<(Option<&'i str>, Range<usize>)> {
    let value = table.get("extends")?;
    Some((value.get_ref().as_str(), value.span()))
}

/// Reads TOML. What is no TOML has no keys worth looking at.
fn parse<'t>(source: &mut Source<'t>) -> Result<DeTable<'t>> {
    if source.text.len() as u64 > MAX_TEXT {
        source.mistake(&(0..0), too_large());
        return Err(source.wrong());
    }
    let (table, errors) = DeTable::parse_recoverable(source.text);
    for error in &errors {
        let span = error.span().unwrap_or_default();
        source.mistake(&span, format!("no TOML: {}", error.message()));
    }
    if errors.is_empty() {
        Ok(table.into_inner())
    } else {
        Err(source.wrong())
    }
}

fn finish(mut source: Source<'_>) -> Result<()> {
    if source.mistakes.is_empty() {
        Ok(())
    } else {
        Err(source.wrong())
    }
}

fn too_large() -> String {
    format!("too large for a policy: more than {}", Size(MAX_TEXT))
}

/// Reads a file that is one and is not too large, so that nothing waits for a pipe or reads a device.
fn read_file(path: &Path) -> io::Result<String> {
    let refused = |why: String| io::Error::new(io::ErrorKind::InvalidData, why);
    if !path.metadata()?.is_file() {
        return Err(refused("not a file".to_owned()));
    }
    let mut bytes = Vec::new();
    File::open(path)?
        .take(MAX_TEXT + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_TEXT {
        return Err(refused(too_large()));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        refused(format!("not UTF-8 (byte {at})"))
    })
}
