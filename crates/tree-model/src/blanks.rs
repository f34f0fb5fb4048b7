//! White space and comments as items. Each run of them becomes the shortest text that certainly
//! keeps its neighbours apart, or a single line break. A single blank between neighbours that are
//! not both words is removed. The indentation of the whole text is one more item.

use crate::Language;
use crate::apart::{are_words, keep_apart};
use crate::lexer::{Class, tokens};
use crate::patches::{Collector, Lines};
use crate::single::Text;
use std::ops::Range;

pub(crate) fn blanks(language: Option<&Language>, text: &[u8]) -> Option<Box<dyn Text>> {
    let mut collector = Collector::default();
    let mut lines = Lines::new(text);
    let indented = language.is_some_and(|language| language.knowledge().indented);
    for gap in gaps(language, text) {
        let line = lines.of(gap.start);
        let run = &text[gap.clone()];
        let least = match run {
            b" " if !are_words(&text[..gap.start], &text[gap.end..]) => Vec::new(),
            _ => least(text, &gap),
        };
        if run.len() <= least.len() {
            continue;
        }
        let whole = collector.item(format!("blank @{line}"), "blank", None);
        collector.patch(whole, gap.clone(), least.clone());
        let Some(newline) = run.iter().rposition(|&byte| byte == b'\n') else { continue };
        let indent: &[u8] = if indented { &run[newline + 1..] } else { b"" };
        let one_line = [b"\n", indent].concat();
        if one_line.len() < run.len() && one_line != least {
            let rest = collector.item(format!("blank lines @{line}"), "blank lines", Some(whole));
            collector.patch(rest, gap, one_line);
        }
    }
    indentation(text, &mut collector);
    collector.finish(text, false)
}

/// The runs of white space and comments.
fn gaps(language: Option<&Language>, text: &[u8]) -> Vec<Range<usize>> {
    let mut gaps = Vec::new();
    let mut reached = 0;
    for token in tokens(language, text).into_iter().filter(|token| token.class != Class::Comment) {
        gaps.push(reached..token.range.start);
        reached = token.range.end;
    }
    gaps.push(reached..text.len());
    gaps.retain(|gap| !gap.is_empty());
    gaps
}

fn least(text: &[u8], gap: &Range<usize>) -> Vec<u8> {
    if keep_apart(&text[..gap.start], &text[gap.end..]) { b" ".to_vec() } else { Vec::new() }
}

/// Adds one item without which every line is indented by one blank per level.
fn indentation(text: &[u8], collector: &mut Collector) {
    let mut changes = Vec::new();
    let mut depths: Vec<usize> = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let width = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        if line.get(width).is_some_and(|byte| !byte.is_ascii_whitespace()) {
            while depths.last().is_some_and(|&depth| depth > width) {
                depths.pop();
            }
            if width > 0 && depths.last() != Some(&width) {
                depths.push(width);
            }
            if depths.len() < width {
                changes.push((start..start + width, vec![b' '; depths.len()]));
            }
        }
        start += line.len();
    }
    if !changes.is_empty() {
        let item = collector.item("indentation".to_string(), "indentation", None);
        changes.into_iter().for_each(|(range, with)| collector.patch(item, range, with));
    }
}
