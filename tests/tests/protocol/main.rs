//! Guests that break the rules: the host believes nothing that it has not checked, and the session goes on.

#![allow(clippy::expect_used, reason = "a helper that fails fails its test")]

use sandbox_engine::{
    Engine, Error, ExecutionResult, Language, Limit, Manifest, Policy, Session, Size, StateAfter,
    Status,
};
use sandbox_tests::hostile::write_guest;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const HOSTILE: &str = include_str!("hostile.wat");

/// An engine whose Python is a guest made from text, and the folder that it lies in.
struct Hostile {
    engine: Engine,
    _folder: TempDir,
}

impl Hostile {
    fn new(wat: &str) -> Self {
        Self::with_manifest(wat, |_| ()).expect("the guest can be read")
    }

    fn with_manifest(wat: &str, change: impl FnOnce(&mut Manifest)) -> Result<Self, Error> {
        let folder = tempfile::tempdir().expect("a folder");
        let guest = folder.path().join("guest");
        write_guest(&guest, wat, change).expect("the guest is well-formed");
        let engine = Engine::builder()
            .cache_dir(folder.path().join("cache"))
            .guest(guest)
            .build()?;
        Ok(Self {
            engine,
            _folder: folder,
        })
    }

    fn session(&self) -> Result<Session, Error> {
        let mut policy = Policy::default();
        policy.limits.wall = Duration::from_millis(200);
        policy.limits.memory = Size(64 << 20);
        self.engine.session(Language::Python, &policy)
    }
}

/// Has a hostile guest do one thing, then lets it behave.
fn misbehave(how: &str) -> Result<ExecutionResult, Error> {
    let hostile = Hostile::new(HOSTILE);
    let mut session = hostile.session().expect("the guest starts");
    let begun = Instant::now();
    let result = session.run_blocking(how);
    assert!(
        begun.elapsed() < Duration::from_secs(5),
        "{how} was not stopped"
    );
    let after = session.run_blocking("k").expect("the session goes on");
    assert_eq!(after.status, Status::Ok, "after {how}");
    result
}

#[test]
fn a_guest_that_behaves_is_served() {
    let result = misbehave("k").expect("an answer");
    assert_eq!(
        (result.status, result.state),
        (Status::Ok, StateAfter::Kept)
    );
}

#[test]
fn replies_that_make_no_sense_are_crashes_and_undone() {
    for how in ["o", "h", "g", "t", "s", "u", "e", "z", "x"] {
        let result = misbehave(how).expect("an answer");
        assert_eq!(
            (result.status, result.state),
            (Status::Crashed, StateAfter::RolledBack),
            "{how}"
        );
        assert!(result.error.is_some(), "{how}");
    }
}

#[test]
fn an_answer_to_another_question_is_an_error() {
    assert!(matches!(misbehave("w"), Err(Error::Protocol(_))));
}

#[test]
fn a_forged_list_costs_no_more_than_an_honest_one() {
    let hostile = Hostile::new(HOSTILE);
    let mut session = hostile.session().expect("the guest starts");
    for _ in 0..2 {
        let begun = Instant::now();
        let (_, candidates) = session.complete_blocking("k", 1).expect("an answer");
        assert!(begun.elapsed() < Duration::from_secs(5));
        // Thirty million were announced, and are there.
        assert!(candidates.capacity() < 10_000, "{}", candidates.capacity());
    }
    assert!(session.run_blocking("k").expect("an answer").is_ok());
}

#[test]
fn limits_hold_for_a_guest_that_ignores_interrupts() {
    for (how, limit) in [
        ("l", Limit::Wall),
        ("d", Limit::Wall),
        ("r", Limit::Stack),
        ("m", Limit::Memory),
    ] {
        let result = misbehave(how).expect("an answer");
        assert_eq!(
            (result.status, result.state, result.limit),
            (Status::LimitReached, StateAfter::RolledBack, Some(limit)),
            "{how}"
        );
        assert!(result.usage.peak_memory <= 64 << 20, "{how}");
    }
}

#[test]
fn an_exit_is_no_crash() {
    let result = misbehave("p").expect("an answer");
    assert_eq!(
        (result.status, result.state),
        (Status::Exited { code: 7 }, StateAfter::RolledBack)
    );
}

#[test]
fn events_and_system_calls_outside_of_memory_are_refused() {
    for how in ["v", "f"] {
        let result = misbehave(how).expect("an answer");
        assert_eq!(result.status, Status::Ok, "{how}");
        assert!(
            result.displays.is_empty() && result.stdout.bytes.is_empty(),
            "{how}"
        );
    }
}

#[test]
fn a_request_buffer_outside_of_memory_is_a_crash() {
    let hostile = Hostile::new(HOSTILE);
    let mut session = hostile.session().expect("the guest starts");
    session.run_blocking("b").expect("an answer");
    // Small requests may go into the buffer that was asked for before.
    let large = "k".repeat(10_000);
    for _ in 0..2 {
        let result = session.run_blocking(&large).expect("an answer");
        assert_eq!(
            (result.status, result.state),
            (Status::Crashed, StateAfter::RolledBack)
        );
    }
    session.reset().expect("a fresh start");
    assert!(session.run_blocking("k").expect("an answer").is_ok());
}

#[test]
fn guests_that_cannot_be_used_are_refused() {
    let refused = |wat: &str| Hostile::new(wat).session().err();
    let without = |part: &str| HOSTILE.replace(part, "sandbox_other");
    for export in [
        "sandbox_abi",
        "sandbox_buffer",
        "sandbox_call",
        "sandbox_interrupt",
    ] {
        assert!(
            matches!(refused(&without(export)), Some(Error::Artifact(_))),
            "without {export}"
        );
    }
    let other_version = HOSTILE.replace(
        "\"sandbox_abi\") (result i32) (i32.const 2)",
        "\"sandbox_abi\") (result i32) (i32.const 1)",
    );
    assert!(matches!(refused(&other_version), Some(Error::Artifact(_))));
    let greedy = HOSTILE.replace("\"environ_get\"", "\"no_such_function\"");
    assert!(matches!(refused(&greedy), Some(Error::Artifact(_))));
    let started = |change: fn(&mut Manifest)| {
        Hostile::with_manifest(HOSTILE, change).and_then(|hostile| hostile.session().map(drop))
    };
    assert!(started(|_| ()).is_ok());
    assert!(started(|manifest| manifest.abi = 99).is_err());
    assert!(started(|manifest| manifest.digest = "00".repeat(32)).is_err());
    assert!(started(|manifest| manifest.wasm_size = 5).is_err());
    assert!(started(|manifest| manifest.wasm_size = u64::MAX).is_err());
}

#[test]
fn a_guest_that_cannot_be_stopped_is_not_started() {
    // Its endless loop ends, so it proves nothing.
    let wat = HOSTILE.replace("\"sandbox_spin\") (loop (br 0))", "\"sandbox_spin\")");
    assert_ne!(wat, HOSTILE);
    assert!(matches!(
        Hostile::new(&wat).session(),
        Err(Error::Watchdog(_))
    ));
}
