//! A rewrite at one place of a program.

use crate::Edit;

/// Edits that together make the program smaller or simpler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opportunity {
    /// The place, and what happens there.
    pub label: String,
    /// The name of a [`RewriteKind`](super::RewriteKind).
    pub kind: &'static str,
    /// Sorted and without overlaps.
    pub edits: Vec<Edit>,
}
