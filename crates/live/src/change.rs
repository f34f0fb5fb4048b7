//! The changes that a run reports, and their form as JSON (docs/reference/events.md).

use lapidary::{Counts, Event, FileTree, Item, StageInfo, Trial, Verdict};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// Something that happened in a run.
#[derive(Clone, Copy, Debug)]
pub enum Change<'a> {
    /// A phase before, after or instead of the search begins.
    Phase(&'a str),
    /// Something that a person should know.
    Warning(&'a str),
    /// A remark about the limits of the run.
    Note(&'a str),
    /// The search begins with an input of this many bytes.
    SearchBegins(u64),
    /// A stage begins.
    Stage(&'a StageInfo<'a>),
    /// The user skipped the stage in progress.
    Skipped(&'a StageInfo<'a>),
    /// A test starts.
    Trying(&'a Trial<'a>),
    /// A test was answered.
    Tested(&'a Event<'a>, &'a Counts),
    /// There is a new best result of this size.
    Improved(&'a FileTree, u64),
    /// The search has ended.
    SearchEnds,
    /// A path, a verdict or a difference was found, in words; and whether it counts as a finding.
    Found(&'a str, bool),
    /// There are so many of something now.
    Counted(&'a str, u64),
    /// The user holds the run, or lets it go on.
    Paused(bool),
    /// The user asked to stop.
    Stopping,
}

impl Change<'_> {
    /// The change as an object; `None` for changes that are only for people.
    pub fn json(&self, at: Duration) -> Option<Value> {
        let mut value = match self {
            Change::Phase(what) => json!({ "event": "phase", "what": what }),
            Change::Warning(text) => json!({ "event": "warning", "text": text }),
            Change::Note(text) => json!({ "event": "note", "text": text }),
            Change::SearchBegins(bytes) => json!({ "event": "search", "bytes": bytes }),
            Change::Stage(stage) => stage_json(stage),
            Change::Skipped(stage) => json!({ "event": "skipped", "stage": stage.name, "round": stage.round }),
            Change::Trying(_) => return None,
            Change::Tested(event, counts) => test_json(event, counts),
            Change::Improved(_, bytes) => json!({ "event": "best", "bytes": bytes }),
            Change::SearchEnds => json!({ "event": "search_ended" }),
            Change::Found(text, is_finding) => json!({ "event": "found", "text": text, "finding": is_finding }),
            Change::Counted(what, number) => json!({ "event": "count", "what": what, "number": number }),
            Change::Paused(is_paused) => json!({ "event": "paused", "paused": is_paused }),
            Change::Stopping => json!({ "event": "stopping" }),
        };
        value["at"] = json!((at.as_secs_f64() * 1e3).round() / 1e3);
        Some(value)
    }
}

fn stage_json(stage: &StageInfo<'_>) -> Value {
    let kinds: Map<String, Value> = kinds(stage.items).into_iter().map(|(kind, count)| (kind, json!(count))).collect();
    json!({
        "event": "stage",
        "stage": stage.name,
        "round": stage.round,
        "strategy": stage.strategy,
        "items": stage.items.len(),
        "kinds": kinds,
        "clauses": stage.clauses,
        "bytes": stage.bytes,
    })
}

fn kinds(items: &[Item]) -> BTreeMap<String, usize> {
    let mut kinds = BTreeMap::<&str, usize>::new();
    items.iter().for_each(|item| *kinds.entry(&item.kind).or_default() += 1);
    kinds.into_iter().map(|(kind, count)| (kind.to_owned(), count)).collect()
}

fn test_json(event: &Event<'_>, counts: &Counts) -> Value {
    json!({
        "event": "test",
        "number": event.number,
        "stage": event.stage,
        "verdict": match event.judgment.verdict {
            Verdict::Interesting => "interesting",
            Verdict::Uninteresting => "uninteresting",
            Verdict::Unresolved => "unresolved",
        },
        "reason": event.judgment.reason,
        "invalid": event.judgment.is_invalid(),
        "bytes": event.bytes,
        "improved": event.improved,
        "replayed": event.replayed,
        "seconds": event.judgment.elapsed.as_secs_f64(),
        "run": counts.run,
        "cached": counts.cached,
    })
}
