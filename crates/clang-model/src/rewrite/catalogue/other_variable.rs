//! Merges two variables: each use of a variable becomes a use of another one of its type that is
//! visible there. The declaration is removed; a parameter is removed with its arguments.

use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use crate::rewrite::program::Variable;
use lapidary_clang::{Kind, NodeId};

pub(crate) const KIND: &str = "other variable";

/// The maximum number of other variables to try for a variable.
const MOST_OTHERS: usize = 4;

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let variables = program.variables();
    variables.iter().flat_map(|variable| for_one(program, variable, &variables)).collect()
}

fn for_one(program: &Program<'_>, variable: &Variable, all: &[Variable]) -> Vec<Opportunity> {
    let Some((uses, gone)) = uses(program, variable).zip(program.without_variable(variable.id)) else {
        return Vec::new();
    };
    let is_other = |other: &&Variable| {
        other.entity != variable.entity && program.are_of_one_type(variable.id, other.id) && sees(program, other, uses)
    };
    let others = all.iter().rev().filter(is_other).take(MOST_OTHERS);
    others.map(|other| replaced(program, variable, other, uses, &gone)).collect()
}

/// Returns the uses of a variable, if there are any and all can be edited.
fn uses<'p>(program: &'p Program<'_>, variable: &Variable) -> Option<&'p [NodeId]> {
    let uses = program.editable_uses(variable.entity).filter(|uses| !uses.is_empty())?;
    uses.iter().all(|id| program.kind(*id) == Kind::Name).then_some(uses)
}

fn sees(program: &Program<'_>, other: &Variable, uses: &[NodeId]) -> bool {
    uses.iter().all(|usage| program.is_seen_at(other, *usage))
}

fn replaced(
    program: &Program<'_>,
    variable: &Variable,
    other: &Variable,
    uses: &[NodeId],
    gone: &[Edit],
) -> Opportunity {
    let name = program.name(other.entity);
    let edits = uses.iter().map(|id| program.replace(*id, name)).chain(gone.iter().cloned()).collect();
    program.opportunity(KIND, variable.id, &format!("write `{name}` for"), edits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::check_c;

    #[test]
    fn parameters_go_with_their_arguments() {
        check_c(
            opportunities,
            &[
                (
                    "int g(); void f(char *h, char *e) { g(h, e); }",
                    &["int g(); void f(char *e) { g(e, e); }", "int g(); void f(char *h) { g(h, h); }"],
                ),
                (
                    "int g(int, long, int); int f(void) { return g(1, 2, 3); } int g(int a, long l, int b) { return b; }",
                    &["int g(int, long); int f(void) { return g(1, 2); } int g(int a, long l) { return a; }"],
                ),
            ],
        );
    }

    #[test]
    fn locals_and_globals_go() {
        check_c(
            opportunities,
            &[
                ("int f(int a) { int x = 3; return x; }", &["int f(int a) { return a; }"]),
                ("int x, *p, y; int f(void) { return y; }", &["int x, *p; int f(void) { return x; }"]),
                ("int x, *p, y; int f(void) { return x; }", &["int *p, y; int f(void) { return y; }"]),
            ],
        );
    }

    #[test]
    fn only_where_the_other_is_seen() {
        check_c(
            opportunities,
            &[
                ("int f(void) { int x; x = 1; { int y; } return x; }", &[]),
                ("int x; int f(void) { return x; } int y;", &[]),
                ("int x; int f(char y) { return y; }", &[]),
                ("int x, y; int f(void) { char y; return x; }", &[]),
                ("int f(int a, int b) { return b; } int (*p)(int, int) = f;", &[]),
                ("int main(int a) { int x; return a; }", &[]),
            ],
        );
    }
}
