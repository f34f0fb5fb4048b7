//! Prints the findings of a triage.

use crate::progress::counted;
use crate::say::{complain, say};
use lapidary_tracer::Frame;
use lapidary_triage::report::Findings;
use lapidary_triage::tables::{self, Confusion, Scored};
use lapidary_triage::{Conclusion, Examined, Finding, Further, Losses, Lost, Outcome, Said, Tools, Verdict};

/// Prints everything about one program.
pub fn program(examined: &Examined) {
    let judged = &examined.judged;
    examined.notes.iter().for_each(|note| complain!("note: {note}"));
    say!("{}: {} entered, {}", judged.program, counted(judged.entered.len(), "method"), easiness(judged.easiness));
    let width = judged.findings.iter().map(|finding| finding.analysis.len()).max().unwrap_or(0);
    for finding in &judged.findings {
        let name = &finding.analysis;
        match &finding.outcome {
            Outcome::Sound => say!("  {name:width$}  sound"),
            Outcome::Failed(reason) => say!("  {name:width$}  failed: {reason}"),
            Outcome::Unsound(lost) => say!("  {name:width$}  {:8} {}", lost.verdict, in_short(lost)),
        }
        for Further { lost, alike } in further_bugs(finding) {
            let method = &lost.entry.method;
            let more = if *alike > 1 { format!(" and {} like it", alike - 1) } else { String::new() };
            say!("  {:width$}  {:8} misses {method}{more} as well (easiness {:.2})", "", lost.verdict, lost.easiness);
        }
        if let Some(others) = further_others(finding) {
            say!("  {:width$}  further losses: {others}; --report and --json list them", "");
        }
    }
    let mut shown: Vec<&str> = Vec::new();
    let first = judged.losses().map(|(_, lost)| ("first lost method", lost));
    let further = judged.findings.iter().flat_map(further_bugs).map(|further| ("lost as well:", &further.lost));
    for (title, lost) in first.chain(further) {
        if !shown.contains(&lost.entry.method.as_str()) {
            shown.push(lost.entry.method.as_str());
            details(title, lost);
        }
    }
}

/// Further losses that are bugs, which the first loss must not hide. All others are in the JSON and
/// on the page.
fn further_bugs(finding: &Finding) -> impl Iterator<Item = &Further> {
    finding.further.iter().filter(|further| further.lost.verdict == Verdict::Bug)
}

/// Counts the further losses that are not bugs.
fn further_others(finding: &Finding) -> Option<String> {
    let verdicts = finding.further.iter().map(|further| further.lost.verdict);
    let others: Losses = verdicts.filter(|verdict| *verdict != Verdict::Bug).collect();
    let kinds = [(others.feature, "feature"), (others.unknown, "unknown")];
    let shown: Vec<String> =
        kinds.iter().filter(|(count, _)| *count > 0).map(|(count, kind)| format!("{count} {kind}")).collect();
    (!shown.is_empty()).then(|| shown.join(", "))
}

/// Prints the conclusion.
pub fn conclusion(conclusion: &Conclusion) {
    say!("");
    say!("{conclusion}");
}

fn easiness(easiness: Option<f64>) -> String {
    easiness.map_or_else(|| "no analysis answered".to_owned(), |easiness| format!("easiness {easiness:.2}"))
}

fn in_short(lost: &Lost) -> String {
    let more = match lost.count {
        1 => String::new(),
        count => format!(" and {} later", count - 1),
    };
    format!("misses {}{more} (easiness {:.2})", lost.entry.method, lost.easiness)
}

/// How many causes are explained; the others are only named.
const CAUSES: usize = 2;
/// How many frames are shown; the others are only counted.
const FRAMES: usize = 12;

fn details(title: &str, lost: &Lost) {
    say!("");
    say!("{title} {}", lost.entry.method);
    let those = |names: &[String]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    say!("  found by {}; missed by {}", those(&lost.found_by), those(&lost.missed_by));
    for cause in lost.causes.iter().take(CAUSES) {
        say!("  looks like {}: {}", cause.name, cause.says);
    }
    if lost.causes.len() > CAUSES {
        let others: Vec<&str> = lost.causes.iter().skip(CAUSES).map(|cause| cause.name).collect();
        say!("  or like {}", others.join(", "));
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

/// Prints one line about one of many programs.
pub fn line(examined: &Examined) {
    let judged = &examined.judged;
    examined.notes.iter().for_each(|note| complain!("note: {}: {note}", judged.program));
    let verdicts: Vec<String> = judged
        .findings
        .iter()
        .filter_map(|finding| match &finding.outcome {
            Outcome::Sound => None,
            Outcome::Failed(reason) => Some(format!("{} failed ({reason})", finding.analysis)),
            Outcome::Unsound(lost) => {
                let further: String =
                    further_bugs(finding).map(|Further { lost, .. }| format!(", then bug ({})", cause(lost))).collect();
                let others = further_others(finding).map_or_else(String::new, |others| format!(", then {others}"));
                let method = &lost.entry.method;
                Some(format!("{}: {} {method} ({}){further}{others}", finding.analysis, lost.verdict, cause(lost)))
            }
        })
        .collect();
    let verdicts = if verdicts.is_empty() { "all sound".to_owned() } else { verdicts.join("; ") };
    say!("{}: {}, {verdicts}", judged.program, easiness(judged.easiness));
}

fn cause(lost: &Lost) -> &'static str {
    lost.causes.first().map_or("unknown cause", |cause| cause.name)
}

/// Prints the answers of tools about one input.
pub fn tools(scored: &Scored, tools: &Tools, said: &[Said]) {
    say!("{}: {}", scored.program, easiness(scored.easiness));
    for (tool, said) in tools.tools.iter().zip(said) {
        match (scored.verdicts.get(&tool.name), said) {
            (Some(verdict), _) => say!("  {}  {verdict}", tool.name),
            (None, Said::Nothing(reason)) => say!("  {}  no answer: {reason}", tool.name),
            (None, _) => say!("  {}  sound", tool.name),
        }
    }
}

/// Prints the tables of many programs.
pub fn tables(findings: &Findings<'_>) {
    say!("");
    if !findings.judged.is_empty() {
        against_what_ran(findings);
        say!("");
    }
    by_easiness(findings);
    let confusion = tables::confusion(findings.scored);
    if !confusion.is_empty() {
        say!("");
        quality(&confusion);
    }
}

fn against_what_ran(findings: &Findings<'_>) {
    let columns = ["programs", "reached", "and entered", "precision", "recall"];
    let [programs, reached, entered, precision, recall] = columns;
    say!("{:24} {programs:>8} {reached:>9} {entered:>12} {precision:>10} {recall:>8}", "analysis");
    for row in tables::relative(findings.judged, findings.analyses) {
        let (precision, recall) = (percent(row.precision), percent(row.recall));
        let (reached, both) = (row.reached, row.reached_and_entered);
        say!("{:24} {:>8} {reached:>9} {both:>12} {precision:>10} {recall:>8}", row.name, row.programs);
    }
}

fn by_easiness(findings: &Findings<'_>) {
    say!("{:>8} {:>7}  how often each analysis finds the first lost method", "easiness", "inputs");
    for bin in tables::bins(findings.scored, findings.analyses) {
        let shares = bin.sound.iter().map(|(name, share)| format!("{name} {:.0} %", share * 100.0));
        say!("{:>8.2} {:>7}  {}", bin.easiness, bin.inputs, shares.collect::<Vec<_>>().join(", "));
    }
}

fn quality(confusion: &Confusion) {
    let [bugs, features, unknown] = ["bugs", "features", "unknown"];
    let [precision, recall, least] = ["precision", "recall", "at least"];
    say!("{:8} {bugs:>6} {features:>9} {unknown:>9} {precision:>10} {recall:>8} {least:>9}", "verdict");
    for (kind, [bugs, features, unknown]) in Verdict::ALL.into_iter().zip(confusion.0) {
        let quality = confusion.quality(kind);
        let shares = match kind {
            Verdict::Unknown => String::new(),
            _ => {
                let shares = [quality.precision, quality.recall, quality.recall_at_least];
                let [precision, recall, least] = shares.map(percent);
                format!("{precision:>10} {recall:>8} {least:>9}")
            }
        };
        say!("{kind:8} {bugs:>6} {features:>9} {unknown:>9} {shares}");
    }
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| format!("{:.1} %", share * 100.0))
}
