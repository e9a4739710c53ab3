//! A guest's reply, read where it lies in the guest's memory. The host copies only what it keeps: every text is cut at the
//! limit on output, and lists end where they become long, so that a forged reply costs no more than an honest one.

use crate::instance::Failure;
use crate::output::Capture;
use sandbox_abi::{Completeness, GuestError, Interrupt, Outcome, Ran, Reply};
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;

/// More completions than this nobody looks through; the rest is left out.
const MAX_CANDIDATES: usize = 1024;
/// Completions together have at most so many bytes; the first that does not fit ends them.
const MAX_CANDIDATE_BYTES: usize = 256 << 10;
/// However little output a policy keeps, so many bytes of an error's texts are told.
const MIN_ERROR: usize = 64 << 10;

/// Reads a reply. What is cut of it is noted in `output`, whose limit it is cut at.
pub(crate) fn read(bytes: &[u8], output: &mut Capture) -> Result<Reply, Failure> {
    let raw = sandbox_abi::decode(bytes).map_err(|error| Failure::Protocol(error.to_string()))?;
    let limit = usize::try_from(output.limit()).unwrap_or(usize::MAX);
    let cut_at = |text: &str, most: usize, cut: &mut bool| {
        let kept = &text[..text.floor_char_boundary(most)];
        *cut |= kept.len() < text.len();
        kept.to_owned()
    };
    let cut = &mut output.cut;
    Ok(match raw {
        Raw::Started => Reply::Started,
        Raw::Ran(ran) => Reply::Ran(Ran {
            outcome: match ran.outcome {
                RawOutcome::Ok => Outcome::Ok,
                RawOutcome::Exit(code) => Outcome::Exit(code),
                RawOutcome::Error(error) => {
                    let most = limit.max(MIN_ERROR);
                    Outcome::Error(GuestError {
                        name: cut_at(error.name, most, cut),
                        message: cut_at(error.message, most, cut),
                        traceback: cut_at(error.traceback, most, cut),
                        interrupted: error.interrupted,
                    })
                }
            },
            value: ran.value.map(|value| cut_at(value, limit, cut)),
            count: ran.count,
        }),
        Raw::Completions(from, Candidates(candidates)) => Reply::Completions(from, candidates),
        Raw::Completeness(completeness) => Reply::Completeness(completeness),
        Raw::Refused(reason) => Reply::Refused(cut_at(reason, MIN_ERROR, cut)),
    })
}

/// [`Reply`], its texts where they lie. A test keeps the two alike.
#[derive(Deserialize)]
enum Raw<'a> {
    Started,
    #[serde(borrow)]
    Ran(RawRan<'a>),
    Completions(u32, Candidates),
    Completeness(Completeness),
    Refused(&'a str),
}

#[derive(Deserialize)]
struct RawRan<'a> {
    #[serde(borrow)]
    outcome: RawOutcome<'a>,
    value: Option<&'a str>,
    count: u32,
}

#[derive(Deserialize)]
enum RawOutcome<'a> {
    Ok,
    Exit(i32),
    #[serde(borrow)]
    Error(RawError<'a>),
}

#[derive(Deserialize)]
struct RawError<'a> {
    name: &'a str,
    message: &'a str,
    traceback: &'a str,
    interrupted: Option<Interrupt>,
}

/// Completions, of which only the first are kept. An empty text takes one byte of a reply and many times that here.
struct Candidates(Vec<String>);

impl<'de> Deserialize<'de> for Candidates {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct First;

        impl<'de> Visitor<'de> for First {
            type Value = Candidates;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of texts")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut texts: A) -> Result<Candidates, A::Error> {
                let (mut kept, mut bytes) = (Vec::new(), 0);
                let mut is_full = false;
                while let Some(text) = texts.next_element::<&'de str>()? {
                    bytes = text.len().saturating_add(bytes);
                    is_full |= kept.len() == MAX_CANDIDATES || bytes > MAX_CANDIDATE_BYTES;
                    // The rest is read nevertheless: a list that breaks off is no reply.
                    if !is_full {
                        kept.push(text.to_owned());
                    }
                }
                Ok(Candidates(kept))
            }
        }

        from.deserialize_seq(First)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{Limits, Size};
    use sandbox_abi::encode;

    fn capture(output: u64) -> Capture {
        let limits = Limits {
            output: Size(output),
            ..Limits::default()
        };
        Capture::new(&limits, false, None)
    }

    fn error(text: &str) -> Reply {
        Reply::Ran(Ran {
            outcome: Outcome::Error(GuestError {
                name: text.to_owned(),
                message: text.to_owned(),
                traceback: text.to_owned(),
                interrupted: Some(Interrupt::Memory),
            }),
            value: None,
            count: 3,
        })
    }

    #[test]
    fn every_reply_is_read_as_it_was_written() {
        let ran = |outcome, value: Option<&str>| {
            Reply::Ran(Ran {
                outcome,
                value: value.map(str::to_owned),
                count: 7,
            })
        };
        for reply in [
            Reply::Started,
            ran(Outcome::Ok, None),
            ran(Outcome::Ok, Some("wért")),
            ran(Outcome::Exit(-3), None),
            error("no"),
            Reply::Completions(5, vec!["one".to_owned(), String::new()]),
            Reply::Completeness(Completeness::Invalid),
            Reply::Refused("why".to_owned()),
        ] {
            let mut output = capture(1 << 20);
            assert_eq!(read(&encode(&reply), &mut output).unwrap(), reply);
            assert!(!output.cut, "{reply:?}");
        }
    }

    #[test]
    fn a_long_text_is_cut_at_the_limit_on_output() {
        let mut output = capture(9);
        let reply = Reply::Ran(Ran {
            outcome: Outcome::Ok,
            value: Some("ü".repeat(100)),
            count: 1,
        });
        let Reply::Ran(ran) = read(&encode(&reply), &mut output).unwrap() else {
            panic!("another reply");
        };
        assert_eq!(ran.value.as_deref(), Some("üüüü"));
        assert!(output.cut);
    }

    #[test]
    fn an_error_is_told_in_some_bytes_at_least() {
        for (limit, len, kept) in [
            (0, 100, 100),
            (0, MIN_ERROR + 1, MIN_ERROR),
            (1 << 20, (1 << 20) + 1, 1 << 20),
        ] {
            let mut output = capture(limit);
            let read = read(&encode(&error(&"e".repeat(len))), &mut output).unwrap();
            assert_eq!(read, error(&"e".repeat(kept)), "{limit} {len}");
            assert_eq!(output.cut, kept < len, "{limit} {len}");
        }
    }

    #[test]
    fn completions_without_end_have_one() {
        let empty = vec![String::new(); 1 << 20];
        let long = vec!["x".repeat(1000); 1000];
        for (candidates, kept) in [
            (empty, MAX_CANDIDATES),
            (long, MAX_CANDIDATE_BYTES / 1000),
            (vec!["x".repeat(MAX_CANDIDATE_BYTES + 1)], 0),
        ] {
            let bytes = encode(&Reply::Completions(0, candidates));
            let Ok(Reply::Completions(_, candidates)) = read(&bytes, &mut capture(0)) else {
                panic!("another reply");
            };
            assert_eq!(candidates.len(), kept);
        }
    }

    #[test]
    fn a_list_that_breaks_off_is_no_reply() {
        let mut bytes = encode(&Reply::Completions(0, vec!["x".repeat(9); 2000]));
        bytes.pop();
        assert!(matches!(
            read(&bytes, &mut capture(0)),
            Err(Failure::Protocol(_))
        ));
    }
}
