//! The findings as one self-contained page.

use super::Findings;
use super::plot::{self, Line};
use crate::easiness::Verdict;
use crate::judged::{Further, Judged, Lost, Outcome};
use crate::tables::{self, Bin, Confusion};
use lapidary_common::html::escaped;
use std::fmt::Write;

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}\
table{border-collapse:collapse;margin:.6rem 0}td,th{padding:.2rem .7rem;border-bottom:1px solid #ddd;text-align:left}\
td.n,th.n{text-align:right}svg{max-width:36rem;width:100%;font-size:11px;display:block}\
code,pre{font:13px/1.4 ui-monospace,monospace}pre{background:#f6f6f6;padding:.6rem;overflow-x:auto}\
.bug{color:#b00020;font-weight:600}.feature{color:#0b6fa4}.unknown{color:#777}.sound{color:#2e8b57}\
details{margin:.4rem 0}summary{cursor:pointer}";

/// Renders the page.
pub fn page(title: &str, findings: &Findings<'_>) -> String {
    let mut page = format!(
        "<!doctype html><html lang='en'><meta charset='utf-8'><meta name='viewport' content='width=device-width'>\
         <title>{0}</title><style>{STYLE}</style><h1>{0}</h1>",
        escaped(title)
    );
    page += &overview(findings);
    page += &notes(findings.notes);
    if !findings.judged.is_empty() {
        page += &relative(findings);
    }
    page += &curves(&tables::bins(findings.scored, findings.analyses), findings.analyses);
    page += &who_missed(findings);
    page += &quality(&tables::confusion(findings.scored));
    page += &programs(findings);
    page + "</html>\n"
}

fn overview(findings: &Findings<'_>) -> String {
    let conclusion = findings.conclusion;
    let class = if conclusion.losses.bug > 0 { "bug" } else { "sound" };
    format!(
        "<p class='{class}' id='conclusion'>{}</p><p>{} inputs, {} analyses. On {} inputs every analysis that answered is \
         sound, on {} nobody answered. A loss looks like a <b>bug</b> if the others get it right, like a <b>feature</b> if \
         nobody does, and is <b>unknown</b> in between. The first loss of an analysis counts, and so does each group of \
         further losses that it does not explain.</p>",
        escaped(&conclusion.to_string()),
        conclusion.inputs,
        findings.analyses.len(),
        conclusion.sound,
        conclusion.unanswered
    )
}

fn notes(notes: &[String]) -> String {
    if notes.is_empty() {
        return String::new();
    }
    let items: String = notes.iter().map(|note| format!("<li>{}</li>", escaped(note))).collect();
    format!("<h2>What could not be done</h2><ul>{items}</ul>")
}

fn relative(findings: &Findings<'_>) -> String {
    let entered: usize = findings.judged.iter().map(|judged| judged.entered.len()).sum();
    let mut table = format!(
        "<h2>Against what ran</h2><p>{entered} methods of the programs were entered. Precision and recall are relative to that: \
         a method that was not entered in these runs may be in others. Programs on which an analysis did not answer are left out of its row.</p>\
         <table><tr><th>analysis<th class='n'>programs<th class='n'>reached\
         <th class='n'>and entered<th class='n'>precision<th class='n'>recall</tr>"
    );
    for row in tables::relative(findings.judged, findings.analyses) {
        let _ = write!(
            table,
            "<tr><td>{}<td class='n'>{}<td class='n'>{}<td class='n'>{}<td class='n'>{}<td class='n'>{}</tr>",
            escaped(&row.name),
            row.programs,
            row.reached,
            row.reached_and_entered,
            percent(row.precision),
            percent(row.recall)
        );
    }
    table + "</table>"
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| format!("{:.1} %", share * 100.0))
}

fn decimal(easiness: Option<f64>) -> String {
    easiness.map_or_else(|| "–".to_owned(), |easiness| format!("{easiness:.2}"))
}

fn curves(bins: &[Bin], analyses: &[String]) -> String {
    let bars: Vec<(f64, usize)> = bins.iter().map(|bin| (bin.easiness, bin.inputs)).collect();
    let line = |name: &String| {
        let points = bins.iter().filter_map(|bin| Some((bin.easiness, *bin.sound.get(name)?))).collect();
        Line { name: name.clone(), points }
    };
    let lines: Vec<Line> = analyses.iter().map(line).collect();
    let mut text = format!(
        "<h2>How easy the inputs are</h2>{}<h2>How often each analysis knows what is lost first</h2>{}",
        plot::histogram(&bars),
        plot::shares(&lines)
    );
    if bins.iter().any(|bin| bin.truth.is_some()) {
        let kinds: Vec<Line> = Verdict::ALL
            .iter()
            .enumerate()
            .map(|(place, kind)| Line {
                name: kind.to_string(),
                points: bins.iter().filter_map(|bin| Some((bin.easiness, bin.truth?[place]))).collect(),
            })
            .collect();
        let _ = write!(text, "<h2>What losses really are</h2>{}", plot::shares(&kinds));
    }
    text
}

fn who_missed(findings: &Findings<'_>) -> String {
    let groups = tables::by_who_missed(findings.scored);
    if groups.is_empty() {
        return String::new();
    }
    let heads: String = findings.analyses.iter().map(|name| format!("<th>{}", escaped(name))).collect();
    let mut table = format!(
        "<h2>Who missed it</h2><p>• is right (knows the first lost method), ? did not answer.</p><table><tr>{heads}<th class='n'>easiness\
         <th class='n'>inputs<th class='n'>bugs<th class='n'>features<th class='n'>unknown</tr>"
    );
    let mut rows: Vec<_> = groups.iter().collect();
    rows.sort_by(|(_, one), (_, other)| other.easiness.total_cmp(&one.easiness));
    for (sides, group) in rows {
        let dot = |name: &String| match (sides.missed_by.contains(name), sides.silent.contains(name)) {
            (true, _) => "<td>",
            (_, true) => "<td>?",
            _ => "<td>•",
        };
        let dots: String = findings.analyses.iter().map(dot).collect();
        let [bugs, features, unknown] = group.truth;
        let _ = write!(
            table,
            "<tr>{dots}<td class='n'>{:.2}<td class='n'>{}<td class='n'>{bugs}<td class='n'>{features}<td class='n'>{unknown}</tr>",
            group.easiness, group.inputs
        );
    }
    table + "</table>"
}

fn quality(confusion: &Confusion) -> String {
    if confusion.is_empty() {
        return String::new();
    }
    let mut table = "<h2>How good the verdicts are</h2><table><tr><th>verdict<th class='n'>really bugs<th class='n'>really features\
         <th class='n'>nobody knows<th class='n'>precision<th class='n'>recall<th class='n'>at least</tr>"
        .to_owned();
    for (kind, row) in Verdict::ALL.iter().zip(confusion.0) {
        let quality = confusion.quality(*kind);
        let shares = match kind {
            Verdict::Unknown => "<td><td><td>".to_owned(),
            _ => format!(
                "<td class='n'>{}<td class='n'>{}<td class='n'>{}",
                percent(quality.precision),
                percent(quality.recall),
                percent(quality.recall_at_least)
            ),
        };
        let [bugs, features, unknown] = row;
        let _ = write!(
            table,
            "<tr><td class='{kind}'>{kind}<td class='n'>{bugs}<td class='n'>{features}<td class='n'>{unknown}{shares}</tr>"
        );
    }
    table + "</table>"
}

fn programs(findings: &Findings<'_>) -> String {
    let judged: String = findings.judged.iter().map(program).collect();
    let shown = if judged.is_empty() { plain_inputs(findings) } else { judged };
    format!("<h2>Input by input</h2>{shown}")
}

fn plain_inputs(findings: &Findings<'_>) -> String {
    let mut table = "<table><tr><th>input<th class='n'>easiness<th>verdicts</tr>".to_owned();
    for one in findings.scored {
        let verdicts: Vec<String> = one
            .verdicts
            .iter()
            .map(|(name, verdict)| format!("<span class='{verdict}'>{}: {verdict}</span>", escaped(name)))
            .collect();
        let _ = write!(
            table,
            "<tr><td>{}<td class='n'>{}<td>{}</tr>",
            escaped(&one.program),
            decimal(one.easiness),
            verdicts.join(", ")
        );
    }
    table + "</table>"
}

fn program(judged: &Judged) -> String {
    let has_losses = judged.losses().next().is_some();
    let mut text = format!(
        "<details{}><summary><b>{}</b>: {} methods entered, easiness {}</summary><table>",
        if has_losses { " open" } else { "" },
        escaped(&judged.program),
        judged.entered.len(),
        decimal(judged.easiness)
    );
    for finding in &judged.findings {
        let name = escaped(&finding.analysis);
        let _ = match &finding.outcome {
            Outcome::Sound => write!(text, "<tr><td>{name}<td class='sound'>sound<td></tr>"),
            Outcome::Failed(reason) => {
                write!(text, "<tr><td>{name}<td class='unknown'>failed<td>{}</tr>", escaped(reason))
            }
            Outcome::Unsound(lost) => {
                let row = (lost.verdict, loss(&format!("first lost, of {} in all", lost.count), lost));
                write!(text, "<tr><td>{name}<td class='{0}'>{0}<td>{1}</tr>", row.0, row.1)
            }
        };
        for Further { lost, alike } in &finding.further {
            let row = (lost.verdict, loss(&format!("also lost, with {} more like it", alike - 1), lost));
            let _ = write!(text, "<tr><td><td class='{0}'>{0}<td>{1}</tr>", row.0, row.1);
        }
    }
    text + "</table></details>"
}

fn loss(which: &str, lost: &Lost) -> String {
    let causes: Vec<String> =
        lost.causes.iter().take(3).map(|cause| format!("{}: {}", escaped(cause.name), escaped(cause.says))).collect();
    let stack: String = lost.entry.stack.iter().map(|frame| format!("{}\n", escaped(frame.method.as_str()))).collect();
    let knows = if lost.found_by.is_empty() { "nobody".to_owned() } else { escaped(&lost.found_by.join(", ")) };
    format!(
        "<code>{}</code>, {which}; known to {knows}.<br>{}<details><summary>stack</summary><pre>{stack}</pre></details>",
        escaped(lost.entry.method.as_str()),
        causes.join("<br>")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conclusion::Conclusion;
    use crate::tables::Scored;

    #[test]
    fn nothing_of_the_input_becomes_markup() {
        let analyses = ["<script>".to_owned()];
        let scored = [Scored { program: "a&b\"<i>".to_owned(), easiness: Some(0.5), ..Scored::default() }];
        let notes = ["it's <b>gone</b>".to_owned()];
        let conclusion = &Conclusion::of(&scored, true);
        let findings = Findings { analyses: &analyses, judged: &[], scored: &scored, conclusion, notes: &notes };
        let text = page("t<", &findings);
        assert!(!text.contains("<script>") && !text.contains("<i>") && !text.contains("<b>gone"));
        assert!(text.contains("a&amp;b&quot;&lt;i&gt;"));
        assert!(
            !text.contains("http://") || text.matches("http://").count() == text.matches("http://www.w3.org").count()
        );
    }
}
