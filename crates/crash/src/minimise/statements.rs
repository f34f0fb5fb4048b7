//! The model of statements, built once per text and shared by several stages.

use super::target::{Care, Target};
use lapidary_clang_model::{ClangModel, Detail, KnownValues};
use lapidary_reduce::{FileTree, Key};
use std::cell::{Cell, OnceCell, RefCell};
use std::sync::Arc;

/// Builds the model and keeps the latest one, since libclang takes long to read C++ headers.
pub(super) struct Statements<'a> {
    target: &'a Target,
    care: Cell<Care>,
    /// The values that expressions may become, once they are known.
    pub values: OnceCell<KnownValues>,
    latest: RefCell<Option<(Key, Care, Arc<ClangModel>)>>,
}

impl<'a> Statements<'a> {
    /// The care is that of the first model. Later ones are built with [`Care::Reached`] at most.
    pub fn new(target: &'a Target, care: Care) -> Statements<'a> {
        Statements { target, care: Cell::new(care), values: OnceCell::new(), latest: RefCell::new(None) }
    }

    /// Returns the model of statements and declarations, without values.
    pub fn without_values(&self, tree: &FileTree) -> Option<ClangModel> {
        self.target.model(tree, Detail::Statements, Care::Reached)
    }

    /// Returns the model of a tree. `None` if libclang cannot read the text.
    pub fn model(&self, tree: &FileTree) -> Option<Arc<ClangModel>> {
        let care = self.care.get();
        self.care.set(care.min(Care::Reached));
        let key = tree.key();
        let fits = |latest: &&(Key, Care, Arc<ClangModel>)| (latest.0, latest.1) == (key, care);
        if let Some((.., model)) = self.latest.borrow().as_ref().filter(fits) {
            return Some(model.clone());
        }
        let model = Arc::new(self.target.model_with_values(tree, care, self.values.get())?);
        *self.latest.borrow_mut() = Some((key, care, model.clone()));
        Some(model)
    }
}
