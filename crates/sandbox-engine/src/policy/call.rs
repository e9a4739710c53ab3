//! What one call into a session may change of the session's policy: it is tightened, where a session that has begun can
//! still be held to it.

use super::{Policy, check};
use crate::error::{Error, Result};
use crate::language::Language;

/// The policy of one call into a session in `language` that runs under `session`.
///
/// # Errors
/// [`Error::Policy`] where nothing could run, and where something would change that a session has from its beginning.
pub(super) fn for_call(session: &Policy, call: &Policy, language: Language) -> Result<Policy> {
    let policy = session.tightened_by(call);
    check_language(&policy, language)?;
    if let Some(contradiction) = check::contradictions(&policy).into_iter().next() {
        return Err(Error::Policy(contradiction.message));
    }
    for (key, changes, why) in [
        (
            "env",
            policy.env != session.env,
            "the interpreter has read its variables",
        ),
        (
            "clock",
            policy.clock != session.clock,
            "a session's time goes on from call to call",
        ),
        (
            "randomness",
            policy.randomness != session.randomness,
            "what is drawn depends on what was drawn before",
        ),
        (
            "mounts",
            policy.mounts.len() != session.mounts.len(),
            "a mount stays where it is, and can be made read-only for the call",
        ),
        (
            "limits.fuel",
            policy.limits.fuel.is_some() && session.limits.fuel.is_none(),
            "this session's code counts no instructions; begin a session under a policy with fuel",
        ),
    ] {
        if changes {
            return Err(Error::Policy(format!(
                "`{key}` cannot be tightened for one call: {why}"
            )));
        }
    }
    Ok(policy)
}

/// Whether code in a language may run at all.
///
/// # Errors
/// [`Error::Policy`] where not.
pub(super) fn check_language(policy: &Policy, language: Language) -> Result<()> {
    if policy.languages.contains(&language) {
        return Ok(());
    }
    let allowed: Vec<_> = policy.languages.iter().map(|one| one.name()).collect();
    let allowed = if allowed.is_empty() {
        "none".to_owned()
    } else {
        allowed.join(", ")
    };
    Err(Error::Policy(format!(
        "the policy `{}` does not allow {language}; its languages: {allowed}",
        policy.name
    )))
}

#[cfg(test)]
mod tests {
    use super::super::tests::any::{any_policy, grants_no_more};
    use super::super::{Clock, Mount, Randomness, Size};
    use super::*;
    use proptest::prelude::*;
    use std::time::Duration;

    /// A part of the error, and what is asked for.
    type Case = (&'static str, fn(&mut Policy));

    fn call(session: &Policy, call: &Policy) -> Result<Policy> {
        for_call(session, call, Language::Python)
    }

    proptest! {
        #[test]
        fn no_call_gets_more_than_its_session(session in any_policy(), other in any_policy()) {
            prop_assume!(session.check().is_ok());
            // Also one that differs in nothing that stays.
            let mut similar = session.clone();
            similar.limits = other.limits.clone();
            similar.writable_mounts &= other.writable_mounts;
            for asked in [&other, &similar] {
                if let Ok(policy) = call(&session, asked) {
                    prop_assert!(grants_no_more(&policy, &session), "{policy:?}");
                    prop_assert!(policy.check().is_ok());
                    let what_stays = |policy: &Policy| {
                        let points: Vec<_> = policy.mounts.iter().map(|mount| mount.guest.clone()).collect();
                        (policy.env.clone(), policy.clock, policy.randomness, policy.workdir.clone(), points,
                            policy.limits.fuel.is_some())
                    };
                    prop_assert_eq!(what_stays(&policy), what_stays(&session));
                }
            }
        }

        #[test]
        fn a_call_that_asks_for_what_its_session_has_gets_it(session in any_policy()) {
            prop_assume!(session.check().is_ok());
            prop_assert_eq!(call(&session, &session).unwrap(), session);
        }
    }

    #[test]
    fn what_a_session_has_from_its_beginning_is_refused_by_name() {
        let mut session = Policy::default();
        session.env.insert("A".to_owned(), "1".to_owned());
        session.mounts.push(Mount {
            host: "/srv".into(),
            guest: "/mnt/in".to_owned(),
            writable: true,
            quota: None,
        });
        let cases: [Case; 5] = [
            ("env", |policy| policy.env.clear()),
            ("clock", |policy| {
                policy.clock = Clock::Coarse { step: Clock::STEP };
            }),
            ("randomness", |policy| {
                policy.randomness = Randomness::Seeded { seed: 1 };
            }),
            ("mounts", |policy| policy.mounts.clear()),
            ("limits.fuel", |policy| policy.limits.fuel = Some(1000)),
        ];
        for (key, change) in cases {
            let mut asked = session.clone();
            change(&mut asked);
            let error = call(&session, &asked).unwrap_err();
            assert!(matches!(error, Error::Policy(_)), "{error}");
            assert!(error.to_string().contains(&format!("`{key}`")), "{error}");
        }
    }

    #[test]
    fn what_asks_for_more_has_no_effect() {
        let mut session = Policy::default();
        session.limits.fuel = Some(1000);
        let mut asked = session.clone();
        asked.limits = Policy::named("permissive").unwrap().unwrap().limits;
        asked.env.insert("A".to_owned(), "1".to_owned());
        asked.workdir = "/tmp".to_owned();
        assert_eq!(call(&session, &asked).unwrap(), session);
    }

    #[test]
    fn nothing_runs_where_nothing_could() {
        let session = Policy::default();
        let cases: [Case; 4] = [
            ("limits.wall", |policy| policy.limits.wall = Duration::ZERO),
            ("limits.memory", |policy| policy.limits.memory = Size(1)),
            ("limits.descriptors", |policy| policy.limits.descriptors = 1),
            ("does not allow python", |policy| policy.languages.clear()),
        ];
        for (part, change) in cases {
            let mut asked = session.clone();
            change(&mut asked);
            let error = call(&session, &asked).unwrap_err();
            assert!(error.to_string().contains(part), "{error}");
        }
    }

    #[test]
    fn a_smaller_workspace_has_smaller_files() {
        let session = Policy::default();
        let asked = session
            .tightened_by_toml("limits.workspace = \"1MiB\"")
            .unwrap();
        assert_eq!(
            call(&session, &asked).unwrap().limits.file_size,
            Size(1 << 20)
        );
    }
}
