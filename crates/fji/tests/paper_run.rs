//! The run of Generalized Binary Reduction that the paper shows (section 4.5, appendix B.2.1).

use lapidary_fji::FjiModel;
use lapidary_logic::{CountLimit, Reasoner, Var, VarSet, count};
use lapidary_reduce::strategy::Gbr;
use lapidary_reduce::{Model, Oracle, Space, Stop, Strategy, requiring};

const FIGURE_1: &str = include_str!("figure1.fji");

struct Example {
    model: FjiModel,
    reasoner: Reasoner,
}

impl Example {
    fn new() -> Self {
        let model = FjiModel::parse("figure1.fji", FIGURE_1).unwrap();
        let constraint = requiring(model.constraint(), model.items(), |item, _| item.label == "M.main()!code");
        Example { reasoner: Reasoner::new(&constraint), model }
    }

    fn labels(&self, vars: impl IntoIterator<Item = Var>) -> Vec<&str> {
        vars.into_iter().map(|var| self.model.items()[var.index()].label.as_str()).collect()
    }

    fn progression(&self, learned: &[&str]) -> Vec<Vec<&str>> {
        let var = |label| Var::new(self.model.items().iter().position(|item| item.label == label).unwrap());
        let learned: Vec<_> = learned.iter().map(|&label| vec![var(label)]).collect();
        let progression = self.reasoner.progression(&learned, &VarSet::full(20));
        (0..progression.len()).map(|index| self.sorted(progression.set(index).iter().copied())).collect()
    }

    fn sorted(&self, vars: impl IntoIterator<Item = Var>) -> Vec<&str> {
        let mut labels = self.labels(vars);
        labels.sort_unstable();
        labels
    }
}

#[test]
fn the_library_counts_the_solutions_of_the_paper() {
    let example = Example::new();
    let limit = CountLimit::default();
    assert_eq!(count(example.model.constraint(), &limit).unwrap(), 6_766_u32.into());
    assert_eq!(count(example.reasoner.cnf(), &limit).unwrap(), 543_u32.into());
}

/// The paper has the last two in reverse order: its search happened to go from `A` to
/// `M.main()!code` first, whereas ours visits neighbours in ascending order.
#[test]
fn the_variable_order_is_that_of_appendix_b_up_to_one_tie() {
    let example = Example::new();
    let order = example.labels(example.reasoner.order().sequence().iter().copied());
    #[rustfmt::skip]
    let expected = [
        "M", "M.main()", "I", "M.x()", "B", "B.n()", "B.n()!code", "B.m()", "B<I", "B.m()!code", "A", "A.n()", "I.n()",
        "A.n()!code", "A.m()", "I.m()", "M.x()!code", "A<I", "M.main()!code", "A.m()!code",
    ];
    assert_eq!(order, expected);
}

#[test]
fn the_first_two_progressions_are_those_of_section_4_5() {
    let example = Example::new();
    let first = ["A", "A<I", "I", "M", "M.main()", "M.main()!code", "M.x()"];
    let then = ["B", "B.n()", "B.n()!code", "B.m()", "B<I", "B.m()!code", "A.n()", "I.n()", "A.n()!code"];
    let mut expected: Vec<Vec<&str>> = vec![first.to_vec()];
    expected.extend(then.iter().chain(&["A.m()", "I.m()", "M.x()!code", "A.m()!code"]).map(|&label| vec![label]));
    assert_eq!(example.progression(&[]), expected);
    let mut expected = vec![vec!["A", "A.m()", "A.m()!code", "A<I", "I", "M", "M.main()", "M.main()!code", "M.x()"]];
    expected.extend(then.iter().chain(&["I.m()", "M.x()!code"]).map(|&label| vec![label]));
    assert_eq!(example.progression(&["A.m()!code"]), expected);
}

/// The paper counts 11 tests because it tests the whole progression at the end of each of its two
/// searches, although that is known to be interesting.
#[test]
fn generalized_binary_reduction_finds_figure_1b_in_nine_tests() {
    let example = Example::new();
    let space = Space::new(example.model.items(), &example.reasoner, VarSet::full(20));
    let mut bug = Bug { example: &example, tests: 0 };
    let result = Gbr::default().reduce(&space, &mut bug).unwrap();
    #[rustfmt::skip]
    let expected = [
        "A", "A.m()", "A.m()!code", "A<I", "I", "I.m()", "M", "M.main()", "M.main()!code", "M.x()", "M.x()!code",
    ];
    assert_eq!((example.sorted(result.iter()), bug.tests), (expected.to_vec(), 9));
}

/// A tool that fails if three bodies are present.
struct Bug<'a> {
    example: &'a Example,
    tests: u32,
}

impl Oracle for Bug<'_> {
    fn test(&mut self, keep: &VarSet) -> Result<bool, Stop> {
        self.tests += 1;
        let labels = self.example.labels(keep.iter());
        Ok(["M.main()!code", "M.x()!code", "A.m()!code"].iter().all(|body| labels.contains(body)))
    }
}
