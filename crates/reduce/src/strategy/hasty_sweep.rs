//! A sweep that tries no item twice.
//!
//! In a stage that runs again after every gain of another stage, most items were needed before and
//! still are. This strategy skips them; a later stage has to try them once more.

use super::prune::Pruner;
use super::{Oracle, Stop, Strategy};
use crate::{Item, Space};
use lapidary_logic::{Remover, Var, VarSet};
use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

/// Tries to remove each item once, except those that were needed in an earlier run.
#[derive(Default)]
pub struct HastySweep {
    /// The kinds and labels of items that were needed.
    needed: Mutex<HashSet<(String, String)>>,
}

impl HastySweep {
    /// A sweep that skips the same items.
    pub(super) fn copy(&self) -> HastySweep {
        let needed = self.needed.lock().unwrap_or_else(PoisonError::into_inner);
        HastySweep { needed: Mutex::new(needed.clone()) }
    }
}

impl Strategy for HastySweep {
    fn name(&self) -> &'static str {
        "hasty sweep"
    }

    fn reduce(&self, space: &Space<'_>, oracle: &mut dyn Oracle) -> Result<VarSet, Stop> {
        let mut needed = self.needed.lock().unwrap_or_else(PoisonError::into_inner);
        let name = |var: Var| {
            let Item { kind, label, .. } = &space.items()[var.index()];
            (kind.to_string(), label.clone())
        };
        let open: Vec<Var> = space.start_items().into_iter().filter(|var| !needed.contains(&name(*var))).collect();
        let mut pruner = Pruner::new(Remover::new(space.reasoner(), space.start().clone()), oracle);
        pruner.sweep(&open, 1)?;
        let left = pruner.into_current();
        needed.extend(open.into_iter().filter(|var| left.contains(*var)).map(name));
        Ok(left)
    }

    fn fork(&self) -> Option<Box<dyn Strategy>> {
        Some(Box::new(self.copy()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lapidary_logic::{Cnf, Reasoner};

    /// Accepts candidates that contain every second item, and counts the tests.
    struct EverySecond {
        tests: usize,
    }

    impl Oracle for EverySecond {
        fn test(&mut self, keep: &VarSet) -> Result<bool, Stop> {
            self.tests += 1;
            Ok((0..keep.universe()).step_by(2).all(|index| keep.contains(Var::new(index))))
        }
    }

    #[test]
    fn what_was_needed_is_not_tried_again() {
        let items: Vec<Item> = (0..12).map(|number| Item::new(number.to_string(), "item")).collect();
        let reasoner = Reasoner::new(&Cnf::new(items.len()));
        let space = Space::new(&items, &reasoner, VarSet::full(items.len()));
        let (strategy, mut oracle) = (HastySweep::default(), EverySecond { tests: 0 });
        let left = strategy.reduce(&space, &mut oracle).unwrap();
        assert_eq!((left.len(), oracle.tests > 6), (6, true));
        oracle.tests = 0;
        assert_eq!(strategy.reduce(&space, &mut oracle).unwrap().len(), 6);
        assert!(oracle.tests < 12, "only those that went are tried: {}", oracle.tests);
        oracle.tests = 0;
        assert_eq!(strategy.reduce(&space.starting_at(left.clone()), &mut oracle).unwrap(), left);
        assert_eq!(oracle.tests, 0);
    }
}
