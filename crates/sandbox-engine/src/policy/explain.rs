//! A policy in plain sentences.

use super::{Clock, Glob, Permission, Policy, Randomness, SCRATCH, Tools, WORKSPACE};
use serde::Serialize;
use std::fmt;
use std::time::Duration;

/// What a policy means, in plain sentences. Prints as a text of three lists.
///
/// ```
/// use sandbox_engine::Policy;
/// let explanation = Policy::default().explain();
/// assert!(explanation.to_string().contains("for up to 30s"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Explanation {
    /// The policy's name.
    pub name: String,
    /// The policy's own description.
    pub description: String,
    /// What code can do.
    pub can: Vec<String>,
    /// What code cannot do.
    pub cannot: Vec<String>,
    /// What hostile code could still cost the host.
    pub costs: Vec<String>,
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Policy `{}`", self.name)?;
        if !self.description.is_empty() {
            write!(f, ": {}", self.description)?;
        }
        for (title, sentences) in [
            ("Code under this policy can", &self.can),
            ("It cannot", &self.cannot),
            ("What an attacker could still cost the host", &self.costs),
        ] {
            write!(f, "\n\n{title}:")?;
            for sentence in sentences {
                write!(f, "\n- {sentence}")?;
            }
        }
        writeln!(f)
    }
}

pub(super) fn explain(policy: &Policy) -> Explanation {
    Explanation {
        name: policy.name.clone(),
        description: policy.description.clone(),
        can: can(policy),
        cannot: cannot(policy),
        costs: costs(policy),
    }
}

fn can(policy: &Policy) -> Vec<String> {
    let limits = &policy.limits;
    let languages = listed(policy.languages.iter().map(|language| language.name()));
    let mut can = vec![format!(
        "run {languages} for up to {} at a time. Then it is interrupted as by Ctrl-C, and if it goes on for {} more, it \
         is stopped and what it did is undone.",
        text(limits.wall),
        text(limits.grace),
    )];
    if let Some(fuel) = limits.fuel {
        can.push(format!(
            "use {fuel} units of fuel for each run, about one for each WebAssembly instruction. Then it is stopped, at \
             the same instruction each time."
        ));
    }
    can.push(format!(
        "use {} of memory, its files included, and {} of stack for calls inside calls.",
        limits.memory, limits.stack
    ));
    can.push(format!(
        "keep files of its own in {WORKSPACE} and {SCRATCH}: {} in all, {} in one, {} files and folders, {} folders \
         deep, {} of them open at once. They are gone with the session.",
        limits.workspace, limits.file_size, limits.files, limits.path_depth, limits.descriptors
    ));
    for mount in &policy.mounts {
        let (host, guest) = (mount.host.display(), &mount.guest);
        can.push(if mount.writable {
            format!(
                "read, change and delete everything below {host} on this machine, which it sees as {guest}, and add {} \
                 and {} files and folders to it.",
                mount.quota_under(limits),
                limits.files
            )
        } else {
            format!("read everything below {host} on this machine, which it sees as {guest}.")
        });
    }
    if !policy.env.is_empty() {
        can.push(format!(
            "read these environment variables: {}.",
            listed(policy.env.keys().map(String::as_str))
        ));
    }
    can.push(format!(
        "write output, of which {} of each stream are kept. After {} in all it is interrupted, and stopped where it goes \
         on writing.",
        limits.output, limits.output_total
    ));
    can.push(format!(
        "call its host {} times in each run, for files, output, time and randomness. Then it is interrupted, and stopped \
         where it goes on.",
        limits.host_calls
    ));
    can.push(match policy.clock {
        Clock::Real => "tell the real time to the nanosecond.".to_owned(),
        Clock::Coarse { step } => format!("tell the real time, in steps of {}.", text(step)),
        Clock::Frozen { .. } => format!(
            "ask for the time, and is always told the same: it is {}.",
            policy.clock
        ),
    });
    can.push(match policy.randomness {
        Randomness::Fresh => "draw random numbers that nobody can guess.".to_owned(),
        Randomness::Seeded { seed } => {
            format!("draw random numbers, the same each time: they come from the seed {seed}.")
        }
    });
    can.extend(callable(&policy.tools));
    can
}

/// The tools that may be called, where there are any.
fn callable(tools: &Tools) -> Option<String> {
    let mut parts = Vec::new();
    if !tools.allow.is_empty() {
        parts.push(format!("call {}", named(&tools.allow)));
    }
    if !tools.confirm.is_empty() {
        parts.push(format!(
            "call {} where somebody confirms the call",
            named(&tools.confirm)
        ));
    }
    if parts.is_empty() {
        return None;
    }
    let mut sentence = vec![parts.join(", and ")];
    if !tools.deny.is_empty() {
        sentence.push(format!(", but never {}", named(&tools.deny)));
    }
    for rules in &tools.within {
        sentence.push(format!(
            "; as far as these rules permit it, too: allow {}, confirm {}, deny {}",
            named(&rules.allow),
            named(&rules.confirm),
            named(&rules.deny)
        ));
    }
    sentence.push(".".to_owned());
    Some(sentence.concat())
}

/// The tools that patterns stand for.
fn named(globs: &[Glob]) -> String {
    if globs.is_empty() {
        return "no tool".to_owned();
    }
    if globs.iter().any(|glob| glob.as_str() == "*") {
        return "every tool of the host".to_owned();
    }
    let globs: Vec<_> = globs.iter().map(|glob| format!("`{glob}`")).collect();
    let tools = if globs.len() == 1 { "tool" } else { "tools" };
    format!("the {tools} {}", listed(globs.iter().map(String::as_str)))
}

fn cannot(policy: &Policy) -> Vec<String> {
    let mut cannot = vec![
        if policy.mounts.is_empty() {
            "see or change a file of this machine.".to_owned()
        } else if policy.mounts.iter().any(|mount| mount.writable) {
            "see or change a file of this machine that is not named above.".to_owned()
        } else {
            "change a file of this machine, or see one that is not named above.".to_owned()
        },
        "reach a network, start a program, a process or a thread, or load native code.".to_owned(),
    ];
    cannot.push(if policy.env.is_empty() {
        "see environment variables: there are none.".to_owned()
    } else {
        "see environment variables of this machine that are not named above.".to_owned()
    });
    if matches!(policy.clock, Clock::Frozen { .. }) {
        cannot.push(
            "measure time, or wait until a clock has reached something: that ends at the time limit."
                .to_owned(),
        );
    }
    let tools = &policy.tools;
    if tools.allow.is_empty() && tools.confirm.is_empty() {
        cannot.push("call a tool of the host.".to_owned());
    } else if tools.permission(UNHEARD_OF) == Permission::Denied {
        cannot.push("call a tool of the host that is not named above.".to_owned());
    }
    cannot.push(
        "outlive its session, or leave anything behind in it where it had to be stopped for good."
            .to_owned(),
    );
    cannot
}

/// The name of no tool.
const UNHEARD_OF: &str = "\u{1}";

fn costs(policy: &Policy) -> Vec<String> {
    let limits = &policy.limits;
    let mut costs = vec![
        format!(
            "Processor time: one core for {} in each run, and a moment more where it has to be undone. Nothing here \
             limits how often it is run.",
            text(limits.wall + limits.grace)
        ),
        format!(
            "Memory: {} for each session while it lives, and as much again for the state to go back to. A run's result \
             holds up to {} of output of each stream.",
            limits.memory, limits.output
        ),
    ];
    let writable = policy.mounts.iter().filter(|mount| mount.writable);
    let writable: Vec<_> = writable
        .map(|mount| format!("{} in {}", mount.quota_under(limits), mount.host.display()))
        .collect();
    costs.push(if writable.is_empty() {
        "Disk space: none.".to_owned()
    } else {
        format!(
            "Disk space: for each session {}, {} in one file, {} files and folders in each; and the holes of files that \
             are there. What it deletes or changes there is not undone.",
            listed(writable.iter().map(String::as_str)),
            limits.file_size,
            limits.files
        )
    });
    if !policy.mounts.is_empty() || !policy.env.is_empty() {
        costs.push(
            "Secrets: whatever it may read, it can tell everybody who sees its output.".to_owned(),
        );
    }
    costs.push(match policy.clock {
        Clock::Real => {
            "Side channels: with a clock this precise it may learn something of others on the same processor. A coarse \
             clock makes that harder."
                .to_owned()
        }
        Clock::Coarse { .. } => {
            "Side channels: its clock is too coarse for most, but how long its runs take can still be measured from \
             outside."
                .to_owned()
        }
        Clock::Frozen { .. } => {
            "Side channels: it has no clock, but how long its runs take can still be measured from outside.".to_owned()
        }
    });
    if matches!(policy.randomness, Randomness::Seeded { .. }) {
        costs.push(
            "Keys and tokens made here are none: whoever knows the seed knows them.".to_owned(),
        );
    }
    if !policy.tools.allow.is_empty() {
        costs.push(
            "Tools: whatever the allowed ones do, as often as it likes within its time.".to_owned(),
        );
    }
    costs.push(
        "Trust: its output is its own words. A terminal, a person or a model that reads it should not take them for \
         instructions."
            .to_owned(),
    );
    costs.push(
        "Everything, if it finds a hole in wasmtime, in this engine or in the processor: there is no second wall."
            .to_owned(),
    );
    costs
}

fn text(duration: Duration) -> String {
    humantime::format_duration(duration).to_string()
}

/// Names for a sentence: `a, b and c`.
fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        Some((last, _)) => (*last).to_owned(),
        None => "nothing".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explained(toml: &str) -> String {
        Policy::from_toml(toml).unwrap().explain().to_string()
    }

    #[test]
    fn every_limit_is_told() {
        let text = explained(
            "[limits]\nwall = \"31s\"\ngrace = \"32ms\"\nfuel = 33\nmemory = \"134MiB\"\nstack = \"143KiB\"\noutput = \"35KiB\"\n\
             output_total = \"36MiB\"\nworkspace = \"37MiB\"\nfile_size = \"18MiB\"\nfiles = 39\ndescriptors = 40\n\
             path_depth = 41\nhost_calls = 42\n",
        );
        for value in [
            "31s",
            "32ms",
            "33 units",
            "134MiB",
            "143KiB",
            "35KiB",
            "36MiB",
            "37MiB",
            "18MiB",
            "39 files",
            "40 of them",
            "41 folders",
            "42 times",
        ] {
            assert!(text.contains(value), "{value}: {text}");
        }
    }

    #[test]
    fn what_is_granted_is_named_and_values_of_variables_are_not() {
        let text = explained(
            "clock = \"coarse\"\nrandomness = { seed = 5 }\nenv = { TOKEN = \"hunter2\" }\n\
             [[mounts]]\nhost = \"/srv/in\"\nguest = \"/mnt/in\"\n\
             [[mounts]]\nhost = \"/srv/out\"\nguest = \"/mnt/out\"\nwritable = true\n\
             [[mounts]]\nhost = \"/srv/more\"\nguest = \"/mnt/more\"\nwritable = true\nquota = \"1GiB\"\n\
             [tools]\nallow = [\"files.*\"]\nconfirm = [\"pay\", \"sign\"]\ndeny = [\"files.rm\"]\n",
        );
        for part in [
            "read everything below /srv/in",
            "delete everything below /srv/out",
            "sees as /mnt/out, and add 64MiB and 4096 files",
            "for each session 64MiB in /srv/out and 1GiB in /srv/more, 32MiB in one file",
            "TOKEN",
            "steps of 100ms",
            "the seed 5",
            "call the tool `files.*`, and call the tools `pay` and `sign` where somebody confirms the call, but never the \
             tool `files.rm`",
            "whatever it may read",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("hunter2"), "{text}");
    }

    #[test]
    fn tools_are_told_as_rules_permit_them() {
        for (tools, told) in [
            ("", "call a tool of the host."),
            ("allow = [\"*\"]", "call every tool of the host."),
            (
                "confirm = [\"*\"]",
                "call every tool of the host where somebody confirms the call.",
            ),
            (
                "allow = [\"a\"]",
                "call a tool of the host that is not named above.",
            ),
            (
                "allow = [\"*\"]\n[[tools.within]]\nallow = [\"a\"]",
                "; as far as these rules permit it, too: allow the tool `a`, confirm no tool, deny no tool.",
            ),
        ] {
            let text = explained(&format!("[tools]\n{tools}"));
            assert!(text.contains(told), "{tools}: {text}");
        }
    }

    #[test]
    fn every_sentence_of_every_preset_ends() {
        for name in Policy::preset_names() {
            let explanation = Policy::named(name).unwrap().unwrap().explain();
            for sentences in [&explanation.can, &explanation.cannot, &explanation.costs] {
                assert!(sentences.len() > 3, "{name}");
                assert!(
                    sentences.iter().all(|sentence| sentence.ends_with('.')),
                    "{name}"
                );
            }
        }
    }
}
