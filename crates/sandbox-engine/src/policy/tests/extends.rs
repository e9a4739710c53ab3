//! Policies that change other policies.

use super::*;

#[test]
fn a_file_changes_what_it_extends() {
    let folder = folder(&[
        (
            "base.toml",
            "extends = \"permissive\"\nenv = { A = \"base\", B = \"base\" }\n[limits]\nfiles = 7\n[tools]\n\
             allow = [\"a\"]\ndeny = [\"x\"]\n[[mounts]]\nhost = \"in\"\nguest = \"/mnt/in\"\n",
        ),
        ("in/file", ""),
        ("team/in/file", ""),
        (
            "team/mine.toml",
            "extends = \"../base.toml\"\nenv = { B = \"mine\" }\n[limits]\nwall = \"5s\"\n[tools]\nallow = [\"b\"]\n\
             deny = [\"y\"]\n[[mounts]]\nhost = \"in\"\nguest = \"/mnt/in/\"\n[[mounts]]\nhost = \"..\"\nguest = \"/up\"\n",
        ),
    ]);
    let policy = Policy::from_file(folder.path().join("team/mine.toml")).unwrap();
    let permissive = Policy::named("permissive").unwrap().unwrap();
    assert_eq!(policy.name, "mine", "the file's own name");
    assert_eq!(policy.description, "", "that of the base would mislead");
    assert_eq!(policy.limits.wall, Duration::from_secs(5));
    assert_eq!(policy.limits.files, 7);
    assert_eq!(policy.limits.memory, permissive.limits.memory);
    let variables: Vec<_> = policy.env.iter().collect();
    assert_eq!(
        variables,
        [
            (&"A".to_owned(), &"base".to_owned()),
            (&"B".to_owned(), &"mine".to_owned())
        ]
    );
    // A mount takes the place of the base's at the same point, and paths start at each file's own folder.
    let hosts: Vec<_> = policy.mounts.iter().map(|mount| &mount.host).collect();
    assert_eq!(
        hosts,
        [
            &folder.path().join("team/in"),
            &folder.path().join("team/..")
        ]
    );
    // Lists are replaced, but for `deny`.
    assert_eq!(policy.tools.permission("a"), Permission::Denied);
    assert_eq!(policy.tools.permission("b"), Permission::Allowed);
    assert_eq!(policy.tools.deny.len(), 2);
}

#[test]
fn a_base_that_is_missing_or_wrong_is_told_with_its_place() {
    let folder = folder(&[
        ("lost.toml", "name = \"lost\"\nextends = \"nowhere.toml\"\n"),
        ("near.toml", "extends = \"locked_down\"\n"),
        ("number.toml", "extends = 1\n"),
        ("wrong.toml", "[limits]\nmemory = \"much\"\n"),
        ("over.toml", "extends = \"wrong.toml\"\n"),
        (
            "small.toml",
            "extends = \"default\"\n[limits]\nworkspace = \"1MiB\"\n",
        ),
    ]);
    for (name, wanted) in [
        (
            "lost.toml",
            "lost.toml:2:11: `extends`: there is no preset `nowhere.toml`, and as a file nowhere.toml: ",
        ),
        ("near.toml", "did you mean the preset `locked-down`?"),
        ("number.toml", "number.toml:1:11: `extends`: expected"),
        ("over.toml", "wrong.toml:2:10: `limits.memory` is \"much\""),
        ("small.toml", "small.toml:3:13: limits.file_size"),
    ] {
        let said = file_mistakes(&folder, name);
        assert!(said.contains(wanted), "{name}\n{said}");
    }
    assert!(mistakes("extends = \"x.toml\"").contains("only a file can extend a file"));
    assert!(matches!(
        Policy::from_file(folder.path().join("none.toml")),
        Err(Error::Io { .. })
    ));
}

#[test]
fn a_mount_whose_source_is_missing_can_be_mended_by_a_file_that_extends_it() {
    let folder = folder(&[
        (
            "base.toml",
            "[[mounts]]\nhost = \"gone\"\nguest = \"/mnt/in\"\n",
        ),
        ("as-it-is.toml", "extends = \"base.toml\"\n"),
        (
            "mended.toml",
            "extends = \"base.toml\"\n[[mounts]]\nhost = \".\"\nguest = \"/mnt/in/\"\n",
        ),
    ]);
    let said = file_mistakes(&folder, "as-it-is.toml");
    assert!(said.contains("base.toml:2:8: `mounts.host`"), "{said}");
    let policy = Policy::from_file(folder.path().join("mended.toml")).unwrap();
    assert_eq!(policy.mounts.len(), 1);
}

#[test]
fn policies_that_extend_each_other_in_a_circle_are_refused() {
    let folder = folder(&[
        ("a.toml", "extends = \"sub/b.toml\"\n"),
        ("sub/b.toml", "\nextends = \"../a.toml\"\n"),
        ("self.toml", "extends = \"./self.toml\"\n"),
    ]);
    let said = file_mistakes(&folder, "a.toml");
    assert!(
        said.contains("b.toml:2:11: `extends` goes round in a circle: ") && said.contains(" → "),
        "{said}"
    );
    assert!(file_mistakes(&folder, "self.toml").contains("circle"));

    for number in 0..40 {
        let text = format!("extends = \"{}.toml\"\n", number + 1);
        fs::write(folder.path().join(format!("{number}.toml")), text).unwrap();
    }
    assert!(file_mistakes(&folder, "0.toml").contains("more than 16"));
}
