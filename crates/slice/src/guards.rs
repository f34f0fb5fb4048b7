//! The statement on a line and the conditions that guard it.

use crate::elements::ElementId;
use crate::flow::for_separators;
use crate::graph::Graph;
use crate::slice::{Criterion, SliceError, statement_end};
use crate::static_slice::elements_on_line;
use crate::text::{bodies_of, header, header_from};
use lapidary_clang::{Kind, Syntax};
use std::ops::Range;
use std::path::PathBuf;

/// A piece of a program's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub file: PathBuf,
    pub range: Range<usize>,
}

/// What is around a statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grounds {
    /// The statements on the line, without what they govern.
    pub statements: Vec<Piece>,
    /// The innermost condition around each of them, with the word or the signs that make it one: `if (n > 3)`, `; n > 3;`.
    pub around: Vec<Piece>,
    /// Conditions before them that decide, by a jump, whether they are reached; likewise.
    pub before: Vec<Piece>,
}

/// The statements on a line and the conditions that guard them; of several, the one that has something in this column.
/// Columns count from 1.
pub fn grounds(units: &[Syntax], criterion: &Criterion, column: Option<u32>) -> Result<Grounds, SliceError> {
    crate::deep::on_a_deep_stack(|| {
        let graph = Graph::new(units);
        let mut grounds = Grounds::default();
        let mut found = elements_on_line(&graph, criterion)?;
        let meant = column.and_then(|column| innermost_in(&graph, criterion, column, &found));
        if let Some(meant) = meant {
            found = vec![meant];
        }
        let is_outer =
            |id: &ElementId| found.iter().any(|inner| graph.elements.around(*inner).any(|outer| outer == *id));
        for id in found.iter().copied().filter(|id| !is_outer(id)) {
            grounds.statements.push(piece(&graph, id, own_text(&graph, id)));
            let outer: Vec<_> = graph.elements.around(id).collect();
            let outer = outer.iter().take_while(|outer| !graph.elements.get(**outer).kind.is_function());
            let outer: Vec<_> = outer.copied().collect();
            let condition = |id: ElementId| condition(&graph, id).map(|range| piece(&graph, id, range));
            grounds.around.extend(outer.iter().copied().find_map(condition));
            let before = deciding(&graph, id).into_iter().filter(|deciding| !outer.contains(deciding));
            grounds.before.extend(before.filter(|deciding| *deciding != id).filter_map(condition));
        }
        for list in [&mut grounds.statements, &mut grounds.around, &mut grounds.before] {
            list.sort_by_key(|piece: &Piece| (piece.file.clone(), piece.range.start, piece.range.end));
            list.dedup();
        }
        Ok(grounds)
    })
}

/// The innermost of these elements around a column of the criterion's line.
fn innermost_in(graph: &Graph<'_>, criterion: &Criterion, column: u32, found: &[ElementId]) -> Option<ElementId> {
    let file = graph.elements.get(*found.first()?).file;
    let line = crate::static_slice::line_range(&graph.program.files[file].text, criterion.line)?;
    let at = line.start + column.checked_sub(1)? as usize;
    let around = found.iter().copied().filter(|id| graph.elements.get(*id).range.contains(&at));
    around.min_by_key(|id| graph.elements.get(*id).range.len())
}

/// What decides whether an element runs, and what decides whether that one does, in its function.
fn deciding(graph: &Graph<'_>, id: ElementId) -> Vec<ElementId> {
    let mut found = graph.controllers(id);
    let mut next = 0;
    while let Some(deciding) = found.get(next).copied() {
        next += 1;
        for further in graph.controllers(deciding) {
            if !found.contains(&further) {
                found.push(further);
            }
        }
    }
    found
}

fn piece(graph: &Graph<'_>, id: ElementId, range: Range<usize>) -> Piece {
    Piece { file: graph.program.files[graph.elements.get(id).file].path.clone(), range }
}

/// The text of a statement up to what it governs.
fn own_text(graph: &Graph<'_>, id: ElementId) -> Range<usize> {
    let element = graph.elements.get(id);
    let (start, end) = (element.range.start, statement_end(graph, id));
    let body =
        bodies_of(&graph.program, element.places[0]).first().map(|body| graph.program.node(*body).start as usize);
    match condition(graph, id) {
        Some(condition) if element.kind == Kind::Do => condition,
        _ => {
            let end = body.filter(|body| *body > start).unwrap_or(end);
            start..first_end(graph, element.file, start..end)
        }
    }
}

/// Where the first statement in a text ends. A macro may stand for several, or for a part of one.
fn first_end(graph: &Graph<'_>, file: usize, range: Range<usize>) -> usize {
    let mut depth = 0;
    for token in graph.program.tokens_in(file, range.clone()) {
        match graph.program.token_text(file, token) {
            b"(" | b"[" | b"{" => depth += 1,
            b")" | b"]" | b"}" => depth -= 1,
            b";" if depth <= 0 => return token.range.start,
            _ => {}
        }
    }
    range.end
}

/// The condition of a statement that has one, with what is around it.
fn condition(graph: &Graph<'_>, id: ElementId) -> Option<Range<usize>> {
    let element = graph.elements.get(id);
    let (program, place) = (&graph.program, element.places[0]);
    let range = match element.kind {
        Kind::For => for_separators(program, place).map(|(first, second)| first..second + 1)?,
        Kind::If | Kind::Switch | Kind::While | Kind::RangeFor => {
            program.node(place).start as usize..header(program, place)?.end
        }
        Kind::Do => {
            let body = program.node(*bodies_of(program, place).first()?).end as usize;
            body..header_from(program, place, body)?.end
        }
        _ => return None,
    };
    // `for (;;)` has none.
    let has_code = program.tokens_in(element.file, range.clone()).len() > 2;
    has_code.then_some(range)
}
