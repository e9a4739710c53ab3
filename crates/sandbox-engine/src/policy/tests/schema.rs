//! The schema says what the reader reads.

use super::*;

/// Every key that the reader asks for, by section.
fn known_keys() -> Vec<String> {
    let empty = "".into();
    let mut source = crate::policy::mistake::Source::new(None, &empty);
    let text = "mounts = [{}]\ntools.within = [{}]";
    let table = toml::de::DeTable::parse(text).unwrap().into_inner();
    let known = crate::policy::read::apply(
        table,
        &mut Policy::default(),
        None,
        &mut source,
        &mut crate::policy::mistake::Places::default(),
    );
    let mut keys: Vec<_> = known
        .iter()
        .flat_map(|(section, keys)| keys.iter().map(move |key| format!("{section}/{key}")))
        .collect();
    keys.sort();
    keys
}

#[test]
fn the_schema_has_the_keys_that_are_read_and_describes_each() {
    let schema = Policy::schema();
    let definition = |name: &str| &schema["definitions"][name];
    let mut keys = Vec::new();
    for (section, object) in [
        ("", &schema),
        ("limits", definition("Limits")),
        ("mounts", definition("Mount")),
        ("tools", definition("Tools")),
        ("tools.within", definition("ToolRules")),
    ] {
        assert_eq!(object["additionalProperties"], false, "{section}");
        for (key, value) in object["properties"].as_object().unwrap() {
            assert!(value["description"].is_string(), "{section}/{key}: {value}");
            keys.push(format!("{section}/{key}"));
        }
    }
    keys.sort();
    assert_eq!(keys, known_keys());
}

#[test]
fn the_schema_knows_the_defaults() {
    let schema = Policy::schema();
    let limits = &schema["definitions"]["Limits"]["properties"];
    assert_eq!(limits["wall"]["default"], "30s");
    assert_eq!(limits["memory"]["default"], "256MiB");
    assert_eq!(limits["files"]["default"], 4096);
    assert_eq!(schema["properties"]["clock"]["default"], "real");
}
