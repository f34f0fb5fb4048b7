//! Fields and methods as references name them.

use lapidary_classfile::Text;

/// A member without its owner.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Member {
    pub sort: Sort,
    pub name: Text,
    pub descriptor: Text,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Sort {
    Field,
    Method,
}
