//! The running example of PLDI 2021 as printed there: figures 1 and 2, section 4.5, appendix B.

use lapidary_logic::{Cnf, CountLimit, Graph, Progression, Reasoner, Var, VarSet, VariableOrder, count};

/// The items in source order: a class, its methods, each with its code, then the interfaces it
/// implements.
const ITEMS: [&str; 20] = [
    "A",
    "A.m()",
    "A.m()!code",
    "A.n()",
    "A.n()!code",
    "A<I",
    "B",
    "B.m()",
    "B.m()!code",
    "B.n()",
    "B.n()!code",
    "B<I",
    "I",
    "I.m()",
    "I.n()",
    "M",
    "M.x()",
    "M.x()!code",
    "M.main()",
    "M.main()!code",
];

const EDGES: [(&str, &str); 28] = [
    ("A.n()!code", "A.n()"),
    ("A.n()", "A"),
    ("A.m()!code", "A.m()"),
    ("A.m()", "A"),
    ("B.n()!code", "B.n()"),
    ("B.n()", "B"),
    ("B.m()!code", "B.m()"),
    ("B.m()", "B"),
    ("A<I", "A"),
    ("B<I", "B"),
    ("I.m()", "I"),
    ("I.n()", "I"),
    ("M.x()!code", "M.x()"),
    ("M.x()", "M"),
    ("M.main()!code", "M.main()"),
    ("M.main()", "M"),
    ("A<I", "I"),
    ("B<I", "I"),
    ("A.n()", "B"),
    ("B.n()", "B"),
    ("I.n()", "B"),
    ("M.x()", "I"),
    ("M.x()!code", "I.m()"),
    ("M.x()!code", "I"),
    ("M.main()!code", "M.x()"),
    ("M.main()!code", "A"),
    ("M.main()!code", "M"),
    ("M.main()!code", "A<I"),
];

const BEYOND_GRAPHS: [(&str, &str, &str); 4] =
    [("A<I", "I.m()", "A.m()"), ("A<I", "I.n()", "A.n()"), ("B<I", "I.m()", "B.m()"), ("B<I", "I.n()", "B.n()")];

const D0: [&str; 7] = ["A", "A<I", "I", "M", "M.x()", "M.main()", "M.main()!code"];

/// The variable order of appendix B.2.1.
const ORDER: [&str; 20] = [
    "M",
    "M.main()",
    "I",
    "M.x()",
    "B",
    "B.n()",
    "B.n()!code",
    "B.m()",
    "B<I",
    "B.m()!code",
    "A",
    "A.n()",
    "I.n()",
    "A.n()!code",
    "A.m()",
    "I.m()",
    "M.x()!code",
    "A<I",
    "A.m()!code",
    "M.main()!code",
];

fn v(label: &str) -> Var {
    Var::new(ITEMS.iter().position(|&item| item == label).expect("an item of the example"))
}

fn set(labels: &[&str]) -> VarSet {
    VarSet::of(ITEMS.len(), labels.iter().map(|label| v(label)))
}

/// Figure 2 without its last clause.
fn generated() -> Cnf {
    let mut cnf = Cnf::new(ITEMS.len());
    for (premise, conclusion) in EDGES {
        cnf.imply(v(premise), v(conclusion));
    }
    for (implements, signature, method) in BEYOND_GRAPHS {
        cnf.add(&[v(implements), v(signature)], &[v(method)]).unwrap();
    }
    cnf.without_duplicates()
}

fn with_main() -> Cnf {
    let mut cnf = generated();
    cnf.require(v("M.main()!code"));
    cnf
}

fn solutions(cnf: &Cnf) -> u32 {
    count(cnf, &CountLimit::default()).unwrap().try_into().unwrap()
}

fn assert_singletons(progression: &Progression, expected: &[&str]) {
    let found: Vec<_> = progression.iter().skip(1).map(<[Var]>::to_vec).collect();
    let expected: Vec<_> = expected.iter().map(|label| vec![v(label)]).collect();
    assert_eq!(found, expected);
}

#[test]
fn the_formula_has_as_many_solutions_as_the_paper_says() {
    assert_eq!(generated().len(), 31);
    assert_eq!(solutions(&generated()), 6766);
    assert_eq!(solutions(&with_main()), 543);
}

#[test]
fn the_order_is_the_papers_up_to_one_tie() {
    let mut expected: Vec<_> = ORDER.iter().map(|label| v(label)).collect();
    expected.swap(18, 19);
    assert_eq!(VariableOrder::of(&with_main()).sequence(), expected);
}

#[test]
fn the_first_progression_is_the_papers() {
    let progression = Reasoner::new(&with_main()).progression(&[], &VarSet::full(20));
    assert_eq!(progression.prefix(0), set(&D0));
    let rest: Vec<_> = ORDER.into_iter().filter(|label| !D0.contains(label)).collect();
    assert_eq!(rest.len(), 13);
    assert_singletons(&progression, &rest);
}

#[test]
fn learning_leads_to_the_papers_progressions_and_result() {
    let reasoner = Reasoner::new(&with_main());
    let mut learned = vec![vec![v("A.m()!code")]];
    let second = reasoner.progression(&learned, &VarSet::full(20));
    let second_d0 = [&D0[..], &["A.m()!code", "A.m()"]].concat();
    assert_eq!(second.prefix(0), set(&second_d0));
    let rest: Vec<_> = ORDER.into_iter().filter(|label| !second_d0.contains(label)).collect();
    assert_singletons(&second, &rest);
    assert_eq!(second.len(), 12);

    learned.push(second.set(11).to_vec());
    assert_eq!(learned[1], [v("M.x()!code")]);
    let third = reasoner.progression(&learned, &second.prefix(11));
    let figure_1b = [&second_d0[..], &["M.x()!code", "I.m()"]].concat();
    assert_eq!(figure_1b.len(), 11);
    assert_eq!(third.prefix(0), set(&figure_1b));
}

/// Section 4.3: if the first premise is picked, keeping `A<I` and `A.n()` also keeps `B`.
#[test]
fn the_lossy_encoding_keeps_too_much() {
    let mut first_premise = Cnf::new(ITEMS.len());
    for clause in with_main().clauses() {
        let implements = clause.premises.iter().find(|premise| ITEMS[premise.index()].contains('<'));
        let premise = if clause.premises.len() > 1 { implements } else { clause.premises.first() };
        first_premise.add(premise.map(std::slice::from_ref).unwrap_or_default(), clause.conclusions).unwrap();
    }
    let smallest = Graph::of(&first_premise).closure(&set(&[]));
    assert!(smallest.contains(v("B")) && smallest.contains(v("A.m()")));
    assert!(with_main().is_satisfied_by(&smallest));
}
