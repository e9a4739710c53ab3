//! The languages that guests speak. A new guest runtime adds its line here.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A language that code can be written in.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Language {
    /// Python, run by RustPython with its standard library.
    Python,
}

impl Language {
    /// Every language that this version knows, whether or not its guest is built in.
    pub const ALL: &'static [Self] = &[Self::Python];

    /// The language's name in lower case, as flags and files spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Python => "python",
        }
    }

    /// The error that the language raises where memory is refused.
    pub(crate) fn memory_error(self) -> &'static str {
        match self {
            Self::Python => "MemoryError",
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Language {
    type Err = crate::Error;

    /// Accepts the name and the usual short forms (`py`, `python3`).
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.to_ascii_lowercase().as_str() {
            "python" | "python3" | "py" => Ok(Self::Python),
            _ => Err(crate::Error::UnknownLanguage {
                name: text.to_owned(),
                known: Self::ALL
                    .iter()
                    .map(|l| l.name())
                    .collect::<Vec<_>>()
                    .join(", "),
            }),
        }
    }
}
