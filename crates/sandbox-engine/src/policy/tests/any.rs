//! Policies made at random, and how two compare.

use crate::language::Language;
use crate::policy::{
    Clock, Glob, Limits, Mount, Policy, Randomness, Size, ToolRules, Tools, WORKSPACE,
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, UNIX_EPOCH};

/// Names that the patterns match or not.
pub(in crate::policy) const TOOLS: [&str; 6] = ["a", "b", "a.b", "b.a", "aa", "c"];

/// Whether code under `policy` may do nothing that it may not do under `bound`.
pub(in crate::policy) fn grants_no_more(policy: &Policy, bound: &Policy) -> bool {
    let (mine, most) = (&policy.limits, &bound.limits);
    let step = |clock: &Clock| match clock {
        Clock::Real => Duration::ZERO,
        Clock::Coarse { step } => *step,
        Clock::Frozen { .. } => Duration::MAX,
    };
    mine.wall <= most.wall
        && mine.grace <= most.grace
        && mine.fuel.unwrap_or(u64::MAX) <= most.fuel.unwrap_or(u64::MAX)
        && mine.memory <= most.memory
        && mine.stack <= most.stack
        && mine.output <= most.output
        && mine.output_total <= most.output_total
        && mine.workspace <= most.workspace
        && mine.file_size <= most.file_size
        && mine.files <= most.files
        && mine.descriptors <= most.descriptors
        && mine.path_depth <= most.path_depth
        && mine.host_calls <= most.host_calls
        && policy.languages.is_subset(&bound.languages)
        && policy.writable_mounts <= bound.writable_mounts
        && step(&policy.clock) >= step(&bound.clock)
        && (policy.randomness != Randomness::Fresh || bound.randomness == Randomness::Fresh)
        && policy
            .env
            .iter()
            .all(|(key, value)| bound.env.get(key) == Some(value))
        && policy.mounts.iter().all(|mount| {
            bound.mounts.iter().any(|most| {
                most.host == mount.host
                    && most.guest == mount.guest
                    && mount.writable <= (most.writable && bound.writable_mounts)
                    && mount.quota_under(&policy.limits) <= most.quota_under(&bound.limits)
            })
        })
        && TOOLS
            .iter()
            .all(|name| policy.tools.permission(name) <= bound.tools.permission(name))
}

fn size() -> impl Strategy<Value = Size> {
    (0..4_u64).prop_map(|steps| Size(steps << 26))
}

fn time() -> impl Strategy<Value = Duration> {
    (1..5_u64).prop_map(Duration::from_millis)
}

prop_compose! {
    fn any_limits()(
        (wall, grace) in (time(), time()),
        fuel in proptest::option::of(1..4_u64),
        (memory, output, output_total) in (size(), size(), size()),
        (workspace, file_size) in (size(), size()),
        (files, descriptors, path_depth) in (0..4_u64, 8..12_u32, 0..4_u32),
        (host_calls, stack) in (0..4_u64, 2..5_u64),
    ) -> Limits {
        Limits {
            wall, grace, fuel, memory: Size(memory.0 + (64 << 20)), output, output_total,
            workspace, file_size: file_size.min(workspace), files, descriptors, path_depth, host_calls, stack: Size(stack << 18),
        }
    }
}

fn globs() -> impl Strategy<Value = Vec<Glob>> {
    let patterns = ["*", "a*", "*b", "a", "?", "?.*"];
    proptest::sample::subsequence(patterns.to_vec(), 0..3)
        .prop_map(|list| list.iter().map(|text| text.parse().unwrap()).collect())
}

fn rules() -> impl Strategy<Value = ToolRules> {
    (globs(), globs(), globs()).prop_map(|(allow, confirm, deny)| ToolRules {
        allow,
        confirm,
        deny,
    })
}

fn tools() -> impl Strategy<Value = Tools> {
    (rules(), proptest::collection::vec(rules(), 0..2)).prop_map(|(own, within)| Tools {
        allow: own.allow,
        confirm: own.confirm,
        deny: own.deny,
        within,
    })
}

fn any_clock() -> impl Strategy<Value = Clock> {
    prop_oneof![
        Just(Clock::Real),
        (1..5_u64).prop_map(|ms| Clock::Coarse {
            step: Duration::from_millis(ms)
        }),
        (0..5_u64).prop_map(|s| Clock::Frozen {
            at: UNIX_EPOCH + Duration::from_secs(s)
        }),
    ]
}

fn randomness() -> impl Strategy<Value = Randomness> {
    prop_oneof![
        Just(Randomness::Fresh),
        (0..3_u64).prop_map(|seed| Randomness::Seeded { seed }),
    ]
}

/// Mounts at three places, and the folder to start in.
fn mounts() -> impl Strategy<Value = (Vec<Mount>, String)> {
    let mount = |guest: &'static str| {
        let facts = (
            "[xy]",
            any::<bool>(),
            proptest::option::of(size()),
            any::<bool>(),
        );
        facts.prop_map(move |(host, writable, quota, there)| {
            there.then(|| Mount {
                host: format!("/{host}").into(),
                guest: guest.to_owned(),
                writable,
                quota,
            })
        })
    };
    let list = (mount("/mnt/1"), mount("/mnt/2"), mount("/3"));
    (list, any::<prop::sample::Index>()).prop_map(|((one, two, three), index)| {
        let mounts: Vec<_> = [one, two, three].into_iter().flatten().collect();
        let folders: Vec<_> = mounts.iter().map(|mount| mount.guest.clone()).collect();
        let folder = folders.get(index.index(4)).cloned();
        (mounts, folder.unwrap_or_else(|| WORKSPACE.to_owned()))
    })
}

prop_compose! {
    pub(in crate::policy) fn any_policy()(
        limits in any_limits(),
        no_language in proptest::bool::weighted(0.1),
        writable_mounts in any::<bool>(),
        clock in any_clock(),
        randomness in randomness(),
        env in proptest::collection::btree_map("[AB]", "[xy]", 0..3),
        (mounts, workdir) in mounts(),
        tools in tools(),
    ) -> Policy {
        let mut mounts = mounts;
        for mount in &mut mounts {
            mount.writable &= writable_mounts;
        }
        let languages = if no_language { BTreeSet::new() } else { Language::ALL.iter().copied().collect() };
        let env: BTreeMap<String, String> = env;
        Policy {
            languages, workdir, writable_mounts, clock, randomness, limits, env, mounts, tools,
            ..Policy::default()
        }
    }
}
