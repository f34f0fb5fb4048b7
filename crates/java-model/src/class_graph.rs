//! The class model: a class needs every class it names (FSE 2019).

use crate::names;
use crate::program::{FileOf, Program, class_in};
use lapidary_classfile::{Class, Text};
use lapidary_logic::{Cnf, Var, VarSet};
use lapidary_reduce::{FileTree, Item, Model, RenderError};

/// Classes and other files, with an edge from each class to every class it names.
pub struct ClassModel {
    program: Program,
    items: Vec<Item>,
    constraint: Cnf,
}

impl ClassModel {
    pub fn new(tree: &FileTree) -> ClassModel {
        let program = Program::read(tree);
        let classes = program.classes().enumerate().map(|(index, class)| {
            Item::new(crate::label::class(class), "class").costing(program.original(index).bytes())
        });
        let resources = program
            .resources()
            .map(|(path, entry)| Item::new(crate::label::resource(path), "resource").costing(entry.bytes()));
        let items: Vec<Item> = classes.chain(resources).collect();
        let mut constraint = Cnf::new(items.len());
        for (index, class) in program.classes().enumerate() {
            needs(&program, &mut constraint, index, class);
            let named = program.named_in_pool(index);
            named.into_iter().for_each(|other| constraint.imply(Var::new(index), Var::new(other)));
        }
        for (number, (path, entry)) in program.resources().enumerate() {
            if let Some(Ok(class)) = class_in(path, entry) {
                needs(&program, &mut constraint, program.classes().len() + number, &class);
            }
        }
        let first = program.classes().len();
        for (one, other) in program.inseparable_resources() {
            constraint.imply(Var::new(first + one), Var::new(first + other));
        }
        ClassModel { constraint: constraint.without_duplicates(), program, items }
    }

    /// Notes for the user: files that were not understood.
    pub fn notes(&self) -> &[String] {
        &self.program.notes
    }
}

fn needs(program: &Program, constraint: &mut Cnf, user: usize, class: &Class) {
    // The item model rewrites the list of nested classes for what is left. Here, classes are copied
    // or dropped whole, so every name counts.
    let mut need = |name: Text| {
        let file = || program.find_closed(&name).map(|number| program.classes().len() + number);
        if let Some(index) = program.find(&name).or_else(file).filter(|index| *index != user) {
            constraint.imply(Var::new(user), Var::new(index));
        }
    };
    names::in_class(class, &mut need);
}

impl Model for ClassModel {
    fn items(&self) -> &[Item] {
        &self.items
    }

    fn constraint(&self) -> &Cnf {
        &self.constraint
    }

    fn render(&self, keep: &VarSet) -> Result<FileTree, RenderError> {
        let classes = self.program.classes().len();
        Ok(self.program.assemble(|file, original| {
            let kept = match file {
                FileOf::Manifest => true,
                FileOf::Class(index) => keep.contains(Var::new(index)),
                FileOf::Resource(number) => keep.contains(Var::new(classes + number)),
            };
            kept.then(|| original.clone())
        }))
    }
}
