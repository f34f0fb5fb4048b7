//! Prints a comparison.

use crate::progress::{counted, thousands};
use crate::say::{complain, say};
use lapidary::path_outcome as outcome;
use lapidary::{ComparisonReport, Scope};
use lapidary_compare::{Candidate, Changes, ComparisonResult, TraceStep, Verdict, Where};
use lapidary_symbolic::{Input, Method, Number, Outcome, Part, PathEnd};
use std::collections::BTreeSet;

/// How many equal steps are shown before the first that differs, and how many steps after it.
const BEFORE: usize = 6;
const AFTER: usize = 4;

pub fn scope(scope: &Scope, changes: &Changes) {
    match (changes.classes.len(), scope.is_inferred) {
        (0, _) => say!("no class differs"),
        (count, true) => {
            say!(
                "{count} {} and may behave differently; everything else must not:",
                if count == 1 { "class differs" } else { "classes differ" }
            );
            changes.classes.iter().for_each(|change| say!("  {}: {}", change.class, change.what));
        }
        (_, false) => {}
    }
}

/// A method call with its inputs, as text.
pub fn call(method: &Method, inputs: &[Input<Number>]) -> String {
    let inputs: Vec<String> = inputs.iter().map(ToString::to_string).collect();
    match inputs.split_first() {
        Some((object, arguments)) if !method.is_static() => {
            format!("{object}.{}({})", method.name, arguments.join(", "))
        }
        _ => format!("{method}({})", inputs.join(", ")),
    }
}

/// How a path ends.
pub fn outcome_of(method: &Method, path: &PathEnd) -> String {
    outcome(method, &path.outcome)
}

pub fn verdict(shown: &ComparisonReport) -> &'static str {
    match shown.comparison.verdict {
        Verdict::Different => "different",
        _ if shown.is_different() => "different",
        Verdict::Equivalent => "equivalent",
        Verdict::NoDifferenceFound => "no difference found",
        Verdict::Unknown => "unknown",
    }
}

/// The verdict with all its restrictions.
pub fn verdict_in_full(shown: &ComparisonReport) -> String {
    let restrictions = restrictions(shown);
    if restrictions.is_empty() {
        verdict(shown).to_owned()
    } else {
        format!("{} ({})", verdict(shown), restrictions.join("; "))
    }
}

/// The restrictions of a comparison without a difference: the inputs that it left out, and the time
/// that it used.
pub fn restrictions(shown: &ComparisonReport) -> Vec<String> {
    let comparison = &shown.comparison;
    let has_ended = comparison.verdict == Verdict::NoDifferenceFound;
    let is_about_inputs = has_ended || comparison.verdict == Verdict::Unknown && comparison.stopped.is_some();
    if verdict(shown) == "different" || !is_about_inputs {
        return Vec::new();
    }
    let mut said: Vec<String> =
        comparison.stopped.iter().map(|limit| format!("no difference found before {limit} ended it")).collect();
    said.extend(comparison.restrictions.iter().map(ToString::to_string));
    said.extend(comparison.surroundings.iter().map(|asked| format!("{asked} always the same")));
    said.push(format!("{:.1} s of {} s used", comparison.elapsed.as_secs_f64(), shown.time.as_secs_f64()));
    said
}

pub fn comparison(shown: &ComparisonReport) {
    let comparison = &shown.comparison;
    say!("{}", verdict_in_full(shown));
    if let Some(candidate) = &comparison.difference {
        difference(shown, candidate);
    }
    if let Some(found) = shown.found_at_random() {
        say!("  {}", call(&shown.method, found.inputs));
        say!("  {}", found.what());
        say!("  old: {}", found.old);
        say!("  new: {}", found.new);
    }
    if comparison.instructions == 0 {
        return reservations(shown);
    }
    say!(
        "{} of the old version, {}, {} of them the same terms; {}, {} in {:.1} s",
        counted(comparison.old_paths as usize, "path"),
        counted(comparison.pairs as usize, "pair"),
        thousands(comparison.identical),
        counted(comparison.instructions as usize, "instruction"),
        queries(comparison),
        comparison.elapsed.as_secs_f64()
    );
    if comparison.common + comparison.taken_over > 0 {
        say!(
            "{} of the old version never reached code that differs; {} of the new version began there",
            counted(comparison.common as usize, "path"),
            counted(comparison.taken_over as usize, "path")
        );
    }
    if comparison.is_inductive {
        say!("loops were matched iteration by iteration");
    }
    if shown.changed_lines.total > 0 {
        say!("{} lines of changed methods ran", shown.changed_lines);
    }
    if let Some(random) = shown.random.as_ref().ok().filter(|random| random.calls > 0) {
        let found = if random.found.is_some() { "a difference" } else { "no difference" };
        say!("random testing alone: {found} in {}", counted(random.calls as usize, "call"));
    }
    reservations(shown);
}

/// The number of queries to the solver, as text.
pub fn queries(comparison: &ComparisonResult) -> String {
    match comparison.queries {
        1 => "1 query".to_owned(),
        count => format!("{} queries", thousands(count)),
    }
}

/// Prints what limits the verdict.
fn reservations(shown: &ComparisonReport) {
    let comparison = &shown.comparison;
    if let Err(error) = &shown.random {
        complain!("lapidary: random testing failed: {error}");
    }
    if let Some(limit) = comparison.stopped {
        complain!("lapidary: {limit} ended the comparison before all paths were taken; see --budget");
    }
    if comparison.undecided > 0 {
        complain!("lapidary: {} conditions were not decided by the solver", comparison.undecided);
    }
    for (what, count) in &comparison.unsupported {
        complain!("lapidary: not supported, on {count} {}: {what}", if *count == 1 { "path" } else { "paths" });
    }
    if comparison.is_abstracted && comparison.difference.is_none() {
        complain!("lapidary: no difference was found with abstract classes, which proves nothing");
    }
    if comparison.dropped > 0 {
        let (count, were) =
            (counted(comparison.dropped, "difference"), if comparison.dropped == 1 { "was" } else { "were" });
        complain!("lapidary: {count} of abstract classes {were} dropped: the concrete classes cannot behave like this");
    }
    for why in &comparison.unconfirmed {
        complain!("lapidary: a difference was not confirmed: {why}");
    }
}

/// Describes where two paths first differ.
pub fn place(candidate: &Candidate) -> String {
    match &candidate.at {
        Where::Event(at) => match (candidate.old_trace.get(*at), candidate.new_trace.get(*at)) {
            (Some(old), Some(new)) => format!("`{}` has become `{}` at {}", old.text, new.text, new.place),
            (Some(old), None) => format!("`{}` at {} no longer happens", old.text, old.place),
            (None, Some(new)) => format!("`{}` at {} is new", new.text, new.place),
            (None, None) => "one version continues where the other ends".to_owned(),
        },
        Where::Ending => "the call ends differently".to_owned(),
        Where::Result => with_order(result(candidate), candidate),
        Where::Output => with_order("the output differs", candidate),
        Where::Arguments => with_order("the arguments are left in a different state", candidate),
    }
}

/// Describes how two results differ. The texts of two objects may be the same.
fn result(candidate: &Candidate) -> &'static str {
    match (&candidate.old.outcome, &candidate.new.outcome) {
        (Outcome::Threw { class, .. }, Outcome::Threw { class: other, .. }) if class == other => {
            "the message of the exception differs"
        }
        (Outcome::Returned(Some(old)), Outcome::Returned(Some(new))) if old == new => {
            "the result differs, though not as text: in which of its objects are the same, or in their classes"
        }
        _ => "the result differs",
    }
}

fn with_order(what: &str, candidate: &Candidate) -> String {
    let order = if candidate.is_hash_order { ", only in the order of a HashMap or HashSet" } else { "" };
    format!("{what}{order}")
}

/// The classes of input objects whose fields were set one by one.
pub fn assembled(inputs: &[Input<Number>]) -> BTreeSet<String> {
    let mut classes = BTreeSet::new();
    inputs.iter().for_each(|input| collect_assembled(input, &mut classes));
    classes
}

fn collect_assembled(input: &Input<Number>, classes: &mut BTreeSet<String>) {
    match input {
        Input::Object(object) => {
            if !object.fields.is_empty() {
                classes.insert(object.class.as_str().replace(['/', '$'], "."));
            }
            object.fields.iter().for_each(|field| collect_assembled(&field.value, classes));
        }
        Input::Array(_, parts) | Input::Made(_, parts) | Input::Elements(_, parts) | Input::Entries(_, parts) => {
            parts.iter().for_each(|part| collect_assembled(part, classes));
        }
        Input::Shared(_, input) => collect_assembled(input, classes),
        _ => {}
    }
}

fn difference(shown: &ComparisonReport, candidate: &Candidate) {
    say!("  {}", call(&shown.method, &candidate.new.inputs));
    say!("  {}", place(candidate));
    let assembled: Vec<String> = assembled(&candidate.new.inputs).into_iter().collect();
    if !assembled.is_empty() {
        say!("  (the fields of {} were set one by one, without the checks of a constructor)", assembled.join(", "));
    }
    for (name, path, trace, seen) in [
        ("old", &candidate.old, &candidate.old_trace, shown.seen.first()),
        ("new", &candidate.new, &candidate.new_trace, shown.seen.get(1)),
    ] {
        say!("  {name}: {}", outcome(&shown.method, &path.outcome));
        path.stdout.lines().for_each(|line| say!("    | {}", escaped(line)));
        if let Where::Event(at) = candidate.at {
            steps(trace, at);
        }
        if let Some(seen) = seen {
            say!("    on the real JVM: {}", real_ending(&shown.method, &seen.ending));
        }
    }
}

/// How a run on the real JVM ended, in words. It reports booleans as numbers.
fn real_ending<'e>(method: &Method, ending: &'e str) -> &'e str {
    match (method.type_.descriptor().as_str().ends_with(")Z"), ending) {
        (true, "returns 0") => "returns false",
        (true, "returns 1") => "returns true",
        _ => ending,
    }
}

fn steps(trace: &[TraceStep], at: usize) {
    let first = at.saturating_sub(BEFORE);
    if first > 0 {
        say!("    ({first} equal steps)");
    }
    for (place, step) in trace.iter().enumerate().skip(first).take(BEFORE + AFTER) {
        let mark = if place == at { ">" } else { " " };
        let arrow = if step.to == Part::Affected { "<-" } else { "->" };
        say!("  {mark} {arrow} {}{}  ({})", "  ".repeat(step.depth as usize), step.text, step.place);
    }
    if trace.len() > first + BEFORE + AFTER {
        say!("    ({} more)", trace.len() - first - BEFORE - AFTER);
    }
}

/// Escapes control characters, which a terminal would interpret.
fn escaped(text: &str) -> String {
    text.chars()
        .flat_map(|character| match character.is_control() && character != '\t' {
            true => character.escape_default().collect::<Vec<_>>(),
            false => vec![character],
        })
        .collect()
}
