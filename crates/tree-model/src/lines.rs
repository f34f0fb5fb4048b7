//! Lines as items, and the blocks they form. A block is a line with the deeper lines that follow
//! it, up to the line that closes it.

use crate::patches::Collector;
use crate::single::Text;
use lapidary_logic::Var;
use std::ops::Range;

pub(crate) fn lines(text: &[u8]) -> Option<Box<dyn Text>> {
    let lines: Vec<Line> = split(text).map(|range| Line::new(text, range)).collect();
    let mut collector = Collector::default();
    let mut open: Vec<(usize, Option<Var>)> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        if !line.blank {
            while open.last().is_some_and(|&(end, _)| end <= index) {
                open.pop();
            }
            let end = block_end(&lines, index);
            if end > index + 1 {
                let label = format!("block @{}", index + 1);
                let block = collector.item(label, "block", open.last().and_then(|block| block.1));
                open.push((end, Some(block)));
            }
        }
        let parent = open.iter().rev().find(|&&(end, _)| end > index).and_then(|block| block.1);
        let item = collector.item(format!("line @{}", index + 1), "line", parent);
        collector.patch(item, line.range.clone(), "");
    }
    collector.finish(text, false)
}

struct Line {
    range: Range<usize>,
    indent: usize,
    blank: bool,
    closes: bool,
}

impl Line {
    fn new(text: &[u8], range: Range<usize>) -> Self {
        let content = &text[range.clone()];
        let indent = content.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let first = content.get(indent).copied().unwrap_or(b'\n');
        let closes = matches!(first, b'}' | b')' | b']') || content[indent..].starts_with(b"</");
        Line { range, indent, blank: first.is_ascii_whitespace(), closes }
    }
}

/// The index after the last line of the block that a line opens, or after the line itself if it
/// opens none.
fn block_end(lines: &[Line], index: usize) -> usize {
    let indent = lines[index].indent;
    let mut end = index + 1;
    // Very long blocks are not detected, so that the search stays linear in practice.
    for (offset, line) in lines[index + 1..].iter().enumerate().take(1 << 14) {
        if !line.blank && line.indent <= indent {
            let closed = line.closes && line.indent == indent && offset > 0;
            return if closed { index + offset + 2 } else { end };
        }
        if !line.blank {
            end = index + offset + 2;
        }
    }
    end
}

fn split(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    text.split_inclusive(|&byte| byte == b'\n').map(move |line| {
        let range = start..start + line.len();
        start = range.end;
        range
    })
}
