//! A call site from the point of view of its bootstrap method.

use lapidary_classfile::{Constant, Text};
use lapidary_jvm::MethodType;

/// The arguments of a bootstrap method.
pub(super) struct Request<'a> {
    pub owner: &'a Text,
    pub number: u64,
    pub name: &'a Text,
    pub type_: MethodType,
    pub arguments: &'a [Constant],
}
