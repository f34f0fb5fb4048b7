//! The variable order ≤ that steers minimal solutions (PLDI 2021, appendix B.2).
//!
//! A clause `X ⇒ Y` gives an edge from each of its conclusions to each of its premises. The order
//! is the reverse post-order of that graph. For a formula of edges alone, this is the first half of
//! Kosaraju and Sharir's algorithm, so every set of a progression after the first is a strongly
//! connected component.

use crate::{Clause, Cnf, Var};

/// A total order of the variables.
#[derive(Clone, Debug)]
pub struct VariableOrder {
    sequence: Vec<Var>,
    rank: Vec<u32>,
}

impl VariableOrder {
    /// The reverse post-order of a depth-first search that visits roots and neighbours in ascending
    /// order, so that the same formula always has the same order.
    pub fn of(cnf: &Cnf) -> Self {
        let mut sequence = Transposed::of(cnf).post_order();
        sequence.retain(|&node| (node as usize) < cnf.variables());
        sequence.reverse();
        Self::from_sequence(sequence.into_iter().map(|node| Var::new(node as usize)).collect())
    }

    /// The order in which `sequence` lists the variables.
    ///
    /// # Panics
    /// If `sequence` does not hold each of `0..sequence.len()` once.
    pub fn from_sequence(sequence: Vec<Var>) -> Self {
        const UNRANKED: u32 = u32::MAX;
        let mut rank = vec![UNRANKED; sequence.len()];
        for (position, var) in (0..).zip(&sequence) {
            assert_eq!(rank[var.index()], UNRANKED, "{var:?} is listed twice");
            rank[var.index()] = position;
        }
        VariableOrder { sequence, rank }
    }

    /// The variable's place in the order; the smallest variable has rank 0.
    pub fn rank(&self, var: Var) -> u32 {
        self.rank[var.index()]
    }

    /// All variables, smallest first.
    pub fn sequence(&self) -> &[Var] {
        &self.sequence
    }

    pub(crate) fn at(&self, rank: u32) -> Var {
        self.sequence[rank as usize]
    }
}

/// Edges from conclusions to premises. Nodes past the last variable stand for clauses with many
/// conclusions and premises. Their edges go through that node, so that the graph stays linear in
/// the size of the formula.
struct Transposed {
    starts: Vec<u32>,
    targets: Vec<u32>,
}

const LARGEST_PRODUCT: usize = 64;

impl Transposed {
    fn of(cnf: &Cnf) -> Self {
        let mut nodes = cnf.variables();
        let mut edges = Vec::with_capacity(cnf.literal_count());
        for clause in cnf.clauses() {
            if clause.premises.len() * clause.conclusions.len() <= LARGEST_PRODUCT.max(clause.literals()) {
                edges.extend(product(clause));
            } else {
                edges.extend(through(node(nodes), clause));
                nodes += 1;
            }
        }
        Self::from_edges(nodes, edges)
    }

    fn from_edges(nodes: usize, mut edges: Vec<(u32, u32)>) -> Self {
        edges.sort_unstable();
        edges.dedup();
        let mut starts = vec![0; nodes + 1];
        for &(source, _) in &edges {
            starts[source as usize + 1] += 1;
        }
        for index in 0..nodes {
            starts[index + 1] += starts[index];
        }
        Transposed { starts, targets: edges.into_iter().map(|(_, target)| target).collect() }
    }

    fn post_order(&self) -> Vec<u32> {
        let nodes = self.starts.len() - 1;
        let mut next = self.starts.clone();
        let mut seen = vec![false; nodes];
        let mut finished = Vec::with_capacity(nodes);
        let mut path = Vec::new();
        for root in 0..node(nodes) {
            if !std::mem::replace(&mut seen[root as usize], true) {
                path.push(root);
            }
            while let Some(&current) = path.last() {
                let current_index = current as usize;
                if next[current_index] == self.starts[current_index + 1] {
                    finished.push(current);
                    path.pop();
                    continue;
                }
                let target = self.targets[next[current_index] as usize];
                next[current_index] += 1;
                if !std::mem::replace(&mut seen[target as usize], true) {
                    path.push(target);
                }
            }
        }
        finished
    }
}

fn product(clause: Clause<'_>) -> impl Iterator<Item = (u32, u32)> + '_ {
    let sources = clause.conclusions.iter();
    sources.flat_map(move |source| clause.premises.iter().map(|target| (node(source.index()), node(target.index()))))
}

fn through(middle: u32, clause: Clause<'_>) -> impl Iterator<Item = (u32, u32)> + '_ {
    let inward = clause.conclusions.iter().map(move |source| (node(source.index()), middle));
    inward.chain(clause.premises.iter().map(move |target| (middle, node(target.index()))))
}

fn node(index: usize) -> u32 {
    u32::try_from(index).expect("a formula has fewer than 2^32 variables and clauses")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v(index: usize) -> Var {
        Var::new(index)
    }

    #[test]
    fn what_is_implied_comes_before_what_implies_it() {
        let mut cnf = Cnf::new(4);
        cnf.imply(v(0), v(2));
        cnf.imply(v(2), v(1));
        cnf.imply(v(0), v(3));
        let order = VariableOrder::of(&cnf);
        assert_eq!(order.sequence(), [v(3), v(1), v(2), v(0)]);
        assert_eq!(order.rank(v(2)), 2);
    }

    #[test]
    fn a_chain_of_a_million_variables_does_not_overflow_the_stack() {
        let variables = 1_000_000;
        let mut cnf = Cnf::new(variables);
        for index in 1..variables {
            cnf.imply(v(index), v(index - 1));
        }
        assert_eq!(VariableOrder::of(&cnf).sequence()[variables - 1], v(variables - 1));
    }

    #[test]
    fn a_large_clause_puts_conclusions_before_premises_without_a_product_of_edges() {
        let half = 200_000;
        let mut cnf = Cnf::new(2 * half);
        let vars: Vec<_> = (0..2 * half).map(v).collect();
        cnf.add(&vars[..half], &vars[half..]).unwrap();
        let order = VariableOrder::of(&cnf);
        assert_eq!(order.sequence().len(), 2 * half);
        assert!(order.sequence()[..half].iter().all(|var| var.index() >= half));
    }

    #[test]
    #[should_panic(expected = "listed twice")]
    fn a_sequence_with_a_repetition_is_no_order() {
        VariableOrder::from_sequence(vec![v(0), v(0)]);
    }
}
