//! Guests that break the rules: whatever a guest says, its host answers with a result or an error and goes on.
//!
//! The guests here are small modules written for the purpose, so these tests need no interpreter.

#![allow(clippy::unwrap_used, reason = "a test that fails panics")]

use sandbox_engine::{Engine, Error, Language, Limit, Policy, Session, StateAfter, Status};
use sha2::{Digest, Sha256};
use std::path::Path;
use std::time::{Duration, Instant};

/// `Reply::Started`, `Reply::Ran` with `Outcome::Ok`, no value and cell 1, as the encoding has them.
const STARTED: &str = "\\00";
const RAN_OK: &str = "\\01\\00\\00\\01";

/// A guest that answers its first request with `Started` and the others by running `answer`, which leaves the address
/// and length of the reply on the stack. The module's own definitions go into `more`.
fn guest(answer: &str, more: &str) -> String {
    format!(
        r#"(module
            (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
            (import "wasi_snapshot_preview1" "random_get" (func $random_get (param i32 i32) (result i32)))
            (import "wasi_snapshot_preview1" "poll_oneoff" (func $poll (param i32 i32 i32 i32) (result i32)))
            (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
            (import "sandbox" "event" (func $event (param i32 i32 i32) (result i32)))
            (memory (export "memory") 2)
            (global $started (mut i32) (i32.const 0))
            (data (i32.const 16) "{STARTED}")
            (data (i32.const 32) "{RAN_OK}")
            (func (export "sandbox_abi") (result i32) (i32.const 2))
            (func (export "sandbox_interrupt") (result i32) (i32.const 8))
            (func (export "sandbox_spin") (loop (br 0)))
            (func (export "sandbox_buffer") (param i32) (result i32) (i32.const 1024))
            (func $reply (param $at i32) (param $len i32) (result i64)
                (i64.or
                    (i64.shl (i64.extend_i32_u (local.get $at)) (i64.const 32))
                    (i64.extend_i32_u (local.get $len))))
            (func (export "sandbox_call") (param i32) (result i64)
                (if (i32.eqz (i32.load (i32.const 64)))
                    (then
                        (i32.store (i32.const 64) (i32.const 1))
                        (return (call $reply (i32.const 16) (i32.const 1)))))
                (call $reply {answer}))
            {more}
        )"#
    )
}

/// Answers as a guest should.
const FINE: &str = "(i32.const 32) (i32.const 4)";

fn session(source: &str, policy: &Policy) -> Session {
    try_session(source, policy).unwrap()
}

fn try_session(source: &str, policy: &Policy) -> Result<Session, Error> {
    let folder = tempfile::tempdir().unwrap();
    write_guest(folder.path(), source);
    Engine::builder()
        .cache_dir(folder.path().join("cache"))
        .guest(folder.path())
        .build()?
        .session(Language::Python, policy)
}

fn write_guest(folder: &Path, source: &str) {
    let wasm = wat::parse_str(source).unwrap();
    let digest = Sha256::digest(&wasm)
        .iter()
        .fold(String::new(), |text, byte| format!("{text}{byte:02x}"));
    let manifest = serde_json::json!({
        "language": "python", "abi": 2, "interpreter": "none", "digest": digest, "wasm_size": wasm.len(),
        "epoch_digest": "", "epoch_size": 0, "compatibility": "tests",
    });
    std::fs::write(folder.join("manifest.json"), manifest.to_string()).unwrap();
    std::fs::write(
        folder.join("guest.wasm.zst"),
        zstd::encode_all(&wasm[..], 1).unwrap(),
    )
    .unwrap();
}

fn short() -> Policy {
    let mut policy = Policy::default();
    policy.limits.wall = Duration::from_millis(50);
    policy.limits.grace = Duration::from_millis(20);
    policy
}

#[test]
fn a_guest_that_keeps_to_the_rules_is_understood() {
    let result = session(&guest(FINE, ""), &Policy::default())
        .run_blocking("x")
        .unwrap();
    assert_eq!(
        (result.status, result.state, result.count),
        (Status::Ok, StateAfter::Kept, 1)
    );
}

#[test]
fn a_reply_outside_of_memory_is_refused_and_the_cell_undone() {
    for reply in [
        "(i32.const 0x7fffffff) (i32.const 4)",
        "(i32.const -1) (i32.const -1)",
        "(i32.const 131070) (i32.const 4)",
        "(i32.const 0) (i32.const 0x7fffffff)",
    ] {
        let result = session(&guest(reply, ""), &Policy::default())
            .run_blocking("x")
            .unwrap();
        assert_eq!(
            (result.status, result.state),
            (Status::Crashed, StateAfter::RolledBack),
            "{reply}"
        );
    }
}

#[test]
fn a_reply_that_is_too_long_to_be_read_is_a_limit_and_the_cell_undone() {
    let reply = "(drop (memory.grow (i32.const 1200))) (i32.const 0) (i32.const 70000000)";
    let mut session = session(&guest(reply, ""), &Policy::default());
    for _ in 0..2 {
        let result = session.run_blocking("x").unwrap();
        assert_eq!(
            (result.status, result.limit, result.state),
            (
                Status::LimitReached,
                Some(Limit::Output),
                StateAfter::RolledBack
            )
        );
    }
}

#[test]
fn a_reply_that_is_no_message_is_refused() {
    for bytes in [
        "",
        "\\ff\\ff\\ff\\ff\\ff\\ff",
        "\\01\\00\\00\\01\\00",
        "\\01\\02\\ff\\ff\\ff\\ff\\0f",
        "\\01\\00\\01\\ff\\ff\\ff\\ff\\0f",
    ] {
        let source = guest(
            &format!(
                "(i32.const 256) (i32.const {})",
                bytes.matches('\\').count()
            ),
            &format!("(data (i32.const 256) \"{bytes}\")"),
        );
        let result = session(&source, &Policy::default())
            .run_blocking("x")
            .unwrap();
        assert_eq!(result.status, Status::Crashed, "{bytes}");
    }
}

#[test]
fn a_reply_to_another_question_is_an_error() {
    let source = guest("(i32.const 16) (i32.const 1)", "");
    let error = session(&source, &Policy::default())
        .run_blocking("x")
        .unwrap_err();
    assert!(matches!(error, Error::Protocol(_)), "{error}");
}

#[test]
fn a_loop_that_ignores_its_interrupt_is_stopped() {
    let mut session = session(&guest(&format!("(loop (br 0)) {FINE}"), ""), &short());
    let begun = Instant::now();
    let result = session.run_blocking("x").unwrap();
    assert_eq!(
        (result.status, result.limit),
        (Status::LimitReached, Some(Limit::Wall))
    );
    assert_eq!(result.state, StateAfter::RolledBack);
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[test]
fn an_interrupt_is_a_byte_in_the_guests_memory() {
    // Waits for the byte and answers with its value as the cell's number.
    let source = guest(
        "(i32.const 32) (call $wait)",
        r"(func $wait (result i32)
            (loop $again (br_if $again (i32.eqz (i32.load8_u (i32.const 8)))))
            (i32.store8 (i32.const 35) (i32.load8_u (i32.const 8)))
            (i32.const 4))",
    );
    let result = session(&source, &short()).run_blocking("x").unwrap();
    assert_eq!((result.status, result.count), (Status::Ok, 1));
}

#[test]
fn calls_beyond_the_limit_interrupt_at_the_next_call_and_end_what_goes_on() {
    let mut policy = Policy::default();
    policy.limits.host_calls = 1000;
    policy.limits.grace = Duration::from_millis(20);
    // Calls until it finds the byte, and answers with its value as the cell's number.
    let calls = |until: &str| {
        guest(
            "(i32.const 32) (call $calls)",
            &format!(
                r"(func $calls (result i32)
                    (loop $again
                        (drop (call $random_get (i32.const 400) (i32.const 1)))
                        (br_if $again {until}))
                    (i32.store8 (i32.const 35) (i32.load8_u (i32.const 8)))
                    (i32.const 4))"
            ),
        )
    };
    let polite = calls("(i32.eqz (i32.load8_u (i32.const 8)))");
    let result = session(&polite, &policy).run_blocking("x").unwrap();
    assert_eq!((result.status, result.count), (Status::Ok, 5));
    // It comes up where the loop begins again, and calls once more before it looks at the byte.
    assert_eq!(result.usage.host_calls, 1002);

    let mut stubborn = session(&calls("(i32.const 1)"), &policy);
    for _ in 0..2 {
        let result = stubborn.run_blocking("x").unwrap();
        assert_eq!(
            (result.status, result.limit, result.state),
            (
                Status::LimitReached,
                Some(Limit::HostCalls),
                StateAfter::RolledBack
            )
        );
    }
}

#[test]
fn recursion_without_end_is_a_limit() {
    let source = guest(
        "(i32.const 32) (call $deep (i32.const 0))",
        r"(func $deep (param i32) (result i32)
        (i32.add (call $deep (i32.add (local.get 0) (i32.const 1))) (local.get 0)))",
    );
    let result = session(&source, &Policy::default())
        .run_blocking("x")
        .unwrap();
    assert_eq!(
        (result.status, result.limit),
        (Status::LimitReached, Some(Limit::Stack))
    );
}

#[test]
fn memory_that_is_refused_is_a_limit_where_the_guest_gives_up() {
    let source = guest(
        "(i32.const 32) (call $hoard)",
        "(func $hoard (result i32)
            (loop $again (br_if $again (i32.ge_s (memory.grow (i32.const 16)) (i32.const 0))))
            unreachable)",
    );
    let result = session(&source, &Policy::default())
        .run_blocking("x")
        .unwrap();
    assert_eq!(
        (result.status, result.limit),
        (Status::LimitReached, Some(Limit::Memory))
    );
    assert!(result.usage.peak_memory <= Policy::default().limits.memory.bytes());
}

#[test]
fn addresses_and_lengths_in_host_calls_are_checked() {
    // Each call answers with an error number, which the guest adds up; a host that trusted it would crash.
    let source = guest(
        "(i32.const 32) (call $lie)",
        r"(func $lie (result i32)
            (drop (call $fd_write (i32.const 1) (i32.const -8) (i32.const 1) (i32.const 0)))
            (drop (call $fd_write (i32.const 1) (i32.const 0) (i32.const -1) (i32.const 0)))
            (i32.store (i32.const 200) (i32.const -1))
            (i32.store (i32.const 204) (i32.const -1))
            (drop (call $fd_write (i32.const 1) (i32.const 200) (i32.const 1) (i32.const 0)))
            (drop (call $fd_write (i32.const -1) (i32.const 200) (i32.const 1) (i32.const 0)))
            (drop (call $random_get (i32.const -1) (i32.const 64)))
            (drop (call $random_get (i32.const 0) (i32.const -1)))
            (drop (call $poll (i32.const -48) (i32.const -1) (i32.const 200) (i32.const -1)))
            (drop (call $poll (i32.const 0) (i32.const 0) (i32.const -1) (i32.const 0)))
            (drop (call $event (i32.const 1) (i32.const -1) (i32.const 16)))
            (drop (call $event (i32.const 1) (i32.const 0) (i32.const -1)))
            (drop (call $event (i32.const 99) (i32.const 0) (i32.const 1)))
            (i32.const 4))",
    );
    let result = session(&source, &Policy::default())
        .run_blocking("x")
        .unwrap();
    assert_eq!(result.status, Status::Ok);
    assert!(result.stdout.bytes.is_empty() && result.displays.is_empty());
}

#[test]
fn a_guest_that_exits_by_itself_is_put_back() {
    let mut session = session(
        &guest(&format!("(call $exit (i32.const 3)) {FINE}"), ""),
        &Policy::default(),
    );
    for _ in 0..3 {
        let result = session.run_blocking("x").unwrap();
        assert_eq!(
            (result.status, result.state),
            (Status::Exited { code: 3 }, StateAfter::RolledBack)
        );
    }
}

#[test]
fn after_a_cell_that_is_undone_the_cells_before_it_still_count() {
    // Counts its calls in memory; the second one exits, and does so again each time it is tried.
    let source = guest(
        "(i32.const 32) (call $count)",
        r"(func $count (result i32)
            (i32.store (i32.const 300) (i32.add (i32.load (i32.const 300)) (i32.const 1)))
            (if (i32.gt_u (i32.load (i32.const 300)) (i32.const 1)) (then (call $exit (i32.const 1))))
            (i32.const 4))",
    );
    let mut session = session(&source, &Policy::default());
    assert_eq!(session.run_blocking("first").unwrap().status, Status::Ok);
    assert_eq!(
        session.run_blocking("second").unwrap().status,
        Status::Exited { code: 1 }
    );
    assert_eq!(
        session.run_blocking("third").unwrap().status,
        Status::Exited { code: 1 }
    );
}

#[test]
fn a_module_that_is_no_guest_is_named() {
    for (source, wanted) in [
        ("(module)".to_owned(), "`memory`"),
        (
            guest(FINE, "").replace("\"sandbox_call\"", "\"other\""),
            "sandbox_call",
        ),
        (
            guest(FINE, "").replace(
                "(result i32) (i32.const 2))",
                "(result i32) (i32.const 99))",
            ),
            "version 99",
        ),
        (
            guest(FINE, "").replace("\"proc_exit\"", "\"launch_missiles\""),
            "launch_missiles",
        ),
    ] {
        let error = try_session(&source, &Policy::default())
            .map(|_| ())
            .unwrap_err()
            .to_string();
        assert!(error.contains(wanted), "{error}");
    }
}

#[test]
fn a_guest_whose_loops_cannot_be_stopped_is_not_used() {
    // Its endless loop ends by itself, so nothing is proven about the watchdog.
    let source = guest(FINE, "").replace("(loop (br 0))", "");
    let error = try_session(&source, &Policy::default())
        .map(|_| ())
        .unwrap_err();
    assert!(matches!(error, Error::Watchdog(_)), "{error}");
}

#[test]
fn a_damaged_artifact_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    write_guest(folder.path(), &guest(FINE, ""));
    let path = folder.path().join("guest.wasm.zst");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x55;
    std::fs::write(&path, &bytes).unwrap();
    let engine = Engine::builder()
        .cache_dir(folder.path().join("cache"))
        .guest(folder.path())
        .build()
        .unwrap();
    let error = engine
        .session(Language::Python, &Policy::default())
        .map(|_| ())
        .unwrap_err();
    assert!(matches!(error, Error::Artifact(_)), "{error}");
}
