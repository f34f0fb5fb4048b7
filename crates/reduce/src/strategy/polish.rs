//! The last pass: tries to remove each remaining item together with everything that depends on it,
//! and repeats until no item can be removed.
//!
//! The result is 1-minimal among valid sub-inputs: no single item can be removed, alone or with the
//! items that depend on it.

use super::prune::Pruner;
use super::{Oracle, Stop, Strategy};
use crate::Space;
use lapidary_logic::{Remover, Var, VarSet};

/// Removes single items until no item can be removed alone.
pub struct Polish;

impl Strategy for Polish {
    fn name(&self) -> &'static str {
        "polish"
    }

    fn reduce(&self, space: &Space<'_>, oracle: &mut dyn Oracle) -> Result<VarSet, Stop> {
        let mut pruner = Pruner::new(Remover::new(space.reasoner(), space.start().clone()), oracle);
        loop {
            let open = |var: &Var| pruner.current().contains(*var) && !pruner.is_settled(*var);
            let open: Vec<Var> = space.start_items().into_iter().filter(open).collect();
            if open.is_empty() {
                return Ok(pruner.into_current());
            }
            pruner.sweep(&open, 1)?;
        }
    }

    fn fork(&self) -> Option<Box<dyn Strategy>> {
        Some(Box::new(Polish))
    }
}

/// Tries to remove each item once. Meant for a stage that runs again after every gain and so need
/// not repeat by itself.
pub struct Sweep;

impl Strategy for Sweep {
    fn name(&self) -> &'static str {
        "sweep"
    }

    fn reduce(&self, space: &Space<'_>, oracle: &mut dyn Oracle) -> Result<VarSet, Stop> {
        let mut pruner = Pruner::new(Remover::new(space.reasoner(), space.start().clone()), oracle);
        pruner.sweep(&space.start_items(), 1)?;
        Ok(pruner.into_current())
    }

    fn fork(&self) -> Option<Box<dyn Strategy>> {
        Some(Box::new(Sweep))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Item;
    use lapidary_logic::{Cnf, Reasoner};

    /// Needs item 0, and item 11 as long as item 1 is there.
    struct InOrder {
        tests: usize,
    }

    impl Oracle for InOrder {
        fn test(&mut self, keep: &VarSet) -> Result<bool, Stop> {
            self.tests += 1;
            let has = |index| keep.contains(Var::new(index));
            Ok(has(0) && (has(11) || !has(1)))
        }
    }

    #[test]
    fn a_sweep_tries_each_item_once_and_polish_again() {
        let items: Vec<Item> = (0..12).map(|number| Item::new(number.to_string(), "item")).collect();
        let reasoner = Reasoner::new(&Cnf::new(items.len()));
        let space = Space::new(&items, &reasoner, VarSet::full(items.len()));
        let (mut once, mut again) = (InOrder { tests: 0 }, InOrder { tests: 0 });
        assert_eq!(Sweep.reduce(&space, &mut once).unwrap(), VarSet::of(12, [0, 11].map(Var::new)));
        assert_eq!(Polish.reduce(&space, &mut again).unwrap(), VarSet::of(12, [Var::new(0)]));
        assert!(once.tests < again.tests);
    }
}
