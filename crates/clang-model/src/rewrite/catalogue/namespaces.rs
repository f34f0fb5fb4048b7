//! Dissolves a namespace: its contents stay, and its name is removed from all uses. The block of
//! `extern "C"` is dissolved in the same way.

use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{EntityId, Kind, NodeId};
use std::collections::BTreeSet;
use std::ops::Range;

pub(crate) const KIND: &str = "dissolve namespace";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let declared = program.nodes_of(Kind::Namespace).filter_map(|id| program.syntax.node(id).declares);
    let namespaces: BTreeSet<EntityId> = declared.collect();
    let dissolved = namespaces.into_iter().filter_map(|entity| {
        let first = *program.syntax.entity(entity).declarations.first()?;
        Some(program.opportunity(KIND, first, "dissolve", dissolved(program, entity)?))
    });
    dissolved.chain(program.nodes_of(Kind::Linkage).filter_map(|id| linkage(program, id))).collect()
}

fn dissolved(program: &Program<'_>, entity: EntityId) -> Option<Vec<Edit>> {
    let mut edits = Vec::new();
    for declaration in program.declarations(entity)? {
        edits.extend(unwrapped(program, declaration, &head(program, declaration)?));
    }
    for usage in program.editable_uses(entity)? {
        edits.push(without_name(program, *usage)?);
    }
    Some(edits)
}

/// Returns the range from `namespace` to the opening brace. `None` for `namespace a::b {`, which is
/// two namespaces.
fn head(program: &Program<'_>, declaration: NodeId) -> Option<Range<usize>> {
    let (file, range) = (program.file(declaration), program.range(declaration));
    let mut tokens = program.tokens_in(file, range.clone()).iter();
    let brace = tokens.find(|token| matches!(program.spelled(file, token), b"{" | b"::"))?;
    (program.spelled(file, brace) == b"{").then_some(range.start..brace.range.end)
}

fn unwrapped(program: &Program<'_>, block: NodeId, head: &Range<usize>) -> [Edit; 2] {
    let end = program.range(block).end;
    [program.delete(block, head.clone()), program.delete(block, end - 1..end)]
}

/// Removes `n::`. A directive or declaration that names the namespace is removed as a whole.
fn without_name(program: &Program<'_>, usage: NodeId) -> Option<Edit> {
    let (file, range) = (program.file(usage), program.range(usage));
    let around = program.syntax.node(usage).parent;
    match around.filter(|id| matches!(program.kind(*id), Kind::UsingDirective | Kind::UsingDeclaration)) {
        Some(using) => Some(program.delete(using, program.whole_declaration(using))),
        None => program.next_is(file, range.end, "::").map(|sign| program.delete(usage, range.start..sign.range.end)),
    }
}

fn linkage(program: &Program<'_>, id: NodeId) -> Option<Opportunity> {
    let (file, range) = (program.file(id), program.range(id));
    let mut tokens = program.tokens_in(file, range.clone()).iter().skip(2);
    let after = tokens.next()?;
    let edits = match program.spelled(file, after) {
        b"{" => unwrapped(program, id, &(range.start..after.range.end)).into(),
        _ => vec![program.delete(id, range.start..after.range.start)],
    };
    Some(program.opportunity(KIND, id, "dissolve", edits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::check_cpp;

    #[test]
    fn contents_stay_and_qualifiers_go() {
        check_cpp(
            opportunities,
            &[
                (
                    "namespace n { int x; } namespace n { struct A { int y; }; } int f(n::A a) { return n::x; }",
                    &["int x;  struct A { int y; }; int f(A a) { return x; }"],
                ),
                ("namespace n { int x; }\nusing namespace n;\nint y = x;", &["int x; \nint y = x;"]),
                ("namespace n { int x; }\nusing n::x;\nint y = x;", &["int x; \nint y = x;"]),
                ("namespace { int x; }", &["int x; "]),
                (
                    "namespace a { namespace b { int x; } } int y = a::b::x;",
                    &["namespace b { int x; } int y = b::x;", "namespace a { int x; } int y = a::x;"],
                ),
                ("namespace a { int x; } namespace b = a; int y = b::x;", &[]),
                (
                    "extern \"C\" { int x; } extern \"C\" int y;",
                    &["int x; extern \"C\" int y;", "extern \"C\" { int x; } int y;"],
                ),
            ],
        );
    }
}
