//! ddmin over closures sorted by size (`closure` of FSE 2019, section 3).
//!
//! A list of closures stands for their union, which is closed as well, so every candidate is valid.
//! The constraint must be a dependency graph: clauses that are not edges are first encoded as edges
//! (PLDI 2021, section 4.3).

use super::ddmin::ddmin;
use super::{Oracle, Stop, Strategy};
use crate::Space;
use lapidary_logic::{Graph, Pick, VarSet};

/// Delta debugging over closures of a dependency graph, smallest first.
pub struct Closure;

impl Strategy for Closure {
    fn name(&self) -> &'static str {
        "closure"
    }

    fn reduce(&self, space: &Space<'_>, oracle: &mut dyn Oracle) -> Result<VarSet, Stop> {
        let Closures { required, mut closures } = Closures::of(space);
        closures.sort_by_key(VarSet::len);
        let candidate = |kept: &[VarSet]| Some(union(&required, kept));
        let kept = ddmin(closures, &candidate, oracle)?;
        Ok(union(&required, &kept))
    }

    fn fork(&self) -> Option<Box<dyn Strategy>> {
        Some(Box::new(Closure))
    }
}

/// The distinct closures of single variables in the dependency graph of a space.
pub(crate) struct Closures {
    /// The variables that every candidate contains.
    pub required: VarSet,
    /// One closure for each strongly connected component that is not required.
    pub closures: Vec<VarSet>,
}

impl Closures {
    pub fn of(space: &Space<'_>) -> Closures {
        let cnf = space.graph(Pick::First);
        let graph = Graph::of(&cnf);
        let required = graph.closure(&VarSet::empty(space.universe()));
        let is_wanted = |closure: &VarSet| closure.is_subset(space.start()) && !closure.is_subset(&required);
        let closures = graph.closures().filter(is_wanted).collect();
        Closures { required, closures }
    }
}

pub(crate) fn union(base: &VarSet, sets: &[VarSet]) -> VarSet {
    let mut result = base.clone();
    sets.iter().for_each(|set| result.union_with(set));
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use lapidary_logic::Var;

    struct Log(Vec<VarSet>);

    impl Oracle for Log {
        fn test(&mut self, keep: &VarSet) -> Result<bool, Stop> {
            self.0.push(keep.clone());
            Ok(keep.contains(Var::new(1)))
        }
    }

    /// FSE 2019, figure 4, first run: the closures in the order S1…S8, {1} induces the failure.
    #[test]
    fn the_order_of_the_closures_decides_which_one_ddmin_finds() {
        let sets: [&[usize]; 8] = [
            &[7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
            &[7, 8, 9, 10, 11, 12, 13, 14],
            &[1, 2, 3, 4, 5, 6, 7],
            &[1, 2, 3, 4, 7],
            &[1, 2, 4, 7],
            &[4, 7],
            &[7],
            &[0],
        ];
        let closures: Vec<VarSet> = sets.iter().map(|set| VarSet::of(17, set.iter().copied().map(Var::new))).collect();
        let nothing = VarSet::empty(17);
        let mut log = Log(Vec::new());
        let kept = ddmin(closures.clone(), &|kept| Some(union(&nothing, kept)), &mut log).unwrap();
        assert_eq!(kept, [closures[2].clone()]);
        let rows = [&closures[0..4], &closures[0..2], &closures[2..4], &closures[2..3]];
        assert_eq!(log.0, rows.map(|row| union(&nothing, row)));
    }
}
