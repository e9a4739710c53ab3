//! A call into a session may tighten the policy that it runs under, for itself alone.

use sandbox_engine::{
    Clock, Error, ExecutionResult, Limit, Mount, Policy, Size, StateAfter, Status,
};
use sandbox_tests::{Python, describe, policy};
use std::fs;
use std::time::{Duration, Instant};

/// Runs one cell under a changed copy of the session's policy.
fn under(python: &mut Python, change: impl FnOnce(&mut Policy), code: &str) -> ExecutionResult {
    try_under(python, change, code).unwrap_or_else(|error| panic!("{error}"))
}

fn try_under(
    python: &mut Python,
    change: impl FnOnce(&mut Policy),
    code: &str,
) -> Result<ExecutionResult, Error> {
    let mut policy = python.session.policy().clone();
    change(&mut policy);
    python
        .session
        .cell(code)
        .tightened_by(&policy)
        .run_blocking()
}

/// How a run ended, in a word.
fn end(result: &ExecutionResult) -> String {
    match (&result.error, result.limit) {
        (_, Some(limit)) => limit.to_string(),
        (Some(error), None) => error.message.clone(),
        (None, None) => "ok".to_owned(),
    }
}

/// Code that a limit stops, how it ends then, and the limit.
type Case = (&'static str, &'static str, fn(&mut Policy));

/// Each uses something that the default policy has enough of, and leaves nothing behind.
const CASES: [Case; 10] = [
    (
        "import time\ntime.sleep(0.5)",
        "wall-clock time",
        |policy| policy.limits.wall = Duration::from_millis(20),
    ),
    ("x = bytearray(80 << 20); del x", "memory", |policy| {
        policy.limits.memory = Size(96 << 20);
    }),
    ("print('x' * 100_000)", "output", |policy| {
        policy.limits.output = Size(1000);
    }),
    (
        "for _ in range(100): print('x' * 10_000)",
        "output",
        |policy| policy.limits.output_total = Size(100_000),
    ),
    (
        "try:\n    for i in range(9):\n        with open(f'{i}', 'wb') as file: file.write(bytes(300))\nfinally:\n    for name in os.listdir(): os.remove(name)",
        "ENOSPC",
        |policy| policy.limits.workspace = Size(1000),
    ),
    (
        "try: open('a', 'wb').write(bytes(1 << 20))\nfinally: os.remove('a')",
        "EFBIG",
        |policy| policy.limits.file_size = Size(1000),
    ),
    (
        "try:\n    for i in range(20): open(f'{i}', 'w').close()\nfinally:\n    for name in os.listdir(): os.remove(name)",
        "EDQUOT",
        |policy| policy.limits.files = 10,
    ),
    (
        "files = []\ntry:\n    for _ in range(12): files.append(open('/tmp'  '/kept'))\nfinally:\n    for file in files: file.close()",
        "EMFILE",
        |policy| policy.limits.descriptors = 10,
    ),
    (
        "import shutil\ntry: os.makedirs('a/b/c/d/e')\nfinally: shutil.rmtree('a')",
        "ENAMETOOLONG",
        |policy| policy.limits.path_depth = 4,
    ),
    (
        "import time\nfor _ in range(100_000): time.monotonic()",
        "calls to the host",
        |policy| policy.limits.host_calls = 1000,
    ),
];

/// Ends with the name of a system's error rather than its number.
const NAMED: &str = "
import errno, os
open('/tmp/kept', 'w').close()
def attempt(code):
    try: exec(code, globals())
    except OSError as error: raise RuntimeError(errno.errorcode[error.errno]) from None
";

fn attempt(code: &str) -> String {
    format!("attempt({code:?})")
}

#[test]
fn every_limit_can_be_smaller_for_one_call() {
    let mut python = Python::new();
    python.ok(NAMED);
    for (code, wanted, change) in CASES {
        let code = attempt(code);
        let result = under(&mut python, change, &code);
        assert_eq!(end(&result), wanted, "{code}: {}", describe(&result));
        assert_eq!(end(&python.run(&code)), "ok", "after: {code}");
    }
}

#[test]
fn no_call_gets_more_than_its_session() {
    for (code, wanted, change) in CASES {
        let code = attempt(code);
        let mut python = Python::with(&Policy::default().tightened_by(&policy(change)));
        python.ok(NAMED);
        let permissive = Policy::named("permissive").ok().flatten();
        let permissive = permissive.unwrap_or_else(|| panic!("no such preset"));
        let mut limits = permissive.limits;
        limits.fuel = None;
        let result = under(&mut python, |policy| policy.limits = limits, &code);
        assert_eq!(end(&result), wanted, "{code}: {}", describe(&result));
    }
}

#[test]
fn a_text_from_anybody_tightens_a_call() {
    let mut python = Python::new();
    let mut run = |text: &str| {
        let cell = python
            .session
            .cell("with open('a', 'wb') as file: file.write(bytes(2000))");
        cell.tightened_by_toml(text)
            .and_then(sandbox_engine::Cell::run_blocking)
    };
    let result = run("limits.workspace = \"1KiB\"").map(|result| result.status);
    assert!(matches!(result, Ok(Status::Error)), "{result:?}");
    let result = run("limits.workspace = \"1GiB\"").map(|result| result.status);
    assert!(matches!(result, Ok(Status::Ok)), "{result:?}");
    let result = run("extends = \"permissive\"");
    assert!(
        matches!(result, Err(Error::PolicyFile { .. })),
        "{result:?}"
    );
}

#[test]
fn the_stricter_of_all_that_is_said_holds() {
    let mut python = Python::new();
    let (mut one, mut other) = (Policy::default(), Policy::default());
    one.limits.output = Size(10);
    other.limits.output = Size(20);
    other.limits.wall = Duration::from_millis(200);
    let result = python
        .session
        .cell("print('x' * 99)\nwhile True: pass")
        .tightened_by(&one)
        .tightened_by(&other)
        .timeout(Duration::from_secs(20))
        .run_blocking()
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(result.limit, Some(Limit::Wall), "{}", describe(&result));
    assert_eq!(result.stdout.text(), "xxxxxxxxxx");
}

#[test]
fn memory_that_is_in_use_is_kept_and_only_more_is_refused() {
    let mut python = Python::new();
    // What is free inside of the interpreter's memory is in use for the host.
    python.ok("kept = bytearray(80 << 20)\nkept[-1] = 7\nfree = bytearray(30 << 20)\ndel free");
    let small = |policy: &mut Policy| policy.limits.memory = Size(64 << 20);
    let result = under(&mut python, small, "more = bytearray(60 << 20)");
    assert_eq!(result.limit, Some(Limit::Memory), "{}", describe(&result));
    let result = under(&mut python, small, "kept[-1]");
    assert_eq!(result.value.as_deref(), Some("7"), "{}", describe(&result));
    // A file would be the host's memory.
    let write = "with open('f', 'wb') as file: file.write(bytes(1000))";
    let result = under(&mut python, small, write);
    let name = result.error.map(|error| error.name);
    assert_eq!(name.as_deref(), Some("OSError"));
    python.ok(write);
    python.ok("more = bytearray(60 << 20)");
}

#[test]
fn the_sessions_own_limits_hold_again_however_the_call_ends() {
    let mut python = Python::new();
    let small = |policy: &mut Policy| {
        policy.limits.wall = Duration::from_millis(100);
        policy.limits.grace = Duration::from_millis(20);
        policy.limits.workspace = Size(1000);
        policy.limits.files = 5;
        policy.limits.output = Size(100);
        policy.limits.memory = Size(100 << 20);
    };
    for (code, state) in [
        ("pass", StateAfter::Kept),
        ("1 / 0", StateAfter::Kept),
        ("while True: pass", StateAfter::Kept),
        (
            "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
            StateAfter::RolledBack,
        ),
        ("import os\nos._exit(3)", StateAfter::RolledBack),
    ] {
        let begun = Instant::now();
        let result = under(&mut python, small, code);
        assert!(begun.elapsed() < super::PATIENCE);
        assert_eq!(result.state, state, "{code}: {}", describe(&result));
        check_own_limits(&mut python);
    }
}

/// Needs more than the tight limits of the tests here, in every respect.
fn check_own_limits(python: &mut Python) {
    let result = python.ok("import time\ntime.sleep(0.15)\nfor i in range(9): open(f'f{i}', 'wb').write(bytes(2000))\nprint('x' * 200)\nbig = bytearray(120 << 20); del big");
    assert_eq!((result.stdout.dropped, result.limit), (0, None));
}

#[test]
fn the_sessions_own_limits_hold_again_after_a_call_that_was_dropped() {
    let mut python = Python::new();
    let mut tight = python.session.policy().clone();
    tight.limits.workspace = Size(1000);
    tight.limits.files = 5;
    tight.limits.output = Size(100);
    tight.limits.memory = Size(100 << 20);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap_or_else(|error| panic!("{error}"));
    runtime.block_on(async {
        let cell = python.session.cell("while True: pass").tightened_by(&tight);
        let run = tokio::time::timeout(Duration::from_millis(50), cell.run());
        assert!(run.await.is_err(), "it came to an end");
    });
    // From outside, before anything else has run.
    python
        .session
        .put("from-outside", &[0; 5000])
        .unwrap_or_else(|error| panic!("{error}"));
    check_own_limits(&mut python);
}

#[test]
fn what_a_tight_call_did_is_done_again_as_it_was() {
    let mut python = Python::new();
    let small = |policy: &mut Policy| {
        policy.limits.files = 3;
        policy.limits.memory = Size(96 << 20);
        policy.limits.output = Size(10);
    };
    // What was refused then is remembered as refused.
    under(
        &mut python,
        small,
        "made = 0\ntry:\n    for i in range(9): open(f'{i}', 'w').close(); made += 1\nexcept OSError: pass\ntry: big = bytearray(100 << 20)\nexcept MemoryError: big = None\nprint('x' * 99)",
    );
    python.ok("after = len(__import__('os').listdir())");
    for _ in 0..2 {
        let result = python.run("import os\nos._exit(3)");
        assert_eq!(result.state, StateAfter::RolledBack);
        assert_eq!(python.value("made, big, after"), "(3, None, 3)");
    }
    python.ok("for i in range(9): open(f'{i}', 'w').close()");
}

#[test]
fn one_call_may_add_less_to_a_mount() {
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    let mut python = Python::with(&policy(|policy| {
        policy.mounts.push(Mount {
            host: folder.path().to_owned(),
            guest: "/mnt/out".to_owned(),
            writable: true,
            quota: None,
        });
    }));
    let write = "with open('/mnt/out/file', 'wb') as file: file.write(bytes(100))";
    let result = under(
        &mut python,
        |policy| policy.mounts[0].quota = Some(Size(10)),
        write,
    );
    let error = result.error.map(|error| error.message).unwrap_or_default();
    assert!(error.contains("No space left"), "{error}");
    python.ok(write);
}

#[test]
fn a_mount_can_be_read_only_for_one_call() {
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    let there = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap_or_default();
    let mut python = Python::with(&policy(|policy| {
        policy.mounts.push(Mount {
            host: folder.path().to_owned(),
            guest: "/mnt/out".to_owned(),
            writable: true,
            quota: None,
        });
    }));
    python.ok("log = open('/mnt/out/log', 'w')\nlog.write('one '); log.flush()");
    let changes: [fn(&mut Policy); 2] = [
        |policy| policy.writable_mounts = false,
        |policy| policy.mounts[0].writable = false,
    ];
    for change in changes {
        // A file that is open for writing is no way around it.
        for code in [
            "open('/mnt/out/new', 'w')",
            "__import__('os').write(log.fileno(), b'no')",
            "__import__('os').remove('/mnt/out/log')",
            "__import__('os').ftruncate(log.fileno(), 0)",
        ] {
            let result = under(&mut python, change, code);
            let error = result.error.map(|error| error.name).unwrap_or_default();
            assert_eq!(error, "OSError", "{code}");
        }
        assert_eq!(there("log"), "one ");
        assert!(!folder.path().join("new").exists());
    }
    // Also after a call that was undone.
    let stop = "import os\nos._exit(3)";
    under(&mut python, |policy| policy.writable_mounts = false, stop);
    python.ok("log.write('two'); log.flush()\nopen('/mnt/out/new', 'w').write('three')");
    assert_eq!(
        (there("log"), there("new")),
        ("one two".into(), "three".into())
    );
}

#[test]
fn what_cannot_change_for_a_call_is_refused_and_nothing_runs() {
    let mut python = Python::new();
    python.ok("n = 1");
    for (key, change) in [
        (
            "clock",
            (|policy| policy.clock = Clock::Coarse { step: Clock::STEP }) as fn(&mut Policy),
        ),
        ("limits.fuel", |policy| policy.limits.fuel = Some(1_000_000)),
    ] {
        let refused = try_under(&mut python, change, "n = 2");
        let Err(Error::Policy(reason)) = refused else {
            panic!("{key}: {refused:?}");
        };
        assert!(reason.contains(&format!("`{key}`")), "{reason}");
    }
    assert_eq!(python.value("n"), "1");
}

#[test]
fn a_call_may_have_less_fuel_than_its_session() {
    let mut python = Python::with(&policy(|policy| policy.limits.fuel = Some(500_000_000)));
    let code = "for i in range(30_000): pass";
    python.ok(code);
    let result = under(
        &mut python,
        |policy| policy.limits.fuel = Some(100_000),
        code,
    );
    assert_eq!(result.limit, Some(Limit::Fuel), "{}", describe(&result));
    assert_eq!(result.usage.fuel, Some(100_000));
    python.ok(code);
    let result = under(&mut python, |policy| policy.limits.fuel = None, code);
    assert!(
        result
            .usage
            .fuel
            .is_some_and(|fuel| fuel > 0 && fuel < 500_000_000)
    );
}
