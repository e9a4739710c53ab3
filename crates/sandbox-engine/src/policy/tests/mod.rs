//! Policy files as people write them, mistakes included.

pub(super) mod any;
mod extends;
mod mistakes;
mod schema;

use super::*;
use std::fs;
use std::time::Duration;
use tempfile::TempDir;

/// A folder with files in it.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// The messages of a text that is wrong, one a line.
fn mistakes(text: &str) -> String {
    match Policy::from_toml(text) {
        Err(Error::PolicyFile { mistakes }) => lines(&mistakes),
        other => panic!("{text}: {other:?}"),
    }
}

fn file_mistakes(folder: &TempDir, name: &str) -> String {
    match Policy::from_file(folder.path().join(name)) {
        Err(Error::PolicyFile { mistakes }) => {
            lines(&mistakes).replace(&format!("{}/", folder.path().display()), "")
        }
        other => panic!("{name}: {other:?}"),
    }
}

fn lines(mistakes: &[Mistake]) -> String {
    let lines: Vec<_> = mistakes.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

#[test]
fn every_preset_can_be_read_and_the_default_is_the_default() {
    for name in Policy::preset_names() {
        let policy = Policy::named(name).unwrap().unwrap();
        assert_eq!(policy.name, name);
        assert!(!policy.description.is_empty(), "{name}");
        assert_eq!(Policy::from_toml(&policy.to_toml()).unwrap(), policy);
    }
    assert_eq!(
        Policy::named("default").unwrap().unwrap(),
        Policy::default()
    );
    assert_eq!(Policy::named("no such preset").unwrap(), None);
}

#[test]
fn presets_grant_nothing_of_the_host() {
    for name in Policy::preset_names() {
        let policy = Policy::named(name).unwrap().unwrap();
        assert!(policy.mounts.is_empty() && policy.env.is_empty(), "{name}");
    }
}

#[test]
fn what_a_file_does_not_say_is_the_default() {
    let mut wanted = Policy::default();
    wanted.limits.wall = Duration::from_millis(1500);
    wanted.name = "unnamed".to_owned();
    wanted.description = String::new();
    assert_eq!(Policy::from_toml("limits.wall = \"1.5s\"").unwrap(), wanted);
}

#[test]
fn every_key_is_read() {
    let folder = folder(&[(
        "all.toml",
        r#"
        name = "all"
        description = "everything"
        languages = ["python"]
        workdir = "/mnt/in"
        writable_mounts = true
        clock = { frozen = 2025-02-03T04:05:06Z }
        randomness = { seed = 7 }
        env = { A = "1" }
        [limits]
        wall = "1s"
        grace = "2ms"
        fuel = 3
        memory = "64MiB"
        stack = "1MiB"
        output = "5B"
        output_total = "6B"
        workspace = "8B"
        file_size = 7
        files = 9
        descriptors = 10
        path_depth = 11
        host_calls = 12
        [[mounts]]
        host = "."
        guest = "/mnt/in"
        writable = true
        [tools]
        allow = ["a"]
        confirm = ["b"]
        deny = ["c"]
        [[tools.within]]
        allow = ["*"]
        "#,
    )]);
    let policy = Policy::from_file(folder.path().join("all.toml")).unwrap();
    let limits = &policy.limits;
    assert_eq!(
        (limits.wall, limits.grace, limits.fuel),
        (Duration::from_secs(1), Duration::from_millis(2), Some(3))
    );
    assert_eq!(
        [
            limits.memory,
            limits.stack,
            limits.output,
            limits.output_total,
            limits.workspace,
            limits.file_size
        ],
        [
            Size(64 << 20),
            Size(1 << 20),
            Size(5),
            Size(6),
            Size(8),
            Size(7)
        ]
    );
    assert_eq!(
        (
            limits.files,
            limits.descriptors,
            limits.path_depth,
            limits.host_calls
        ),
        (9, 10, 11, 12)
    );
    assert_eq!(policy.clock.to_string(), "frozen at 2025-02-03T04:05:06Z");
    assert_eq!(policy.randomness, Randomness::Seeded { seed: 7 });
    assert_eq!(policy.mounts[0].host, folder.path().join("."));
    assert!(policy.mounts[0].writable);
    assert_eq!(policy.tools.within.len(), 1);
    // None of it is forgotten when it is written and read again.
    assert_eq!(Policy::from_toml(&policy.to_toml()).unwrap(), policy);
    let written: toml::Table = policy.to_toml().parse().unwrap();
    let schema = Policy::schema();
    let known = schema["properties"].as_object().unwrap();
    for key in known.keys().filter(|key| *key != "extends") {
        assert!(written.contains_key(key), "{key} is not written");
    }
}

#[test]
fn clocks_and_randomness_have_short_and_long_forms() {
    for (text, wanted) in [
        ("clock = \"real\"", Clock::Real),
        ("clock = \"coarse\"", Clock::Coarse { step: Clock::STEP }),
        (
            "clock = { coarse = \"10ms\" }",
            Clock::Coarse {
                step: Duration::from_millis(10),
            },
        ),
        (
            "clock = \"frozen\"",
            Clock::Frozen {
                at: Clock::moment(),
            },
        ),
        (
            "clock = { frozen = \"2025-01-01T00:00:00Z\" }",
            Clock::Frozen {
                at: Clock::moment(),
            },
        ),
        (
            "[clock]\nfrozen = 2025-01-01T00:00:00Z",
            Clock::Frozen {
                at: Clock::moment(),
            },
        ),
    ] {
        assert_eq!(Policy::from_toml(text).unwrap().clock, wanted, "{text}");
    }
    let fresh = Policy::from_toml("randomness = \"fresh\"").unwrap();
    assert_eq!(fresh.randomness, Randomness::Fresh);
}

#[test]
fn numbers_that_toml_cannot_hold_are_written_as_the_largest() {
    let mut policy = Policy::default();
    policy.limits.fuel = Some(u64::MAX);
    policy.limits.files = u64::MAX;
    policy.limits.wall = Duration::MAX;
    let text = policy.to_toml();
    assert!(text.contains("fuel = 9223372036854775807"), "{text}");
    assert!(Policy::from_toml(&text).is_ok(), "{text}");
    policy.randomness = Randomness::Seeded { seed: u64::MAX };
    assert!(policy.check().is_err(), "a seed cannot be exchanged");
}
