//! Laws of the reasoner on random formulas: the lemmas of PLDI 2021, appendix B, and agreement with
//! plain implementations that follow the definitions literally.

use lapidary_logic::{
    Clause, Cnf, CountLimit, Graph, Pick, Reasoner, Remover, Sacrifice, Var, VarSet, VariableOrder, count, dimacs,
    random_solution, to_graph,
};
use proptest::prelude::*;

const VARIABLES: usize = 9;

fn vars() -> impl Strategy<Value = Var> {
    (0..VARIABLES).prop_map(Var::new)
}

fn edges(cnf: &mut Cnf, edges: Vec<(Var, Var)>) {
    edges.into_iter().for_each(|(premise, conclusion)| cnf.imply(premise, conclusion));
}

fn graphs() -> impl Strategy<Value = Cnf> {
    prop::collection::vec((vars(), vars()), 0..16).prop_map(|list| {
        let mut cnf = Cnf::new(VARIABLES);
        edges(&mut cnf, list);
        cnf
    })
}

fn formulas() -> impl Strategy<Value = Cnf> {
    let wide = (prop::collection::vec(vars(), 0..4), prop::collection::vec(vars(), 1..4));
    let clauses = prop::collection::vec(wide, 0..10);
    (graphs(), clauses).prop_map(|(mut cnf, clauses)| {
        clauses.iter().for_each(|(premises, conclusions)| cnf.add(premises, conclusions).unwrap());
        cnf
    })
}

fn orders() -> impl Strategy<Value = VariableOrder> {
    Just((0..VARIABLES).map(Var::new).collect::<Vec<_>>()).prop_shuffle().prop_map(VariableOrder::from_sequence)
}

fn learned() -> impl Strategy<Value = Vec<Vec<Var>>> {
    prop::collection::vec(prop::collection::vec(vars(), 1..4), 0..3)
}

fn sets() -> impl Iterator<Item = VarSet> {
    (0..1usize << VARIABLES)
        .map(|bits| VarSet::of(VARIABLES, (0..VARIABLES).filter(|index| bits >> index & 1 == 1).map(Var::new)))
}

fn meets(set: &VarSet, vars: &[Var]) -> bool {
    vars.iter().any(|&var| set.contains(var))
}

/// The learned sets that contain a variable of `within`.
fn met(learned: Vec<Vec<Var>>, within: &VarSet) -> Vec<Vec<Var>> {
    learned.into_iter().filter(|vars| meets(within, vars)).collect()
}

/// A formula as a list of clauses, conditioned as in the paper.
#[derive(Clone)]
struct Plain(Vec<(Vec<Var>, Vec<Var>)>);

impl Plain {
    fn of(cnf: &Cnf, learned: &[Vec<Var>], within: &VarSet) -> Self {
        let clauses = cnf.clauses().map(|clause| (clause.premises.to_vec(), clause.conclusions.to_vec()));
        let learned = learned.iter().map(|set| (vec![], set.clone()));
        let outside = (0..VARIABLES).map(Var::new).filter(|&var| !within.contains(var));
        outside.fold(Plain(clauses.chain(learned).collect()), |formula, var| formula.given(var, false))
    }

    /// R | var = value
    fn given(self, var: Var, value: bool) -> Self {
        let drop = |mut list: Vec<Var>| {
            list.retain(|&other| other != var);
            list
        };
        let clauses = self.0.into_iter().filter(|clause| !(if value { &clause.1 } else { &clause.0 }).contains(&var));
        Plain(clauses.map(|(premises, conclusions)| (drop(premises), drop(conclusions))).collect())
    }

    fn and(mut self, vars: &[Var]) -> Self {
        self.0.extend(vars.iter().map(|&var| (vec![], vec![var])));
        self
    }

    /// Definition B.6.
    fn minimal_solution(mut self, order: &VariableOrder) -> VarSet {
        let mut solution = VarSet::empty(VARIABLES);
        loop {
            let positive = self.0.iter().filter(|(premises, _)| premises.is_empty());
            let Some(&smallest) = positive.flat_map(|clause| &clause.1).min_by_key(|var| order.rank(**var)) else {
                return solution;
            };
            solution.insert(smallest);
            self = self.given(smallest, true);
        }
    }
}

/// PROGRESSION of algorithm 1.
fn plain_progression(reasoner: &Reasoner, learned: &[Vec<Var>], within: &VarSet) -> Vec<VarSet> {
    let formula = Plain::of(reasoner.cnf(), learned, within);
    let mut sets = vec![formula.clone().minimal_solution(reasoner.order())];
    let mut prefix = sets[0].clone();
    while let Some(smallest) = within.minus(&prefix).iter().min_by_key(|&var| reasoner.order().rank(var)) {
        let conditioned = prefix.iter().fold(formula.clone().and(&[smallest]), |formula, var| formula.given(var, true));
        let set = conditioned.minimal_solution(reasoner.order());
        prefix.union_with(&set);
        sets.push(set);
    }
    sets
}

/// Variables that unit propagation finds in every solution.
fn plain_necessary(cnf: &Cnf) -> VarSet {
    let mut found = VarSet::empty(VARIABLES);
    let is_unit = |clause: &Clause<'_>, found: &VarSet| {
        clause.conclusions.len() == 1 && clause.premises.iter().all(|&var| found.contains(var))
    };
    while let Some(clause) = cnf.clauses().find(|clause| is_unit(clause, &found) && !clause.is_satisfied_by(&found)) {
        found.insert(clause.conclusions[0]);
    }
    found
}

/// A plain `Remover::consequences` that rescans the formula after each step.
fn plain_consequences(reasoner: &Reasoner, current: &VarSet, vars: &[Var], sacrifice: Sacrifice) -> Option<VarSet> {
    let necessary = plain_necessary(reasoner.cnf());
    let mut left = current.without(vars);
    loop {
        let violated = || reasoner.cnf().clauses().filter(|clause| !clause.is_satisfied_by(&left));
        let Some(clause) = violated().find(|clause| clause.premises.len() < 2).or_else(|| violated().next()) else {
            break;
        };
        let dispensable = clause.premises.iter().filter(|&&var| !necessary.contains(var));
        let premise = match sacrifice {
            Sacrifice::First => dispensable.min_by_key(|&&var| reasoner.order().rank(var)),
            Sacrifice::Last => dispensable.max_by_key(|&&var| reasoner.order().rank(var)),
        };
        left.remove(*premise?);
    }
    necessary.is_subset(&left).then(|| current.minus(&left))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn a_minimal_solution_is_a_solution_in_between(
        cnf in formulas(), order in orders(), required in prop::collection::vec(vars(), 0..3), seed in any::<u64>(),
    ) {
        let reasoner = Reasoner::with_order(&cnf, order);
        let within = random_solution(&reasoner, seed);
        let required: Vec<_> = required.into_iter().filter(|&var| within.contains(var)).collect();
        let solution = reasoner.minimal_solution(&within, &required);
        prop_assert!(cnf.is_satisfied_by(&solution));
        prop_assert!(solution.is_subset(&within));
        prop_assert!(required.iter().all(|&var| solution.contains(var)));
        let plain = Plain::of(&cnf, &[], &within).and(&required);
        prop_assert_eq!(solution, plain.minimal_solution(reasoner.order()));
    }

    /// Lemma B.8.
    #[test]
    fn the_smallest_variable_of_each_positive_clause_is_chosen(
        cnf in formulas(), order in orders(), learned in learned(), seed in any::<u64>(),
    ) {
        let reasoner = Reasoner::with_order(&cnf, order);
        let within = random_solution(&reasoner, seed);
        let learned = met(learned, &within);
        let first = reasoner.progression(&learned, &within).prefix(0);
        let facts = cnf.clauses().filter(|clause| clause.premises.is_empty()).map(|clause| clause.conclusions);
        for clause in facts.chain(learned.iter().map(Vec::as_slice)) {
            let inside = clause.iter().filter(|&&var| within.contains(var));
            let smallest = inside.min_by_key(|&&var| reasoner.order().rank(var)).unwrap();
            prop_assert!(first.contains(*smallest));
        }
    }

    /// Lemma B.10: SPLIT and CORRECT.
    #[test]
    fn a_progression_splits_the_set_and_every_prefix_is_correct(
        cnf in formulas(), order in orders(), learned in learned(), seed in any::<u64>(),
    ) {
        let reasoner = Reasoner::with_order(&cnf, order);
        let within = random_solution(&reasoner, seed);
        let learned = met(learned, &within);
        let progression = reasoner.progression(&learned, &within);
        prop_assert!(!progression.is_empty());
        prop_assert_eq!(progression.iter().map(<[Var]>::len).sum::<usize>(), within.len());
        prop_assert_eq!(progression.prefix(progression.len() - 1), within);
        for last in 0..progression.len() {
            let prefix = progression.prefix(last);
            prop_assert!(cnf.is_satisfied_by(&prefix));
            prop_assert!(learned.iter().all(|set| meets(&prefix, set)));
            prop_assert!(last == 0 || !progression.set(last).is_empty());
        }
    }

    #[test]
    fn one_pass_finds_the_progression_of_the_definition(
        cnf in formulas(), order in orders(), learned in learned(), seed in any::<u64>(),
    ) {
        let reasoner = Reasoner::with_order(&cnf, order);
        let within = random_solution(&reasoner, seed);
        let learned = met(learned, &within);
        let progression = reasoner.progression(&learned, &within);
        let found: Vec<_> = progression.iter().map(|set| VarSet::of(VARIABLES, set.iter().copied())).collect();
        prop_assert_eq!(found, plain_progression(&reasoner, &learned, &within));
    }

    /// Lemmas B.11 and B.14 as Generalized Binary Reduction uses them: the learned sets are sets of
    /// a progression.
    #[test]
    fn on_graphs_progressions_are_components_and_start_with_a_minimal_set(
        mut cnf in graphs(), required in prop::option::of(vars()), choices in prop::collection::vec(any::<prop::sample::Index>(), 0..3),
    ) {
        required.into_iter().for_each(|var| cnf.require(var));
        let reasoner = Reasoner::new(&cnf);
        let components = Graph::of(&cnf).strongly_connected_components();
        let mut within = VarSet::full(VARIABLES);
        let mut learned = Vec::new();
        for choice in choices {
            let progression = reasoner.progression(&learned, &within);
            for set in progression.iter().skip(1) {
                let mut set = set.to_vec();
                set.sort_unstable();
                prop_assert!(components.contains(&set), "{:?} is no component", set);
            }
            let first = progression.prefix(0);
            let is_correct = |set: &VarSet| cnf.is_satisfied_by(set) && learned.iter().all(|vars| meets(set, vars));
            prop_assert!(!sets().any(|set| set != first && set.is_subset(&first) && is_correct(&set)));
            if progression.len() == 1 {
                break;
            }
            let last = 1 + choice.index(progression.len() - 1);
            learned.push(progression.set(last).to_vec());
            within = progression.prefix(last);
        }
    }

    #[test]
    fn a_closure_is_the_smallest_solution_of_a_graph(cnf in graphs(), wanted in prop::collection::vec(vars(), 0..3)) {
        let reasoner = Reasoner::new(&cnf);
        let closure = Graph::of(&cnf).closure(&VarSet::of(VARIABLES, wanted.iter().copied()));
        prop_assert_eq!(closure, reasoner.minimal_solution(&VarSet::full(VARIABLES), &wanted));
    }

    #[test]
    fn components_are_what_reaches_each_other_and_dependencies_come_first(cnf in graphs()) {
        let graph = Graph::of(&cnf);
        let reach = |var: Var| graph.closure(&VarSet::of(VARIABLES, [var]));
        let components = graph.strongly_connected_components();
        let mut before = VarSet::empty(VARIABLES);
        for component in &components {
            let together = reach(component[0]);
            let mutual: Vec<_> = together.iter().filter(|&var| reach(var).contains(component[0])).collect();
            prop_assert_eq!(&mutual, component);
            before.extend(component.iter().copied());
            prop_assert!(together.is_subset(&before));
        }
        prop_assert_eq!(before, VarSet::full(VARIABLES));
    }

    #[test]
    fn removal_agrees_with_rescanning(
        cnf in formulas(), order in orders(), seed in any::<u64>(), removals in prop::collection::vec((vars(), vars(), any::<bool>()), 1..5),
    ) {
        let reasoner = Reasoner::with_order(&cnf, order);
        let mut remover = Remover::new(&reasoner, random_solution(&reasoner, seed));
        for (one, other, is_last) in removals {
            let sacrifice = if is_last { Sacrifice::Last } else { Sacrifice::First };
            let before = remover.current().clone();
            let gone = remover.consequences(&[one, other], sacrifice);
            prop_assert_eq!(remover.current(), &before);
            let expected = plain_consequences(&reasoner, &before, &[one, other], sacrifice);
            prop_assert_eq!(gone.as_ref().map(|gone| VarSet::of(VARIABLES, gone.iter().copied())), expected);
            if let Some(gone) = gone {
                remover.commit(&gone);
                prop_assert_eq!(remover.current(), &before.without(&gone));
                prop_assert!(cnf.is_satisfied_by(remover.current()));
            }
        }
    }

    #[test]
    fn counting_agrees_with_enumeration(cnf in formulas()) {
        let expected = sets().filter(|set| cnf.is_satisfied_by(set)).count();
        prop_assert_eq!(count(&cnf, &CountLimit::default()).unwrap(), expected.into());
    }

    #[test]
    fn solutions_of_a_lossy_encoding_are_solutions(cnf in formulas()) {
        for pick in [Pick::First, Pick::Last] {
            let graph = to_graph(&cnf, pick);
            prop_assert!(graph.clauses().all(|clause| clause.premises.len() <= 1 && clause.conclusions.len() == 1));
            prop_assert!(sets().filter(|set| graph.is_satisfied_by(set)).all(|set| cnf.is_satisfied_by(&set)));
        }
    }

    #[test]
    fn what_dimacs_writes_it_reads(cnf in formulas()) {
        let text = dimacs::write(&cnf, |_| None);
        let read = dimacs::read(&text).unwrap();
        prop_assert!(read.clauses().eq(cnf.clauses()) && read.variables() == cnf.variables());
    }

    #[test]
    fn dimacs_never_panics(text in "[-0-9pcnf %\n]{0,60}") {
        let _ = dimacs::read(&format!("p cnf 3 1\n{text}"));
        let _ = dimacs::read(&text);
    }

    #[test]
    fn random_solutions_are_solutions(cnf in formulas(), seed in any::<u64>()) {
        prop_assert!(cnf.is_satisfied_by(&random_solution(&Reasoner::new(&cnf), seed)));
    }
}
