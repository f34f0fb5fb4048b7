//! A strategy for a stage that runs repeatedly: bisection first, single items later.
//!
//! On the first run much can be removed, and bisection quickly finds what cannot: it takes about
//! five tests for each item that is needed. If hundreds of items are needed, that is too much, and
//! the result becomes small only at the end. On later runs nearly everything is needed, so trying
//! the items one by one takes a single test for each. An item that was needed once is
//! not tried again here; a last stage has to do that.

use super::{Gbr, GbrHdd, HastySweep, Oracle, Stop, Strategy};
use crate::Space;
use lapidary_logic::VarSet;
use std::sync::atomic::{AtomicBool, Ordering};

/// Above this number of items, [`GbrHdd`] replaces [`Gbr`]: hundreds of items may be needed.
const MANY: usize = 300;

/// Runs [`Gbr`] the first time and [`HastySweep`] from then on.
#[derive(Default)]
pub struct GbrThenSweep {
    has_run: AtomicBool,
    sweep: HastySweep,
}

impl Strategy for GbrThenSweep {
    /// The name of the strategy that the next run uses.
    fn name(&self) -> &'static str {
        if self.has_run.load(Ordering::Relaxed) { self.sweep.name() } else { Gbr::default().name() }
    }

    fn reduce(&self, space: &Space<'_>, oracle: &mut dyn Oracle) -> Result<VarSet, Stop> {
        match self.has_run.swap(true, Ordering::Relaxed) {
            false if space.start_items().len() > MANY => GbrHdd.reduce(space, oracle),
            false => Gbr::default().reduce(space, oracle),
            true => self.sweep.reduce(space, oracle),
        }
    }

    fn fork(&self) -> Option<Box<dyn Strategy>> {
        Some(Box::new(GbrThenSweep {
            has_run: AtomicBool::new(self.has_run.load(Ordering::Relaxed)),
            sweep: self.sweep.copy(),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Item;
    use lapidary_logic::{Cnf, Reasoner, Var};

    /// Accepts sets that contain all needed items, and counts the tests.
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
        assert_eq!(strategy.name(), "hasty sweep");
        oracle.tests = 0;
        let again = Space::new(&items, &reasoner, found.clone());
        assert_eq!(strategy.reduce(&again, &mut oracle).unwrap(), found);
        assert_eq!(oracle.tests, 16);
        oracle.tests = 0;
        assert_eq!(strategy.reduce(&again, &mut oracle).unwrap(), found);
        assert_eq!(oracle.tests, 0, "all were needed");
    }
}
