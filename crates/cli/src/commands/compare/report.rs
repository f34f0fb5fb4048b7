//! The HTML page of a comparison: both versions side by side, and the classes that may change.

use super::graph::graph;
use super::sources::Sources;
use crate::progress::counted;
use lapidary::{ComparisonReport, FoundAtRandom};
use lapidary_common::html::escaped as text;
use lapidary_compare::{Candidate, TraceStep, Where};
use std::fmt::Write;

const STYLE: &str = include_str!("report/page.css");

pub fn page(shown: &ComparisonReport, sources: &[Sources; 2]) -> String {
    let verdict = shown.verdict();
    let mut body = String::new();
    let _ = write!(
        body,
        "<h1><span class=\"verdict {}\">{verdict}</span> {}</h1><p>{} → {}</p>",
        verdict.split(' ').next().unwrap_or_default(),
        text(&shown.method.to_string()),
        text(&shown.paths[0].to_string_lossy()),
        text(&shown.paths[1].to_string_lossy())
    );
    if let Some(candidate) = &shown.comparison.difference {
        difference(&mut body, shown, candidate, sources);
    } else if let Some(found) = shown.found_at_random() {
        found_at_random(&mut body, shown, &found);
    }
    numbers(&mut body, shown);
    graph(&mut body, shown);
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{verdict}: {}</title><style>{STYLE}</style></head>\
         <body>{body}</body></html>\n",
        text(&shown.method.to_string())
    )
}

fn difference(body: &mut String, shown: &ComparisonReport, candidate: &Candidate, sources: &[Sources; 2]) {
    let _ = write!(
        body,
        "<h2>The scenario</h2><pre>{}</pre><p>{}</p>",
        text(&lapidary::call_in_words(&shown.method, &candidate.new.inputs)),
        text(&lapidary::difference_in_words(candidate))
    );
    let _ = write!(body, "<table class=\"sides\"><tr><th>old</th><th>new</th></tr>");
    let outcomes = [&candidate.old, &candidate.new].map(|path| lapidary::path_outcome(&shown.method, &path.outcome));
    row(body, "", &text(&outcomes[0]), &text(&outcomes[1]));
    let printed = [&candidate.old.stdout, &candidate.new.stdout];
    if printed.iter().any(|printed| !printed.is_empty()) {
        let mark = if candidate.at == Where::Output { "parted" } else { "" };
        row(body, mark, &format!("<pre>{}</pre>", text(printed[0])), &format!("<pre>{}</pre>", text(printed[1])));
    }
    if let [old, new] = &shown.seen[..] {
        row(body, "real", &text(&old.ending), &text(&new.ending));
    }
    body.push_str("</table>");
    if !candidate.old_trace.is_empty() || !candidate.new_trace.is_empty() {
        traces(body, candidate, sources);
    }
}

fn found_at_random(body: &mut String, shown: &ComparisonReport, found: &FoundAtRandom<'_>) {
    let _ = write!(
        body,
        "<h2>The scenario</h2><pre>{}</pre><p>{}</p><table class=\"sides\"><tr><th>old</th><th>new</th></tr>",
        text(&lapidary::call_in_words(&shown.method, found.inputs)),
        text(found.what())
    );
    row(body, "real", &text(&found.old.to_string()), &text(&found.new.to_string()));
    body.push_str("</table><p class=\"note\">Random testing found this on the real JVM; there is no trace.</p>");
}

fn traces(body: &mut String, candidate: &Candidate, sources: &[Sources; 2]) {
    body.push_str("<h2>What crosses the boundary</h2><p class=\"note\">→ into code that must not change, ← into code that may.</p><table class=\"sides trace\"><tr><th>old</th><th>new</th></tr>");
    let parted = if let Where::Event(at) = candidate.at { at } else { usize::MAX };
    for place in 0..candidate.old_trace.len().max(candidate.new_trace.len()) {
        let [old, new] = [&candidate.old_trace, &candidate.new_trace].map(|trace| trace.get(place));
        let mark = match place.cmp(&parted) {
            std::cmp::Ordering::Less => "",
            std::cmp::Ordering::Equal => "parted",
            std::cmp::Ordering::Greater => "after",
        };
        row(body, mark, &cell(old, &sources[0]), &cell(new, &sources[1]));
    }
    body.push_str("</table>");
}

fn cell(step: Option<&TraceStep>, sources: &Sources) -> String {
    let Some(step) = step else { return String::new() };
    let arrow = if step.to == lapidary_symbolic::Part::Affected { "←" } else { "→" };
    let source = sources.line(&step.place).map_or(String::new(), |line| format!("<code>{}</code>", text(&line)));
    let (indent, words, place) = (step.depth, text(&step.text), text(&step.place));
    format!("<span style=\"padding-left:{indent}em\">{arrow} {words}</span><small>{place} {source}</small>")
}

fn row(body: &mut String, mark: &str, old: &str, new: &str) {
    let _ = write!(body, "<tr class=\"{mark}\"><td>{old}</td><td>{new}</td></tr>");
}

fn numbers(body: &mut String, shown: &ComparisonReport) {
    let comparison = &shown.comparison;
    let lines = shown.changed_lines;
    let _ = write!(
        body,
        "<h2>Coverage</h2><ul><li>{} of the old version, {}, {} of them the same terms</li>\
         <li>{lines} lines of changed methods ran</li><li>{}, {:.1} s</li>",
        counted(comparison.old_paths as usize, "path"),
        counted(comparison.pairs as usize, "pair"),
        comparison.identical,
        counted(comparison.queries as usize, "query"),
        comparison.elapsed.as_secs_f64()
    );
    let mut left_out: Vec<String> =
        comparison.unsupported.keys().map(|what| format!("not supported: {what}")).collect();
    left_out.extend(shown.restrictions());
    left_out.extend(comparison.stopped.map(|limit| format!("{limit} ended it before all paths were taken")));
    left_out.extend(comparison.unconfirmed.iter().map(|why| format!("a difference was not confirmed: {why}")));
    if comparison.undecided > 0 {
        left_out.push(format!("{} conditions were not decided", comparison.undecided));
    }
    body.extend(left_out.iter().map(|what| format!("<li>{}</li>", text(what))));
    body.push_str("</ul>");
}
