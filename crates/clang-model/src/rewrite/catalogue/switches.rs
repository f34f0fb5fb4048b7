//! Replaces a `switch` by one of its cases: the statements from a label to the next `break`.

use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{Kind, NodeId};

pub(crate) const KIND: &str = "switch to case";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    program.nodes_of(Kind::Switch).flat_map(|id| cases(program, id)).collect()
}

fn cases(program: &Program<'_>, switch: NodeId) -> Vec<Opportunity> {
    let body = program.syntax.children(switch).last().filter(|id| program.kind(*id) == Kind::Compound);
    let Some(body) = body else { return Vec::new() };
    let statements = program.children(body);
    let breaks = program.own_jumps(switch, &[Kind::Break]);
    let starts = (0..statements.len()).filter(|at| is_case(program, statements[*at]));
    let found = starts.filter_map(|at| Some((statements[at], one_case(program, switch, &statements[at..], &breaks)?)));
    found.map(|(case, edits)| program.opportunity(KIND, case, "take of a switch", edits)).collect()
}

fn is_case(program: &Program<'_>, id: NodeId) -> bool {
    matches!(program.kind(id), Kind::Case | Kind::Default)
}

/// Removes everything but the statements of the case, including the labels between them.
fn one_case(program: &Program<'_>, switch: NodeId, statements: &[NodeId], breaks: &[NodeId]) -> Option<Vec<Edit>> {
    let stays = |id: &&NodeId| program.kind(without_labels(program, **id)) != Kind::Break;
    let run: Vec<NodeId> = statements.iter().take_while(stays).copied().collect();
    let leaves = |id: &NodeId| breaks.iter().any(|jump| program.syntax.contains(*id, *jump));
    if run.iter().any(leaves) || run.iter().any(|id| program.in_macro(*id)) {
        return None;
    }
    let whole = program.statement_range(switch);
    let (Some(first), Some(last)) = (run.first(), run.last()) else {
        return Some(vec![program.put(switch, whole, ";")]);
    };
    let open = program.range(without_labels(program, *first)).start;
    let close = program.statement_range(*last).end;
    let labels = run[1..].iter().map(|id| (*id, program.range(*id).start, without_labels(program, *id)));
    let labels = labels.map(|(id, start, inner)| program.delete(id, start..program.range(inner).start));
    let around = [program.put(switch, whole.start..open, "{ "), program.put(switch, close..whole.end, " }")];
    Some(around.into_iter().chain(labels.filter(|edit| !edit.range.is_empty())).collect())
}

/// Returns the statement after `case 1: case 2: default:`.
fn without_labels(program: &Program<'_>, id: NodeId) -> NodeId {
    let mut at = id;
    while is_case(program, at) {
        match program.syntax.children(at).last() {
            Some(inner) if program.is_statement(inner) => at = inner,
            _ => break,
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::check_c;

    #[test]
    fn each_case_can_stay() {
        check_c(
            opportunities,
            &[(
                "void f(int x) { switch (x) { case 1: case 2: x = 2; break; case 3: x = 3; default: x = 4; } }",
                &[
                    "void f(int x) { { x = 2; } }",
                    "void f(int x) { { x = 3; x = 4; } }",
                    "void f(int x) { { x = 4; } }",
                ],
            )],
        );
    }

    #[test]
    fn a_break_inside_of_a_statement_prevents_it() {
        check_c(
            opportunities,
            &[
                ("void f(int x) { switch (x) { case 1: if (x) break; x = 2; } }", &[]),
                ("void f(int x) { switch (x) { case 1: break; } }", &["void f(int x) { ; }"]),
            ],
        );
    }
}
