//! The outcomes of an exploration in groups, each with its inputs.

use super::paths::{Group, Kind, Paths, ShownPath};
use super::reached;
use crate::table::{Cell, Table};
use crate::units::{counted, thousands};
use crate::{fold, text};
use lapidary::{ExplorationReport, path_outcome};
use lapidary_symbolic::ExplorationBudget;
use maud::{Markup, html};

/// The exceptions that leave the method, and the assertions that fail.
pub fn thrown(report: &ExplorationReport, paths: &Paths) -> Markup {
    let groups = |kind: Kind| paths.groups(kind);
    let (failed, thrown) = (groups(Kind::Assertion), groups(Kind::Exception));
    let random = &report.random.findings;
    html! {
        @if failed.is_empty() && thrown.is_empty() && random.is_empty() { p { "None was found." } }
        @for (name, group) in failed.into_iter().chain(thrown) { (thrown_group(name, group)) }
        (ungrouped(paths, Kind::Assertion, "with other failed assertions"))
        (ungrouped(paths, Kind::Exception, "with other exceptions"))
        @if !random.is_empty() {
            h3 { "Found by random testing" }
            ul { @for path in random.iter().take(100) { li {
                code { (text::short(&lapidary::call_in_words(&report.method, &path.inputs), 1_000)) } " "
                (text::short(&path_outcome(&report.method, &path.outcome), 400))
            } } }
        }
    }
}

/// How many paths of a kind are in no group, as there are too many groups.
fn ungrouped(paths: &Paths, kind: Kind, which: &str) -> Markup {
    let number = paths.ungrouped(kind);
    html! { @if number > 0 { p.cut { "… and " (counted(number, "path")) " " (which) } } }
}

fn thrown_group(name: &str, group: &Group) -> Markup {
    let (word, class, card) = match group.is_confirmed {
        true => ("confirmed", "confirmed", ""),
        false => ("not confirmed", "unknown", "unknown"),
    };
    html! {
        div.bug-card.(card) {
            h3 { code { (text::shown(name)) } }
            p { span.verdict.(class) { (word) } " · " (counted(group.count, "path")) }
            (inputs(group))
            @if group.stack.len() > 1 {
                (fold(html! { "stack" }, html! {
                    ol.stack { @for place in &group.stack { li { code { (text::shown(place)) } } } }
                }))
            }
        }
    }
}

/// The inputs of a group, the first in full and the others behind a fold.
fn inputs(group: &Group) -> Markup {
    let Some((first, others)) = group.paths.split_first() else { return html! {} };
    let more = group.count - group.paths.len() as u64;
    html! {
        (path(first))
        @if !others.is_empty() {
            (fold(html! { (counted(others.len() as u64, "more input")) }, html! {
                @for other in others { (path(other)) }
                @if more > 0 { p.cut { "… and " (counted(more, "more path")) } }
            }))
        }
    }
}

fn path(path: &ShownPath) -> Markup {
    html! {
        pre.output.call { code { (text::short(&path.call, 1_000)) } }
        p {
            (text::short(&path.outcome, 400))
            @if path.is_confirmed { " " span.verdict.confirmed { "✓ on the real JVM" } }
        }
        @if let Some(otherwise) = &path.otherwise {
            p { span.verdict.unknown { "not confirmed: " } (text::short(otherwise, 600)) }
        }
        @for (name, output) in [("printed", &path.stdout), ("printed to standard error", &path.stderr)] {
            @if !output.is_empty() { (fold(html! { (name) }, text::block(output, 40))) }
        }
    }
}

/// The paths that end normally or leave the program; `None` if there are none.
pub fn ended(paths: &Paths) -> Option<Markup> {
    let groups: Vec<(&str, &Group)> =
        [Kind::Exit, Kind::Return].into_iter().flat_map(|kind| paths.groups(kind)).collect();
    let ungrouped = paths.ungrouped(Kind::Return) + paths.ungrouped(Kind::Exit);
    if groups.is_empty() {
        return None;
    }
    let mut table = Table::new("results").text("result").number("paths").text("input");
    for (name, group) in groups {
        table.push([Cell::code(name), Cell::count(group.count), Cell::markup(result_inputs(group))]);
    }
    Some(html! {
        (table)
        @if ungrouped > 0 { p.cut { "… and " (counted(ungrouped, "path")) " with other results" } }
    })
}

fn result_inputs(group: &Group) -> Markup {
    let Some((first, others)) = group.paths.split_first() else { return html! {} };
    let more = group.count - group.paths.len() as u64;
    html! {
        div {
            (result_input(first))
            @if !others.is_empty() {
                (fold(html! { (counted(others.len() as u64, "more input")) }, html! {
                    ul.plain { @for other in others { li { (result_input(other)) } } }
                    @if more > 0 { p.cut { "… and " (counted(more, "more path")) } }
                }))
            }
        }
    }
}

fn result_input(path: &ShownPath) -> Markup {
    html! {
        code { (text::short(&path.call, 400)) }
        @if !path.stdout.is_empty() { " prints " code { (text::short(&path.stdout, 80)) } }
    }
}

/// The undecided and unfinished parts of an exploration; `None` if there are none.
pub fn open(report: &ExplorationReport, paths: &Paths) -> Option<Markup> {
    let (explored, tally) = (&report.explored, &report.tally);
    let unsupported = paths.groups(Kind::Unsupported);
    let is_open = explored.left_waiting > 0
        || tally.unsupported + tally.too_long + explored.undecided > 0
        || !tally.missing.is_empty();
    is_open.then(|| {
        html! {
            ul {
                @if explored.left_waiting > 0 {
                    li { (counted(explored.left_waiting as u64, "path")) " still waiting when " (reached(report)) }
                }
                @if tally.too_long > 0 {
                    li { (counted(tally.too_long, "path")) " abandoned after "
                        (thousands(ExplorationBudget::default().instructions)) " instructions" }
                }
                @if explored.undecided > 0 {
                    li { (counted(explored.undecided, "condition")) " undecided, so some branches were not taken; the first: "
                        code { (text::short(report.first_undecided.as_deref().unwrap_or("unknown"), 600)) } }
                }
                @for class in &tally.missing {
                    li { "class " code { (text::shown(class)) } " is missing, so paths that need it are not findings" }
                }
                @if tally.unsupported > 0 {
                    li { (counted(tally.unsupported, "path")) " needed something that is not supported" }
                }
            }
            @for (what, group) in unsupported {
                h3 { "not supported: " (text::shown(what)) " " span.count { (counted(group.count, "path")) } }
                (inputs(group))
            }
            (ungrouped(paths, Kind::Unsupported, "that needed something else"))
        }
    })
}
