//! Limits on output, and what is reported as used.

use super::reach;
use sandbox_engine::{Limit, Policy, Size, StateAfter, Status};
use sandbox_tests::{Python, describe, policy};
use std::time::Duration;

#[test]
fn output_beyond_the_limit_is_dropped_and_counted() {
    let mut python = Python::with(&policy(|policy| policy.limits.output = Size(1000)));
    let result = python.run_checking_state("for i in range(1000): print('x' * 9)\ndone = True");
    assert_eq!(
        (result.status, result.limit),
        (Status::Ok, Some(Limit::Output)),
        "{}",
        describe(&result)
    );
    assert_eq!(
        (result.stdout.bytes.len(), result.stdout.dropped),
        (1000, 9000)
    );
    assert_eq!(result.usage.output_bytes, 10_000);
    assert_eq!(python.value("done"), "True");
    let result = python.run("import sys\nprint('e' * 5000, file=sys.stderr)\nprint('fits')");
    assert_eq!(
        (result.stdout.text().as_ref(), result.stdout.dropped),
        ("fits\n", 0),
        "each stream has a limit of its own"
    );
    assert_eq!(
        (result.stderr.bytes.len(), result.stderr.dropped),
        (1000, 4001)
    );
    let result = python.run("print('again')");
    assert_eq!(
        (result.limit, result.stdout.dropped),
        (None, 0),
        "each run starts anew"
    );
}

#[test]
fn endless_output_is_stopped() {
    let mut policy = Policy::default();
    policy.limits.output = Size(1 << 10);
    policy.limits.output_total = Size(1 << 20);
    let mut python = Python::with(&policy);
    for code in [
        "while True: print('spam' * 100)",
        "import os\nwhile True: os.write(1, b'x' * 1000)",
        "import sys\nwhile True:\n    try: sys.stderr.write('y' * 1000)\n    except BaseException: pass",
    ] {
        let result = reach(&mut python, code, Limit::Output);
        assert_eq!(
            result.status,
            Status::LimitReached,
            "{code}: {}",
            describe(&result)
        );
        assert!(result.usage.output_bytes < 4 << 20, "{:?}", result.usage);
    }
}

#[test]
fn a_long_value_is_cut() {
    let mut policy = Policy::default();
    policy.limits.output = Size(1 << 10);
    let mut python = Python::with(&policy);
    let result = python.ok("'ü' * 4000");
    let value = result.value.unwrap();
    assert_eq!((result.limit, value.len()), (Some(Limit::Output), 1023));
    assert!(value.starts_with("'üü"), "{value}");
    assert_eq!(python.ok("1 + 1").limit, None);
}

#[test]
fn output_beyond_the_total_interrupts_and_keeps_the_state() {
    let mut policy = Policy::default();
    policy.limits.output = Size(1 << 10);
    policy.limits.output_total = Size(1 << 20);
    let mut python = Python::with(&policy);
    for (code, state) in [
        (
            "n = 0\nwhile True:\n    n += 1\n    print('spam' * 100)",
            StateAfter::Kept,
        ),
        (
            "n = 1\nprint('x' * (10 << 20))\nfor _ in range(10 ** 7): n += 1",
            StateAfter::Kept,
        ),
        (
            "n = 0\nwhile True:\n    try: print('spam' * 100)\n    except KeyboardInterrupt: n = 0",
            StateAfter::RolledBack,
        ),
    ] {
        let result = reach(&mut python, code, Limit::Output);
        assert_eq!(result.state, state, "{code}: {}", describe(&result));
        assert_eq!(python.ok("n > 0").value.as_deref(), Some("True"), "{code}");
    }
}

#[test]
fn usage_is_reported() {
    let mut python = Python::new();
    let usage = python
        .ok("print('x' * 99)\nopen('f', 'wb').write(bytes(5000))\nfor i in range(100000): pass")
        .usage;
    assert_eq!((usage.output_bytes, usage.file_bytes), (100, 5000));
    assert!(
        usage.wall > Duration::ZERO && usage.cpu > Duration::ZERO && usage.cpu <= usage.wall,
        "{usage:?}"
    );
    assert!(usage.peak_memory > 1 << 20, "{usage:?}");
}
