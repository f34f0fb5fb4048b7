//! Random formulas for property tests, and a concise notation for small ones.

use lapidary_logic::{Cnf, Var, VarSet};
use proptest::collection::vec;
use proptest::prelude::*;

pub fn set_of(universe: usize, vars: &[usize]) -> VarSet {
    VarSet::of(universe, vars.iter().copied().map(Var::new))
}

/// A formula that consists of edges only.
pub fn graph(variables: usize, edges: &[(usize, usize)]) -> Cnf {
    let mut cnf = Cnf::new(variables);
    edges.iter().for_each(|&(from, to)| cnf.imply(Var::new(from), Var::new(to)));
    cnf
}

/// The number of cases of a property test: `usual`, or more if `PROPTEST_CASES` says so.
pub fn cases(usual: u32) -> ProptestConfig {
    let wanted = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok());
    ProptestConfig { cases: wanted.unwrap_or(usual).max(usual), ..ProptestConfig::default() }
}

/// Formulas over up to `variables` variables with clauses of up to three premises and three
/// conclusions.
pub fn formula(variables: usize) -> impl Strategy<Value = Cnf> {
    (2..=variables).prop_flat_map(|count| {
        let literals = |size| vec((0..count).prop_map(Var::new), size);
        let clause = (literals(0..=3), literals(1..=3));
        // All clauses here have premises: a formula that requires everything has nothing to reduce.
        let clause = clause.prop_filter("mostly implications", |(premises, _)| !premises.is_empty());
        // At most one fact, which requires one of its conclusions.
        (vec(clause, 0..=2 * count), vec(literals(1..=3), 0..=1)).prop_map(move |(clauses, facts)| {
            let mut cnf = Cnf::new(count);
            facts.iter().for_each(|fact| cnf.add(&[], fact).expect("there is a conclusion"));
            for (premises, conclusions) in clauses {
                cnf.add(&premises, &conclusions).expect("there is a conclusion");
            }
            cnf
        })
    })
}
