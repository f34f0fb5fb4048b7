//! The losses of a triage: the table of bugs, and each loss with its stack and its likely causes.

use super::{easiness, verdict};
use crate::table::{Cell, Table};
use crate::text;
use crate::units::{bytes, counted};
use lapidary::{ReducedLoss, TriageReport};
use lapidary_triage::{Examined, Finding, Lost, Outcome, Verdict};
use maud::{Markup, html};

/// At most so many bugs are in the table, and so many inputs have their details.
const BUGS: usize = 500;
const INPUTS: usize = 400;

/// So many frames of a stack are shown, and so many causes are explained.
const FRAMES: usize = 40;
const CAUSES: usize = 3;

/// A method that an analysis lost, with its place in the page.
pub struct Loss<'a> {
    number: usize,
    pub examined: &'a Examined,
    pub finding: &'a Finding,
    pub lost: &'a Lost,
    /// How many others are like it, if it is not the first loss.
    further: Option<usize>,
    /// Whether the page has its details.
    is_detailed: bool,
}

impl Loss<'_> {
    pub fn id(&self) -> String {
        format!("loss-{}", self.number)
    }

    /// A link to the details, or the words in place of it.
    pub fn link(&self, words: Markup, otherwise: Markup) -> Markup {
        html! { @if self.is_detailed { a href={ "#" (self.id()) } { (words) } } @else { (otherwise) } }
    }
}

/// All losses, program by program and analysis by analysis.
pub fn all(report: &TriageReport) -> Vec<Loss<'_>> {
    let findings = report
        .examined
        .iter()
        .flat_map(|examined| examined.judged.findings.iter().map(move |finding| (examined, finding)));
    let losses = findings.flat_map(|(examined, finding)| {
        let first = match &finding.outcome {
            Outcome::Unsound(lost) => Some((&**lost, None)),
            _ => None,
        };
        let further = finding.further.iter().map(|further| (&further.lost, Some(further.alike)));
        first.into_iter().chain(further).map(move |(lost, further)| (examined, finding, lost, further))
    });
    let with_details = with_details(report);
    let is_detailed = |examined: &Examined| with_details.iter().any(|shown| std::ptr::eq(*shown, examined));
    let numbered = losses.enumerate();
    numbered
        .map(|(number, (examined, finding, lost, further))| Loss {
            number,
            examined,
            finding,
            lost,
            further,
            is_detailed: is_detailed(examined),
        })
        .collect()
}

/// The bugs, the easiest inputs first.
pub fn bugs(report: &TriageReport, losses: &[Loss<'_>]) -> Markup {
    let mut bugs: Vec<&Loss<'_>> = losses.iter().filter(|loss| loss.lost.verdict == Verdict::Bug).collect();
    bugs.sort_by(|one, other| other.lost.easiness.total_cmp(&one.lost.easiness));
    let more = bugs.len().saturating_sub(BUGS);
    let is_single = report.scored.len() == 1;
    let table = Table::new("bugs").text("analysis");
    let table = if is_single { table } else { table.text("program") };
    let mut table =
        table.text("method that it misses").text("looks like").number("easiness").text("found by").text("stack");
    for loss in bugs.into_iter().take(BUGS) {
        let lost = loss.lost;
        let program = (!is_single).then(|| Cell::markup(text::short(&loss.examined.judged.program, 200)));
        let cells = [
            Cell::markup(method(lost)),
            Cell::text(lost.causes.first().map_or("nothing known", |cause| cause.name)),
            easiness(Some(lost.easiness)),
            Cell::text(&lost.found_by.join(", ")),
            Cell::markup(loss.link(html! { "stack" }, html! { "not shown" })),
        ];
        table.push([Cell::text(&loss.finding.analysis)].into_iter().chain(program).chain(cells));
    }
    html! { (table.more(more as u64)) }
}

/// A short name of a lost method, the whole of which is its title.
fn method(lost: &Lost) -> Markup {
    let name = lost.entry.method.as_str();
    html! { code { (text::short(name, 300)) } }
}

/// Each input with what was lost on it. Those with losses are unfolded.
pub fn inputs(report: &TriageReport, losses: &[Loss<'_>]) -> Markup {
    if report.examined.is_empty() {
        return of_tools(report);
    }
    let more = report.examined.len().saturating_sub(INPUTS);
    html! {
        @for examined in with_details(report) {
            details open[has_loss(examined)] {
                summary { b { (text::short(&examined.judged.program, 200)) } " " span.count {
                    (counted(examined.judged.entered.len() as u64, "method")) " entered"
                    @if let Some(easiness) = examined.judged.easiness { ", easiness " (format!("{easiness:.2}")) }
                } }
                div.folded {
                    (others(examined))
                    @for loss in losses.iter().filter(|loss| std::ptr::eq(loss.examined, examined)) { (card(loss)) }
                }
            }
        }
        @if more > 0 { p.cut { "… and " (counted(more as u64, "more input")) } }
    }
}

/// The inputs whose details are on the page, those with losses first.
fn with_details(report: &TriageReport) -> Vec<&Examined> {
    let mut examined: Vec<&Examined> = report.examined.iter().collect();
    examined.sort_by_key(|examined| !has_loss(examined));
    examined.truncate(INPUTS);
    examined
}

fn has_loss(examined: &Examined) -> bool {
    examined.judged.losses().next().is_some()
}

/// The analyses that lost nothing, or did not answer.
fn others(examined: &Examined) -> Markup {
    let findings = &examined.judged.findings;
    let sound: Vec<&str> = findings
        .iter()
        .filter(|finding| matches!(finding.outcome, Outcome::Sound))
        .map(|finding| finding.analysis.as_str())
        .collect();
    let failed = findings.iter().filter_map(|finding| match &finding.outcome {
        Outcome::Failed(reason) => Some((&finding.analysis, reason)),
        _ => None,
    });
    html! {
        @if !sound.is_empty() {
            p { @match &examined.ended_early {
                Some(_) => span.verdict.early { "no loss until it ended early" },
                None => span.verdict.sound { "sound" },
            } ": " (text::shown(&sound.join(", "))) }
        }
        @for (analysis, reason) in failed {
            p { (text::shown(analysis)) " " span.why { "gave no answer: " (text::short(reason, 600)) } }
        }
    }
}

fn card(loss: &Loss<'_>) -> Markup {
    let lost = loss.lost;
    let kind = lost.verdict.to_string();
    let which = match loss.further {
        None if lost.count == 1 => "its only loss".to_owned(),
        None => format!("its first loss of {}", lost.count),
        Some(1) => "also lost".to_owned(),
        Some(alike) => format!("also lost, with {} more like it", alike - 1),
    };
    let found = if lost.found_by.is_empty() { "nobody".to_owned() } else { lost.found_by.join(", ") };
    let frames = lost.entry.stack.len();
    let stack = html! {
        ol.stack {
            @for (depth, frame) in lost.entry.stack.iter().take(FRAMES).enumerate() {
                li.fails[depth == 0] {
                    code { (text::short(frame.method.as_str(), 300)) }
                    span.place { @match frame.at { Some(at) => { "at instruction " (at) }, None => "native" } }
                }
            }
        }
        @if frames > FRAMES { p.cut { "… and " (counted((frames - FRAMES) as u64, "more frame")) } }
    };
    html! {
        div.bug-card.(kind) #(loss.id()) {
            h3 { (verdict(lost.verdict)) " " (text::shown(&loss.finding.analysis)) " misses " (method(lost)) }
            p { (which) " · easiness " (format!("{:.2}", lost.easiness)) " · found by " (text::shown(&found)) }
            @for cause in lost.causes.iter().take(CAUSES) {
                p { "Looks like " b { (cause.name) } ": " (cause.says) }
            }
            @if frames > 0 {
                details open[lost.verdict == Verdict::Bug && frames <= 12] {
                    summary { "stack when it was first entered" }
                    div.folded { (stack) }
                }
            }
        }
    }
}

/// Inputs about which tools only say whether they are right.
fn of_tools(report: &TriageReport) -> Markup {
    let mut table = Table::new("inputs").text("input").number("easiness").text("verdicts");
    for scored in report.scored.iter().take(super::PROGRAMS) {
        let verdicts = html! { span { @for (number, (name, found)) in scored.verdicts.iter().enumerate() {
            @if number > 0 { ", " }
            (text::shown(name)) ": " (verdict(*found))
        } } };
        table.push([Cell::text(&scored.program), easiness(scored.easiness), Cell::markup(verdicts)]);
    }
    html! { (table.more(report.scored.len().saturating_sub(super::PROGRAMS) as u64)) }
}

/// The program that still shows a loss.
pub fn reduced(reduced: &ReducedLoss) -> Markup {
    let report = &reduced.report;
    html! {
        p { (bytes(report.bytes_after)) " of " (bytes(report.bytes_before)) " left: "
            (text::shown(&reduced.loser)) " still misses " (method(&reduced.lost)) "." }
        @if let Some(saved) = &report.saved { p { "Saved in " code { (text::shown(&saved.to_string_lossy())) } } }
        @if let Some(stop) = &report.stop { p { "The reduction stopped early: " (text::shown(&stop.to_string())) } }
    }
}
