//! Paths in words and as JSON.

use super::tally::Verdict;
use crate::progress::counted;
use crate::say::say;
use lapidary_symbolic::{Method, Outcome, PathEnd, readable};
use serde_json::{Value, json};

/// The inputs and what happens; an object in front of its method.
pub fn line(method: &Method, path: &PathEnd) -> String {
    let inputs: Vec<String> = path.inputs.iter().map(ToString::to_string).collect();
    match inputs.split_first() {
        Some((object, arguments)) if !method.is_static() => {
            format!("{object}.{}({}) {}", method.name, arguments.join(", "), outcome(method, &path.outcome))
        }
        _ => format!("({}) {}", inputs.join(", "), outcome(method, &path.outcome)),
    }
}

/// How many lines a path's output is shown with.
const PRINTED: usize = 100;

/// What a path prints, below its line.
pub fn printed(text: &str) {
    text.lines().take(PRINTED).for_each(|line| say!("    | {}", readable(line)));
    let more = text.lines().count().saturating_sub(PRINTED);
    if more > 0 {
        say!("    and {}", counted(more, "more line"));
    }
}

/// What happens, with the result as the type of the method has it.
pub fn outcome(method: &Method, outcome: &Outcome) -> String {
    match (outcome, &method.type_.result) {
        (Outcome::Returned(Some(value)), Some(type_)) => format!("returns {}", value.clone().of_type(type_)),
        _ => outcome.to_string(),
    }
}

pub fn as_json(method: &Method, path: &PathEnd, verdict: &Verdict) -> Value {
    let difference = if let Verdict::Unconfirmed(difference) = verdict { Some(difference) } else { None };
    let inputs: Vec<String> = path.inputs.iter().map(ToString::to_string).collect();
    json!({
        "inputs": inputs,
        "outcome": outcome(method, &path.outcome),
        "stdout": path.stdout,
        "stderr": path.stderr,
        "finding": matches!(verdict, Verdict::Finding),
        "repeated": matches!(verdict, Verdict::Repeated),
        "unconfirmed": difference,
        "instructions": path.instructions,
        "conditions": path.conditions,
    })
}
