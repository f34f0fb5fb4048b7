//! A program and its model, queried by the labels of items.

use super::{compile, full, item_model};
use lapidary_classfile::{Class, Code, Instruction};
use lapidary_java_model::{Detail, ItemModel};
use lapidary_logic::{Reasoner, Remover, Sacrifice, Var, VarSet};
use lapidary_reduce::{Entry, FileTree, Model};
use std::path::Path;

pub struct Program {
    pub model: ItemModel,
    reasoner: Reasoner,
}

impl Program {
    /// The items of a program given as a source text.
    pub fn items(source: &str) -> Program {
        Program::of(&compile(source), Detail::Items)
    }

    /// The items of a program given as a source text, including those inside bodies.
    pub fn statements(source: &str) -> Program {
        Program::of(&compile(source), Detail::Statements)
    }

    pub fn of(tree: &FileTree, detail: Detail) -> Program {
        let model = item_model(tree, detail);
        let reasoner = Reasoner::new(model.constraint());
        Program { model, reasoner }
    }

    #[track_caller]
    pub fn var(&self, label: &str) -> Var {
        let found = self.model.items().iter().position(|item| item.label == label);
        Var::new(found.unwrap_or_else(|| panic!("no item {label} among\n{}", self.labels().join("\n"))))
    }

    pub fn labels(&self) -> Vec<&str> {
        self.model.items().iter().map(|item| item.label.as_str()).collect()
    }

    /// Everything except the named items and the items inside them.
    #[track_caller]
    pub fn without(&self, gone: &[&str]) -> VarSet {
        let mut keep = full(&self.model);
        gone.iter().for_each(|label| _ = keep.remove(self.var(label)));
        // Parents come before their children, except for the choices of branches.
        for _ in 0..3 {
            for (index, item) in self.model.items().iter().enumerate() {
                if item.parent.is_some_and(|parent| !keep.contains(parent)) {
                    keep.remove(Var::new(index));
                }
            }
        }
        keep
    }

    /// Whether everything except the named items is a valid program.
    #[track_caller]
    pub fn can_lose(&self, gone: &[&str]) -> bool {
        self.reasoner.complete(&self.without(gone), self.model.items().len()).is_some()
    }

    /// The program without exactly the named items, which must be valid.
    #[track_caller]
    pub fn losing(&self, gone: &[&str]) -> FileTree {
        assert!(self.can_lose(gone), "{gone:?} can go");
        self.model.render(&self.without(gone)).unwrap()
    }

    /// The program without the named items and everything that needs them.
    #[track_caller]
    pub fn losing_with_users(&self, gone: &[&str]) -> FileTree {
        let vars: Vec<Var> = gone.iter().map(|label| self.var(label)).collect();
        let mut remover = Remover::new(&self.reasoner, full(&self.model));
        let consequences = remover.consequences(&vars, Sacrifice::First).expect("it can go");
        remover.commit(&consequences);
        self.model.render(remover.current()).unwrap()
    }

    /// The smallest program with these items that is found.
    #[track_caller]
    pub fn smallest_with(&self, kept: &[&str]) -> FileTree {
        let kept: Vec<Var> = kept.iter().map(|label| self.var(label)).collect();
        self.model.render(&self.reasoner.minimal_solution(&full(&self.model), &kept)).unwrap()
    }
}

/// A class of a tree.
#[track_caller]
pub fn class(tree: &FileTree, name: &str) -> Class {
    find_class(tree, name).unwrap_or_else(|| panic!("there is no class {name}"))
}

pub fn find_class(tree: &FileTree, name: &str) -> Option<Class> {
    match tree.entry(Path::new(&format!("{name}.class")))? {
        Entry::File { content, .. } => Some(Class::read(content).expect("a class that was written can be read")),
        _ => None,
    }
}

/// The body of a method: `A.m:()V`.
#[track_caller]
pub fn body(tree: &FileTree, method: &str) -> Code {
    let (owner, rest) = method.split_once('.').unwrap();
    let (name, descriptor) = rest.split_once(':').unwrap();
    let class = class(tree, owner);
    class.method(name, descriptor).and_then(|method| method.code()).expect("a body").clone()
}

/// The mnemonics of a body, with the members that are called or accessed.
#[track_caller]
pub fn listing(tree: &FileTree, method: &str) -> Vec<String> {
    body(tree, method).instructions.iter().map(in_words).collect()
}

fn in_words(instruction: &Instruction) -> String {
    match instruction {
        Instruction::Field(_, member) | Instruction::Invoke(_, member) => {
            format!("{} {}.{}", instruction.mnemonic(), member.owner, member.name)
        }
        Instruction::Ldc(constant) => format!("ldc {constant:?}"),
        _ => instruction.mnemonic().to_string(),
    }
}
