//! Simplifies addresses that are taken and dereferenced at once: `(&s)->f` → `s.f`, `(*p).f` →
//! `p->f`, `*&x` → `x`, `&*p` → `p`.

use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{Kind, NodeId};

pub(crate) const KIND: &str = "address followed";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let found = program.nodes().filter_map(|id| {
        let edits = match program.kind(id) {
            Kind::Member => member(program, id),
            Kind::Unary => unary(program, id),
            _ => None,
        };
        Some((id, edits?))
    });
    found.map(|(id, edits)| program.opportunity(KIND, id, "follow the address in", edits)).collect()
}

fn member(program: &Program<'_>, id: NodeId) -> Option<Vec<Edit>> {
    let object = program.syntax.children(id).next()?;
    let (sign, operand) = signed(program, object)?;
    let access = program.after(program.file(id), program.range(object).end)?;
    let instead = match (sign, program.spelled(program.file(id), access)) {
        (b"&", b"->") => ".",
        (b"*", b".") => "->",
        _ => return None,
    };
    let is_tight = program.binding(operand) >= program.binding(id);
    let mut edits = program.keep_only(&program.range(object), object, &program.range(operand));
    edits.push(program.put(id, access.range.clone(), instead));
    is_tight.then_some(edits)
}

fn unary(program: &Program<'_>, id: NodeId) -> Option<Vec<Edit>> {
    let (inner, operand) = signed(program, program.syntax.children(id).next()?)?;
    let is_pair = matches!((program.sign(id)?, inner), (b"*", b"&") | (b"&", b"*"));
    is_pair.then(|| program.hoist(id, operand))
}

/// Returns the sign and the operand of a unary expression, looking through parentheses.
fn signed<'p>(program: &'p Program<'_>, id: NodeId) -> Option<(&'p [u8], NodeId)> {
    let mut at = program.peeled(id);
    while program.kind(at) == Kind::Parentheses {
        at = program.peeled(program.syntax.children(at).next()?);
    }
    let is_sign = program.kind(at) == Kind::Unary && !program.in_macro(at);
    let operand = program.syntax.children(at).next().filter(|_| is_sign)?;
    Some((program.sign(at)?, operand))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::check_c;

    #[test]
    fn addresses_are_not_taken_in_vain() {
        check_c(
            opportunities,
            &[
                (
                    "struct s { int f; } x; int g(void) { return (&x)->f; }",
                    &["struct s { int f; } x; int g(void) { return x.f; }"],
                ),
                (
                    "struct s { int f; } *p; int g(void) { return (*p).f; }",
                    &["struct s { int f; } *p; int g(void) { return p->f; }"],
                ),
                ("int f(int x) { return *&x; }", &["int f(int x) { return x; }"]),
                ("int *f(int *x) { return &*x; }", &["int *f(int *x) { return x; }"]),
                ("int f(int *x) { return -*x; }", &[]),
            ],
        );
    }
}
