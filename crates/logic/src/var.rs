//! Variables and sets of them.
//!
//! A variable is an index; a map from variables is a `Vec`, a set of variables is a bit set over a fixed universe.
//! Sets iterate in ascending order, so nothing built on them depends on hashing.

use fixedbitset::FixedBitSet;
use std::fmt;

/// One propositional variable: "this item is kept".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(u32);

impl Var {
    #[inline]
    pub fn new(index: usize) -> Self {
        Var(u32::try_from(index).expect("a formula has fewer than 2^32 variables"))
    }

    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

/// A set of variables out of a fixed universe `0..universe`. As an assignment: the variables that are true.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarSet(FixedBitSet);

impl VarSet {
    pub fn empty(universe: usize) -> Self {
        VarSet(FixedBitSet::with_capacity(universe))
    }

    pub fn full(universe: usize) -> Self {
        let mut bits = FixedBitSet::with_capacity(universe);
        bits.insert_range(..);
        VarSet(bits)
    }

    pub fn of(universe: usize, vars: impl IntoIterator<Item = Var>) -> Self {
        let mut set = Self::empty(universe);
        set.extend(vars);
        set
    }

    /// How many variables there are, in the set or not.
    pub fn universe(&self) -> usize {
        self.0.len()
    }

    /// How many variables are in the set.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.count_ones(..)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_clear()
    }

    #[inline]
    pub fn contains(&self, var: Var) -> bool {
        self.0.contains(var.index())
    }

    /// Adds `var`; true if it was not there.
    #[inline]
    pub fn insert(&mut self, var: Var) -> bool {
        !self.0.put(var.index())
    }

    /// Takes `var` away; true if it was there.
    #[inline]
    pub fn remove(&mut self, var: Var) -> bool {
        let present = self.contains(var);
        self.0.set(var.index(), false);
        present
    }

    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Var> + '_ {
        self.0.ones().map(Var::new)
    }

    pub fn is_subset(&self, other: &VarSet) -> bool {
        self.0.is_subset(&other.0)
    }

    pub fn is_disjoint(&self, other: &VarSet) -> bool {
        self.0.is_disjoint(&other.0)
    }

    pub fn union_with(&mut self, other: &VarSet) {
        self.0.union_with(&other.0);
    }

    pub fn intersect_with(&mut self, other: &VarSet) {
        self.0.intersect_with(&other.0);
    }

    pub fn subtract(&mut self, other: &VarSet) {
        self.0.difference_with(&other.0);
    }

    pub fn union(&self, other: &VarSet) -> VarSet {
        let mut result = self.clone();
        result.union_with(other);
        result
    }

    pub fn minus(&self, other: &VarSet) -> VarSet {
        let mut result = self.clone();
        result.subtract(other);
        result
    }

    /// The set without the given variables.
    pub fn without(&self, vars: &[Var]) -> VarSet {
        let mut result = self.clone();
        for &var in vars {
            result.remove(var);
        }
        result
    }
}

impl Extend<Var> for VarSet {
    fn extend<T: IntoIterator<Item = Var>>(&mut self, vars: T) {
        for var in vars {
            self.insert(var);
        }
    }
}

impl fmt::Debug for VarSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.ones()).finish()
    }
}
