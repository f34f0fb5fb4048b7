//! The analyses. They read the same bodies and solve the same inclusions between sets of types; they differ in which values share a
//! set. The fewer share one, the fewer methods are found: what one of them finds, every one before it in
//! [`Analysis::ALL`] finds, too.

mod cha;
mod rta;
mod xta;
mod zero_cfa;

use crate::graph::{Graph, PlaceId};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// How objects are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Analysis {
    /// Class hierarchy analysis: an object of any class may be anywhere.
    Cha,
    /// Rapid type analysis: an object of any class that is made may be anywhere.
    Rta,
    /// One set of types for each method, each field and each type of array.
    Xta,
    /// One set of types for each variable, each field and each type of array.
    ZeroCfa,
}

impl Analysis {
    /// From the coarsest to the finest.
    pub const ALL: [Analysis; 4] = [Analysis::Cha, Analysis::Rta, Analysis::Xta, Analysis::ZeroCfa];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Analysis::Cha => "cha",
            Analysis::Rta => "rta",
            Analysis::Xta => "xta",
            Analysis::ZeroCfa => "0-cfa",
        }
    }

    pub(crate) fn granularity(self) -> &'static dyn Granularity {
        match self {
            Analysis::Cha => &cha::Cha,
            Analysis::Rta => &rta::Rta,
            Analysis::Xta => &xta::Xta,
            Analysis::ZeroCfa => &zero_cfa::ZeroCfa,
        }
    }
}

impl fmt::Display for Analysis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no analysis is called `{0}`. Known are cha, rta, xta and 0-cfa")]
pub struct UnknownAnalysis(String);

impl FromStr for Analysis {
    type Err = UnknownAnalysis;

    fn from_str(name: &str) -> Result<Self, UnknownAnalysis> {
        let found = Analysis::ALL.into_iter().find(|analysis| analysis.name() == name);
        found.ok_or_else(|| UnknownAnalysis(name.to_owned()))
    }
}

/// The places of one method.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// Of the first parameter.
    pub outer: PlaceId,
    /// Of the first value that is neither parameter nor result.
    pub inner: PlaceId,
    /// How many values are parameters or the result.
    pub fixed: usize,
}

/// Which values share a place. The first place of the graph is that of the whole program.
pub(crate) trait Granularity {
    /// Whether every class that code names counts as made.
    fn takes_named_classes(&self) -> bool {
        false
    }

    /// Whether there is only the place of the whole program.
    fn is_global(&self) -> bool {
        false
    }

    /// Whether the values of a method share a place.
    fn merges_values(&self) -> bool {
        true
    }

    /// Places for the parameters and the result of a method.
    fn outer(&self, graph: &mut Graph, fixed: usize) -> PlaceId;

    /// Places for the other values of a method.
    fn inner(&self, graph: &mut Graph, frame: &Frame, count: usize) -> PlaceId;

    fn value(&self, frame: &Frame, value: usize) -> PlaceId;

    /// A place for a field, for the elements of one type of array, or for what is thrown.
    fn shared(&self, graph: &mut Graph) -> PlaceId;
}
