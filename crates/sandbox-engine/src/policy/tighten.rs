//! The stricter of two policies.

use super::check::is_there;
use super::{Limits, Policy, WORKSPACE};

/// Takes the stricter of everything: see [`Policy::tightened_by`].
pub(super) fn tighten(owner: &Policy, other: &Policy) -> Policy {
    let writable_mounts = owner.writable_mounts && other.writable_mounts;
    let mut policy = Policy {
        name: owner.name.clone(),
        description: owner.description.clone(),
        languages: owner
            .languages
            .intersection(&other.languages)
            .copied()
            .collect(),
        workdir: owner.workdir.clone(),
        writable_mounts,
        clock: owner.clock.tightened_by(other.clock),
        randomness: owner.randomness.tightened_by(other.randomness),
        limits: limits(&owner.limits, &other.limits),
        env: owner
            .env
            .iter()
            .filter(|(key, value)| other.env.get(*key) == Some(value))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect(),
        mounts: Vec::new(),
        tools: owner.tools.tightened_by(&other.tools),
    };
    for mount in &owner.mounts {
        let same = other
            .mounts
            .iter()
            .find(|other| other.host == mount.host && other.same_point(mount));
        if let Some(same) = same {
            let mut mount = mount.clone();
            mount.writable &= same.writable && writable_mounts;
            // Where neither says how much, the smaller of the two defaults does.
            if mount.quota.is_some() || same.quota.is_some() {
                let quotas = (
                    mount.quota_under(&owner.limits),
                    same.quota_under(&other.limits),
                );
                mount.quota = Some(quotas.0.min(quotas.1));
            }
            policy.mounts.push(mount);
        }
    }
    if !is_there(&policy, &policy.workdir) {
        WORKSPACE.clone_into(&mut policy.workdir);
    }
    policy
}

fn limits(one: &Limits, other: &Limits) -> Limits {
    // Each field is named, so that a new one is not forgotten.
    Limits {
        wall: one.wall.min(other.wall),
        grace: one.grace.min(other.grace),
        fuel: match (one.fuel, other.fuel) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        },
        memory: one.memory.min(other.memory),
        output: one.output.min(other.output),
        output_total: one.output_total.min(other.output_total),
        workspace: one.workspace.min(other.workspace),
        file_size: one.file_size.min(other.file_size),
        files: one.files.min(other.files),
        descriptors: one.descriptors.min(other.descriptors),
        path_depth: one.path_depth.min(other.path_depth),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Clock, Mount, Randomness, Size, ToolRules, Tools};
    use super::*;
    use crate::language::Language;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};
    use std::time::{Duration, UNIX_EPOCH};

    const TOOLS: [&str; 6] = ["a", "b", "a.b", "b.a", "aa", "c"];

    /// Whether code under `policy` may do nothing that it may not do under `bound`.
    fn grants_no_more(policy: &Policy, bound: &Policy) -> bool {
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
            && mine.output <= most.output
            && mine.output_total <= most.output_total
            && mine.workspace <= most.workspace
            && mine.file_size <= most.file_size
            && mine.files <= most.files
            && mine.descriptors <= most.descriptors
            && mine.path_depth <= most.path_depth
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
        ) -> Limits {
            Limits {
                wall, grace, fuel, memory: Size(memory.0 + (64 << 20)), output, output_total,
                workspace, file_size: file_size.min(workspace), files, descriptors, path_depth,
            }
        }
    }

    fn globs() -> impl Strategy<Value = Vec<super::super::Glob>> {
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
        fn any_policy()(
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

    proptest! {
        #[test]
        fn the_result_never_grants_more_than_either(one in any_policy(), other in any_policy()) {
            let both = one.tightened_by(&other);
            prop_assert!(grants_no_more(&both, &one), "{both:?}");
            prop_assert!(grants_no_more(&both, &other), "{both:?}");
        }

        #[test]
        fn nor_less_than_both_grant(one in any_policy(), other in any_policy()) {
            let both = one.tightened_by(&other);
            for name in TOOLS {
                let wanted = one.tools.permission(name).min(other.tools.permission(name));
                prop_assert_eq!(both.tools.permission(name), wanted);
            }
            prop_assert_eq!(both.limits.wall, one.limits.wall.min(other.limits.wall));
            let kept = one.mounts.iter().filter(|mount| {
                other.mounts.iter().any(|other| (&other.host, &other.guest) == (&mount.host, &mount.guest))
            });
            prop_assert_eq!(both.mounts.len(), kept.count());
        }

        #[test]
        fn it_is_the_same_in_any_order_and_however_often(one in any_policy(), other in any_policy()) {
            let both = one.tightened_by(&other);
            prop_assert_eq!(&one.tightened_by(&one), &one);
            prop_assert_eq!(&both.tightened_by(&other), &both);
            prop_assert!(grants_no_more(&both, &other.tightened_by(&one)));
        }

        #[test]
        fn policies_that_fit_together_do_so_afterwards(one in any_policy(), other in any_policy()) {
            prop_assume!(one.check().is_ok() && other.check().is_ok());
            let both = one.tightened_by(&other);
            prop_assert!(both.check().is_ok(), "{:?}", both.check());
        }

        #[test]
        fn what_a_text_changes_only_tightens(owner in any_policy(), other in any_policy()) {
            prop_assume!(owner.check().is_ok());
            let tightened = owner.tightened_by_toml(&other.to_toml());
            if let Ok(tightened) = tightened {
                prop_assert!(grants_no_more(&tightened, &owner), "{tightened:?}");
            }
        }

        #[test]
        fn a_policy_reads_back_from_its_own_text(policy in any_policy()) {
            prop_assume!(policy.check().is_ok());
            prop_assert_eq!(Policy::from_toml(&policy.to_toml()).unwrap(), policy);
        }
    }

    #[test]
    fn a_text_says_only_what_it_changes() {
        let owner = Policy::named("permissive").unwrap().unwrap();
        let tightened = owner
            .tightened_by_toml(
                "[limits]\nwall = \"2s\"\nmemory = \"3.5GiB\"\n[tools]\ndeny = [\"rm\"]\n",
            )
            .unwrap();
        assert_eq!(tightened.limits.wall, Duration::from_secs(2));
        assert_eq!(tightened.limits.memory, owner.limits.memory);
        assert_eq!(tightened.limits.files, owner.limits.files);
        assert_eq!(tightened.name, owner.name);
    }

    #[test]
    fn a_text_reaches_no_other_policy_and_adds_nothing() {
        let owner = Policy::default();
        for text in [
            "extends = \"permissive\"",
            "extends = \"/etc/passwd\"",
            "limits.wall = \"soon\"",
        ] {
            assert!(owner.tightened_by_toml(text).is_err(), "{text}");
        }
        for text in [
            "[env]\nA = \"1\"",
            "[[mounts]]\nhost = \"/etc\"\nguest = \"/mnt/etc\"\nwritable = true",
            "[tools]\nallow = [\"*\"]",
            "workdir = \"/tmp\"",
            "name = \"root\"",
        ] {
            let tightened = owner.tightened_by_toml(text).unwrap();
            assert_eq!(tightened.env, owner.env, "{text}");
            assert_eq!(tightened.mounts, owner.mounts, "{text}");
            assert_eq!(tightened.workdir, owner.workdir, "{text}");
            assert_eq!(tightened.name, owner.name, "{text}");
            assert!(grants_no_more(&tightened, &owner), "{text}");
        }
    }
}
