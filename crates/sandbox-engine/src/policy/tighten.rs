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
    let workspace = one.workspace.min(other.workspace);
    // Each field is named, so that a new one is not forgotten.
    Limits {
        wall: one.wall.min(other.wall),
        grace: one.grace.min(other.grace),
        fuel: match (one.fuel, other.fuel) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        },
        memory: one.memory.min(other.memory),
        stack: one.stack.min(other.stack),
        output: one.output.min(other.output),
        output_total: one.output_total.min(other.output_total),
        workspace,
        // A smaller workspace has smaller files, too, also where only the one was named.
        file_size: one.file_size.min(other.file_size).min(workspace),
        files: one.files.min(other.files),
        descriptors: one.descriptors.min(other.descriptors),
        path_depth: one.path_depth.min(other.path_depth),
        host_calls: one.host_calls.min(other.host_calls),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::any::{TOOLS, any_policy, grants_no_more};
    use super::*;
    use proptest::prelude::*;
    use std::time::Duration;

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
