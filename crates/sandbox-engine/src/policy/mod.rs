//! What code may use: the whole answer to what it can do to its host.
//!
//! Everything that is not granted is denied. The defaults stand in [`Policy`]'s and [`Limits`]'s fields and in
//! `policies/default.toml`, and a test keeps the two equal.
//!
//! Whoever owns the engine composes a policy, from [presets](Policy::named), [files](Policy::from_file) and its own
//! code. Whatever comes from elsewhere, such as from a model, can only [tighten](Policy::tightened_by_toml) it; so can
//! [a call into a session](crate::Cell::tightened_by), for itself alone.

mod call;
mod chance;
mod check;
mod explain;
mod limits;
mod load;
mod mistake;
mod mount;
mod presets;
mod read;
mod schema;
mod section;
mod tighten;
mod tools;
mod values;

#[cfg(test)]
mod tests;

pub use chance::{Clock, Randomness};
pub use explain::Explanation;
pub use limits::{
    Limit, Limits, MAX_MEMORY, MAX_PATH_DEPTH, MAX_STACK, MIN_DESCRIPTORS, MIN_MEMORY, MIN_STACK,
};
pub use mistake::{Mistake, Place};
pub use mount::Mount;
pub use tools::{Glob, Permission, ToolRules, Tools};
pub use values::{Size, parse_duration};

pub(crate) use chance::nanoseconds;

use crate::error::{Error, Result};
use crate::language::Language;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Everything a guest may use. See the [module documentation](self).
///
/// ```
/// use sandbox_engine::Policy;
/// let policy = Policy::from_toml("[limits]\nwall = \"1.5s\"\nmemory = \"64MiB\"")?;
/// assert_eq!(policy.limits.memory.bytes(), 64 << 20);
/// # Ok::<(), sandbox_engine::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
// These two are for the schema: files are read by `read`.
#[serde(default, deny_unknown_fields)]
#[schemars(description = "What code in the sandbox may use. What is not granted is denied.")]
#[non_exhaustive]
pub struct Policy {
    /// A name for messages. Default: the file's name without its ending.
    pub name: String,
    /// One sentence for people.
    pub description: String,
    /// The languages that code may be written in. Default: all.
    pub languages: BTreeSet<Language>,
    /// The folder that code starts in. Default: `/mnt/data`, the session's own workspace.
    pub workdir: String,
    /// Whether mounts may be writable at all; where not, a writable one is an error. Default: yes.
    pub writable_mounts: bool,
    /// What code is told about time. Default: the real time.
    pub clock: Clock,
    /// Where randomness comes from. Default: fresh from the operating system.
    pub randomness: Randomness,
    /// How much of everything.
    pub limits: Limits,
    /// Environment variables. Default: none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Host folders that the guest sees. Default: none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mounts: Vec<Mount>,
    /// Tools of the host that code may call. Default: none.
    #[serde(skip_serializing_if = "Tools::is_empty")]
    pub tools: Tools,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            name: "default".to_owned(),
            description:
                "For code that nobody has read: generous enough to work, nothing of the host"
                    .to_owned(),
            languages: Language::ALL.iter().copied().collect(),
            workdir: WORKSPACE.to_owned(),
            writable_mounts: true,
            clock: Clock::Real,
            randomness: Randomness::Fresh,
            limits: Limits::default(),
            env: BTreeMap::new(),
            mounts: Vec::new(),
            tools: Tools::default(),
        }
    }
}

/// Where the session's own files are, inside the sandbox.
pub const WORKSPACE: &str = "/mnt/data";
/// Scratch space inside the sandbox. It counts towards the same limits as the workspace.
pub const SCRATCH: &str = "/tmp";

impl Policy {
    /// One of the policies that come with the engine, `None` where there is none of that name.
    ///
    /// # Errors
    /// [`Error::PolicyFile`] where the preset's own file is wrong, which the tests rule out.
    pub fn named(name: &str) -> Result<Option<Self>> {
        load::preset(name)
    }

    /// The names that [`Policy::named`] knows, the strictest first.
    pub fn preset_names() -> impl Iterator<Item = &'static str> {
        presets::names()
    }

    /// A preset's file as it is written, with the comments that explain it.
    pub fn preset_text(name: &str) -> Option<&'static str> {
        presets::text(name)
    }

    /// Reads a policy file's text. It may extend presets; without a file's folder it cannot extend a file, and relative
    /// paths of mounts start at the current folder. Whether a mount's source exists is found out by the session.
    ///
    /// # Errors
    /// [`Error::PolicyFile`] with line and column where a key is unknown, a unit is wrong, a value does not fit or two
    /// contradict each other.
    pub fn from_toml(text: &str) -> Result<Self> {
        load::text(text)
    }

    /// Reads a policy file and the files that it extends. Relative paths in it start at its own folder.
    ///
    /// # Errors
    /// [`Error::Io`] where the file cannot be read; [`Error::PolicyFile`] as [`Policy::from_toml`], and where what it
    /// extends is missing or goes round in a circle, or a mount's source is no folder.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self> {
        load::file(path.as_ref())
    }

    /// One of the policies that come with the engine by its name, else one from a file by its path. A preset has
    /// precedence, so that no file in the current folder can take its place; `./NAME` names the file.
    ///
    /// # Errors
    /// [`Error::Policy`] where there is neither, [`Error::PolicyFile`] as [`Policy::from_file`].
    pub fn find(name: &str) -> Result<Self> {
        load::find(name)
    }

    /// The policy as a file's text, which [`Policy::from_toml`] reads back.
    pub fn to_toml(&self) -> String {
        // Every value has a form in TOML: numbers are bounded and paths are text where they are written.
        toml::to_string(self).unwrap_or_default()
    }

    /// The JSON Schema of policy files, for editors.
    pub fn schema() -> serde_json::Value {
        schema::schema()
    }

    /// What code under this policy can and cannot do, in plain sentences.
    pub fn explain(&self) -> Explanation {
        explain::explain(self)
    }

    /// The policy that grants what both grant: of every limit the smaller, of languages, variables and mounts those of
    /// both, of clocks the one that tells less, a seed rather than fresh randomness, and of two permissions for a tool
    /// the stricter. What is no right, such as the name and the working folder, stays that of `self`.
    ///
    /// ```
    /// use sandbox_engine::Policy;
    /// let (mut one, mut other) = (Policy::default(), Policy::default());
    /// one.limits.files = 10;
    /// other.limits.fuel = Some(1_000_000);
    /// let both = one.tightened_by(&other);
    /// assert_eq!((both.limits.files, both.limits.fuel), (10, Some(1_000_000)));
    /// ```
    #[must_use]
    pub fn tightened_by(&self, other: &Self) -> Self {
        tighten::tighten(self, other)
    }

    /// Tightens the policy by a text in the form of a policy file, which may come from anybody. What it does not say
    /// stays as it is; what it says counts only where it is stricter. It can neither extend nor read anything.
    ///
    /// ```
    /// use sandbox_engine::{Policy, Size};
    /// let owner = Policy::default();
    /// let policy = owner.tightened_by_toml("[limits]\nmemory = \"64MiB\"\nfiles = 1_000_000")?;
    /// assert_eq!(policy.limits.memory, Size(64 << 20));
    /// assert_eq!(policy.limits.files, owner.limits.files);
    /// # Ok::<(), sandbox_engine::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::PolicyFile`] where the text is no policy, [`Error::Policy`] where nothing could run under the result.
    pub fn tightened_by_toml(&self, text: &str) -> Result<Self> {
        let tightened = self.tightened_by(&load::change(self, text)?);
        tightened.check()?;
        Ok(tightened)
    }

    /// The policy for one call into a session that runs under `self`: see [`Cell::tightened_by`](crate::Cell::tightened_by).
    pub(crate) fn for_call(&self, call: &Self, language: Language) -> Result<Self> {
        call::for_call(self, call, language)
    }

    /// Whether code in a language may run.
    pub(crate) fn check_language(&self, language: Language) -> Result<()> {
        call::check_language(self, language)
    }

    /// Whether the parts fit together.
    ///
    /// # Errors
    /// [`Error::Policy`] with the first contradiction.
    pub fn check(&self) -> Result<()> {
        match check::contradictions(self).into_iter().next() {
            None => Ok(()),
            Some(contradiction) => Err(Error::Policy(contradiction.message)),
        }
    }
}
