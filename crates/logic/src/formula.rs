//! Nested formulas, and their Tseitin transformation into implicative positive form.
//!
//! A conjunction inside a disjunction gets an auxiliary variable that stands for it. Definitions go one way only: the
//! stand-in implies the conjunction, as nothing ever depends on the opposite. Auxiliary variables have to be true in
//! the full set like all others; so for a conjunction that does *not* hold on the full set, the variable stands for its
//! negation, and its negation implies the conjunction.

use crate::{Cnf, Var};
use thiserror::Error;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    Var(Var),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Implies(Box<Formula>, Box<Formula>),
    True,
    False,
}

impl Formula {
    pub fn var(var: Var) -> Self {
        Formula::Var(var)
    }

    pub fn negation(formula: Formula) -> Self {
        Formula::Not(Box::new(formula))
    }

    pub fn all(formulas: impl IntoIterator<Item = Formula>) -> Self {
        Formula::And(formulas.into_iter().collect())
    }

    pub fn any(formulas: impl IntoIterator<Item = Formula>) -> Self {
        Formula::Or(formulas.into_iter().collect())
    }

    pub fn implies(self, conclusion: Formula) -> Self {
        Formula::Implies(Box::new(self), Box::new(conclusion))
    }

    /// The formula's value where `is_true` tells the variables'.
    pub fn evaluate(&self, is_true: &impl Fn(Var) -> bool) -> bool {
        match self {
            Formula::Var(var) => is_true(*var),
            Formula::Not(inner) => !inner.evaluate(is_true),
            Formula::And(parts) => parts.iter().all(|part| part.evaluate(is_true)),
            Formula::Or(parts) => parts.iter().any(|part| part.evaluate(is_true)),
            Formula::Implies(premise, conclusion) => !premise.evaluate(is_true) || conclusion.evaluate(is_true),
            Formula::True => true,
            Formula::False => false,
        }
    }
}

/// A formula that the full set of variables does not satisfy.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{conjunct:?} does not hold for the whole input, so it cannot describe its sub-inputs")]
pub struct FalseOnFullSet {
    /// The part of the formula's outermost conjunction that fails.
    pub conjunct: Formula,
}

/// Adds clauses that say `formula`, with auxiliary variables behind all others where they are needed. The solutions,
/// seen without the auxiliary variables, are those that satisfy `formula`. The size is linear in the formula's.
///
/// On an error nothing is added.
pub fn assert_formula(cnf: &mut Cnf, formula: &Formula) -> Result<(), FalseOnFullSet> {
    if let Some(conjunct) = failing_conjunct(formula) {
        return Err(FalseOnFullSet { conjunct: conjunct.clone() });
    }
    Encoder { cnf }.assert(&[], Node::of(formula, true));
    Ok(())
}

fn failing_conjunct(formula: &Formula) -> Option<&Formula> {
    match formula {
        Formula::And(parts) => parts.iter().find_map(failing_conjunct),
        other => (!other.evaluate(&|_| true)).then_some(other),
    }
}

/// Negations pushed to the variables, constants folded, nested connectives of one kind merged.
struct Node {
    holds_on_full_set: bool,
    shape: Shape,
}

enum Shape {
    Literal(Literal),
    And(Vec<Node>),
    Or(Vec<Node>),
}

#[derive(Clone, Copy)]
struct Literal {
    var: Var,
    value: bool,
}

impl Node {
    /// The formula, or its negation if `value` is false.
    fn of(formula: &Formula, value: bool) -> Self {
        let nodes = |parts: &[Formula]| parts.iter().map(|part| Node::of(part, value)).collect();
        match (formula, value) {
            (Formula::Var(var), _) => Node::literal(Literal { var: *var, value }),
            (Formula::Not(inner), _) => Node::of(inner, !value),
            (Formula::And(parts), true) | (Formula::Or(parts), false) => Node::and(nodes(parts)),
            (Formula::Or(parts), true) | (Formula::And(parts), false) => Node::or(nodes(parts)),
            (Formula::Implies(premise, conclusion), true) => {
                Node::or(vec![Node::of(premise, false), Node::of(conclusion, true)])
            }
            (Formula::Implies(premise, conclusion), false) => {
                Node::and(vec![Node::of(premise, true), Node::of(conclusion, false)])
            }
            (Formula::True, true) | (Formula::False, false) => Node::and(Vec::new()),
            (Formula::True, false) | (Formula::False, true) => Node::or(Vec::new()),
        }
    }

    fn literal(literal: Literal) -> Self {
        Node { holds_on_full_set: literal.value, shape: Shape::Literal(literal) }
    }

    fn and(parts: Vec<Node>) -> Self {
        let mut merged = Vec::new();
        for part in parts {
            match part.shape {
                Shape::And(inner) => merged.extend(inner),
                Shape::Or(inner) if inner.is_empty() => return Node::or(inner),
                _ => merged.push(part),
            }
        }
        let holds_on_full_set = merged.iter().all(|part| part.holds_on_full_set);
        only(&mut merged).unwrap_or(Node { holds_on_full_set, shape: Shape::And(merged) })
    }

    fn or(parts: Vec<Node>) -> Self {
        let mut merged = Vec::new();
        for part in parts {
            match part.shape {
                Shape::Or(inner) => merged.extend(inner),
                Shape::And(inner) if inner.is_empty() => return Node::and(inner),
                _ => merged.push(part),
            }
        }
        let holds_on_full_set = merged.iter().any(|part| part.holds_on_full_set);
        only(&mut merged).unwrap_or(Node { holds_on_full_set, shape: Shape::Or(merged) })
    }
}

fn only(nodes: &mut Vec<Node>) -> Option<Node> {
    if nodes.len() == 1 { nodes.pop() } else { None }
}

/// A disjunction of at most this many literals is repeated for each part of a conjunction beside it; a longer one gets a
/// stand-in for the conjunction.
const LONGEST_REPEATED: usize = 4;

struct Encoder<'a> {
    cnf: &'a mut Cnf,
}

impl Encoder<'_> {
    /// Adds clauses that say: one of `literals` or `node` holds.
    fn assert(&mut self, literals: &[Literal], node: Node) {
        match node.shape {
            Shape::Literal(literal) => self.add(&[literals, &[literal]].concat()),
            Shape::And(parts) => parts.into_iter().for_each(|part| self.assert(literals, part)),
            Shape::Or(parts) => self.assert_any(literals.to_vec(), parts),
        }
    }

    /// The same for a disjunction, whose parts are literals and conjunctions.
    fn assert_any(&mut self, mut literals: Vec<Literal>, parts: Vec<Node>) {
        let mut conjunctions = Vec::new();
        for part in parts {
            match part.shape {
                Shape::Literal(literal) => literals.push(literal),
                _ => conjunctions.push(part),
            }
        }
        if literals.len() <= LONGEST_REPEATED
            && let Some(conjunction) = only(&mut conjunctions)
        {
            return self.assert(&literals, conjunction);
        }
        for conjunction in conjunctions {
            literals.push(self.stand_in(conjunction));
        }
        self.add(&literals);
    }

    /// A literal that implies `node` and is as true on the full set as `node` is.
    fn stand_in(&mut self, node: Node) -> Literal {
        let value = node.holds_on_full_set;
        let var = self.cnf.add_variable();
        self.assert(&[Literal { var, value: !value }], node);
        Literal { var, value }
    }

    fn add(&mut self, literals: &[Literal]) {
        let with = |value| literals.iter().filter(move |l| l.value == value).map(|l| l.var).collect::<Vec<_>>();
        self.cnf.add(&with(false), &with(true)).expect("what holds on the full set has a true literal there");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Reasoner, VarSet};
    use proptest::prelude::*;

    fn v(index: usize) -> Formula {
        Formula::var(Var::new(index))
    }

    fn not(formula: Formula) -> Formula {
        Formula::negation(formula)
    }

    #[test]
    fn clauses_need_no_auxiliary_variables() {
        let mut cnf = Cnf::new(4);
        let conjunction = Formula::all([v(0).implies(Formula::all([v(1), v(2)])), Formula::any([not(v(0)), v(3)])]);
        assert_formula(&mut cnf, &conjunction).unwrap();
        assert_eq!((cnf.variables(), cnf.len(), cnf.literal_count()), (4, 3, 6));
    }

    #[test]
    fn a_part_that_fails_on_the_full_set_is_named_and_nothing_is_added() {
        let mut cnf = Cnf::new(2);
        let formula = Formula::all([v(0), not(Formula::all([v(0), v(1)]))]);
        let error = assert_formula(&mut cnf, &formula).unwrap_err();
        assert_eq!(error.conjunct, not(Formula::all([v(0), v(1)])));
        assert!(cnf.is_empty());
    }

    #[test]
    fn the_size_is_linear() {
        let pairs = 1000;
        let mut cnf = Cnf::new(2 * pairs);
        let formula = Formula::any((0..pairs).map(|pair| Formula::all([v(2 * pair), v(2 * pair + 1)])));
        assert_formula(&mut cnf, &formula).unwrap();
        assert_eq!((cnf.variables(), cnf.len()), (3 * pairs, 2 * pairs + 1));
    }

    const VARIABLES: usize = 5;

    fn formulas() -> impl Strategy<Value = Formula> {
        let leaf = prop_oneof![
            10 => (0..VARIABLES).prop_map(v),
            1 => Just(Formula::True),
            1 => Just(Formula::False),
        ];
        leaf.prop_recursive(5, 40, 4, |inner| {
            prop_oneof![
                inner.clone().prop_map(not),
                prop::collection::vec(inner.clone(), 0..4).prop_map(Formula::And),
                prop::collection::vec(inner.clone(), 0..4).prop_map(Formula::Or),
                (inner.clone(), inner).prop_map(|(premise, conclusion)| premise.implies(conclusion)),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn the_clauses_say_what_the_formula_says(formula in formulas()) {
            let holds_on_full_set = formula.evaluate(&|_| true);
            let formula = if holds_on_full_set { formula } else { not(formula) };
            let mut cnf = Cnf::new(VARIABLES);
            assert_formula(&mut cnf, &formula).unwrap();
            let reasoner = Reasoner::new(&cnf);
            for bits in 0..1usize << VARIABLES {
                let keep = VarSet::of(VARIABLES, (0..VARIABLES).filter(|index| bits >> index & 1 == 1).map(Var::new));
                let expected = formula.evaluate(&|var| keep.contains(var));
                prop_assert_eq!(reasoner.complete(&keep, VARIABLES).is_some(), expected, "{:?}", keep);
            }
        }
    }
}
