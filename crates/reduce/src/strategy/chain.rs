//! Several strategies in a row, each starting from the result of the one before.

use super::{Oracle, Stop, Strategy};
use crate::Space;
use lapidary_logic::VarSet;

/// Runs several strategies, each on the result of the one before.
pub struct Chain {
    /// The name of the chain.
    pub name: &'static str,
    /// The strategies in order.
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

    fn fork(&self) -> Option<Box<dyn Strategy>> {
        let links = self.links.iter().map(|link| link.fork()).collect::<Option<_>>()?;
        Some(Box::new(Chain { name: self.name, links }))
    }
}
