//! Empties initialiser lists, and replaces their elements by zero.

use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{Kind, NodeId, TypeClass};

pub(crate) const KIND: &str = "initialiser";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    program.nodes_of(Kind::InitialiserList).flat_map(|id| at(program, id)).collect()
}

fn at(program: &Program<'_>, list: NodeId) -> Vec<Opportunity> {
    let emptied = program.opportunity(KIND, list, "empty", vec![program.replace(list, "{}")]);
    let elements = program.children(list).into_iter().filter(|id| has_zero(program, *id));
    let zeroes = elements.map(|id| program.opportunity(KIND, id, "write 0 for", vec![program.replace(id, "0")]));
    [emptied].into_iter().chain(zeroes).collect()
}

/// Returns whether zero can replace an element. Literals are left to another rewrite.
fn has_zero(program: &Program<'_>, element: NodeId) -> bool {
    let inner = program.peeled(element);
    let is_value = program.kind(inner).is_expression() && !program.in_macro(element);
    let class = program.syntax.type_of(element).map_or(TypeClass::Other, |found| found.class);
    is_value && !matches!(program.kind(inner), Kind::Literal | Kind::InitialiserList) && class.has_zero()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::check_c;

    #[test]
    fn lists_become_empty_and_elements_zero() {
        check_c(
            opportunities,
            &[
                (
                    "int y; struct s { int a; int *p; } x = {1, &y};",
                    &["int y; struct s { int a; int *p; } x = {};", "int y; struct s { int a; int *p; } x = {1, 0};"],
                ),
                ("int x[2][2] = {{1}};", &["int x[2][2] = {};", "int x[2][2] = {{}};"]),
            ],
        );
    }
}
