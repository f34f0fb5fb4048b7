//! The page of an exploration: what the method can do, each outcome with inputs that show it, and
//! which lines of the program ran.

mod coverage;
mod outcomes;
mod paths;

pub use paths::Paths;

use crate::chart::{Bars, Part};
use crate::sources::Sources;
use crate::units::{counted, percent, seconds, thousands};
use crate::{Figure, Notice, Page, Section, text};
use lapidary::ExplorationReport;
use lapidary_symbolic::Limit;
use maud::{Markup, html};
use paths::Kind;

/// The page of an exploration, with its paths and the sources of the program.
#[must_use]
pub fn page(report: &ExplorationReport, paths: &Paths, sources: &Sources) -> Page {
    let page = Page::new("explore", report.method.to_string()).lead(lead(report));
    let page = notices(page, report, paths);
    let page = figures(page, report)
        .section(Section::new("outcomes", "What it can do", overview(paths)))
        .section(Section::new("findings", "Exceptions and failed assertions", outcomes::thrown(report, paths)));
    let page = match outcomes::ended(paths) {
        Some(ended) => page.section(Section::new("results", "Results", ended)),
        None => page,
    };
    let page = match outcomes::open(report, paths) {
        Some(open) => page.section(Section::new("open", "What was left open", open)),
        None => page,
    };
    page.section(Section::new("coverage", "What ran", coverage::markup(report, paths, sources))).section(Section::new(
        "reach",
        "How far was looked",
        reach(report),
    ))
}

/// The page for somebody else, such as readers of a bug tracker: without the sources of the program.
#[must_use]
pub fn page_to_send(report: &ExplorationReport, paths: &Paths) -> Page {
    page(report, paths, &Sources::withheld())
}

fn lead(report: &ExplorationReport) -> Markup {
    let paths = counted(report.explored.paths, "path");
    match report.is_exhausted() {
        true => html! { (paths) ": every way through the method, for all inputs within the limits below." },
        false => html! { (paths) ": not all there are." },
    }
}

/// The findings of the exploration, and those of random testing that it has not.
fn found(report: &ExplorationReport) -> u64 {
    report.tally.findings + report.random.keys().difference(&report.tally.confirmed()).count() as u64
}

fn notices(page: Page, report: &ExplorationReport, paths: &Paths) -> Page {
    let found = found(report);
    let exceptions = if found == 1 { "1 exception leaves" } else { &format!("{} exceptions leave", thousands(found)) };
    let page = match (found, report.is_exhausted() && report.tally.unconfirmed == 0) {
        (0, true) => {
            page.notice(Notice::good(html! { p { "No exception leaves the method, and no assertion fails." } }))
        }
        (0, false) => page.notice(Notice::note(html! { p { "No exception was found that leaves the method." } })),
        _ => page.notice(Notice::bad(html! { p { (exceptions) " the method, confirmed on the real JVM." } })),
    };
    let page = match report.tally.unconfirmed {
        0 => page,
        count => page.notice(Notice::warning(html! {
            p { "On " (counted(count, "path")) " the real JVM did something else than predicted. "
                a href="#findings" { "They are marked below." } }
        })),
    };
    let page = match report.restrictions.is_empty() {
        true => page,
        false => page.notice(Notice::note(html! {
            p { "Inputs were restricted:" }
            ul { @for restriction in &report.restrictions { li { (text::shown(restriction)) } } }
        })),
    };
    match outcomes::open(report, paths) {
        Some(_) => page.notice(Notice::warning(html! {
            p { "Something was " a href="#open" { "left open" } ", so there may be more outcomes." }
        })),
        None => page,
    }
}

fn figures(page: Page, report: &ExplorationReport) -> Page {
    let covered = &report.covered;
    let page = page
        .figure(Figure::new("paths", thousands(report.explored.paths)))
        .figure(Figure::new("findings", thousands(found(report))).note("confirmed on the real JVM"));
    let shares = [("lines that ran", covered.lines), ("branches taken", covered.branches)];
    let page = shares.into_iter().filter(|(_, share)| share.total > 0).fold(page, |page, (name, lines)| {
        let share = lines.reached as f64 / lines.total as f64;
        page.figure(Figure::new(name, percent(share)).share(share).note(lines.to_string()))
    });
    page.figure(Figure::new("time", seconds(report.explored.elapsed.as_secs_f64())))
}

/// The number of paths of each kind.
fn overview(paths: &Paths) -> Markup {
    let kinds: Vec<Kind> = Kind::ALL.into_iter().filter(|kind| paths.count(*kind) > 0).collect();
    let part = |kind: &Kind| Part { name: kind.name().to_owned(), tone: kind.tone() };
    let bars = Bars::new("Paths by outcome", kinds.iter().map(part).collect());
    let bars = kinds.iter().enumerate().fold(bars, |bars, (at, kind)| {
        let count = paths.count(*kind);
        let values = (0..kinds.len()).map(|place| if place == at { count as f64 } else { 0.0 });
        bars.row(kind.name(), values.collect(), counted(count, "path"))
    });
    html! { @if kinds.is_empty() { p { "No path was finished." } } @else { (bars) } }
}

fn reach(report: &ExplorationReport) -> Markup {
    let random = &report.random;
    let symbolic = report.tally.confirmed();
    html! {
        ul {
            li { (counted(report.instructions, "instruction")) ", " (counted(report.queries, "question"))
                " to the solver, " (seconds(report.explored.elapsed.as_secs_f64())) }
            @if report.explored.merged > 0 { li { (counted(report.explored.merged, "path")) " merged with others" } }
            @if let Some(tested) = &random.tested {
                li { "Random testing made " (counted(tested.calls, "call")) " in "
                    (seconds(tested.elapsed.as_secs_f64())) " and found "
                    (counted(random.keys().len() as u64, "different exception")) ", "
                    (random.keys().difference(&symbolic).count()) " of them only it." }
            }
            @if let Some(failure) = &random.failure { li { "Random testing failed: " (text::shown(failure)) } }
        }
    }
}

/// The limit that ended an exploration, and how to change it.
fn reached(report: &ExplorationReport) -> &'static str {
    match report.explored.stopped_by {
        Some(Limit::Time) | None => "time ran out; see --budget",
        Some(Limit::Paths) => "the number of --paths was reached",
        Some(Limit::States) => "there were too many to keep; --search depth keeps fewer",
        Some(Limit::Memory) => "memory ran out; see --memory",
        Some(Limit::Interrupted) => "the run was interrupted",
    }
}
