//! Size over tests and time, and what became of the tests.

use super::gathered::{Gathered, Point, StageSeen};
use crate::chart::{Axis, Band, Bars, Histogram, LineChart, Part, Series, Shape, Tone, Unit};
use crate::table::{Cell, Table};
use crate::units::{bytes, counted, percent, seconds, thousands};
use lapidary_reduce::Verdict;
use maud::{Markup, html};

/// More stages are not drawn as bands.
const BANDS: usize = 60;

/// The charts of the size, and the table of the stages.
pub(super) fn section(run: &Gathered) -> Markup {
    if run.stages.is_empty() {
        return html! { p { "No candidate has been judged yet." } };
    }
    html! {
        (over(run, "Size over candidates", Axis::new("candidates judged", Unit::Number), |point| point.test as f64, run.tests() as f64, |stage| [stage.before as f64, stage.last as f64]))
        (over(run, "Size over time", Axis::new("time", Unit::Seconds), |point| point.at, run.seconds, |stage| [stage.stage.at, stage.until]))
        h3 { "Stages" }
        (stages(run))
    }
}

fn over(
    run: &Gathered,
    title: &str,
    x: Axis,
    place: impl Fn(&Point) -> f64,
    end: f64,
    span: impl Fn(&StageSeen) -> [f64; 2],
) -> Markup {
    let (before, after) = (run.bytes_before, run.bytes_after);
    let says = format!(
        "The best size falls from {} to {} over {}.",
        bytes(before),
        bytes(after),
        counted(run.tests(), "candidate")
    );
    let y = Axis::new("size", Unit::Bytes);
    let y = if before >= 20 * after.max(1) { y.log() } else { y };
    let mut best: Vec<(f64, f64)> = run.curve.kept().iter().map(|point| (place(point), point.bytes as f64)).collect();
    best.push((end, after as f64));
    let dots = |wanted: fn(Verdict) -> bool| {
        let tried = run.tried.kept().iter().filter(|(_, verdict)| wanted(*verdict));
        tried.map(|(point, _)| (place(point), point.bytes as f64)).collect()
    };
    let bands =
        if run.stages.len() > BANDS { Vec::new() } else { run.stages.iter().map(|stage| band(stage, &span)).collect() };
    let chart = LineChart::new(title, says, x, y)
        .series(
            Series::new("not interesting", dots(|verdict| verdict != Verdict::Interesting))
                .shape(Shape::Dots)
                .tone(Tone::Quiet),
        )
        .series(
            Series::new("interesting", dots(|verdict| verdict == Verdict::Interesting))
                .shape(Shape::Dots)
                .tone(Tone::Nth(3)),
        )
        .series(Series::new("best", best).shape(Shape::Step))
        .bands(bands);
    html! { (chart) }
}

fn band(stage: &StageSeen, span: impl Fn(&StageSeen) -> [f64; 2]) -> Band {
    let [from, to] = span(stage);
    Band { name: stage.stage.name.clone(), from, to: to.max(from) }
}

fn stages(run: &Gathered) -> Table {
    let mut table = Table::new("stages")
        .number("round")
        .text("stage")
        .text("strategy")
        .number("items")
        .number("removed")
        .number("candidates")
        .number("size after")
        .number("time");
    const MOST: usize = 500;
    for seen in run.stages.iter().take(MOST) {
        let stage = &seen.stage;
        let removed = seen.end().map(|end| (end.removed.len() + end.more_removed) as u64);
        let time = seen.until - stage.at;
        table.push([
            Cell::count(u64::from(stage.round)),
            Cell::text(&stage.name),
            Cell::text(&stage.strategy),
            Cell::count(stage.items as u64),
            removed.map_or_else(|| Cell::number(-1.0, "not ended"), Cell::count),
            Cell::count(seen.tally.all()),
            Cell::number(seen.bytes_after as f64, bytes(seen.bytes_after)),
            Cell::number(time, seconds(time)),
        ]);
    }
    table.more(run.stages.len().saturating_sub(MOST) as u64)
}

/// Tests by verdict and by time.
pub(super) fn tests(run: &Gathered) -> Markup {
    if run.tests() == 0 {
        return html! { p { "No candidate has been judged yet." } };
    }
    let per_test = run.in_tests / run.tests() as f64;
    let says = format!("A test takes {} on average.", seconds(per_test));
    let (x, y) = (Axis::new("time of a test", Unit::Seconds).log(), Axis::new("candidates", Unit::Number));
    html! {
        p {
            (counted(run.tests(), "candidate")) " judged: " (percent(run.tally.interesting as f64 / run.tests() as f64)) " interesting, "
            (thousands(run.tally.unresolved)) " undecided, " (thousands(run.tally.timed_out)) " took too long. " (says)
        }
        (verdicts(run))
        (Histogram::new("Time per candidate", says, x, y, run.times.bins()))
    }
}

fn verdicts(run: &Gathered) -> Bars {
    let part = |name: &str, tone| Part { name: name.to_owned(), tone };
    let parts =
        vec![part("interesting", Tone::Good), part("not interesting", Tone::Quiet), part("undecided", Tone::Unsure)];
    let mut bars = Bars::new("Candidates by verdict", parts);
    // Stages of one name together, in the order in which they first came.
    let mut names: Vec<&str> = Vec::new();
    for seen in &run.stages {
        if !names.contains(&&*seen.stage.name) {
            names.push(&seen.stage.name);
        }
    }
    for name in names {
        let of_name = || run.stages.iter().filter(|seen| seen.stage.name == name);
        let sum = |count: fn(&StageSeen) -> u64| of_name().map(count).sum::<u64>() as f64;
        let values = vec![
            sum(|seen| seen.tally.interesting),
            sum(|seen| seen.tally.uninteresting),
            sum(|seen| seen.tally.unresolved),
        ];
        let all = of_name().map(|seen| seen.tally.all()).sum();
        bars = bars.row(name, values, counted(all, "candidate"));
    }
    bars
}
