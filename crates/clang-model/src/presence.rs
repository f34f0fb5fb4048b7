//! Determines which items must be kept for a part of the text to be kept.

use crate::draft::{Draft, When};
use lapidary_clang::FileId;
use lapidary_logic::Var;
use std::collections::HashSet;
use std::ops::Range;

/// The patches of each file as nested regions.
pub(crate) struct Presence {
    files: Vec<Vec<Region>>,
}

struct Region {
    range: Range<usize>,
    items: Vec<Var>,
    /// The enclosing region.
    outer: Option<usize>,
}

impl Presence {
    pub fn of(draft: &Draft, files: usize) -> Presence {
        let mut regions: Vec<Vec<Region>> = (0..files).map(|_| Vec::new()).collect();
        for patch in &draft.patches {
            let items = match &patch.when {
                When::Absent(var) => vec![*var],
                When::AnyAbsent(vars) => vars.clone(),
                When::AllAbsent(_) | When::Comma { .. } => continue,
            };
            regions[patch.file.index()].push(Region { range: patch.range.clone(), items, outer: None });
        }
        regions.iter_mut().for_each(|regions| nest(regions));
        Presence { files: regions }
    }

    /// Returns the items that must be kept for the text in a range. Items that others among them
    /// imply are left out where the nesting shows it.
    pub fn at(&self, draft: &Draft, file: FileId, range: &Range<usize>) -> Vec<Var> {
        let regions = &self.files[file.index()];
        let last = regions.partition_point(|region| region.range.start <= range.start).checked_sub(1);
        let around = std::iter::successors(last, |index| regions[*index].outer);
        let mut found: Vec<Var> = Vec::new();
        let mut implied: HashSet<Var> = HashSet::new();
        for region in around.map(|index| &regions[index]).filter(|region| region.range.end >= range.end) {
            let new: Vec<Var> = region.items.iter().filter(|var| !implied.contains(var)).copied().collect();
            for var in new {
                found.push(var);
                add_with_parents(draft, var, &mut implied);
            }
        }
        found
    }

    /// Returns the items whose text is inside a range, without those that cover all of it.
    pub fn within(&self, file: FileId, range: &Range<usize>) -> Vec<Var> {
        let regions = &self.files[file.index()];
        let first = regions.partition_point(|region| region.range.start < range.start);
        let inside = regions[first..].iter().take_while(|region| region.range.start < range.end);
        let whole = inside.filter(|region| region.range.end <= range.end && region.range != *range);
        whole.flat_map(|region| region.items.iter().copied()).collect()
    }
}

/// Adds an item with its parents. Stops at the first known one, so deep nesting costs each parent
/// once.
fn add_with_parents(draft: &Draft, var: Var, implied: &mut HashSet<Var>) {
    let mut next = Some(var);
    while let Some(var) = next.filter(|var| implied.insert(*var)) {
        next = draft.items[var.index()].parent;
    }
}

fn nest(regions: &mut [Region]) {
    regions.sort_by_key(|region| (region.range.start, usize::MAX - region.range.end));
    let mut open: Vec<usize> = Vec::new();
    for index in 0..regions.len() {
        while open.last().is_some_and(|outer| regions[*outer].range.end <= regions[index].range.start) {
            open.pop();
        }
        regions[index].outer = open.last().copied();
        open.push(index);
    }
}
