//! Tests on the example of the paper: figure 1's program, figure 2's variables and clauses, theorem
//! 3.1 by enumeration.

use lapidary_fji::{FjiModel, check, parse, reduce, type_check};
use lapidary_logic::{Cnf, Var, VarSet};
use lapidary_reduce::{Item, Model};
use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

const FIGURE_1: &str = include_str!("figure1.fji");
const FIGURE_1B: [&str; 11] =
    ["A<I", "A.m()", "A.m()!code", "A", "I.m()", "I", "M.x()!code", "M.x()", "M.main()!code", "M.main()", "M"];

fn figure_1() -> FjiModel {
    FjiModel::parse("figure1.fji", FIGURE_1).unwrap()
}

#[test]
fn the_constraint_is_that_of_figure_2() {
    let model = figure_1();
    assert_eq!(model.items().len(), 20);
    #[rustfmt::skip]
    let expected = [
        // Syntactic dependencies.
        "A.n()!code => A.n()", "A.n() => A", "A.m()!code => A.m()", "A.m() => A",
        "B.n()!code => B.n()", "B.n() => B", "B.m()!code => B.m()", "B.m() => B",
        "A<I => A", "B<I => B", "I.m() => I", "I.n() => I",
        "M.x()!code => M.x()", "M.x() => M", "M.main()!code => M.main()", "M.main() => M",
        // Referential semantic dependencies; `B.n() => B` is the duplicate.
        "A<I => I", "B<I => I", "A.n() => B",
        "I.n() => B", "M.x() => I", "M.x()!code => I.m()", "M.x()!code => I",
        "M.main()!code => M.x()", "M.main()!code => A", "M.main()!code => M",
        // Non-referential semantic dependencies, without the required `M.main()!code`.
        "A<I & I.m() => A.m()", "A<I & I.n() => A.n()",
        "B<I & I.m() => B.m()", "B<I & I.n() => B.n()",
        "M.main()!code => A<I",
    ];
    let mut expected = expected.map(str::to_owned).to_vec();
    expected.sort_unstable();
    assert_eq!(expected.len(), 31);
    assert_eq!(clauses_in_words(&model), expected);
}

#[test]
fn there_are_6766_solutions_and_543_with_main() {
    let model = figure_1();
    let clauses = masks(model.constraint());
    let main = 1 << var(&model, "M.main()!code").index();
    let solutions: Vec<u32> = (0..1 << 20).filter(|&bits| satisfies(&clauses, bits)).collect();
    assert_eq!(solutions.len(), 6_766);
    assert_eq!(solutions.iter().filter(|&bits| bits & main != 0).count(), 543);
}

/// Theorem 3.1 for the example, and its converse.
///
/// The converse cannot hold as it stands: items kept inside a removed one change nothing in the
/// program. Therefore 348,766 of the 1,048,576 assignments make a program that type checks, while
/// only 6,766 are solutions. Among the assignments that make one program, we call the one that
/// describes it exactly *canonical*: nothing inside a removed item, no code without its method.
/// There are 18,050 different programs, 6,766 of them type check, and these are the solutions:
/// among canonical assignments the converse holds in this example.
#[test]
fn an_assignment_is_a_solution_exactly_if_its_program_type_checks() {
    let model = figure_1();
    let clauses = masks(model.constraint());
    let mut verdicts: HashMap<u32, bool> = HashMap::new();
    let (mut solutions, mut accepted) = (0, 0);
    for bits in 0..1 << 20 {
        let canonical = canonical(&model, bits);
        let type_checks = *verdicts.entry(canonical).or_insert_with(|| type_checks(&model, canonical));
        if satisfies(&clauses, bits) {
            assert!(type_checks, "theorem 3.1 fails for {}", model.text(&set(bits)));
            assert_eq!(bits, canonical);
            solutions += 1;
        }
        accepted += u32::from(type_checks);
    }
    let programs = verdicts.len();
    let valid_programs = verdicts.values().filter(|&&valid| valid).count();
    assert_eq!((programs, valid_programs), (18_050, 6_766));
    assert_eq!((solutions, accepted), (6_766, 348_766));
}

#[test]
fn candidates_read_again_are_the_reduced_programs() {
    let model = figure_1();
    let clauses = masks(model.constraint());
    for bits in (0..1 << 20).filter(|&bits| satisfies(&clauses, bits)) {
        let keep = set(bits);
        let text = model.text(&keep);
        assert_eq!(parse(&text).unwrap(), reduce(model.program(), model.numbering(), &keep), "{text}");
    }
}

#[test]
fn the_full_set_is_the_input_and_costs_its_bytes() {
    let model = figure_1();
    let tree = model.render(&VarSet::full(20)).unwrap();
    let content = tree.only_file().expect("a program is one file");
    assert_eq!((tree.name(), &content[..]), ("figure1.fji", FIGURE_1.as_bytes()));
    let outside_of_items = model.text(&VarSet::empty(20)).len() as u64;
    let cost: u64 = model.items().iter().map(|item| item.cost).sum();
    assert_eq!(cost + outside_of_items, FIGURE_1.len() as u64);
}

#[test]
fn figure_1b_keeps_layout_and_comments_of_what_stays() {
    let model = figure_1();
    let keep = VarSet::of(20, FIGURE_1B.map(|label| var(&model, label)));
    assert!(model.constraint().is_satisfied_by(&keep));
    let text = model.text(&keep);
    check(&text).unwrap();
    let expected = "\
class A implements I {
    String m() { ... /* bug */ }
}

interface I {
    String m();
}

class M {
    String x(I a) { return a.m(); /* bug */ }
    String main() { return new M().x(new A()); /* bug */ }
}
";
    assert!(text.ends_with(expected), "{text}");
}

#[test]
fn the_bundled_test_wants_the_three_bodies() {
    let model = figure_1();
    let directory = std::env::temp_dir().join(format!("lapidary-fji-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let clauses = masks(model.constraint());
    let bodies = ["M.main()!code", "M.x()!code", "A.m()!code"].map(|label| var(&model, label));
    let interesting = |keep: &VarSet| bodies.iter().all(|&body| keep.contains(body));
    let solutions: Vec<VarSet> = (0..1 << 20).filter(|&bits| satisfies(&clauses, bits)).map(set).collect();
    let some_bodies = solutions.iter().filter(|keep| bodies.iter().any(|&body| keep.contains(body)));
    let sample: Vec<&VarSet> = some_bodies.step_by(37).chain(solutions.last()).collect();
    for keep in &sample {
        let path = directory.join("figure1.fji");
        std::fs::write(&path, model.text(keep)).unwrap();
        assert_eq!(run_bundled_test(&path), interesting(keep), "{}", model.text(keep));
        std::fs::write(&path, reduce(model.program(), model.numbering(), keep).to_string()).unwrap();
        assert_eq!(run_bundled_test(&path), interesting(keep), "{}", model.text(keep));
    }
    assert!(sample.iter().any(|keep| interesting(keep)) && sample.iter().any(|keep| !interesting(keep)));
    std::fs::remove_dir_all(&directory).unwrap();
}

fn run_bundled_test(candidate: &Path) -> bool {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/fji/figure1-test");
    Command::new(script).arg(candidate).status().unwrap().success()
}

fn clauses_in_words(model: &FjiModel) -> Vec<String> {
    let label = |var: &Var| model.items()[var.index()].label.clone();
    let names = |vars: &[Var], separator: &str| {
        let mut names: Vec<_> = vars.iter().map(label).collect();
        names.sort_unstable();
        names.join(separator)
    };
    let in_words = |(premises, conclusions): (&[Var], &[Var])| {
        format!("{} => {}", names(premises, " & "), names(conclusions, " | "))
    };
    let mut words: Vec<_> =
        model.constraint().clauses().map(|clause| in_words((clause.premises, clause.conclusions))).collect();
    words.sort_unstable();
    words
}

fn var(model: &FjiModel, label: &str) -> Var {
    Var::new(model.items().iter().position(|item: &Item| item.label == label).unwrap())
}

/// An assignment as bits: bit n is variable n.
fn set(bits: u32) -> VarSet {
    VarSet::of(20, (0..20).filter(|index| bits >> index & 1 == 1).map(Var::new))
}

fn masks(constraint: &Cnf) -> Vec<(u32, u32)> {
    let mask = |vars: &[Var]| vars.iter().fold(0, |mask, var| mask | 1 << var.index());
    constraint.clauses().map(|clause| (mask(clause.premises), mask(clause.conclusions))).collect()
}

fn satisfies(clauses: &[(u32, u32)], bits: u32) -> bool {
    clauses.iter().all(|&(premises, conclusions)| bits & premises != premises || bits & conclusions != 0)
}

fn type_checks(model: &FjiModel, bits: u32) -> bool {
    type_check(&reduce(model.program(), model.numbering(), &set(bits))).is_ok()
}

/// The canonical assignment that makes the same program.
fn canonical(model: &FjiModel, mut bits: u32) -> u32 {
    for vars in &model.numbering().declarations {
        let mut inside = vars.implements.map_or(0, |implements| 1 << implements.index());
        for member in &vars.members {
            let code = member.code.map_or(0, |code| 1 << code.index());
            if bits & code != 0 {
                bits |= 1 << member.member.index();
            }
            inside |= 1 << member.member.index() | code;
        }
        if bits >> vars.declaration.index() & 1 == 0 {
            bits &= !inside;
        }
    }
    bits
}
