//! Texts of others, such as labels, file names and the output of tests, that nothing obeys: no terminal,
//! no page, no bug tracker.

use std::borrow::Cow;

/// The text without colours, and with every other control character shown as an escape.
pub fn harmless(text: &str) -> Cow<'_, str> {
    if !text.contains(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(is_obeyed) {
        shown.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(after) = after_colour(rest) {
            rest = after;
            continue;
        }
        let Some(control) = rest.chars().next() else { break };
        rest = &rest[control.len_utf8()..];
        // The carriage return of a line from Windows is harmless.
        if control != '\r' || !rest.starts_with('\n') {
            shown.extend(control.escape_unicode());
        }
    }
    shown.push_str(rest);
    Cow::Owned(shown)
}

/// Whether a character does something else than to show itself: control characters but tabs and line
/// ends, marks of writing direction, and what has no width.
pub fn is_obeyed(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{61c}' => true,
        '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' => true,
        c => c.is_control(),
    }
}

/// The rest of a text that begins with a change of colour, as compilers print them.
fn after_colour(text: &str) -> Option<&str> {
    let inside = text.strip_prefix("\x1b[")?;
    let end = inside.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    match inside[end..].chars().next() {
        // gcc ends its colours with an empty `K`.
        Some('m') => Some(&inside[end + 1..]),
        Some('K') if end == 0 => Some(&inside[1..]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::harmless;

    #[test]
    fn nothing_is_printed_that_a_terminal_obeys() {
        assert_eq!(harmless("plain\ttext\n"), "plain\ttext\n");
        assert_eq!(harmless("\x1b]0;title\x07"), "\\u{1b}]0;title\\u{7}");
        assert_eq!(harmless("\x1b[2J \u{9b}2J \r"), "\\u{1b}[2J \\u{9b}2J \\u{d}");
        assert_eq!(harmless("a\u{202e}b\u{200b}\u{e0041}"), "a\\u{202e}b\\u{200b}\\u{e0041}");
    }

    #[test]
    fn the_colours_of_compilers_go_and_their_words_stay() {
        assert_eq!(harmless("\x1b[01;31m\x1b[Kerror:\x1b[m\x1b[K x\r\n"), "error: x\n");
        assert_eq!(harmless("\x1b[31"), "\\u{1b}[31");
    }
}
