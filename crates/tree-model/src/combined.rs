//! Models of all files of a directory side by side, so that one pass reduces all of them.

use crate::single::Text;
use lapidary_logic::{Cnf, Var, VarSet};
use lapidary_reduce::{FileTree, Item, Model, RenderError};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Models of several files; the variables of one follow those of another.
pub(crate) struct SideBySide {
    tree: FileTree,
    items: Vec<Item>,
    constraint: Cnf,
    preference: Option<Cnf>,
    files: Vec<Part>,
}

struct Part {
    path: PathBuf,
    text: Box<dyn Text>,
    first: usize,
}

impl SideBySide {
    pub(crate) fn new(tree: &FileTree, texts: Vec<(PathBuf, Box<dyn Text>)>) -> Self {
        let mut items = Vec::new();
        let mut files = Vec::new();
        for (path, text) in texts {
            let first = items.len();
            items.extend(text.items().iter().map(|item| moved_item(item, &path, first)));
            files.push(Part { path, text, first });
        }
        let mut constraint = Cnf::new(items.len());
        let mut preference = Cnf::new(items.len());
        for part in &files {
            add_moved(&mut constraint, part.text.constraint(), part.first);
            part.text.preference().into_iter().for_each(|cnf| add_moved(&mut preference, cnf, part.first));
        }
        link(&mut preference, &files);
        let preference = (!preference.is_empty()).then_some(preference);
        SideBySide { tree: tree.clone(), items, constraint, preference, files }
    }
}

/// The number of definitions of a name in other files to take into account.
const DEFINITIONS: usize = 4;

/// Adds the preference that a name used in one file and defined in others keeps a definition.
fn link(preference: &mut Cnf, files: &[Part]) {
    let links = || files.iter().filter_map(|part| Some((part.first, part.text.links()?)));
    let mut defined: BTreeMap<&[u8], Vec<Var>> = BTreeMap::new();
    for (first, links) in links() {
        for (name, item) in &links.defined {
            defined.entry(name).or_default().push(Var::new(item.index() + first));
        }
    }
    for (first, links) in links() {
        for (name, item) in &links.wanted {
            let definitions = defined.get(name.as_slice()).map_or(&[][..], |vars| &vars[..vars.len().min(DEFINITIONS)]);
            if !definitions.is_empty() {
                let using = Var::new(item.index() + first);
                preference.add(&[using], definitions).expect("there is a definition");
            }
        }
    }
}

/// The item with its variable shifted. Its label names the file; a candidate that is a single file
/// has no path.
fn moved_item(item: &Item, path: &Path, by: usize) -> Item {
    let is_alone = path.as_os_str().is_empty();
    Item {
        label: if is_alone { item.label.clone() } else { format!("{}: {}", path.display(), item.label) },
        parent: item.parent.map(|parent| Var::new(parent.index() + by)),
        ..item.clone()
    }
}

fn add_moved(cnf: &mut Cnf, other: &Cnf, by: usize) {
    let moved = |vars: &[Var]| vars.iter().map(|var| Var::new(var.index() + by)).collect::<Vec<_>>();
    for clause in other.clauses() {
        cnf.add(&moved(clause.premises), &moved(clause.conclusions)).expect("clauses of a formula have conclusions");
    }
}

impl Model for SideBySide {
    fn items(&self) -> &[Item] {
        &self.items
    }

    fn constraint(&self) -> &Cnf {
        &self.constraint
    }

    fn preference(&self) -> Option<&Cnf> {
        self.preference.as_ref()
    }

    fn render(&self, keep: &VarSet) -> Result<FileTree, RenderError> {
        let mut tree = self.tree.clone();
        for part in &self.files {
            let count = part.text.items().len();
            let own = (0..count).map(Var::new).filter(|var| keep.contains(Var::new(var.index() + part.first)));
            let own = VarSet::of(count, own);
            if own.len() < count {
                tree = tree.with_file(&part.path, part.text.write(&own).into());
            }
        }
        Ok(tree)
    }
}
