//! The parts of a message that stay when the input gets smaller: without places, addresses, paths
//! and times.

use regex::Regex;
use std::sync::LazyLock;

/// Texts that differ between runs on one input, or change with every change of the input.
static CHANGING: LazyLock<Regex> = LazyLock::new(|| {
    let parts = [
        r"\x1b\[[0-9;]*[mK]",
        // Control characters and marks that turn the direction of text, which a script must not hold.
        r"[\p{Cc}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}\u{fffd}]+",
        r"\b0x[0-9a-fA-F]+",
        r"==\d+==|\[\d+\]",
        r"(?:\./)?(?:/[^\s:'`‘’,;()<>\x22]+)+/?",
        r":\d+(?:[:.]\d+)*",
        r"\b(?:lines?|columns?|col|position|offset|byte|char|character|pid|process|row) ?#?\d+(?:[-.]\d+)*",
        r"\[\d+,\d+\]|\(\d+,\d+\)",
        r"\b\d+(?:\.\d+)? ?(?:ms|s|sec|secs|seconds|MB|KB|bytes)\b",
        r"\b\d{5,}\b",
    ];
    Regex::new(&parts.join("|")).expect("a pattern of ours")
});

/// Longer messages are cut: what makes them long is a part of the input.
const LONGEST: usize = 160;
const MOST: usize = 4;

/// The steady pieces of a message, in order. `names` are the names of the input, which a candidate
/// may not have. Empty if nothing in it tells it from other messages.
pub fn pieces(message: &str, names: &[&str]) -> Vec<String> {
    let mut text = message.to_owned();
    for name in names.iter().filter(|name| !name.is_empty()) {
        text = text.replace(name, "\0");
    }
    let pieces = CHANGING.replace_all(&text, "\0").into_owned();
    let mut found: Vec<String> = pieces.split('\0').map(trimmed).filter(|piece| says_something(piece)).collect();
    found.truncate(MOST);
    found
}

/// The piece without blanks and separators at its ends, at most so long.
fn trimmed(piece: &str) -> String {
    let is_separator = |c: char| c.is_whitespace() || matches!(c, ':' | ',' | ';');
    let piece = piece.trim_matches(is_separator);
    piece.char_indices().take_while(|(at, c)| at + c.len_utf8() <= LONGEST).map(|(_, c)| c).collect()
}

fn says_something(piece: &str) -> bool {
    piece.chars().filter(|c| c.is_alphanumeric()).count() >= 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_addresses_are_left_out() {
        let steady = |message| pieces(message, &["bug.c"]);
        assert_eq!(
            steady("bug.c:5:1: internal compiler error: in expand_expr, at expr.c:10289"),
            ["internal compiler error: in expand_expr, at expr.c"]
        );
        assert_eq!(steady("Parse error near line 12: no such table: t"), ["Parse error near", "no such table: t"]);
        assert_eq!(steady("x: /src/lib/Value.cpp:507: f(): Assertion `a' failed."), ["f(): Assertion `a' failed."]);
        assert_eq!(steady("bad pointer 0x7ffe12 in ==123== foo_bar"), ["bad pointer", "foo_bar"]);
        assert!(steady("bug.c:3:4:").is_empty());
    }

    #[test]
    fn nothing_that_a_script_must_not_hold_is_kept() {
        let piece = pieces("\x1b[31merror:\x1b[0m a\u{202e}bcd\x07efgh", &[]);
        assert_eq!(piece, ["error", "bcd", "efgh"]);
        assert!(pieces(&"x".repeat(1 << 20), &[])[0].len() <= LONGEST);
    }
}
