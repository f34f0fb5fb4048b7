//! Follows the dependences backwards until nothing new is found.
//!
//! A statement in a function that was entered through a call of a kept statement does not bring in
//! the function's other callers. A statement that was reached from below, by a value it stored,
//! brings in all callers. These are the two phases of Horwitz, Reps and Binkley (TOPLAS 1990).
//! Statements are kept whole, so no summary edges are needed.

use crate::accesses::Effect;
use crate::elements::{CallableId, ElementId};
use crate::graph::{DataDependence, Graph};
use crate::program::Place;
use crate::text::bodies_of;
use lapidary_clang::Kind;

/// Evidence from a run: which of the possible dependences did occur.
pub(crate) trait Evidence {
    fn ran(&self, id: ElementId) -> bool;
    /// Returns the elements that decided whether an element runs.
    fn controllers(&self, id: ElementId) -> Vec<ElementId>;
    fn carried(&self, reader: ElementId, found: &DataDependence) -> bool;
    fn called(&self, callee: CallableId, site: ElementId) -> bool;
    /// Returns the statements whose values an element was seen to read.
    fn seen_writers(&self, reader: ElementId) -> Vec<ElementId>;
}

/// Evidence of no particular run: every possible dependence may occur.
pub(crate) struct AnythingMayHappen<'a, 'b>(pub(crate) &'b Graph<'a>);

impl Evidence for AnythingMayHappen<'_, '_> {
    fn ran(&self, _: ElementId) -> bool {
        true
    }

    fn controllers(&self, id: ElementId) -> Vec<ElementId> {
        self.0.controllers(id)
    }

    fn carried(&self, _: ElementId, _: &DataDependence) -> bool {
        true
    }

    fn called(&self, _: CallableId, _: ElementId) -> bool {
        true
    }

    fn seen_writers(&self, _: ElementId) -> Vec<ElementId> {
        Vec::new()
    }
}

/// Returns, for each element, whether the seeds depend on it. If a variable is named, only its
/// value is followed from the seeds themselves.
pub(crate) fn closure(
    graph: &Graph<'_>,
    evidence: &dyn Evidence,
    seeds: &[ElementId],
    variable: Option<&str>,
) -> Vec<bool> {
    let reached = vec![Reach::No; graph.elements.all.len()];
    let mut closure = Closure { graph, evidence, reached, asked: Vec::new(), pending: Vec::new() };
    for id in seeds {
        match variable {
            None => closure.reach(*id, Reach::FromBelow),
            Some(name) => closure.reach_variable(*id, name),
        }
    }
    closure.reach_always();
    closure.run();
    let mut kept: Vec<bool> = closure.reached.iter().map(|reach| *reach != Reach::No).collect();
    closure.asked.iter().for_each(|id| kept[id.index()] = true);
    kept
}

/// How an element came into the slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    No,
    /// Through a call or by its name. Its other callers do not matter.
    FromAbove,
    /// Through a value or an effect of its own. All its callers matter.
    FromBelow,
}

struct Closure<'a, 'b> {
    graph: &'b Graph<'a>,
    evidence: &'b dyn Evidence,
    reached: Vec<Reach>,
    /// Seeds with a named variable. They are kept, but not everything they read is followed.
    asked: Vec<ElementId>,
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
        while !self.pending.is_empty() {
            self.follow_all();
            self.reach_overrides();
        }
    }

    fn reach_overrides(&mut self) {
        for found in &self.graph.references.overrides {
            let stays = |id: ElementId| self.reached[id.index()] != Reach::No;
            if stays(found.pure) && stays(found.class) {
                self.reach(found.method, Reach::FromAbove);
            }
        }
    }

    fn follow_all(&mut self) {
        while let Some((id, reach)) = self.pending.pop() {
            self.follow_text(id, reach);
            if self.evidence.ran(id) {
                self.follow_control(id, reach);
                self.follow_data(id, reach);
                self.follow_calls(id);
            }
        }
    }

    /// Reaches the elements that must be present for this one to be present and compile.
    fn follow_text(&mut self, id: ElementId, reach: Reach) {
        let graph = self.graph;
        graph.elements.get(id).parent.into_iter().for_each(|parent| self.reach(parent, reach));
        let needed = &graph.references.needs[id.index()];
        needed.iter().for_each(|other| self.reach(*other, Reach::FromAbove));
    }

    fn follow_control(&mut self, id: ElementId, reach: Reach) {
        let (graph, evidence) = (self.graph, self.evidence);
        evidence.controllers(id).into_iter().for_each(|other| self.reach(other, reach));
        let labels = graph.references.labels.iter().filter(|(switch, label)| *switch == id && evidence.ran(*label));
        labels.for_each(|(_, label)| self.reach(*label, reach));
        let function = graph.function(id).or(graph.elements.get(id).callable);
        if let Some(callable) = function.filter(|_| reach == Reach::FromBelow) {
            let sites = graph.call_sites(callable).iter().filter(|site| evidence.called(callable, **site));
            sites.for_each(|site| self.reach(*site, Reach::FromBelow));
        }
    }

    fn follow_data(&mut self, id: ElementId, reach: Reach) {
        let (graph, evidence) = (self.graph, self.evidence);
        for found in graph.data(id).into_iter().filter(|found| evidence.carried(id, found)) {
            self.reach(found.writer, if found.is_shared { Reach::FromBelow } else { reach });
        }
        evidence.seen_writers(id).into_iter().for_each(|writer| self.reach(writer, Reach::FromBelow));
    }

    /// Reaches what a call needs: the code that produces its result, and the code that may keep it
    /// from returning.
    fn follow_calls(&mut self, id: ElementId) {
        let (graph, evidence) = (self.graph, self.evidence);
        let callees: Vec<_> = graph.facts(id).flat_map(|facts| facts.calls.iter().copied()).collect();
        for callee in callees.into_iter().filter(|callee| evidence.called(*callee, id)) {
            self.reach(graph.elements.callable(callee).element, Reach::FromAbove);
            let ends = graph.ends(callee).into_iter().filter(|end| evidence.ran(*end));
            ends.for_each(|end| self.reach(end, Reach::FromAbove));
        }
    }

    /// Keeps a statement and follows only this variable's history from it. The statement does not
    /// count as reached by that: anything that depends on the statement itself, for example in a
    /// later iteration of a loop, still brings in all that it reads.
    fn reach_variable(&mut self, id: ElementId, name: &str) {
        if self.is_decided_by_all(id, name) {
            return self.reach(id, Reach::FromBelow);
        }
        self.asked.push(id);
        self.follow_text(id, Reach::FromBelow);
        if self.evidence.ran(id) {
            self.follow_control(id, Reach::FromBelow);
        }
        let graph = self.graph;
        let all: Vec<_> = graph.data(id).into_iter().filter(|found| self.evidence.carried(id, found)).collect();
        let meant: Vec<_> = all.iter().copied().filter(|found| self.is_called(found.read_at, name)).collect();
        let followed = if meant.is_empty() { all } else { meant };
        followed.into_iter().for_each(|found| self.reach(found.writer, Reach::FromBelow));
    }

    /// Returns whether everything that a statement reads matters for the variable: because the
    /// statement writes the variable, or because it is a condition or a loop, whose header is kept
    /// whole.
    fn is_decided_by_all(&self, id: ElementId, name: &str) -> bool {
        let graph = self.graph;
        let governs = !bodies_of(&graph.program, graph.elements.get(id).places[0]).is_empty();
        let accesses = graph.facts(id).flat_map(|facts| &facts.accesses);
        let mut writes = accesses.filter(|access| access.effect != Effect::Read);
        governs || writes.any(|access| self.is_called(access.place, name))
    }

    /// Returns whether the thing used or declared at a place has this name.
    fn is_called(&self, place: Option<Place>, name: &str) -> bool {
        let program = &self.graph.program;
        let things = place.into_iter().flat_map(|place| [program.referred(place), program.declared(place)]);
        things.flatten().any(|thing| program.name(thing) == name)
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
