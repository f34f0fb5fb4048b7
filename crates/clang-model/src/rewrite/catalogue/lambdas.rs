//! Replaces a lambda that is called where it is written by its body.

use super::inline_function::Routine;
use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{Kind, NodeId};

pub(crate) const KIND: &str = "inline lambda";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let calls = program.nodes_of(Kind::Call).filter(|id| program.overloaded_operator(*id) == Some("()"));
    let found = calls.filter_map(|id| Some((id, inlined(program, id)?)));
    found.map(|(id, edits)| program.opportunity(KIND, id, "inline", edits)).collect()
}

fn inlined(program: &Program<'_>, call: NodeId) -> Option<Vec<Edit>> {
    let mut children = program.children(call).into_iter();
    let lambda = children.next()?;
    let lambda =
        program.syntax.subtree(lambda).find(|id| program.kind(*id) == Kind::Lambda && is_all(program, lambda, *id))?;
    let operator = program.syntax.node(call).refers;
    let arguments: Vec<NodeId> = children.filter(|id| program.syntax.node(*id).refers != operator).collect();
    Routine::of(program, lambda)?.expanded(program, call, &arguments)
}

/// Returns whether a node covers the whole of another.
fn is_all(program: &Program<'_>, whole: NodeId, part: NodeId) -> bool {
    program.range(whole) == program.range(part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::check_cpp;

    #[test]
    fn a_lambda_called_at_once_is_its_body() {
        check_cpp(
            opportunities,
            &[
                (
                    "int f(int x) { return 2 * [](int a) { return a + 1; }(x); }",
                    &["int f(int x) { return 2 * (x + 1); }"],
                ),
                ("void f(int x) { [&] { x = 1; x++; }(); }", &["void f(int x) { { x = 1; x++; } }"]),
                ("int f(int x) { auto l = [](int a) { return a; }; return l(x); }", &[]),
            ],
        );
    }
}
