//! The last cut: try to take each remaining item away together with all that must go with it, round and round until
//! nothing goes.
//!
//! The result is 1-minimal among valid sub-inputs: no single item can go, alone or with what it forces to go.

use super::prune::Pruner;
use super::{Oracle, Stop, Strategy};
use crate::Space;
use lapidary_logic::{Remover, Var, VarSet};

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
}

/// The same, but each item is tried once: for a stage that has its turn again after every gain, so that going round and
/// round is not its concern.
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Item;
    use lapidary_logic::{Cnf, Reasoner};

    /// Likes what has the first item; the last one can go only when the one before it has gone.
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
