//! A comparison as JSON.

use crate::commands::junit;
use lapidary::{ComparisonReport, JUnitReport, assembled_classes, call_in_words, difference_in_words, path_outcome};
use lapidary_compare::{Candidate, Observed, RandomComparison, TraceStep, Where};
use lapidary_symbolic::Part;
use serde_json::{Value, json};

pub fn of(shown: &ComparisonReport, tests: Option<&JUnitReport>) -> Value {
    let comparison = &shown.comparison;
    json!({
        "command": "compare",
        "old": shown.paths[0].to_string_lossy(),
        "new": shown.paths[1].to_string_lossy(),
        "method": shown.method.to_string(),
        "verdict": shown.verdict(),
        "inferred": shown.scope.is_inferred,
        "changed": shown.changes.classes.iter().map(|change| json!({ "class": change.class, "what": change.what })).collect::<Vec<_>>(),
        "difference": comparison.difference.as_ref().map(|candidate| difference(shown, candidate)).or_else(|| found_at_random(shown)),
        "random": random(shown),
        "junit": junit::as_json(tests),
        "paths": comparison.old_paths,
        "pairs": comparison.pairs,
        "identical": comparison.identical,
        "common": comparison.common,
        "taken_over": comparison.taken_over,
        "unconfirmed": comparison.unconfirmed,
        "abstracted": comparison.is_abstracted,
        "dropped": comparison.dropped,
        "undecided": comparison.undecided,
        "unsupported": comparison.unsupported,
        "inductive": comparison.is_inductive,
        "restrictions": shown.restrictions(),
        "surroundings": comparison.surroundings,
        "stopped": comparison.stopped,
        "changed_lines": { "reached": shown.changed_lines.reached, "total": shown.changed_lines.total },
        "queries": comparison.queries,
        "instructions": comparison.instructions,
        "most_waiting": comparison.most_waiting,
        "seconds": comparison.elapsed.as_secs_f64(),
    })
}

fn difference(shown: &ComparisonReport, candidate: &Candidate) -> Value {
    let at = match &candidate.at {
        Where::Event(at) => json!({ "event": at }),
        Where::Ending => json!("ending"),
        Where::Result => json!("result"),
        Where::Output => json!("output"),
        Where::Arguments => json!("arguments"),
    };
    let version = |path: &lapidary_symbolic::PathEnd, trace: &[TraceStep], place: usize| {
        json!({
            "outcome": path_outcome(&shown.method, &path.outcome),
            "stdout": path.stdout,
            "stderr": path.stderr,
            "trace": trace.iter().map(step).collect::<Vec<_>>(),
            "real": shown.seen.get(place).map(|seen| json!({ "ending": seen.ending, "stdout": seen.stdout, "stderr": seen.stderr })),
        })
    };
    json!({
        "call": call_in_words(&shown.method, &candidate.new.inputs),
        "inputs": candidate.new.inputs.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "at": at,
        "what": difference_in_words(candidate),
        "hash_order": candidate.is_hash_order,
        "assembled": assembled_classes(&candidate.new.inputs),
        "old": version(&candidate.old, &candidate.old_trace, 0),
        "new": version(&candidate.new, &candidate.new_trace, 1),
    })
}

fn found_at_random(shown: &ComparisonReport) -> Option<Value> {
    let found = shown.found_at_random()?;
    let version = |observed: &Observed| {
        let Observed::Seen { stdout, stderr, .. } = observed else { return Value::Null };
        let outcome = observed.ending();
        let real = json!({ "ending": outcome, "stdout": stdout, "stderr": stderr });
        json!({ "outcome": outcome, "stdout": stdout, "stderr": stderr, "trace": [], "real": real })
    };
    Some(json!({
        "call": call_in_words(&shown.method, found.inputs),
        "inputs": found.inputs.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "at": found.at(),
        "what": found.what(),
        "old": version(found.old),
        "new": version(found.new),
    }))
}

fn step(step: &TraceStep) -> Value {
    let to = if step.to == Part::Affected { "affected" } else { "unaffected" };
    json!({ "text": step.text, "place": step.place, "to": to, "depth": step.depth })
}

fn random(shown: &ComparisonReport) -> Value {
    match &shown.random {
        Ok(RandomComparison { calls: 0, .. }) => Value::Null,
        Ok(RandomComparison { calls, elapsed, found }) => json!({
            "calls": calls,
            "seconds": elapsed.as_secs_f64(),
            "found": found.as_ref().map(|(inputs, ..)| call_in_words(&shown.method, inputs)),
        }),
        Err(error) => json!({ "failed": error }),
    }
}
