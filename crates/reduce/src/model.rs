//! Models: programs as optional items under a propositional constraint.

use crate::FileTree;
use lapidary_logic::{Cnf, Var, VarSet};
use std::borrow::Cow;
use std::iter::successors;
use std::sync::Arc;
use thiserror::Error;

/// A part of a program that can be removed, or replaced by something smaller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// A readable name; `--keep` matches against it.
    pub label: String,
    /// The kind of item, for statistics: "class", "statement", "line".
    pub kind: Cow<'static, str>,
    /// The item that contains it. The parent of a kept item may be removed unless a clause forbids
    /// it.
    pub parent: Option<Var>,
    /// The label of the declaration that it belongs to, where that is an item of other models of
    /// the program and not of this one: the method of a parameter.
    pub owner: Option<Box<str>>,
    /// The number of bytes of the input that belong to this item and not to its children.
    pub cost: u64,
}

impl Item {
    /// Creates an item without a parent that costs one byte.
    pub fn new(label: impl Into<String>, kind: impl Into<Cow<'static, str>>) -> Self {
        Item { label: label.into(), kind: kind.into(), parent: None, owner: None, cost: 1 }
    }

    /// Sets the parent.
    pub fn inside(mut self, parent: Var) -> Self {
        self.parent = Some(parent);
        self
    }

    /// Sets the declaration that it belongs to, which is not an item of its model.
    pub fn owned_by(mut self, label: impl Into<Box<str>>) -> Self {
        self.owner = Some(label.into());
        self
    }

    /// The items around it, from the inside out. `items` are those of its model.
    pub fn ancestors<'i>(&self, items: &'i [Item]) -> impl Iterator<Item = &'i Item> {
        let parent = |item: &Item| item.parent.map(|parent| &items[parent.index()]);
        successors(parent(self), move |item| parent(item))
    }

    /// Sets the cost.
    pub fn costing(mut self, bytes: u64) -> Self {
        self.cost = bytes;
        self
    }
}

/// A candidate that the model failed to write, against its promise.
#[derive(Debug, Error)]
#[error("cannot write candidate: {0}")]
pub struct RenderError(pub String);

/// A program as optional items under a constraint. Variable `n` stands for item `n`. Variables past
/// the last item are auxiliary: they help to state the constraint, and rendering ignores them.
///
/// Laws: the full set renders to the input; rendering is pure; every solution of the constraint
/// renders.
pub trait Model: Send + Sync {
    /// The items; variable `n` of the constraint stands for item `n`.
    fn items(&self) -> &[Item];

    /// The formula that every valid sub-program satisfies. The full set always does.
    fn constraint(&self) -> &Cnf;

    /// Optional clauses that most sensible sub-programs satisfy. They steer the first rounds;
    /// validity does not depend on them.
    fn preference(&self) -> Option<&Cnf> {
        None
    }

    /// Writes the candidate that keeps these variables.
    fn render(&self, keep: &VarSet) -> Result<FileTree, RenderError>;
}

/// Lets several stages share a model.
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

/// The constraint with every item required that must stay, as `--keep` demands. `stays` gets an
/// item and all items of its model.
pub fn requiring(constraint: &Cnf, items: &[Item], stays: impl Fn(&Item, &[Item]) -> bool) -> Cnf {
    let mut result = constraint.clone();
    for (index, _) in items.iter().enumerate().filter(|(_, item)| stays(item, items)) {
        result.require(Var::new(index));
    }
    result
}
