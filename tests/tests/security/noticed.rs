//! The judge is worth its verdicts: each kind of harm, done on purpose, is noticed.

use crate::arena::{self, Arena, secret};
use crate::attack::{Attack, End};
use crate::judge::Judge;
use sandbox_engine::{Mount, Policy};
use std::os::unix::fs::symlink;
use std::time::Duration;

fn attack(code: &str) -> Attack {
    Attack {
        id: "noticed".to_owned(),
        threats: Vec::new(),
        tries: String::new(),
        must_not: String::new(),
        code: code.to_owned(),
        first: String::new(),
        ends: vec![End::Ok, End::Error],
        value: None,
        swap: false,
        crowd: false,
        breaks_variables: false,
    }
}

/// What the judge says where the policy gives away more than it should.
fn verdict(attack: &Attack, widen: impl FnOnce(&Arena, &mut Policy)) -> String {
    let _alone = crate::alone();
    let arena = Arena::new(attack.swap);
    let mut policy = arena.policy();
    widen(&arena, &mut policy);
    Judge::new().try_under(attack, &arena, &policy).join("\n")
}

#[track_caller]
fn assert_noticed(verdict: &str, what: &str) {
    assert!(verdict.contains(what), "{what:?} is not in {verdict:?}");
}

/// Mounts the arena's own folder, secrets and all, for writing.
fn everything(arena: &Arena, policy: &mut Policy) {
    policy.mounts.push(Mount {
        host: arena.path().to_owned(),
        guest: "/everything".to_owned(),
        writable: true,
        quota: None,
    });
}

#[test]
fn an_attack_that_does_nothing_is_no_problem() {
    assert_eq!(verdict(&attack("pass"), |_, _| ()), "");
}

#[test]
fn a_secret_is_found_wherever_it_comes_out() {
    for (code, place) in [
        ("print(open(SECRET).read())", "standard output"),
        (
            "import sys\nprint(open(SECRET).read(), file=sys.stderr)",
            "standard error",
        ),
        ("open(SECRET).read()", "its value"),
        ("raise ValueError(open(SECRET).read())", "its error"),
        ("display(open(SECRET).read())", "a display"),
        (
            "open('file', 'w').write(open(SECRET).read())",
            "/mnt/data/file",
        ),
        ("open('/tmp/' + open(SECRET).read(), 'w').close()", "/tmp/"),
        (
            "open('/mnt/out/file', 'w').write(open(SECRET).read())",
            "rw/file holds",
        ),
    ] {
        let code = format!("SECRET = '/everything/beside/secret.txt'\n{code}");
        assert_noticed(&verdict(&attack(&code), everything), place);
    }
}

#[test]
fn secrets_of_environment_and_siblings_are_found() {
    arena::plant_in_environment();
    let environment = verdict(&attack("import os\ndict(os.environ)"), |_, policy| {
        policy
            .env
            .extend(std::env::vars().filter(|(_, value)| value.starts_with("SECRET")));
    });
    assert_noticed(&environment, "its value gives away");
    let code = format!("{:?}", secret("sibling"));
    assert_noticed(&verdict(&attack(&code), |_, _| ()), "its value gives away");
}

#[test]
fn changes_on_the_host_are_found() {
    for (code, what) in [
        (
            "open('/everything/beside/secret.txt', 'a').write('!')",
            "secret.txt was changed",
        ),
        (
            "os.remove('/everything/ro/note.txt')",
            "note.txt was removed",
        ),
        (
            "open('/everything/ro/sub/new', 'w').close()",
            "ro/sub/new was made",
        ),
        (
            "os.utime('/everything/secret.txt', (1, 1))",
            "secret.txt was changed",
        ),
        (
            "os.link('/everything/beside/secret.txt', '/everything/rw/hard')",
            "beside/secret.txt was changed",
        ),
    ] {
        let code = format!("import os\n{code}");
        assert_noticed(&verdict(&attack(&code), everything), what);
    }
}

#[test]
fn a_link_that_leads_out_is_found() {
    let verdict = verdict(&attack("pass"), |arena, _| {
        let made = symlink("../note.txt", arena.path().join("rw/made"));
        made.unwrap_or_else(|error| panic!("{error}"));
    });
    assert_noticed(&verdict, "made leads to ../note.txt");
}

#[test]
fn success_ends_values_and_times_are_checked() {
    assert_noticed(
        &verdict(&attack("denied(lambda: 5)"), |_, _| ()),
        "OBTAINED 5",
    );
    let mut wrong = attack("1 / 0");
    wrong.ends = vec![End::Ok];
    assert_noticed(&verdict(&wrong, |_, _| ()), "it ended with Error");
    let mut wrong = attack("1");
    wrong.value = Some("2".to_owned());
    assert_noticed(&verdict(&wrong, |_, _| ()), "its value is");
    let slow = verdict(&attack("import time\ntime.sleep(4)"), |_, policy| {
        policy.limits.wall = Duration::from_millis(10);
        policy.limits.grace = Duration::from_secs(1);
    });
    assert_noticed(&slow, "it ended with");
}

#[test]
fn a_state_that_is_not_what_it_should_be_is_noticed() {
    assert_noticed(
        &verdict(&attack("stage = 'other'"), |_, _| ()),
        "stage afterwards",
    );
}
