//! Random formulas for property tests, and short ways to write small ones down.

use lapidary_logic::{Cnf, Var, VarSet};
use proptest::collection::vec;
use proptest::prelude::*;

pub fn set_of(universe: usize, vars: &[usize]) -> VarSet {
    VarSet::of(universe, vars.iter().copied().map(Var::new))
}

/// A formula of edges.
pub fn graph(variables: usize, edges: &[(usize, usize)]) -> Cnf {
    let mut cnf = Cnf::new(variables);
    edges.iter().for_each(|&(from, to)| cnf.imply(Var::new(from), Var::new(to)));
    cnf
}

/// How many cases a property test runs: as many as it asks for, or more if `PROPTEST_CASES` says so.
pub fn cases(usual: u32) -> ProptestConfig {
    let wanted = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok());
    ProptestConfig { cases: wanted.unwrap_or(usual).max(usual), ..ProptestConfig::default() }
}

/// Formulas over up to `variables` variables with clauses of up to three premises and three conclusions.
pub fn formula(variables: usize) -> impl Strategy<Value = Cnf> {
    (2..=variables).prop_flat_map(|count| {
        let literals = |size| vec((0..count).prop_map(Var::new), size);
        let clause = (literals(0..=3), literals(1..=3));
        // Few clauses without premises: a formula that requires everything has nothing to reduce.
        let clause = clause.prop_filter("mostly implications", |(premises, _)| !premises.is_empty());
        // At most one fact: one of these must stay.
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
