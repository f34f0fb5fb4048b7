//! The implication graph: the part of a formula that J-Reduce (FSE 2019) can use.
//!
//! Its nodes are the variables, its edges are the clauses `a ⇒ b`, and some nodes are required. A
//! set is closed if it contains all required variables and everything that its members imply. If a
//! formula consists of edges and required variables alone, its solutions are exactly the closed
//! sets, and the union of solutions is a solution.

use crate::index::Lists;
use crate::{Cnf, Var, VarSet};

/// The edges and required variables of a formula. Other clauses are ignored.
#[derive(Debug)]
pub struct Graph {
    successors: Lists<u32>,
    required: Vec<Var>,
}

impl Graph {
    /// The graph of the clauses that are edges or require a variable. Other clauses are ignored.
    pub fn of(cnf: &Cnf) -> Self {
        let edges = || cnf.clauses().filter(|clause| clause.is_edge());
        let successors = Lists::group(cnf.variables(), || {
            edges().map(|clause| (clause.premises[0].index(), node(clause.conclusions[0])))
        });
        let facts = cnf.clauses().filter(|clause| clause.premises.is_empty() && clause.conclusions.len() == 1);
        let required = facts.map(|clause| clause.conclusions[0]).collect();
        Graph { successors, required }
    }

    /// The number of variables, which are the nodes.
    pub fn variables(&self) -> usize {
        self.successors.keys()
    }

    /// The smallest closed set that contains `set`.
    pub fn closure(&self, set: &VarSet) -> VarSet {
        self.closure_of(set.iter())
    }

    /// The distinct closures of single variables, each after those of its dependencies. All
    /// variables of a strongly connected component have the same closure, and so do all variables
    /// implied by required ones.
    pub fn closures(&self) -> impl Iterator<Item = VarSet> + '_ {
        let always = self.closure_of([]);
        let rest = self.strongly_connected_components().into_iter().map(|component| component[0]);
        let first = (!always.is_empty()).then(|| always.clone());
        first.into_iter().chain(rest.filter(move |&var| !always.contains(var)).map(|var| self.closure_of([var])))
    }

    /// The strongly connected components in reverse topological order: implied variables come
    /// before those that imply them. The variables of a component are in ascending order.
    pub fn strongly_connected_components(&self) -> Vec<Vec<Var>> {
        let mut search = Tarjan::new(self);
        for root in 0..self.variables() {
            search.visit(root);
        }
        search.components
    }

    fn closure_of(&self, vars: impl IntoIterator<Item = Var>) -> VarSet {
        let mut closure = VarSet::empty(self.variables());
        let mut pending: Vec<_> = self.required.iter().copied().chain(vars).collect();
        while let Some(var) = pending.pop() {
            if closure.insert(var) {
                pending.extend(self.successors(var.index()).map(Var::new));
            }
        }
        closure
    }

    fn successors(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        self.successors.get(node).iter().map(|&successor| successor as usize)
    }
}

fn node(var: Var) -> u32 {
    u32::try_from(var.index()).expect("a formula has fewer than 2^32 variables")
}

/// Tarjan's algorithm with an explicit stack, because graphs may be deeper than the call stack.
struct Tarjan<'a> {
    graph: &'a Graph,
    /// The time at which each node was first seen. `low` is the earliest time of a node known to be
    /// in the same component.
    seen: Vec<Option<usize>>,
    low: Vec<usize>,
    is_open: Vec<bool>,
    open: Vec<usize>,
    clock: usize,
    components: Vec<Vec<Var>>,
}

impl<'a> Tarjan<'a> {
    fn new(graph: &'a Graph) -> Self {
        let nodes = graph.variables();
        Tarjan {
            graph,
            seen: vec![None; nodes],
            low: vec![0; nodes],
            is_open: vec![false; nodes],
            open: Vec::new(),
            clock: 0,
            components: Vec::new(),
        }
    }

    fn visit(&mut self, root: usize) {
        let mut path = Vec::new();
        if self.seen[root].is_none() {
            path.push((root, self.enter(root)));
        }
        while let Some((node, successors)) = path.last_mut() {
            let node = *node;
            match successors.next() {
                Some(&next) if self.seen[next as usize].is_none() => {
                    path.push((next as usize, self.enter(next as usize)));
                }
                Some(&next) => self.link(node, next as usize),
                None => {
                    path.pop();
                    self.leave(node, path.last().map(|(parent, _)| *parent));
                }
            }
        }
    }

    fn enter(&mut self, node: usize) -> std::slice::Iter<'a, u32> {
        self.seen[node] = Some(self.clock);
        self.low[node] = self.clock;
        self.clock += 1;
        self.is_open[node] = true;
        self.open.push(node);
        self.graph.successors.get(node).iter()
    }

    fn link(&mut self, node: usize, next: usize) {
        if self.is_open[next] {
            self.low[node] = self.low[node].min(self.low[next]);
        }
    }

    fn leave(&mut self, node: usize, parent: Option<usize>) {
        if self.seen[node] == Some(self.low[node]) {
            let start = self.open.iter().rposition(|&open| open == node).expect("an unfinished node is open");
            let mut component: Vec<_> = self.open.drain(start..).map(Var::new).collect();
            component.iter().for_each(|var| self.is_open[var.index()] = false);
            component.sort_unstable();
            self.components.push(component);
        }
        if let Some(parent) = parent {
            self.link(parent, node);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v(index: usize) -> Var {
        Var::new(index)
    }

    /// `0 ⇄ 1 ⇒ 2`, `3 ⇒ 2`, `4` required, `4 ⇒ 5`, and a clause that is not an edge.
    fn graph() -> Graph {
        let mut cnf = Cnf::new(6);
        for (a, b) in [(0, 1), (1, 0), (1, 2), (3, 2), (4, 5)] {
            cnf.imply(v(a), v(b));
        }
        cnf.require(v(4));
        cnf.add(&[v(0), v(2)], &[v(3)]).unwrap();
        Graph::of(&cnf)
    }

    #[test]
    fn components_come_after_what_they_imply() {
        let components = graph().strongly_connected_components();
        assert_eq!(components, [vec![v(2)], vec![v(0), v(1)], vec![v(3)], vec![v(5)], vec![v(4)]]);
    }

    #[test]
    fn a_closure_holds_what_is_required_and_implied() {
        let closure = graph().closure(&VarSet::of(6, [v(0)]));
        assert_eq!(closure, VarSet::of(6, [v(0), v(1), v(2), v(4), v(5)]));
    }

    #[test]
    fn each_closure_of_a_variable_is_listed_once() {
        let closures: Vec<_> = graph().closures().map(|closure| closure.iter().collect::<Vec<_>>()).collect();
        let always = [v(4), v(5)];
        let with = |vars: &[Var]| [vars, &always].concat();
        assert_eq!(closures, [with(&[]), with(&[v(2)]), with(&[v(0), v(1), v(2)]), with(&[v(2), v(3)])]);
    }

    #[test]
    fn a_cycle_of_a_million_variables_is_one_component() {
        let variables = 1_000_000;
        let mut cnf = Cnf::new(variables);
        for index in 0..variables {
            cnf.imply(v(index), v((index + 1) % variables));
        }
        assert_eq!(Graph::of(&cnf).strongly_connected_components().len(), 1);
    }
}
