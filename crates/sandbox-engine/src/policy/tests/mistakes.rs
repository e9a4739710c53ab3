//! What is wrong with a policy file is told with its place.

use super::*;

#[test]
fn an_unknown_key_is_told_with_its_place_and_the_one_that_was_meant() {
    for (text, wanted) in [
        (
            "[limits]\nwal = \"1s\"",
            "line 2, column 1: unknown key `wal` in `limits`; did you mean `wall`?",
        ),
        (
            "wall = \"1s\"",
            "line 1, column 1: unknown key `wall`; `wall` belongs to `limits`",
        ),
        (
            "guest = \"/x\"",
            "unknown key `guest`; `guest` belongs to `mounts`",
        ),
        (
            "[limits]\nclock = \"real\"",
            "`clock` stands at the top of the file",
        ),
        ("[limit]\nwall = \"1s\"", "did you mean `limits`?"),
        (
            "fruit = \"red\"",
            "unknown key `fruit`; expected `extends`, `name`",
        ),
    ] {
        let said = mistakes(text);
        assert!(said.contains(wanted), "{text}\n{said}");
    }
}

#[test]
fn a_wrong_value_is_told_with_its_place_and_what_was_expected() {
    for (text, wanted) in [
        (
            "[limits]\n  wall = \"1 fortnight\"",
            "line 2, column 10: `limits.wall` is \"1 fortnight\"; expected a duration such as \"1.5s\"",
        ),
        ("limits.wall = 30", "is the number 30; expected a duration"),
        ("limits.wall = \"30\"", "is \"30\"; expected a duration"),
        ("limits.wall = \"5MiB\"", "expected a duration"),
        (
            "limits.memory = \"5s\"",
            "is \"5s\"; expected a size such as \"256MiB\"",
        ),
        ("limits.memory = -1", "is the number -1; expected a size"),
        ("limits.files = 1.5", "expected a whole number from 0"),
        ("limits.descriptors = 4294967296", "from 0 to 4294967295"),
        ("limits = 3", "`limits` is the number 3; expected a table"),
        (
            &format!("languages = [{}]", "\"python\",".repeat(257)),
            "`languages` has 257 entries; expected at most 256",
        ),
        ("name = 3", "`name` is the number 3; expected a text"),
        ("writable_mounts = \"no\"", "expected `true` or `false`"),
        (
            "languages = [\"pyton\"]",
            "unknown language `pyton`; known: python",
        ),
        ("languages = \"python\"", "expected a list of languages"),
        (
            "clock = \"cuckoo\"",
            "\"cuckoo\"; expected \"real\", \"coarse\"",
        ),
        (
            "clock = { frozen = 2025-01-01 }",
            "expected a moment in UTC",
        ),
        (
            "clock = { frozen = 2025-01-01T00:00:00+01:00 }",
            "expected a moment in UTC",
        ),
        (
            "clock = { course = \"1s\" }",
            "unknown key `course` in `clock`",
        ),
        (
            "clock = { coarse = 10 }",
            "`clock.coarse` is the number 10; expected a duration",
        ),
        (
            "randomness = { sed = 1 }",
            "unknown key `sed` in `randomness`",
        ),
        (
            "randomness = { seed = -1 }",
            "`randomness.seed` is the number -1",
        ),
        ("randomness = 1", "expected \"fresh\" or"),
        (
            "env = { A = 1 }",
            "`env.A` is the number 1; expected a text",
        ),
        ("mounts = 1", "`mounts` is the number 1; expected tables"),
        ("mounts = [1]", "`mounts` is the number 1; expected tables"),
        ("[[mounts]]\nhost = \"/\"", "needs `host`"),
        (
            "[[mounts]]\nhost = \"/\"\nguest = \"/x\"\nwriteable = true",
            "line 4, column 1: unknown key `writeable` in `mounts`; did you mean `writable`?",
        ),
        (
            "[tools]\nallow = [\"[\"]",
            "`[` is no pattern for names of tools",
        ),
        (
            "[[tools.within]]\nalow = []",
            "in `tools.within`; did you mean `allow`?",
        ),
        ("[limits\nwall = 1", "line 1, column 8: no TOML"),
        ("a = 1\na = 2", "no TOML: duplicate key"),
    ] {
        let said = mistakes(text);
        assert!(said.contains(wanted), "{text}\n{said}");
    }
}

#[test]
fn a_contradiction_has_the_place_of_the_key_to_change() {
    for (text, wanted) in [
        (
            "limits.wall = \"0s\"",
            "line 1, column 15: limits.wall is zero",
        ),
        ("limits.fuel = 0", "limits.fuel is zero"),
        ("limits.memory = \"1MiB\"", "at least 48MiB"),
        ("limits.memory = \"5GiB\"", "at most"),
        ("limits.stack = \"64KiB\"", "it can be 128KiB to 2MiB"),
        ("limits.stack = \"4MiB\"", "it can be 128KiB to 2MiB"),
        (
            "name = \"x\"\n[limits]\nworkspace = \"1MiB\"",
            "line 3, column 13: limits.file_size (32MiB) is larger than limits.workspace (1MiB)",
        ),
        ("limits.descriptors = 7", "at least 8"),
        ("limits.path_depth = 1025", "at most 1024"),
        ("languages = []", "line 1, column 13: languages is empty"),
        ("clock = { coarse = \"1us\" }", "from 1ms to 1h, not 1us"),
        ("clock = { frozen = 1969-12-31T00:00:00Z }", "clock"),
        ("workdir = \"data\"", "`data` is not absolute"),
        ("workdir = \"/data\"", "`/data` is no folder in the sandbox"),
        ("env = { \"A=B\" = \"1\" }", "no name for a variable"),
        ("env = { A = \"\\u0000\" }", "has a NUL"),
        (
            "[[mounts]]\nhost = \"/\"\nguest = \"in\"",
            "line 3, column 9: mount point `in` is not an absolute plain path",
        ),
        ("[[mounts]]\nhost = \"/\"\nguest = \"/mnt\"", "would hide"),
        (
            "mounts = [{ host = \"/a\", guest = \"/x\" }, { host = \"/b\", guest = \"/x/\" }]",
            "used twice",
        ),
        (
            "mounts = [{ host = \"/a\", guest = \"/x\" }, { host = \"/b\", guest = \"/x/y\" }]",
            "one inside the other",
        ),
        (
            "writable_mounts = false\nmounts = [{ host = \"/a\", guest = \"/x\", writable = true }]",
            "writable_mounts is false",
        ),
    ] {
        let said = mistakes(text);
        assert!(said.contains(wanted), "{text}\n{said}");
    }
}

#[test]
fn all_mistakes_are_told_at_once_in_the_order_of_the_file() {
    let said = mistakes("nam = \"x\"\n[limits]\nwall = 1\nmemory = true\n[tool]\n");
    let places: Vec<_> = said.lines().map(|line| line.split(':').next()).collect();
    assert_eq!(
        places,
        [
            Some("line 1, column 1"),
            Some("line 3, column 8"),
            Some("line 4, column 10"),
            Some("line 5, column 2")
        ],
        "{said}"
    );
}

#[test]
fn a_mount_whose_source_is_missing_is_told_with_its_place() {
    let folder = folder(&[
        ("file", ""),
        ("a.toml", "[[mounts]]\nhost = \"gone\"\nguest = \"/x\"\n"),
        ("b.toml", "[[mounts]]\nhost = \"file\"\nguest = \"/x\"\n"),
    ]);
    let said = file_mistakes(&folder, "a.toml");
    assert!(
        said.contains("a.toml:2:8: `mounts.host`: cannot mount gone: "),
        "{said}"
    );
    assert!(file_mistakes(&folder, "b.toml").contains("b.toml:2:8"));
}

#[test]
fn what_is_no_policy_file_is_refused_before_it_is_read() {
    let folder = folder(&[("large.toml", &"#\n".repeat(1 << 20))]);
    fs::write(folder.path().join("latin.toml"), b"# \xe9").unwrap();
    for (name, wanted) in [
        ("large.toml", "too large"),
        ("latin.toml", "not UTF-8 (byte 2)"),
        (".", "not a file"),
    ] {
        let error = Policy::from_file(folder.path().join(name)).unwrap_err();
        assert!(error.to_string().contains(wanted), "{error}");
    }
}

#[test]
fn texts_that_nest_without_end_are_refused() {
    let deep = 60_000;
    for text in [
        format!("a = {}", "[".repeat(deep)),
        format!("a = {}", "{a=".repeat(deep)),
        format!("{}a = 1", "a.".repeat(deep)),
        format!("[{}a]", "a.".repeat(deep)),
        format!("[[{}a]]", "a.".repeat(deep)),
        "#".repeat(1 << 21),
    ] {
        assert!(Policy::from_toml(&text).is_err(), "{}", &text[..20]);
        assert!(Policy::default().tightened_by_toml(&text).is_err());
    }
}

#[test]
fn texts_as_long_as_they_may_be_are_read_in_a_moment() {
    let line = |separator: &str, one: &dyn Fn(usize) -> String| {
        let mut text = String::new();
        for number in 0.. {
            let next = one(number);
            if (text.len() + next.len() + 100) as u64 > crate::policy::load::MAX_TEXT {
                break;
            }
            text += &next;
            text += separator;
        }
        text
    };
    for text in [
        format!("tools.deny = [{}]", line(",", &|n| format!("\"{n}\""))),
        format!(
            "tools.deny = [{}]",
            line(",", &|_| format!("{:?}", "*a".repeat(90)))
        ),
        format!(
            "tools.within = [{}]",
            line(",", &|n| format!("{{deny=[\"{n}\"]}}"))
        ),
        format!(
            "mounts = [{}]",
            line(",", &|n| format!("{{host=\"\",guest=\"/{n}\"}}"))
        ),
        format!("env = {{{}}}", line(",", &|n| format!("{n}=\"\""))),
        format!("limits = {{{}}}", line(",", &|n| format!("{n}=1"))),
        line("\n", &|n| format!("k{n}=1")),
        line("", &|_| "[".to_owned()),
    ] {
        let start = std::time::Instant::now();
        let _ = Policy::from_toml(&text);
        if let Ok(policy) = Policy::default().tightened_by_toml(&text) {
            policy.tools.permission(&"a".repeat(1000));
        }
        let took = start.elapsed();
        assert!(took < Duration::from_secs(1), "{took:?} {}", &text[..40]);
    }
}

#[test]
fn no_text_makes_it_panic() {
    use proptest::prelude::*;
    let words = [
        "[",
        "]",
        "[[",
        "]]",
        "limits",
        "mounts",
        "tools",
        "within",
        "clock",
        "frozen",
        "wall",
        "=",
        ".",
        "\"",
        "'",
        "{",
        "}",
        ",",
        "\n",
        "1",
        "-",
        "1e9",
        "2025-01-01T00:00:00Z",
        "true",
        "ü",
        "\0",
        "extends",
        "default",
        "env",
        " ",
        "\\",
        "#",
    ];
    proptest!(ProptestConfig::with_cases(2000), |(words in proptest::collection::vec(proptest::sample::select(words.to_vec()), 0..24))| {
        let text = words.concat();
        let _ = Policy::from_toml(&text);
        let _ = Policy::default().tightened_by_toml(&text);
    });
    proptest!(ProptestConfig::with_cases(2000), |(text in "[\\[\\]{}!^,*?a-c\\\\/\n\u{80}-\u{ff}-]{0,60}")| {
        if let Ok(glob) = text.parse::<Glob>() {
            let _ = glob.matches(&text);
        }
    });
}
