//! Statistics over many programs. Columns about the truth are there only if it was given.

use super::easiness;
use crate::chart::{Axis, Bin, Histogram, LineChart, Series, Tone, Unit};
use crate::table::{Cell, Table};
use crate::units::{counted, percent};
use crate::{Page, Section, text};
use lapidary::TriageReport;
use lapidary_triage::tables::{self, Confusion};
use lapidary_triage::{Judged, Verdict};
use maud::{Markup, html};

/// At most so many groups of inputs are shown.
const GROUPS: usize = 300;

pub fn sections(page: Page, report: &TriageReport) -> Page {
    let confusion = tables::confusion(&report.scored);
    let page = page.section(Section::new("easiness", "How easy the inputs are", curves(report)));
    let page = match tables::by_who_missed(&report.scored).is_empty() {
        true => page,
        false => page.section(Section::new("missed", "Who missed what", who_missed(report, &confusion))),
    };
    let page = match confusion.is_empty() {
        true => page,
        false => page.section(Section::new("quality", "How good the verdicts are", quality(&confusion))),
    };
    against_what_ran(page, report)
}

/// The analyses against the methods that were entered.
pub fn against_what_ran(page: Page, report: &TriageReport) -> Page {
    if report.examined.is_empty() {
        return page;
    }
    let judged: Vec<Judged> = report.examined.iter().map(|examined| examined.judged.clone()).collect();
    let entered: usize = judged.iter().map(|judged| judged.entered.len()).sum();
    let mut table = Table::new("analyses").text("analysis");
    for column in ["programs", "reached", "and entered", "precision", "recall"] {
        table = table.number(column);
    }
    for row in tables::relative(&judged, &report.analyses) {
        let counts = [row.programs, row.reached, row.reached_and_entered].map(|count| Cell::count(count as u64));
        let shares = [row.precision, row.recall].map(share);
        table.push([Cell::text(&row.name)].into_iter().chain(counts).chain(shares));
    }
    page.section(Section::new(
        "relative",
        "Against what ran",
        html! {
            p { (counted(entered as u64, "method")) " of the programs were entered. Precision and recall are relative to
                that: a method that was not entered in these runs may be in others. Programs on which an analysis did
                not answer are left out of its row." }
            (table)
        },
    ))
}

fn share(share: Option<f64>) -> Cell {
    share.map_or_else(Cell::empty, |share| Cell::number(share, percent(share)))
}

fn curves(report: &TriageReport) -> Markup {
    let bins = tables::bins(&report.scored, &report.analyses);
    let bars = bins.iter().map(|bin| {
        let (from, to) = ((bin.easiness - 0.02).max(-0.02), bin.easiness + 0.02);
        Bin { from, to, count: bin.inputs as u64 }
    });
    let easiness = || Axis::new("easiness", Unit::Number).from(0.0).reaching(1.0);
    let says = format!("{} of {} different easiness", counted(report.scored.len() as u64, "input"), bins.len());
    let inputs =
        Histogram::new("Inputs by easiness", says, easiness(), Axis::new("inputs", Unit::Number), bars.collect());
    let shares = |title: &str| {
        LineChart::new(title, "A share for each easiness.", easiness(), Axis::new("share", Unit::Share).reaching(1.0))
    };
    let known = report.analyses.iter().enumerate().fold(
        shares("How often each analysis knows what is lost first"),
        |chart, (at, name)| {
            let points = bins.iter().filter_map(|bin| Some((bin.easiness, *bin.sound.get(name)?))).collect();
            chart.series(Series::new(name, points).tone(Tone::Nth(at)))
        },
    );
    let tones = [Tone::Bad, Tone::Nth(2), Tone::Unsure];
    let truth = bins.iter().any(|bin| bin.truth.is_some()).then(|| {
        let kinds = Verdict::ALL.iter().zip(tones).enumerate();
        kinds.fold(shares("What losses really are"), |chart, (place, (kind, tone))| {
            let points = bins.iter().filter_map(|bin| Some((bin.easiness, bin.truth?[place]))).collect();
            chart.series(Series::new(kind.to_string(), points).tone(tone))
        })
    });
    html! { (inputs) @if bins.len() > 1 { (known) @if let Some(truth) = truth { (truth) } } }
}

fn who_missed(report: &TriageReport, confusion: &Confusion) -> Markup {
    let groups = tables::by_who_missed(&report.scored);
    let knows_truth = !confusion.is_empty();
    let table = Table::new("groups").number("inputs").number("easiness");
    let table = report.analyses.iter().fold(table, |table, name| table.text(text::plain(name)));
    let truths = ["bugs", "features", "unknown"];
    let mut table = truths.into_iter().filter(|_| knows_truth).fold(table, |table, name| table.number(name));
    let mut rows: Vec<_> = groups.iter().collect();
    rows.sort_by(|(_, one), (_, other)| other.easiness.total_cmp(&one.easiness));
    for (sides, group) in rows.iter().take(GROUPS) {
        let side = |name: &String| match (sides.missed_by.contains(name), sides.silent.contains(name)) {
            (true, _) => Cell::markup(html! { span.verdict.bug { "misses" } }),
            (_, true) => Cell::markup(html! { span.why { "no answer" } }),
            _ => Cell::markup(html! { span.verdict.sound { "right" } }),
        };
        let truth = group.truth.into_iter().filter(|_| knows_truth).map(|count| Cell::count(count as u64));
        let first = [Cell::count(group.inputs as u64), easiness(Some(group.easiness))];
        table.push(first.into_iter().chain(report.analyses.iter().map(side)).chain(truth));
    }
    html! {
        p { "Inputs on which the same analyses are wrong, the easy ones first." }
        div.matrix { (table.more(rows.len().saturating_sub(GROUPS) as u64)) }
    }
}

fn quality(confusion: &Confusion) -> Markup {
    let mut table = Table::new("verdicts").text("verdict");
    for column in ["really bugs", "really features", "nobody knows", "precision", "recall", "at least"] {
        table = table.number(column);
    }
    for (kind, row) in Verdict::ALL.iter().zip(confusion.0) {
        let quality = confusion.quality(*kind);
        let shares = match kind {
            Verdict::Unknown => [None; 3],
            _ => [quality.precision, quality.recall, quality.recall_at_least],
        };
        let counts = row.map(|count| Cell::count(count as u64));
        table.push([Cell::text(&kind.to_string())].into_iter().chain(counts).chain(shares.map(share)));
    }
    html! { (table) }
}
