//! Renders the text of a candidate.

use crate::draft::{List, Patch, When};
use crate::edit::{Layout, apply};
use lapidary_clang::tokens;
use lapidary_logic::{Var, VarSet};
use std::ops::Range;
use std::sync::Arc;

/// One file with its patches in order. Of two that start together, the wider comes first.
pub(crate) struct PatchedFile {
    text: Arc<[u8]>,
    patches: Vec<Patch>,
}

impl PatchedFile {
    pub fn new(text: Arc<[u8]>, mut patches: Vec<Patch>) -> PatchedFile {
        patches.sort_by_key(|patch| (patch.range.start, usize::MAX - patch.range.end));
        PatchedFile { text, patches }
    }

    /// Returns the items that are removed with a wanted token.
    pub fn items_with(&self, is_wanted: &dyn Fn(usize) -> bool) -> Vec<Var> {
        let starts = tokens(&self.text).into_iter().map(|token| token.range.start);
        let wanted: Vec<usize> = starts.filter(|at| is_wanted(*at)).collect();
        let has_any = |range: &Range<usize>| {
            let next = wanted.partition_point(|at| *at < range.start);
            wanted.get(next).is_some_and(|at| *at < range.end)
        };
        let found = self.patches.iter().filter(|patch| has_any(&patch.range)).flat_map(|patch| match &patch.when {
            When::Absent(var) => vec![*var],
            When::AnyAbsent(vars) => vars.clone(),
            When::AllAbsent(_) | When::Comma { .. } => Vec::new(),
        });
        found.collect()
    }

    /// Writes the candidate's text. `None` if nothing changes.
    pub fn write(&self, keep: &VarSet, lists: &ListsKept, layout: Layout) -> Option<Vec<u8>> {
        let made = || self.patches.iter().filter(|patch| is_made(&patch.when, keep, lists));
        made().next()?;
        Some(apply(&self.text, made().map(|patch| (patch.range.clone(), patch.with.as_bytes())), layout))
    }
}

/// For each list, the kept elements and the first of them.
pub(crate) struct ListsKept<'l> {
    lists: &'l [List],
    first: Vec<usize>,
}

impl ListsKept<'_> {
    pub fn of<'l>(lists: &'l [List], keep: &VarSet) -> ListsKept<'l> {
        let first =
            |list: &List| list.iter().position(|var| var.is_none_or(|var| keep.contains(var))).unwrap_or(usize::MAX);
        ListsKept { lists, first: lists.iter().map(first).collect() }
    }
}

fn is_made(when: &When, keep: &VarSet, lists: &ListsKept<'_>) -> bool {
    match when {
        When::Absent(var) => !keep.contains(*var),
        When::AnyAbsent(vars) => vars.iter().any(|var| !keep.contains(*var)),
        When::AllAbsent(vars) => vars.iter().all(|var| !keep.contains(*var)),
        When::Comma { list, element } => {
            let next = lists.lists[*list].get(element + 1).copied().flatten();
            next.is_some_and(|var| !keep.contains(var)) || lists.first[*list] > *element
        }
    }
}
