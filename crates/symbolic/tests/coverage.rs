//! The lines and branches that an exploration reports as run.

use crate::support;

use lapidary_symbolic::{ExplorationBudget, Share, State, explore, search};
use support::Program;

#[test]
fn lines_and_branches_that_no_input_reaches_are_missed() {
    let program = Program::compiled("Coverage");
    let mut machine = program.machine();
    let method = program.method(&mut machine, "grade");
    let entry = machine.entry(&method).unwrap();
    let mut state = State::new();
    machine.start(&mut state, &entry, &[]);
    let mut search = search::named("coverage", 1).unwrap();
    let explored = explore(&mut machine, state, &mut *search, &ExplorationBudget::default(), &mut |_| {});
    assert!(explored.exhausted);
    let covered = machine.covered();
    assert_eq!(covered.methods, 1, "the entry, and neither what is never called nor what was made for it");
    assert_eq!(covered.lines, Share { reached: 7, total: 9 });
    assert_eq!(covered.branches, Share { reached: 5, total: 7 });
    let missed: Vec<String> = covered.missed.iter().map(ToString::to_string).collect();
    assert_eq!(missed, ["Coverage.java:9,15"]);
    assert_eq!(covered.ran.iter().map(|ran| ran.lines.len()).collect::<Vec<_>>(), [7]);
    let each: Vec<_> = covered.each.iter().map(|method| (method.name.as_str(), method.lines)).collect();
    assert_eq!(each, [("Coverage.grade", covered.lines)]);
}
