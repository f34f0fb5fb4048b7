//! The classes of the program as a graph, on which a user moves classes between those that may
//! change and those that must not.

use lapidary::{ComparisonReport, Scope};
use lapidary_compare::Outline;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// At most about so many classes are drawn, those nearest to a change.
const CLASSES: usize = 60;

const SCRIPT: &str = include_str!("report/graph.js");

/// Adds the classes near the change to the page. A click moves a class to the other side; the
/// resulting specification can be downloaded.
pub fn graph(body: &mut String, shown: &ComparisonReport) {
    body.push_str("<h2>What may change</h2>");
    let Some(outline) = Outline::of(&shown.scope.text) else {
        body.push_str("<p class=\"note\">The rules of the specification are not separate tables, so they cannot be changed here.</p>");
        return;
    };
    let near = near(&shown.graph, &affected(shown));
    let undrawn = shown.graph.len() - near.len();
    let note = if undrawn > 0 {
        format!(" {undrawn} more distant classes are not drawn; their rules stay.")
    } else {
        String::new()
    };
    // `</script>` would end the script even inside a string.
    let data = data(shown, &near, &outline).to_string().replace('<', "\\u003c");
    let _ = write!(
        body,
        "<p class=\"note\">Click a class to move it.{note}</p><div id=\"graph\"></div>\
         <p><a id=\"download\" href=\"#\" download=\"change.toml\">Download the specification</a></p>\
         <script>const DATA = {data};\n{SCRIPT}</script>"
    );
}

fn affected(shown: &ComparisonReport) -> BTreeSet<&str> {
    shown.graph.keys().map(String::as_str).filter(|class| shown.scope.may_change_inside(class)).collect()
}

fn data(shown: &ComparisonReport, near: &BTreeSet<&str>, outline: &Outline) -> Value {
    let affected = affected(shown);
    let class = |class: &&str| {
        let is_affected = affected.contains(class);
        json!({ "name": class, "affected": is_affected, "was": is_affected, "fixed": is_fixed(class, &shown.scope, outline) })
    };
    let edges = near.iter().flat_map(|from| {
        shown.graph[*from].iter().filter(|to| near.contains(to.as_str())).map(move |to| [*from, to.as_str()])
    });
    let rules = outline.rules.iter().map(|rule| {
        let kind = if rule.may_change { "changed" } else { "unchanged" };
        json!({ "kind": kind, "text": rule.text, "classes": rule.classes })
    });
    json!({
        "classes": near.iter().map(class).collect::<Vec<_>>(),
        "edges": edges.collect::<Vec<_>>(),
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

/// The affected classes, then their neighbours, and so on, until there are enough to draw.
fn near<'a>(graph: &'a BTreeMap<String, BTreeSet<String>>, affected: &BTreeSet<&'a str>) -> BTreeSet<&'a str> {
    let mut near: BTreeSet<&str> = affected.iter().copied().take(CLASSES).collect();
    loop {
        let touches = |from: &str, to: &str| near.contains(from) != near.contains(to);
        let pairs = graph.iter().flat_map(|(from, others)| others.iter().map(move |to| (from.as_str(), to.as_str())));
        let next: BTreeSet<&str> =
            pairs.filter(|(from, to)| touches(from, to)).flat_map(|(from, to)| [from, to]).collect();
        let before = near.len();
        near.extend(next);
        if near.len() == before || near.len() >= CLASSES {
            return near;
        }
    }
}
