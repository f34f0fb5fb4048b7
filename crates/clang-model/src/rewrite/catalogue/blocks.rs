//! Removes the braces of a block: around the only statement of a branch or loop, and around
//! statements among others if no name they declare occurs outside.

use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::{Program, is_word};
use lapidary_clang::{Kind, NodeId};
use std::collections::HashSet;

pub(crate) const KIND: &str = "braces";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let blocks = program.nodes_of(Kind::Compound).filter(|id| program.is_statement(*id));
    let found = blocks.filter(|id| is_superfluous(program, *id));
    found.map(|id| program.opportunity(KIND, id, "drop the braces of", braces(program, id))).collect()
}

fn is_superfluous(program: &Program<'_>, block: NodeId) -> bool {
    let Some(parent) = program.syntax.node(block).parent else { return false };
    let statements = program.children(block);
    match program.kind(parent) {
        Kind::Compound => !declares_spelled_name(program, block, parent),
        Kind::Switch | Kind::Try | Kind::Catch => false,
        _ => statements.len() == 1 && can_be_branch(program, statements[0]),
    }
}

/// Returns whether a statement can be a branch without braces. A declaration cannot, and an `else`
/// must not attach to another `if`.
fn can_be_branch(program: &Program<'_>, statement: NodeId) -> bool {
    !matches!(program.kind(statement), Kind::DeclarationStatement | Kind::Label | Kind::Case | Kind::Default)
        && !program.syntax.subtree(statement).any(|id| program.kind(id) == Kind::If)
}

fn declares_spelled_name(program: &Program<'_>, block: NodeId, around: NodeId) -> bool {
    let statements = program.children(block).into_iter();
    let declarations = statements.filter(|id| program.kind(*id) == Kind::DeclarationStatement);
    let declared = declarations.flat_map(|id| program.syntax.subtree(id));
    let declared = declared.filter_map(|id| program.syntax.node(id).declares);
    let names: HashSet<&[u8]> = declared.map(|entity| program.name(entity).as_bytes()).collect();
    let (file, inside) = (program.file(block), program.range(block));
    let outside = program.tokens_in(file, program.range(around)).iter();
    let mut outside = outside.filter(|token| token.range.end <= inside.start || token.range.start >= inside.end);
    !names.is_empty() && outside.any(|token| is_word(token) && names.contains(program.spelled(file, token)))
}

fn braces(program: &Program<'_>, block: NodeId) -> Vec<Edit> {
    let range = program.range(block);
    vec![program.delete(block, range.start..range.start + 1), program.delete(block, range.end - 1..range.end)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::check_c;

    #[test]
    fn one_statement_needs_no_braces() {
        check_c(
            opportunities,
            &[
                ("void f(int x) { if (x) { x = 0; } }", &["void f(int x) { if (x) x = 0; }"]),
                ("void f(int x) { if (x) { if (x) x = 0; } else x = 1; }", &[]),
                ("void f(int x) { if (x) { int y; } }", &[]),
                ("void f(int x) { if (x) { x = 0; x = 1; } }", &[]),
            ],
        );
    }

    #[test]
    fn names_must_not_meet() {
        check_c(
            opportunities,
            &[
                ("void f(int x) { { int y = x; } x = 0; }", &["void f(int x) { int y = x; x = 0; }"]),
                ("void f(int x) { { int y = x; } int y; }", &[]),
            ],
        );
    }
}
