//! Dissolves a class like a namespace, if it has only static members and nested types and there is
//! no object of it.

use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{Kind, Mark, NodeId};

pub(crate) const KIND: &str = "dissolve class";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let classes = program.nodes().filter(|id| matches!(program.kind(*id), Kind::Struct | Kind::Class));
    let defined = classes.filter(|id| program.syntax.is_cpp() && program.syntax.node(*id).is(Mark::Definition));
    let found = defined.filter_map(|id| Some((id, dissolved(program, id)?)));
    found.map(|(id, edits)| program.opportunity(KIND, id, "dissolve", edits)).collect()
}

fn dissolved(program: &Program<'_>, class: NodeId) -> Option<Vec<Edit>> {
    let entity = program.syntax.node(class).declares?;
    let (file, range) = (program.file(class), program.range(class));
    let members = program.children(class);
    if members.is_empty() || program.declarations(entity)?.len() != 1 {
        return None;
    }
    let brace = program.tokens_in(file, range.clone()).iter().find(|token| program.spelled(file, token) == b"{")?;
    let end = program.next_is(file, range.end, ";")?.range.end;
    let mut edits =
        vec![program.delete(class, range.start..brace.range.end), program.delete(class, range.end - 1..end)];
    for member in members {
        edits.extend(freed(program, member)?);
    }
    for usage in program.editable_uses(entity)? {
        let sign = program.next_is(program.file(*usage), program.range(*usage).end, "::")?;
        edits.push(program.delete(*usage, program.range(*usage).start..sign.range.end));
    }
    Some(edits)
}

/// Returns the edit for a member outside its class. `None` if it needs an object.
fn freed(program: &Program<'_>, member: NodeId) -> Option<Option<Edit>> {
    let node = program.syntax.node(member);
    let word = program.next_is(node.file, program.range(member).start, "static");
    match node.kind {
        _ if program.in_macro(member) => None,
        Kind::AccessSpecifier => Some(Some(program.delete(member, node.range()))),
        Kind::Method => word.map(|word| Some(program.delete(member, word.range.clone()))),
        Kind::Variable => {
            let is_defined_later = program.declarations(node.declares?)?.len() > 1;
            let instead = if is_defined_later { "extern" } else { "" };
            word.map(|word| Some(program.put(member, word.range.clone(), instead)))
        }
        Kind::Typedef | Kind::Enum | Kind::Struct | Kind::Class | Kind::Union | Kind::ClassTemplate => Some(None),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::check_cpp;

    #[test]
    fn static_members_stand_alone() {
        check_cpp(
            opportunities,
            &[
                (
                    "struct A { static int f() { return 1; } typedef int T; };\nA::T x = A::f();",
                    &[" int f() { return 1; } typedef int T; \nT x = f();"],
                ),
                ("class A { public: static int x; };\nint A::x = 1;", &[" extern int x; \nint x = 1;"]),
                ("struct A { static int x; int y; };", &[]),
                ("struct A { static int x; } a;", &[]),
            ],
        );
    }
}
