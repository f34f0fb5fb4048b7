//! The model of statements, which several stages look at: of one text it is made once.

use super::stages::{Approach, Care, Target};
use lapidary_clang_model::{ClangModel, Detail};
use lapidary_reduce::{FileTree, Key};
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// Makes the model, and keeps the latest one: libclang takes long to read the headers of C++.
pub(super) struct Statements<'a> {
    target: &'a Target,
    care: Cell<Care>,
    latest: RefCell<Option<(Key, Care, Arc<ClangModel>)>>,
}

impl<'a> Statements<'a> {
    /// Our own approach is careful at first, when much is to go, and open to everything later.
    pub fn of(target: &'a Target, approach: Approach) -> Statements<'a> {
        let care = if approach == Approach::Default { Care::Initialised } else { Care::Linked };
        Statements { target, care: Cell::new(care), latest: RefCell::new(None) }
    }

    /// None if libclang cannot read the text.
    pub fn model(&self, tree: &FileTree) -> Option<Arc<ClangModel>> {
        let care = self.care.get();
        self.care.set(care.min(Care::Reached));
        let key = tree.key();
        let fits = |latest: &&(Key, Care, Arc<ClangModel>)| (latest.0, latest.1) == (key, care);
        if let Some((.., model)) = self.latest.borrow().as_ref().filter(fits) {
            return Some(model.clone());
        }
        let model = Arc::new(self.target.model(tree, Detail::Statements, care)?);
        *self.latest.borrow_mut() = Some((key, care, model.clone()));
        Some(model)
    }
}
