//! Paths as text and as JSON.

use crate::progress::counted;
use crate::say::say;
use lapidary::{PathVerdict, path_outcome as outcome};
use lapidary_symbolic::{Method, PathEnd, readable};
use serde_json::{Value, json};

/// One line for a path: its inputs and its outcome. A receiver stands in front of the method.
pub fn line(method: &Method, path: &PathEnd) -> String {
    let inputs: Vec<String> = path.inputs.iter().map(ToString::to_string).collect();
    match inputs.split_first() {
        Some((object, arguments)) if !method.is_static() => {
            format!("{object}.{}({}) {}", method.name, arguments.join(", "), outcome(method, &path.outcome))
        }
        _ => format!("({}) {}", inputs.join(", "), outcome(method, &path.outcome)),
    }
}

/// How many lines of a path's output are shown.
const PRINTED: usize = 100;

/// Prints the output of a path, indented below its line.
pub fn printed(text: &str) {
    text.lines().take(PRINTED).for_each(|line| say!("    | {}", readable(line)));
    let more = text.lines().count().saturating_sub(PRINTED);
    if more > 0 {
        say!("    and {}", counted(more, "more line"));
    }
}

/// The word in front of a path.
pub fn mark(verdict: &PathVerdict) -> &'static str {
    match verdict {
        PathVerdict::Finding => "finding  ",
        PathVerdict::Repeated => "again    ",
        PathVerdict::Ordinary | PathVerdict::Unconfirmed(_) => "",
    }
}

pub fn as_json(method: &Method, path: &PathEnd, verdict: &PathVerdict) -> Value {
    let difference = if let PathVerdict::Unconfirmed(difference) = verdict { Some(difference) } else { None };
    let inputs: Vec<String> = path.inputs.iter().map(ToString::to_string).collect();
    json!({
        "inputs": inputs,
        "outcome": outcome(method, &path.outcome),
        "stdout": path.stdout,
        "stderr": path.stderr,
        "finding": matches!(verdict, PathVerdict::Finding),
        "repeated": matches!(verdict, PathVerdict::Repeated),
        "unconfirmed": difference,
        "instructions": path.instructions,
        "conditions": path.conditions,
    })
}
