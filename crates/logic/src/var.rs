//! Variables and sets of variables.
//!
//! A variable is an index, a map from variables is a `Vec`, and a set of variables is a bit set
//! over a fixed universe. Sets iterate in ascending order, so nothing built on them depends on
//! hashing.

use fixedbitset::FixedBitSet;
use std::fmt;

/// One propositional variable: "this item is kept".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(u32);

impl Var {
    /// The variable with this number.
    #[inline]
    pub fn new(index: usize) -> Self {
        Var(u32::try_from(index).expect("a formula has fewer than 2^32 variables"))
    }

    /// The number of the variable.
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

/// A set of variables from a fixed universe `0..universe`. As an assignment, it holds the variables
/// that are true.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarSet(FixedBitSet);

impl VarSet {
    /// The empty set over `universe` variables.
    pub fn empty(universe: usize) -> Self {
        VarSet(FixedBitSet::with_capacity(universe))
    }

    /// The set of all `universe` variables.
    pub fn full(universe: usize) -> Self {
        let mut bits = FixedBitSet::with_capacity(universe);
        bits.insert_range(..);
        VarSet(bits)
    }

    /// The set of these variables over a universe of `universe` variables.
    pub fn of(universe: usize, vars: impl IntoIterator<Item = Var>) -> Self {
        let mut set = Self::empty(universe);
        set.extend(vars);
        set
    }

    /// The size of the universe.
    pub fn universe(&self) -> usize {
        self.0.len()
    }

    /// The number of variables in the set.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.count_ones(..)
    }

    /// Whether no variable is in the set.
    pub fn is_empty(&self) -> bool {
        self.0.is_clear()
    }

    /// Whether a variable is in the set.
    #[inline]
    pub fn contains(&self, var: Var) -> bool {
        self.0.contains(var.index())
    }

    /// Adds `var`; true if it was absent.
    #[inline]
    pub fn insert(&mut self, var: Var) -> bool {
        !self.0.put(var.index())
    }

    /// Removes `var`; true if it was present.
    #[inline]
    pub fn remove(&mut self, var: Var) -> bool {
        let present = self.contains(var);
        self.0.set(var.index(), false);
        present
    }

    /// The variables in ascending order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Var> + '_ {
        self.0.ones().map(Var::new)
    }

    /// Whether every variable of this set is in the other.
    pub fn is_subset(&self, other: &VarSet) -> bool {
        self.0.is_subset(&other.0)
    }

    /// Whether no variable is in both sets.
    pub fn is_disjoint(&self, other: &VarSet) -> bool {
        self.0.is_disjoint(&other.0)
    }

    /// Adds every variable of the other set.
    pub fn union_with(&mut self, other: &VarSet) {
        self.0.union_with(&other.0);
    }

    /// Removes every variable that is not in the other set.
    pub fn intersect_with(&mut self, other: &VarSet) {
        self.0.intersect_with(&other.0);
    }

    /// Removes every variable of the other set.
    pub fn subtract(&mut self, other: &VarSet) {
        self.0.difference_with(&other.0);
    }

    /// The variables that are in either set.
    pub fn union(&self, other: &VarSet) -> VarSet {
        let mut result = self.clone();
        result.union_with(other);
        result
    }

    /// The variables that are in this set and not in the other.
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
