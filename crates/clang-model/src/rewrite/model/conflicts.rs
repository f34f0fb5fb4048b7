//! Opportunities that cannot be taken together, because they edit the same text.

use crate::Edit;
use crate::rewrite::Opportunity;
use lapidary_logic::{Cnf, Var};
use std::collections::BTreeSet;

/// Returns the formula by which, of two opportunities that touch the same text, at most one is
/// taken.
pub(super) fn constraint(opportunities: &[Opportunity]) -> Cnf {
    let mut constraint = Cnf::new(opportunities.len());
    for (one, other) in pairs(opportunities) {
        let either = [Var::new(one), Var::new(other)];
        constraint.add(&[], &either).expect("a clause of two conclusions has a conclusion");
    }
    constraint
}

/// Returns the conflicting pairs. Edits are visited in order, each with the earlier ones that reach
/// it.
fn pairs(opportunities: &[Opportunity]) -> BTreeSet<(usize, usize)> {
    let mut edits: Vec<(&Edit, usize)> = Vec::new();
    for (index, opportunity) in opportunities.iter().enumerate() {
        edits.extend(opportunity.edits.iter().map(|edit| (edit, index)));
    }
    edits.sort_by_key(|(edit, _)| edit.place());
    let mut open: Vec<(&Edit, usize)> = Vec::new();
    let mut pairs = BTreeSet::new();
    for (edit, index) in edits {
        open.retain(|(before, _)| touch(before, edit));
        let others = open.iter().map(|(_, other)| *other).filter(|other| *other != index);
        pairs.extend(others.map(|other| (other.min(index), other.max(index))));
        open.push((edit, index));
    }
    pairs
}

/// Returns whether an edit touches a later one. If both start together, neither can be first.
fn touch(before: &Edit, edit: &Edit) -> bool {
    let is_inside = edit.range.start < before.range.end || edit.range.start == before.range.start;
    before.file == edit.file && is_inside
}
