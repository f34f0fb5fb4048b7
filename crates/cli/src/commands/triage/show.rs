//! What was found, for people.

use crate::progress::counted;
use crate::say::{complain, say};
use lapidary_tracer::Frame;
use lapidary_triage::report::Findings;
use lapidary_triage::tables::{self, Scored};
use lapidary_triage::{Examined, Lost, Outcome, Said, Tools, Verdict};

/// Everything about one program.
pub fn program(examined: &Examined) {
    let judged = &examined.judged;
    examined.notes.iter().for_each(|note| complain!("note: {note}"));
    say!("{}: {} entered, easiness {:.2}", judged.program, counted(judged.entered, "method"), judged.easiness);
    let width = judged.findings.iter().map(|finding| finding.analysis.len()).max().unwrap_or(0);
    for finding in &judged.findings {
        let name = &finding.analysis;
        match &finding.outcome {
            Outcome::Sound => say!("  {name:width$}  sound"),
            Outcome::Failed(reason) => say!("  {name:width$}  failed: {reason}"),
            Outcome::Unsound(lost) => say!("  {name:width$}  {:8} {}", lost.verdict, in_short(lost)),
        }
    }
    let mut shown: Vec<&str> = Vec::new();
    for (_, lost) in judged.losses() {
        if !shown.contains(&lost.entry.method.as_str()) {
            shown.push(lost.entry.method.as_str());
            details(lost);
        }
    }
}

fn in_short(lost: &Lost) -> String {
    let more = match lost.count {
        1 => String::new(),
        count => format!(" and {} later", count - 1),
    };
    format!("misses {}{more} (easiness {:.2})", lost.entry.method, lost.easiness)
}

/// How many frames are shown before the rest is only counted.
const FRAMES: usize = 12;

fn details(lost: &Lost) {
    say!("");
    say!("first lost method {}", lost.entry.method);
    let those = |names: &[String]| if names.is_empty() { "nobody".to_owned() } else { names.join(", ") };
    say!("  found by {}; missed by {}", those(&lost.found_by), those(&lost.missed_by));
    for cause in lost.causes.iter().take(2) {
        say!("  looks like {}: {}", cause.name, cause.says);
    }
    say!("  stack when it was first entered:");
    for Frame { method, at } in lost.entry.stack.iter().take(FRAMES) {
        match at {
            Some(at) => say!("    {method} @{at}"),
            None => say!("    {method} (native)"),
        }
    }
    if lost.entry.stack.len() > FRAMES {
        say!("    … and {} more", counted(lost.entry.stack.len() - FRAMES, "frame"));
    }
}

/// One program of many.
pub fn line(examined: &Examined) {
    let judged = &examined.judged;
    let verdicts: Vec<String> = judged
        .findings
        .iter()
        .filter_map(|finding| match &finding.outcome {
            Outcome::Sound => None,
            Outcome::Failed(_) => Some(format!("{} failed", finding.analysis)),
            Outcome::Unsound(lost) => Some(format!("{}: {} ({})", finding.analysis, lost.verdict, cause(lost))),
        })
        .collect();
    let verdicts = if verdicts.is_empty() { "all sound".to_owned() } else { verdicts.join("; ") };
    say!("{}: easiness {:.2}, {verdicts}", judged.program, judged.easiness);
}

fn cause(lost: &Lost) -> &'static str {
    lost.causes.first().map_or("no idea why", |cause| cause.name)
}

/// What tools said about one input.
pub fn tools(scored: &Scored, tools: &Tools, said: &[Said]) {
    say!("{}: easiness {:.2}", scored.program, scored.easiness);
    for (tool, said) in tools.tools.iter().zip(said) {
        match (scored.verdicts.get(&tool.name), said) {
            (Some(verdict), _) => say!("  {}  {verdict}", tool.name),
            (None, Said::Nothing(reason)) => say!("  {}  says nothing: {reason}", tool.name),
            (None, _) => say!("  {}  sound", tool.name),
        }
    }
}

/// The tables of many programs.
pub fn tables(findings: &Findings<'_>) {
    say!("");
    if !findings.judged.is_empty() {
        say!("{:24} {:>9} {:>12} {:>10} {:>8}", "analysis", "reached", "and entered", "precision", "recall");
        for row in tables::relative(findings.judged, findings.analyses) {
            let (precision, recall) = (row.precision * 100.0, row.recall * 100.0);
            say!(
                "{:24} {:>9} {:>12} {precision:>8.1} % {recall:>6.1} %",
                row.name,
                row.reached,
                row.reached_and_entered
            );
        }
        say!("");
    }
    say!("{:>8} {:>7}  how often each analysis is right", "easiness", "inputs");
    for bin in tables::bins(findings.scored, findings.analyses) {
        let sound: Vec<String> =
            bin.sound.iter().map(|(name, share)| format!("{name} {:.0} %", share * 100.0)).collect();
        say!("{:>8.2} {:>7}  {}", bin.easiness, bin.inputs, sound.join(", "));
    }
    let confusion = tables::confusion(findings.scored);
    if confusion.is_empty() {
        return;
    }
    say!("");
    say!("{:8} {:>6} {:>9} {:>9} {:>10} {:>8}", "verdict", "bugs", "features", "unknown", "precision", "recall");
    for (kind, [bugs, features, unknown]) in Verdict::ALL.into_iter().zip(confusion.0) {
        let quality = confusion.quality(kind);
        let shares = match kind {
            Verdict::Unknown => String::new(),
            _ => format!("{:>8.1} % {:>6.1} %", quality.precision * 100.0, quality.recall_at_least * 100.0),
        };
        say!("{kind:8} {bugs:>6} {features:>9} {unknown:>9} {shares}");
    }
}
