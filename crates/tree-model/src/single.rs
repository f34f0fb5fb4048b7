//! A model of one text, put into the candidate's file tree.

use lapidary_logic::{Cnf, VarSet};
use lapidary_reduce::{FileTree, Item, Model, RenderError};
use std::path::PathBuf;

/// A model of a text. What it writes is always a text, so nothing can go wrong.
pub(crate) trait Text: Send + Sync {
    fn items(&self) -> &[Item];
    fn constraint(&self) -> &Cnf;
    fn preference(&self) -> Option<&Cnf> {
        None
    }
    fn write(&self, keep: &VarSet) -> Vec<u8>;
}

/// The model of one file of a candidate; the other files stay as they are.
pub(crate) struct OneFile {
    pub(crate) tree: FileTree,
    pub(crate) path: PathBuf,
    pub(crate) text: Box<dyn Text>,
}

impl Model for OneFile {
    fn items(&self) -> &[Item] {
        self.text.items()
    }

    fn constraint(&self) -> &Cnf {
        self.text.constraint()
    }

    fn preference(&self) -> Option<&Cnf> {
        self.text.preference()
    }

    fn render(&self, keep: &VarSet) -> Result<FileTree, RenderError> {
        Ok(self.tree.with_file(&self.path, self.text.write(keep).into()))
    }
}
