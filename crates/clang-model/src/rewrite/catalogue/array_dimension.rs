//! Removes the first dimension of an array, and the first index of each use: `int a[3][4]`,
//! `a[i][j]` → `int a[4]`, `a[j]`. An array of one dimension becomes its element.

use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{EntityId, Kind, NodeId, TypeClass};

pub(crate) const KIND: &str = "array dimension";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let declared = program.nodes().filter(|id| matches!(program.kind(*id), Kind::Variable | Kind::Field));
    let arrays = declared.filter(|id| program.syntax.type_of(*id).is_some_and(|found| found.class == TypeClass::Array));
    let found = arrays.filter_map(|id| Some((id, flattened(program, id)?)));
    found.map(|(id, edits)| program.opportunity(KIND, id, "take a dimension from", edits)).collect()
}

fn flattened(program: &Program<'_>, id: NodeId) -> Option<Vec<Edit>> {
    let entity = program.syntax.node(id).declares?;
    let mut edits = uses(program, entity)?;
    for declaration in program.declarations(entity)? {
        let name = program.name_range(declaration)?;
        let open = program.next_is(program.file(declaration), name.end, "[")?.range.start;
        let close = program.past_bracket(program.file(declaration), open)?;
        edits.push(program.delete(declaration, name.end..close));
        edits.extend(first_element(program, declaration)?);
    }
    Some(edits)
}

/// Removes the index or the star of each use. `None` if a use has neither.
fn uses(program: &Program<'_>, entity: EntityId) -> Option<Vec<Edit>> {
    let uses = program.editable_uses(entity)?.iter();
    let edit = |usage: &NodeId| {
        let around = program.context(*usage)?;
        let (inner, outer) = (program.range(*usage), program.range(around));
        let is_base = program.syntax.children(around).next() == Some(program.outermost(*usage));
        match program.kind(around) {
            Kind::Subscript if is_base => Some(program.delete(around, inner.end..outer.end)),
            Kind::Unary if program.sign(around) == Some(b"*") => Some(program.delete(around, outer.start..inner.start)),
            _ => None,
        }
    };
    uses.map(edit).collect()
}

/// Makes the first element of the initialiser initialise the rest of the array.
fn first_element(program: &Program<'_>, declaration: NodeId) -> Option<Vec<Edit>> {
    let Some(initialisation) = program.initialisation(declaration) else { return Some(Vec::new()) };
    let value = program.peeled(program.initialiser(declaration)?);
    let first = program.syntax.children(value).next();
    match (program.kind(value), first) {
        (Kind::InitialiserList, Some(first)) if !is_designated(program, first) => {
            Some(program.keep_only(&program.range(value), value, &program.range(first)))
        }
        _ => Some(vec![program.delete(declaration, initialisation)]),
    }
}

fn is_designated(program: &Program<'_>, element: NodeId) -> bool {
    program.previous_is(program.file(element), program.range(element).start, "=").is_some() || program.in_macro(element)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::check_c;

    #[test]
    fn the_first_dimension_goes_with_the_first_index() {
        check_c(
            opportunities,
            &[
                ("int a[3][4]; int f(int i) { return a[i][2]; }", &["int a[4]; int f(int i) { return a[2]; }"]),
                ("int a[3] = {1, 2}; int f(void) { return a[1] + *a; }", &["int a = 1; int f(void) { return a + a; }"]),
                ("int a[2][2] = {{1, 2}, {3}};", &["int a[2] = {1, 2};"]),
                ("char a[] = \"x\";", &["char a;"]),
                ("int a[3]; int *f(void) { return a; }", &[]),
            ],
        );
    }
}
