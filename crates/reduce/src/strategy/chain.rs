//! One strategy after the other, each starting from what the last one left.

use super::{Oracle, Stop, Strategy};
use crate::Space;
use lapidary_logic::VarSet;

pub struct Chain {
    pub name: &'static str,
    pub links: Vec<Box<dyn Strategy>>,
}

impl Strategy for Chain {
    fn name(&self) -> &'static str {
        self.name
    }

    fn reduce(&self, space: &Space<'_>, oracle: &mut dyn Oracle) -> Result<VarSet, Stop> {
        let mut current = space.start().clone();
        for link in &self.links {
            current = link.reduce(&space.starting_at(current), oracle)?;
        }
        Ok(current)
    }
}
