//! A toy model: numbered items under any formula, rendered as a list of numbers.

use lapidary_logic::{Cnf, Var, VarSet};
use lapidary_reduce::{Blob, FileTree, Item, Model, RenderError};

/// A model whose items are numbers, one on each line.
pub struct ToyModel {
    items: Vec<Item>,
    constraint: Cnf,
}

impl ToyModel {
    /// One item per variable, each worth one line; item `n` is inside item `(n - 1) / 4`.
    pub fn new(constraint: Cnf) -> Self {
        let parent = |index: usize| index.checked_sub(1).map(|index| Var::new(index / 4));
        let items = (0..constraint.variables())
            .map(|index| Item { parent: parent(index), ..Item::new(format!("item {index}"), "toy") })
            .collect();
        ToyModel { items, constraint }
    }

    /// The items of a rendered candidate.
    pub fn read(candidate: &FileTree) -> Vec<usize> {
        let text = candidate.only_file().map_or_else(Default::default, |content| String::from_utf8_lossy(content));
        text.lines().filter_map(|line| line.parse().ok()).collect()
    }
}

impl Model for ToyModel {
    fn items(&self) -> &[Item] {
        &self.items
    }

    fn constraint(&self) -> &Cnf {
        &self.constraint
    }

    fn render(&self, keep: &VarSet) -> Result<FileTree, RenderError> {
        let kept = keep.iter().map(Var::index).take_while(|&index| index < self.items.len());
        let text: String = kept.map(|index| format!("{index}\n")).collect();
        Ok(FileTree::file("toy", Blob::from(text.into_bytes())))
    }
}
