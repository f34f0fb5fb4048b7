//! Removes a typedef and writes out its type at each use. A struct that is defined in the typedef
//! keeps its definition under its tag, or moves to the only use.

use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{Kind, NodeId};
use std::ops::Range;

pub(crate) const KIND: &str = "inline typedef";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let found = program.nodes_of(Kind::Typedef).filter_map(|id| Some((id, inlined(program, id)?)));
    found.map(|(id, edits)| program.opportunity(KIND, id, "inline", edits)).collect()
}

fn inlined(program: &Program<'_>, typedef: NodeId) -> Option<Vec<Edit>> {
    let entity = program.syntax.node(typedef).declares?;
    let uses = program.editable_uses(entity)?;
    if program.declarations(entity)?.len() != 1 || !program.is_alone(typedef) {
        return None;
    }
    let written = written_type(program, typedef)?;
    let text = program.slice(program.file(typedef), written.clone());
    if !uses.iter().all(|id| can_be_written(program, *id, text)) {
        return None;
    }
    let whole = program.whole_declaration(typedef);
    let Some(brace) = definition(program, typedef, &written) else {
        let uses = uses.iter().map(|id| program.replace(*id, text));
        return Some(uses.chain([program.delete(typedef, whole)]).collect());
    };
    let tag = program.slice(program.file(typedef), written.start..brace).trim_ascii_end();
    if !tag.contains(&b' ') {
        let [only] = uses else { return None };
        return Some(vec![program.replace(*only, text), program.delete(typedef, whole)]);
    }
    let uses = uses.iter().map(|id| program.replace(*id, tag));
    let around = [whole.start..written.start, written.end..whole.end - 1];
    Some(uses.chain(around.map(|range| program.delete(typedef, range))).collect())
}

/// Returns the type in `typedef TYPE name` or `using name = TYPE`, if it is written in one piece.
fn written_type(program: &Program<'_>, typedef: NodeId) -> Option<Range<usize>> {
    let (file, range) = (program.file(typedef), program.range(typedef));
    let name = program.name_range(typedef)?;
    let first = program.after(file, range.start)?;
    match program.spelled(file, first) {
        b"typedef" if name.end == range.end => {
            let last = program.before(file, name.start)?;
            Some(program.after(file, first.range.end)?.range.start..last.range.end)
        }
        b"using" => {
            let sign = program.next_is(file, name.end, "=")?;
            Some(program.after(file, sign.range.end)?.range.start..range.end)
        }
        _ => None,
    }
}

/// Returns the position of the opening brace if the type defines a struct.
fn definition(program: &Program<'_>, typedef: NodeId, written: &Range<usize>) -> Option<usize> {
    let file = program.file(typedef);
    let tokens = program.tokens_in(file, written.clone());
    tokens.iter().find(|token| program.spelled(file, token) == b"{").map(|token| token.range.start)
}

/// Returns whether the type can be written at a use. A pointer applies to one declarator only, so
/// that must be the only one.
fn can_be_written(program: &Program<'_>, usage: NodeId, text: &[u8]) -> bool {
    let Some(parent) = program.syntax.node(usage).parent else { return true };
    match program.kind(parent) {
        Kind::Variable | Kind::Field | Kind::Typedef => !text.ends_with(b"*") || program.is_alone(parent),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::{check_c, check_cpp};

    #[test]
    fn the_type_is_written_out() {
        check_c(
            opportunities,
            &[
                (
                    "typedef unsigned u;\nu x; u f(u a) { return (u)a; }",
                    &["unsigned x; unsigned f(unsigned a) { return (unsigned)a; }"],
                ),
                ("typedef int *p;\np x;", &["int * x;"]),
                ("typedef int *p; p x, y;", &[]),
                ("typedef int (*p)(void); p x;", &[]),
            ],
        );
    }

    #[test]
    fn definitions_stay_somewhere() {
        check_c(
            opportunities,
            &[
                ("typedef struct { int a; } S; S x;", &["struct { int a; } x;"]),
                ("typedef struct s { int a; } S; S x;", &["struct s { int a; }; struct s x;"]),
                ("typedef struct { int a; } S; S x; S y;", &[]),
            ],
        );
    }

    #[test]
    fn aliases_too() {
        check_cpp(opportunities, &[("using T = long;\nT x;", &["long x;"])]);
    }
}
