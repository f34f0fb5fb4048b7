//! Determines which expressions may denote the same memory, by a unification-based points-to
//! analysis (Steensgaard, POPL 1996).
//!
//! A cell is the memory of a variable, of a field in any object, or of an allocation. Fields are
//! distinguished by name, but objects are not. All cells that a pointer may point to are one cell.
//! A library object, such as a vector, shares one cell with everything it holds. A cell knows the
//! classes of the objects in it, because an access to the bytes of an object reaches its fields.

use crate::program::Thing;
use foldhash::{HashMap, HashMapExt};
use std::collections::BTreeSet;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Cell(u32);

#[derive(Default)]
pub(crate) struct Cells {
    parents: Vec<u32>,
    pointees: Vec<Option<Cell>>,
    /// Whether nothing depends on the memory, as on printed output.
    silent: Vec<bool>,
    classes: Vec<BTreeSet<Thing>>,
    of_things: HashMap<Thing, Cell>,
    of_states: HashMap<&'static str, Cell>,
    results: HashMap<Thing, Cell>,
}

impl Cells {
    pub(crate) fn new() -> Cells {
        Cells { of_things: HashMap::new(), ..Cells::default() }
    }

    pub(crate) fn fresh(&mut self) -> Cell {
        self.parents.push(self.parents.len() as u32);
        self.pointees.push(None);
        self.silent.push(false);
        self.classes.push(BTreeSet::new());
        Cell(self.parents.len() as u32 - 1)
    }

    /// Returns the cell of a variable or a field.
    pub(crate) fn of(&mut self, thing: Thing) -> Cell {
        if let Some(cell) = self.of_things.get(&thing) {
            return *cell;
        }
        let cell = self.fresh();
        self.of_things.insert(thing, cell);
        cell
    }

    /// Returns the cell of state that a library keeps between calls, such as the position in the
    /// input.
    pub(crate) fn of_state(&mut self, name: &'static str) -> Cell {
        if let Some(cell) = self.of_states.get(name) {
            return *cell;
        }
        let cell = self.fresh();
        self.of_states.insert(name, cell);
        cell
    }

    /// Returns the cell that holds a function's result.
    pub(crate) fn result_of(&mut self, function: Thing) -> Cell {
        if let Some(cell) = self.results.get(&function) {
            return *cell;
        }
        let cell = self.fresh();
        self.results.insert(function, cell);
        cell
    }

    pub(crate) fn find(&mut self, cell: Cell) -> Cell {
        let mut root = cell.0;
        while self.parents[root as usize] != root {
            let above = self.parents[root as usize];
            self.parents[root as usize] = self.parents[above as usize];
            root = above;
        }
        Cell(root)
    }

    /// Returns the cell that a value in this cell points to.
    pub(crate) fn pointee(&mut self, cell: Cell) -> Cell {
        let root = self.find(cell);
        if let Some(pointee) = self.pointees[root.0 as usize] {
            return self.find(pointee);
        }
        let pointee = self.fresh();
        self.pointees[root.0 as usize] = Some(pointee);
        pointee
    }

    pub(crate) fn unify(&mut self, left: Cell, right: Cell) {
        let mut pending = vec![(left, right)];
        while let Some((left, right)) = pending.pop() {
            let (left, right) = (self.find(left), self.find(right));
            if left == right {
                continue;
            }
            let (kept, gone) = (left.0.min(right.0), left.0.max(right.0));
            self.parents[gone as usize] = kept;
            self.silent[kept as usize] |= self.silent[gone as usize];
            let mut classes = std::mem::take(&mut self.classes[gone as usize]);
            self.classes[kept as usize].append(&mut classes);
            match (self.pointees[kept as usize], self.pointees[gone as usize]) {
                (Some(one), Some(other)) => pending.push((one, other)),
                (None, other) => self.pointees[kept as usize] = other,
                _ => {}
            }
        }
    }

    /// Merges a cell with everything that can be reached from it.
    pub(crate) fn collapse(&mut self, cell: Cell) {
        loop {
            let pointee = self.pointee(cell);
            if self.find(cell) == pointee {
                return;
            }
            self.unify(cell, pointee);
        }
    }

    /// Records that the cell holds objects of a class.
    pub(crate) fn add_class(&mut self, cell: Cell, class: Thing) {
        let root = self.find(cell);
        self.classes[root.0 as usize].insert(class);
    }

    /// Returns the classes of the objects in a cell.
    pub(crate) fn classes(&mut self, cell: Cell) -> &BTreeSet<Thing> {
        let root = self.find(cell);
        &self.classes[root.0 as usize]
    }

    pub(crate) fn silence(&mut self, cell: Cell) {
        let root = self.find(cell);
        self.silent[root.0 as usize] = true;
    }

    pub(crate) fn is_silent(&mut self, cell: Cell) -> bool {
        let root = self.find(cell);
        self.silent[root.0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_two_equal_pointers_point_to_is_one_cell() {
        let mut cells = Cells::new();
        let (p, q, x, y) = (cells.fresh(), cells.fresh(), cells.fresh(), cells.fresh());
        let (of_p, of_q) = (cells.pointee(p), cells.pointee(q));
        cells.unify(of_p, x);
        cells.unify(of_q, y);
        assert_ne!(cells.find(x), cells.find(y));
        cells.unify(p, q);
        assert_eq!(cells.find(x), cells.find(y));
    }

    #[test]
    fn a_collapsed_cell_points_to_itself() {
        let mut cells = Cells::new();
        let container = cells.fresh();
        let held = cells.pointee(container);
        let deep = cells.pointee(held);
        cells.collapse(container);
        assert_eq!(cells.find(deep), cells.find(container));
    }
}
