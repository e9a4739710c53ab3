//! Whether the parts of a policy fit together.

use super::limits::{
    MAX_MEMORY, MAX_PATH_DEPTH, MAX_STACK, MIN_DESCRIPTORS, MIN_MEMORY, MIN_STACK,
};
use super::read::mount_key;
use super::values::{MAX_INTEGER, Size};
use super::{Policy, Randomness, SCRATCH, WORKSPACE};
use std::path::Path;

/// Something that does not fit together.
pub(super) struct Contradiction {
    /// The keys that it is about, the one to change first.
    pub(super) keys: Vec<String>,
    pub(super) message: String,
}

/// Everything that does not fit together.
pub(super) fn contradictions(policy: &Policy) -> Vec<Contradiction> {
    let mut found = Vec::new();
    limits(policy, &mut found);
    let mut add = |keys: Vec<String>, message: String| found.push(Contradiction { keys, message });
    if policy.languages.is_empty() {
        add(
            vec!["languages".to_owned()],
            "languages is empty: nothing could run".to_owned(),
        );
    }
    if let Err(message) = policy.clock.check() {
        add(vec!["clock".to_owned()], message);
    }
    if matches!(policy.randomness, Randomness::Seeded { seed } if seed > MAX_INTEGER) {
        add(
            vec!["randomness".to_owned()],
            format!("randomness: a seed is at most {MAX_INTEGER}"),
        );
    }
    for (key, value) in &policy.env {
        let at = || vec![format!("env.{key}")];
        if key.is_empty() || key.contains(['=', '\0']) {
            let key = key.escape_debug();
            add(at(), format!("env: `{key}` is no name for a variable"));
        } else if value.contains('\0') {
            add(at(), format!("env: the value of `{key}` has a NUL in it"));
        }
    }
    mounts(policy, &mut found);
    workdir(policy, &mut found);
    found
}

fn limits(policy: &Policy, found: &mut Vec<Contradiction>) {
    let limits = &policy.limits;
    let mut add = |keys: &[&str], message: String| {
        let keys = keys.iter().map(|key| format!("limits.{key}")).collect();
        found.push(Contradiction { keys, message });
    };
    if limits.wall.is_zero() {
        add(
            &["wall"],
            "limits.wall is zero: nothing could run".to_owned(),
        );
    }
    if limits.fuel == Some(0) {
        add(
            &["fuel"],
            "limits.fuel is zero: nothing could run".to_owned(),
        );
    }
    if limits.memory.bytes() < MIN_MEMORY {
        add(
            &["memory"],
            format!(
                "limits.memory is {}; an interpreter needs at least {}",
                limits.memory,
                Size(MIN_MEMORY)
            ),
        );
    }
    if limits.memory.bytes() > MAX_MEMORY {
        add(
            &["memory"],
            format!(
                "limits.memory is {}; a 32-bit instance has at most {}",
                limits.memory,
                Size(MAX_MEMORY)
            ),
        );
    }
    if !(MIN_STACK..=MAX_STACK).contains(&limits.stack.bytes()) {
        add(
            &["stack"],
            format!(
                "limits.stack is {}; it can be {} to {}",
                limits.stack,
                Size(MIN_STACK),
                Size(MAX_STACK)
            ),
        );
    }
    if limits.file_size > limits.workspace {
        add(
            &["file_size", "workspace"],
            format!(
                "limits.file_size ({}) is larger than limits.workspace ({})",
                limits.file_size, limits.workspace
            ),
        );
    }
    if limits.path_depth > MAX_PATH_DEPTH {
        add(
            &["path_depth"],
            format!("limits.path_depth can be at most {MAX_PATH_DEPTH}"),
        );
    }
    if limits.descriptors < MIN_DESCRIPTORS {
        add(
            &["descriptors"],
            format!("limits.descriptors must be at least {MIN_DESCRIPTORS}"),
        );
    }
}

fn mounts(policy: &Policy, found: &mut Vec<Contradiction>) {
    for (index, mount) in policy.mounts.iter().enumerate() {
        let mut add = |message: String| {
            found.push(Contradiction {
                keys: vec![mount_key(mount)],
                message,
            });
        };
        if let Err(message) = mount.check() {
            add(message);
            continue;
        }
        let point = &mount.guest;
        if mount.writable && !policy.writable_mounts {
            add(format!(
                "mount point `{point}` is writable, but writable_mounts is false: mount it read-only"
            ));
        }
        if mount.covers_any([WORKSPACE, SCRATCH]) {
            add(format!(
                "mount point `{point}` would hide what the sandbox has there; choose a folder below it"
            ));
        }
        for earlier in &policy.mounts[..index] {
            if mount.same_point(earlier) {
                add(format!("mount point `{point}` is used twice"));
            } else if mount.covers(&earlier.guest) || earlier.covers(point) {
                add(format!(
                    "mount point `{point}` and `{}` lie one inside the other; give each a place of its own",
                    earlier.guest
                ));
            }
        }
    }
}

fn workdir(policy: &Policy, found: &mut Vec<Contradiction>) {
    let workdir = &policy.workdir;
    let mut add = |message: String| {
        found.push(Contradiction {
            keys: vec!["workdir".to_owned()],
            message,
        });
    };
    if !workdir.starts_with('/') {
        add(format!("workdir `{workdir}` is not absolute"));
    } else if !is_there(policy, workdir) {
        add(format!(
            "workdir `{workdir}` is no folder in the sandbox; there are {WORKSPACE}, {SCRATCH} and the mounts"
        ));
    }
}

/// Whether a folder may be there when a session starts. What is inside of mounts, the session finds out.
pub(super) fn is_there(policy: &Policy, folder: &str) -> bool {
    let folder = Path::new(folder);
    if folder.components().any(|part| part.as_os_str() == "..") {
        return true;
    }
    let points = || policy.mounts.iter().map(|mount| Path::new(&mount.guest));
    points().any(|point| folder.starts_with(point))
        || points()
            .chain([Path::new(WORKSPACE), Path::new(SCRATCH)])
            .any(|there| there.starts_with(folder))
}
