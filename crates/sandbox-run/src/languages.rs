//! `sandbox-run languages`.

use crate::output;
use crate::report::Failure;
use crate::sandbox;
use sandbox_engine::Language;
use serde::Serialize;
use std::fmt::Write;

/// One language, as `--json` prints it.
#[derive(Serialize)]
struct Row {
    name: &'static str,
    /// The interpreter's name and version, where its guest is built in.
    interpreter: Option<String>,
    built_in: bool,
}

/// Prints the languages as a table, or as one JSON array.
pub fn run(json: bool) -> Result<u8, Failure> {
    let engine = sandbox::engine()?;
    let rows: Vec<Row> = Language::ALL
        .iter()
        .map(|language| {
            let manifest = engine.manifest(*language).ok();
            Row {
                name: language.name(),
                built_in: manifest.is_some(),
                interpreter: manifest.map(|manifest| manifest.interpreter),
            }
        })
        .collect();
    let text = if json {
        serde_json::to_string(&rows).map_err(|error| Failure::ours(error.to_string()))? + "\n"
    } else {
        table(&rows)
    };
    output::whole(text.as_bytes())
}

fn table(rows: &[Row]) -> String {
    let mut text = format!("{:<12} {:<32} {}\n", "LANGUAGE", "INTERPRETER", "BUILT IN");
    for row in rows {
        let interpreter = row.interpreter.as_deref().unwrap_or("-");
        let built_in = if row.built_in {
            "yes"
        } else {
            "no: run `cargo xtask guests`, then build again"
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{:<12} {interpreter:<32} {built_in}", row.name);
    }
    text
}
