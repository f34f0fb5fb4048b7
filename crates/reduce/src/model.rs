//! A program seen as optional items under a propositional constraint.

use crate::FileTree;
use lapidary_logic::{Cnf, Var, VarSet};
use std::borrow::Cow;
use std::sync::Arc;
use thiserror::Error;

/// Something that can be taken away, or replaced by something smaller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What a person would call it; `--keep` matches against it.
    pub label: String,
    /// The sort of thing it is, for statistics: "class", "statement", "line".
    pub kind: Cow<'static, str>,
    /// The item it is inside of. A kept item's parent need not be kept unless a clause says so.
    pub parent: Option<Var>,
    /// How many bytes of the input are this item's own, its children's not counted.
    pub cost: u64,
}

impl Item {
    pub fn new(label: impl Into<String>, kind: impl Into<Cow<'static, str>>) -> Self {
        Item { label: label.into(), kind: kind.into(), parent: None, cost: 1 }
    }

    pub fn inside(mut self, parent: Var) -> Self {
        self.parent = Some(parent);
        self
    }

    pub fn costing(mut self, bytes: u64) -> Self {
        self.cost = bytes;
        self
    }
}

/// A candidate that the model promised to be able to write and could not.
#[derive(Debug, Error)]
#[error("cannot write candidate: {0}")]
pub struct RenderError(pub String);

/// A program as optional items under a constraint. Variable `n` is item `n`; variables of the constraint past the last
/// item are auxiliary: they help to state the constraint and rendering ignores them.
///
/// Laws: the full set renders to the input; rendering is pure; every solution of the constraint renders.
pub trait Model: Send + Sync {
    fn items(&self) -> &[Item];

    /// Every valid sub-program satisfies it; the full set always does.
    fn constraint(&self) -> &Cnf;

    /// Clauses that most sensible sub-programs satisfy but that nothing depends on: they steer the first rounds.
    fn preference(&self) -> Option<&Cnf> {
        None
    }

    fn render(&self, keep: &VarSet) -> Result<FileTree, RenderError>;
}

/// A model that several stages look at.
impl<M: Model + ?Sized> Model for Arc<M> {
    fn items(&self) -> &[Item] {
        (**self).items()
    }

    fn constraint(&self) -> &Cnf {
        (**self).constraint()
    }

    fn preference(&self) -> Option<&Cnf> {
        (**self).preference()
    }

    fn render(&self, keep: &VarSet) -> Result<FileTree, RenderError> {
        (**self).render(keep)
    }
}

/// The constraint with every item whose label matches required, as `--keep` asks.
pub fn requiring(constraint: &Cnf, items: &[Item], matches: impl Fn(&str) -> bool) -> Cnf {
    let mut result = constraint.clone();
    for (index, _) in items.iter().enumerate().filter(|(_, item)| matches(&item.label)) {
        result.require(Var::new(index));
    }
    result
}
