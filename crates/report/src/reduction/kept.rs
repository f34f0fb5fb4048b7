//! The items that are left, and why each has to stay.

use super::gathered::{Gathered, StageSeen};
use crate::chart::{Bars, Part, Tone};
use crate::table::{Cell, Table};
use crate::text;
use crate::units::{counted, thousands};
use lapidary_reduce::journal::{KeeperRecord, KeptRecord, StageEndRecord};
use maud::{Markup, html};
use std::collections::BTreeMap;

/// Of a clause, so many items that need another one are named.
const NAMED: usize = 4;

/// Which items are listed, and what is said about each.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// With the words of the test.
    Words,
    /// Only what is in the result, and without words.
    Bare,
}

/// For each model, the items that its last stage left, and why; `None` if no stage has ended.
pub(super) fn section(run: &Gathered) -> Option<Markup> {
    stages(run, Detail::Words)
}

/// Like [`section`], but without what the test said, and without items that are gone since.
pub(super) fn without_words(run: &Gathered) -> Option<Markup> {
    stages(run, Detail::Bare)
}

fn stages(run: &Gathered, detail: Detail) -> Option<Markup> {
    let mut last: Vec<(&StageSeen, &StageEndRecord)> = Vec::new();
    for (seen, end) in run.stages.iter().filter_map(|seen| Some((seen, seen.end()?))) {
        last.retain(|(other, _)| other.stage.name != seen.stage.name);
        last.push((seen, end));
    }
    last.retain(|(seen, end)| !end.kept.is_empty() && (detail == Detail::Words || !is_old(run, seen)));
    // Models with names come first, and those of letters and blanks last.
    last.sort_by_key(|(seen, _)| run.stages.iter().position(|first| first.stage.name == seen.stage.name));
    let is_first = |index: usize| index == 0;
    (!last.is_empty()).then(|| html! {
        p { "An item stays because the test fails without it, or because a rule of the language says that another item that stays needs it." }
        @for (index, (seen, end)) in last.iter().enumerate() {
            details open[is_first(index)] {
                summary { strong { (text::shown(&seen.stage.name)) } " " span.count { (counted((end.kept.len() + end.more_kept) as u64, "item")) " left" } }
                div.folded { (of_stage(run, seen, end, detail)) }
            }
        }
    })
}

/// Whether the result became smaller after a stage, so that some of its items may be gone.
fn is_old(run: &Gathered, seen: &StageSeen) -> bool {
    seen.bytes_after > run.bytes_after
}

fn of_stage(run: &Gathered, seen: &StageSeen, end: &StageEndRecord, detail: Detail) -> Markup {
    html! {
        @if is_old(run, seen) {
            p.cut { "Later stages of other models made the result smaller still: some of these items may be gone." }
        }
        (by_kind(&end.kept))
        (table(end, detail))
    }
}

/// Whether the test or a rule keeps the items of each kind.
fn by_kind(kept: &[KeptRecord]) -> Markup {
    let part = |name: &str, tone| Part { name: name.to_owned(), tone };
    let mut kinds: BTreeMap<&str, [f64; 3]> = BTreeMap::new();
    for item in kept {
        let place = match item.keeper {
            Some(KeeperRecord::Test { .. }) => 0,
            Some(KeeperRecord::NeededBy(_)) => 1,
            None => 2,
        };
        kinds.entry(&item.named.kind).or_default()[place] += 1.0;
    }
    let parts = vec![
        part("kept by the test", Tone::Nth(0)),
        part("kept by a rule", Tone::Nth(2)),
        part("reason not known", Tone::Quiet),
    ];
    let mut rows: Vec<(&str, [f64; 3])> = kinds.into_iter().collect();
    rows.sort_by(|one, other| other.1.iter().sum::<f64>().total_cmp(&one.1.iter().sum()));
    let mut bars = Bars::new("By kind", parts);
    for (kind, counts) in rows.into_iter().take(20) {
        bars = bars.row(kind, counts.to_vec(), thousands(counts.iter().sum::<f64>() as u64));
    }
    html! { (bars) }
}

fn table(end: &StageEndRecord, detail: Detail) -> Table {
    let mut table = Table::new("items").text("item").text("kind").text("kept by").text("because");
    for item in &end.kept {
        let (by, because) = match &item.keeper {
            Some(KeeperRecord::Test { reason, with }) => (
                "the test",
                if detail == Detail::Words {
                    without(reason, *with)
                } else {
                    html! {}
                },
            ),
            Some(KeeperRecord::NeededBy(items)) => ("a rule", needed_by(items)),
            None => ("", html! {}),
        };
        table.push([
            Cell::markup(html! { code { (text::short(&item.named.label, 300)) } }),
            Cell::text(&item.named.kind),
            Cell::text(by),
            Cell::markup(html! { span.why { (because) } }),
        ]);
    }
    table.more(end.more_kept as u64)
}

fn without(reason: &str, with: usize) -> Markup {
    let without = match with {
        0 => "without it".to_owned(),
        more => format!("without it and {}", counted(more as u64, "other item")),
    };
    html! { (without) ", the test says: " q { (text::short(reason, 200)) } }
}

fn needed_by(items: &[String]) -> Markup {
    let more = items.len().saturating_sub(NAMED);
    html! {
        @match items {
            [] => "it must stay in any case",
            _ => {
                @for (index, item) in items.iter().take(NAMED).enumerate() {
                    @if index > 0 { ", " }
                    code { (text::short(item, 200)) }
                }
                @if more > 0 { " and " (more) " more" }
                @if items.len() == 1 { " is not valid without it" } @else { " are not valid together without it" }
            }
        }
    }
}
