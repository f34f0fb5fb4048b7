//! Replaces a struct or union whose only member is one field by the type of the field: `x.f` → `x`,
//! `p->f` → `*p`.

use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{EntityId, Kind, Mark, NodeId};

pub(crate) const KIND: &str = "struct to field";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let classes = program.nodes().filter(|id| matches!(program.kind(*id), Kind::Struct | Kind::Union | Kind::Class));
    let defined = classes.filter(|id| program.syntax.node(*id).is(Mark::Definition));
    let found = defined.filter_map(|id| Some((id, replaced(program, id)?)));
    found.map(|(id, edits)| program.opportunity(KIND, id, "write the only field of", edits)).collect()
}

fn replaced(program: &Program<'_>, class: NodeId) -> Option<Vec<Edit>> {
    let entity = program.syntax.node(class).declares?;
    let [field] = program.children(class)[..] else { return None };
    let is_plain = program.kind(field) == Kind::Field && !program.syntax.node(field).is(Mark::BitField);
    if !is_plain || program.declarations(entity)?.len() != 1 {
        return None;
    }
    let written = type_of_field(program, field)?;
    let mut edits = accesses(program, program.syntax.node(field).declares?)?;
    edits.extend(names(program, entity, &written)?);
    let range = program.range(class);
    edits.push(match program.next_is(program.file(class), range.end, ";") {
        Some(semicolon) => program.delete(class, range.start..semicolon.range.end),
        None => program.put(class, range, written),
    });
    Some(edits)
}

/// Returns the text before the name of the field, if nothing comes after the name.
fn type_of_field(program: &Program<'_>, field: NodeId) -> Option<Vec<u8>> {
    let (name, range) = (program.name_range(field)?, program.range(field));
    (name.end == range.end).then(|| program.slice(program.file(field), range.start..name.start).trim_ascii().to_vec())
}

fn accesses(program: &Program<'_>, field: EntityId) -> Option<Vec<Edit>> {
    let mut edits = Vec::new();
    for usage in program.editable_uses(field)? {
        let object = program.syntax.children(*usage).next().filter(|_| program.kind(*usage) == Kind::Member)?;
        let (inner, outer) = (program.range(object), program.range(*usage));
        if program.next_is(program.file(*usage), inner.end, "->").is_none() {
            edits.extend(program.hoist(*usage, object));
            continue;
        }
        let is_free =
            program.context(*usage).is_none_or(|id| !program.kind(id).is_expression() || is_binary(program, id));
        let (open, close) = if is_free { ("*", "") } else { ("(*", ")") };
        edits.push(program.put(*usage, outer.start..outer.start, open));
        edits.push(program.put(*usage, inner.end..outer.end, close));
    }
    Some(edits)
}

fn is_binary(program: &Program<'_>, id: NodeId) -> bool {
    matches!(program.kind(id), Kind::Binary | Kind::CompoundAssignment | Kind::Parentheses)
}

/// Replaces the name of the struct, with the keyword before it, at each use.
fn names(program: &Program<'_>, entity: EntityId, written: &[u8]) -> Option<Vec<Edit>> {
    let uses = program.editable_uses(entity)?.iter();
    let edit = |id: &NodeId| {
        let (file, range) = (program.file(*id), program.range(*id));
        let word = ["struct", "union", "class"].iter().find_map(|word| program.previous_is(file, range.start, word));
        let start = word.map_or(range.start, |token| token.range.start);
        program.put(*id, start..range.end, written)
    };
    Some(uses.map(edit).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::check_c;

    #[test]
    fn a_struct_of_one_field_is_its_field() {
        check_c(
            opportunities,
            &[
                (
                    "struct s { int f; };\nint g(struct s a, struct s *p) { return a.f + p->f; }",
                    &["int g(int a, int *p) { return a + *p; }"],
                ),
                (
                    "typedef struct { long f; } s; long g(s *p) { return -p->f; }",
                    &["typedef long s; long g(s *p) { return -(*p); }"],
                ),
                ("struct s { int f; } x = {1};", &["int x = {1};"]),
                ("struct s { int f, g; } x;", &[]),
                ("struct s { int f : 3; } x;", &[]),
                ("struct s { int f; } x = {.f = 1};", &[]),
            ],
        );
    }
}
