//! Lossy encodings of a formula as a graph (PLDI 2021, section 4.3).
//!
//! `a ⇒ b` implies every clause that has `a` among its premises and `b` among its conclusions. So
//! keeping one premise and one conclusion of each clause strengthens a formula to a graph: every
//! solution of the graph is valid, some solutions are lost, and strategies that need a graph can
//! work on it.

use crate::{Cnf, Var};

/// Which literal stands for the others. A clause lists its literals in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// The first premise and the first conclusion.
    First,
    /// The last premise and the last conclusion.
    Last,
}

/// A formula of edges and required variables all of whose solutions are solutions of `cnf`. A
/// clause without premises requires the picked conclusion.
pub fn to_graph(cnf: &Cnf, pick: Pick) -> Cnf {
    let mut graph = Cnf::new(cnf.variables());
    for clause in cnf.clauses() {
        let premise = pick.of(clause.premises);
        let conclusion = pick.of(clause.conclusions);
        graph.add(premise.as_slice(), conclusion.as_slice()).expect("clauses of a formula have conclusions");
    }
    graph.without_duplicates()
}

impl Pick {
    fn of(self, vars: &[Var]) -> Option<Var> {
        match self {
            Pick::First => vars.first().copied(),
            Pick::Last => vars.last().copied(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v(index: usize) -> Var {
        Var::new(index)
    }

    #[test]
    fn one_premise_and_one_conclusion_are_kept() {
        let mut cnf = Cnf::new(4);
        cnf.add(&[v(0), v(1)], &[v(2), v(3)]).unwrap();
        cnf.add(&[], &[v(1), v(2)]).unwrap();
        let clauses = |pick| {
            let graph = to_graph(&cnf, pick);
            graph.clauses().map(|clause| [clause.premises, clause.conclusions].concat()).collect::<Vec<_>>()
        };
        assert_eq!(clauses(Pick::First), [vec![v(0), v(2)], vec![v(1)]]);
        assert_eq!(clauses(Pick::Last), [vec![v(1), v(3)], vec![v(2)]]);
    }
}
