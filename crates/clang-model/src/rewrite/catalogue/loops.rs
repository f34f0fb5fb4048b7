//! Replaces a loop by its body, run once. Variables that the header declares and the body uses are
//! declared before the body. A `break` or `continue` of the loop in its body prevents this.
//!
//! Events in a later iteration of a loop are caused by an earlier one. A loop can therefore also
//! become its body started in the middle: the statements that end an iteration precede those that
//! begin the next.

use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{Kind, NodeId};
use std::ops::Range;

pub(crate) const KIND: &str = "loop to body";

/// The maximum number of statements for starting in the middle. Larger bodies have too many places
/// to start.
const FEW_STATEMENTS: usize = 8;

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let loops = program.nodes().filter(|id| program.kind(*id).is_loop());
    let free: Vec<NodeId> =
        loops.filter(|id| program.own_jumps(*id, &[Kind::Break, Kind::Continue]).is_empty()).collect();
    let once = free.iter().filter_map(|id| Some((*id, unrolled(program, *id)?)));
    let once = once.map(|(id, edits)| program.opportunity(KIND, id, "run once", edits));
    let later = free.iter().flat_map(|id| rotated(program, *id).into_iter().map(|edits| (*id, edits)));
    once.chain(later.map(|(id, edits)| program.opportunity(KIND, id, "run from the middle", edits))).collect()
}

/// Starts the body in the middle: `while (…) { A B }` → `{ B A }`, and
/// `for (init; …; step) { A }` → `{ init; step; A }`.
fn rotated(program: &Program<'_>, id: NodeId) -> Vec<Vec<Edit>> {
    let children = program.children(id);
    let Some(body) = children.last().copied().filter(|body| program.kind(*body) == Kind::Compound) else {
        return Vec::new();
    };
    match (program.kind(id), children.as_slice()) {
        (Kind::While, _) => begun_in_the_middle(program, id, body),
        (Kind::For, [first, _, step, _]) => vec![after_one_step(program, id, (*first, *step), body)],
        _ => Vec::new(),
    }
}

fn begun_in_the_middle(program: &Program<'_>, id: NodeId, body: NodeId) -> Vec<Vec<Edit>> {
    let statements: Vec<Range<usize>> =
        program.children(body).into_iter().map(|child| program.statement_range(child)).collect();
    if statements.len() > FEW_STATEMENTS {
        return Vec::new();
    }
    let (whole, open, file) = (program.statement_range(id), program.range(body).start, program.file(id));
    let begun_at = |middle: usize| {
        let end_of_round = statements[middle].start..statements[statements.len() - 1].end;
        let moved = [b"{ ", program.slice(file, end_of_round.clone())].concat();
        let header = Edit { file, range: whole.start..open + 1, with: moved };
        vec![header, program.delete(id, end_of_round)]
    };
    (1..statements.len()).map(begun_at).collect()
}

fn after_one_step(program: &Program<'_>, id: NodeId, (first, step): (NodeId, NodeId), body: NodeId) -> Vec<Edit> {
    let (whole, declared, file) = (program.statement_range(id), program.statement_range(first), program.file(id));
    let end = if program.slice(file, declared.clone()).ends_with(b";") { " " } else { "; " };
    let stepped = [end.as_bytes(), program.text(step), b";"].concat();
    let open = program.put(id, whole.start..declared.start, "{ ");
    vec![open, Edit { file, range: declared.end..program.range(body).start + 1, with: stepped }]
}

fn unrolled(program: &Program<'_>, id: NodeId) -> Option<Vec<Edit>> {
    let whole = program.statement_range(id);
    let children = program.children(id);
    let body = if program.kind(id) == Kind::Do { *children.first()? } else { *children.last()? };
    let kept = program.statement_range(body);
    let header: Vec<NodeId> = children.into_iter().filter(|child| *child != body).collect();
    if !header.iter().any(|part| declares_something_used(program, *part, body)) {
        return Some(program.keep_only(&whole, id, &kept));
    }
    let first = *header.first().filter(|_| program.kind(id) == Kind::For)?;
    Some(with_declaration(program, id, &program.range(first), body))
}

fn declares_something_used(program: &Program<'_>, header: NodeId, body: NodeId) -> bool {
    let declared = program.syntax.subtree(header).filter_map(|id| program.syntax.node(id).declares);
    let mut uses = declared.flat_map(|entity| program.uses(entity));
    uses.any(|id| program.syntax.contains(body, *id))
}

/// Declares the variables of the header before the body: `for (int i = 0; …) { … }` →
/// `{ int i = 0; … }`.
fn with_declaration(program: &Program<'_>, id: NodeId, declaration: &Range<usize>, body: NodeId) -> Vec<Edit> {
    let (whole, kept) = (program.statement_range(id), program.statement_range(body));
    let open = program.put(id, whole.start..declaration.start, "{ ");
    if program.kind(body) == Kind::Compound {
        return vec![open, program.delete(id, declaration.end..kept.start + 1)];
    }
    vec![open, program.put(id, declaration.end..kept.start, " "), program.put(id, kept.end..kept.end, " }")]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::{check_c, check_cpp};

    #[test]
    fn loops_of_all_sorts() {
        check_c(
            opportunities,
            &[
                ("void f(int x) { while (x) x--; }", &["void f(int x) { x--; }"]),
                ("void f(int x) { do { x = 0; } while (x); }", &["void f(int x) { { x = 0; } }"]),
                ("void f(int x) { do x--; while (x); }", &["void f(int x) { x--; }"]),
                ("void f(int x) { for (;;) { x = 0; } }", &["void f(int x) { { x = 0; } }"]),
                ("void f(int x) { for (int i = 0; i < 3; i++) x = 0; }", &["void f(int x) { x = 0; }"]),
            ],
        );
    }

    #[test]
    fn what_the_body_uses_is_declared() {
        check_c(
            opportunities,
            &[
                (
                    "void f(int x) { for (int i = 0; i < 3; i++) { x = i; } }",
                    &["void f(int x) { { int i = 0; x = i; } }", "void f(int x) { { int i = 0; i++; x = i; } }"],
                ),
                ("void f(int x) { for (int i = 0; i < 3; i++) x = i; }", &["void f(int x) { { int i = 0; x = i; } }"]),
            ],
        );
    }

    #[test]
    fn a_later_round_comes_after_the_end_of_an_earlier_one() {
        let text = "void f(int x, int y) { while (x) { y = x; x = 2; y++; } }";
        let expected = [
            "void f(int x, int y) { { y = x; x = 2; y++; } }",
            "void f(int x, int y) { { x = 2; y++; y = x; } }",
            "void f(int x, int y) { { y++; y = x; x = 2; } }",
        ];
        check_c(opportunities, &[(text, &expected)]);
    }

    #[test]
    fn jumps_of_the_loop_prevent_it() {
        check_c(
            opportunities,
            &[
                ("void f(int x) { while (x) { if (x) break; } }", &[]),
                ("void f(int x) { while (x) { switch (x) { case 1: continue; } } }", &[]),
                (
                    "void f(int x) { while (x) { switch (x) { case 1: break; } } }",
                    &["void f(int x) { { switch (x) { case 1: break; } } }"],
                ),
            ],
        );
    }

    #[test]
    fn ranges_too() {
        check_cpp(
            opportunities,
            &[
                ("int a[3], x; void f() { for (int i : a) x++; }", &["int a[3], x; void f() { x++; }"]),
                ("int a[3], x; void f() { for (int i : a) x = i; }", &[]),
            ],
        );
    }
}
