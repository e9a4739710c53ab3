//! What a policy says about time, chance, languages and mounts is what code meets.

use sandbox_engine::policy::WORKSPACE;
use sandbox_engine::{Clock, Error, Language, Limit, Policy, Randomness, StateAfter, Status};
use sandbox_tests::{Python, describe, engine, policy};
use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, Instant};

fn preset(name: &str) -> Policy {
    Policy::named(name)
        .unwrap_or_else(|error| panic!("{error}"))
        .unwrap_or_else(|| panic!("no preset {name}"))
}

fn seeded(seed: u64) -> Policy {
    policy(|policy| policy.randomness = Randomness::Seeded { seed })
}

fn at(clock: Clock) -> Policy {
    policy(|policy| policy.clock = clock)
}

/// Whatever a program can draw on that is different in each run of an ordinary interpreter.
const CHANCE: &str = "
import asyncio, datetime, os, random, secrets, tempfile, time, uuid
print(random.random(), random.sample(range(1000), 9), random.Random().gauss(0, 1))
print(secrets.token_hex(9), uuid.uuid4(), uuid.uuid1(), os.urandom(5))
print(time.time(), time.time_ns(), time.monotonic(), time.perf_counter(), time.process_time(), datetime.datetime.now())
print({'a', 'b', 'c', 'dd', 'eee'}, hash('text'), hash(b'bytes'), hash((1, 'x')), {str(i): i for i in range(9)})
print(object(), id([]), os.getpid())
with tempfile.NamedTemporaryFile(delete=False) as file:
    print(file.name, os.stat(file.name).st_mtime, os.stat(file.name).st_ino)
    file.write(random.randbytes(99))
print(tempfile.mkdtemp())
os.rename(file.name, '/mnt/data/chance')
time.sleep(0.01)
async def one(n):
    await asyncio.sleep(0)
    return n, random.random()
async def several():
    return await asyncio.gather(*map(one, range(3)))
print(asyncio.run(several()), time.time())
";

#[test]
fn the_deterministic_preset_gives_the_same_bytes_each_time() {
    let policy = preset("deterministic");
    let runs: Vec<_> = (0..2)
        .map(|_| {
            let mut python = Python::with(&policy);
            let result = python.program(CHANCE);
            assert_eq!(result.status, Status::Ok, "{}", describe(&result));
            let file = python.session.get("chance");
            let files = python.session.list("/");
            let next = python.value("random.random(), list(globals())");
            (
                result.stdout,
                file.unwrap_or_else(|error| panic!("{error}")),
                files.unwrap_or_else(|error| panic!("{error}")),
                next,
            )
        })
        .collect();
    assert!(runs[0].0.bytes.len() > 500, "{}", runs[0].0.text());
    assert_eq!(runs[0].0.text(), runs[1].0.text());
    assert_eq!(runs[0], runs[1]);
}

#[test]
fn with_fuel_a_run_that_does_not_end_repeats_too() {
    let mut policy = preset("deterministic");
    policy.limits.fuel = Some(60_000_000);
    let runs: Vec<_> = (0..2)
        .map(|_| {
            let mut python = Python::with(&policy);
            let result = python.run("import random\nwhile True: print(random.random())");
            assert_eq!(result.limit, Some(Limit::Fuel), "{}", describe(&result));
            (
                result.stdout,
                python.value("import random\nrandom.random()"),
            )
        })
        .collect();
    assert!(!runs[0].0.bytes.is_empty(), "some of it ran");
    assert_eq!(runs[0], runs[1]);
}

#[test]
fn without_it_the_same_program_is_different_each_time() {
    let [one, other] = [(); 2].map(|()| Python::new().program(CHANCE).stdout);
    assert_ne!(one, other);
}

#[test]
fn a_seed_decides_what_is_drawn_and_nothing_else() {
    let drawn = |policy: &Policy| {
        Python::with(policy).value("import os, random\nos.urandom(8).hex(), random.random()")
    };
    assert_eq!(drawn(&seeded(1)), drawn(&seeded(1)));
    assert_ne!(drawn(&seeded(1)), drawn(&seeded(2)));
    assert_ne!(drawn(&Policy::default()), drawn(&Policy::default()));
    // The clock goes on.
    let mut python = Python::with(&seeded(1));
    python.ok("import time\nbefore = time.monotonic()\ntime.sleep(0.01)");
    assert_eq!(python.value("time.monotonic() > before"), "True");
}

#[test]
fn a_cell_that_is_undone_has_drawn_nothing() {
    const DRAW: &str = "os.urandom(8).hex()";
    let mut quiet = Python::with(&seeded(3));
    quiet.ok("import os");
    let wanted = (quiet.value(DRAW), quiet.value(DRAW));

    let mut policy = seeded(3);
    policy.limits.wall = Duration::from_millis(200);
    let mut stopped = Python::with(&policy);
    stopped.ok("import os");
    let first = stopped.value(DRAW);
    let result = stopped.run(
        "os.urandom(100)\nwhile True:\n    try:\n        while True: os.urandom(1)\n    except BaseException: pass",
    );
    assert_eq!(
        result.state,
        StateAfter::RolledBack,
        "{}",
        describe(&result)
    );
    assert_eq!((first, stopped.value(DRAW)), wanted);
}

#[test]
fn a_session_that_is_reset_begins_with_its_seed_again() {
    let mut python = Python::with(&seeded(4));
    let code = "import os\nos.urandom(8).hex()";
    let first = python.value(code);
    assert_ne!(python.value(code), first);
    python
        .session
        .reset()
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(python.value(code), first);
}

#[test]
fn a_coarse_clock_shows_whole_steps_everywhere() {
    let step = Duration::from_millis(20);
    let mut python = Python::with(&at(Clock::Coarse { step }));
    let value = python.value(
        "import os, time
seen = set()
for _ in range(30):
    open('f', 'w').close()
    seen |= {time.time_ns(), time.monotonic_ns(), time.perf_counter_ns(), time.process_time_ns(), os.stat('f').st_mtime_ns}
    time.sleep(0.003)
all(t % 20_000_000 == 0 for t in seen), len(seen) > 4, time.get_clock_info('monotonic').resolution",
    );
    assert_eq!(value, "(True, True, 0.02)");
    python.ok("import asyncio\nasyncio.run(asyncio.sleep(0.05))");
}

#[test]
fn a_frozen_clock_stands_for_code_and_for_files() {
    let mut python = Python::with(&at(Clock::Frozen {
        at: Clock::moment(),
    }));
    python
        .session
        .put("given", b"x")
        .unwrap_or_else(|error| panic!("{error}"));
    let value = python.value(
        "import os, time, datetime
open('made', 'w').close()
start = time.monotonic()
sum(range(100_000))
times = {time.time(), os.stat('given').st_mtime, os.stat('made').st_mtime}
times, time.monotonic() - start, str(datetime.datetime.now())",
    );
    assert_eq!(value, "({1735689600.0}, 0.0, '2025-01-01 00:00:00')");
}

#[test]
fn sleeping_moves_a_frozen_clock_and_takes_no_time() {
    let mut policy = at(Clock::Frozen {
        at: Clock::moment(),
    });
    policy.limits.wall = super::PATIENCE;
    let mut python = Python::with(&policy);
    let start = Instant::now();
    let value = python.value(
        "import asyncio, time
time.sleep(3600)
await asyncio.gather(asyncio.sleep(7200), asyncio.sleep(60))
time.time() - 1735689600, time.monotonic()",
    );
    assert_eq!(value, "(10800.0, 10800.0)");
    assert!(start.elapsed() < super::PATIENCE, "{:?}", start.elapsed());
    // What a cell slept that is undone did not pass.
    let result = python.run("import os\ntime.sleep(60)\nos._exit(3)");
    assert_eq!(
        result.state,
        StateAfter::RolledBack,
        "{}",
        describe(&result)
    );
    assert_eq!(python.value("time.monotonic()"), "10800.0");
}

#[test]
fn limits_on_time_go_by_the_real_clock() {
    let mut policy = preset("deterministic");
    policy.limits.wall = Duration::from_millis(200);
    let mut python = Python::with(&policy);
    let start = Instant::now();
    for code in [
        "while True: pass",
        "import time\nwhile True: time.sleep(0.01)",
    ] {
        let result = python.run(code);
        assert_eq!(result.limit, Some(Limit::Wall), "{}", describe(&result));
    }
    assert!(start.elapsed() < super::PATIENCE, "{:?}", start.elapsed());
}

#[test]
fn every_preset_runs_code_that_prints_and_keeps_files() {
    for name in Policy::preset_names() {
        let mut python = Python::with(&preset(name));
        let value = python.value(
            "import collections, json, re, statistics\nopen('f', 'w').write(json.dumps([1, 2]))\nprint('hello')\nstatistics.mean(json.load(open('f')))",
        );
        assert_eq!(value, "1.5", "{name}");
    }
}

#[test]
fn the_locked_down_preset_stops_what_the_default_lets_pass() {
    let mut python = Python::with(&preset("locked-down"));
    let (name, _) = python.error("open('big', 'wb').write(bytes(5 << 20))");
    assert_eq!(name, "OSError");
    let result = python.run("print('x' * 100_000)");
    assert_eq!(result.limit, Some(Limit::Output), "{}", describe(&result));
    Python::new().ok("open('big', 'wb').write(bytes(5 << 20))\nprint('x' * 100_000)");
}

#[test]
fn a_language_that_the_policy_does_not_name_is_refused() {
    // There is one language, so a policy without it allows nothing and makes no sense.
    let policy = policy(|policy| policy.languages = BTreeSet::new());
    let Err(error) = engine().session(Language::Python, &policy) else {
        panic!("a session that may run nothing");
    };
    assert!(matches!(error, Error::Policy(_)), "{error}");
    assert!(error.to_string().contains("languages"), "{error}");
}

#[test]
fn mounts_are_read_only_where_the_policy_says_so() {
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    fs::write(folder.path().join("in.txt"), "data").unwrap_or_else(|error| panic!("{error}"));
    let mount = |suffix: &str| {
        format!("{}:/mnt/in:{suffix}", folder.path().display())
            .parse()
            .unwrap_or_else(|error| panic!("{error}"))
    };
    let mut policy = preset("data-analysis");
    policy.mounts.push(mount("rw"));
    let Err(error) = engine().session(Language::Python, &policy) else {
        panic!("a writable mount");
    };
    assert!(error.to_string().contains("writable_mounts"), "{error}");

    policy.mounts[0] = mount("ro");
    let mut python = Python::with(&policy);
    assert_eq!(python.value("open('/mnt/in/in.txt').read()"), "'data'");
    assert_eq!(python.error("open('/mnt/in/out.txt', 'w')").0, "OSError");

    // Tightening takes the right to write from a mount, and mounts that only one of the two has.
    let mut owner = Policy::default();
    owner.mounts.push(mount("rw"));
    let mut python = Python::with(&owner.tightened_by(&policy));
    assert_eq!(python.value("open('/mnt/in/in.txt').read()"), "'data'");
    assert_eq!(python.error("open('/mnt/in/out.txt', 'w')").0, "OSError");
    let mut python = Python::with(&owner.tightened_by(&Policy::default()));
    assert_eq!(
        python.error("open('/mnt/in/in.txt')").0,
        "FileNotFoundError"
    );
}

#[test]
fn a_writable_mount_takes_as_much_as_its_quota_says() {
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    let mut python = Python::with(&policy(|policy| {
        let mount = format!("{}:/mnt/out:rw:1MiB", folder.path().display());
        policy
            .mounts
            .push(mount.parse().unwrap_or_else(|error| panic!("{error}")));
        policy.limits.wall = Duration::from_millis(300);
    }));
    let full = "open('/mnt/out/b', 'ab', buffering=0).write(b'x')";
    let is_full = |python: &mut Python| {
        let (name, text) = python.error(full);
        assert_eq!(name, "OSError");
        assert!(text.contains("No space left"), "{text}");
    };
    let written = python.value("open('/mnt/out/a', 'wb', buffering=0).write(bytes(2 << 20))");
    assert_eq!(written, "1048576");
    is_full(&mut python);
    python.ok("import os; os.remove('/mnt/out/a')");
    python.ok(full);
    python.ok("os.remove('/mnt/out/b')");

    // A cell that is undone leaves its files there, and a session that starts anew, too.
    let stubborn = "open('/mnt/out/a', 'wb').write(bytes(1 << 20))\nwhile True:\n    try:\n        while True: pass\n    except BaseException: pass";
    assert_eq!(python.run(stubborn).state, StateAfter::RolledBack);
    is_full(&mut python);
    python
        .session
        .reset()
        .unwrap_or_else(|error| panic!("{error}"));
    is_full(&mut python);
    python.ok("import os; os.remove('/mnt/out/a')");
    python.ok(full);
}

#[test]
fn a_text_from_anybody_tightens_a_session() {
    let mut owner = Policy::default();
    owner.env.insert("KEPT".to_owned(), "1".to_owned());
    owner.limits.files = 50;
    let asked = "
        randomness = { seed = 1 }
        clock = \"frozen\"
        workdir = \"/tmp\"
        env = { ADDED = \"2\" }
        [limits]
        wall = \"1h\"
        files = 5
    ";
    let tightened = owner
        .tightened_by_toml(asked)
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(tightened.limits.wall, owner.limits.wall);
    let mut python = Python::with(&tightened);
    let value = python.value("import os, time\nos.getcwd(), dict(os.environ), time.time()");
    assert_eq!(
        value,
        format!("('{WORKSPACE}', {{'KEPT': '1'}}, 1735689600.0)")
    );
    assert_eq!(
        python
            .error("for n in range(10): open(f'f{n}', 'w').close()")
            .0,
        "OSError"
    );
}
