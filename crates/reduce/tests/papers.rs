//! The example runs printed in FSE 2019, figures 1 to 7.

use lapidary_logic::{Cnf, Reasoner, VarSet};
use lapidary_reduce::strategy::{Binary, Closure, Cost, Ddmin, Verify};
use lapidary_reduce::{Item, Space, Strategy};
use lapidary_testkit::{Recorder, graph, set_of};

const CLASSES: usize = 17;

/// Figure 2, as far as the closures S1…S8 of section 3 determine it.
fn figure_2() -> Cnf {
    let mut edges =
        vec![(4, 7), (1, 2), (2, 1), (1, 4), (3, 1), (5, 6), (6, 5), (5, 3), (15, 16), (16, 15), (15, 8), (8, 7)];
    edges.extend((8..14).map(|class| (class, class + 1)));
    edges.push((14, 8));
    graph(CLASSES, &edges)
}

fn closure_named(number: usize) -> VarSet {
    let classes: Vec<usize> = match number {
        1 => (7..=16).collect(),
        2 => (7..=14).collect(),
        3 => (1..=7).collect(),
        4 => vec![1, 2, 3, 4, 7],
        5 => vec![1, 2, 4, 7],
        6 => vec![4, 7],
        7 => vec![7],
        _ => vec![0],
    };
    set_of(CLASSES, &classes)
}

fn union(closures: &[usize]) -> VarSet {
    closures.iter().fold(VarSet::empty(CLASSES), |union, &number| union.union(&closure_named(number)))
}

/// Runs a strategy on figure 2, where the failure needs all of `needed`. Returns the result and the
/// tried candidates.
fn run(strategy: &dyn Strategy, needed: &[usize]) -> (VarSet, Vec<VarSet>) {
    let cnf = figure_2();
    let reasoner = Reasoner::new(&cnf);
    let items: Vec<Item> = (0..CLASSES).map(|class| Item::new(class.to_string(), "class")).collect();
    let space = Space::new(&items, &reasoner, VarSet::full(CLASSES));
    let needed = set_of(CLASSES, needed);
    let mut oracle = Recorder::new(|keep: &VarSet| cnf.is_satisfied_by(keep) && needed.is_subset(keep));
    let result = strategy.reduce(&space, &mut oracle).unwrap();
    (result, oracle.asked)
}

#[test]
fn ddmin_goes_through_the_candidates_of_figure_1() {
    let (result, asked) = run(&Ddmin, &[1]);
    assert_eq!(result, set_of(CLASSES, &(1..=14).collect::<Vec<_>>()));
    assert_eq!(asked.len(), 86);
    let (yes, no): (Vec<&VarSet>, Vec<&VarSet>) =
        asked.iter().partition(|keep| keep.len() >= 14 && figure_2().is_satisfied_by(keep));
    assert_eq!(yes.len(), 2);
    assert!(no.iter().all(|keep| !figure_2().is_satisfied_by(keep) || keep.len() == 1));
    assert_eq!(asked[0], set_of(CLASSES, &(0..=8).collect::<Vec<_>>()));
    assert_eq!(asked[9], set_of(CLASSES, &(0..=14).collect::<Vec<_>>()));
}

#[test]
fn verify_runs_the_five_tests_of_figure_3() {
    let (result, asked) = run(&Verify, &[1]);
    let expected: Vec<VarSet> = [(0..=14).collect(), vec![0], vec![7], (1..=14).collect::<Vec<_>>(), vec![7]]
        .iter()
        .map(|classes| set_of(CLASSES, classes))
        .collect();
    assert_eq!(asked, expected);
    assert_eq!(result, expected[3]);
}

#[test]
fn closure_goes_through_the_candidates_of_figure_4() {
    let (result, asked) = run(&Closure, &[1]);
    let expected: Vec<VarSet> =
        [&[7, 8, 6, 5][..], &[7, 8], &[6, 5], &[6], &[5]].iter().map(|closures| union(closures)).collect();
    assert_eq!(asked, expected);
    assert_eq!(result, closure_named(5));
}

#[test]
fn closure_goes_through_the_candidates_of_figure_5() {
    let (result, asked) = run(&Closure, &[1, 12]);
    let rows: [&[usize]; 16] = [
        &[7, 8, 6, 5],
        &[4, 3, 2, 1],
        &[4, 3],
        &[2, 1],
        &[4],
        &[3],
        &[2],
        &[1],
        &[3, 2, 1],
        &[3],
        &[2],
        &[1],
        &[2, 1],
        &[3, 1],
        &[3],
        &[1],
    ];
    assert_eq!(asked, rows.map(union));
    assert_eq!(result, union(&[3, 1]));
}

#[test]
fn binary_finds_the_results_of_figures_6_and_7_in_no_more_tests() {
    let (result, asked) = run(&Binary { cost: Cost::Items }, &[1]);
    assert_eq!(result, closure_named(5));
    assert!(asked.len() <= 6, "{} tests", asked.len());
    let (result, asked) = run(&Binary { cost: Cost::Items }, &[1, 12]);
    assert_eq!(result, union(&[5, 2]));
    assert!(asked.len() <= 9, "{} tests", asked.len());
}
