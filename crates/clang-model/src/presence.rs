//! Which items must be there for a part of the text to be there.

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
    /// The region around it.
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

    /// The items, of a node that is in a range. Items that others of them need are left out where the nesting tells.
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

    /// The items whose text is in a range, without those that are about all of it.
    pub fn within(&self, file: FileId, range: &Range<usize>) -> Vec<Var> {
        let regions = &self.files[file.index()];
        let first = regions.partition_point(|region| region.range.start < range.start);
        let inside = regions[first..].iter().take_while(|region| region.range.start < range.end);
        let whole = inside.filter(|region| region.range.end <= range.end && region.range != *range);
        whole.flat_map(|region| region.items.iter().copied()).collect()
    }
}

/// What is known is known with its parents, so that deep nesting costs each parent once.
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
