//! Generalized Binary Reduction as long as it pays, then hierarchical delta debugging.
//!
//! A round of `gbr` among `n` items costs about `1 + log n` tests and learns one set that is
//! needed. If `k` items are needed, it removes about `n / k` items, which is many while `k` is
//! small. If hundreds are needed, a round removes fewer items than it costs tests, and `gbr` would
//! take more than one test for each item of the input. Removing groups of items is cheaper then:
//! one test can settle many items, and every removal is kept.

use super::gbr::Search;
use super::{Hdd, Oracle, Stop, Strategy};
use crate::Space;
use lapidary_logic::VarSet;
use std::collections::VecDeque;

/// The number of rounds judged together, since the gains of single rounds vary widely.
const ROUNDS: usize = 4;

/// Generalized Binary Reduction as long as it pays, then hierarchical delta debugging.
pub struct GbrHdd;

impl Strategy for GbrHdd {
    fn name(&self) -> &'static str {
        "gbr-hdd"
    }

    fn reduce(&self, space: &Space<'_>, oracle: &mut dyn Oracle) -> Result<VarSet, Stop> {
        let items = |within: &VarSet| within.iter().filter(|&var| space.is_item(var)).count();
        let mut search = Search::new(space.reasoner(), space.start());
        let mut account = Account::default();
        loop {
            let before = items(&search.within);
            let Some(sets) = search.round(oracle)? else { return Ok(search.within) };
            account.enter(Round { gain: before - items(&search.within), tests: tests_among(sets) });
            if !account.pays() {
                return Hdd.reduce(&space.starting_at(search.within), oracle);
            }
        }
    }

    fn fork(&self) -> Option<Box<dyn Strategy>> {
        Some(Box::new(GbrHdd))
    }
}

struct Round {
    gain: usize,
    tests: usize,
}

/// The gains and costs of the last rounds.
#[derive(Default)]
struct Account(VecDeque<Round>);

impl Account {
    fn enter(&mut self, round: Round) {
        self.0.push_back(round);
        if self.0.len() > ROUNDS {
            self.0.pop_front();
        }
    }

    /// Whether the last rounds removed at least one item per test, or it is too early to tell.
    fn pays(&self) -> bool {
        let sum = |part: fn(&Round) -> usize| self.0.iter().map(part).sum::<usize>();
        self.0.len() < ROUNDS || sum(|round| round.gain) >= sum(|round| round.tests)
    }
}

/// The number of tests in a round, estimated from its size so that cached answers make no
/// difference.
fn tests_among(sets: usize) -> usize {
    1 + sets.ilog2() as usize
}

#[cfg(test)]
mod tests {
    use super::super::Gbr;
    use super::*;
    use crate::Item;
    use lapidary_logic::{Cnf, Reasoner, Var};

    /// Accepts candidates that contain all wanted items, and counts the tests.
    struct Wants<'w> {
        items: &'w VarSet,
        asked: usize,
    }

    impl Oracle for Wants<'_> {
        fn test(&mut self, keep: &VarSet) -> Result<bool, Stop> {
            self.asked += 1;
            Ok(self.items.is_subset(keep))
        }
    }

    /// The number of tests a strategy takes to find the wanted ones among 512 independent items.
    fn tests_to_find(strategy: &dyn Strategy, is_wanted: fn(usize) -> bool) -> usize {
        const ITEMS: usize = 512;
        let wanted = VarSet::of(ITEMS, (0..ITEMS).filter(|item| is_wanted(*item)).map(Var::new));
        let items: Vec<Item> = (0..ITEMS).map(|number| Item::new(number.to_string(), "item")).collect();
        let reasoner = Reasoner::new(&Cnf::new(ITEMS));
        let mut oracle = Wants { items: &wanted, asked: 0 };
        let found = strategy.reduce(&Space::new(&items, &reasoner, VarSet::full(ITEMS)), &mut oracle).unwrap();
        assert_eq!(found, wanted);
        oracle.asked
    }

    #[test]
    fn where_few_items_are_wanted_it_is_gbr() {
        let few = |item: usize| item % 100 == 50;
        assert_eq!(tests_to_find(&GbrHdd, few), tests_to_find(&Gbr::default(), few));
    }

    #[test]
    fn where_most_items_are_wanted_it_asks_far_less_than_gbr() {
        let most = |item: usize| !item.is_multiple_of(4);
        let (gbr, both) = (tests_to_find(&Gbr::default(), most), tests_to_find(&GbrHdd, most));
        assert!(both * 3 < gbr, "{both} and {gbr}");
    }
}
