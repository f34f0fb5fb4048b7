//! The geometric means of each group.

use super::figures::Measure;
use super::groups::Grouping;
use super::run::{Ending, Run};
use super::words::{named, shown};
use crate::table::{Cell, Table};
use crate::units::seconds;
use maud::{Markup, html};

/// More groups are not listed.
pub(super) const GROUPS: usize = 50;

/// A row for each group, and one for all runs if there are several groups.
pub(super) fn section(grouping: &Grouping<'_>) -> Markup {
    let mut table = Table::new("groups").text(grouping.what()).number("runs").number("done");
    for measure in Measure::ALL {
        table = table.number(measure.name());
    }
    let mut table = table.number("time of all");
    for group in grouping.groups.iter().take(GROUPS) {
        table.push(row(named(&group.name), &group.runs));
    }
    if grouping.groups.len() > 1 {
        let all: Vec<&Run> = grouping.groups.iter().flat_map(|group| group.runs.iter().copied()).collect();
        table.push(row(html! { strong { "all" } }, &all));
    }
    html! {
        p { "Geometric means over runs that are over. A run that was stopped counts with its best result and with the
            candidates and the time until then. An empty result counts as one byte, a run without candidates as one." }
        (table.more(grouping.groups.len().saturating_sub(GROUPS) as u64))
    }
}

fn row(name: Markup, runs: &[&Run]) -> Vec<Cell> {
    let done = runs.iter().filter(|run| run.ending == Ending::Done).count();
    let mean = |measure: Measure| {
        let mean = measure.mean(runs.iter().copied());
        mean.map_or_else(Cell::empty, |mean| Cell::number(mean, shown(measure, mean)))
    };
    let time: f64 = runs.iter().map(|run| run.seconds).sum();
    let first = [Cell::markup(name), Cell::count(runs.len() as u64), Cell::count(done as u64)];
    let last = Cell::number(time, seconds(time));
    first.into_iter().chain(Measure::ALL.map(mean)).chain([last]).collect()
}
