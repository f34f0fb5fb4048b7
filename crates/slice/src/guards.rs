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

/// The statements on a line and the conditions that guard them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grounds {
    /// The statements on the line, without their bodies.
    pub statements: Vec<Piece>,
    /// The innermost condition around each statement, including the keyword or punctuation that
    /// makes it one: `if (n > 3)`, `; n > 3;`.
    pub around: Vec<Piece>,
    /// Earlier conditions that decide whether the statements are reached.
    pub before: Vec<Decision>,
}

/// A condition that decides, by a jump, whether a later statement is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The condition in the form of [`Grounds::around`].
    pub condition: Piece,
    /// The jumps for which it is the innermost condition, each as the words that say where it goes.
    /// Empty if the condition decides about other conditions.
    pub jumps: Vec<Piece>,
}

impl Decision {
    /// Returns the condition and its jumps.
    pub fn pieces(&self) -> impl Iterator<Item = &Piece> {
        std::iter::once(&self.condition).chain(&self.jumps)
    }
}

/// Returns the statements on a line and the conditions that guard them. With a column, only the
/// innermost statement around it counts. Columns count from 1.
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
            let before = deciding(&graph, id).into_iter().filter(|other| !outer.contains(other) && *other != id);
            for deciding in before {
                let Some(condition) = condition(deciding) else { continue };
                let jumps = jumps_in(&graph, deciding).map(|(jump, word)| piece(&graph, jump, word)).collect();
                grounds.before.push(Decision { condition, jumps });
            }
        }
        let place = |piece: &Piece| (piece.file.clone(), piece.range.start, piece.range.end);
        for list in [&mut grounds.statements, &mut grounds.around] {
            list.sort_by_key(place);
            list.dedup();
        }
        grounds.before.sort_by_key(|decision| place(&decision.condition));
        grounds.before.dedup();
        Ok(grounds)
    })
}

/// Returns the innermost of these elements around a column of the criterion's line.
fn innermost_in(graph: &Graph<'_>, criterion: &Criterion, column: u32, found: &[ElementId]) -> Option<ElementId> {
    let file = graph.elements.get(*found.first()?).file;
    let line = crate::static_slice::line_range(&graph.program.files[file].text, criterion.line)?;
    let at = line.start + column.checked_sub(1)? as usize;
    let around = found.iter().copied().filter(|id| graph.elements.get(*id).range.contains(&at));
    around.min_by_key(|id| graph.elements.get(*id).range.len())
}

/// Returns the elements that decide, directly or indirectly, whether an element of the same
/// function runs.
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

/// Returns the jumps for which a condition is the innermost one around them.
fn jumps_in<'g>(graph: &'g Graph<'_>, id: ElementId) -> impl Iterator<Item = (ElementId, Range<usize>)> + 'g {
    let is_jump = move |jump: &ElementId| {
        let element = graph.elements.get(*jump);
        // A `throw` may be inside an expression that destroys temporary objects.
        let first = || graph.program.tokens_in(element.file, element.range.clone()).first();
        let throws = || first().is_some_and(|first| graph.program.token_text(element.file, first) == b"throw");
        matches!(element.kind, Kind::Return | Kind::Break | Kind::Continue | Kind::Goto) || throws()
    };
    let jumps = graph.elements.ids().filter(is_jump);
    let own = jumps
        .filter(move |jump| graph.elements.around(*jump).find(|outer| condition(graph, *outer).is_some()) == Some(id));
    own.filter_map(|jump| {
        let element = graph.elements.get(jump);
        let words = graph.program.tokens_in(element.file, element.range.clone());
        // The label belongs to a `goto`; the value does not belong to a `return`.
        let count = if element.kind == Kind::Goto { 2 } else { 1 };
        let last = words.get(count - 1)?;
        Some((jump, element.range.start..last.range.end))
    })
}

fn piece(graph: &Graph<'_>, id: ElementId, range: Range<usize>) -> Piece {
    Piece { file: graph.program.files[graph.elements.get(id).file].path.clone(), range }
}

/// Returns the text of a statement up to its body.
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

/// Returns the end of the first statement in a text. A macro may stand for several statements, or
/// for part of one.
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

/// Returns the condition of a statement that has one, with the text around it.
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
    // `for (;;)` has no condition.
    let has_code = program.tokens_in(element.file, range.clone()).len() > 2;
    has_code.then_some(range)
}
