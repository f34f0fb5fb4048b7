//! A listing: lines of code with numbers, colours, marked lines, and remarks below lines.

use super::{Highlighter, Language};
use crate::text;
use crate::units::counted;
use maud::{Markup, PreEscaped, Render, html};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// At most so many lines are shown unless told otherwise.
const LINES: usize = 2_000;

/// A line that means something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It is left: the slice, the result.
    Kept,
    /// It fails: a crash, a difference.
    Fault,
    /// It leads to the failure.
    Cause,
    /// It ran.
    Ran,
    /// It did not run.
    Missed,
    /// It was added.
    Added,
    /// It was removed.
    Removed,
}

impl Mark {
    pub(crate) fn class(self) -> &'static str {
        match self {
            Mark::Kept => "kept",
            Mark::Fault => "fault",
            Mark::Cause => "cause",
            Mark::Ran => "ran",
            Mark::Missed => "missed",
            Mark::Added => "added",
            Mark::Removed => "removed",
        }
    }

    /// The words for screen readers, which do not see colours.
    pub(crate) fn says(self) -> &'static str {
        match self {
            Mark::Kept => "kept",
            Mark::Fault => "fails here",
            Mark::Cause => "leads to the failure",
            Mark::Ran => "ran",
            Mark::Missed => "did not run",
            Mark::Added => "added",
            Mark::Removed => "removed",
        }
    }
}

/// Source code to be shown.
#[derive(Clone, Debug)]
pub struct Listing<'a> {
    text: &'a str,
    language: Language,
    name: String,
    id: Option<String>,
    first: usize,
    lines: usize,
    marks: BTreeMap<usize, Mark>,
    remarks: BTreeMap<usize, Vec<Markup>>,
    /// Lines farther than this from a marked one are folded away.
    context: Option<usize>,
}

impl<'a> Listing<'a> {
    /// A listing of a text. Lines are counted from 1.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        Listing {
            text,
            language: Language::default(),
            name: String::new(),
            id: None,
            first: 1,
            lines: LINES,
            marks: BTreeMap::new(),
            remarks: BTreeMap::new(),
            context: None,
        }
    }

    /// Sets the language for colours.
    pub fn language(self, language: Language) -> Self {
        Listing { language, ..self }
    }

    /// Sets the name that is shown above: that of the file.
    pub fn name(self, name: impl Into<String>) -> Self {
        Listing { name: name.into(), ..self }
    }

    /// Gives each line an address in the page: `#ID-12` for line 12. The id has letters, digits and
    /// hyphens.
    pub fn id(self, id: impl Into<String>) -> Self {
        Listing { id: Some(id.into()), ..self }
    }

    /// Sets the number of the first line, if the text is a part of a file.
    pub fn first_line(self, first: usize) -> Self {
        Listing { first, ..self }
    }

    /// Sets how many lines are shown at most.
    pub fn at_most(self, lines: usize) -> Self {
        Listing { lines, ..self }
    }

    /// Marks a line. A fault is not replaced by another mark.
    pub fn mark(mut self, line: usize, mark: Mark) -> Self {
        let entry = self.marks.entry(line).or_insert(mark);
        if *entry != Mark::Fault {
            *entry = mark;
        }
        self
    }

    /// Marks several lines.
    pub fn marks(self, lines: impl IntoIterator<Item = usize>, mark: Mark) -> Self {
        lines.into_iter().fold(self, |listing, line| listing.mark(line, mark))
    }

    /// Adds a remark below a line.
    pub fn remark(mut self, line: usize, remark: Markup) -> Self {
        self.remarks.entry(line).or_default().push(remark);
        self
    }

    /// Folds away what is farther than so many lines from a marked line or a remark.
    pub fn around_marks(self, context: usize) -> Self {
        Listing { context: Some(context), ..self }
    }

    /// The lines that are not folded away; `None` if all are shown.
    fn open_lines(&self) -> Option<BTreeSet<usize>> {
        let context = self.context?;
        let centres = self.marks.keys().chain(self.remarks.keys());
        Some(centres.flat_map(|line| line.saturating_sub(context)..=line + context).collect())
    }
}

impl Render for Listing<'_> {
    fn render(&self) -> Markup {
        let open = self.open_lines();
        let is_open = |number: usize| open.as_ref().is_none_or(|open| open.contains(&number));
        let (mut body, mut folded) = (String::new(), Folded::default());
        let mut highlighter = Highlighter::new(self.language);
        let (mut shown, mut cut) = (0, 0);
        for (number, line) in (self.first..).zip(self.text.lines()) {
            if shown >= self.lines && (self.context.is_none() || is_open(number)) {
                cut += 1;
                continue;
            }
            if is_open(number) {
                folded.close(&mut body);
                self.push(number, line, &mut highlighter, &mut body);
                shown += 1;
            } else if folded.has_room() {
                let mut markup = String::new();
                self.push(number, line, &mut highlighter, &mut markup);
                folded.add(number, Some(markup));
            } else {
                highlighter.skip(line);
                folded.add(number, None);
            }
        }
        folded.close(&mut body);
        html! {
            div.listing {
                @if !self.name.is_empty() { p.file { (text::shown(&self.name)) } }
                div.code translate="no" { (PreEscaped(body)) }
                @if cut > 0 { p.cut { "… and " (counted(cut, "more line")) } }
            }
        }
    }
}

impl Listing<'_> {
    fn push(&self, number: usize, line: &str, highlighter: &mut Highlighter, out: &mut String) {
        let mark = self.marks.get(&number);
        let class = mark.map_or(String::new(), |mark| format!(" {}", mark.class()));
        let _ = write!(out, "<div class=\"l{class}\"");
        if let Some(id) = &self.id {
            let _ = write!(out, " id=\"{}-{number}\"", html! { (id) }.0);
        }
        let _ = write!(out, "><b data-n=\"{number}\"></b><code>");
        highlighter.line(line, out);
        out.push_str("</code>");
        if let Some(mark) = mark {
            let _ = write!(out, "<span class=\"hidden\"> ({})</span>", mark.says());
        }
        out.push_str("</div>");
        for remark in self.remarks.get(&number).into_iter().flatten() {
            let _ = write!(out, "<div class=\"remark\">{}</div>", remark.0);
        }
    }
}

/// A run of lines that are folded away, with the first of them ready to be unfolded.
#[derive(Default)]
struct Folded {
    first: usize,
    count: u64,
    listed: u64,
    lines: String,
    /// How many lines were ready in all folds so far.
    spent: u64,
}

impl Folded {
    fn has_room(&self) -> bool {
        const EACH: u64 = 200;
        const ALL: u64 = 2_000;
        self.listed < EACH && self.spent < ALL
    }

    fn add(&mut self, number: usize, line: Option<String>) {
        if self.count == 0 {
            self.first = number;
        }
        self.count += 1;
        if let Some(line) = line {
            self.lines.push_str(&line);
            self.listed += 1;
            self.spent += 1;
        }
    }

    fn close(&mut self, out: &mut String) {
        if self.count == 0 {
            return;
        }
        let last = self.first as u64 + self.count - 1;
        let summary = format!("{} ({}–{last})", counted(self.count, "line"), self.first);
        let more = self.count - self.listed;
        let markup = match self.listed {
            0 => html! { div.gap { (summary) } },
            _ => html! { details.gap { summary { (summary) } (PreEscaped(&self.lines))
            @if more > 0 { p.cut { "… and " (counted(more, "more line")) } } } },
        };
        out.push_str(&markup.0);
        *self = Folded { spent: self.spent, ..Folded::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_numbers_marks_and_addresses() {
        let listing = Listing::new("int a;\n<b>\n").language(Language::named("c")).id("src").mark(2, Mark::Fault);
        let text = listing.mark(2, Mark::Kept).render().into_string();
        assert!(
            text.contains("<div class=\"l\" id=\"src-1\"><b data-n=\"1\"></b><code><i class=\"k\">int</i> a;</code>")
        );
        assert!(text.contains("<div class=\"l fault\" id=\"src-2\">") && text.contains("&lt;b&gt;"), "{text}");
        assert!(text.contains("(fails here)"));
    }

    #[test]
    fn what_is_far_from_the_marks_is_folded() {
        let text: String = (1..=100_000).map(|number| format!("line {number}\n")).collect();
        let page = Listing::new(&text).marks([50, 99_000], Mark::Kept).around_marks(1).render().into_string();
        assert!(page.contains("48 lines (1–48)") && page.contains("98,947 lines (52–98998)"), "{page}");
        assert!(page.contains("line 99001<") && !page.contains("line 5000<"));
        assert!(page.len() < 60_000, "{}", page.len());
    }

    #[test]
    fn a_long_text_is_cut() {
        let page = Listing::new(&"x\n".repeat(5000)).render().into_string();
        assert!(page.contains("… and 3,000 more lines"));
    }
}
