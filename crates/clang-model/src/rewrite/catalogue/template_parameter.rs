//! Removes a template parameter that the template does not use, with its written arguments.

use super::instantiate::{header, list_after, parameters};
use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{Kind, NodeId};
use std::ops::Range;

pub(crate) const KIND: &str = "template parameter";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let templates =
        program.nodes().filter(|id| matches!(program.kind(*id), Kind::ClassTemplate | Kind::FunctionTemplate));
    templates.flat_map(|id| unused(program, id)).collect()
}

fn unused(program: &Program<'_>, template: NodeId) -> Vec<Opportunity> {
    let Some(parameters) = parameters(program, template) else { return Vec::new() };
    let is_unused = |id: NodeId| program.syntax.node(id).declares.is_some_and(|entity| program.uses(entity).is_empty());
    let found = (0..parameters.len()).filter(|at| is_unused(parameters[*at]));
    let found = found.filter_map(|at| Some((parameters[at], dropped(program, template, at, parameters.len())?)));
    found.map(|(id, edits)| program.opportunity(KIND, id, "drop", edits)).collect()
}

fn dropped(program: &Program<'_>, template: NodeId, at: usize, count: usize) -> Option<Vec<Edit>> {
    let entity = program.syntax.node(template).declares?;
    let mut edits = Vec::new();
    for declaration in program.declarations(entity)? {
        let list = program.angle_brackets(program.file(declaration), word_end(program, declaration)?)?;
        let range = if count == 1 { header(program, declaration)? } else { element(program, declaration, &list, at)? };
        edits.push(program.delete(declaration, range));
    }
    for usage in program.editable_uses(entity)? {
        let Some(list) = list_after(program, *usage) else { continue };
        let range = if count == 1 { Some(list) } else { element(program, *usage, &list, at) };
        edits.extend(range.map(|range| program.delete(*usage, range)));
    }
    Some(edits)
}

fn word_end(program: &Program<'_>, template: NodeId) -> Option<usize> {
    let word = program.next_is(program.file(template), program.range(template).start, "template")?;
    Some(word.range.end)
}

/// Returns the range of an element of a list with the comma that separates it from its neighbour.
fn element(program: &Program<'_>, id: NodeId, list: &Range<usize>, at: usize) -> Option<Range<usize>> {
    let parts = program.list(program.file(id), list.start + 1..list.end - 1);
    let part = parts.get(at)?.clone();
    Some(match (at.checked_sub(1).map(|before| &parts[before]), parts.get(at + 1)) {
        (Some(before), _) => before.end..part.end,
        (None, Some(after)) => part.start..after.start,
        (None, None) => part,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::check_cpp;

    #[test]
    fn unused_parameters_go_with_their_arguments() {
        check_cpp(
            opportunities,
            &[
                (
                    "template <class T, int N = 3> struct B { T t; }; B<int, 4> b; B<int> c;",
                    &["template <class T> struct B { T t; }; B<int> b; B<int> c;"],
                ),
                (
                    "template <class T, class U> struct B { U t; }; B<int, char> b;",
                    &["template <class U> struct B { U t; }; B<char> b;"],
                ),
                ("template <class T> int f() { return 1; } int x = f<int>();", &["int f() { return 1; } int x = f();"]),
            ],
        );
    }
}
