//! Tests of examples/model: the engine with the example's own test finds the result in the README,
//! and never shows a broken installation to the test.

use lapidary_json_model::JsonModel;
use lapidary_logic::{Var, VarSet};
use lapidary_reduce::strategy::named;
use lapidary_reduce::{
    Cancel, FileTree, Judgment, Limits, Model, Plan, Predicate, PredicateError, Session, Source, Stage, Verdict, run,
};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/model").join(name)
}

fn model() -> JsonModel {
    JsonModel::read(&example("packages.json")).unwrap()
}

/// Runs `conflict-test` and records its exit codes.
#[derive(Default)]
struct ConflictTest {
    codes: Mutex<Vec<i32>>,
}

impl Predicate for ConflictTest {
    fn judge(&self, candidate: &FileTree, _: &Cancel) -> Result<Judgment, PredicateError> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(candidate.name());
        fs::write(&path, text(candidate)).unwrap();
        let code = Command::new(example("conflict-test")).arg(&path).status().unwrap().code().unwrap();
        self.codes.lock().unwrap().push(code);
        let verdict = if code == 0 { Verdict::Interesting } else { Verdict::Uninteresting };
        Ok(Judgment::new(verdict, format!("exit code {code}")))
    }
}

fn text(candidate: &FileTree) -> String {
    String::from_utf8(candidate.only_file().expect("it is one file").to_vec()).unwrap()
}

fn packages(candidate: &FileTree) -> Vec<String> {
    text(candidate).lines().filter_map(|line| line.strip_prefix("Package: ")).map(str::to_owned).collect()
}

/// The cheapest valid sets of items with the two conflicting packages, by exhaustive search.
fn smallest_by_brute_force(model: &JsonModel) -> Vec<Vec<String>> {
    let count = model.items().len();
    assert_eq!(model.constraint().variables(), count, "there are no auxiliary variables");
    let bits = |vars: &[Var]| vars.iter().fold(0u64, |set, var| set | 1 << var.index());
    let clauses: Vec<(u64, u64)> =
        model.constraint().clauses().map(|clause| (bits(clause.premises), bits(clause.conclusions))).collect();
    let position = |label: &str| model.items().iter().position(|item| item.label == label).unwrap();
    let needed = ["browser", "printd", "base"].map(position).iter().fold(0u64, |set, index| set | 1 << index);
    let free = !needed & ((1 << count) - 1);
    let valid = |set: u64| clauses.iter().all(|(premises, conclusions)| premises & !set != 0 || conclusions & set != 0);
    let cost =
        |set: u64| (0..count).filter(|index| set >> index & 1 == 1).map(|index| model.items()[index].cost).sum::<u64>();
    let mut best = (u64::MAX, Vec::new());
    let mut rest = free;
    loop {
        let set = rest | needed;
        if valid(set) {
            match cost(set) {
                less if less < best.0 => best = (less, vec![set]),
                same if same == best.0 => best.1.push(set),
                _ => {}
            }
        }
        if rest == 0 {
            break;
        }
        rest = (rest - 1) & free;
    }
    let labels = |set: &u64| {
        let kept = (0..count).filter(|index| set >> index & 1 == 1);
        kept.map(|index| model.items()[index].label.clone()).collect()
    };
    best.1.iter().map(labels).collect()
}

/// A line of the README that lists packages.
fn listed(start: &str) -> Vec<String> {
    let readme = fs::read_to_string(example("README.md")).unwrap();
    let list = readme.lines().find_map(|line| line.strip_prefix(start)).expect("the README shows the result");
    list.split(", ").map(str::to_owned).collect()
}

#[test]
fn the_conflict_of_the_readme_is_found_without_a_broken_candidate() {
    let model = model();
    let input = model.render(&VarSet::full(model.constraint().variables())).unwrap();
    let predicate = ConflictTest::default();
    let strategy = named("gbr+polish").unwrap();
    let stage = Stage { name: "model".into(), source: Source::Fixed(&model), strategy, steered: false };
    let plan = Plan { stages: vec![stage], ..Plan::default() };
    let mut observer = ();
    let mut session = Session::new(input, &predicate, Limits { jobs: 1, ..Limits::default() }, &mut observer);
    let outcome = run(&mut session, &plan);
    assert_eq!(outcome.stop, None);
    assert!(model.constraint().is_satisfied_by(&outcome.kept.unwrap()));
    assert_eq!(packages(session.best()), listed("    left:     "));
    let codes = predicate.codes.lock().unwrap();
    assert!(codes.contains(&0) && codes.contains(&1) && !codes.contains(&2), "exit codes {codes:?}");
}

#[test]
fn the_smallest_conflict_of_all_is_the_one_in_the_readme() {
    assert_eq!(smallest_by_brute_force(&model()), [listed("    smallest: ")]);
}

#[test]
fn the_test_tells_broken_installations() {
    let judge = |text: &str| {
        let predicate = ConflictTest::default();
        predicate.judge(&FileTree::file("installed", text), &Cancel::default()).unwrap();
        predicate.codes.into_inner().unwrap()[0]
    };
    assert_eq!(judge("Package: a\nDepends: b | c, d\n\nPackage: c\n\nPackage: d\n"), 1);
    assert_eq!(judge("Package: a\nDepends: b | c, d\n\nPackage: c\n"), 2);
    assert_eq!(judge("Package: a\nWith d: b | c\n\nPackage: e\n"), 1);
    assert_eq!(judge("Package: a\nWith d: b | c\n\nPackage: d\n"), 2);
    assert_eq!(judge("Package: browser\n\nPackage: printd\n"), 0);
}
