//! Paths in words and as JSON.

use super::Verdict;
use lapidary_symbolic::{Message, Method, Number, Outcome, PathEnd, ReturnValue};
use serde_json::{Value, json};

/// The inputs and what happens; an object in front of its method.
pub fn line(method: &Method, path: &PathEnd) -> String {
    let inputs: Vec<String> = path.inputs.iter().map(ToString::to_string).collect();
    match inputs.split_first() {
        Some((object, arguments)) if !method.is_static() => {
            format!("{object}.{}({}) {}", method.name, arguments.join(", "), outcome(&path.outcome))
        }
        _ => format!("({}) {}", inputs.join(", "), outcome(&path.outcome)),
    }
}

pub fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Returned(None) => "returns".to_owned(),
        Outcome::Returned(Some(value)) => format!("returns {}", shown(value)),
        Outcome::Threw { class, message, trace } => {
            let at = trace.first().map_or(String::new(), |place| format!(" at {place}"));
            match message {
                Message::Text(text) => format!("throws {class}: {text}{at}"),
                Message::None | Message::Unknown => format!("throws {class}{at}"),
            }
        }
        Outcome::Exited(code) => format!("exits with {code}"),
        Outcome::Unsupported { what, at } => {
            format!("is not supported: {what}{}", at.as_ref().map_or(String::new(), |at| format!(" at {at}")))
        }
        Outcome::TooLong => "runs too long".to_owned(),
    }
}

fn shown(value: &ReturnValue) -> String {
    match value {
        ReturnValue::Number(Number::Integer(number)) => number.to_string(),
        ReturnValue::Number(Number::Float(number)) => format!("{number:?}"),
        ReturnValue::Number(Number::Double(number)) => format!("{number:?}"),
        ReturnValue::Null => "null".to_owned(),
        ReturnValue::Text(text) => {
            format!("\"{}\"", lapidary_symbolic::escaped(&text.encode_utf16().collect::<Vec<_>>(), '"'))
        }
        ReturnValue::Array(values) => format!("[{}]", values.iter().map(shown).collect::<Vec<_>>().join(", ")),
        ReturnValue::Object(class) => format!("an object of {class}"),
    }
}

pub fn as_json(path: &PathEnd, verdict: &Verdict) -> Value {
    let difference = if let Verdict::Unconfirmed(difference) = verdict { Some(difference) } else { None };
    let inputs: Vec<String> = path.inputs.iter().map(ToString::to_string).collect();
    json!({
        "inputs": inputs,
        "outcome": outcome(&path.outcome),
        "stdout": path.stdout,
        "stderr": path.stderr,
        "finding": matches!(verdict, Verdict::Finding),
        "repeated": matches!(verdict, Verdict::Repeated),
        "unconfirmed": difference,
        "instructions": path.instructions,
        "conditions": path.conditions,
    })
}
