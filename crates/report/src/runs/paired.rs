//! Groups side by side: ratios, dots, and a table of the pairs.

use super::curves::CURVES;
use super::figures::Measure;
use super::groups::{Grouping, PairedGroups};
use super::means::GROUPS;
use super::run::{Ending, Run};
use super::words::{in_chart, named, shown};
use crate::chart::{Axis, LineChart, Series, Shape, Tone, Unit};
use crate::table::{Cell, Table};
use crate::units::counted;
use maud::{Markup, html};
use std::cmp::Ordering;

/// More pairs are not listed.
const PAIRS: usize = 5_000;

/// The first group against each of the others.
pub(super) fn section(grouping: &Grouping<'_>) -> Markup {
    let first = &grouping.groups[0].name;
    html! {
        p { "Two runs are a pair if they have the same command, the same input and the same test. Ratios are what the other "
            (grouping.what()) " has, divided by what " (named(first)) " has: below 1, the other is smaller, or
            needs less." }
        (ratios(grouping))
        (scatter(grouping))
        h3 { "Pairs" }
        (pairs(grouping))
    }
}

fn ratios(grouping: &Grouping<'_>) -> Markup {
    let mut table = Table::new("ratios").text(grouping.what()).number("pairs");
    for measure in Measure::ALL {
        table = table.number(measure.name());
    }
    let mut table = table.number("smaller").number("same size").number("larger").number("stopped").number("alone");
    for comparison in grouping.comparisons.iter().take(GROUPS) {
        table.push(summary(grouping, comparison));
    }
    html! {
        (table.more(grouping.comparisons.len().saturating_sub(GROUPS) as u64))
        p.cut { "Geometric means of the ratios; “stopped” are the pairs of which one run was stopped, “alone” the runs
            of both without a partner, or with several that could be it." }
    }
}

fn summary(grouping: &Grouping<'_>, comparison: &PairedGroups<'_>) -> Vec<Cell> {
    let count = |holds: &dyn Fn(&Run, &Run) -> bool| {
        Cell::count(comparison.pairs.iter().filter(|(one, other)| holds(one, other)).count() as u64)
    };
    let sized = |wanted: Ordering| count(&|one, other| other.bytes_after.cmp(&one.bytes_after) == wanted);
    let is_stopped = |run: &Run| run.ending == Ending::Stopped;
    let first =
        [Cell::markup(named(&grouping.groups[comparison.other].name)), Cell::count(comparison.pairs.len() as u64)];
    let last = [
        sized(Ordering::Less),
        sized(Ordering::Equal),
        sized(Ordering::Greater),
        count(&|one, other| is_stopped(one) || is_stopped(other)),
        Cell::count(comparison.alone as u64),
    ];
    let ratio = |measure: Measure| times(measure.ratio(comparison.pairs.iter().copied()));
    first.into_iter().chain(Measure::ALL.map(ratio)).chain(last).collect()
}

fn times(ratio: Option<f64>) -> Cell {
    ratio.map_or_else(Cell::empty, |ratio| {
        let digits = if ratio < 0.1 { 3 } else { 2 };
        Cell::number(ratio, format!("× {ratio:.digits$}"))
    })
}

/// Shares left, one group against the others: dots below the line are smaller results of the other.
fn scatter(grouping: &Grouping<'_>) -> LineChart {
    let left = |run: &Run| Measure::Left.of(run);
    let all = || grouping.comparisons.iter().flat_map(|comparison| &comparison.pairs);
    let least = all().flat_map(|(one, other)| [left(one), left(other)]).fold(1.0, f64::min);
    let axis = |label: String| Axis::new(label, Unit::Share).log().from(least).reaching(1.0);
    let says = "A dot for each pair. Below the line, the other has the smaller result.";
    let chart = LineChart::new(
        "Share left of each pair",
        says,
        axis(format!("left by {}", crate::text::plain(&in_chart(&grouping.groups[0].name)))),
        axis("other".to_owned()),
    );
    let equal = Series::new("the same", vec![(least, least), (1.0, 1.0)]).tone(Tone::Quiet);
    grouping.comparisons.iter().take(CURVES).fold(chart.series(equal), |chart, comparison| {
        let points = comparison.pairs.iter().map(|(one, other)| (left(one), left(other))).collect();
        let name = in_chart(&grouping.groups[comparison.other].name);
        chart.series(Series::new(name, points).shape(Shape::Mark).tone(Tone::Nth(comparison.other)))
    })
}

fn pairs(grouping: &Grouping<'_>) -> Markup {
    let mut table = Table::new("pairs").text("run");
    for measure in Measure::ALL {
        let name = measure.name();
        table = table.number(name).number(format!("other {name}")).number(format!("{name} ×"));
    }
    let is_several = grouping.comparisons.len() > 1;
    let mut table = if is_several { table.text("other is") } else { table };
    let all = || {
        grouping.comparisons.iter().flat_map(|comparison| comparison.pairs.iter().map(move |pair| (comparison, pair)))
    };
    for (comparison, (one, other)) in all().take(PAIRS) {
        let numbers = Measure::ALL.into_iter().flat_map(|measure| {
            let (first, second) = (measure.of(one), measure.of(other));
            let cell = |value| Cell::number(value, shown(measure, value));
            [cell(first), cell(second), times(Some(second / first))]
        });
        let group = is_several.then(|| Cell::markup(named(&grouping.groups[comparison.other].name)));
        table.push([Cell::markup(named(&one.name))].into_iter().chain(numbers).chain(group));
    }
    let more = (all().count().saturating_sub(PAIRS)) as u64;
    html! {
        p.cut { (counted(all().count() as u64, "pair")) "; the run is that of " (named(&grouping.groups[0].name)) "." }
        div.matrix { (table.more(more)) }
    }
}
