//! Neighbours together: try to take away every run of a few neighbouring items.
//!
//! For flat models such as tokens, where a phrase can go though none of its words can. Comes after `polish`.

use super::prune::Pruner;
use super::{Oracle, Stop, Strategy};
use crate::Space;
use lapidary_logic::{Remover, Var, VarSet};
use std::ops::RangeInclusive;

pub struct Windows {
    pub widths: RangeInclusive<usize>,
}

impl Default for Windows {
    fn default() -> Self {
        Windows { widths: 2..=4 }
    }
}

impl Strategy for Windows {
    fn name(&self) -> &'static str {
        "windows"
    }

    fn reduce(&self, space: &Space<'_>, oracle: &mut dyn Oracle) -> Result<VarSet, Stop> {
        let mut pruner = Pruner::new(Remover::new(space.reasoner(), space.start().clone()), oracle);
        for width in self.widths.clone().rev() {
            let left: Vec<Var> =
                space.start_items().into_iter().filter(|&var| pruner.current().contains(var)).collect();
            let windows: Vec<Vec<Var>> = left.windows(width).map(<[Var]>::to_vec).collect();
            pruner.try_all(&windows)?;
        }
        Ok(pruner.into_current())
    }
}
