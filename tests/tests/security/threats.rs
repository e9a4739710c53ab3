//! The threat model and the tests name each other.

use crate::attack;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const DOCUMENT: &str = "docs/threat-model.md";

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

fn document() -> String {
    fs::read_to_string(project(DOCUMENT)).unwrap_or_else(|error| panic!("{DOCUMENT}: {error}"))
}

/// The rows of the tables of threats: id, threat, defence, tests.
fn rows(text: &str) -> BTreeMap<String, Vec<String>> {
    let mut rows = BTreeMap::new();
    for line in text.lines().filter(|line| line.starts_with("| T-")) {
        let cells: Vec<String> = line
            .trim_matches('|')
            .split('|')
            .map(|cell| cell.trim().to_owned())
            .collect();
        assert_eq!(cells.len(), 4, "a row has four cells: {line}");
        let id = cells[0].clone();
        assert!(
            rows.insert(id.clone(), cells).is_none(),
            "{id} is there twice"
        );
    }
    rows
}

/// What stands between backticks.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

#[test]
fn every_threat_that_an_attack_names_is_in_the_threat_model() {
    let rows = rows(&document());
    for attack in attack::all() {
        for threat in &attack.threats {
            assert!(
                rows.contains_key(threat),
                "{} names {threat}, which {DOCUMENT} does not know",
                attack.id
            );
        }
    }
}

#[test]
fn every_threat_in_the_threat_model_is_tried() {
    let attacked: BTreeSet<String> = attack::all()
        .into_iter()
        .flat_map(|attack| attack.threats)
        .collect();
    for (id, cells) in rows(&document()) {
        let says_attacks = cells[3].split(", ").any(|test| test == "attacks");
        assert_eq!(
            attacked.contains(&id),
            says_attacks,
            "{id}: the document says {:?}",
            cells[3]
        );
        assert!(
            says_attacks || quoted(&cells[3]).next().is_some(),
            "{id} has no test"
        );
    }
}

#[test]
fn tests_and_defences_that_the_threat_model_names_are_there() {
    for (id, cells) in rows(&document()) {
        assert!(quoted(&cells[2]).next().is_some(), "{id} has no defence");
        for file in quoted(&cells[2]) {
            assert!(project(file).is_file(), "{id}: there is no {file}");
        }
        for test in quoted(&cells[3]) {
            let Some((file, name)) = test.split_once("::") else {
                panic!("{id}: `{test}` is not FILE::TEST");
            };
            let source = fs::read_to_string(project(file)).unwrap_or_default();
            assert!(
                source.contains(&format!("fn {name}(")),
                "{id}: there is no test {name} in {file}"
            );
        }
    }
}

#[test]
fn ids_elsewhere_in_the_document_are_those_of_the_tables() {
    let text = document();
    let rows = rows(&text);
    for word in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-') {
        if word.starts_with("T-") {
            assert!(rows.contains_key(word), "{word} is in no table");
        }
    }
}
