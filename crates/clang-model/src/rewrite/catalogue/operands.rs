//! Replaces an operator by one of its operands and a cast by its operand, and removes unneeded
//! parentheses.

use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{Kind, NodeId, TypeClass};

pub(crate) const OPERAND: &str = "operand";
pub(crate) const CAST: &str = "cast";
/// The kind for an operator or a call whose value is not used.
pub(crate) const EFFECT: &str = "effect";
pub(crate) const PARENTHESES: &str = "parentheses";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    program.nodes().flat_map(|id| at(program, id)).collect()
}

fn at(program: &Program<'_>, id: NodeId) -> Vec<Opportunity> {
    let (kind, what) = match program.kind(id) {
        Kind::Parentheses => (PARENTHESES, "drop parentheses of"),
        _ if program.is_statement(id) => (EFFECT, "keep an operand of"),
        Kind::Cast => (CAST, "drop the cast of"),
        _ => (OPERAND, "keep an operand of"),
    };
    let operands = operands(program, id).into_iter().filter(|operand| is_sensible(program, id, *operand));
    let stays_short = |operand: &NodeId| kind != PARENTHESES || program.fits(*operand, id);
    let edits = operands.filter(stays_short).map(|operand| program.hoist(id, operand));
    edits.map(|edits| program.opportunity(kind, id, what, edits)).collect()
}

fn operands(program: &Program<'_>, id: NodeId) -> Vec<NodeId> {
    let children = program.children(id);
    let is_inside = |child: &NodeId| {
        let (inner, outer) = (program.range(*child), program.range(id));
        !program.in_macro(*child) && outer.start <= inner.start && inner.end <= outer.end && inner != outer
    };
    let mut expressions = children.into_iter().filter(|child| program.kind(*child).is_expression()).filter(is_inside);
    match program.kind(id) {
        Kind::Binary | Kind::CompoundAssignment | Kind::Conditional | Kind::Subscript => expressions.collect(),
        Kind::Unary | Kind::Parentheses => expressions.collect(),
        Kind::Member if !is_called(program, id) => expressions.collect(),
        Kind::Cast => expressions.next_back().into_iter().collect(),
        Kind::Call if program.overloaded_operator(id).is_some_and(|operator| operator != "()") => {
            let operator = program.syntax.node(id).refers;
            // An operand may be a use of the same operator.
            let is_sign =
                |child: NodeId| program.kind(child) != Kind::Call && program.syntax.node(child).refers == operator;
            expressions.filter(|child| !is_sign(*child)).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns whether a member is a method that is called here.
fn is_called(program: &Program<'_>, member: NodeId) -> bool {
    let call = program.context(member).filter(|id| program.kind(*id) == Kind::Call);
    call.is_some_and(|call| program.range(call).start == program.range(member).start)
}

/// Returns whether the operand can have the right type and, where no value is wanted, has an
/// effect.
pub(crate) fn is_sensible(program: &Program<'_>, whole: NodeId, part: NodeId) -> bool {
    if program.is_statement(whole) {
        return program.has_effect(part);
    }
    let types = (program.syntax.type_of(whole), program.syntax.type_of(part));
    let (Some(whole), Some(part)) = types else { return true };
    let bare = |spelling: &str| spelling.replace("const ", "").trim_end_matches([' ', '&']).to_owned();
    match (whole.class, part.class) {
        (TypeClass::Other, _) | (_, TypeClass::Other) => true,
        (one, other) if one.is_arithmetic() && other.is_arithmetic() => true,
        (TypeClass::Pointer, TypeClass::Pointer) => true,
        _ => bare(&whole.spelling) == bare(&part.spelling),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::{check_c, check_cpp};

    #[test]
    fn operators_become_operands() {
        check_c(
            opportunities,
            &[
                (
                    "int f(int a, int b) { return a + b; }",
                    &["int f(int a, int b) { return a; }", "int f(int a, int b) { return b; }"],
                ),
                (
                    "int f(int a) { return a ? 2 : 3; }",
                    &["int f(int a) { return a; }", "int f(int a) { return 2; }", "int f(int a) { return 3; }"],
                ),
                ("int f(int a) { return -a; }", &["int f(int a) { return a; }"]),
                ("int f(int *a) { return a[1]; }", &["int f(int *a) { return 1; }"]),
                ("int f(void), x; void g(void) { x = f(); }", &["int f(void), x; void g(void) { f(); }"]),
            ],
        );
    }

    #[test]
    fn parentheses_stay_where_they_are_needed() {
        check_c(
            opportunities,
            &[
                ("int f(int a) { return (a); }", &["int f(int a) { return a; }"]),
                ("int g(int); int f(int a) { return (g)(a); }", &["int g(int); int f(int a) { return g(a); }"]),
                (
                    "int f(int a) { return -(a = 1); }",
                    &[
                        "int f(int a) { return (a = 1); }",
                        "int f(int a) { return -(a); }",
                        "int f(int a) { return -(1); }",
                    ],
                ),
            ],
        );
    }

    #[test]
    fn casts_go_if_the_types_are_alike() {
        check_c(
            opportunities,
            &[
                ("int f(char a) { return (int)a; }", &["int f(char a) { return a; }"]),
                ("int f(char *a) { return (long)a; }", &[]),
            ],
        );
    }

    #[test]
    fn macros_are_left_alone() {
        check_c(opportunities, &[("#define SUM(a, b) a + b\nint f(int a) { return SUM(a, 2); }", &[])]);
    }

    #[test]
    fn overloaded_operators_are_operators() {
        let source = "struct A {}; A operator+(A, A); A f(A a, A b) { return a + b; }";
        let expected: &[&str] = &[
            "struct A {}; A operator+(A, A); A f(A a, A b) { return a; }",
            "struct A {}; A operator+(A, A); A f(A a, A b) { return b; }",
        ];
        check_cpp(opportunities, &[(source, expected), ("struct A { A g(); }; A f(A a) { return a.g(); }", &[])]);
        let print = "struct Out { Out &operator<<(int); } out; int p(); void f() { ";
        let chain =
            [format!("{print}out << p() << 0; }}"), format!("{print}out << p(); }}"), format!("{print}out << 0; }}")];
        check_cpp(opportunities, &[(&chain[0], &[&chain[1], &chain[2]])]);
    }
}
