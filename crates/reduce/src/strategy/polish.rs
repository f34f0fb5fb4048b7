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
