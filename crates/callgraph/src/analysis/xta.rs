//! XTA (Tip and Palsberg, OOPSLA 2000): a set of types for each method and each field. Types flow
//! from caller to callee as far as the parameter types admit them, and back as results. Every type
//! of array has a set for its elements.

use super::granularity::{Frame, Granularity};
use crate::graph::{Graph, PlaceId};

pub(super) struct Xta;

impl Granularity for Xta {
    fn is_global(&self) -> bool {
        false
    }

    fn outer(&self, graph: &mut Graph, _: usize) -> PlaceId {
        graph.add_places(1)
    }

    fn inner(&self, _: &mut Graph, frame: &Frame, _: usize) -> PlaceId {
        frame.outer
    }

    fn value(&self, frame: &Frame, _: usize) -> PlaceId {
        frame.outer
    }

    fn shared(&self, graph: &mut Graph) -> PlaceId {
        graph.add_places(1)
    }
}
