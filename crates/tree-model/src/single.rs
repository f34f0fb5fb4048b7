//! The interface of a model of one text, and the model of names that several texts share.

use crate::names::Names;
use crate::tree::Links;
use lapidary_logic::{Cnf, VarSet};
use lapidary_reduce::{FileTree, Item, Model, RenderError};
use std::path::PathBuf;

/// A model of a text. Rendering always succeeds.
pub(crate) trait Text: Send + Sync {
    fn items(&self) -> &[Item];
    fn constraint(&self) -> &Cnf;
    fn preference(&self) -> Option<&Cnf> {
        None
    }
    /// Names that the text shares with other texts.
    fn links(&self) -> Option<&Links> {
        None
    }
    fn write(&self, keep: &VarSet) -> Vec<u8>;
}

/// Files whose identifiers are the items. A name is one item in all of them.
pub(crate) struct RenamedFiles {
    tree: FileTree,
    paths: Vec<PathBuf>,
    names: Names,
}

impl RenamedFiles {
    pub(crate) fn new(tree: &FileTree, paths: Vec<PathBuf>, names: Names) -> Self {
        RenamedFiles { tree: tree.clone(), paths, names }
    }
}

impl Model for RenamedFiles {
    fn items(&self) -> &[Item] {
        &self.names.items
    }

    fn constraint(&self) -> &Cnf {
        &self.names.constraint
    }

    fn render(&self, keep: &VarSet) -> Result<FileTree, RenderError> {
        let files = self.paths.iter().zip(&self.names.texts);
        Ok(files.fold(self.tree.clone(), |tree, (path, text)| tree.with_file(path, text.write(keep).into())))
    }
}
