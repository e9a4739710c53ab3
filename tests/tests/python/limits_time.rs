//! Limits on time: wall clock and fuel.

use super::reach;
use sandbox_engine::{Limit, Policy, StateAfter, Status};
use sandbox_tests::{Python, describe, within};
use std::time::{Duration, Instant};

fn short() -> Policy {
    within(Duration::from_millis(150))
}

#[test]
fn an_endless_loop_is_interrupted_and_its_state_kept() {
    let mut python = Python::with(&short());
    for code in [
        "while True: pass",
        "n = 0\nwhile True:\n    n += 1",
        "def f():\n    while 1:\n        g()\ndef g(): pass\nf()",
    ] {
        let result = reach(&mut python, code, Limit::Wall);
        assert_eq!(
            (result.status, result.state),
            (Status::LimitReached, StateAfter::Kept),
            "{}",
            describe(&result)
        );
        assert!(
            result
                .error
                .is_some_and(|error| error.name == "KeyboardInterrupt")
        );
    }
    assert!(
        python.value("n").parse::<u64>().is_ok_and(|n| n > 0),
        "the loop's variable is still there"
    );
}

#[test]
fn sleeping_counts_as_time_and_ends_at_the_limit() {
    let mut python = Python::with(&short());
    let start = Instant::now();
    let result = reach(&mut python, "import time\ntime.sleep(60)", Limit::Wall);
    assert_eq!(result.state, StateAfter::Kept, "{}", describe(&result));
    assert!(
        start.elapsed() >= Duration::from_millis(150),
        "it was stopped before its time"
    );
    assert!(
        result.usage.cpu < result.usage.wall,
        "sleeping takes no CPU time: {:?}",
        result.usage
    );
    reach(
        &mut python,
        "import asyncio\nawait asyncio.sleep(60)",
        Limit::Wall,
    );
}

#[test]
fn the_interrupt_can_be_caught_to_clean_up() {
    let mut python = Python::with(&short());
    let result = reach(
        &mut python,
        "try:\n    while True: pass\nexcept KeyboardInterrupt:\n    cleaned = True\n    raise\nfinally:\n    print('bye')",
        Limit::Wall,
    );
    assert_eq!(result.state, StateAfter::Kept, "{}", describe(&result));
    assert_eq!(result.stdout.text(), "bye\n");
    assert_eq!(python.value("cleaned"), "True");
}

#[test]
fn code_that_swallows_the_interrupt_is_stopped_and_rolled_back() {
    let mut python = Python::with(&short());
    for code in [
        "while True:\n    try:\n        while True: pass\n    except BaseException:\n        pass",
        "def f():\n    try:\n        while True: pass\n    finally:\n        f()\nf()",
        "import contextlib\nwhile True:\n    with contextlib.suppress(BaseException):\n        while True: pass",
    ] {
        let result = reach(&mut python, code, Limit::Wall);
        assert_eq!(
            (result.status, result.state),
            (Status::LimitReached, StateAfter::RolledBack),
            "{}",
            describe(&result)
        );
    }
}

#[test]
fn an_interrupt_that_ends_in_a_destructor_leaves_a_usable_session() {
    let mut python = Python::with(&short());
    let start = Instant::now();
    python.run_checking_state(
        "class A:\n    def __del__(self):\n        while True: pass\na = A()\ndel a",
    );
    assert!(start.elapsed() < super::PATIENCE);
}

#[test]
fn native_code_that_takes_forever_is_stopped_and_rolled_back() {
    let mut python = Python::with(&within(Duration::from_millis(300)));
    python.ok("import re");
    for code in [
        "re.match('(a+)+$', 'a' * 40 + 'b')",
        "x = 7 ** (7 ** 9)",
        "sum(range(10 ** 12))",
        "'a' * 10 in ('a' * 9 + 'b') * 1000000 * 3\nlen(str(3 ** 3000000))",
        "for _ in iter(int, 1): pass",
        "list(filter(None, iter(int, 1)))",
        "import itertools\nany(itertools.count(1) and False for _ in itertools.count())",
        "import itertools\nsum(itertools.repeat(0))",
        "max(iter(float, 1.0))",
    ] {
        let result = reach(&mut python, code, Limit::Wall);
        assert_eq!(
            result.status,
            Status::LimitReached,
            "{code}: {}",
            describe(&result)
        );
    }
    assert_eq!(python.value("re.sub('a', 'b', 'aaa')"), "'bbb'");
}

#[test]
fn a_sort_that_takes_forever_is_stopped() {
    let mut python = Python::with(&within(Duration::from_millis(300)));
    let result = reach(
        &mut python,
        "[i * 7919 % 100003 for i in range(400000)].sort() or [sorted(range(300000), key=str) for _ in range(1000)]",
        Limit::Wall,
    );
    assert_eq!(result.status, Status::LimitReached);
}

#[test]
fn each_run_has_the_whole_time() {
    let mut python = Python::with(&within(Duration::from_millis(400)));
    python.ok("import time");
    for _ in 0..5 {
        python.ok("time.sleep(0.15)");
    }
}

#[test]
fn a_cell_can_have_less_time_than_its_session() {
    let mut python = Python::new();
    let cell = python
        .session
        .cell("while True: pass")
        .timeout(Duration::from_millis(100));
    let result = cell
        .run_blocking()
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(result.limit, Some(Limit::Wall), "{}", describe(&result));
    assert!(result.usage.wall < super::PATIENCE, "{:?}", result.usage);
}

#[test]
fn fuel_stops_at_the_same_point_each_time() {
    let mut policy = Policy::default();
    policy.limits.fuel = Some(50_000_000);
    let runs: Vec<_> = (0..2)
        .map(|_| {
            let mut python = Python::with(&policy);
            let result =
                python.run("n = 0\nwhile True:\n    n += 1\n    if n % 100 == 0: print(n)");
            assert_eq!(
                (result.status, result.limit),
                (Status::LimitReached, Some(Limit::Fuel)),
                "{}",
                describe(&result)
            );
            assert_eq!(
                result.state,
                StateAfter::RolledBack,
                "{}",
                describe(&result)
            );
            assert_eq!(python.value("'n' in globals()"), "False");
            result
        })
        .collect();
    assert!(!runs[0].stdout.bytes.is_empty(), "some of it ran");
    assert_eq!(runs[0].stdout, runs[1].stdout);
    assert_eq!(runs[0].usage.fuel, runs[1].usage.fuel);
}

#[test]
fn fuel_is_counted_and_each_run_has_all_of_it() {
    let mut policy = Policy::default();
    policy.limits.fuel = Some(100_000_000);
    let mut python = Python::with(&policy);
    let little = python.ok("1 + 1").usage.fuel.unwrap_or_default();
    let more = python
        .ok("for i in range(10000): pass")
        .usage
        .fuel
        .unwrap_or_default();
    assert!(
        0 < little && little < more && more < 100_000_000,
        "{little} {more}"
    );
    for _ in 0..20 {
        python.ok("for i in range(10000): pass");
    }
    assert_eq!(
        Python::new().ok("1").usage.fuel,
        None,
        "without a limit none is counted"
    );
}
