//! What the editor knows of Python: enough to colour it and to indent the next line.

use std::ops::Range;

/// What a piece of source is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `def`, `for`, `None` …
    Keyword,
    /// A string or bytes literal, prefix and quotes included; an unfinished one reaches to the end.
    Text,
    /// `#` to the end of the line.
    Comment,
    /// A number.
    Number,
    /// The name after `def` or `class`.
    Definition,
}

/// The pieces of source that have a colour, in order.
pub fn pieces(source: &str) -> Vec<(Range<usize>, Kind)> {
    let bytes = source.as_bytes();
    let mut pieces = Vec::new();
    let mut at = 0;
    let mut defines = false;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b'#' => {
                at = find(bytes, at, b'\n');
                pieces.push((start..at, Kind::Comment));
            }
            b'"' | b'\'' => {
                at = text_end(bytes, at);
                pieces.push((start..at, Kind::Text));
            }
            b if b.is_ascii_digit()
                || (b == b'.' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)) =>
            {
                at = number_end(bytes, at);
                pieces.push((start..at, Kind::Number));
            }
            b if is_name(b) => {
                while at < bytes.len() && is_name(bytes[at]) {
                    at += 1;
                }
                let word = &source[start..at];
                if is_prefix(word) && matches!(bytes.get(at), Some(b'"' | b'\'')) {
                    at = text_end(bytes, at);
                    pieces.push((start..at, Kind::Text));
                } else if KEYWORDS.contains(&word) {
                    pieces.push((start..at, Kind::Keyword));
                } else if defines {
                    pieces.push((start..at, Kind::Definition));
                }
                defines = matches!(word, "def" | "class");
            }
            _ => at += 1,
        }
    }
    pieces
}

/// The indentation that a line after `text` should begin with.
pub fn indentation(text: &str) -> String {
    let line = text.rsplit('\n').next().unwrap_or_default();
    let width = line.len() - line.trim_start_matches(' ').len();
    let code = without_comment(line).trim();
    let first = code
        .split(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    let width = if code.ends_with(':') {
        width + STEP
    } else if matches!(first, "return" | "pass" | "break" | "continue" | "raise") {
        width.saturating_sub(STEP)
    } else {
        width
    };
    " ".repeat(width)
}

/// The spaces of one step of indentation.
pub const STEP: usize = 4;

const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

fn is_name(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric() || !byte.is_ascii()
}

fn is_prefix(word: &str) -> bool {
    word.len() <= 2 && word.bytes().all(|b| b"rRbBuUfFtT".contains(&b))
}

fn find(bytes: &[u8], from: usize, wanted: u8) -> usize {
    bytes[from..]
        .iter()
        .position(|b| *b == wanted)
        .map_or(bytes.len(), |found| from + found)
}

/// The end of the literal whose quotes begin at `at`.
fn text_end(bytes: &[u8], mut at: usize) -> usize {
    let quote = bytes[at];
    let triple = bytes[at..].starts_with(&[quote; 3]);
    at += if triple { 3 } else { 1 };
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'\n' if !triple => return at,
            b if b == quote && !triple => return at + 1,
            b if b == quote && bytes[at..].starts_with(&[quote; 3]) => return at + 3,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn number_end(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() {
        let exponent = matches!(bytes[at], b'+' | b'-') && matches!(bytes[at - 1], b'e' | b'E');
        if !(bytes[at].is_ascii_alphanumeric()
            || bytes[at] == b'.'
            || bytes[at] == b'_'
            || exponent)
        {
            break;
        }
        at += 1;
    }
    at
}

fn without_comment(line: &str) -> &str {
    match pieces(line).iter().find(|(_, kind)| *kind == Kind::Comment) {
        Some((range, _)) => &line[..range.start],
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(source: &str) -> Vec<(&str, Kind)> {
        pieces(source)
            .into_iter()
            .map(|(range, kind)| (&source[range], kind))
            .collect()
    }

    #[test]
    fn source_is_taken_apart() {
        use Kind::{Comment, Definition, Keyword, Number, Text};
        assert_eq!(
            kinds("def größe(x): return x + 1.5e-3 # 'why'"),
            [
                ("def", Keyword),
                ("größe", Definition),
                ("return", Keyword),
                ("1.5e-3", Number),
                ("# 'why'", Comment)
            ]
        );
        assert_eq!(
            kinds(r#"rb'a\'b' f"x" "open"#),
            [(r"rb'a\'b'", Text), (r#"f"x""#, Text), (r#""open"#, Text)]
        );
        assert_eq!(
            kinds("'''a\n'b''' 'c\nif"),
            [("'''a\n'b'''", Text), ("'c", Text), ("if", Keyword)]
        );
        assert_eq!(kinds("x1 = classes"), []);
    }

    #[test]
    fn any_text_can_be_coloured() {
        for source in ["'\\", "\"\"\"\\", "é'é", ".", "1", "1e", "f", "'''"] {
            for (range, _) in pieces(source) {
                assert!(source.get(range).is_some(), "{source:?}");
            }
        }
    }

    #[test]
    fn the_next_line_is_indented() {
        assert_eq!(indentation("def f():"), "    ");
        assert_eq!(indentation("if x:  # why"), "    ");
        assert_eq!(indentation("if x:\n    y = 'a:'"), "    ");
        assert_eq!(indentation("if x:\n    return y"), "");
        assert_eq!(indentation("x = 1"), "");
    }
}
