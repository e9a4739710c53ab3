//! What code is told about time, and where its randomness comes from.

use super::values::DURATION_PATTERN;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// What code is told about time.
///
/// It holds for every clock of the guest, and for the times of files in the workspace. Files in mounts have the times
/// that the host gives them. Limits on time always go by the real clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Clock {
    /// The machine's clock, to the nanosecond.
    #[default]
    Real,
    /// The machine's clock, cut down to whole steps: too coarse to time another program's secrets with.
    Coarse {
        /// The step, from 1 ms to 1 h. Default: [`Clock::STEP`].
        step: Duration,
    },
    /// Always the same moment. Sleeping takes its time and then no time has passed, so code that waits until the clock
    /// has reached something waits until its limit.
    Frozen {
        /// The moment. Default: [`Clock::moment`].
        at: SystemTime,
    },
}

impl Clock {
    /// The usual step of a coarse clock: 100 ms.
    pub const STEP: Duration = Duration::from_millis(100);

    /// The moment at which a clock is frozen where none is given: the beginning of 2025, in UTC.
    pub fn moment() -> SystemTime {
        // 20,089 days after the epoch.
        UNIX_EPOCH + Duration::from_hours(20_089 * 24)
    }

    /// What is wrong with it.
    pub(super) fn check(&self) -> Result<(), String> {
        match self {
            Self::Coarse { step }
                if *step < Duration::from_millis(1) || *step > Duration::from_hours(1) =>
            {
                Err(format!(
                    "a coarse clock has a step from 1ms to 1h, not {}",
                    humantime::format_duration(*step)
                ))
            }
            Self::Frozen { at } if nanoseconds(*at).is_none() => Err(
                "a clock can be frozen from 1970-01-01T00:00:00Z to 2554-07-21T23:34:33Z"
                    .to_owned(),
            ),
            _ => Ok(()),
        }
    }

    /// The one of two that tells less. Of two that tell the same amount, `self`.
    pub(super) fn tightened_by(self, other: Self) -> Self {
        match (self, other) {
            (Self::Frozen { .. }, _) | (_, Self::Real) => self,
            (_, Self::Frozen { .. }) | (Self::Real, _) => other,
            (Self::Coarse { step: mine }, Self::Coarse { step: theirs }) => Self::Coarse {
                step: mine.max(theirs),
            },
        }
    }
}

/// Nanoseconds since 1970, where they fit what WASI's clocks count with.
pub(crate) fn nanoseconds(at: SystemTime) -> Option<u64> {
    u64::try_from(at.duration_since(UNIX_EPOCH).ok()?.as_nanos()).ok()
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Real => f.write_str("real"),
            Self::Coarse { step } => {
                write!(f, "in steps of {}", humantime::format_duration(*step))
            }
            Self::Frozen { at } => write!(f, "frozen at {}", moment_text(*at)),
        }
    }
}

/// A moment as RFC 3339 writes it. Moments that no clock can be frozen at are shown as the first one.
fn moment_text(at: SystemTime) -> String {
    let at = UNIX_EPOCH + Duration::from_nanos(nanoseconds(at).unwrap_or_default());
    humantime::format_rfc3339(at).to_string()
}

impl Serialize for Clock {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Real => serializer.serialize_str("real"),
            Self::Coarse { step } => {
                let step = humantime::format_duration(*step).to_string();
                one(serializer, "coarse", &step)
            }
            Self::Frozen { at } => one(serializer, "frozen", &moment_text(*at)),
        }
    }
}

/// A table with one key.
fn one<S: Serializer, V: Serialize + ?Sized>(
    serializer: S,
    key: &str,
    value: &V,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(1))?;
    map.serialize_entry(key, value)?;
    map.end()
}

impl JsonSchema for Clock {
    fn schema_name() -> Cow<'static, str> {
        "Clock".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "What code is told about time: the machine's clock, the same in steps (of 100 ms, or as given), or always one moment (the beginning of 2025, or as given).",
            "anyOf": [
                { "enum": ["real", "coarse", "frozen"] },
                {
                    "type": "object",
                    "properties": {
                        "coarse": { "type": "string", "pattern": DURATION_PATTERN, "description": "The step, from 1 ms to 1 h." },
                    },
                    "required": ["coarse"],
                    "additionalProperties": false,
                },
                {
                    "type": "object",
                    "properties": {
                        "frozen": {
                            "type": "string",
                            "format": "date-time",
                            "description": "The moment, in UTC. TOML's own form without quotes is read as well.",
                        },
                    },
                    "required": ["frozen"],
                    "additionalProperties": false,
                },
            ],
            "examples": ["coarse", { "frozen": "2025-01-01T00:00:00Z" }],
        })
    }
}

/// Where a guest's randomness comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Randomness {
    /// The operating system: different each time, and not to be guessed.
    #[default]
    Fresh,
    /// A seed: the same program draws the same numbers each time, also from `secrets`. Whoever knows the seed knows
    /// them all.
    Seeded {
        /// The seed, at most 2⁶³ - 1.
        seed: u64,
    },
}

impl Randomness {
    /// Seeded where one of the two is: code that is to repeat itself stays so. Of two seeds, that of `self`.
    pub(super) fn tightened_by(self, other: Self) -> Self {
        match self {
            Self::Fresh => other,
            Self::Seeded { .. } => self,
        }
    }
}

impl Serialize for Randomness {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Fresh => serializer.serialize_str("fresh"),
            Self::Seeded { seed } => one(serializer, "seed", seed),
        }
    }
}

impl JsonSchema for Randomness {
    fn schema_name() -> Cow<'static, str> {
        "Randomness".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "Where randomness comes from: the operating system, or a seed, so that the same program draws the same numbers each time.",
            "anyOf": [
                { "const": "fresh" },
                {
                    "type": "object",
                    "properties": { "seed": { "type": "integer", "minimum": 0 } },
                    "required": ["seed"],
                    "additionalProperties": false,
                },
            ],
            "examples": ["fresh", { "seed": 1 }],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_clocks_the_one_that_tells_less_is_taken() {
        let coarse = |ms| Clock::Coarse {
            step: Duration::from_millis(ms),
        };
        let frozen = |s| Clock::Frozen {
            at: UNIX_EPOCH + Duration::from_secs(s),
        };
        for (one, other, wanted) in [
            (Clock::Real, Clock::Real, Clock::Real),
            (Clock::Real, coarse(10), coarse(10)),
            (coarse(10), Clock::Real, coarse(10)),
            (coarse(10), coarse(100), coarse(100)),
            (coarse(100), coarse(10), coarse(100)),
            (coarse(10), frozen(1), frozen(1)),
            (frozen(1), coarse(10), frozen(1)),
            (frozen(1), frozen(2), frozen(1)),
            (Clock::Real, frozen(2), frozen(2)),
        ] {
            assert_eq!(one.tightened_by(other), wanted, "{one} by {other}");
        }
    }

    #[test]
    fn a_seed_stays_and_is_not_exchanged() {
        let seeded = |seed| Randomness::Seeded { seed };
        assert_eq!(
            Randomness::Fresh.tightened_by(Randomness::Fresh),
            Randomness::Fresh
        );
        assert_eq!(Randomness::Fresh.tightened_by(seeded(1)), seeded(1));
        assert_eq!(seeded(1).tightened_by(Randomness::Fresh), seeded(1));
        assert_eq!(seeded(1).tightened_by(seeded(2)), seeded(1));
    }
}
