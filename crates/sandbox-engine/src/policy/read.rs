//! What each key of a policy file means, and how a file changes the policy that it extends.
//!
//! A key replaces what the base says, with three exceptions that add to it: `env` by variable, `mounts` by mount point,
//! and `tools.deny` with `tools.within`, which nothing takes back.

use super::chance::{Clock, Randomness};
use super::mistake::{Mistake, Places, Source};
use super::mount::Mount;
use super::section::{A_TEXT, Item, Known, Reader, Section, whole_number, whole_number_to};
use super::tools::{Glob, ToolRules};
use super::values::{A_DURATION, MAX_INTEGER, Size, duration_with_unit};
use super::{Limits, Policy};
use crate::language::Language;
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::time::SystemTime;
use toml::de::{DeTable, DeValue};

/// Reads a file's table into `policy`, which holds what the file extends. `folder` is the file's own, `None` for a text
/// without a file. Mistakes go to `source`. Returns the keys that there are.
pub(super) fn apply<'t>(
    table: DeTable<'t>,
    policy: &mut Policy,
    folder: Option<&Path>,
    source: &mut Source<'t>,
    places: &mut Places,
) -> Known {
    let mut reader = Reader::new(source, places);
    let mut top = Section::new(&mut reader, "", table);
    // The caller has read it: it says what `policy` was before.
    top.take("extends");
    top.text("name", &mut policy.name);
    top.text("description", &mut policy.description);
    languages(&mut top, policy);
    top.text("workdir", &mut policy.workdir);
    top.boolean("writable_mounts", &mut policy.writable_mounts);
    clock(&mut top, &mut policy.clock);
    randomness(&mut top, &mut policy.randomness);
    limits(&mut top.table("limits"), &mut policy.limits);
    environment(top.table("env"), policy);
    mounts(&mut top, policy, folder);
    tools(&mut top.table("tools"), policy);
    drop(top);
    reader.finish()
}

fn limits(section: &mut Section<'_, '_, '_>, limits: &mut Limits) {
    section.duration("wall", &mut limits.wall);
    section.duration("grace", &mut limits.grace);
    let mut fuel = limits.fuel.unwrap_or_default();
    if section.count("fuel", MAX_INTEGER, &mut fuel) {
        limits.fuel = Some(fuel);
    }
    section.size("memory", &mut limits.memory);
    section.size("stack", &mut limits.stack);
    section.size("output", &mut limits.output);
    section.size("output_total", &mut limits.output_total);
    section.size("workspace", &mut limits.workspace);
    section.size("file_size", &mut limits.file_size);
    section.count("files", MAX_INTEGER, &mut limits.files);
    section.count("descriptors", u32::MAX.into(), &mut limits.descriptors);
    section.count("path_depth", u32::MAX.into(), &mut limits.path_depth);
    section.count("host_calls", MAX_INTEGER, &mut limits.host_calls);
}

fn languages(top: &mut Section<'_, '_, '_>, policy: &mut Policy) {
    if let Some(list) = top.list("languages", "languages", str::parse::<Language>) {
        policy.languages = list.into_iter().collect();
    }
}

/// The only key of a table, and its value.
fn only<'i, 't>(item: &'i Item<'t>) -> Option<(&'i str, Range<usize>, &'i Item<'t>)> {
    let table = item.get_ref().as_table()?;
    let (key, value) = table.iter().next().filter(|_| table.len() == 1)?;
    Some((key.get_ref(), key.span(), value))
}

fn clock(top: &mut Section<'_, '_, '_>, into: &mut Clock) {
    const EXPECTED: &str = "\"real\", \"coarse\", \"frozen\", { coarse = \"10ms\" } or { frozen = 2025-01-01T00:00:00Z }";
    let Some(item) = top.take("clock") else {
        return;
    };
    let reader = &mut *top.reader;
    if let Some(word) = item.get_ref().as_str() {
        match word {
            "real" => *into = Clock::Real,
            "coarse" => *into = Clock::Coarse { step: Clock::STEP },
            "frozen" => {
                *into = Clock::Frozen {
                    at: Clock::moment(),
                }
            }
            _ => reader.expected("clock", &item, EXPECTED),
        }
        return;
    }
    match only(&item) {
        Some(("coarse", _, step)) => match step.get_ref().as_str().and_then(duration_with_unit) {
            Some(step) => *into = Clock::Coarse { step },
            None => reader.expected("clock.coarse", step, A_DURATION),
        },
        Some(("frozen", _, at)) => match moment(at.get_ref()) {
            Some(at) => *into = Clock::Frozen { at },
            None => reader.expected(
                "clock.frozen",
                at,
                "a moment in UTC such as 2025-01-01T00:00:00Z",
            ),
        },
        Some((key, span, _)) => reader.source.mistake(
            &span,
            format!("unknown key `{key}` in `clock`; expected {EXPECTED}"),
        ),
        None => reader.expected("clock", &item, EXPECTED),
    }
}

fn moment(value: &DeValue<'_>) -> Option<SystemTime> {
    let text = match value {
        DeValue::String(text) => text.to_string(),
        DeValue::Datetime(moment) => moment.to_string(),
        _ => return None,
    };
    humantime::parse_rfc3339(&text).ok()
}

fn randomness(top: &mut Section<'_, '_, '_>, into: &mut Randomness) {
    const EXPECTED: &str = "\"fresh\" or { seed = 1 }";
    let Some(item) = top.take("randomness") else {
        return;
    };
    let reader = &mut *top.reader;
    if let Some(word) = item.get_ref().as_str() {
        match word {
            "fresh" => *into = Randomness::Fresh,
            _ => reader.expected("randomness", &item, EXPECTED),
        }
        return;
    }
    match only(&item) {
        Some(("seed", _, seed)) => match whole_number(seed.get_ref()) {
            Some(seed) => *into = Randomness::Seeded { seed },
            None => reader.expected("randomness.seed", seed, &whole_number_to(MAX_INTEGER)),
        },
        Some((key, span, _)) => reader.source.mistake(
            &span,
            format!("unknown key `{key}` in `randomness`; expected {EXPECTED}"),
        ),
        None => reader.expected("randomness", &item, EXPECTED),
    }
}

fn environment(mut section: Section<'_, '_, '_>, policy: &mut Policy) {
    for (key, item) in section.rest() {
        let name = section.name(&key);
        match item.get_ref().as_str() {
            Some(value) => {
                policy.env.insert(key, value.to_owned());
            }
            None => section.reader.expected(&name, &item, A_TEXT),
        }
    }
}

fn mounts(top: &mut Section<'_, '_, '_>, policy: &mut Policy, folder: Option<&Path>) {
    const EXPECTED: &str = "tables, each written as `[[mounts]]` with `host` and `guest` below it";
    let mut list = Vec::new();
    let tables = top.tables("mounts", EXPECTED);
    if tables.is_empty() {
        // Read as an empty one, so that its keys are known.
        mount_in(&mut Section::new(top.reader, "mounts", DeTable::new()));
    }
    for table in tables {
        let span = table.span();
        let mut section = Section::new(top.reader, "mounts", table.into_inner());
        let (host, guest, writable, quota) = mount_in(&mut section);
        drop(section);
        let (Some((host, host_span)), Some((guest, guest_span))) = (host, guest) else {
            top.reader.source.mistake(
                &span,
                "a mount needs `host`, a folder of this machine, and `guest`, where code sees it",
            );
            continue;
        };
        let host = folder.map_or_else(|| host.as_str().into(), |folder| folder.join(&host));
        let mount = Mount {
            host,
            guest,
            writable,
            quota,
        };
        let key = mount_key(&mount);
        let reader = &mut *top.reader;
        let spot = reader.source.spot(&guest_span);
        reader.places.set.insert(key.clone(), spot);
        reader.places.missing.remove(&key);
        // A text without a file does not say which folder a path starts at, so the session looks.
        if folder.is_some()
            && let Err(error) = fs::read_dir(&mount.host)
        {
            let message = format!(
                "`mounts.host`: cannot mount {}: {error}; expected a folder that is there",
                mount.host.display()
            );
            let place = reader.source.place(&host_span);
            let mistake = Mistake { place, message };
            reader.places.missing.insert(key, mistake);
        }
        list.push(mount);
    }
    policy
        .mounts
        .retain(|mount| !list.iter().any(|new| new.same_point(mount)));
    policy.mounts.append(&mut list);
}

/// A mount's host and guest, with their places, whether it is writable, and its quota.
fn mount_in(
    section: &mut Section<'_, '_, '_>,
) -> (Option<Found>, Option<Found>, bool, Option<Size>) {
    let mut writable = false;
    section.boolean("writable", &mut writable);
    let mut quota = Size::default();
    let has_quota = section.size("quota", &mut quota);
    (
        section.spanned_text("host"),
        section.spanned_text("guest"),
        writable,
        has_quota.then_some(quota),
    )
}

/// A text and where it stands.
type Found = (String, Range<usize>);

/// The name of a mount among the places.
pub(super) fn mount_key(mount: &Mount) -> String {
    format!("mounts at {}", mount.guest.trim_end_matches('/'))
}

fn tools(section: &mut Section<'_, '_, '_>, policy: &mut Policy) {
    let tools = &mut policy.tools;
    if let Some(allow) = globs(section, "allow") {
        tools.allow = allow;
    }
    if let Some(confirm) = globs(section, "confirm") {
        tools.confirm = confirm;
    }
    for glob in globs(section, "deny").unwrap_or_default() {
        if !tools.deny.contains(&glob) {
            tools.deny.push(glob);
        }
    }
    for table in section.tables("within", "tables, each written as `[[tools.within]]`") {
        let mut section = Section::new(section.reader, "tools.within", table.into_inner());
        tools.within.push(ToolRules {
            allow: globs(&mut section, "allow").unwrap_or_default(),
            confirm: globs(&mut section, "confirm").unwrap_or_default(),
            deny: globs(&mut section, "deny").unwrap_or_default(),
        });
    }
}

fn globs(section: &mut Section<'_, '_, '_>, key: &'static str) -> Option<Vec<Glob>> {
    section.list(key, "patterns for names of tools", str::parse)
}
