//! The lines of the program that ran and that did not, on its sources where they are found, and by
//! method.

use super::paths::{Kind, Paths};
use crate::code::{Language, Listing, Mark};
use crate::sources::{Sources, class_and_line, file_of_class};
use crate::table::{Cell, Table};
use crate::text;
use crate::units::{counted, percent};
use lapidary::ExplorationReport;
use lapidary_symbolic::{FileLines, Share};
use maud::{Markup, html};
use std::collections::{BTreeMap, BTreeSet};

/// At most so many files, so many lines of a file, and so many methods are shown.
const FILES: usize = 20;
const LINES: usize = 600;
const METHODS: usize = 500;

/// The facts about a source file.
#[derive(Default)]
struct File<'a> {
    ran: &'a [u16],
    missed: &'a [u16],
    /// The exceptions that begin at a line.
    thrown: BTreeMap<usize, BTreeSet<&'a str>>,
}

pub fn markup(report: &ExplorationReport, paths: &Paths, sources: &Sources) -> Markup {
    let covered = &report.covered;
    let files = files(report, paths);
    let found: Vec<(&str, &File<'_>, String)> = files
        .iter()
        .filter_map(|(name, file)| Some((*name, file, sources.text(name)?.text)))
        .filter(|(_, file, text)| fits(file, text))
        .collect();
    let without: Vec<&str> =
        files.keys().filter(|name| !found.iter().any(|(other, ..)| other == *name)).copied().collect();
    html! {
        @if covered.methods == 0 { p { "No line of the program ran." } } @else {
            p { (covered.lines.to_string()) " lines and " (covered.branches.to_string()) " branches ran, of "
                (counted(covered.methods as u64, "method")) " that a path entered." }
        }
        @for (number, (name, file, text)) in found.iter().take(FILES).enumerate() { (listing(number, name, file, text)) }
        @if found.len() > FILES { p.cut { "… and " (counted((found.len() - FILES) as u64, "more file")) } }
        @if !without.is_empty() { (missed_lines(report, &without, sources)) }
        @if !covered.each.is_empty() { h3 { "By method" } (methods(report)) }
    }
}

/// Whether lines of a file can be lines of this text. A text of another version may be too short.
fn fits(file: &File<'_>, text: &str) -> bool {
    let last = file.ran.iter().chain(file.missed).max().copied().unwrap_or(0);
    usize::from(last) <= text.lines().count()
}

fn files<'a>(report: &'a ExplorationReport, paths: &'a Paths) -> BTreeMap<&'a str, File<'a>> {
    let mut files: BTreeMap<&str, File<'_>> = BTreeMap::new();
    for FileLines { file, lines } in &report.covered.ran {
        files.entry(file).or_default().ran = lines;
    }
    for FileLines { file, lines } in &report.covered.missed {
        files.entry(file).or_default().missed = lines;
    }
    for (name, group) in [Kind::Assertion, Kind::Exception].into_iter().flat_map(|kind| paths.groups(kind)) {
        let own = group.stack.iter().find_map(|place| {
            let (class, line) = class_and_line(place)?;
            Some((file_of_class(class, None), line))
        });
        if let Some((file, line)) = own
            && let Some(file) = files.get_mut(file.as_str())
        {
            file.thrown.entry(line).or_default().insert(name.split(" at ").next().unwrap_or(name));
        }
    }
    files
}

fn listing(number: usize, name: &str, file: &File<'_>, text: &str) -> Markup {
    let lines = |lines: &[u16]| lines.iter().map(|line| usize::from(*line)).collect::<Vec<_>>();
    let listing = Listing::new(text)
        .name(name)
        .language(Language::named("java"))
        .id(format!("source-{number}"))
        .at_most(LINES)
        .marks(lines(file.ran), Mark::Ran)
        .marks(lines(file.missed), Mark::Missed)
        .around_marks(2);
    let listing = file.thrown.iter().fold(listing, |listing, (line, thrown)| {
        let names: Vec<&str> = thrown.iter().copied().collect();
        listing.mark(*line, Mark::Fault).remark(*line, html! { "throws " (text::shown(&names.join(", "))) })
    });
    html! { (listing) }
}

/// The lines that never ran, of files whose text was not found.
fn missed_lines(report: &ExplorationReport, without: &[&str], sources: &Sources) -> Markup {
    let missed: Vec<String> = report
        .covered
        .missed
        .iter()
        .filter(|missed| without.contains(&missed.file.as_str()))
        .take(200)
        .map(ToString::to_string)
        .collect();
    html! {
        @if !sources.is_withheld() {
            p.why { "The source of " (text::short(&without.join(", "), 600))
                " was not found near the classes; " code { "--sources DIR" } " says where it is." }
        }
        @if !missed.is_empty() { p { "Never run: " (text::short(&missed.join(", "), 4_000)) } }
    }
}

fn methods(report: &ExplorationReport) -> Markup {
    let each = &report.covered.each;
    let mut table = Table::new("methods").text("method").number("lines").number("branches");
    for method in each.iter().take(METHODS) {
        let row = [Cell::code(&method.name), cell(method.lines), cell(method.branches)];
        table.push_marked(if method.lines.reached < method.lines.total { "warning" } else { "" }, row);
    }
    html! { (table.more(each.len().saturating_sub(METHODS) as u64)) }
}

/// A share, sorted by its size.
fn cell(share: Share) -> Cell {
    if share.total == 0 {
        return Cell::empty();
    }
    let part = share.reached as f64 / share.total as f64;
    Cell::number(part, format!("{} ({share})", percent(part)))
}
