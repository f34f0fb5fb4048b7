//! ddmin that skips invalid candidates without running the test (`verify` of FSE 2019, section 2).

use super::ddmin::ddmin;
use super::{Oracle, Stop, Strategy};
use crate::Space;
use lapidary_logic::{Var, VarSet};

/// Delta debugging that tests valid candidates only.
pub struct Verify;

impl Strategy for Verify {
    fn name(&self) -> &'static str {
        "verify"
    }

    fn reduce(&self, space: &Space<'_>, oracle: &mut dyn Oracle) -> Result<VarSet, Stop> {
        let items = space.start_items();
        let everything = items.len();
        let candidate = |kept: &[Var]| space.valid(&VarSet::of(space.universe(), kept.iter().copied()));
        let kept = ddmin(items, &candidate, oracle)?;
        if kept.len() == everything {
            return Ok(space.start().clone());
        }
        Ok(candidate(&kept).expect("only valid candidates were tested"))
    }

    fn fork(&self) -> Option<Box<dyn Strategy>> {
        Some(Box::new(Verify))
    }
}
