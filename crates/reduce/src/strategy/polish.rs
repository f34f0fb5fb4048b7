//! The last cut: try to take each remaining item away together with all that must go with it, round and round until
//! nothing goes.
//!
//! The result is 1-minimal among valid sub-inputs: no single item can go, alone or with what it forces to go.

use super::prune::{BATCH, Fate, Pruner, Removal};
use super::{Oracle, Stop, Strategy};
use crate::Space;
use lapidary_logic::{Remover, Sacrifice, Var, VarSet};

pub struct Polish;

impl Strategy for Polish {
    fn name(&self) -> &'static str {
        "polish"
    }

    fn reduce(&self, space: &Space<'_>, oracle: &mut dyn Oracle) -> Result<VarSet, Stop> {
        let mut pruner = Pruner::new(Remover::new(space.reasoner(), space.start().clone()), oracle);
        let mut ring: Vec<Var> = space.start_items();
        ring.reverse();
        // How many in a row could not go since something last did.
        let mut quiet = 0;
        let mut next = 0;
        while quiet < ring.len() {
            if next >= ring.len() {
                ring.retain(|&var| pruner.current().contains(var));
                next = 0;
            }
            let batch = &ring[next..ring.len().min(next + BATCH)];
            if try_each(&mut pruner, batch)? {
                quiet = 0;
            } else {
                quiet += batch.len();
            }
            next += batch.len();
        }
        Ok(pruner.into_current())
    }
}

/// One batch of single items, with each way of settling what goes along. True if anything went.
fn try_each(pruner: &mut Pruner<'_, '_>, batch: &[Var]) -> Result<bool, Stop> {
    for sacrifice in [Sacrifice::Last, Sacrifice::First] {
        let removals: Vec<Removal> = batch.iter().map(|&var| Removal { vars: vec![var], sacrifice }).collect();
        if pruner.try_batch(&removals)?.contains(&Fate::Gone) {
            return Ok(true);
        }
    }
    Ok(false)
}
