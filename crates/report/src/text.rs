//! Text of others: names, outputs of tests, lines of programs. It may hold anything.
//!
//! Invariant: what this module returns as markup has no tag but those written here, and no
//! character that changes how the text around it is shown.

use lapidary_common::visible::is_obeyed;
use maud::{Markup, PreEscaped, html};
use std::borrow::Cow;
use std::fmt::Write;

/// A longer line is cut after so many characters.
pub const LONGEST_LINE: usize = 1_000;

/// The text with everything visible: control characters, marks of writing direction and characters
/// of no width become small signs. Line breaks stay.
#[must_use]
pub fn shown(text: &str) -> Markup {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    push_shown(&mut out, text);
    PreEscaped(out)
}

/// The beginning of a text of any length, on one line and with everything visible.
#[must_use]
pub fn short(text: &str, characters: usize) -> Markup {
    let line = one_line(text, characters);
    match line.len() < text.trim_end_matches(['\r', '\n']).len() {
        true => html! { (shown(line)) span.more { "…" } },
        false => shown(line),
    }
}

/// The first line of a text, at most so many characters of it.
fn one_line(text: &str, characters: usize) -> &str {
    let line = text.lines().next().unwrap_or_default();
    cut(line, characters)
}

/// The text for an attribute or the title of a page: signs that would be obeyed are escapes.
#[must_use]
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains(is_obeyed) && !text.contains('\n') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\t' => out.push(' '),
            c if is_obeyed(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// An output or another longer text, as a block. Of a long one, `lines` lines are shown from its
/// beginning, and the rest is counted.
#[must_use]
pub fn block(text: &str, lines: usize) -> Markup {
    let text = without_colours(text);
    let mut out = String::new();
    let mut all = text.trim_end_matches('\n').lines();
    for line in all.by_ref().take(lines.max(1)) {
        push_line(&mut out, line);
        out.push('\n');
    }
    let more = all.count();
    html! {
        pre.output { code { (PreEscaped(out)) } }
        @if more > 0 { p.cut { "… and " (crate::units::counted(more as u64, "more line")) } }
    }
}

/// The text without the colours and erasures that compilers print for terminals.
#[must_use]
pub fn without_colours(text: &str) -> Cow<'_, str> {
    if !text.contains('\x1b') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\x1b[") {
        out.push_str(&rest[..at]);
        let inside = &rest[at + 2..];
        let end = inside.find(|c: char| !c.is_ascii_digit() && c != ';').unwrap_or(inside.len());
        rest = match inside[end..].chars().next() {
            Some('m' | 'K') => &inside[end + 1..],
            _ => {
                out.push_str("\x1b[");
                inside
            }
        };
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Appends a line as markup, cut if it is very long.
pub(crate) fn push_line(out: &mut String, line: &str) {
    let start = cut(line, LONGEST_LINE);
    push_shown(out, start);
    if start.len() < line.len() {
        push_cut(out, line.len() - start.len());
    }
}

/// Appends that so many bytes of a line are not shown.
pub(crate) fn push_cut(out: &mut String, bytes: usize) {
    let _ = write!(out, "<span class=\"more\">… {} more</span>", crate::units::bytes(bytes as u64));
}

/// The beginning of a text that has at most so many characters.
pub(crate) fn cut(text: &str, characters: usize) -> &str {
    // Most lines are short, and bytes are counted faster than characters.
    if text.len() <= characters {
        return text;
    }
    text.char_indices().nth(characters).map_or(text, |(at, _)| &text[..at])
}

/// Appends text as markup with everything visible.
pub(crate) fn push_shown(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = rest.find(is_special) {
        out.push_str(&rest[..at]);
        let Some(character) = rest[at..].chars().next() else { break };
        push_special(out, character);
        rest = &rest[at + character.len_utf8()..];
    }
    out.push_str(rest);
}

fn is_special(character: char) -> bool {
    matches!(character, '&' | '<' | '>' | '"' | '\'') || is_obeyed(character)
}

fn push_special(out: &mut String, character: char) {
    let _ = match character {
        '&' => out.write_str("&amp;"),
        '<' => out.write_str("&lt;"),
        '>' => out.write_str("&gt;"),
        '"' => out.write_str("&quot;"),
        '\'' => out.write_str("&#39;"),
        c => {
            let code = u32::from(c);
            write!(out, "<span class=\"ctl\">U+{code:04X}</span>")
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_markup_and_everything_is_visible() {
        assert_eq!(shown("<a href='x'>R&D\"").0, "&lt;a href=&#39;x&#39;&gt;R&amp;D&quot;");
        assert_eq!(shown("a\u{202e}b").0, "a<span class=\"ctl\">U+202E</span>b");
        assert_eq!(shown("\0\x1b").0.matches("class=\"ctl\"").count(), 2);
        assert!(shown("\r").0.contains("U+000D") && shown("é\tö\n").0 == "é\tö\n");
        assert_eq!(plain("a\nb\u{202e}"), "a b\\u{202e}");
    }

    #[test]
    fn long_lines_and_long_texts_are_cut() {
        let block = block(&("x".repeat(10_000_000) + "\nb\nc\nd\n"), 2).into_string();
        assert!(block.len() < LONGEST_LINE + 300, "{}", block.len());
        assert!(block.contains("10 MB more") && block.contains("and 2 more lines"), "{block}");
        assert_eq!(short("one\ntwo", 10).0, "one<span class=\"more\">…</span>");
        assert_eq!(short("ééé", 2).0, "éé<span class=\"more\">…</span>");
    }

    #[test]
    fn colours_of_compilers_go_and_other_escapes_are_visible() {
        assert_eq!(without_colours("\x1b[01;31m\x1b[Kerror:\x1b[m\x1b[K x"), "error: x");
        assert_eq!(without_colours("\x1b[2Jx\x1b["), "\x1b[2Jx\x1b[");
    }
}
