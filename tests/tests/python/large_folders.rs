//! Folders of the host with more in them than one call should take to list.

use super::reach;
use sandbox_engine::{Error, Limit, Policy, Size, StateAfter};
use sandbox_tests::{Python, policy};
use std::fs::{self, File};
use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

const ENTRIES: usize = 60_000;

/// Mounts a folder with many entries as `/mnt/many`.
fn with_many(change: impl FnOnce(&mut Policy)) -> Policy {
    static ONCE: OnceLock<()> = OnceLock::new();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("many");
    ONCE.get_or_init(|| {
        fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{error}"));
        for n in 0..ENTRIES {
            // Names that come in no order.
            let name = format!("{:06}", n * 7919 % ENTRIES);
            File::create(folder.join(name)).unwrap_or_else(|error| panic!("{error}"));
        }
    });
    policy(|policy| {
        let mount = format!("{}:/mnt/many", folder.display());
        policy
            .mounts
            .push(mount.parse().unwrap_or_else(|error| panic!("{error}")));
        change(policy);
    })
}

#[test]
fn a_large_folder_is_listed_whole_and_in_order() {
    let mut python = Python::with(&with_many(|_| ()));
    python.ok("import os; names = os.listdir('/mnt/many')");
    assert_eq!(
        python.value("len(names), len(set(names))"),
        "(60000, 60000)"
    );
    assert_eq!(python.value("names == sorted(names)"), "True");
    assert_eq!(
        python.value("all(entry.is_file() for entry in os.scandir('/mnt/many'))"),
        "True"
    );
    let listed = python.session.list("/mnt/many");
    assert_eq!(listed.map_or(0, |list| list.len()), ENTRIES);
}

#[test]
fn listing_ends_at_the_time_limit_and_code_sees_no_part_of_a_listing() {
    let mut python = Python::with(&with_many(|policy| {
        policy.limits.wall = Duration::from_millis(100);
    }));
    let code = "import os; names = ()\nwhile True: names = os.listdir('/mnt/many')";
    let result = reach(&mut python, code, Limit::Wall);
    assert_eq!(result.state, StateAfter::Kept);
    assert_eq!(
        result.error.map(|error| error.name),
        Some("KeyboardInterrupt".to_owned())
    );
    assert!(matches!(python.value("len(names)").as_str(), "0" | "60000"));
    let code =
        "for entry in os.scandir('/mnt/many'): pass\nwhile True: list(os.scandir('/mnt/many'))";
    reach(&mut python, code, Limit::Wall);
    python.ok("1");
}

#[test]
fn a_listing_counts_as_memory() {
    let mut python = Python::with(&with_many(|policy| {
        policy.limits.memory = Size(56 << 20);
    }));
    // The guest has most of it, and the listing needs 7 MB.
    let result = python.run("import os; held = [os.scandir('/mnt/many') for _ in range(3)]\nfor entries in held: next(entries)");
    assert!(!result.is_ok(), "{result:?}");
    let error = python.session.list("/").map(|list| list.len());
    assert!(matches!(error, Ok(n) if n < 10), "{error:?}");
    let mut python = Python::with(&with_many(|policy| {
        policy.limits.memory = Size(48 << 20);
    }));
    // A list of files with their paths is larger, but not so large.
    let list = python.session.list("/mnt/many");
    assert!(list.is_ok(), "{:?}", list.err());
    let none = python.session.list("/mnt/none");
    assert!(matches!(none, Err(Error::File { .. })));
}

#[test]
fn others_have_their_turn_while_a_large_folder_is_listed() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap_or_else(|error| panic!("{error}"));
    let mut lists = Python::with(&with_many(|_| ()));
    let mut answers = Python::new();
    lists.ok("import os");
    // One call to the host, and next to nothing else.
    let first = "entry = next(os.scandir('/mnt/many'))";
    answers.ok("1");
    // Other work of the machine may make an answer late, but not each time.
    let shares = (0..5).map(|_| {
        runtime.block_on(async {
            let begun = Instant::now();
            let listed = async {
                let result = lists.session.run(first).await;
                assert!(result.is_ok_and(|result| result.is_ok()));
                begun.elapsed()
            };
            let asked = async {
                let mut slowest = Duration::ZERO;
                // The first one has to wait from the beginning.
                let mut asked = begun;
                for _ in 0..5 {
                    let result = answers.session.run("1 + 1").await;
                    assert!(result.is_ok_and(|result| result.is_ok()));
                    slowest = slowest.max(asked.elapsed());
                    asked = Instant::now();
                }
                slowest
            };
            let (whole, slowest) = tokio::join!(listed, asked);
            slowest.as_secs_f64() / whole.as_secs_f64()
        })
    });
    let best = shares.fold(f64::INFINITY, f64::min);
    assert!(
        best < 0.5,
        "an answer took {best} of the time that the listing took"
    );
}
