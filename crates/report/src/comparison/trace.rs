//! The boundary crossings of both versions, step by step, with the first step that differs.

use crate::sources::{Sources, class_and_line, file_of_class};
use crate::text;
use crate::units::counted;
use lapidary::ComparisonReport;
use lapidary_compare::{Candidate, TraceStep, Where};
use lapidary_symbolic::Part;
use maud::{Markup, html};

/// So many equal steps are shown before the first that differs.
const BEFORE: usize = 6;

/// At most so many steps are aligned after it, and at most so many rows are shown in all.
const AFTER: usize = 200;
const ROWS: usize = 600;

/// A step of each version, at the same height.
struct Row<'a> {
    steps: [Option<&'a TraceStep>; 2],
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Same,
    Parted,
    After,
}

pub fn table(report: &ComparisonReport, candidate: &Candidate, sources: &[Sources; 2]) -> Markup {
    let at = if let Where::Event(at) = candidate.at { at } else { usize::MAX };
    let rows = aligned(&candidate.old_trace, &candidate.new_trace, at);
    let first = rows.iter().position(|row| row.kind == Kind::Parted).unwrap_or(rows.len());
    let (folded, shown) = rows.split_at(first.saturating_sub(BEFORE));
    let step = |row: &Row<'_>| row_markup(report, row, sources);
    html! {
        p.why { "→ into code that must not change, ← into code that may." }
        div.trace {
            div.step.head { @for name in &report.names { div { (text::shown(name)) } } }
            @if !folded.is_empty() {
                details {
                    summary { (counted(folded.len() as u64, "equal step")) " before" }
                    @for row in folded.iter().take(ROWS) { (step(row)) }
                }
            }
            @for row in shown.iter().take(ROWS) { (step(row)) }
        }
        @if shown.len() > ROWS { p.cut { "… and " (counted((shown.len() - ROWS) as u64, "more step")) } }
    }
}

/// Both traces: equal up to the first difference, and then aligned where they do the same again.
fn aligned<'a>(old: &'a [TraceStep], new: &'a [TraceStep], at: usize) -> Vec<Row<'a>> {
    let same = at.min(old.len()).min(new.len());
    let mut rows: Vec<Row<'a>> =
        old.iter().zip(new).take(same).map(|(old, new)| row([Some(old), Some(new)], Kind::Same)).collect();
    let (mut old, mut new) = (&old[same..], &new[same..]);
    if at != usize::MAX && (!old.is_empty() || !new.is_empty()) {
        rows.push(row([old.first(), new.first()], Kind::Parted));
        (old, new) = (old.get(1..).unwrap_or_default(), new.get(1..).unwrap_or_default());
    }
    let again = common(&old[..old.len().min(AFTER)], &new[..new.len().min(AFTER)]);
    let (mut i, mut j) = (0, 0);
    for (one, other) in again.into_iter().chain([(old.len(), new.len())]) {
        let (gone, come) = (&old[i..one], &new[j..other]);
        let height = gone.len().max(come.len());
        rows.extend((0..height).map(|at| row([gone.get(at), come.get(at)], Kind::After)));
        if let (Some(old), Some(new)) = (old.get(one), new.get(other)) {
            rows.push(row([Some(old), Some(new)], Kind::After));
        }
        (i, j) = ((one + 1).min(old.len()), (other + 1).min(new.len()));
    }
    rows
}

fn row<'a>(steps: [Option<&'a TraceStep>; 2], kind: Kind) -> Row<'a> {
    Row { steps, kind }
}

/// The places of a longest common subsequence of steps.
fn common(old: &[TraceStep], new: &[TraceStep]) -> Vec<(usize, usize)> {
    let mut lengths = vec![vec![0_usize; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            lengths[i][j] = match old[i].text == new[j].text {
                true => lengths[i + 1][j + 1] + 1,
                false => lengths[i + 1][j].max(lengths[i][j + 1]),
            };
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < old.len() && j < new.len() {
        if old[i].text == new[j].text {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if lengths[i + 1][j] >= lengths[i][j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

fn row_markup(report: &ComparisonReport, row: &Row<'_>, sources: &[Sources; 2]) -> Markup {
    let class = match row.kind {
        Kind::Same => "same",
        Kind::Parted => "parted",
        Kind::After => "after",
    };
    html! {
        div.step.(class) {
            @for (side, step) in row.steps.iter().enumerate() {
                div data-side=(text::plain(&report.names[side])) {
                    @if let Some(step) = step { (cell(report, step, side, &sources[side])) }
                }
            }
        }
    }
}

fn cell(report: &ComparisonReport, step: &TraceStep, side: usize, sources: &Sources) -> Markup {
    let arrow = if step.to == Part::Affected { "←" } else { "→" };
    let indent = "\u{2003}".repeat(step.depth.min(12) as usize);
    let line = class_and_line(&step.place).and_then(|(class, line)| {
        let file = file_of_class(class, Some(&report.class_paths[side]));
        let text = sources.text(&file)?.text;
        Some(text.lines().nth(line.checked_sub(1)?)?.trim().to_owned())
    });
    html! {
        span.words { (indent) (arrow) " " (text::short(&step.text, 600)) }
        span.place {
            (text::shown(&step.place)) " "
            @if let Some(line) = line { code { (text::short(&line, 160)) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(texts: &[&str]) -> Vec<TraceStep> {
        let step = |text: &&str| TraceStep {
            text: (*text).to_owned(),
            place: "A.f:1".to_owned(),
            to: Part::Unaffected,
            depth: 0,
        };
        texts.iter().map(step).collect()
    }

    fn shown(old: &[&str], new: &[&str], at: usize) -> Vec<String> {
        let (old, new) = (steps(old), steps(new));
        let text = |step: Option<&TraceStep>| step.map_or("-", |step| &step.text).to_owned();
        let mark = |kind| match kind {
            Kind::Same => "=",
            Kind::Parted => "!",
            Kind::After => "~",
        };
        let rows = aligned(&old, &new, at);
        rows.iter().map(|row| format!("{}{}{}", text(row.steps[0]), mark(row.kind), text(row.steps[1]))).collect()
    }

    #[test]
    fn traces_meet_again_after_the_difference() {
        let rows = shown(&["a", "b", "c", "d"], &["a", "x", "n", "c", "d"], 1);
        assert_eq!(rows, ["a=a", "b!x", "-~n", "c~c", "d~d"]);
    }

    #[test]
    fn a_trace_may_end_where_the_other_goes_on() {
        assert_eq!(shown(&["a"], &["a", "b", "c"], 1), ["a=a", "-!b", "-~c"]);
        assert_eq!(shown(&["a", "b"], &["a", "b"], usize::MAX), ["a=a", "b=b"]);
        assert!(shown(&[], &[], 0).is_empty());
    }
}
