//! The page of a triage: bugs first, each with its stack and likely cause; then every program and
//! analysis in a table; then how easy the inputs are.

mod losses;
mod statistics;

use crate::table::{Cell, Table};
use crate::units::{counted, thousands};
use crate::{Figure, Notice, Page, Section, text};
use lapidary::TriageReport;
use lapidary_triage::tables::Scored;
use lapidary_triage::{Examined, Finding, Outcome, Says, Verdict};
use losses::Loss;
use maud::{Markup, html};

/// At most so many programs are in the table.
const PROGRAMS: usize = 2_000;

/// The page of a triage.
#[must_use]
pub fn page(report: &TriageReport) -> Page {
    let losses = losses::all(report);
    let conclusion = &report.conclusion;
    let title = match &report.scored[..] {
        [only] => only.program.clone(),
        all => counted(all.len() as u64, "program"),
    };
    let page = Page::new("triage", title).lead(lead()).notice(notice(report));
    let page = figures(page, report);
    let page = match losses.iter().any(|loss| loss.lost.verdict == Verdict::Bug) {
        true => page.section(Section::new("bugs", "Bugs", losses::bugs(report, &losses))),
        false => page,
    };
    let page = page.section(Section::new("programs", "Programs and analyses", matrix(report, &losses)));
    let early: Vec<&Examined> = report.examined.iter().filter(|examined| examined.ended_early.is_some()).collect();
    let page = match early.is_empty() {
        true => page,
        false => page.section(Section::new("early", "Programs that ended early", ended_early(&early))),
    };
    let notes = notes(report, &early);
    let page = match notes.is_empty() {
        true => page,
        false => page.section(Section::new("notes", "What could not be done", notes_markup(&notes))),
    };
    let page = page.section(Section::new("inputs", "Input by input", losses::inputs(report, &losses)));
    let page = match conclusion.inputs > 1 {
        true => statistics::sections(page, report),
        false => statistics::against_what_ran(page, report),
    };
    match &report.reduced {
        Some(reduced) => page.section(Section::new("reduced", "The small program", losses::reduced(reduced))),
        None => page,
    }
}

fn lead() -> Markup {
    html! {
        "A loss looks like a " span.verdict.bug { "bug" } " if the others get it right, like a "
        span.verdict.feature { "feature" } " if nobody does, and is " span.verdict.unknown { "unknown" } " in between."
    }
}

fn notice(report: &TriageReport) -> Notice {
    let conclusion = &report.conclusion;
    let content = html! { p { strong #conclusion { (text::shown(&conclusion.to_string())) } } };
    match conclusion.says {
        Says::Bug => Notice::bad(content),
        Says::Fine => Notice::good(content),
        Says::Nothing | Says::Interrupted => Notice::warning(content),
    }
}

fn figures(page: Page, report: &TriageReport) -> Page {
    let conclusion = &report.conclusion;
    let early = report.examined.iter().filter(|examined| examined.ended_early.is_some()).count();
    let sound = Figure::new("inputs without a loss", thousands(conclusion.sound as u64));
    let sound = match (early, conclusion.unanswered) {
        (0, 0) => sound,
        (0, unanswered) => sound.note(format!("on {unanswered} nobody answered")),
        (early, 0) => sound.note(format!("{early} ended early")),
        (early, unanswered) => sound.note(format!("{early} ended early, on {unanswered} nobody answered")),
    };
    page.figure(Figure::new("inputs", thousands(conclusion.inputs as u64)))
        .figure(Figure::new("analyses", thousands(report.analyses.len() as u64)))
        .figure(Figure::new("losses that look like bugs", thousands(conclusion.losses.bug as u64)))
        .figure(sound)
}

/// Every program with what each analysis says about it.
fn matrix(report: &TriageReport, losses: &[Loss<'_>]) -> Markup {
    let table = Table::new("programs").text("program").number("easiness");
    let mut table = report.analyses.iter().fold(table, |table, name| table.text(text::plain(name)));
    for (place, scored) in report.scored.iter().enumerate().take(PROGRAMS) {
        let examined = examined_of(report, place);
        let is_early = examined.is_some_and(|examined| examined.ended_early.is_some());
        let name = Cell::markup(html! {
            span { (text::short(&scored.program, 200)) @if is_early { " " span.verdict.early { "ended early" } } }
        });
        let cells = report.analyses.iter().map(|analysis| match examined {
            Some(examined) => finding_cell(examined, analysis, losses),
            None => tool_cell(scored, analysis),
        });
        let has_bug = scored.all_verdicts().any(|verdict| verdict == Verdict::Bug);
        table.push_marked(if has_bug { "bad" } else { "" }, [name, easiness(scored.easiness)].into_iter().chain(cells));
    }
    html! { div.matrix { (table.more(report.scored.len().saturating_sub(PROGRAMS) as u64)) } }
}

/// The details of a program, if it is one that ran. Both lists have the same programs in the same
/// order, unless the tools are not Java analyses.
fn examined_of(report: &TriageReport, place: usize) -> Option<&Examined> {
    report.examined.get(place).filter(|examined| examined.judged.program == report.scored[place].program)
}

fn finding_cell(examined: &Examined, analysis: &str, losses: &[Loss<'_>]) -> Cell {
    let Some(finding) = examined.judged.findings.iter().find(|finding| finding.analysis == analysis) else {
        return Cell::empty();
    };
    Cell::markup(match &finding.outcome {
        Outcome::Sound if examined.ended_early.is_some() => html! { span.verdict.early { "no loss so far" } },
        Outcome::Sound => html! { span.verdict.sound { "sound" } },
        Outcome::Failed(_) => html! { span.why { "no answer" } },
        Outcome::Unsound(_) => unsound(finding, losses),
    })
}

/// The verdicts on the losses of an analysis, each with a link to its stack.
fn unsound(finding: &Finding, losses: &[Loss<'_>]) -> Markup {
    let own = losses.iter().filter(|loss| std::ptr::eq(loss.finding, finding));
    html! { span { @for (number, loss) in own.enumerate() {
        @if number > 0 { ", " }
        (loss.link(verdict(loss.lost.verdict), verdict(loss.lost.verdict)))
    } } }
}

fn tool_cell(scored: &Scored, tool: &str) -> Cell {
    Cell::markup(match (scored.verdicts.get(tool), scored.silent.contains(tool)) {
        (Some(found), _) => verdict(*found),
        (None, true) => html! { span.why { "no answer" } },
        (None, false) => html! { span.verdict.sound { "sound" } },
    })
}

fn verdict(verdict: Verdict) -> Markup {
    let name = verdict.to_string();
    html! { span.verdict.(name) { (name) } }
}

fn easiness(easiness: Option<f64>) -> Cell {
    easiness.map_or_else(Cell::empty, |easiness| Cell::number(easiness, format!("{easiness:.2}")))
}

fn ended_early(early: &[&Examined]) -> Markup {
    html! {
        p { "What these programs did until then counts. That nothing was lost says less about them." }
        ul { @for examined in early.iter().take(PROGRAMS) {
            li { (text::short(&examined.judged.program, 200)) ": "
                (text::short(examined.ended_early.as_deref().unwrap_or_default(), 600)) }
        } }
    }
}

/// The notes that say something else than that a program ended early.
fn notes<'a>(report: &'a TriageReport, early: &[&Examined]) -> Vec<&'a str> {
    let says_so = |note: &str| {
        early.iter().any(|examined| {
            let program = note.strip_prefix(&*examined.judged.program).and_then(|rest| rest.strip_prefix(": "));
            program.is_some_and(|rest| rest.starts_with(examined.ended_early.as_deref().unwrap_or_default()))
        })
    };
    report.notes.iter().map(String::as_str).filter(|note| !says_so(note)).collect()
}

fn notes_markup(notes: &[&str]) -> Markup {
    html! {
        ul { @for note in notes.iter().take(PROGRAMS) { li { (text::short(note, 1_000)) } } }
        @if notes.len() > PROGRAMS { p.cut { "… and " (counted((notes.len() - PROGRAMS) as u64, "more note")) } }
    }
}
