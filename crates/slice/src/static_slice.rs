//! The static backward slice: everything that a statement may depend on, whatever the input.
//!
//! A statement inside of a function that was entered through a call of a kept statement brings nothing of the other
//! callers with it; one that was reached from below, by a value it stored, brings all callers (the two phases of
//! Horwitz, Reps and Binkley, TOPLAS 1990). Statements are kept whole, so that no summary edges are needed.

use crate::elements::ElementId;
use crate::graph::{DataDependence, Graph};
use crate::slice::{Criterion, Slice, SliceError, kept_slice};
use lapidary_clang::{Kind, Syntax};

/// The statements that may have influenced the criterion, with all that they need to compile.
pub fn static_slice(units: &[Syntax], criterion: &Criterion) -> Result<Slice, SliceError> {
    crate::deep::on_a_deep_stack(|| {
        let graph = Graph::new(units);
        let kept = static_elements(&graph, criterion)?;
        Ok(kept_slice(&graph, &kept))
    })
}

/// Which elements are in the static slice.
pub(crate) fn static_elements(graph: &Graph<'_>, criterion: &Criterion) -> Result<Vec<bool>, SliceError> {
    let seeds = elements_on_line(graph, criterion)?;
    let mut closure = Closure { graph, reached: vec![Reach::No; graph.elements.all.len()], pending: Vec::new() };
    for id in seeds {
        match &criterion.variable {
            None => closure.reach(id, Reach::FromBelow),
            Some(name) => closure.reach_variable(id, name),
        }
    }
    closure.reach_always();
    closure.run();
    Ok(closure.reached.iter().map(|reach| *reach != Reach::No).collect())
}

/// The innermost elements that the criterion's line has code of.
pub(crate) fn elements_on_line(graph: &Graph<'_>, criterion: &Criterion) -> Result<Vec<ElementId>, SliceError> {
    let file = crate::slice::file_index(&graph.program.files, &criterion.file)
        .ok_or_else(|| SliceError::UnknownFile { file: criterion.file.clone() })?;
    let nowhere = || SliceError::NothingThere { file: criterion.file.clone(), line: criterion.line };
    let range = line_range(&graph.program.files[file].text, criterion.line).ok_or_else(nowhere)?;
    let tokens = graph.program.tokens_in(file, range);
    let starts: Vec<_> = tokens.iter().map(|token| token.range.start).collect();
    let mut found: Vec<_> = starts.iter().filter_map(|start| innermost(graph, file, *start)).collect();
    found.sort_unstable();
    found.dedup();
    // Closing braces belong to what is around; they matter only if nothing else is on the line.
    let statements: Vec<_> = found.iter().copied().filter(|id| begins_within(graph, *id, &starts)).collect();
    let found = if statements.is_empty() { found } else { statements };
    if found.is_empty() { Err(nowhere()) } else { Ok(found) }
}

fn begins_within(graph: &Graph<'_>, id: ElementId, starts: &[usize]) -> bool {
    let element = graph.elements.get(id);
    let text = &graph.program.files[element.file].text;
    starts.iter().any(|start| element.range.contains(start) && !matches!(text[*start], b'{' | b'}' | b';'))
}

/// The innermost element around a place in a file.
fn innermost(graph: &Graph<'_>, file: usize, at: usize) -> Option<ElementId> {
    let around = graph.elements.ids().filter(|id| {
        let element = graph.elements.get(*id);
        element.file == file && element.range.contains(&at)
    });
    around.min_by_key(|id| (graph.elements.get(*id).range.len(), std::cmp::Reverse(*id)))
}

fn line_range(text: &[u8], line: u32) -> Option<std::ops::Range<usize>> {
    let mut start = 0;
    for _ in 1..line {
        start += text[start..].iter().position(|byte| *byte == b'\n')? + 1;
    }
    let length = text[start..].iter().position(|byte| *byte == b'\n').unwrap_or(text.len() - start);
    (line > 0).then_some(start..start + length)
}

/// How an element came into the slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    No,
    /// By a call: its other callers are of no interest.
    FromAbove,
    /// By what it does: whoever calls it matters.
    FromBelow,
}

struct Closure<'a, 'b> {
    graph: &'b Graph<'a>,
    reached: Vec<Reach>,
    pending: Vec<(ElementId, Reach)>,
}

impl Closure<'_, '_> {
    fn reach(&mut self, id: ElementId, reach: Reach) {
        if self.reached[id.index()] < reach {
            self.reached[id.index()] = reach;
            self.pending.push((id, reach));
        }
    }

    fn run(&mut self) {
        while let Some((id, reach)) = self.pending.pop() {
            self.follow_structure(id, reach);
            self.graph.data(id).into_iter().for_each(|found| self.follow_data(found, reach));
            self.follow_calls(id);
        }
    }

    fn follow_structure(&mut self, id: ElementId, reach: Reach) {
        let graph = self.graph;
        let element = graph.elements.get(id);
        element.parent.into_iter().for_each(|parent| self.reach(parent, reach));
        graph.controllers(id).into_iter().for_each(|other| self.reach(other, reach));
        let needed = &graph.references.needs[id.index()];
        needed.iter().for_each(|other| self.reach(*other, Reach::FromAbove));
        let function = graph.function(id).or(element.callable);
        if let Some(callable) = function.filter(|_| reach == Reach::FromBelow) {
            graph.call_sites(callable).iter().for_each(|site| self.reach(*site, Reach::FromBelow));
        }
    }

    fn follow_data(&mut self, found: DataDependence, reach: Reach) {
        self.reach(found.writer, if found.is_shared { Reach::FromBelow } else { reach });
    }

    /// A call needs what makes its result, and what may keep it from coming back.
    fn follow_calls(&mut self, id: ElementId) {
        let graph = self.graph;
        let callees: Vec<_> = graph.facts(id).flat_map(|facts| facts.calls.iter().copied()).collect();
        for callee in callees {
            self.reach(graph.elements.callable(callee).element, Reach::FromAbove);
            graph.ends(callee).into_iter().for_each(|end| self.reach(end, Reach::FromAbove));
        }
    }

    /// The criterion with one variable: the statement stays, and only this variable's history is followed from it.
    fn reach_variable(&mut self, id: ElementId, name: &str) {
        let graph = self.graph;
        self.reached[id.index()] = Reach::FromBelow;
        self.follow_structure(id, Reach::FromBelow);
        let is_meant = |place: Option<crate::program::Place>| {
            place.and_then(|place| graph.program.referred(place)).is_some_and(|thing| graph.program.name(thing) == name)
        };
        let all = graph.data(id);
        let meant: Vec<_> = all.iter().copied().filter(|found| is_meant(found.read_at)).collect();
        let followed = if meant.is_empty() { all } else { meant };
        followed.into_iter().for_each(|found| self.follow_data(found, Reach::FromBelow));
    }

    fn reach_always(&mut self) {
        for id in self.graph.references.always.clone() {
            let mut around = self.graph.elements.around(id);
            if around.all(|outer| self.graph.elements.get(outer).kind == Kind::Linkage) {
                self.reach(id, Reach::FromAbove);
            }
        }
    }
}
