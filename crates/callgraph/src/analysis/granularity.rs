//! The one thing in which analyses differ: which values share a set of types.

use crate::graph::{Graph, PlaceId};

/// The places of one method.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// The place of the first parameter.
    pub outer: PlaceId,
    /// The place of the first value that is neither a parameter nor the result.
    pub inner: PlaceId,
    /// The number of values that are parameters or the result.
    pub fixed: usize,
}

/// Decides which values share a place. The first place of the graph is that of the whole program,
/// which all values share unless an analysis says otherwise.
pub(crate) trait Granularity {
    /// Returns whether every class that code names counts as instantiated.
    fn takes_named_classes(&self) -> bool {
        false
    }

    /// Returns whether there is only the place of the whole program.
    fn is_global(&self) -> bool {
        true
    }

    /// Returns whether the values of a method share a place.
    fn merges_values(&self) -> bool {
        true
    }

    /// Adds places for the parameters and the result of a method.
    fn outer(&self, _: &mut Graph, _fixed: usize) -> PlaceId {
        PlaceId::PROGRAM
    }

    /// Adds places for the other values of a method.
    fn inner(&self, _: &mut Graph, _: &Frame, _count: usize) -> PlaceId {
        PlaceId::PROGRAM
    }

    /// Returns the place of a value of a method.
    fn value(&self, _: &Frame, _value: usize) -> PlaceId {
        PlaceId::PROGRAM
    }

    /// Adds a place for a field, for the elements of one type of array, or for thrown exceptions.
    fn shared(&self, _: &mut Graph) -> PlaceId {
        PlaceId::PROGRAM
    }
}
