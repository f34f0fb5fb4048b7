//! The analyses. They read the same bodies and solve the same inclusions between sets of types.
//! They differ in which values share a set: the fewer share one, the fewer methods are found. Every
//! method that an analysis finds is also found by those before it in [`Analysis::ALL`].

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
pub enum Analysis {
    /// Class hierarchy analysis: an object of any class may be anywhere.
    Cha,
    /// Rapid type analysis: an object of any instantiated class may be anywhere.
    Rta,
    /// One set of types for each method, each field and each type of array.
    Xta,
    /// One set of types for each variable, each field and each type of array.
    ZeroCfa,
}

impl Analysis {
    /// All analyses, from the coarsest to the finest.
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
