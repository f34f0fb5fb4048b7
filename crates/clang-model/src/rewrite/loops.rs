//! A loop becomes its body, run once. What the header declares and the body uses is declared before the body. A `break`
//! or `continue` of the loop in its body prevents it.

use super::Opportunity;
use super::program::Program;
use crate::Edit;
use lapidary_clang::{Kind, NodeId};
use std::ops::Range;

pub(crate) const KIND: &str = "loop to body";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let loops = program.nodes().filter(|id| program.kind(*id).is_loop());
    let free = loops.filter(|id| program.own_jumps(*id, &[Kind::Break, Kind::Continue]).is_empty());
    let found = free.filter_map(|id| Some((id, unrolled(program, id)?)));
    found.map(|(id, edits)| program.opportunity(KIND, id, "run once", edits)).collect()
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

/// `for (int i = 0; …) { … }` → `{ int i = 0; … }`
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
    use super::super::testing::{check_c, check_cpp};
    use super::*;

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
                    &["void f(int x) { { int i = 0; x = i; } }"],
                ),
                ("void f(int x) { for (int i = 0; i < 3; i++) x = i; }", &["void f(int x) { { int i = 0; x = i; } }"]),
            ],
        );
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
