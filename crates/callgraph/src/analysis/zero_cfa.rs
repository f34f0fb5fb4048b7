//! 0-CFA: a set of types for each variable. Objects are distinguished by type, fields by
//! declaration, arrays by type; calls are not distinguished by caller.

use super::granularity::{Frame, Granularity};
use crate::graph::{Graph, PlaceId};

pub(super) struct ZeroCfa;

impl Granularity for ZeroCfa {
    fn is_global(&self) -> bool {
        false
    }

    fn merges_values(&self) -> bool {
        false
    }

    fn outer(&self, graph: &mut Graph, fixed: usize) -> PlaceId {
        graph.add_places(fixed)
    }

    fn inner(&self, graph: &mut Graph, _: &Frame, count: usize) -> PlaceId {
        graph.add_places(count)
    }

    fn value(&self, frame: &Frame, value: usize) -> PlaceId {
        match value.checked_sub(frame.fixed) {
            Some(inner) => frame.inner.offset(inner),
            None => frame.outer.offset(value),
        }
    }

    fn shared(&self, graph: &mut Graph) -> PlaceId {
        graph.add_places(1)
    }
}
