//! Numbers and strings as items. A number becomes `0`, or loses half of its digits; a string
//! becomes empty, or loses half of its characters.

use crate::Language;
use crate::lexer::{Class, Token, tokens};
use crate::patches::{Collector, Lines};
use crate::single::Text;
use std::ops::Range;

pub(crate) fn literals(language: Option<&Language>, text: &[u8]) -> Option<Box<dyn Text>> {
    let mut collector = Collector::default();
    let mut lines = Lines::new(text);
    let tokens = tokens(language, text);
    for (index, token) in tokens.iter().enumerate() {
        let line = lines.of(token.range.start);
        let (kind, range, smallest) = match token.class {
            Class::Number => ("number", token.range.clone(), "0"),
            Class::Quoted => ("string", inside(text, token.range.clone()), ""),
            Class::Content => ("string", token.range.clone(), smallest_content(text, &tokens, index)),
            _ => continue,
        };
        if range.len() <= smallest.len() {
            continue;
        }
        let whole = collector.item(format!("{kind} @{line}"), kind, None);
        collector.patch(whole, range.clone(), smallest);
        let half = first_half(text, range.clone());
        if half.len() > smallest.len() && half.len() < range.len() {
            let part = collector.item(format!("second half of {kind} @{line}"), "half literal", Some(whole));
            collector.patch(part, range, half);
        }
    }
    collector.finish(text, false)
}

/// The range between the quotes, single or triple.
fn inside(text: &[u8], range: Range<usize>) -> Range<usize> {
    let content = &text[range.clone()];
    let quote = content[0];
    let thrice = content.len() >= 6 && content[..3].iter().chain(&content[content.len() - 3..]).all(|&b| b == quote);
    let width = if thrice { 3 } else { 1 };
    let closed = content.len() >= 2 * width && content.last() == Some(&quote);
    if closed { range.start + width..range.end - width } else { range.end..range.end }
}

/// The smallest content of a literal. A character literal must not become empty; a string may.
fn smallest_content(text: &[u8], tokens: &[Token], index: usize) -> &'static str {
    let before = index.checked_sub(1).and_then(|index| text[tokens[index].range.clone()].last());
    if before == Some(&b'\'') { "0" } else { "" }
}

/// The first half of the characters, not ending inside an escape sequence or a character.
fn first_half(text: &[u8], range: Range<usize>) -> Vec<u8> {
    let content = &text[range];
    let mut end = content.len() / 2;
    while end > 0 && (content[end] & 0xc0 == 0x80 || content[end - 1] == b'\\') {
        end -= 1;
    }
    content[..end].to_vec()
}
