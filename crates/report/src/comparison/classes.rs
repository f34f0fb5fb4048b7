//! The classes of the program: those that differ, those that may change as well, those that must
//! not, beside a drawing of how they depend on each other. With the page's script, a reader moves classes and saves the specification.

use super::graph;
use crate::text;
use crate::units::counted;
use lapidary::{ComparisonReport, Scope};
use lapidary_compare::Outline;
use maud::{Markup, html};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// About so many classes are shown, those nearest to a change.
const CLASSES: usize = 60;

/// So many classes that a class mentions are named.
const MENTIONED: usize = 6;

pub fn lists(report: &ComparisonReport) -> Markup {
    let affected = affected(report);
    let near = near(&report.graph, &affected);
    let outline = Outline::of(&report.scope.text);
    let changed = changed(report);
    let undrawn = report.graph.len() - near.len();
    let in_column = |column: usize| -> Vec<(usize, &str)> {
        let place = |class: &str| match (changed.contains_key(class), affected.contains(class)) {
            (true, true) => 0,
            (_, true) => 1,
            _ => 2,
        };
        near.iter().copied().enumerate().filter(|(_, class)| place(class) == column).collect()
    };
    let columns = [
        ("changed", "Differs, and may change", in_column(0), "none"),
        ("affected", "May change", in_column(1), "none"),
        (
            "unaffected",
            "Must not change",
            in_column(2),
            "None. What callers see of the other classes must stay the same.",
        ),
    ];
    html! {
        @if outline.is_none() {
            p.why { "The rules of the specification are not separate tables, so they cannot be changed here." }
        }
        div.class-map {
            @if let Some(graph) = graph::drawing(&report.graph, &changed, &affected) { (graph) }
            div.classes { @for (class, title, rows, without) in &columns {
                div.(*class) {
                    h3 { (title) " " span.count { (rows.len()) } }
                    @if rows.is_empty() { p.why { (without) } }
                    ul { @for (number, name) in rows {
                        li data-class=[outline.is_some().then_some(number)] {
                            code { (text::shown(name)) }
                            @if let Some(what) = changed.get(name) { span.why { (text::short(what, 200)) } }
                            @if let Some(mentioned) = mentioned(report, name, &affected) { span.why { (text::shown(&mentioned)) } }
                        }
                    } }
                }
            } }
        }
        @if undrawn > 0 { p.cut { (counted(undrawn as u64, "more distant class")) " not shown; their rules stay." } }
        @if let Some(outline) = &outline {
            p { a #specification hidden download="change.toml" href="#classes" { "Save the specification with these classes" } }
            (data_markup(report, &near, outline))
        }
    }
}

/// The data for the page's script.
fn data_markup(report: &ComparisonReport, near: &BTreeSet<&str>, outline: &Outline) -> Markup {
    html! { div #specification-data hidden data-json=(data(report, near, outline).to_string()) {} }
}

/// The classes on the other side of the boundary that a class mentions.
fn mentioned(report: &ComparisonReport, name: &str, affected: &BTreeSet<&str>) -> Option<String> {
    let is_affected = affected.contains(name);
    let across: Vec<&str> =
        report.graph.get(name)?.iter().map(String::as_str).filter(|to| affected.contains(to) != is_affected).collect();
    let more = across.len().saturating_sub(MENTIONED);
    let named = across[..across.len() - more].join(", ");
    match (across.is_empty(), more) {
        (true, _) => None,
        (false, 0) => Some(format!("→ {named}")),
        (false, more) => Some(format!("→ {named} and {more} more")),
    }
}

/// The classes that differ, with what differs. Nested classes count as their outermost class.
fn changed(report: &ComparisonReport) -> BTreeMap<&str, String> {
    let mut changed: BTreeMap<&str, String> = BTreeMap::new();
    for change in &report.changes.classes {
        let outermost = change.class.split('$').next().unwrap_or(&change.class);
        let said = changed.entry(outermost).or_default();
        if !said.is_empty() {
            said.push_str("; ");
        }
        said.push_str(&change.what);
    }
    changed
}

fn affected(report: &ComparisonReport) -> BTreeSet<&str> {
    report.graph.keys().map(String::as_str).filter(|class| report.scope.may_change_inside(class)).collect()
}

fn data(report: &ComparisonReport, near: &BTreeSet<&str>, outline: &Outline) -> Value {
    let affected = affected(report);
    let class = |class: &&str| {
        let is_affected = affected.contains(class);
        json!({
            "name": class, "affected": is_affected, "was": is_affected, "fixed": is_fixed(class, &report.scope, outline),
        })
    };
    let rules = outline.rules.iter().map(|rule| {
        let kind = if rule.may_change { "changed" } else { "unchanged" };
        json!({ "kind": kind, "text": rule.text, "classes": rule.classes })
    });
    json!({
        "classes": near.iter().map(class).collect::<Vec<_>>(),
        "head": outline.head,
        "rules": rules.collect::<Vec<_>>(),
    })
}

/// Whether a rule on more than classes forbids a class to change. It wins over any rule that a user
/// adds.
fn is_fixed(class: &str, scope: &Scope, outline: &Outline) -> bool {
    let texts = outline.rules.iter().filter(|rule| !rule.may_change);
    texts.zip(&scope.spec.unchanged).any(|(text, rule)| text.classes.is_none() && rule.names_class(class))
}

/// The affected classes, then their neighbours, and so on, until there are enough to show.
fn near<'a>(graph: &'a BTreeMap<String, BTreeSet<String>>, affected: &BTreeSet<&'a str>) -> BTreeSet<&'a str> {
    let mut near: BTreeSet<&str> = affected.iter().copied().take(CLASSES).collect();
    loop {
        let touches = |from: &str, to: &str| near.contains(from) != near.contains(to);
        let pairs = graph.iter().flat_map(|(from, others)| others.iter().map(move |to| (from.as_str(), to.as_str())));
        let next: BTreeSet<&str> =
            pairs.filter(|(from, to)| touches(from, to)).flat_map(|(from, to)| [from, to]).collect();
        let before = near.len();
        near.extend(next.into_iter().take(2 * CLASSES));
        if near.len() == before || near.len() >= CLASSES {
            return near;
        }
    }
}
