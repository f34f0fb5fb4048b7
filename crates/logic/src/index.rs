//! A formula laid out for propagation: the clauses of each variable, and the literals of each
//! clause by rank.

use crate::{Cnf, Var, VarSet, VariableOrder};

/// Lists of `T` for each key, all in one array.
#[derive(Debug)]
pub(crate) struct Lists<T> {
    starts: Vec<u32>,
    entries: Vec<T>,
}

impl<T: Copy> Lists<T> {
    pub(crate) fn get(&self, key: usize) -> &[T] {
        &self.entries[self.starts[key] as usize..self.starts[key + 1] as usize]
    }

    pub(crate) fn keys(&self) -> usize {
        self.starts.len() - 1
    }
}

impl Lists<u32> {
    /// For each key below `keys`, the values paired with it, in the order of `pairs`.
    pub(crate) fn group<I: Iterator<Item = (usize, u32)>>(keys: usize, pairs: impl Fn() -> I) -> Self {
        let mut ends = vec![0u32; keys + 1];
        for (key, _) in pairs() {
            ends[key + 1] += 1;
        }
        for key in 0..keys {
            ends[key + 1] += ends[key];
        }
        let mut entries = vec![0; ends[keys] as usize];
        let mut next = ends.clone();
        for (key, value) in pairs() {
            entries[next[key] as usize] = value;
            next[key] += 1;
        }
        Lists { starts: ends, entries }
    }
}

/// The clauses of a formula, and for each variable the clauses it occurs in. Clauses with one
/// premise and one conclusion, the majority in every formula, need no counting and are stored as
/// edges. The others are numbered in the order of the formula.
#[derive(Debug)]
pub(crate) struct Index {
    /// For each variable, the conclusions of the edges whose premise it is. `predecessors` holds
    /// the premises of the edges whose conclusion it is.
    pub successors: Lists<u32>,
    pub predecessors: Lists<u32>,
    pub premises: Lists<Var>,
    pub conclusions: Lists<Var>,
    pub as_premise: Lists<u32>,
    pub as_conclusion: Lists<u32>,
    /// Clauses without premises.
    pub facts: Vec<u32>,
    /// Variables that unit propagation finds in every solution.
    pub necessary: VarSet,
}

impl Index {
    pub(crate) fn of(cnf: &Cnf, order: &VariableOrder) -> Self {
        assert_eq!(order.sequence().len(), cnf.variables(), "the order is one of this formula's variables");
        let edges = || cnf.clauses().filter(|clause| clause.is_edge());
        let ends = |clause: crate::Clause<'_>| (clause.premises[0], clause.conclusions[0]);
        let node = |var: Var| clause_number(var.index());
        let successors = Lists::group(cnf.variables(), || edges().map(ends).map(|(a, b)| (a.index(), node(b))));
        let predecessors = Lists::group(cnf.variables(), || edges().map(ends).map(|(a, b)| (b.index(), node(a))));
        let others = || cnf.clauses().filter(|clause| !clause.is_edge());
        let premises = by_rank(others().map(|clause| clause.premises), order);
        let conclusions = by_rank(others().map(|clause| clause.conclusions), order);
        let as_premise = occurrences(&premises, cnf.variables());
        let as_conclusion = occurrences(&conclusions, cnf.variables());
        let facts =
            (0..clause_number(premises.keys())).filter(|&clause| premises.get(clause as usize).is_empty()).collect();
        let mut index = Index {
            successors,
            predecessors,
            premises,
            conclusions,
            as_premise,
            as_conclusion,
            facts,
            necessary: VarSet::empty(cnf.variables()),
        };
        index.necessary = index.units(cnf.variables());
        index
    }

    pub(crate) fn clauses(&self) -> usize {
        self.premises.keys()
    }

    /// How many premises each clause has.
    pub(crate) fn premise_counts(&self) -> Vec<u32> {
        self.premises.starts.windows(2).map(|pair| pair[1] - pair[0]).collect()
    }

    fn units(&self, variables: usize) -> VarSet {
        let mut missing = self.premise_counts();
        let mut found = VarSet::empty(variables);
        let mut pending = Vec::new();
        let settle = |clause: u32, found: &mut VarSet, pending: &mut Vec<Var>| {
            if let &[only] = self.conclusions.get(clause as usize)
                && found.insert(only)
            {
                pending.push(only);
            }
        };
        self.facts.iter().for_each(|&clause| settle(clause, &mut found, &mut pending));
        while let Some(var) = pending.pop() {
            for next in self.successors.get(var.index()).iter().map(|&next| Var::new(next as usize)) {
                if found.insert(next) {
                    pending.push(next);
                }
            }
            for &clause in self.as_premise.get(var.index()) {
                missing[clause as usize] -= 1;
                if missing[clause as usize] == 0 {
                    settle(clause, &mut found, &mut pending);
                }
            }
        }
        found
    }
}

fn by_rank<'a>(lists: impl Iterator<Item = &'a [Var]>, order: &VariableOrder) -> Lists<Var> {
    let mut result = Lists { starts: vec![0], entries: Vec::new() };
    for list in lists {
        let start = result.entries.len();
        result.entries.extend_from_slice(list);
        result.entries[start..].sort_unstable_by_key(|&var| order.rank(var));
        result.starts.push(clause_number(result.entries.len()));
    }
    result
}

fn occurrences(literals: &Lists<Var>, variables: usize) -> Lists<u32> {
    Lists::group(variables, || {
        (0..literals.keys())
            .flat_map(|clause| literals.get(clause).iter().map(move |var| (var.index(), clause_number(clause))))
    })
}

pub(crate) fn clause_number(index: usize) -> u32 {
    u32::try_from(index).expect("a formula has fewer than 2^32 literals")
}
