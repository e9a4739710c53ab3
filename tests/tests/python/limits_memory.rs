//! Limits on memory and on depth.

use super::reach;
use sandbox_engine::policy::MIN_STACK;
use sandbox_engine::{Limit, Policy, Size, StateAfter, Status};
use sandbox_tests::{Python, describe, policy};

#[test]
fn memory_beyond_the_limit_is_a_memory_error_and_the_state_kept() {
    let mut policy = Policy::default();
    policy.limits.memory = Size(128 << 20);
    let mut python = Python::with(&policy);
    for code in [
        "hog = []\nwhile True: hog.append(bytes(1 << 20))",
        "hog = []\nwhile True: hog.append([0] * 1000)",
        "hog = {}\nn = 0\nwhile True:\n    hog[n] = str(n)\n    n += 1",
    ] {
        let result = reach(&mut python, code, Limit::Memory);
        assert_eq!(result.state, StateAfter::Kept, "{}", describe(&result));
        assert!(
            result
                .error
                .is_some_and(|error| error.name == "MemoryError"),
            "{code}"
        );
        python.ok("del hog");
        // What was freed may lie in pieces, and memory never shrinks; small things always fit.
        python.ok("x = bytes(1 << 20)\ndel x");
    }
}

#[test]
fn a_memory_error_can_be_caught() {
    let mut policy = Policy::default();
    policy.limits.memory = Size(128 << 20);
    let mut python = Python::with(&policy);
    let result = python.run("try:\n    hog = []\n    while True: hog.append(bytes(1 << 20))\nexcept MemoryError:\n    n = len(hog)\n    hog = None\nn > 10");
    assert_eq!(result.status, Status::Ok, "{}", describe(&result));
    assert_eq!(result.value.as_deref(), Some("True"));
}

#[test]
fn a_session_whose_memory_is_full_can_still_free_it() {
    let mut policy = Policy::default();
    policy.limits.memory = Size(128 << 20);
    let mut python = Python::with(&policy);
    let fill = "hog = []\nfor size in (1 << 20, 1 << 16, 1 << 12, 600, 500, 100, 40, 24, 8):\n    try:\n        while True: hog.append(bytes(size))\n    except MemoryError:\n        pass\nlen(hog) > 100";
    for _ in 0..3 {
        let result = python.run(fill);
        assert_eq!(
            (result.state, result.value.as_deref()),
            (StateAfter::Kept, Some("True")),
            "{}",
            describe(&result)
        );
        let failed = python.run("nonsense(");
        assert_eq!(
            failed.error.as_ref().map(|error| error.name.as_str()),
            Some("SyntaxError"),
            "{}",
            describe(&failed)
        );
        // What is left lies in pieces, which compiling so much does not fit.
        python.ok(&format!("numbers = [{}]\ndel hog", "1, ".repeat(8000)));
        python.ok("sum(len(bytes(1 << 20)) for _ in range(10))");
    }
}

#[test]
fn one_allocation_beyond_the_limit_leaves_a_usable_session() {
    let mut python = Python::new();
    for code in [
        "bytes(1 << 30)",
        "[0] * (1 << 28)",
        "'x' * (1 << 30)",
        "bytearray(3 << 30)",
        "(1 << (1 << 33)) and 0",
        "x = 'a' * (100 << 20)\nx + x + x",
        "list(range(10 ** 9))",
    ] {
        let result = python.run_checking_state(code);
        assert!(
            !result.is_ok(),
            "{code} fits no session: {}",
            describe(&result)
        );
        assert!(
            result.usage.peak_memory <= 256 << 20,
            "{code}: {:?}",
            result.usage
        );
    }
    assert_eq!(python.value("6 * 7"), "42");
}

#[test]
fn endless_recursion_is_a_recursion_error() {
    let mut python = Python::new();
    for code in [
        "def f(): f()\nf()",
        "def f(n): return f(n + 1) + 1\nf(0)",
        "class A:\n    def __repr__(self): return repr(self)\nrepr(A())",
        "class A:\n    def __getattr__(self, name): return getattr(self, name + 'x')\nA().y",
        "f = lambda: [*map(lambda _: f(), [1])]\nf()",
        "class A:\n    def __eq__(self, other): return self == other\nA() == A()",
        "def f(): yield from f()\nlist(f())",
        "async def f(): await f()\nawait f()",
        "x = []\nfor _ in range(100000): x = [x]\nrepr(x)",
        "import sys\nsys.setrecursionlimit(10 ** 6)\ndef f(): f()\nf()",
        "import functools\n@functools.lru_cache\ndef f(n): return f(n + 1)\nf(0)",
        "class A:\n    def __call__(self): return self()\nA()()",
        "sorted([1, 2], key=lambda x: (f := lambda y: sorted([y], key=f))(x))",
    ] {
        let result = python.run_checking_state(code);
        let name = result
            .error
            .as_ref()
            .map_or("", |error| error.name.as_str());
        assert!(
            name == "RecursionError" || result.limit == Some(Limit::Stack),
            "{code}: {}",
            describe(&result)
        );
        if result.limit != Some(Limit::Stack) {
            assert_eq!(
                result.state,
                StateAfter::Kept,
                "{code}: {}",
                describe(&result)
            );
        }
    }
    assert_eq!(python.value("sum(range(10))"), "45");
}

/// The length of a deeply nested list's text, which takes a few hundred kilobytes of stack.
const NESTED: &str = "x = []\nfor _ in range(5000): x = [x]\nlen(repr(x))";

#[test]
fn a_smaller_stack_ends_recursion_sooner() {
    let mut python = Python::with(&policy(|policy| policy.limits.stack = Size(256 << 10)));
    let result = python.run_checking_state(NESTED);
    let error = result.error.as_ref().map(|error| error.name.as_str());
    assert_eq!(
        (error, result.state),
        (Some("RecursionError"), StateAfter::Kept),
        "{}",
        describe(&result)
    );
    assert_eq!(Python::new().value(NESTED), "10002");
}

#[test]
fn a_call_may_have_less_stack_than_its_session() {
    let mut python = Python::new();
    let mut tight = python.session.policy().clone();
    tight.limits.stack = Size(256 << 10);
    for _ in 0..2 {
        let cell = python.session.cell(NESTED).tightened_by(&tight);
        let result = cell.run_blocking();
        let error = result.map(|result| result.error.map(|error| error.name));
        assert!(
            matches!(&error, Ok(Some(name)) if name == "RecursionError"),
            "{error:?}"
        );
        assert_eq!(python.value(NESTED), "10002");
        // Also where it was undone and done again.
        let ended = python.run("import os\nos._exit(3)");
        assert_eq!(ended.state, StateAfter::RolledBack);
    }
}

#[test]
fn ordinary_programs_fit_in_the_smallest_stack() {
    let mut python = Python::with(&policy(|policy| policy.limits.stack = Size(MIN_STACK)));
    python.ok("import asyncio, collections, dataclasses, json, re, statistics, typing");
    python.ok("async def f(): return 1\nassert await f() == 1");
    assert_eq!(
        python.value("json.loads(json.dumps({'a': [1, {'b': [None]}]}))"),
        "{'a': [1, {'b': [None]}]}"
    );
    assert_eq!(python.error("1 / 0").0, "ZeroDivisionError");
    let (name, _) = python.error("def f(): f()\nf()");
    assert_eq!(name, "RecursionError");
    assert_eq!(python.value("sum(range(10))"), "45");
}

#[test]
fn recursion_as_deep_as_programs_need_works() {
    let mut python = Python::new();
    assert_eq!(
        python.value("def f(n): return n and 1 + f(n - 1)\nf(900)"),
        "900"
    );
    assert_eq!(
        python.value("import json\nlen(json.dumps(eval('[' * 80 + ']' * 80)))"),
        "160"
    );
}

#[test]
fn deeply_nested_source_leaves_a_usable_session() {
    let mut python = Python::new();
    python.ok("kept = 'earlier'");
    let nested = [
        format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000)),
        format!("{}1{}", "[".repeat(5_000), "]".repeat(5_000)),
        format!("{}1", "-".repeat(100_000)),
        format!("{}1", "not ".repeat(100_000)),
        vec!["1"; 100_000].join("+"),
        format!("x{}", ".a".repeat(50_000)),
        format!("f{}", "()".repeat(50_000)),
        (0..300)
            .map(|depth| format!("{}if 1:\n", " ".repeat(depth)))
            .collect::<Vec<_>>()
            .concat()
            + &" ".repeat(300)
            + "pass",
        format!("{}1", "lambda: ".repeat(20_000)),
        format!("f'{}'", "{f\"{1}\"}".repeat(5_000)),
        format!("x = {}1", "x if x else ".repeat(20_000)),
        format!("eval('(' * {0} + ')' * {0})", 100_000),
    ];
    for source in &nested {
        // Whether it compiles is the interpreter's affair; that the session survives is ours.
        python.run(source);
        assert_eq!(python.value("kept"), "'earlier'");
    }
}
