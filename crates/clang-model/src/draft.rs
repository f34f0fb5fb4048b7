//! A model in the making: items, clauses, and what of the text goes when an item goes.

use lapidary_clang::FileId;
use lapidary_logic::{Cnf, Var};
use lapidary_reduce::Item;
use std::collections::HashMap;
use std::ops::Range;

/// A part of the text that depends on items.
#[derive(Clone, Debug)]
pub(crate) struct Patch {
    pub file: FileId,
    pub range: Range<usize>,
    pub with: &'static str,
    pub when: When,
}

/// When a patch is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum When {
    Absent(Var),
    AnyAbsent(Vec<Var>),
    AllAbsent(Vec<Var>),
    /// The comma after an element of a list: made when the next element is absent, or all up to this one.
    Comma {
        list: usize,
        element: usize,
    },
}

/// Elements between commas; those without a variable stay.
pub(crate) type List = Vec<Option<Var>>;

/// Items, clauses and patches as they are collected.
#[derive(Default)]
pub(crate) struct Draft {
    pub items: Vec<Item>,
    pub patches: Vec<Patch>,
    pub lists: Vec<List>,
    /// Items and lists by the text they are about: a header that several units read has each once.
    known: HashMap<(FileId, Range<usize>, &'static str), Var>,
    clauses: Vec<(Vec<Var>, Vec<Var>)>,
    auxiliaries: usize,
}

impl Draft {
    /// The item that is this part of the text, made if there is none yet. It is inside `parent`, and needs it. The flag
    /// says whether it is new.
    pub fn item(
        &mut self,
        file: FileId,
        range: Range<usize>,
        kind: &'static str,
        parent: Option<Var>,
        label: impl FnOnce() -> String,
    ) -> (Var, bool) {
        debug_assert_eq!(self.auxiliaries, 0, "items are numbered before other variables");
        if let Some(known) = self.known.get(&(file, range.clone(), kind)) {
            return (*known, false);
        }
        let var = Var::new(self.items.len());
        self.items.push(Item { label: label(), kind: kind.into(), parent, cost: 0 });
        self.known.insert((file, range, kind), var);
        if let Some(parent) = parent {
            self.need(&[var], &[parent]);
        }
        (var, true)
    }

    /// Something else stands for the range when the item is gone; the bytes saved are the item's.
    pub fn patch(&mut self, var: Var, file: FileId, range: Range<usize>, with: &'static str) {
        self.items[var.index()].cost += (range.len().saturating_sub(with.len())) as u64;
        self.patches.push(Patch { file, range, with, when: When::Absent(var) });
    }

    pub fn patch_when(&mut self, when: When, file: FileId, range: Range<usize>, with: &'static str) {
        self.patches.push(Patch { file, range, with, when });
    }

    /// Whoever has all the premises needs one of the conclusions.
    pub fn need(&mut self, premises: &[Var], conclusions: &[Var]) {
        if !conclusions.is_empty() && !conclusions.iter().any(|var| premises.contains(var)) {
            self.clauses.push((premises.to_vec(), conclusions.to_vec()));
        }
    }

    /// What is in a body stays as long as the body does.
    pub fn keep_bodies_whole(&mut self) {
        let is_loose = |item: &Item, parent: Var| {
            matches!(&*item.kind, "function body" | "class body") || self.items[parent.index()].kind == "namespace"
        };
        let inside =
            self.items.iter().enumerate().filter_map(|(index, item)| Some((Var::new(index), item, item.parent?)));
        let tied: Vec<(Var, Var)> =
            inside.filter(|(_, item, parent)| !is_loose(item, *parent)).map(|(var, _, parent)| (parent, var)).collect();
        tied.into_iter().for_each(|(parent, var)| self.need(&[parent], &[var]));
    }

    /// A variable that is no item, to say once what many need. Items have to be made before.
    pub fn auxiliary(&mut self) -> Var {
        self.auxiliaries += 1;
        Var::new(self.items.len() + self.auxiliaries - 1)
    }

    /// A list between commas. The elements' own texts are patched by whoever made the items.
    pub fn list(&mut self, file: FileId, elements: List, commas: Vec<Range<usize>>) {
        let list = self.lists.len();
        self.lists.push(elements);
        for (element, range) in commas.into_iter().enumerate() {
            self.patch_when(When::Comma { list, element }, file, range, "");
        }
    }

    /// The formula; a clause that was stated twice is there once.
    pub fn constraint(&mut self) -> Cnf {
        for (premises, conclusions) in &mut self.clauses {
            premises.sort_unstable();
            premises.dedup();
            conclusions.sort_unstable();
            conclusions.dedup();
        }
        self.clauses.sort_unstable();
        self.clauses.dedup();
        let mut cnf = Cnf::new(self.items.len() + self.auxiliaries);
        for (premises, conclusions) in &self.clauses {
            cnf.add(premises, conclusions).expect("needs have conclusions");
        }
        cnf
    }
}
