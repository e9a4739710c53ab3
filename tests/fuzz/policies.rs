//! Policy files: read or refused, and what is read means what it says.

use super::{Extent, corpus, mutate, run};
use arbitrary::Unstructured;
use sandbox_engine::{Limits, Policy};

/// Runs the target.
pub fn fuzz(extent: Extent) {
    let mut files = corpus("policies");
    files.extend(
        Policy::preset_names()
            .filter_map(Policy::preset_text)
            .map(|text| text.as_bytes().to_vec()),
    );
    run(extent, |u| {
        let mut text = u.choose(&files)?.clone();
        if u.ratio(1, 3)? {
            exchange_values(&mut text, u)?;
        }
        mutate(&mut text, u)?;
        if let Ok(text) = String::from_utf8(text) {
            check(&text);
        }
        Ok(())
    });
}

/// Puts a value where another one is.
fn exchange_values(text: &mut Vec<u8>, u: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    const VALUES: [&str; 16] = [
        "0",
        "-1",
        "9223372036854775807",
        "99999999999999999999",
        "1e400",
        "nan",
        "inf",
        "\"\"",
        "\"0s\"",
        "\"1e400s\"",
        "\"-5s\"",
        "\"18446744073709551616B\"",
        "\"16EiB\"",
        "true",
        "[]",
        "{}",
    ];
    let places: Vec<usize> = (0..text.len()).filter(|at| text[*at] == b'=').collect();
    if places.is_empty() {
        return Ok(());
    }
    let at = *u.choose(&places)? + 1;
    let end = text[at..]
        .iter()
        .position(|byte| *byte == b'\n')
        .map_or(text.len(), |len| at + len);
    text.splice(at..end, u.choose(&VALUES)?.bytes());
    Ok(())
}

fn check(text: &str) {
    let base = Policy::default();
    if let Ok(policy) = Policy::from_toml(text) {
        if let Err(error) = policy.check() {
            panic!("it was read, but it is wrong: {error}\n{text}");
        }
        match Policy::from_toml(&policy.to_toml()) {
            Ok(again) => assert_eq!(again, policy, "it does not read back: {text}"),
            Err(error) => panic!("its own text cannot be read: {error}\n{text}"),
        }
    }
    if let Ok(tighter) = base.tightened_by_toml(text) {
        assert!(
            grants_no_more(&tighter.limits, &base.limits),
            "it widens: {text}"
        );
        let mounts_more = tighter
            .mounts
            .iter()
            .any(|mount| !base.mounts.contains(mount));
        assert!(!mounts_more, "it mounts: {text}");
    }
}

fn grants_no_more(one: &Limits, other: &Limits) -> bool {
    one.wall <= other.wall
        && one.grace <= other.grace
        && one.memory <= other.memory
        && one.stack <= other.stack
        && one.output <= other.output
        && one.output_total <= other.output_total
        && one.workspace <= other.workspace
        && one.file_size <= other.file_size
        && one.files <= other.files
        && one.descriptors <= other.descriptors
        && one.path_depth <= other.path_depth
        && one.host_calls <= other.host_calls
}
