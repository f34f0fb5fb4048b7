//! Tests of the whole chain, on queries like those of a symbolic execution: paths that grow by one
//! condition at a time.

use crate::workshop;

use lapidary_terms::{Answer, Chain, Config, Constant, Functions, Solver, Sort, Statistics, Term, Terms};
use proptest::prelude::*;
use std::sync::Arc;
use std::time::Duration;
use workshop::{build, cases, edge_number, steps};

/// Asks whether each condition, and its opposite, can follow those before it.
fn walk(chain: &mut Chain, terms: &mut Terms, conditions: &[Term]) {
    let mut path: Vec<Term> = Vec::new();
    for condition in conditions {
        let opposite = terms.not(*condition);
        for branch in [*condition, opposite] {
            path.push(branch);
            chain.solve(terms, &path);
            path.pop();
        }
        path.push(*condition);
        if chain.solve(terms, &path) == Answer::Unsatisfiable {
            path.pop();
            path.push(opposite);
        }
    }
}

fn switches() -> [Config; 5] {
    let base = || Config { validation: true, time_limit: Duration::from_secs(2), ..Config::plain() };
    [
        Config { folding: true, ..base() },
        Config { independence: true, ..base() },
        Config { cache: true, ..base() },
        Config { folding: true, independence: true, cache: true, ..base() },
        base(),
    ]
}

proptest! {
    #![proptest_config(cases(24))]

    /// Validation asks the plain solver the same query and evaluates every constraint under the
    /// values found.
    #[test]
    fn no_layer_changes_an_answer(
        seeds in prop::collection::vec(edge_number(), 40), steps in steps(50), switch in 0usize..5,
    ) {
        let mut workshop = build(&[Sort::Bool, Sort::Bits(8), Sort::Bits(16)], &seeds, &steps);
        let is_condition = |term: &Term| workshop.terms.sort(*term) == Sort::Bool && workshop.terms.constant(*term).is_none();
        let conditions: Vec<Term> = workshop.made.iter().map(|twin| twin.term).filter(is_condition).collect();
        let mut chain = switches()[switch].build().unwrap();
        walk(&mut chain, &mut workshop.terms, &conditions[conditions.len().saturating_sub(8)..]);
    }

    #[test]
    fn no_layer_changes_an_answer_about_floats(
        seeds in prop::collection::vec(edge_number(), 40), steps in steps(16),
    ) {
        let mut workshop = build(&[Sort::Single, Sort::Bits(32)], &seeds, &steps);
        let is_condition = |term: &Term| workshop.terms.sort(*term) == Sort::Bool && workshop.terms.constant(*term).is_none();
        let conditions: Vec<Term> = workshop.made.iter().map(|twin| twin.term).filter(is_condition).take(2).collect();
        let mut chain = switches()[3].build().unwrap();
        walk(&mut chain, &mut workshop.terms, &conditions);
    }
}

/// Explores all paths through branches on one input after the other, like a program that examines
/// each of its arguments.
fn explore(chain: &mut Chain, terms: &mut Terms, path: &mut Vec<Term>, branches: &[Term]) -> u64 {
    let [first, rest @ ..] = branches else { return 1 };
    let mut paths = 0;
    for branch in [*first, terms.not(*first)] {
        path.push(branch);
        if matches!(chain.solve(terms, path), Answer::Satisfiable(_)) {
            paths += explore(chain, terms, path, rest);
        }
        path.pop();
    }
    paths
}

fn explored(config: &Config) -> Statistics {
    let mut terms = Terms::new();
    let branches: Vec<Term> = (0..6)
        .map(|limit| {
            let (symbol, limit) = (terms.symbol("argument", Sort::Bits(8)), terms.bits(8, limit));
            let square = terms.mul(symbol, symbol);
            terms.slt(square, limit)
        })
        .collect();
    let mut chain = config.build().unwrap();
    assert_eq!(explore(&mut chain, &mut terms, &mut Vec::new(), &branches), 64);
    chain.statistics()
}

#[test]
fn every_layer_saves_the_solver_questions() {
    let asked = |config: &Config| explored(config).layer("solver").unwrap().queries;
    let plain = asked(&Config::plain());
    assert_eq!(plain, 126);
    let cached = asked(&Config { cache: true, ..Config::plain() });
    assert!(cached < plain, "{cached} of {plain}");
    let apart = Config { cache: true, independence: true, ..Config::plain() };
    assert!(asked(&apart) <= 12, "two branches for each of six arguments");
    let statistics = explored(&Config::default());
    let layer = |name| *statistics.layer(name).unwrap();
    assert_eq!(layer("folding").queries, 126);
    assert!(layer("cache").queries > 126, "several parts of a question: {statistics}");
    assert_eq!(layer("cache").queries - layer("cache").answered, layer("solver").queries);
}

#[test]
fn input_that_is_known_asks_no_solver() {
    let mut terms = Terms::new();
    let character = terms.symbol("c", Sort::Bits(16));
    let number = terms.zero_extend(character, 32);
    let (letter, zero, nine) = (terms.int('7' as i32), terms.int('0' as i32), terms.int('9' as i32));
    let digit = terms.sub(number, zero);
    let seven = terms.int(7);
    let path =
        [terms.equals(number, letter), terms.sle(zero, number), terms.sle(number, nine), terms.equals(digit, seven)];
    let mut chain = Config::default().build().unwrap();
    let expected = [(character, Constant::bits(16, '7' as u64))].into_iter().collect();
    assert_eq!(chain.solve(&mut terms, &path), Answer::Satisfiable(expected));
    assert_eq!(chain.statistics().layer("solver").unwrap().queries, 0);
}

/// KLEE's example: `i < 10, i = 10` is a contradiction, and stays one with `j = 8`. The values for
/// `i < 10, j = 8` satisfy `i < 10` and often `i < 10, j = 8, i != 3`.
#[test]
fn the_counter_example_cache_answers_as_klee_s_does() {
    let mut terms = Terms::new();
    let [i, j, k] = ["i", "j", "k"].map(|name| terms.symbol(name, Sort::Bits(32)));
    let (product, ten, eight, three) = (terms.mul(i, k), terms.int(10), terms.int(8), terms.int(3));
    let (small, is_ten, is_eight) = (terms.slt(product, ten), terms.equals(product, ten), terms.equals(j, eight));
    let is_three = terms.equals(i, three);
    let other = terms.not(is_three);
    let mut chain = Config { cache: true, ..Config::plain() }.build().unwrap();
    let asked = |chain: &Chain| chain.statistics().layer("solver").unwrap().queries;
    assert_eq!(chain.solve(&mut terms, &[small, is_ten]), Answer::Unsatisfiable);
    assert_eq!(chain.solve(&mut terms, &[small, is_ten, is_eight]), Answer::Unsatisfiable);
    assert_eq!(asked(&chain), 1);
    assert!(matches!(chain.solve(&mut terms, &[small, is_eight]), Answer::Satisfiable(_)));
    assert!(matches!(chain.solve(&mut terms, &[small]), Answer::Satisfiable(_)));
    assert_eq!(asked(&chain), 2);
    chain.solve(&mut terms, &[small, is_eight, other]);
    assert!(asked(&chain) <= 3);
}

struct Squares;

impl Functions for Squares {
    fn call(&self, name: &str, arguments: &[Constant], _: Sort) -> Option<Constant> {
        let value = arguments.first()?.signed();
        (name == "square").then(|| Constant::bits(32, (value as i32).wrapping_mul(value as i32) as u64))
    }
}

#[test]
fn true_values_of_functions_are_respected() {
    let mut terms = Terms::new();
    let x = terms.symbol("x", Sort::Bits(32));
    let square = terms.apply("square", &[x], Sort::Bits(32));
    let (one, four) = (terms.int(1), terms.int(4));
    let (above, below) = (terms.slt(one, x), terms.slt(x, four));
    let (nine, ten) = (terms.int(9), terms.int(10));
    let (is_nine, is_ten) = (terms.equals(square, nine), terms.equals(square, ten));
    let mut chain = Config { functions: Arc::new(Squares), ..Config::default() }.build().unwrap();
    let Answer::Satisfiable(found) = chain.solve(&mut terms, &[above, below, is_nine]) else {
        panic!("3 is such a number")
    };
    assert_eq!(found.get(x), Some(Constant::bits(32, 3)));
    assert_eq!(chain.solve(&mut terms, &[above, below, is_ten]), Answer::Unsatisfiable);
}
