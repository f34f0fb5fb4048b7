//! A model under construction: items, clauses, and the text to remove when an item is removed.

use lapidary_clang::FileId;
use lapidary_logic::{Cnf, Var};
use lapidary_reduce::Item;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// A replacement of text that depends on items.
#[derive(Clone, Debug)]
pub(crate) struct Patch {
    pub file: FileId,
    pub range: Range<usize>,
    pub with: Cow<'static, str>,
    pub when: When,
}

/// The condition for applying a patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum When {
    Absent(Var),
    AnyAbsent(Vec<Var>),
    AllAbsent(Vec<Var>),
    /// The comma after an element of a list. It is removed when the next element is absent, or all
    /// elements up to this one.
    Comma {
        list: usize,
        element: usize,
    },
}

/// The elements between commas. Those without a variable always stay.
pub(crate) type List = Vec<Option<Var>>;

/// Items, clauses and patches as they are collected.
#[derive(Default)]
pub(crate) struct Draft {
    pub items: Vec<Item>,
    pub patches: Vec<Patch>,
    pub lists: Vec<List>,
    /// Items and lists by their text, so that a header read by several units has each once.
    known: HashMap<(FileId, Range<usize>, &'static str), Var>,
    clauses: Vec<(Vec<Var>, Vec<Var>)>,
    auxiliaries: usize,
}

impl Draft {
    /// Returns the item for this part of the text, and whether it is new. It is created if it does
    /// not exist yet. The item lies inside `parent` and needs it.
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
        self.items.push(Item { parent, ..Item::new(label(), kind).costing(0) });
        self.known.insert((file, range, kind), var);
        if let Some(parent) = parent {
            self.need(&[var], &[parent]);
        }
        (var, true)
    }

    /// Replaces the range by `with` when the item is removed. The bytes saved are added to the
    /// item's cost.
    pub fn patch(&mut self, var: Var, file: FileId, range: Range<usize>, with: impl Into<Cow<'static, str>>) {
        let with = with.into();
        self.items[var.index()].cost += (range.len().saturating_sub(with.len())) as u64;
        self.patches.push(Patch { file, range, with, when: When::Absent(var) });
    }

    pub fn patch_when(&mut self, when: When, file: FileId, range: Range<usize>, with: &'static str) {
        self.patches.push(Patch { file, range, with: with.into(), when });
    }

    /// Adds a clause: if all premises are kept, one of the conclusions must be kept.
    pub fn need(&mut self, premises: &[Var], conclusions: &[Var]) {
        if !conclusions.is_empty() && !conclusions.iter().any(|var| premises.contains(var)) {
            self.clauses.push((premises.to_vec(), conclusions.to_vec()));
        }
    }

    /// Makes everything in a body stay as long as the body does.
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

    /// Creates a variable that is no item, to state once what many items need. All items must be
    /// created before.
    pub fn auxiliary(&mut self) -> Var {
        self.auxiliaries += 1;
        Var::new(self.items.len() + self.auxiliaries - 1)
    }

    /// Adds a comma-separated list. The elements' own texts must be patched by the caller.
    pub fn list(&mut self, file: FileId, elements: List, commas: Vec<Range<usize>>) {
        let list = self.lists.len();
        self.lists.push(elements);
        for (element, range) in commas.into_iter().enumerate() {
            self.patch_when(When::Comma { list, element }, file, range, "");
        }
    }

    /// Returns the formula, with duplicate clauses removed.
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
