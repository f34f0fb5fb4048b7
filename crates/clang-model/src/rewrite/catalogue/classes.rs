//! Flattens classes: removes a base class with the calls of its constructors, moves a nested class
//! out, and makes everything public.

use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{Kind, Mark, NodeId};
use std::ops::Range;

pub(crate) const BASE: &str = "base class";
pub(crate) const NESTED: &str = "nested class";
pub(crate) const OPEN: &str = "class to struct";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let classes = program.nodes().filter(|id| program.kind(*id).is_class());
    let defined = classes.filter(|id| program.syntax.node(*id).is(Mark::Definition) || is_template(program, *id));
    defined
        .flat_map(|id| bases(program, id).into_iter().chain(nested(program, id)).chain(opened(program, id)))
        .collect()
}

fn is_template(program: &Program<'_>, id: NodeId) -> bool {
    matches!(program.kind(id), Kind::ClassTemplate | Kind::PartialSpecialization)
}

fn bases(program: &Program<'_>, class: NodeId) -> Vec<Opportunity> {
    let bases: Vec<NodeId> =
        program.syntax.children(class).filter(|id| program.kind(*id) == Kind::BaseSpecifier).collect();
    let dropped = |(at, base): (usize, &NodeId)| {
        let mut edits = vec![program.delete(*base, in_list(program, *base, at, bases.len())?)];
        edits.extend(constructor_calls(program, class, *base));
        Some(program.opportunity(BASE, *base, "drop the base", edits))
    };
    bases.iter().enumerate().filter_map(dropped).collect()
}

/// Returns the range of an element of a list that starts with a colon and is separated by commas,
/// including the symbol that is not needed without it.
pub(crate) fn in_list(program: &Program<'_>, element: NodeId, at: usize, count: usize) -> Option<Range<usize>> {
    let (file, range) = (program.file(element), program.range(element));
    if at == 0 && count > 1 {
        let comma = program.next_is(file, range.end, ",")?;
        return Some(range.start..program.after(file, comma.range.end)?.range.start);
    }
    let sign = program.before(file, range.start)?;
    matches!(program.spelled(file, sign), b":" | b",").then_some(sign.range.start..range.end)
}

/// Removes `: A(k)` from the constructors of the class.
fn constructor_calls(program: &Program<'_>, class: NodeId, base: NodeId) -> Vec<Edit> {
    let entity = program.syntax.node(base).refers;
    let constructors = program.syntax.children(class).filter(|id| program.kind(*id) == Kind::Constructor);
    constructors
        .flat_map(|constructor| super::constructors::initialisers(program, constructor))
        .filter(|found| entity.is_some() && found.refers == entity)
        .map(|found| program.delete(class, found.removal))
        .collect()
}

fn nested(program: &Program<'_>, class: NodeId) -> Vec<Opportunity> {
    let inner = program.syntax.children(class).filter(|id| program.kind(*id).is_class());
    let inner = inner.filter(|id| program.syntax.node(*id).is(Mark::Definition) && !program.in_macro(*id));
    let found = inner.filter_map(|id| Some((id, moved_out(program, class, id)?)));
    found.map(|(id, edits)| program.opportunity(NESTED, id, "move out", edits)).collect()
}

fn moved_out(program: &Program<'_>, class: NodeId, inner: NodeId) -> Option<Vec<Edit>> {
    let (file, range) = (program.file(inner), program.range(inner));
    let entity = program.syntax.node(inner).declares.filter(|_| !program.syntax.node(inner).is(Mark::Anonymous))?;
    let end = program.next_is(file, range.end, ";")?.range.end;
    let before = program.range(class).start;
    let text = [program.slice(file, range.start..end), b" "].concat();
    let qualifiers = program.editable_uses(entity)?.iter().filter_map(|id| qualifier(program, class, *id));
    let moved = [program.put(class, before..before, text), program.delete(inner, range.start..end)];
    Some(moved.into_iter().chain(qualifiers).collect())
}

/// Removes `Outer::` before a use of a class that was nested.
fn qualifier(program: &Program<'_>, class: NodeId, usage: NodeId) -> Option<Edit> {
    let file = program.file(usage);
    let sign = program.previous_is(file, program.range(usage).start, "::")?;
    let name = program.before(file, sign.range.start)?;
    let outer = program.name(program.syntax.node(class).declares?);
    (program.spelled(file, name) == outer.as_bytes()).then(|| program.delete(usage, name.range.start..sign.range.end))
}

fn opened(program: &Program<'_>, class: NodeId) -> Option<Opportunity> {
    let file = program.file(class);
    let start = super::instantiate::header(program, class).map_or(program.range(class).start, |header| header.end);
    let word = program.next_is(file, start, "class");
    let word = word.map(|token| program.put(class, token.range.clone(), "struct"));
    let specifiers = program.syntax.children(class).filter(|id| program.kind(*id) == Kind::AccessSpecifier);
    let specifiers = specifiers.filter(|id| !program.in_macro(*id));
    let edits: Vec<Edit> = word.into_iter().chain(specifiers.map(|id| program.delete(id, program.range(id)))).collect();
    (!edits.is_empty()).then(|| program.opportunity(OPEN, class, "make public", edits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::check_cpp;

    #[test]
    fn bases_go_with_their_constructor_calls() {
        check_cpp(
            opportunities,
            &[
                (
                    "struct A { A(int); }; struct B : A { int x; B() : A(1), x(2) {} };",
                    &["struct A { A(int); }; struct B { int x; B() : x(2) {} };"],
                ),
                (
                    "struct A {}; struct C {}; struct B : A, public C {};",
                    &[
                        "struct A {}; struct C {}; struct B : public C {};",
                        "struct A {}; struct C {}; struct B : A {};",
                    ],
                ),
            ],
        );
    }

    #[test]
    fn nested_classes_move_out() {
        check_cpp(
            opportunities,
            &[("struct A { struct I { int x; }; I i; }; A::I j;", &["struct I { int x; }; struct A { I i; }; I j;"])],
        );
    }

    #[test]
    fn everything_is_public_in_a_struct() {
        check_cpp(
            opportunities,
            &[
                ("class A { int x; };", &["struct A { int x; };"]),
                ("template <class T> class A { T x; };", &["template <class T> struct A { T x; };"]),
                ("class A { public: int x; private: int y; };", &["struct A { int x; int y; };"]),
            ],
        );
    }
}
