//! A text with patches. When an item is removed, its patches replace ranges of the text by
//! something smaller. Lines, bytes, tokens, names, literals and blanks all have this form.

use crate::apart::keep_apart;
use crate::single::Text;
use lapidary_logic::{Cnf, Var, VarSet};
use lapidary_reduce::Item;
use std::ops::Range;

/// A replacement that applies when `var` is removed.
#[derive(Clone, Debug)]
pub(crate) struct Patch {
    pub(crate) range: Range<usize>,
    pub(crate) with: Vec<u8>,
    pub(crate) var: Var,
}

/// A text and its patches, sorted by start; of two with the same start, the wider comes first, then
/// the one with the smaller variable. A patch inside an applied one is skipped.
pub(crate) struct Patched {
    text: Vec<u8>,
    patches: Vec<Patch>,
    /// Whether to insert a blank where two tokens would form one.
    apart: bool,
}

impl Patched {
    pub(crate) fn new(text: &[u8], mut patches: Vec<Patch>, apart: bool) -> Self {
        patches.sort_by_key(|patch| (patch.range.start, usize::MAX - patch.range.end, patch.var));
        Patched { text: text.to_vec(), patches, apart }
    }

    pub(crate) fn write(&self, keep: &VarSet) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.text.len());
        let mut reached = 0;
        let mut seam = false;
        for patch in self.patches.iter().filter(|patch| !keep.contains(patch.var)) {
            if patch.range.end <= reached {
                continue;
            }
            if patch.range.start >= reached {
                self.put(&mut out, &self.text[reached..patch.range.start], &mut seam);
                seam = true;
                self.put(&mut out, &patch.with, &mut seam);
                seam = true;
            }
            reached = patch.range.end;
        }
        self.put(&mut out, &self.text[reached..], &mut seam);
        out
    }

    /// Writes a piece. A seam is a position at which the neighbours were not adjacent before.
    fn put(&self, out: &mut Vec<u8>, piece: &[u8], seam: &mut bool) {
        if piece.is_empty() {
            return;
        }
        if *seam && self.apart && keep_apart(out, piece) {
            out.push(b' ');
        }
        out.extend_from_slice(piece);
        *seam = false;
    }
}

/// Items, clauses and patches under construction.
#[derive(Default)]
pub(crate) struct Collector {
    pub(crate) items: Vec<Item>,
    implications: Vec<(Var, Var)>,
    pub(crate) patches: Vec<Patch>,
}

impl Collector {
    /// Adds an item. It is inside `parent`, and needs it.
    pub(crate) fn item(&mut self, label: String, kind: &'static str, parent: Option<Var>) -> Var {
        let var = Var::new(self.items.len());
        self.items.push(Item { parent, ..Item::new(label, kind).costing(0) });
        self.implications.extend(parent.map(|parent| (var, parent)));
        var
    }

    /// Adds a patch: when the item is removed, `with` replaces the range. The bytes saved count
    /// towards the item's cost.
    pub(crate) fn patch(&mut self, var: Var, range: Range<usize>, with: impl Into<Vec<u8>>) {
        let with = with.into();
        self.items[var.index()].cost += range.len().saturating_sub(with.len()) as u64;
        self.patches.push(Patch { range, with, var });
    }

    pub(crate) fn constraint(&self) -> Cnf {
        let mut cnf = Cnf::new(self.items.len());
        self.implications.iter().for_each(|&(from, to)| cnf.imply(from, to));
        cnf
    }

    /// Builds the model; `None` if it is empty.
    pub(crate) fn finish(self, text: &[u8], apart: bool) -> Option<Box<dyn Text>> {
        if self.items.is_empty() {
            return None;
        }
        let constraint = self.constraint();
        Some(Box::new(PatchModel { items: self.items, constraint, patched: Patched::new(text, self.patches, apart) }))
    }
}

struct PatchModel {
    items: Vec<Item>,
    constraint: Cnf,
    patched: Patched,
}

impl Text for PatchModel {
    fn items(&self) -> &[Item] {
        &self.items
    }

    fn constraint(&self) -> &Cnf {
        &self.constraint
    }

    fn write(&self, keep: &VarSet) -> Vec<u8> {
        self.patched.write(keep)
    }
}

/// Finds the lines of positions that are queried in ascending order.
pub(crate) struct Lines<'a> {
    text: &'a [u8],
    line: usize,
    reached: usize,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Self {
        Lines { text, line: 1, reached: 0 }
    }

    pub(crate) fn of(&mut self, position: usize) -> usize {
        let passed = &self.text[self.reached.min(position)..position];
        self.line += passed.iter().filter(|&&byte| byte == b'\n').count();
        self.reached = self.reached.max(position);
        self.line
    }
}
