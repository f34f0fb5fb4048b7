//! Tries to remove every run of two to four neighbouring items.
//!
//! Meant for flat models such as tokens, where a phrase can be removed even if none of its words
//! can.

use super::prune::Pruner;
use super::{Oracle, Polish, Stop, Strategy};
use crate::Space;
use lapidary_logic::{Remover, Var, VarSet};

/// The longest run of neighbours that is tried.
const WIDEST: usize = 4;

/// Removes short runs of neighbouring items.
pub struct Windows;

impl Strategy for Windows {
    fn name(&self) -> &'static str {
        "windows"
    }

    fn reduce(&self, space: &Space<'_>, oracle: &mut dyn Oracle) -> Result<VarSet, Stop> {
        let mut pruner = Pruner::new(Remover::new(space.reasoner(), space.start().clone()), oracle);
        for width in (2..=WIDEST).rev() {
            let left: Vec<Var> =
                space.start_items().into_iter().filter(|&var| pruner.current().contains(var)).collect();
            let windows: Vec<Vec<Var>> = left.windows(width).map(<[Var]>::to_vec).collect();
            pruner.try_all(&windows)?;
        }
        Ok(pruner.into_current())
    }

    fn fork(&self) -> Option<Box<dyn Strategy>> {
        Some(Box::new(Windows))
    }
}

/// Alternates [`Polish`] and [`Windows`] until no single item can be removed. Runs of neighbours
/// are then not tried again: if no word of a text can be removed, a phrase rarely can.
pub struct PolishWindows;

impl Strategy for PolishWindows {
    fn name(&self) -> &'static str {
        "polish+windows"
    }

    fn reduce(&self, space: &Space<'_>, oracle: &mut dyn Oracle) -> Result<VarSet, Stop> {
        let mut current = space.start().clone();
        loop {
            let polished = Polish.reduce(&space.starting_at(current.clone()), oracle)?;
            if polished == current {
                return Ok(current);
            }
            current = Windows.reduce(&space.starting_at(polished), oracle)?;
        }
    }

    fn fork(&self) -> Option<Box<dyn Strategy>> {
        Some(Box::new(PolishWindows))
    }
}
