//! A directory as a model: files are items, and so are the directories that contain them.

use lapidary_logic::{Cnf, Var, VarSet};
use lapidary_reduce::{Content, Entry, FileTree, Item, Model, RenderError};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The model of a candidate that is a directory; `None` for a single file or an empty directory.
pub fn directory(tree: &FileTree) -> Option<Box<dyn Model>> {
    let Content::Directory(entries) = tree.content() else { return None };
    let mut builder = Builder::default();
    for (path, entry) in entries {
        let folder = path.parent().and_then(|folder| builder.folder(folder));
        builder.entry(path, entry, folder);
    }
    let Builder { items, paths, .. } = builder;
    let mut constraint = Cnf::new(items.len());
    for (index, item) in items.iter().enumerate() {
        item.parent.iter().for_each(|&parent| constraint.imply(Var::new(index), parent));
    }
    let model = DirectoryModel { name: tree.name().to_string(), entries: entries.clone(), items, paths, constraint };
    (!model.items.is_empty()).then(|| Box::new(model) as Box<dyn Model>)
}

#[derive(Default)]
struct Builder {
    items: Vec<Item>,
    paths: Vec<PathBuf>,
    folders: BTreeMap<PathBuf, Var>,
}

impl Builder {
    /// The item of a folder, created together with those of its parents if need be.
    fn folder(&mut self, path: &Path) -> Option<Var> {
        if path.as_os_str().is_empty() {
            return None;
        }
        if let Some(&var) = self.folders.get(path) {
            return Some(var);
        }
        let parent = path.parent().and_then(|parent| self.folder(parent));
        let var = self.add(path, "directory", parent, 0);
        self.folders.insert(path.to_path_buf(), var);
        Some(var)
    }

    fn entry(&mut self, path: &Path, entry: &Entry, folder: Option<Var>) {
        let kind = match entry {
            Entry::File { .. } => "file",
            Entry::Link { .. } => "link",
            Entry::EmptyDirectory => "directory",
        };
        self.add(path, kind, folder, entry.bytes());
    }

    fn add(&mut self, path: &Path, kind: &'static str, parent: Option<Var>, cost: u64) -> Var {
        self.items.push(Item { parent, ..Item::new(format!("{kind} {}", path.display()), kind).costing(cost) });
        self.paths.push(path.to_path_buf());
        Var::new(self.items.len() - 1)
    }
}

struct DirectoryModel {
    name: String,
    entries: BTreeMap<PathBuf, Entry>,
    items: Vec<Item>,
    paths: Vec<PathBuf>,
    constraint: Cnf,
}

impl Model for DirectoryModel {
    fn items(&self) -> &[Item] {
        &self.items
    }

    fn constraint(&self) -> &Cnf {
        &self.constraint
    }

    /// Writes the candidate. A kept directory that has lost all its entries stays as an empty one.
    fn render(&self, keep: &VarSet) -> Result<FileTree, RenderError> {
        let mut kept = BTreeMap::new();
        let mut inhabited = std::collections::BTreeSet::new();
        for (index, path) in self.paths.iter().enumerate().filter(|(index, _)| keep.contains(Var::new(*index))) {
            let entry = self.entries.get(path).cloned().unwrap_or(Entry::EmptyDirectory);
            inhabited.extend(self.items[index].parent.map(|parent| self.paths[parent.index()].clone()));
            kept.insert(path.clone(), entry);
        }
        kept.retain(|path, _| self.entries.contains_key(path) || !inhabited.contains(path));
        Ok(FileTree::directory(self.name.clone(), kept))
    }
}
