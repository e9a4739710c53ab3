//! Attacks as data: what they try, and what may come of it.

use sandbox_engine::{ExecutionResult, Limit, Status};
use serde::Deserialize;
use std::fs;
use std::path::Path;

/// One attempt to get out, or to use up more than was given.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attack {
    /// Its name. Begins with the name of its file.
    pub id: String,
    /// The threats in `docs/threat-model.md` that it tries.
    pub threats: Vec<String>,
    /// What it does, in a sentence.
    pub tries: String,
    /// What it must not come to.
    pub must_not: String,
    /// The Python code.
    pub code: String,
    /// A cell that runs before.
    #[serde(default)]
    pub first: String,
    /// How it may end.
    pub ends: Vec<End>,
    /// What the last expression has to be.
    pub value: Option<String>,
    /// A host thread exchanges entries of the mounts meanwhile.
    #[serde(default)]
    pub swap: bool,
    /// A folder with many long names is mounted, too, as `/mnt/crowd`.
    #[serde(default)]
    pub crowd: bool,
    /// It breaks variables, so they do not tell whether the state was kept.
    #[serde(default)]
    pub breaks_variables: bool,
}

/// How a run ended, as far as it matters here. A crash of the interpreter is none of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// To its end.
    Ok,
    /// With an error of its own.
    Error,
    /// It exited.
    Exit,
    /// The time limit.
    Wall,
    /// The memory limit.
    Memory,
    /// The stack.
    Stack,
    /// To its end, but some output was dropped.
    Cut,
    /// Too much output altogether.
    Output,
    /// The interpreter failed. No attack may do that, unless its entry says why it cannot be otherwise.
    Crash,
}

impl End {
    /// How this run ended.
    pub fn of(result: &ExecutionResult) -> Option<Self> {
        Some(match (result.status, result.limit) {
            (Status::Ok, None) => Self::Ok,
            (Status::Error, None) => Self::Error,
            (Status::Ok | Status::Error, Some(Limit::Output)) => Self::Cut,
            (Status::Exited { .. }, _) => Self::Exit,
            (Status::LimitReached, Some(Limit::Wall)) => Self::Wall,
            (Status::LimitReached, Some(Limit::Memory)) => Self::Memory,
            (Status::LimitReached, Some(Limit::Stack)) => Self::Stack,
            (Status::LimitReached, Some(Limit::Output)) => Self::Output,
            (Status::Crashed, _) => Self::Crash,
            _ => return None,
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    attack: Vec<Attack>,
}

/// All attacks, by file and in the order of the files.
pub fn all() -> Vec<Attack> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/security/attacks");
    let mut files: Vec<_> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap_or_else(|error| panic!("{error}")).path())
        .collect();
    files.sort();
    let mut attacks = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{error}"));
        let file: File =
            toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let kind = path.file_stem().unwrap_or_default().to_string_lossy();
        for attack in file.attack {
            assert!(
                attack.id.starts_with(&format!("{kind}-")),
                "`{}` stands in {kind}.toml",
                attack.id
            );
            attacks.push(attack);
        }
    }
    attacks
}
