//! What the documents say is what the code does.

#![allow(clippy::unwrap_used, reason = "a test that fails panics")]

use sandbox_engine::{Limits, Policy};
use std::fs;
use std::path::{Path, PathBuf};

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

fn read(path: &str) -> String {
    fs::read_to_string(project(path)).unwrap()
}

/// The second column of the README's table of limits, for a limit.
fn documented(readme: &str, limit: &str) -> String {
    let start = format!("| `{limit}` |");
    let row = readme.lines().find(|line| line.starts_with(&start));
    let cells: Vec<&str> = row
        .unwrap_or_else(|| panic!("the README tells nothing of `{limit}`"))
        .split('|')
        .collect();
    cells[2].trim().to_owned()
}

#[test]
fn the_readme_tells_the_default_of_every_limit() {
    let readme = read("README.md");
    let toml = Policy::default().to_toml();
    let table: toml::Table = toml.parse().unwrap();
    let limits = table["limits"].as_table().unwrap();
    for (name, value) in limits {
        let text = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        let said = documented(&readme, name);
        assert!(
            said.starts_with(&text),
            "`{name}` is {text} by default, the README says {said}"
        );
    }
    assert_eq!(Limits::default().fuel, None);
    assert_eq!(documented(&readme, "fuel"), "unlimited");
}

#[test]
fn the_default_policy_file_names_every_limit() {
    let file: toml::Table = read("policies/default.toml").parse().unwrap();
    let default: toml::Table = Policy::default().to_toml().parse().unwrap();
    assert_eq!(file["limits"], default["limits"]);
}

#[test]
fn links_in_the_documents_lead_somewhere() {
    for document in [
        "README.md",
        "docs/limitations.md",
        "docs/policies.md",
        "docs/threat-model.md",
    ] {
        let text = read(document);
        let folder = project(document).parent().unwrap().to_owned();
        for link in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            if !link.contains("://") && !link.starts_with('#') {
                let target = link.split('#').next().unwrap();
                assert!(folder.join(target).exists(), "{document} links to {target}");
            }
        }
    }
}

/// The keys of policy files, as `limits.wall`, from the schema.
fn keys() -> Vec<String> {
    let schema = Policy::schema();
    let properties = |object: &serde_json::Value| {
        let properties = object["properties"].as_object().unwrap();
        properties.keys().cloned().collect::<Vec<_>>()
    };
    let sections = [
        ("limits", "Limits"),
        ("mounts", "Mount"),
        ("tools", "Tools"),
    ];
    let mut keys = Vec::new();
    for key in properties(&schema) {
        match sections.iter().find(|(section, _)| *section == key) {
            None => keys.push(key),
            Some((section, name)) => keys.extend(
                properties(&schema["definitions"][name])
                    .iter()
                    .map(|key| format!("{section}.{key}")),
            ),
        }
    }
    keys.sort();
    keys
}

#[test]
fn every_key_of_a_policy_names_the_file_that_enforces_it_and_the_test_that_shows_it() {
    let page = read("docs/policies.md");
    let mut documented = Vec::new();
    for row in page
        .lines()
        .skip_while(|line| !line.starts_with("| key |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
    {
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        let plain = |cell: &str| cell.replace('`', "");
        documented.push(plain(cells[1]));
        let file = Path::new("crates/sandbox-engine/src").join(plain(cells[3]));
        assert!(project(file.to_str().unwrap()).is_file(), "{row}");
        let shown = plain(cells[4]);
        let (test, file) = shown.split_once(" in ").unwrap();
        assert!(read(file).contains(&format!("fn {test}()")), "{row}");
    }
    documented.sort();
    assert_eq!(documented, keys());
}

#[test]
fn every_preset_is_documented() {
    let text = read("docs/policies.md");
    for name in Policy::preset_names() {
        assert!(
            text.contains(&format!("| [`{name}`](../policies/{name}.toml) |")),
            "{name}"
        );
        assert!(
            read(&format!("policies/{name}.toml")).starts_with("# "),
            "{name}"
        );
    }
}
