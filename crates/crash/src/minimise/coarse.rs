//! A model of whole statements and declarations, whose parts are removed only with them.
//!
//! Initialisers, fields and parameters stay with their owner, so the search sees only whole
//! statements.

use lapidary_clang_model::ClangModel;
use lapidary_logic::{Cnf, Var, VarSet};
use lapidary_reduce::{FileTree, Item, Model, RenderError};

pub(super) struct CoarseModel {
    inner: ClangModel,
    constraint: Cnf,
}

/// The kinds of items that stay with the item they belong to.
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
