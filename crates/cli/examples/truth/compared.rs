//! Runs one comparison with the real command.

use super::Options;
use super::record::{Judgement, Wrong};
use super::warm::Warm;
use lapidary_testkit::java::escape::Escape;
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// The exit codes. Versions without a difference have one for all inputs and one for those that the
/// verdict describes; the oracle draws no others.
const EQUIVALENT: i32 = 0;
const DIFFERENT: i32 = 1;
const UNKNOWN: i32 = 3;
const RESTRICTED: i32 = 4;

/// The answer of the command.
pub struct Answer {
    pub verdict: String,
    /// Why the comparison is incomplete.
    pub open: String,
    pub seconds: f64,
    pub code: Option<i32>,
    restrictions: Vec<String>,
}

/// The relation between two versions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Known {
    Equal,
    /// An input shows a difference.
    Different,
    /// A call shows nothing, and what is done with its traces shows a difference.
    LaterDifferent(Escape),
}

/// The options of all comparisons. `java/Oracle.java` draws inputs within these bounds.
pub fn bounds(bound: usize) -> String {
    format!("--fuzz-first 0 --bound {bound} --depth 3")
}

/// Two directories of classes, their entry method, and the greatest length of inputs.
pub struct Question<'a> {
    pub old: &'a Path,
    pub new: &'a Path,
    pub main: &'a str,
    pub bound: usize,
}

/// Compares two directories of classes.
pub fn compare(options: &Options, java: Option<&Warm>, question: &Question<'_>) -> anyhow::Result<Answer> {
    let mut command = Command::new(&options.lapidary);
    command.arg("compare").arg(question.old).arg(question.new).args(["--main", question.main]);
    command.args(bounds(question.bound).split(' '));
    command.args(["--budget", &format!("{}ms", (options.seconds * 1000.0) as u64), "--json", "-"]);
    if let Some(java) = java {
        // A program in a sandbox cannot reach the JVM that runs already.
        command.arg("--sandbox=off");
        java.given_to(&mut command);
    }
    let begin = Instant::now();
    let output = command.output()?;
    let seconds = begin.elapsed().as_secs_f64();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let json: Value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    let verdict = json["verdict"].as_str().unwrap_or("no answer").to_owned();
    let open = if json.is_null() { stderr.trim().replace('\n', "; ") } else { left_open(&json) };
    let restrictions = json["restrictions"].as_array().into_iter().flatten();
    let restrictions = restrictions.filter_map(|restriction| Some(restriction.as_str()?.to_owned())).collect();
    Ok(Answer { verdict, open, seconds, code: output.status.code(), restrictions })
}

/// Why a comparison is incomplete, by its own account. A difference that the real JVM did not
/// confirm comes first: for equal versions, it is a wrong answer that was caught.
fn left_open(json: &Value) -> String {
    let unconfirmed = json["unconfirmed"].as_array().and_then(|all| all.first()?.as_str());
    let unsupported = json["unsupported"].as_object().and_then(|all| all.keys().next());
    match (unconfirmed, json["stopped"].as_str(), unsupported, json["undecided"].as_u64()) {
        (Some(why), ..) => format!("unconfirmed: {why}"),
        (_, Some(limit), ..) => limit.to_owned(),
        (.., Some(what), _) => format!("unsupported: {what}"),
        (.., Some(1..)) => "undecided".to_owned(),
        _ => String::new(),
    }
}

impl Answer {
    /// Judges the answer. The exit code is the claim of the command.
    pub fn judged(&self, known: Known) -> Judgement {
        match (self.code, known) {
            (Some(EQUIVALENT | RESTRICTED), Known::Equal) | (Some(DIFFERENT), Known::Different) => Judgement::Right,
            (Some(EQUIVALENT | RESTRICTED), Known::Different) => Judgement::Wrong("differences are not seen"),
            (Some(DIFFERENT), Known::Equal) => Judgement::Wrong("equal programs are called different"),
            (Some(DIFFERENT), Known::LaterDifferent(_)) => Judgement::Wrong("one call shows no difference"),
            (Some(EQUIVALENT), Known::LaterDifferent(_)) => Judgement::Wrong("later calls are forgotten"),
            (Some(RESTRICTED), Known::LaterDifferent(escape)) => {
                let is_named = self.restrictions.iter().any(|restriction| escape.is_named_in(restriction));
                if is_named { Judgement::Right } else { Judgement::Wrong("later calls are not mentioned") }
            }
            (Some(UNKNOWN), _) => Judgement::Open,
            _ => Judgement::Wrong("no answer"),
        }
    }
}

/// The command that shows a wrong answer, from the directory that keeps it.
pub fn command_line(wrong: &Wrong<'_>) -> String {
    format!("lapidary compare old new --main {} {}", wrong.question.main, bounds(wrong.question.bound))
}
