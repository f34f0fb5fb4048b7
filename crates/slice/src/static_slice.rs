//! The static backward slice: everything that a statement may depend on, for any input.

use crate::closure::{AnythingMayHappen, closure};
use crate::elements::ElementId;
use crate::graph::Graph;
use crate::slice::{Criterion, Slice, SliceError, kept_slice};
use lapidary_clang::{Kind, Syntax};

/// Returns the statements that may have influenced the criterion, and all that they need to
/// compile.
pub fn static_slice(units: &[Syntax], criterion: &Criterion) -> Result<Slice, SliceError> {
    crate::deep::on_a_deep_stack(|| {
        let graph = Graph::new(units);
        let kept = static_elements(&graph, criterion)?;
        Ok(kept_slice(&graph, &kept))
    })
}

/// Returns, for each element, whether it is in the static slice.
pub(crate) fn static_elements(graph: &Graph<'_>, criterion: &Criterion) -> Result<Vec<bool>, SliceError> {
    let seeds = elements_on_line(graph, criterion)?;
    Ok(closure(graph, &AnythingMayHappen(graph), &seeds, criterion.variable.as_deref()))
}

/// Returns the innermost elements that have code on the criterion's line.
pub(crate) fn elements_on_line(graph: &Graph<'_>, criterion: &Criterion) -> Result<Vec<ElementId>, SliceError> {
    let file = crate::slice::file_index(&graph.program.files, &criterion.file)
        .ok_or_else(|| SliceError::UnknownFile { file: criterion.file.clone() })?;
    let nowhere = || SliceError::NothingThere { file: criterion.file.clone(), line: criterion.line };
    let range = line_range(&graph.program.files[file].text, criterion.line).ok_or_else(nowhere)?;
    let tokens = graph.program.tokens_in(file, range);
    let text = &graph.program.files[file].text;
    let elements_at = |is_wanted: fn(u8) -> bool| {
        let starts = tokens.iter().map(|token| token.range.start).filter(|start| is_wanted(text[*start]));
        let mut found: Vec<_> = starts.filter_map(|start| innermost(graph, file, start)).collect();
        found.sort_unstable();
        found.dedup();
        found
    };
    // A brace or a semicolon belongs to the element around the statement that it ends, and matters
    // only if nothing else is on the line.
    let statements = elements_at(|byte| !matches!(byte, b'{' | b'}' | b';'));
    let mut found = if statements.is_empty() { elements_at(|_| true) } else { statements };
    found.retain(|id| graph.elements.get(*id).kind != Kind::InclusionDirective);
    match &criterion.variable {
        _ if found.is_empty() => Err(nowhere()),
        Some(name) if !found.iter().any(|id| names(graph, *id, name)) => Err(SliceError::NoSuchVariable {
            file: criterion.file.clone(),
            line: criterion.line,
            variable: name.clone(),
        }),
        _ => Ok(found),
    }
}

/// Returns whether an element uses or declares something of this name.
fn names(graph: &Graph<'_>, id: ElementId, name: &str) -> bool {
    let program = &graph.program;
    let named = |place| [program.referred(place), program.declared(place)].into_iter().flatten();
    let mut nodes = graph.elements.own_nodes(program, id);
    nodes.any(|place| named(place).any(|thing| program.name(thing) == name))
}

/// Returns the innermost element around an offset in a file.
fn innermost(graph: &Graph<'_>, file: usize, at: usize) -> Option<ElementId> {
    let around = graph.elements.ids().filter(|id| {
        let element = graph.elements.get(*id);
        element.file == file && element.range.contains(&at)
    });
    around.min_by_key(|id| (graph.elements.get(*id).range.len(), std::cmp::Reverse(*id)))
}

pub(crate) fn line_range(text: &[u8], line: u32) -> Option<std::ops::Range<usize>> {
    let mut start = 0;
    for _ in 1..line {
        start += text[start..].iter().position(|byte| *byte == b'\n')? + 1;
    }
    let length = text[start..].iter().position(|byte| *byte == b'\n').unwrap_or(text.len() - start);
    (line > 0).then_some(start..start + length)
}
