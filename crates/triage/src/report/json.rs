//! The findings as JSON for programs. docs/reference/cli.md lists the fields.

use super::Findings;
use crate::easiness::Verdict;
use crate::judged::{Further, Judged, Lost, Outcome};
use crate::tables::{self, Confusion, Scored};
use lapidary_jvm::MethodName;
use lapidary_tracer::Frame;
use serde_json::{Value, json};

pub fn as_json(findings: &Findings<'_>) -> Value {
    let programs: Vec<Value> = match findings.judged.is_empty() {
        true => findings.scored.iter().map(scored_as_json).collect(),
        false => findings.judged.iter().map(program_as_json).collect(),
    };
    let confusion = tables::confusion(findings.scored);
    json!({
        "command": "triage",
        "analyses": findings.analyses,
        "conclusion": findings.conclusion,
        "complete": findings.conclusion.complete,
        "programs": programs,
        "relative": tables::relative(findings.judged, findings.analyses).iter().map(|row| json!({
            "name": row.name,
            "programs": row.programs,
            "entered": row.entered,
            "reached": row.reached,
            "reached_and_entered": row.reached_and_entered,
            "precision": row.precision,
            "recall": row.recall,
        })).collect::<Vec<_>>(),
        "easiness": tables::bins(findings.scored, findings.analyses).iter().map(|bin| json!({
            "easiness": bin.easiness,
            "inputs": bin.inputs,
            "median_size": bin.median_size,
            "sound": bin.sound,
            "truth": bin.truth,
        })).collect::<Vec<_>>(),
        "missed_by": tables::by_who_missed(findings.scored).iter().map(|(sides, group)| json!({
            "missed_by": sides.missed_by,
            "silent": sides.silent,
            "easiness": group.easiness,
            "inputs": group.inputs,
            "truth": { "bug": group.truth[0], "feature": group.truth[1], "unknown": group.truth[2] },
        })).collect::<Vec<_>>(),
        "quality": if confusion.is_empty() { Value::Null } else { quality_as_json(&confusion) },
        "notes": findings.notes,
    })
}

fn quality_as_json(confusion: &Confusion) -> Value {
    let of = |kind| {
        let quality = confusion.quality(kind);
        json!({
            "precision": quality.precision,
            "recall": quality.recall,
            "recall_at_least": quality.recall_at_least,
        })
    };
    json!({ "confusion": confusion.0, "bug": of(Verdict::Bug), "feature": of(Verdict::Feature) })
}

/// One program with all details about each loss.
pub fn program_as_json(judged: &Judged) -> Value {
    let analyses: Vec<Value> = judged
        .findings
        .iter()
        .map(|finding| {
            let mut value = match &finding.outcome {
                Outcome::Sound => json!({ "outcome": "sound" }),
                Outcome::Failed(reason) => json!({ "outcome": "failed", "reason": reason }),
                Outcome::Unsound(lost) => first_as_json(lost, &finding.further),
            };
            value["name"] = json!(finding.analysis);
            value["lost_methods"] = names(&finding.lost);
            value["reached"] = json!(finding.overlap.reached);
            value["reached_and_entered"] = json!(finding.overlap.reached_and_entered);
            value
        })
        .collect();
    json!({
        "program": judged.program,
        "entered": judged.entered.len(),
        "entered_methods": names(&judged.entered),
        "easiness": judged.easiness,
        "first_lost": judged.first_lost.as_ref().map(|(method, _)| method.as_str()),
        "analyses": analyses,
    })
}

fn names(methods: &[MethodName]) -> Value {
    methods.iter().map(|method| json!(method.as_str())).collect()
}

fn first_as_json(lost: &Lost, further: &[Further]) -> Value {
    let mut value = lost_as_json(lost);
    value["outcome"] = json!("unsound");
    value["first_lost"] = json!(lost.entry.method.as_str());
    value["lost"] = json!(lost.count);
    value["further"] = further.iter().map(further_as_json).collect();
    value
}

fn further_as_json(further: &Further) -> Value {
    let mut value = lost_as_json(&further.lost);
    value["method"] = json!(further.lost.entry.method.as_str());
    value["alike"] = json!(further.alike);
    value
}

fn lost_as_json(lost: &Lost) -> Value {
    let frame = |frame: &Frame| json!({ "method": frame.method.as_str(), "at": frame.at });
    json!({
        "verdict": lost.verdict,
        "easiness": lost.easiness,
        "found_by": lost.found_by,
        "missed_by": lost.missed_by,
        "causes": lost.causes.iter().map(|cause| cause.name).collect::<Vec<_>>(),
        "stack": lost.entry.stack.iter().map(frame).collect::<Vec<_>>(),
    })
}

fn scored_as_json(scored: &Scored) -> Value {
    json!({
        "program": scored.program,
        "easiness": scored.easiness,
        "missed_by": scored.missed_by,
        "silent": scored.silent,
        "verdicts": scored.verdicts,
    })
}
