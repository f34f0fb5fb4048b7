//! The sources of both versions: first that of the step that differs, then the classes that changed,
//! then those that the traces run through.

use crate::code::{Language, Mark};
use crate::diff::SideBySide;
use crate::sources::{SourceText, Sources, class_and_line, file_of_class};
use crate::units::counted;
use crate::{fold, text};
use lapidary::ComparisonReport;
use lapidary_compare::{TraceStep, Where};
use maud::{Markup, html};
use std::collections::BTreeMap;

/// At most so many files are shown, the first ones unfolded.
const FILES: usize = 20;
const OPEN: usize = 3;

/// At most so many lines of a file are shown.
const LINES: usize = 400;

type Marks = BTreeMap<usize, Mark>;

/// The sources side by side; `None` if neither version has any, and nothing changed, or if they are
/// withheld.
pub fn sources(report: &ComparisonReport, sources: &[Sources; 2]) -> Option<Markup> {
    if sources.iter().all(Sources::is_withheld) {
        return None;
    }
    let files = files(report);
    let marks = [0, 1].map(|side| marks(report, side));
    let found: Vec<(String, [Option<SourceText>; 2])> =
        files.iter().filter_map(|file| Some((file.clone(), both(file, sources)?))).collect();
    if found.is_empty() {
        return (!report.changes.classes.is_empty()).then(|| without_sources(report));
    }
    let more = found.len().saturating_sub(FILES);
    Some(html! {
        @if marks.iter().any(|marks| !marks.is_empty()) {
            p.why { "Marked lines are where a step of the trace begins; a red one begins the step that differs." }
        }
        @for (number, (file, texts)) in found.iter().take(FILES).enumerate() {
            @let picture = picture(report, file, texts, &marks);
            @if number < OPEN { h3 { (text::shown(file)) } (picture) }
            @else { (fold(html! { (text::shown(file)) }, picture)) }
        }
        @if more > 0 { p.cut { "… and " (counted(more as u64, "more file")) } }
    })
}

fn picture(
    report: &ComparisonReport,
    file: &str,
    texts: &[Option<SourceText>; 2],
    marks: &[BTreeMap<String, Marks>; 2],
) -> Markup {
    let text = |side: usize| texts[side].as_ref().map_or("", |source| &*source.text);
    let own = |side: usize| marks[side].get(file).cloned().unwrap_or_default();
    let [old, new] = &report.names;
    html! {
        (SideBySide::new((old, text(0)), (new, text(1))).marks(own(0), own(1))
            .language(Language::named("java")).at_most(LINES))
    }
}

/// The text of a file in both versions. If both would be the same file, it cannot be that of both.
fn both(file: &str, sources: &[Sources; 2]) -> Option<[Option<SourceText>; 2]> {
    let found = [sources[0].text(file), sources[1].text(file)];
    match &found {
        [Some(old), Some(new)] if old.path == new.path => None,
        [None, None] => None,
        _ => Some(found),
    }
}

/// The source files to show, the most important first.
fn files(report: &ComparisonReport) -> Vec<String> {
    let mut files = Vec::new();
    let mut add = |class: &str, side: usize| {
        let file = file_of_class(class, Some(&report.class_paths[side]));
        if !files.contains(&file) {
            files.push(file);
        }
    };
    let steps = |side: usize| trace(report, side).iter().filter_map(|step| class_and_line(&step.place));
    for side in [0, 1] {
        parted(report, side)
            .and_then(|step| class_and_line(&step.place))
            .into_iter()
            .for_each(|(class, _)| add(class, side));
    }
    report.changes.classes.iter().for_each(|change| add(&change.class, 1));
    for side in [0, 1] {
        steps(side).for_each(|(class, _)| add(class, side));
    }
    files
}

fn trace(report: &ComparisonReport, side: usize) -> &[TraceStep] {
    let candidate = report.comparison.difference.as_ref();
    candidate.map_or(&[], |candidate| if side == 0 { &candidate.old_trace } else { &candidate.new_trace })
}

/// The first step of a version that differs.
fn parted(report: &ComparisonReport, side: usize) -> Option<&TraceStep> {
    match report.comparison.difference.as_ref()?.at {
        Where::Event(at) => trace(report, side).get(at),
        _ => None,
    }
}

/// The lines where steps begin, by file.
fn marks(report: &ComparisonReport, side: usize) -> BTreeMap<String, Marks> {
    let mut marks: BTreeMap<String, Marks> = BTreeMap::new();
    let parted = parted(report, side).map(|step| &*step.place);
    for (step, place) in trace(report, side).iter().filter_map(|step| Some((step, class_and_line(&step.place)?))) {
        let file = file_of_class(place.0, Some(&report.class_paths[side]));
        let mark = if Some(&*step.place) == parted { Mark::Fault } else { Mark::Cause };
        let entry = marks.entry(file).or_default().entry(place.1).or_insert(mark);
        if mark == Mark::Fault {
            *entry = mark;
        }
    }
    marks
}

/// The classes that differ, if their sources are not known.
fn without_sources(report: &ComparisonReport) -> Markup {
    html! {
        p { "No sources were found for both versions. " code { "--sources OLD:NEW" } " says where they are." }
        ul { @for change in report.changes.classes.iter().take(200) {
            li { code { (text::shown(&change.class)) } " " span.why { (text::short(&change.what, 400)) } }
        } }
    }
}
