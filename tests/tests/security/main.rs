//! The attack suite: what code tries to get out or to use up more than it was given, and that none of it works.
//!
//! The attacks are data, in `attacks/*.toml`. Each runs in a session of its own with two mounted folders, and the judge
//! then looks for secrets in everything that came out, for changes on the host, for memory and time beyond the limits,
//! and whether this session and another one go on. `SANDBOX_ATTACKS=links` runs only those whose id begins so.
#![cfg(unix)]

mod arena;
mod attack;
mod judge;
mod noticed;
mod threats;
mod watch;

use attack::Attack;
use judge::Judge;
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use watch::Watch;

/// Attacks at once. They share memory and processors, so there are few.
const JUDGES: usize = 3;
/// By how much this process may grow while attacks run. Each may have its memory limit of 80 MiB, and the host may hold a
/// copy of that to come back to.
const GROWTH: u64 = JUDGES as u64 * (160 << 20);
/// By how much it may have grown when all is over: by compiled code that was used for the first time, mostly.
const KEPT: u64 = 160 << 20;

#[test]
fn no_attack_obtains_what_it_must_not() {
    let _alone = alone();
    arena::plant_in_environment();
    let wanted = std::env::var("SANDBOX_ATTACKS").unwrap_or_default();
    let attacks: Vec<Attack> = attack::all()
        .into_iter()
        .filter(|attack| attack.id.starts_with(&wanted))
        .collect();
    let judges: Vec<Judge> = (0..JUDGES).map(|_| Judge::new()).collect();
    let (before, open_before) = (watch::resident(), watch::descriptors());
    let watch = Watch::start(JUDGES);
    let next = AtomicUsize::new(0);
    let problems = Mutex::new(Vec::new());
    let times = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for (number, mut judge) in judges.into_iter().enumerate() {
            let (attacks, next, problems, times, watch) =
                (&attacks, &next, &problems, &times, &watch);
            scope.spawn(move || {
                while let Some(attack) = attacks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    watch.peak(number);
                    let begun = Instant::now();
                    let mut found = judge.try_out(attack);
                    let grown = watch.peak(number).saturating_sub(before);
                    if grown > GROWTH {
                        found.push(format!("the process grew by {} MiB meanwhile", grown >> 20));
                    }
                    lock(times).push((begun.elapsed(), grown, attack.id.clone()));
                    if !found.is_empty() {
                        lock(problems).push((attack, found));
                    }
                }
                let damage = judge.damage();
                assert!(damage.is_empty(), "{damage:?}");
            });
        }
    });
    report(&mut lock(&times));
    let problems = lock(&problems);
    let text: String = problems
        .iter()
        .map(|(attack, found)| tell(attack, found))
        .collect();
    assert!(problems.is_empty(), "{} attacks:\n{text}", problems.len());
    drop(watch);
    let kept = watch::resident().saturating_sub(before);
    println!("{} MiB more are in use than before", kept >> 20);
    assert!(kept < KEPT, "{} MiB were not given back", kept >> 20);
    assert!(
        watch::descriptors() <= open_before,
        "descriptors of the host were left open"
    );
}

/// The memory of this process is looked at, so whoever runs sessions does it alone.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    lock(&ALONE)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn tell(attack: &Attack, found: &[String]) -> String {
    format!(
        "\n{}: {}\n  must not: {}\n  - {}\n",
        attack.id,
        attack.tries,
        attack.must_not,
        found.join("\n  - ")
    )
}

/// The slowest and the largest, with `--nocapture`.
fn report(times: &mut [(Duration, u64, String)]) {
    times.sort();
    let largest = times.iter().map(|(_, grown, _)| grown >> 20).max();
    println!(
        "{} attacks, the process grew by {} MiB at most; the slowest:",
        times.len(),
        largest.unwrap_or(0)
    );
    for (time, _, id) in times.iter().rev().take(10) {
        println!("  {time:?} {id}");
    }
}

#[test]
fn attacks_are_many_and_all_different() {
    let attacks = attack::all();
    assert!(attacks.len() >= 150, "{} attacks", attacks.len());
    let mut ids = HashSet::new();
    let mut codes = HashSet::new();
    for attack in &attacks {
        assert!(ids.insert(&attack.id), "{} is there twice", attack.id);
        assert!(
            codes.insert((attack.first.trim(), attack.code.trim())),
            "{} is a copy",
            attack.id
        );
        assert!(!attack.ends.is_empty(), "{} may not end at all", attack.id);
        assert!(!attack.threats.is_empty(), "{} is no threat", attack.id);
        assert!(
            attack.tries.ends_with('.') && attack.must_not.ends_with('.'),
            "{} is described in sentences",
            attack.id
        );
    }
}
