//! Reasons why items stay: the test that rejected a candidate without them, or the clause that
//! requires them.

use lapidary_logic::{Cnf, Var, VarSet};
use std::collections::HashMap;
use std::sync::Arc;

/// The reason why an item stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Keeper {
    /// The test rejected a candidate without the item.
    Test {
        /// The reason of that judgment.
        reason: Arc<str>,
        /// How many other items were missing from that candidate.
        with: usize,
    },
    /// A clause requires the item because these variables are kept. If there are none, the item
    /// must always stay.
    Clause(Vec<Var>),
}

/// Candidates with more removed variables than this are ignored: they are many, and each says
/// little about a single item.
const TELLING: usize = 64;

/// For each variable of a stage, the rejected candidate without it that removed the fewest
/// variables.
pub(crate) struct Evidence {
    /// For each variable, the number of removed variables including itself, and the index of the
    /// reason.
    tests: Vec<Option<(u32, u32)>>,
    reasons: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, u32>,
}

impl Evidence {
    pub(crate) fn new(variables: usize) -> Self {
        Evidence { tests: vec![None; variables], reasons: Vec::new(), numbers: HashMap::new() }
    }

    /// Learns from a rejected candidate.
    pub(crate) fn note(&mut self, start: &VarSet, keep: &VarSet, reason: &str) {
        if start.len().saturating_sub(keep.len()) > TELLING {
            return;
        }
        let removed = start.minus(keep);
        let count = removed.len() as u32;
        let number = self.number_of(reason);
        for var in removed.iter() {
            let known = &mut self.tests[var.index()];
            if known.is_none_or(|(fewest, _)| count < fewest) {
                *known = Some((count, number));
            }
        }
    }

    fn number_of(&mut self, reason: &str) -> u32 {
        if let Some(&number) = self.numbers.get(reason) {
            return number;
        }
        let (reason, number): (Arc<str>, u32) = (reason.into(), self.reasons.len() as u32);
        self.reasons.push(reason.clone());
        self.numbers.insert(reason, number);
        number
    }

    /// The keeper of each of the first `items` variables, provided that nothing of `kept` could be
    /// removed.
    pub(crate) fn keepers(&self, items: usize, kept: &VarSet, constraint: &Cnf) -> Vec<Option<Keeper>> {
        let by_test = |known: &Option<(u32, u32)>| {
            known.map(|(count, number)| Keeper::Test {
                reason: self.reasons[number as usize].clone(),
                with: count as usize - 1,
            })
        };
        let mut keepers: Vec<Option<Keeper>> = self.tests.iter().take(items).map(by_test).collect();
        for clause in constraint.clauses() {
            let mut left = clause.conclusions.iter().filter(|&&var| kept.contains(var));
            let (Some(only), None) = (left.next(), left.next()) else { continue };
            let is_asked = clause.premises.iter().all(|&var| kept.contains(var));
            match keepers.get_mut(only.index()) {
                Some(keeper @ None) if is_asked => *keeper = Some(Keeper::Clause(clause.premises.to_vec())),
                Some(keeper) if is_asked && clause.premises.is_empty() => *keeper = Some(Keeper::Clause(Vec::new())),
                _ => {}
            }
        }
        keepers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_test_that_left_out_least_counts_and_clauses_explain_the_rest() {
        let full = VarSet::full(4);
        let mut evidence = Evidence::new(4);
        let without = |vars: &[usize]| full.without(&vars.iter().copied().map(Var::new).collect::<Vec<_>>());
        evidence.note(&full, &without(&[0, 1]), "both gone");
        evidence.note(&full, &without(&[0]), "exit code 1");
        evidence.note(&full, &without(&[0, 1]), "both gone");
        let mut constraint = Cnf::new(4);
        constraint.imply(Var::new(0), Var::new(2));
        constraint.require(Var::new(3));
        let keepers = evidence.keepers(4, &full, &constraint);
        assert_eq!(keepers[0], Some(Keeper::Test { reason: "exit code 1".into(), with: 0 }));
        assert_eq!(keepers[1], Some(Keeper::Test { reason: "both gone".into(), with: 1 }));
        assert_eq!(keepers[2], Some(Keeper::Clause(vec![Var::new(0)])));
        assert_eq!(keepers[3], Some(Keeper::Clause(Vec::new())));
    }
}
