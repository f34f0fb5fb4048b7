//! Replaces an expression by a visible variable of its type: `g(a, 1)->next` → `p`. Variables that
//! the expression names are left to the rewrites that keep an operand.

use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use crate::rewrite::program::Variable;
use lapidary_clang::{EntityId, Kind, NodeId, TypeClass};

pub(crate) const KIND: &str = "expression to variable";

/// The maximum number of variables to try for an expression, nearest first.
const MOST_VARIABLES: usize = 2;

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let variables = program.variables();
    let expressions = program.nodes().filter(|id| is_composed(program, *id) && !program.is_statement(*id));
    expressions.flat_map(|id| for_one(program, id, &variables)).collect()
}

/// Returns whether an expression has parts, and a value that a variable can have.
fn is_composed(program: &Program<'_>, id: NodeId) -> bool {
    let has_parts = matches!(
        program.kind(id),
        Kind::Member | Kind::Call | Kind::Unary | Kind::Subscript | Kind::Binary | Kind::Conditional | Kind::Cast
    );
    let has_value = |class: TypeClass| class.is_arithmetic() || matches!(class, TypeClass::Pointer | TypeClass::Record);
    has_parts && program.syntax.type_of(id).is_some_and(|found| has_value(found.class))
}

fn for_one(program: &Program<'_>, expression: NodeId, all: &[Variable]) -> Vec<Opportunity> {
    let is_fitting = |variable: &&Variable| {
        program.are_of_one_type(variable.id, expression)
            && !is_named_in(program, expression, variable.entity)
            && program.is_seen_at(variable, expression)
    };
    let fitting = all.iter().rev().filter(is_fitting).take(MOST_VARIABLES);
    let replaced = |variable: &Variable| {
        let name = program.name(variable.entity);
        let edits = vec![program.replace(expression, name)];
        program.opportunity(KIND, expression, &format!("write `{name}` for"), edits)
    };
    fitting.map(replaced).collect()
}

fn is_named_in(program: &Program<'_>, expression: NodeId, entity: EntityId) -> bool {
    program.syntax.subtree(expression).any(|id| program.syntax.node(id).refers == Some(entity))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::{check_c, check_cpp};

    #[test]
    fn a_variable_takes_the_place_of_an_expression() {
        check_c(
            opportunities,
            &[
                (
                    "struct s { char *t; }; int g(char *); int f(struct s *p, char *e) { return g(p->t); }",
                    &["struct s { char *t; }; int g(char *); int f(struct s *p, char *e) { return g(e); }"],
                ),
                (
                    "int g(void), a, b, c; int f(void) { return a * a; }",
                    &[
                        "int g(void), a, b, c; int f(void) { return c; }",
                        "int g(void), a, b, c; int f(void) { return b; }",
                    ],
                ),
            ],
        );
    }

    #[test]
    fn other_types_and_later_variables_do_not_fit() {
        check_c(
            opportunities,
            &[
                ("int f(int a, long b) { return -a; }", &[]),
                ("int f(int a) { a = -a; int b; return a; }", &[]),
                ("int g(int); void f(int a, int b) { g(a); }", &[]),
            ],
        );
    }

    #[test]
    fn objects_too() {
        check_cpp(
            opportunities,
            &[(
                "struct A {}; A g(int); A f(const A &a) { return g(1); }",
                &["struct A {}; A g(int); A f(const A &a) { return a; }"],
            )],
        );
    }
}
