//! Replaces a computed number by 1. If any number other than 0 will do, nothing needs to compute
//! it.
//!
//! Only whole values are considered: those given to a variable, a parameter or the caller, and
//! those that decide about a branch.

use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{Kind, NodeId};

pub(crate) const KIND: &str = "value to one";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let found = program.nodes().filter(|id| is_computed(program, *id) && is_whole(program, *id));
    found.map(|id| program.opportunity(KIND, id, "write 1 for", vec![program.replace(id, "1")])).collect()
}

/// Returns whether an expression is computed. A variable whose value is used is read by a
/// conversion; without one, it is passed by reference.
fn is_computed(program: &Program<'_>, id: NodeId) -> bool {
    let is_value = match program.kind(id) {
        Kind::Name | Kind::Member | Kind::Subscript => program.outermost(id) != id,
        kind => matches!(kind, Kind::Call | Kind::Binary | Kind::Unary | Kind::Conditional),
    };
    let is_number = program.syntax.type_of(id).is_some_and(|found| found.class.is_arithmetic());
    is_value && is_number && !program.in_macro(id)
}

fn is_whole(program: &Program<'_>, id: NodeId) -> bool {
    let outermost = program.outermost(id);
    let Some(around) = program.context(id) else { return false };
    match program.kind(around) {
        Kind::Return => true,
        Kind::Variable => program.initialiser(around) == Some(outermost),
        Kind::Call => program.call_parts(around).is_some_and(|(_, arguments)| arguments.contains(&outermost)),
        Kind::If => program.branches(around).is_some_and(|parts| parts.condition == [outermost]),
        Kind::While => program.syntax.children(around).next() == Some(outermost),
        Kind::Binary => {
            let is_second = program.syntax.children(around).nth(1) == Some(outermost);
            is_second && program.operator(around).is_some_and(|(_, sign)| sign == b"=")
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::{check_c, check_cpp};

    #[test]
    fn whole_values_become_one() {
        check_c(
            opportunities,
            &[
                ("int f(int a) { int x = 15 * a; return 0; }", &["int f(int a) { int x = 1; return 0; }"]),
                ("int f(int a) { return a; }", &["int f(int a) { return 1; }"]),
                ("void g(int n); void f(int a) { g(a); }", &["void g(int n); void f(int a) { g(1); }"]),
                ("void f(int a, int b) { a = b - 2; }", &["void f(int a, int b) { a = 1; }"]),
                (
                    "void f(int a) { if (a) while (a) ; }",
                    &["void f(int a) { if (1) while (a) ; }", "void f(int a) { if (a) while (1) ; }"],
                ),
            ],
        );
    }

    #[test]
    fn pointers_variables_and_numbers_stay() {
        check_c(
            opportunities,
            &[
                ("int f(int *p) { p = p; return 1; }", &[]),
                ("void f(int a) { a++; a = 2; }", &[]),
                ("int f(void) { f(); return 0; }", &[]),
            ],
        );
        check_cpp(opportunities, &[("void g(int &); void f(int a) { g(a); }", &[])]);
    }
}
