//! The policies that come with the engine.

/// By name, the strictest first.
const PRESETS: &[(&str, &str)] = &[
    (
        "locked-down",
        include_str!("../../../../policies/locked-down.toml"),
    ),
    ("default", include_str!("../../../../policies/default.toml")),
    (
        "deterministic",
        include_str!("../../../../policies/deterministic.toml"),
    ),
    (
        "data-analysis",
        include_str!("../../../../policies/data-analysis.toml"),
    ),
    (
        "permissive",
        include_str!("../../../../policies/permissive.toml"),
    ),
];

/// The names, the strictest first.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    PRESETS.iter().map(|(name, _)| *name)
}

/// A preset's file, comments included.
pub(super) fn text(name: &str) -> Option<&'static str> {
    PRESETS
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, text)| *text)
}
