//! Two texts side by side, line by line.
//!
//! Lines that are equal are folded but for a few around each change, and so are long removals: a
//! page stays small however large the texts are.

use crate::code::{Highlighter, Language, Mark};
use crate::text;
use crate::units::{counted, thousands};
use imara_diff::{Algorithm, Diff, InternedInput};
use maud::{Markup, PreEscaped, Render, html};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;

/// So many equal lines are shown around each change.
const CONTEXT: usize = 3;

/// Texts of more bytes together are not compared: it would take too long.
const LARGEST: usize = 256 << 20;

/// Two texts to be shown side by side.
#[derive(Clone, Debug)]
pub struct SideBySide<'a> {
    texts: [&'a str; 2],
    names: [String; 2],
    language: Language,
    rows: usize,
    marks: [BTreeMap<usize, Mark>; 2],
}

impl<'a> SideBySide<'a> {
    /// The text before on the left and after on the right.
    pub fn new(before: (impl Into<String>, &'a str), after: (impl Into<String>, &'a str)) -> Self {
        let names = [before.0.into(), after.0.into()];
        let marks = [BTreeMap::new(), BTreeMap::new()];
        SideBySide { texts: [before.1, after.1], names, language: Language::default(), rows: 2_000, marks }
    }

    /// Sets the language for colours.
    pub fn language(self, language: Language) -> Self {
        SideBySide { language, ..self }
    }

    /// Marks lines of the text before and after, counted from 1. They are shown even where the texts
    /// are equal.
    pub fn marks(self, before: BTreeMap<usize, Mark>, after: BTreeMap<usize, Mark>) -> Self {
        SideBySide { marks: [before, after], ..self }
    }

    fn has_marks(&self) -> bool {
        self.marks.iter().any(|marks| !marks.is_empty())
    }

    /// Sets how many lines are shown at most.
    pub fn at_most(self, rows: usize) -> Self {
        SideBySide { rows, ..self }
    }
}

impl Render for SideBySide<'_> {
    fn render(&self) -> Markup {
        let [before, after] = self.texts;
        if before.len() + after.len() > LARGEST {
            return html! { p.cut { "These texts are too large to be shown side by side." } };
        }
        if before == after && !self.has_marks() {
            return html! { p { "Both are equal." } };
        }
        let input = InternedInput::new(before, after);
        let mut diff = Diff::compute(Algorithm::Histogram, &input);
        diff.postprocess_lines(&input);
        let (removed, added) = (diff.count_removals(), diff.count_additions());
        let mut rows = Rows::new(self);
        let mut at = [0, 0];
        for hunk in diff.hunks() {
            rows.equal(&mut at, hunk.before.start as usize);
            rows.changed(index(&hunk.before), index(&hunk.after));
            at = [hunk.before.end as usize, hunk.after.end as usize];
        }
        rows.equal(&mut at, usize::MAX);
        html! {
            div.diff {
                p.counts {
                    span.removed { "− " (thousands(u64::from(removed))) }
                    " " span.added { "+ " (thousands(u64::from(added))) } " lines"
                }
                div.sides.names { @for name in &self.names { p.file { (text::shown(name)) } } }
                div.code translate="no" { (PreEscaped(&rows.out)) }
                @if rows.cut > 0 { p.cut { "… and " (counted(rows.cut as u64, "more line")) } }
            }
        }
    }
}

fn index(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// The lines of one text, which are taken in order.
struct Side<'a> {
    lines: Vec<&'a str>,
    marks: BTreeMap<usize, Mark>,
    highlighter: Highlighter,
    /// The next line that the highlighter has not seen.
    at: usize,
}

impl<'a> Side<'a> {
    fn new(text: &'a str, marks: &BTreeMap<usize, Mark>, language: Language) -> Self {
        Side { lines: text.lines().collect(), marks: marks.clone(), highlighter: Highlighter::new(language), at: 0 }
    }

    /// A line as a cell with its number.
    fn cell(&mut self, number: usize, class: &str, out: &mut String) {
        let Some(line) = self.lines.get(number) else { return empty(out) };
        self.lines.get(self.at..number).into_iter().flatten().for_each(|line| self.highlighter.skip(line));
        let mark = self.marks.get(&(number + 1));
        let (space, mark, says) = mark.map_or(("", "", ""), |mark| (" ", mark.class(), mark.says()));
        let _ = write!(out, "<div class=\"l{class}{space}{mark}\"><b data-n=\"{}\"></b><code>", number + 1);
        if !says.is_empty() {
            let _ = write!(out, "<span class=\"hidden\">{says}: </span>");
        }
        self.highlighter.line(line, out);
        out.push_str("</code></div>");
        self.at = number + 1;
    }
}

fn empty(out: &mut String) {
    out.push_str("<div class=\"l none\"></div>");
}

/// The rows of the picture so far.
struct Rows<'a> {
    sides: [Side<'a>; 2],
    out: String,
    room: usize,
    cut: usize,
}

impl<'a> Rows<'a> {
    fn new(picture: &SideBySide<'a>) -> Self {
        let side = |at: usize| Side::new(picture.texts[at], &picture.marks[at], picture.language);
        let sides = [side(0), side(1)];
        Rows { sides, out: String::new(), room: picture.rows, cut: 0 }
    }

    /// Equal lines up to a line of the first text: those near a change are shown, others folded.
    fn equal(&mut self, at: &mut [usize; 2], end: usize) {
        let end = end.min(self.sides[0].lines.len());
        let (from, length) = (*at, end.saturating_sub(at[0]));
        let is_first = from == [0, 0];
        let is_last = end == self.sides[0].lines.len();
        let head = if is_first { 0 } else { CONTEXT.min(length) };
        let tail = if is_last { 0 } else { CONTEXT.min(length - head) };
        let mut folded = 0;
        for offset in 0..length {
            let is_near = offset < head || offset >= length - tail || self.is_marked(from, offset);
            if !is_near {
                folded += 1;
                continue;
            }
            self.fold(from[0] + offset, std::mem::take(&mut folded));
            self.pair(from[0] + offset, from[1] + offset);
        }
        self.fold(from[0] + length, folded);
        *at = [from[0] + length, from[1] + length];
    }

    /// Whether a line on either side is marked, or next to one.
    fn is_marked(&self, from: [usize; 2], offset: usize) -> bool {
        let around = |side: usize| {
            let number = from[side] + offset + 1;
            self.sides[side].marks.range(number.saturating_sub(1)..=number + 1).next().is_some()
        };
        around(0) || around(1)
    }

    /// Says that so many equal lines before a line are not shown.
    fn fold(&mut self, before: usize, folded: usize) {
        if folded == 0 {
            return;
        }
        let (first, last) = (before - folded + 1, before);
        let markup = html! { div.gap { (counted(folded as u64, "equal line")) " (" (first) "–" (last) ")" } };
        self.out.push_str(&markup.0);
    }

    fn pair(&mut self, left: usize, right: usize) {
        self.row(Some(left), Some(right), "");
    }

    /// Lines that differ. Of a long removal, the beginning is shown and the rest is folded.
    fn changed(&mut self, left: Range<usize>, right: Range<usize>) {
        const SHOWN: usize = 12;
        const UNFOLDED: usize = 150;
        let height = left.len().max(right.len());
        let shown = if height <= SHOWN + 4 { height } else { right.len().max(SHOWN).min(height) };
        let row = |offset: usize| {
            let inside = |range: &Range<usize>| Some(range.start + offset).filter(|line| *line < range.end);
            (inside(&left), inside(&right))
        };
        for offset in 0..shown {
            let (one, other) = row(offset);
            self.row(one, other, "changed");
        }
        let more = height - shown;
        if more == 0 {
            return;
        }
        let unfolded = more.min(UNFOLDED).min(self.room);
        let begun = std::mem::take(&mut self.out);
        for offset in shown..shown + unfolded {
            let (one, other) = row(offset);
            self.row(one, other, "changed");
        }
        let inside = std::mem::replace(&mut self.out, begun);
        let markup = html! {
            details.gap {
                summary { (counted(more as u64, "more removed line")) " (" (left.start + shown + 1) "–" (left.end) ")" }
                (PreEscaped(inside))
                @if unfolded < more { p.cut { "… and " (counted((more - unfolded) as u64, "more line")) } }
            }
        };
        self.out.push_str(&markup.0);
    }

    fn row(&mut self, left: Option<usize>, right: Option<usize>, kind: &str) {
        if self.room == 0 {
            self.cut += 1;
            return;
        }
        self.room -= 1;
        let (gone, come) = if kind.is_empty() { ("", "") } else { (" removed", " added") };
        self.out.push_str("<div class=\"sides\">");
        for (side, line, class) in [(0, left, gone), (1, right, come)] {
            match line {
                Some(line) => self.sides[side].cell(line, class, &mut self.out),
                None => empty(&mut self.out),
            }
        }
        self.out.push_str("</div>");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(before: &str, after: &str) -> String {
        SideBySide::new(("old.c", before), ("new.c", after)).language(Language::named("c")).render().into_string()
    }

    #[test]
    fn changed_lines_stand_side_by_side() {
        let text = rendered("a\nint b;\nc\n", "a\nint x;\nc\n");
        let changed = "<div class=\"sides\"><div class=\"l removed\"><b data-n=\"2\"></b><code><i class=\"k\">int</i> b;</code></div>\
                       <div class=\"l added\"><b data-n=\"2\"></b><code><i class=\"k\">int</i> x;</code></div></div>";
        assert!(text.contains(changed), "{text}");
        assert!(text.contains("− 1") && text.contains("+ 1"));
        assert!(rendered("a\n", "a\n").contains("Both are equal"));
    }

    #[test]
    fn fifty_megabytes_become_a_small_picture() {
        let mut before = String::new();
        for number in 0..1_000_000 {
            let _ = writeln!(before, "int variable_number_{number} = {number}; // and some more text");
        }
        let after: String = before.lines().step_by(100_000).map(|line| line.to_owned() + "\n").collect();
        assert!(before.len() > 50_000_000);
        let text = rendered(&before, &after);
        assert!(text.len() < 1_000_000, "{}", text.len());
        assert!(text.contains("− 999,990") && text.contains("99,987 more removed lines"), "{}", &text[..3000]);
    }

    #[test]
    fn long_stretches_of_equal_lines_are_folded() {
        let before: String = (0..1000).map(|number| format!("{number}\n")).collect();
        let text = rendered(&before, &before.replace("500\n", "x\n"));
        assert!(text.contains("497 equal lines (1–497)") && text.contains("496 equal lines (505–1000)"), "{text}");
        assert!(!text.contains("300<"));
    }

    #[test]
    fn marked_lines_are_never_folded() {
        let text: String = (0..100).map(|number| format!("line {number};\n")).collect();
        let marks = || BTreeMap::from([(50, Mark::Fault)]);
        let picture = SideBySide::new(("old", &*text), ("new", &*text)).marks(marks(), BTreeMap::new());
        let text = picture.render().into_string();
        assert!(
            text.contains("class=\"l fault\"><b data-n=\"50\"></b><code><span class=\"hidden\">fails here: "),
            "{text}"
        );
        assert!(text.contains("48 equal lines (1–48)") && text.contains("49 equal lines (52–100)"), "{text}");
    }

    #[test]
    fn no_text_is_too_odd() {
        for (one, other) in [("", "a"), ("a", ""), ("\r\n\0", "\u{202e}"), ("a\n", "a"), ("</div><script>", "x")] {
            assert!(!rendered(one, other).contains("<script>"), "{one:?} {other:?}");
        }
    }
}
