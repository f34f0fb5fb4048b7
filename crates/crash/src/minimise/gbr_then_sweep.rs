//! A strategy for a stage that has its turn again and again.
//!
//! The first time much can go, and bisection finds out quickly what cannot: some five tests for each item that is needed.
//! Where hundreds are needed that is too much, and what is found is small only at the end.
//! Later nearly everything is needed, and to try the items one by one takes a single test for each. Each is tried once:
//! if something went, the stage has its turn again.

use lapidary_logic::VarSet;
use lapidary_reduce::strategy::{Gbr, GbrHdd, Oracle, Sweep};
use lapidary_reduce::{Space, Stop, Strategy};
use std::sync::atomic::{AtomicBool, Ordering};

/// Of more items than this, hundreds may be needed.
const MANY: usize = 300;

#[derive(Default)]
pub(super) struct GbrThenSweep {
    has_run: AtomicBool,
}

impl Strategy for GbrThenSweep {
    /// Of the one that comes next.
    fn name(&self) -> &'static str {
        if self.has_run.load(Ordering::Relaxed) { Sweep.name() } else { Gbr::default().name() }
    }

    fn reduce(&self, space: &Space<'_>, oracle: &mut dyn Oracle) -> Result<VarSet, Stop> {
        match self.has_run.swap(true, Ordering::Relaxed) {
            false if space.start_items().len() > MANY => GbrHdd.reduce(space, oracle),
            false => Gbr::default().reduce(space, oracle),
            true => Sweep.reduce(space, oracle),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lapidary_logic::{Cnf, Reasoner, Var};
    use lapidary_reduce::Item;

    /// Likes what has all of these, and counts how often it is asked.
    struct Needing {
        needed: Vec<Var>,
        tests: usize,
    }

    impl Oracle for Needing {
        fn test(&mut self, keep: &VarSet) -> Result<bool, Stop> {
            self.tests += 1;
            Ok(self.needed.iter().all(|var| keep.contains(*var)))
        }
    }

    #[test]
    fn the_second_time_takes_one_test_for_each_item() {
        let items: Vec<Item> = (0..32).map(|number| Item::new(number.to_string(), "item")).collect();
        let reasoner = Reasoner::new(&Cnf::new(items.len()));
        let space = Space::new(&items, &reasoner, VarSet::full(items.len()));
        let mut oracle = Needing { needed: (0..32).step_by(2).map(Var::new).collect(), tests: 0 };
        let strategy = GbrThenSweep::default();
        assert_eq!(strategy.name(), "gbr");
        let found = strategy.reduce(&space, &mut oracle).unwrap();
        assert!(found.len() == 16 && oracle.tests > 32, "{}", oracle.tests);
        assert_eq!(strategy.name(), "sweep");
        oracle.tests = 0;
        let again = Space::new(&items, &reasoner, found.clone());
        assert_eq!(strategy.reduce(&again, &mut oracle).unwrap(), found);
        assert_eq!(oracle.tests, 16);
    }
}
