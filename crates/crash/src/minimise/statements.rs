//! The model of statements, which several stages look at: of one text it is made once.

use super::{Approach, Target};
use lapidary_clang_model::{ClangModel, Detail};
use lapidary_reduce::{FileTree, Key};
use std::cell::RefCell;
use std::sync::Arc;

/// Makes the model, and keeps the latest one: libclang takes long to read the headers of C++.
pub(super) struct Statements<'a> {
    target: &'a Target,
    approach: Approach,
    latest: RefCell<Option<(Key, Arc<ClangModel>)>>,
}

impl<'a> Statements<'a> {
    pub fn of(target: &'a Target, approach: Approach) -> Statements<'a> {
        Statements { target, approach, latest: RefCell::new(None) }
    }

    /// None if libclang cannot read the text.
    pub fn model(&self, tree: &FileTree) -> Option<Arc<ClangModel>> {
        let key = tree.key();
        if let Some((_, model)) = self.latest.borrow().as_ref().filter(|(latest, _)| *latest == key) {
            return Some(model.clone());
        }
        let model = Arc::new(self.target.model(tree, Detail::Statements, self.approach)?);
        *self.latest.borrow_mut() = Some((key, model.clone()));
        Some(model)
    }
}
