//! The removed items, as a tree that folds: stages, what the items were inside of, items.

use super::gathered::{Gathered, StageSeen};
use crate::text;
use crate::units::{bytes, counted};
use lapidary_reduce::journal::{RemovedRecord, StageEndRecord};
use maud::{Markup, html};
use std::collections::BTreeMap;

/// At most so many items are listed on the page.
const LISTED: usize = 4_000;

/// The tree; `None` if nothing was removed.
pub(super) fn section(run: &Gathered) -> Option<Markup> {
    let mut room = LISTED;
    let ended = run.stages.iter().filter_map(|seen| Some((seen, seen.end()?)));
    let stages: Vec<Markup> =
        ended.filter(|(_, end)| !end.removed.is_empty()).map(|(seen, end)| of_stage(seen, end, &mut room)).collect();
    (!stages.is_empty()).then(|| html! {
        p { "Items are listed without those inside of them, which went too. Sizes are those in the input." }
        div.searched {
            p.filter { input type="search" placeholder="Search removed items …" aria-label="Search removed items"; output aria-live="polite" {} }
            ul.tree { @for stage in &stages { (stage) } }
        }
    })
}

fn of_stage(seen: &StageSeen, end: &StageEndRecord, room: &mut usize) -> Markup {
    let mut groups: BTreeMap<(&str, bool), Vec<&RemovedRecord>> = BTreeMap::new();
    for item in &end.removed {
        let group = match &item.parent {
            Some(parent) => (&**parent, true),
            None => (&*item.named.kind, false),
        };
        groups.entry(group).or_default().push(item);
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(_, items)| std::cmp::Reverse(items.iter().map(|item| item.bytes).sum::<u64>()));
    let count = (end.removed.len() + end.more_removed) as u64;
    html! {
        li { details {
            summary {
                "Round " (seen.stage.round) ", " strong { (text::shown(&seen.stage.name)) } " "
                span.count { (counted(count, "item")) (size(end.removed.iter().map(|item| item.bytes).sum())) }
            }
            ul { @for ((name, is_parent), items) in groups { (group(name, is_parent, items, room)) } }
            @if end.more_removed > 0 { p.cut { "… and " (counted(end.more_removed as u64, "more item")) " that the journal does not name" } }
        } }
    }
}

fn group(name: &str, is_parent: bool, mut items: Vec<&RemovedRecord>, room: &mut usize) -> Markup {
    items.sort_by_key(|item| std::cmp::Reverse(item.bytes));
    let all = items.iter().map(|item| item.bytes).sum();
    let shown = items.len().min(*room);
    *room -= shown;
    html! {
        li { details {
            summary {
                @if is_parent { span.kind { "in " } code { (text::short(name, 200)) } } @else { (text::short(name, 200)) }
                " " span.count { (counted(items.len() as u64, "item")) (size(all)) }
            }
            ul { @for item in &items[..shown] {
                li {
                    code { (text::short(&item.named.label, 300)) } " "
                    span.kind { (text::short(&item.named.kind, 60)) } span.count { (size(item.bytes)) }
                }
            } }
            @if shown < items.len() { p.cut { "… and " (counted((items.len() - shown) as u64, "more item")) } }
        } }
    }
}

fn size(number: u64) -> String {
    if number > 0 { format!(", {}", bytes(number)) } else { String::new() }
}
