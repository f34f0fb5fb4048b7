//! Coalescing: values that meet become one variable, such as `student = new Student()` on one path
//! and another student on the other.
//!
//! That is correct if the variable, whenever it is read, holds one of the values that points-to
//! allows there. It avoids choices between values, some of which do not exist yet.

use crate::body::{Body, Made};
use crate::points_to::{Source, Sources};
use crate::value::Writing;
use lapidary_classfile::{Instruction, Position};
use std::collections::{BTreeMap, BTreeSet};

impl<'h> Writing<'_, 'h> {
    /// For each value that shares a variable, the value that the variable is named after.
    pub fn shared_variables(&self) -> BTreeMap<Position, Position> {
        let uses = self.uses.take();
        let mut result = BTreeMap::new();
        let mut tried = BTreeSet::new();
        for (_, sources) in &uses {
            let group: BTreeSet<Position> = sources.iter().filter_map(|source| self.variable_site(source)).collect();
            let is_new = group.len() > 1 && tried.insert(group.clone());
            let is_free = group.iter().all(|site| !result.contains_key(site));
            let types: BTreeSet<_> = group.iter().filter_map(|site| self.source_type(&Source::Site(*site))).collect();
            if is_new && is_free && types.len() == 1 && self.can_share(&group, &uses) {
                let first = group.first().copied().unwrap_or_default();
                result.extend(group.into_iter().map(|site| (site, first)));
            }
        }
        result
    }

    fn variable_site(&self, source: &Source) -> Option<Position> {
        match source {
            Source::Site(site) => (self.subject.made(self.body, *site) != Made::Own).then_some(*site),
            _ => None,
        }
    }

    /// Returns whether no read of one of the values would find another.
    fn can_share(&self, group: &BTreeSet<Position>, uses: &[(Position, Sources)]) -> bool {
        let held = held_values(self.body, group);
        uses.iter().all(|(at, sources)| {
            let is_concerned = group.iter().any(|site| sources.contains(&Source::Site(*site)));
            let fits = |site: &Position| sources.contains(&Source::Site(*site));
            !is_concerned || held.get(at).is_none_or(|held| held.iter().all(fits))
        })
    }
}

/// For each position, the values of the group that were created last on some path there.
fn held_values(body: &Body<'_>, group: &BTreeSet<Position>) -> BTreeMap<Position, BTreeSet<Position>> {
    let makers: BTreeMap<Position, Position> = group.iter().map(|site| (made_at(body, *site), *site)).collect();
    let mut held: BTreeMap<Position, BTreeSet<Position>> = BTreeMap::new();
    let mut work: BTreeSet<Position> = makers.keys().copied().collect();
    while let Some(position) = work.pop_first() {
        let before = held.get(&position).cloned().unwrap_or_default();
        let after = makers.get(&position).map_or(before.clone(), |site| BTreeSet::from([*site]));
        let instruction = body.instruction(position);
        let next = instruction.falls_through().then_some(position + 1);
        let handlers = body.code.handlers.iter().filter(|handler| (handler.start..handler.end).contains(&position));
        let caught = handlers.map(|handler| (handler.target, before.clone()));
        let ways = next.into_iter().chain(instruction.targets()).map(|target| (target, after.clone()));
        for (target, values) in ways.chain(caught).filter(|(target, _)| body.is_reached(*target)).collect::<Vec<_>>() {
            let present = held.entry(target).or_default();
            let count = present.len();
            present.extend(values);
            if present.len() > count {
                work.insert(target);
            }
        }
    }
    held
}

/// The position of the statement that creates the value.
fn made_at(body: &Body<'_>, site: Position) -> Position {
    match body.instruction(site) {
        Instruction::New(_) => body.construction(site).unwrap_or(site),
        _ => site,
    }
}
