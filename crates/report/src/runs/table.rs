//! The table of all runs.

use super::run::{Ending, Run};
use super::words::named;
use crate::table::{Cell, Table};
use crate::text;
use crate::units::{bytes, percent, seconds};
use maud::{Markup, html};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A page with more rows would be slow to sort and to scroll. CSV has all of them.
const MOST: usize = 5_000;

/// All runs, linked to their own pages where they have one.
pub(super) fn of(runs: &[Run], own_pages: &BTreeMap<PathBuf, String>) -> Markup {
    let mut table = Table::new("runs").text("run").text("command").text("strategy");
    for column in ["input", "result", "left", "candidates", "cached", "time"] {
        table = table.number(column);
    }
    let mut table = table.text("ended");
    for run in runs.iter().take(MOST) {
        let class = match run.ending {
            _ if run.damage.is_some() => "warning",
            Ending::Flaky | Ending::Running => "warning",
            Ending::Done | Ending::Stopped => "",
        };
        table.push_marked(class, row(run, own_pages));
    }
    html! { div.runs { (table.more(runs.len().saturating_sub(MOST) as u64)) } }
}

fn row(run: &Run, own_pages: &BTreeMap<PathBuf, String>) -> [Cell; 10] {
    let size = |number: u64| match run.left() {
        Some(_) => Cell::number(number as f64, bytes(number)),
        None => Cell::empty(),
    };
    let name = match own_pages.get(&run.journal) {
        Some(address) => html! { a href=(address) { (named(&run.name)) } },
        None => named(&run.name),
    };
    [
        Cell::markup(name),
        Cell::text(&run.command),
        Cell::markup(text::short(&run.strategy, 60)),
        size(run.bytes_before),
        size(run.bytes_after),
        run.left().map_or_else(Cell::empty, |left| Cell::number(left, percent(left))),
        Cell::count(run.tally.all()),
        run.cached.map_or_else(Cell::empty, Cell::count),
        Cell::number(run.seconds, seconds(run.seconds)),
        ended(run),
    ]
}

fn ended(run: &Run) -> Cell {
    Cell::markup(html! {
        (run.ending.word())
        @if run.damage.is_some() { ", damaged" } @else if run.is_cut_short { ", cut short" }
    })
}
