//! Classes that can be collapsed into their superclass.
//!
//! An item stands for a class as a class of its own. Without the item, every reference to the class
//! becomes one to its superclass, which holds the members of both. Collapses compose: a class goes
//! into its superclass, and that into the next, as far as the candidate says.

mod candidates;
mod clashes;
mod merge;
mod rename;
mod signatures;

use crate::program::{FileOf, Program};
use crate::{label, names, unknown};
use candidates::Candidates;
use lapidary_classfile::{Class, Method, Text};
use lapidary_jvm::{ClassPath, Hierarchy};
use lapidary_logic::{Cnf, Var, VarSet};
use lapidary_reduce::{Blob, Entry, FileTree, Item, Model, RenderError};
use rename::Renaming;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// A Java program as classes that can be collapsed into their superclasses.
pub struct CollapseModel {
    program: Program,
    hierarchy: Hierarchy,
    /// For each item, the class and the superclass it can be collapsed into.
    collapses: Vec<(usize, usize)>,
    items: Vec<Item>,
    constraint: Cnf,
    /// For each class, the classes with an item that it names.
    named: Vec<BTreeSet<usize>>,
}

impl CollapseModel {
    /// Builds the model of a directory of class files. Other classes are looked up on the class
    /// path.
    pub fn new(tree: &FileTree, class_path: Arc<ClassPath>) -> CollapseModel {
        let program = Program::read(tree);
        let hierarchy = Hierarchy::new(program.classes().cloned(), class_path);
        let mut above = Candidates::new(&program, &hierarchy).find();
        clashes::drop_clashing(&program, &hierarchy, &mut above);
        let collapses: Vec<(usize, usize)> = above.into_iter().collect();
        let item = |(class, superclass): &(usize, usize)| {
            let (class, superclass) = (program.class(*class), program.class(*superclass));
            Item::new(label::class(class), "subclass").costing(cost(class, superclass))
        };
        let items: Vec<Item> = collapses.iter().map(item).collect();
        let candidates: BTreeSet<usize> = collapses.iter().map(|(class, _)| *class).collect();
        let named = (0..program.classes().len()).map(|class| named(&program, class, &candidates)).collect();
        CollapseModel { constraint: Cnf::new(items.len()), program, hierarchy, collapses, items, named }
    }

    /// The collapses that a candidate performs.
    fn chosen(&self, keep: &VarSet) -> Chosen {
        let gone = self.collapses.iter().enumerate().filter(|(item, _)| !keep.contains(Var::new(*item)));
        let above: HashMap<usize, usize> = gone.map(|(_, (class, superclass))| (*class, *superclass)).collect();
        let mut chosen = Chosen { groups: BTreeMap::new(), collapsed: above.keys().copied().collect() };
        for class in &chosen.collapsed {
            let chain = std::iter::successors(Some(*class), |class| above.get(class).copied()).collect::<Vec<_>>();
            let Some(root) = chain.last() else { continue };
            let group = chosen.groups.entry(*root).or_default();
            if chain.len() > group.len() {
                *group = chain.iter().rev().copied().collect();
            }
        }
        chosen
    }

    fn renaming(&self, chosen: &Chosen) -> Renaming {
        let name = |class: &usize| self.program.class(*class).name.clone();
        let mut names = HashMap::new();
        let mut access = HashMap::new();
        for (root, group) in &chosen.groups {
            names.extend(group[1..].iter().map(|class| (name(class), name(root))));
            let declared = group.iter().map(|class| nested_access(self.program.class(*class)));
            access.extend(declared.reduce(merge::joined_access).map(|joined| (name(root), joined)));
        }
        Renaming::new(names, access, &self.program)
    }

    fn class(&self, index: usize, chosen: &Chosen, renaming: &Renaming) -> Option<Entry> {
        let mut class = match chosen.groups.get(&index) {
            Some(group) => {
                let classes: Vec<&Class> = group.iter().map(|class| self.program.class(*class)).collect();
                merge::merged(&classes, &self.hierarchy)?
            }
            None if self.named[index].is_disjoint(&chosen.collapsed) => {
                return Some(self.program.original(index).clone());
            }
            None => self.program.class(index).clone(),
        };
        renaming.class(&mut class);
        unknown::drop_all(&mut class);
        class.drop_unused_bootstrap_methods();
        class.write().ok().map(|bytes| Entry::file(Blob::from(bytes)))
    }
}

/// The access flags of a class as declared in the source.
fn nested_access(class: &Class) -> u16 {
    let entry = class.inner_classes().iter().find(|entry| entry.inner == class.name);
    entry.map_or(class.access, |entry| entry.access)
}

/// The collapses of a candidate.
struct Chosen {
    /// For each remaining class, the class itself and those collapsed into it, from the highest to
    /// the lowest.
    groups: BTreeMap<usize, Vec<usize>>,
    collapsed: BTreeSet<usize>,
}

impl Model for CollapseModel {
    fn items(&self) -> &[Item] {
        &self.items
    }

    fn constraint(&self) -> &Cnf {
        &self.constraint
    }

    /// Writes the candidate. Writing a class fails only if it outgrows the format; then the whole
    /// program stays as it is, because other classes name the one that failed.
    fn render(&self, keep: &VarSet) -> Result<FileTree, RenderError> {
        let chosen = self.chosen(keep);
        let renaming = self.renaming(&chosen);
        let mut failed = false;
        let tree = self.program.assemble(|file, original| match file {
            FileOf::Manifest | FileOf::Resource(_) => Some(original.clone()),
            FileOf::Class(index) if chosen.collapsed.contains(&index) => None,
            FileOf::Class(index) => {
                let class = self.class(index, &chosen, &renaming);
                failed |= class.is_none();
                class
            }
        });
        Ok(if failed { self.program.assemble(|_, original| Some(original.clone())) } else { tree })
    }
}

/// The candidates that a class names, in its constant pool or in descriptors and signatures.
fn named(program: &Program, class: usize, candidates: &BTreeSet<usize>) -> BTreeSet<usize> {
    let mut named = program.named_in_pool(class);
    names::in_class(program.class(class), &mut |name: Text| named.extend(program.find(&name)));
    named.intersection(candidates).copied().collect()
}

/// The size of the class's header, and of the methods of which one replaces two.
fn cost(class: &Class, superclass: &Class) -> u64 {
    let shared = superclass.methods.iter().filter(|method| declares(class, method));
    let size = |method: &Method| 12 + method.code().map_or(0, |code| 3 * code.instructions.len() as u64);
    40 + class.name.as_bytes().len() as u64 + shared.map(size).sum::<u64>()
}

fn declares(class: &Class, method: &Method) -> bool {
    class.methods.iter().any(|own| own.name == method.name && own.descriptor == method.descriptor)
}
