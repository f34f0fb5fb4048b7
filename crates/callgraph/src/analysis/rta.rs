//! Rapid type analysis (Bacon and Sweeney, OOPSLA 1996): a call may run a method only if reachable
//! code creates an object that has it. There is one set of types for the whole program.

use super::granularity::{Frame, Granularity};
use crate::graph::{Graph, PlaceId};

pub(super) struct Rta;

impl Granularity for Rta {
    fn is_global(&self) -> bool {
        true
    }

    fn outer(&self, _: &mut Graph, _: usize) -> PlaceId {
        PlaceId::PROGRAM
    }

    fn inner(&self, _: &mut Graph, _: &Frame, _: usize) -> PlaceId {
        PlaceId::PROGRAM
    }

    fn value(&self, _: &Frame, _: usize) -> PlaceId {
        PlaceId::PROGRAM
    }

    fn shared(&self, _: &mut Graph) -> PlaceId {
        PlaceId::PROGRAM
    }
}
