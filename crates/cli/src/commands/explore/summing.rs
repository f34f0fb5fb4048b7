//! The summary of an exploration, as text and as JSON.

use super::show;
use crate::commands::junit;
use crate::progress::{counted, thousands};
use crate::say::{complain, say};
use lapidary::{ExplorationReport, JUnitReport};
use lapidary_symbolic::{Covered, ExplorationBudget, Explored, Limit};
use serde_json::{Value, json};

pub fn as_json(report: &ExplorationReport, paths: &[Value], tests: Option<&JUnitReport>) -> Value {
    let ExplorationReport { explored, tally, covered, .. } = report;
    json!({
        "command": "explore",
        "paths": explored.paths,
        "exhausted": report.is_exhausted(),
        "waiting": explored.left_waiting,
        "undecided": explored.undecided,
        "merged": explored.merged,
        "lines": { "reached": covered.lines.reached, "total": covered.lines.total },
        "branches": { "reached": covered.branches.reached, "total": covered.branches.total },
        "missed": covered.missed.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "findings": tally.findings,
        "repeated": tally.repeated,
        "unconfirmed": tally.unconfirmed,
        "unsupported": tally.unsupported,
        "too_long": tally.too_long,
        "missing": tally.missing,
        "restrictions": report.restrictions,
        "random": random_as_json(report),
        "junit": junit::as_json(tests),
        "instructions": report.instructions,
        "queries": report.queries,
        "seconds": explored.elapsed.as_secs_f64(),
        "each": paths,
    })
}

fn random_as_json(report: &ExplorationReport) -> Value {
    let random = &report.random;
    let Some(tested) = &random.tested else { return Value::Null };
    json!({
        "calls": tested.calls,
        "refused": tested.refused,
        "too_long": tested.too_long,
        "exits": tested.exits,
        "seconds": tested.elapsed.as_secs_f64(),
        "findings": random.findings.iter().map(|path| show::line(&report.method, path)).collect::<Vec<_>>(),
        "also_symbolic": random.keys().intersection(&report.tally.confirmed()).count(),
    })
}

pub fn tell(report: &ExplorationReport) {
    let ExplorationReport { explored, tally, queries, .. } = report;
    let reach = if report.is_exhausted() { "all of them" } else { "not all there are" };
    say!(
        "{}, {reach}; {}; {}, {} {} in {:.1} s",
        counted(explored.paths as usize, "path"),
        counted(tally.findings as usize, "finding"),
        counted(report.instructions as usize, "instruction"),
        thousands(*queries),
        if *queries == 1 { "query" } else { "queries" },
        explored.elapsed.as_secs_f64()
    );
    if tally.repeated > 0 {
        let paths = counted(tally.repeated as usize, "more path");
        say!("{paths} with the same exceptions at the same places; they were not replayed");
    }
    if !report.restrictions.is_empty() {
        say!("inputs were restricted: {}", report.restrictions.join("; "));
    }
    complain_of_the_rest(report);
    tell_covered(&report.covered);
    tell_random(report);
}

fn complain_of_the_rest(report: &ExplorationReport) {
    let ExplorationReport { explored, tally, .. } = report;
    let paths = |number: u64| counted(number as usize, "path");
    if explored.left_waiting > 0 {
        complain!("lapidary: {} still waiting when {}", counted(explored.left_waiting, "path"), reached(explored));
    }
    if tally.unsupported > 0 {
        complain!("lapidary: {} needed something that is not supported", paths(tally.unsupported));
    }
    if tally.too_long > 0 {
        let most = thousands(ExplorationBudget::default().instructions);
        complain!("lapidary: {} abandoned after {most} instructions", paths(tally.too_long));
    }
    for class in &tally.missing {
        complain!("lapidary: class {class} is missing, so paths that need it are not findings; see --classpath");
    }
    if explored.undecided > 0 {
        complain!(
            "lapidary: {} undecided, so some branches were not taken; the first: {}",
            counted(explored.undecided as usize, "condition"),
            report.first_undecided.as_deref().unwrap_or("unknown")
        );
    }
}

/// Prints how many of the findings random testing found.
fn tell_random(report: &ExplorationReport) {
    let (random, symbolic) = (&report.random, report.tally.confirmed());
    if let Some(failure) = &random.failure {
        say!("random testing failed: {failure}");
    }
    let Some(tested) = &random.tested else { return };
    let keys = random.keys();
    let all = keys.union(&symbolic).count();
    let only = keys.difference(&symbolic).count();
    let alone = if only > 0 { format!(", {only} of them only by it") } else { String::new() };
    say!(
        "found by random testing: {} of {}{alone}; {} in {:.1} s",
        keys.len(),
        counted(all, "different exception"),
        counted(tested.calls as usize, "call"),
        tested.elapsed.as_secs_f64()
    );
}

fn tell_covered(covered: &Covered) {
    if covered.methods > 0 {
        let (lines, branches) = (covered.lines, covered.branches);
        say!("lines {lines}, branches {branches}, in {} of the program", counted(covered.methods, "method"));
    }
    if !covered.missed.is_empty() {
        let missed: Vec<String> = covered.missed.iter().map(ToString::to_string).collect();
        say!("never run: {}", missed.join(", "));
    }
}

/// The limit that ended the exploration, and how to change it.
fn reached(explored: &Explored) -> &'static str {
    match explored.stopped_by {
        Some(Limit::Time) | None => "time ran out; see --budget",
        Some(Limit::Paths) => "the number of --paths was reached",
        Some(Limit::States) => "there were too many to keep; --search depth keeps fewer",
        Some(Limit::Memory) => "memory ran out; see --memory",
        Some(Limit::Interrupted) => "the run was interrupted",
    }
}
