//! Every limit ends a program with its status and a message that names the option.

use crate::binary::run;
use std::fs;

#[test]
fn time() {
    let outcome = run([
        "--timeout",
        "200ms",
        "-c",
        "print('on', flush=True)\nwhile True: pass",
    ]);
    outcome.says(124, "sandbox-run: stopped by the limit on wall-clock time");
    outcome.says(124, "--timeout");
    assert_eq!(outcome.text(), "on\n");
    // Neither sleeping nor catching everything gets around it.
    run(["--timeout", "200ms", "-c", "import time; time.sleep(60)"]).says(124, "--timeout");
    let stubborn =
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass";
    run(["--timeout", "200ms", "-c", stubborn]).says(124, "--timeout");
}

#[test]
fn waiting_for_input_counts_as_time() {
    let mut command = crate::binary::command();
    command.args(["--timeout", "200ms", "-c", "input()"]);
    let mut child = crate::binary::start(&mut command);
    // Standard input stays open, and nothing comes.
    let stdin = child.stdin.take();
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    assert_eq!(output.status.code(), Some(124), "{output:?}");
}

#[test]
fn fuel() {
    // Code that counts instructions is compiled when it is first wanted, which is told.
    let outcome = run(["--fuel", "100000000", "-c", "print(1)"]);
    assert_eq!(
        (outcome.status, outcome.text()),
        (Some(0), "1\n"),
        "{outcome:?}"
    );
    run(["--fuel", "100000000", "-c", "while True: pass"]).says(124, "--fuel");
}

#[test]
fn memory() {
    run([
        "--memory",
        "64MiB",
        "-c",
        "x = []\nwhile True: x.append('x' * 100_000 + str(len(x)))",
    ])
    .says(137, "--memory");
    run(["--memory", "96MiB", "-c", "x = bytes(200_000_000)"]).says(137, "--memory");
    run(["-c", "raise MemoryError('my own')"]).says(1, "my own");
}

#[test]
fn output() {
    let outcome = run(["--max-output", "1KiB", "-c", "print('x' * 5000)"]);
    outcome.says(0, "3977 bytes of standard output were dropped");
    assert_eq!(outcome.stdout.len(), 1024);

    let folder = tempfile::tempdir().unwrap();
    let policy = folder.path().join("policy.toml");
    fs::write(
        &policy,
        "[limits]\noutput = \"1MiB\"\noutput_total = \"2MiB\"\n",
    )
    .unwrap();
    let outcome = run([
        "--policy",
        policy.to_str().unwrap(),
        "-c",
        "while True: print('x' * 1000)",
    ]);
    outcome.says(124, "limits.output_total");
    assert!(outcome.stdout.len() <= 2 << 20, "{}", outcome.stdout.len());
}

#[test]
fn calls_to_the_sandbox() {
    let folder = tempfile::tempdir().unwrap();
    let policy = folder.path().join("policy.toml");
    fs::write(&policy, "[limits]\nhost_calls = 100000\n").unwrap();
    let policy = policy.to_str().unwrap();
    let code = "import time\nwhile True: time.monotonic()";
    run(["--policy", policy, "-c", code]).says(124, "limits.host_calls");
    run([
        "-c",
        "import time\nfor _ in range(200_000): time.monotonic()",
    ])
    .quiet(0, "");
}

#[test]
fn recursion_is_the_languages_own_error() {
    run(["-c", "def f(): f()\nf()"]).says(1, "RecursionError");
}

#[test]
fn an_option_overrides_the_policy() {
    let folder = tempfile::tempdir().unwrap();
    let policy = folder.path().join("policy.toml");
    fs::write(
        &policy,
        "[limits]\nwall = \"1h\"\n[env]\nA = \"policy\"\nB = \"policy\"\n",
    )
    .unwrap();
    let policy = policy.to_str().unwrap();
    run([
        "--policy",
        policy,
        "--env",
        "A=option",
        "-c",
        "import os; print(os.environ['A'], os.environ['B'])",
    ])
    .quiet(0, "option policy\n");
    run([
        "--policy",
        policy,
        "--timeout",
        "200ms",
        "-c",
        "while True: pass",
    ])
    .says(124, "200ms");
    run(["--policy", "default", "-c", "print(1)"]).quiet(0, "1\n");
}
