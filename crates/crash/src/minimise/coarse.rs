//! A model of whole statements and declarations: what is inside of one goes with it.
//!
//! Initialisers, fields and parameters stay with their owner, so the search sees whole statements only.

use lapidary_clang_model::ClangModel;
use lapidary_logic::{Cnf, Var, VarSet};
use lapidary_reduce::{FileTree, Item, Model, RenderError};

pub(super) struct CoarseModel {
    inner: ClangModel,
    constraint: Cnf,
}

/// The kinds of parts that stay with what they are part of.
const PARTS: [&str; 3] = ["initialiser", "field", "parameter"];

impl CoarseModel {
    pub fn new(inner: ClangModel) -> CoarseModel {
        let mut constraint = inner.constraint().clone();
        for (index, item) in inner.items().iter().enumerate().filter(|(_, item)| PARTS.contains(&&*item.kind)) {
            if let Some(parent) = item.parent {
                constraint.imply(parent, Var::new(index));
            }
        }
        CoarseModel { inner, constraint }
    }
}

impl Model for CoarseModel {
    fn items(&self) -> &[Item] {
        self.inner.items()
    }

    fn constraint(&self) -> &Cnf {
        &self.constraint
    }

    fn render(&self, keep: &VarSet) -> Result<FileTree, RenderError> {
        self.inner.render(keep)
    }
}
