//! Prints a comparison.

use crate::progress::{counted, thousands};
use crate::say::{complain, say};
use lapidary::path_outcome as outcome;
use lapidary::{ComparisonReport, Scope, assembled_classes, call_in_words, difference_in_words};
use lapidary_compare::{Candidate, Changes, ComparisonResult, TraceStep, Where};
use lapidary_symbolic::{Part, Share};

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

pub fn comparison(shown: &ComparisonReport) {
    let comparison = &shown.comparison;
    say!("{}", verdict_in_full(shown));
    if let Some(candidate) = &comparison.difference {
        difference(shown, candidate);
    }
    if let Some(found) = shown.found_at_random() {
        say!("  {}", call_in_words(&shown.method, found.inputs));
        say!("  {}", found.what());
        say!("  old: {}", found.old);
        say!("  new: {}", found.new);
    }
    if comparison.instructions == 0 {
        return complain_of(shown);
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
        let Share { reached, total } = shown.changed_lines;
        say!("{} of {} of changed methods ran", thousands(reached as u64), counted(total, "line"));
    }
    if let Some(random) = shown.random.as_ref().ok().filter(|random| random.calls > 0) {
        let found = if random.found.is_some() { "a difference" } else { "no difference" };
        say!("random testing alone: {found} in {}", counted(random.calls as usize, "call"));
    }
    complain_of(shown);
}

/// The verdict with all its restrictions.
fn verdict_in_full(shown: &ComparisonReport) -> String {
    let restrictions = shown.restrictions();
    if restrictions.is_empty() {
        shown.verdict().to_owned()
    } else {
        format!("{} ({})", shown.verdict(), restrictions.join("; "))
    }
}

/// Prints what limits the verdict.
fn complain_of(shown: &ComparisonReport) {
    shown.reservations().iter().for_each(|reservation| complain!("lapidary: {reservation}"));
}

/// The number of queries to the solver, as text.
fn queries(comparison: &ComparisonResult) -> String {
    match comparison.queries {
        1 => "1 query".to_owned(),
        count => format!("{} queries", thousands(count)),
    }
}

fn difference(shown: &ComparisonReport, candidate: &Candidate) {
    say!("  {}", call_in_words(&shown.method, &candidate.new.inputs));
    say!("  {}", difference_in_words(candidate));
    let assembled: Vec<String> = assembled_classes(&candidate.new.inputs).into_iter().collect();
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
            say!("    on the real JVM: {}", shown.real_ending(&seen.ending));
        }
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
