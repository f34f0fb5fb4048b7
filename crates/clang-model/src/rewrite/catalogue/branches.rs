//! Replaces an `if` by one of its branches or its condition, and a `try` by its block.

use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{Kind, NodeId};

pub(crate) const KIND: &str = "branch";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    program
        .nodes()
        .flat_map(|id| match program.kind(id) {
            Kind::If => ifs(program, id),
            Kind::Try => tries(program, id),
            _ => Vec::new(),
        })
        .collect()
}

fn ifs(program: &Program<'_>, id: NodeId) -> Vec<Opportunity> {
    let Some(parts) = program.branches(id) else { return Vec::new() };
    let branches = [Some(parts.then), parts.otherwise].into_iter().flatten();
    let branches = branches.filter(|branch| !parts.condition.iter().any(|part| declares_for(program, *part, *branch)));
    let kept =
        branches.map(|branch| program.keep_only(&program.statement_range(id), id, &program.statement_range(branch)));
    let condition = match parts.condition[..] {
        [only] if program.has_effect(only) => Some(condition(program, id, only)),
        _ => None,
    };
    kept.chain(condition).map(|edits| program.opportunity(KIND, id, "keep a part of", edits)).collect()
}

fn condition(program: &Program<'_>, id: NodeId, condition: NodeId) -> Vec<Edit> {
    let (whole, kept) = (program.statement_range(id), program.range(condition));
    vec![program.delete(id, whole.start..kept.start), program.put(id, kept.end..whole.end, ";")]
}

/// Returns whether the branch uses something declared in the header.
fn declares_for(program: &Program<'_>, header: NodeId, branch: NodeId) -> bool {
    let declared = program.syntax.subtree(header).filter_map(|id| program.syntax.node(id).declares);
    let mut uses = declared.flat_map(|entity| program.uses(entity));
    uses.any(|id| program.syntax.contains(branch, *id))
}

fn tries(program: &Program<'_>, id: NodeId) -> Vec<Opportunity> {
    let block = program.syntax.children(id).find(|child| program.kind(*child) == Kind::Compound);
    let edits = block.map(|block| program.keep_only(&program.range(id), id, &program.range(block)));
    edits.into_iter().map(|edits| program.opportunity(KIND, id, "drop the handlers of", edits)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::{check_c, check_cpp};

    #[test]
    fn an_if_becomes_a_branch() {
        check_c(
            opportunities,
            &[
                (
                    "void f(int x) { if (x) x = 1; else x = 2; }",
                    &["void f(int x) { x = 1; }", "void f(int x) { x = 2; }"],
                ),
                (
                    "int g(void); void f(int x) { if (g()) { x = 1; } }",
                    &["int g(void); void f(int x) { { x = 1; } }", "int g(void); void f(int x) { g(); }"],
                ),
            ],
        );
    }

    #[test]
    fn declarations_in_the_header_bind_a_branch() {
        let source = "int g(); void f(int x) { if (int y = 1) x = y; else x = 2; }";
        check_cpp(opportunities, &[(source, &["int g(); void f(int x) { x = 2; }"])]);
    }

    #[test]
    fn handlers_go() {
        check_cpp(
            opportunities,
            &[
                ("void f(int x) { try { x = 1; } catch (int e) { x = e; } }", &["void f(int x) { { x = 1; } }"]),
                ("void f() try { } catch (...) { }", &["void f() { }"]),
            ],
        );
    }
}
