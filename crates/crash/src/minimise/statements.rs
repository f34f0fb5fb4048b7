//! The model of statements, which several stages look at: of one text it is made once.

use super::Target;
use lapidary_clang_model::{ClangModel, Detail, Layout, View};
use lapidary_reduce::{FileTree, Key};
use std::cell::RefCell;
use std::sync::Arc;

/// Makes the model, and keeps the latest one: libclang takes long to read the headers of C++.
pub(super) struct Statements<'a> {
    target: &'a Target,
    latest: RefCell<Option<(Key, Arc<ClangModel>)>>,
}

impl<'a> Statements<'a> {
    pub fn of(target: &'a Target) -> Statements<'a> {
        Statements { target, latest: RefCell::new(None) }
    }

    /// None if libclang cannot read the text.
    pub fn model(&self, tree: &FileTree) -> Option<Arc<ClangModel>> {
        let key = tree.key();
        if let Some((_, model)) = self.latest.borrow().as_ref().filter(|(latest, _)| *latest == key) {
            return Some(model.clone());
        }
        let view = View { detail: Detail::Statements, layout: Layout::KeepLines };
        let model = Arc::new(ClangModel::linked(&self.target.project, tree, view).ok()?);
        *self.latest.borrow_mut() = Some((key, model.clone()));
        Some(model)
    }
}
