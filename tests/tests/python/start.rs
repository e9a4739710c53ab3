//! What every start has afresh although the interpreter's image is frozen.

use sandbox_engine::{Language, Mount, Policy, SessionOptions, Size};
use sandbox_tests::{Python, engine, policy};
use std::collections::HashSet;
use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

#[test]
fn each_session_has_entropy_of_its_own() {
    for code in [
        "import random\nrandom.random()",
        "import random\nrandom.Random().random()",
        "import random\nrandom.SystemRandom().random()",
        "import random\nx = list(range(100))\nrandom.shuffle(x)\nx",
        "import random\nrandom.gauss(0, 1)",
        "import uuid\nuuid.uuid4()",
        "import uuid\nuuid.uuid1()",
        "import secrets\nsecrets.token_hex()",
        "import os\nos.urandom(16)",
        "import tempfile\ntempfile.mkdtemp()",
        "import tempfile\ntempfile.mktemp()",
    ] {
        let values: HashSet<_> = (0..8).map(|_| Python::new().value(code)).collect();
        assert_eq!(values.len(), 8, "{code}");
    }
}

#[test]
fn seeds_mean_the_same_in_each_session() {
    let code = "import random\nrandom.seed(5)\n[random.random(), random.randint(1, 10 ** 9)]";
    assert_eq!(Python::new().value(code), Python::new().value(code));
}

#[test]
fn the_time_is_right() {
    let before = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0.0, |time| time.as_secs_f64());
    let told: f64 = Python::new()
        .value("import time\ntime.time()")
        .parse()
        .unwrap_or_else(|error| panic!("{error}"));
    let after = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0.0, |time| time.as_secs_f64());
    assert!(
        before - 0.01 <= told && told <= after + 0.01,
        "{before} {told} {after}"
    );
    let mut python = Python::new();
    assert_eq!(python.value("import time, datetime\nabs(datetime.datetime.now(datetime.UTC).timestamp() - time.time()) < 1"), "True");
    assert_eq!(
        python.value("a = time.monotonic()\ntime.sleep(0.05)\n0.049 < time.monotonic() - a < 5"),
        "True"
    );
    assert_eq!(python.value("a = time.perf_counter()\nb = time.process_time()\nfor i in range(10000): pass\ntime.perf_counter() > a, time.process_time() >= b"), "(True, True)");
    assert_eq!(python.value("time.tzname[0], time.timezone"), "('UTC', 0)");
}

#[test]
fn arguments_and_environment_are_the_callers() {
    let options = SessionOptions::default().argv(vec!["name".to_owned(), "arg".to_owned()]);
    let with_env = policy(|policy| drop(policy.env.insert("KEY".to_owned(), "välue".to_owned())));
    let mut python = Python::with_options(&with_env, options);
    assert_eq!(
        python.value("import sys, os\nsys.argv, dict(os.environ), os.getenv('KEY')"),
        "(['name', 'arg'], {'KEY': 'välue'}, 'välue')"
    );
    assert_eq!(Python::new().value("import sys\nsys.argv"), "['']");
}

#[test]
fn code_starts_in_its_workspace() {
    let mut python = Python::new();
    assert_eq!(
        python.value(
            "import os\nos.getcwd(), os.listdir(), sorted(os.listdir('/')), os.listdir('/mnt')"
        ),
        "('/mnt/data', [], ['mnt', 'tmp'], ['data'])"
    );
    assert_eq!(
        python.value("import tempfile\ntempfile.gettempdir()"),
        "'/tmp'"
    );
    let mut python = Python::with(&policy(|policy| policy.workdir = "/tmp".to_owned()));
    assert_eq!(
        python.value("import os\nopen('here', 'w').close()\nos.getcwd(), os.listdir('/tmp')"),
        "('/tmp', ['here'])"
    );
}

#[test]
fn mounts_are_those_of_the_policy() {
    let temporary = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    let folder = temporary.path();
    fs::create_dir_all(folder.join("sub")).unwrap_or_else(|error| panic!("{error}"));
    fs::write(folder.join("file"), "host").unwrap_or_else(|error| panic!("{error}"));
    let mount = |guest: &str, writable| Mount {
        host: folder.to_owned(),
        guest: guest.to_owned(),
        writable,
        quota: None,
    };
    let mut python = Python::with(&policy(|policy| {
        policy.mounts = vec![mount("/in", false), mount("/out", true)];
    }));
    assert_eq!(
        python.value("import os\nopen('/in/file').read(), sorted(os.listdir('/in'))"),
        "('host', ['file', 'sub'])"
    );
    for code in [
        "open('/in/file', 'w')",
        "open('/in/new', 'w')",
        "os.remove('/in/file')",
        "os.mkdir('/in/x')",
        "os.rename('/in/file', '/in/g')",
    ] {
        assert!(
            ["OSError", "PermissionError"].contains(&python.error(code).0.as_str()),
            "{code}"
        );
    }
    python.ok("open('/out/made', 'w').write('guest')");
    assert_eq!(
        fs::read_to_string(folder.join("made")).ok().as_deref(),
        Some("guest")
    );
    for code in [
        "open('/in/../../etc/passwd')",
        "os.listdir('/in/..').index('etc')",
    ] {
        assert!(!python.run(code).is_ok(), "{code}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/etc", folder.join("link"))
            .unwrap_or_else(|error| panic!("{error}"));
        assert!(
            !python.run("open('/in/link/passwd').read()").is_ok(),
            "a link leads out of a mount"
        );
    }
    assert!(
        !Python::new().run("open('/in/file')").is_ok(),
        "another session has no mount"
    );
}

#[test]
fn nothing_of_the_build_is_left_in_a_fresh_session() {
    let mut python = Python::new();
    let names = python.value("sorted(globals())");
    for name in ["'x'", "'f'", "'json'", "'prepare'"] {
        assert!(!names.contains(name), "{names}");
    }
    assert_eq!(python.value("__name__, len(In)"), "('__main__', 3)");
    assert_eq!(
        python.value("import sys\n[p for p in sys.path if 'target' in p or 'home' in p]"),
        "[]"
    );
}

#[test]
fn a_policy_that_makes_no_sense_is_refused() {
    let mut broken = Policy::default();
    broken.limits.memory = Size(1000);
    assert!(engine().session(Language::Python, &broken).is_err());
}
