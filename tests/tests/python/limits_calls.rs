//! The limit on calls to the host: what a guest costs outside of WebAssembly.

use super::reach;
use sandbox_engine::{Limit, Policy, StateAfter, Status};
use sandbox_tests::{Python, describe, policy};

/// A session that may call its host so often in one run.
fn with(calls: u64) -> Python {
    Python::with(&policy(|policy| policy.limits.host_calls = calls))
}

/// Calls the host so often, and does a few things more.
fn calling(times: u64) -> String {
    format!("import time\nfor n in range({times}): time.monotonic()")
}

#[test]
fn calls_to_the_host_are_counted_for_each_run() {
    let mut python = with(50_000_000);
    python.ok("import os, time");
    let idle = python.ok("sum(range(100_000))").usage.host_calls;
    assert!(idle < 100, "{idle}");
    let busy = python.ok(&calling(5000)).usage.host_calls;
    assert!((5000..5100).contains(&busy), "{busy}");
    let files = python.ok("for n in range(1000): os.mkdir(f'{n}'); os.rmdir(f'{n}')");
    assert!((2000..9000).contains(&files.usage.host_calls));
    let waiting = python.ok("time.sleep(0.2)").usage.host_calls;
    assert!(waiting < 100, "waiting is one call: {waiting}");
}

#[test]
fn as_many_calls_as_the_limit_pass() {
    // How many they are, is tried first.
    let code = calling(3000);
    let mut python = with(1_000_000);
    python.ok(&code);
    let needed = python.ok(&code).usage.host_calls;
    for (limit, passes) in [(needed, true), (needed - 10, false)] {
        let mut python = with(limit);
        // The first run has more to find out.
        python.run("import time");
        python.run(&code);
        let result = python.run(&code);
        assert_eq!(
            result.limit,
            (!passes).then_some(Limit::HostCalls),
            "{limit}: {}",
            describe(&result)
        );
    }
}

#[test]
fn host_calls_beyond_the_limit_interrupt_and_keep_the_state() {
    let mut python = with(5000);
    for code in [
        "import time\nn = 0\nwhile True:\n    n += 1\n    time.monotonic()",
        "import os\nn = 0\nwhile True:\n    n += 1\n    os.urandom(1)",
        "import os\nn = 0\nwhile True:\n    n += 1\n    try: os.stat('nowhere')\n    except OSError: pass",
        "from IPython.display import display\nclass Shown:\n    def _repr_html_(self): return 'x'\nn = 0\nwhile True:\n    n += 1\n    display(Shown())",
    ] {
        let result = reach(&mut python, code, Limit::HostCalls);
        assert_eq!(
            (result.status, result.state),
            (Status::LimitReached, StateAfter::Kept),
            "{code}: {}",
            describe(&result)
        );
        let error = result.error.map(|error| (error.name, error.message));
        let wanted = ("KeyboardInterrupt", "host call limit reached");
        assert_eq!(error, Some((wanted.0.to_owned(), wanted.1.to_owned())));
        assert!((5000..5200).contains(&result.usage.host_calls));
        assert_eq!(python.value("n > 100"), "True", "{code}");
    }
}

#[test]
fn code_that_goes_on_calling_is_stopped_and_undone() {
    let mut python = with(5000);
    for code in [
        "import time\nwhile True:\n    try:\n        while True: time.monotonic()\n    except BaseException: pass",
        "import time\ntry:\n    while True: time.monotonic()\nexcept KeyboardInterrupt:\n    while True: pass",
    ] {
        let result = reach(&mut python, code, Limit::HostCalls);
        assert_eq!(
            (result.status, result.state),
            (Status::LimitReached, StateAfter::RolledBack),
            "{code}: {}",
            describe(&result)
        );
        assert!(python.run("1 + 1").is_ok());
    }
}

#[test]
fn a_run_that_calls_without_end_is_interrupted_at_the_same_call_each_time() {
    let preset = Policy::named("deterministic").ok().flatten();
    let mut policy = preset.unwrap_or_else(|| panic!("no such preset"));
    policy.limits.host_calls = 20_000;
    let runs: Vec<_> = (0..3)
        .map(|_| {
            let mut python = Python::with(&policy);
            let result = python.run(
                "import os, random\nn = 0\nwhile True:\n    n += 1\n    if n % 7 == 0: os.urandom(3)\n    if n % 100 == 0: print(n, flush=True)",
            );
            assert_eq!(result.limit, Some(Limit::HostCalls), "{}", describe(&result));
            (result.stdout, python.value("n, random.random()"))
        })
        .collect();
    assert!(runs.iter().all(|run| *run == runs[0]));
}
