//! The analyses. They read the same bodies and solve the same inclusions between sets of types.
//! They differ in which values share a set: the fewer share one, the fewer methods are found. Every
//! method that an analysis finds is also found by those before it in [`CallGraphAnalysis::ALL`].

mod cha;
mod granularity;
mod rta;
mod xta;
mod zero_cfa;

pub(crate) use granularity::{Frame, Granularity};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The precision with which objects are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CallGraphAnalysis {
    /// Class hierarchy analysis: an object of any class may be anywhere.
    Cha,
    /// Rapid type analysis: an object of any instantiated class may be anywhere.
    Rta,
    /// One set of types for each method, each field and each type of array.
    Xta,
    /// One set of types for each variable, each field and each type of array.
    ZeroCfa,
}

impl CallGraphAnalysis {
    /// All analyses, from the coarsest to the finest.
    pub const ALL: [CallGraphAnalysis; 4] =
        [CallGraphAnalysis::Cha, CallGraphAnalysis::Rta, CallGraphAnalysis::Xta, CallGraphAnalysis::ZeroCfa];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            CallGraphAnalysis::Cha => "cha",
            CallGraphAnalysis::Rta => "rta",
            CallGraphAnalysis::Xta => "xta",
            CallGraphAnalysis::ZeroCfa => "0-cfa",
        }
    }

    pub(crate) fn granularity(self) -> &'static dyn Granularity {
        match self {
            CallGraphAnalysis::Cha => &cha::Cha,
            CallGraphAnalysis::Rta => &rta::Rta,
            CallGraphAnalysis::Xta => &xta::Xta,
            CallGraphAnalysis::ZeroCfa => &zero_cfa::ZeroCfa,
        }
    }
}

impl fmt::Display for CallGraphAnalysis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// An analysis with a name that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no analysis is called `{0}`. Known are cha, rta, xta and 0-cfa")]
pub struct UnknownAnalysis(String);

impl FromStr for CallGraphAnalysis {
    type Err = UnknownAnalysis;

    fn from_str(name: &str) -> Result<Self, UnknownAnalysis> {
        let found = CallGraphAnalysis::ALL.into_iter().find(|analysis| analysis.name() == name);
        found.ok_or_else(|| UnknownAnalysis(name.to_owned()))
    }
}
