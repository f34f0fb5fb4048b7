//! The example of the paper: figure 1's program, figure 2's variables and clauses.

use lapidary_fji::{parse, type_check};
use lapidary_logic::{Cnf, Var, VarSet};
use lapidary_reduce::Item;

const FIGURE_1: &str = include_str!("../../../examples/fji/figure1.fji");

fn label_clauses(items: &[Item], constraint: &Cnf) -> Vec<String> {
    let names = |vars: &[Var], separator: &str| {
        let mut names: Vec<_> = vars.iter().map(|var| items[var.index()].label.as_str()).collect();
        names.sort_unstable();
        names.join(separator)
    };
    let mut clauses: Vec<_> = constraint
        .clauses()
        .map(|clause| format!("{} => {}", names(clause.premises, " & "), names(clause.conclusions, " | ")))
        .collect();
    clauses.sort_unstable();
    clauses
}

#[test]
fn the_constraint_is_that_of_figure_2() {
    let (numbering, constraint) = type_check(&parse(FIGURE_1).unwrap()).unwrap();
    assert_eq!(numbering.items.len(), 20);
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
    assert_eq!(label_clauses(&numbering.items, &constraint), expected);
    assert!(constraint.is_satisfied_by(&VarSet::full(20)));
}
