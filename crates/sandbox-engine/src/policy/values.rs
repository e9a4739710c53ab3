//! Sizes and durations as people write them, and numbers as TOML can hold them.

use crate::error::{Error, Result};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// What is expected where a size is wanted.
pub(super) const A_SIZE: &str = "a size such as \"256MiB\", \"64KiB\" or a number of bytes";
/// What is expected where a duration is wanted.
pub(super) const A_DURATION: &str = "a duration such as \"1.5s\", \"250ms\" or \"2m\"";

/// A number of bytes that reads and prints as people write it: `256MiB`.
///
/// ```
/// use sandbox_engine::Size;
/// assert_eq!("1.5KiB".parse::<Size>()?, Size(1536));
/// assert_eq!(Size(64 << 20).to_string(), "64MiB");
/// # Ok::<(), sandbox_engine::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Size(pub u64);

impl Size {
    /// The number of bytes.
    pub fn bytes(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (unit, name) in [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")] {
            if self.0 >= unit && self.0.is_multiple_of(unit) {
                return write!(f, "{}{name}", self.0 / unit);
            }
        }
        write!(f, "{}B", self.0)
    }
}

impl FromStr for Size {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let wrong = || {
            Error::Policy(format!(
                "`{text}` is no size; expected one such as 256MiB, 64KiB or 1000000"
            ))
        };
        let size: bytesize::ByteSize = text.parse().map_err(|_| wrong())?;
        // What does not fit is cut off to the largest number while it is read.
        if size.as_u64() == u64::MAX && text.trim().trim_end_matches('B') != u64::MAX.to_string() {
            return Err(wrong());
        }
        Ok(Self(size.as_u64()))
    }
}

impl Serialize for Size {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Raw {
            Bytes(u64),
            Text(String),
        }
        match Raw::deserialize(deserializer)? {
            Raw::Bytes(bytes) => Ok(Self(bytes)),
            Raw::Text(text) => text.parse().map_err(serde::de::Error::custom),
        }
    }
}

impl JsonSchema for Size {
    fn schema_name() -> Cow<'static, str> {
        "Size".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A number of bytes, with a unit or without.",
            "anyOf": [
                { "type": "string", "pattern": SIZE_PATTERN },
                { "type": "integer", "minimum": 0 },
            ],
            "examples": ["256MiB", "64KiB", 1_000_000],
        })
    }
}

/// Sizes, as an editor checks them.
pub(super) const SIZE_PATTERN: &str =
    r"^ *[0-9]+(\.[0-9]+)? *([bB]|[kKmMgGtTpPeE]([iI]?[bB])?|[kKmMgGtTpPeE][iI])? *$";
/// Durations, as an editor checks them.
pub(super) const DURATION_PATTERN: &str =
    r"^ *[0-9]+(\.[0-9]+)? *[a-zA-Zµ]+( *[0-9]+ *[a-zA-Zµ]+)* *$";

/// Durations as people write them: `1.5s`, `250ms`, `2m`, `1h 30m`. A bare number is one of seconds.
///
/// # Errors
/// [`Error::Policy`] where the text is no duration.
pub fn parse_duration(text: &str) -> Result<Duration> {
    let wrong = || {
        Error::Policy(format!(
            "`{text}` is no duration; expected one such as 1.5s, 250ms or 2m"
        ))
    };
    let text = text.trim();
    if let Ok(duration) = humantime::parse_duration(text) {
        return Ok(duration);
    }
    // A fraction, and a number alone, are what people write and humantime does not read.
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" | "s" | "sec" => 1.0,
        "ms" => 1e-3,
        "us" => 1e-6,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(wrong()),
    };
    let digits = digits.trim_end();
    if !digits
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.')
    {
        return Err(wrong());
    }
    let number: f64 = digits.parse().map_err(|_| wrong())?;
    Duration::try_from_secs_f64(number * unit).map_err(|_| wrong())
}

/// A duration in a file, where a number alone would leave its reader in doubt.
pub(super) fn duration_with_unit(text: &str) -> Option<Duration> {
    let text = text.trim();
    text.ends_with(char::is_alphabetic)
        .then(|| parse_duration(text).ok())
        .flatten()
}

/// The schema of a duration.
pub(super) fn duration_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "description": "A duration with its unit.",
        "type": "string",
        "pattern": DURATION_PATTERN,
        "examples": ["1.5s", "250ms", "2m"],
    })
}

/// Writes a duration as people do.
pub(super) fn write_duration<S: Serializer>(
    duration: &Duration,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&humantime::format_duration(*duration))
}

/// The largest integer that TOML has.
pub(super) const MAX_INTEGER: u64 = i64::MAX as u64;

/// Writes a number that is only ever compared with smaller ones: what TOML cannot hold becomes the largest it can.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
pub(super) fn write_count<S: Serializer>(count: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64((*count).min(MAX_INTEGER))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sizes_read_as_people_write_them() {
        for (text, bytes) in [
            ("256MiB", 256 << 20),
            ("256 MiB", 256 << 20),
            ("256mib", 256 << 20),
            ("1.5KiB", 1536),
            ("1GB", 1_000_000_000),
            ("1000", 1000),
            ("12B", 12),
        ] {
            assert_eq!(text.parse::<Size>().unwrap(), Size(bytes), "{text}");
        }
        for wrong in [
            "",
            "MiB",
            "12 potatoes",
            "-1",
            "5s",
            "1e99999GiB",
            "99999999999EiB",
            "nan",
            "1,5MiB",
        ] {
            let error = wrong.parse::<Size>().unwrap_err().to_string();
            assert!(error.contains("256MiB"), "{wrong}: {error}");
        }
        assert_eq!(Size(1536).to_string(), "1536B");
        assert_eq!(Size(3 << 30).to_string(), "3GiB");
    }

    #[test]
    fn durations_read_as_people_write_them() {
        for (text, milliseconds) in [
            ("1.5s", 1500),
            ("250ms", 250),
            ("2m", 120_000),
            ("0.5 h", 1_800_000),
            ("5", 5000),
            ("1h 30m", 5_400_000),
            ("1day", 86_400_000),
            ("1500000us", 1500),
        ] {
            let wanted = Duration::from_millis(milliseconds);
            assert_eq!(parse_duration(text).unwrap(), wanted, "{text}");
        }
        for wrong in [
            "",
            "s",
            "soon",
            "-1s",
            "1 fortnight",
            "5MiB",
            "inf",
            "nan",
            "1e5s",
            "1.2.3s",
            "99999999999999999999h",
        ] {
            let error = parse_duration(wrong).unwrap_err().to_string();
            assert!(error.contains("250ms"), "{wrong}: {error}");
        }
    }

    #[test]
    fn an_editor_accepts_what_is_accepted_here() {
        let sizes = regex::Regex::new(SIZE_PATTERN).unwrap();
        for text in [
            "256MiB", "256 mib", "1.5KiB", "1GB", "1000", "12B", "3G", "3Gi",
        ] {
            assert!(text.parse::<Size>().is_ok(), "{text}");
            assert!(sizes.is_match(text), "{text}");
        }
        let durations = regex::Regex::new(DURATION_PATTERN).unwrap();
        for text in ["1.5s", "250ms", "2m", "0.5 h", "1h 30m", "1day"] {
            assert!(duration_with_unit(text).is_some(), "{text}");
            assert!(durations.is_match(text), "{text}");
        }
        for wrong in ["", "soon", "-1s", "MiB"] {
            assert!(duration_with_unit(wrong).is_none(), "{wrong}");
            assert!(
                !sizes.is_match(wrong) && !durations.is_match(wrong),
                "{wrong}"
            );
        }
    }

    #[test]
    fn a_duration_in_a_file_has_a_unit() {
        let durations = regex::Regex::new(DURATION_PATTERN).unwrap();
        for wrong in ["5", "1.5", "1h 30"] {
            assert!(duration_with_unit(wrong).is_none(), "{wrong}");
            assert!(!durations.is_match(wrong), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn what_is_printed_reads_back(bytes in any::<u64>(), nanos in 0..u64::MAX) {
            prop_assert_eq!(Size(bytes).to_string().parse::<Size>().unwrap(), Size(bytes));
            let duration = Duration::from_nanos(nanos);
            let text = humantime::format_duration(duration).to_string();
            prop_assert_eq!(parse_duration(&text).unwrap(), duration, "{}", text);
        }

        #[test]
        fn no_text_makes_it_panic(text in ".{0,24}", number in "[0-9.eE+-]{0,40}[a-zA-Z ]{0,4}") {
            for text in [text, number] {
                let _ = text.parse::<Size>();
                let _ = parse_duration(&text);
            }
        }
    }
}
