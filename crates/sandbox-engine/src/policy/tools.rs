//! Which tools code may call.

use crate::error::{Error, Result};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use wildmatch::WildMatch;

/// Which tools of the host code may call, by their names.
///
/// What no pattern names is denied. A tool in `deny` is denied, whatever the other lists say; one in `confirm` needs
/// somebody's consent for each call; one in `allow` alone is free.
///
/// ```
/// use sandbox_engine::{Permission, Policy};
/// let policy = Policy::from_toml(
///     r#"
///     [tools]
///     allow = ["files.*", "search"]
///     confirm = ["files.write"]
///     deny = ["files.delete"]
///     "#,
/// )?;
/// assert_eq!(policy.tools.permission("files.read"), Permission::Allowed);
/// assert_eq!(policy.tools.permission("files.write"), Permission::Confirm);
/// assert_eq!(policy.tools.permission("files.delete"), Permission::Denied);
/// assert_eq!(policy.tools.permission("shell"), Permission::Denied);
/// # Ok::<(), sandbox_engine::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
// These two and the next are for the schema: files are read by `read`.
#[serde(default, deny_unknown_fields)]
#[schemars(
    description = "Which tools of the host code may call, by their names. What no pattern names is denied."
)]
#[non_exhaustive]
pub struct Tools {
    /// Tools that may be called. Default: none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allow: Vec<Glob>,
    /// Tools of which somebody has to confirm each call. Default: none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub confirm: Vec<Glob>,
    /// Tools that may not be called, whatever the other lists say. Default: none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub deny: Vec<Glob>,
    /// Further lists, each of which has to permit a tool as well: the strictest decides. Default: none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub within: Vec<ToolRules>,
}

/// One more set of rules: see [`Tools::within`].
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ToolRules {
    /// Tools that may be called.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allow: Vec<Glob>,
    /// Tools of which somebody has to confirm each call.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub confirm: Vec<Glob>,
    /// Tools that may not be called.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub deny: Vec<Glob>,
}

/// What a policy says to a tool. The strictest is the least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Permission {
    /// It may not be called.
    Denied,
    /// It may be called once somebody has confirmed the call.
    Confirm,
    /// It may be called.
    Allowed,
}

impl Tools {
    /// What the policy says to the tool of this name.
    pub fn permission(&self, name: &str) -> Permission {
        let own = decide(&self.allow, &self.confirm, &self.deny, name);
        self.within
            .iter()
            .map(|rules| decide(&rules.allow, &rules.confirm, &rules.deny, name))
            .fold(own, Permission::min)
    }

    /// Whether it has no pattern at all, so that every tool is denied.
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Rules under which every tool has the stricter of the two permissions.
    pub(super) fn tightened_by(&self, other: &Self) -> Self {
        let mut tools = self.clone();
        let mut add = |rules: ToolRules| {
            if rules != tools.own() && !tools.within.contains(&rules) {
                tools.within.push(rules);
            }
        };
        add(other.own());
        other.within.iter().cloned().for_each(&mut add);
        tools
    }

    fn own(&self) -> ToolRules {
        ToolRules {
            allow: self.allow.clone(),
            confirm: self.confirm.clone(),
            deny: self.deny.clone(),
        }
    }
}

fn decide(allow: &[Glob], confirm: &[Glob], deny: &[Glob], name: &str) -> Permission {
    let is_in = |list: &[Glob]| list.iter().any(|glob| glob.matches(name));
    if is_in(deny) {
        Permission::Denied
    } else if is_in(confirm) {
        Permission::Confirm
    } else if is_in(allow) {
        Permission::Allowed
    } else {
        Permission::Denied
    }
}

/// A pattern for the names of tools: `*` stands for any characters, `?` for one. Case counts.
#[derive(Clone)]
pub struct Glob {
    text: String,
    matcher: WildMatch,
}

/// A longer pattern is refused: looking for one costs the host time.
const MAX_GLOB: usize = 200;
/// What other kinds of patterns give a meaning. It is refused, so that nobody relies on what is not there.
const NO_MEANING: [char; 5] = ['[', ']', '{', '}', '\\'];

impl Glob {
    /// Whether it stands for the whole name.
    pub fn matches(&self, name: &str) -> bool {
        self.matcher.matches(name)
    }

    /// The pattern.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl FromStr for Glob {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let wrong = |why: String| {
            Err(Error::Policy(format!(
                "`{}` is no pattern for names of tools: {why}",
                text.escape_debug()
            )))
        };
        if text.is_empty() {
            return wrong("it is empty".to_owned());
        }
        if text.len() > MAX_GLOB {
            return wrong(format!("it is longer than {MAX_GLOB} bytes"));
        }
        if let Some(odd) = text.chars().find(|c| NO_MEANING.contains(c)) {
            return wrong(format!("`{odd}` has no meaning; there are `*` and `?`"));
        }
        Ok(Self {
            text: text.to_owned(),
            matcher: WildMatch::new(text),
        })
    }
}

impl PartialEq for Glob {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Glob {}

impl fmt::Debug for Glob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Glob({:?})", self.text)
    }
}

impl fmt::Display for Glob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Serialize for Glob {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl JsonSchema for Glob {
    fn schema_name() -> Cow<'static, str> {
        "Glob".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A pattern for names of tools: `*` stands for any characters, `?` for one.",
            "type": "string",
            "pattern": r"^[^\[\]{}\\]+$",
            "maxLength": MAX_GLOB,
            "examples": ["files.*", "*"],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn globs(patterns: &[&str]) -> Vec<Glob> {
        patterns.iter().map(|text| text.parse().unwrap()).collect()
    }

    fn tools(allow: &[&str], confirm: &[&str], deny: &[&str]) -> Tools {
        Tools {
            allow: globs(allow),
            confirm: globs(confirm),
            deny: globs(deny),
            within: Vec::new(),
        }
    }

    #[test]
    fn what_is_not_named_is_denied() {
        assert_eq!(Tools::default().permission("any"), Permission::Denied);
        let tools = tools(&["a"], &[], &[]);
        assert_eq!(tools.permission("a"), Permission::Allowed);
        for name in ["A", "aa", "", "a ", "a.b"] {
            assert_eq!(tools.permission(name), Permission::Denied, "{name}");
        }
    }

    #[test]
    fn deny_wins_over_confirm_and_confirm_over_allow() {
        let tools = tools(&["*"], &["pay*"], &["payroll", "rm"]);
        for (name, wanted) in [
            ("look", Permission::Allowed),
            ("pay", Permission::Confirm),
            ("payroll", Permission::Denied),
            ("rm", Permission::Denied),
        ] {
            assert_eq!(tools.permission(name), wanted, "{name}");
        }
    }

    #[test]
    fn to_confirm_is_enough_to_be_callable() {
        let tools = tools(&[], &["pay"], &[]);
        assert_eq!(tools.permission("pay"), Permission::Confirm);
    }

    #[test]
    fn patterns_stand_for_whole_names() {
        for (pattern, yes, no) in [
            ("*", "a/b.c", None),
            ("files.*", "files.read/all", Some("files")),
            ("?b", "ab", Some("aab")),
            ("*_all", "list_all", Some("list_all_")),
            ("a*b*c", "abbc", Some("acb")),
            ("é?", "éü", Some("é")),
        ] {
            let glob: Glob = pattern.parse().unwrap();
            assert!(glob.matches(yes), "{pattern} {yes}");
            assert!(!no.is_some_and(|no| glob.matches(no)), "{pattern} {no:?}");
        }
        for wrong in ["", "[ab]", "{a,b}", r"\*", &"a".repeat(201)] {
            assert!(wrong.parse::<Glob>().is_err(), "{wrong}");
        }
    }

    /// What the two wildcards mean, written as plainly as can be.
    fn stands_for(pattern: &[char], name: &[char]) -> bool {
        match (pattern.split_first(), name.split_first()) {
            (None, None) => true,
            (Some((&'*', rest)), _) => {
                stands_for(rest, name) || !name.is_empty() && stands_for(pattern, &name[1..])
            }
            (Some((&first, rest)), Some((&head, tail))) => {
                (first == '?' || first == head) && stands_for(rest, tail)
            }
            _ => false,
        }
    }

    proptest::proptest! {
        #[test]
        fn a_pattern_means_what_its_wildcards_mean(pattern in "[ab?*]{1,8}", name in "[ab*]{0,8}") {
            let chars = |text: &str| text.chars().collect::<Vec<_>>();
            proptest::prop_assert_eq!(
                pattern.parse::<Glob>().unwrap().matches(&name),
                stands_for(&chars(&pattern), &chars(&name))
            );
        }
    }

    #[test]
    fn tightened_rules_give_the_stricter_answer() {
        let one = tools(&["a*", "c"], &[], &["az"]);
        let other = tools(&["*b", "c"], &["ab"], &[]);
        let both = one.tightened_by(&other);
        for name in ["ab", "axb", "az", "a", "b", "c", "azb"] {
            assert_eq!(
                both.permission(name),
                one.permission(name).min(other.permission(name)),
                "{name}"
            );
        }
        assert_eq!(one.tightened_by(&one), one);
        assert_eq!(both.tightened_by(&other), both);
    }
}
