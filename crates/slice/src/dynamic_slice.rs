//! The dynamic backward slice: everything that a statement did depend on in one run.
//!
//! The trace says which statements ran, which functions were called from where, and which statement
//! read a value that another had written. Each fact is recorded once, however often it occurred. A
//! kept statement runs as often in the slice as it did in the program, so the slice contains the
//! dependences of all its executions (the second approach of Agrawal and Horgan, PLDI 1990). Where
//! nothing could be observed, every possible dependence between statements that ran is assumed.

use crate::closure::{Evidence, closure};
use crate::control::control_dependences;
use crate::elements::{CallableId, ElementId};
use crate::flow::{ENTRY, EXIT, Flow, FlowNode};
use crate::graph::{Controls, DataDependence};
use crate::instrument::Instrumented;
use crate::known::{KnownValue, VALUE, known_values};
use crate::slice::{Criterion, Slice, SliceError, kept_slice};
use crate::static_slice::elements_on_line;
use foldhash::HashSet;
use lapidary_clang::Kind;

/// Returns the statements that influenced the criterion in the run that left this trace. Without a
/// criterion, the slice is that of the statement that ran last.
pub fn dynamic_slice(
    instrumented: &Instrumented<'_>,
    trace: &[u8],
    criterion: Option<&Criterion>,
) -> Result<Slice, SliceError> {
    crate::deep::on_a_deep_stack(|| {
        let graph = &instrumented.graph;
        let run = Run::read(instrumented, trace)?;
        let seeds = match criterion {
            Some(criterion) => {
                let seeds = elements_on_line(graph, criterion)?;
                if !seeds.iter().any(|seed| run.ran(*seed)) {
                    return Err(SliceError::NotReached { file: criterion.file.clone(), line: criterion.line });
                }
                seeds
            }
            None => vec![run.last.ok_or(SliceError::BadTrace { reason: "nothing ran" })?],
        };
        let variable = criterion.and_then(|criterion| criterion.variable.as_deref());
        Ok(kept_slice(graph, &closure(graph, &run, &seeds, variable)))
    })
}

/// Returns the values that expressions had in the run that left this trace.
pub fn values_in(instrumented: &Instrumented<'_>, trace: &[u8]) -> Vec<KnownValue> {
    let values = trace.get(HEAD + 8 * PAIRS..).and_then(|rest| rest.get(..VALUE * instrumented.given.len()));
    values.map_or_else(Vec::new, |values| known_values(instrumented, values))
}

/// A trace, read together with the program that produced it.
struct Run<'a, 'b> {
    instrumented: &'b Instrumented<'a>,
    ran: &'b [u8],
    last: Option<ElementId>,
    /// Whether the trace was too small for everything that happened.
    is_incomplete: bool,
    /// For each read, the reader and the statement that wrote the value.
    reads: Vec<(ElementId, ElementId)>,
    calls: HashSet<(CallableId, ElementId)>,
    controls: Vec<Controls>,
}

const MAGIC: u64 = 0x3150_4147_4e4f_4c4c;
const HEAD: usize = 24;
const PAIRS: usize = 1 << 20;

impl<'a, 'b> Run<'a, 'b> {
    fn read(instrumented: &'b Instrumented<'a>, trace: &'b [u8]) -> Result<Run<'a, 'b>, SliceError> {
        let elements = instrumented.graph.elements.all.len();
        let bad = |reason| SliceError::BadTrace { reason };
        let word =
            |at: usize| trace.get(at..at + 8).map(|bytes| u64::from_le_bytes(bytes.try_into().expect("eight bytes")));
        let half =
            |at: usize| trace.get(at..at + 4).map(|bytes| u32::from_le_bytes(bytes.try_into().expect("four bytes")));
        if word(0) != Some(MAGIC) {
            return Err(bad("it does not begin like a trace"));
        }
        let values = VALUE * instrumented.given.len().max(1);
        let ran = trace
            .get(HEAD + 8 * PAIRS + values..)
            .and_then(|rest| rest.get(..elements))
            .ok_or(bad("it is too short"))?;
        if half(8) != Some(elements.max(1) as u32) {
            return Err(bad("it has a different number of statements"));
        }
        let mut run = Run {
            instrumented,
            ran,
            last: half(12).filter(|last| (*last as usize) < elements).map(ElementId),
            is_incomplete: half(16) != Some(0),
            reads: Vec::new(),
            calls: HashSet::default(),
            controls: Vec::new(),
        };
        let pairs = (0..PAIRS).filter_map(|slot| word(HEAD + 8 * slot)).filter(|key| *key != 0);
        pairs.for_each(|key| run.note(key - 1, elements as u64));
        run.reads.sort_unstable();
        run.controls = run.controls();
        Ok(run)
    }

    fn note(&mut self, key: u64, elements: u64) {
        const PART: u64 = (1 << 31) - 1;
        let (kind, from, to) = (key >> 62, key >> 31 & PART, key & PART);
        if to >= elements {
            return;
        }
        match kind {
            0 if from < elements => self.reads.push((ElementId(from as u32), ElementId(to as u32))),
            1 => drop(self.calls.insert((CallableId(from as u32), ElementId(to as u32)))),
            _ => {}
        }
    }

    /// Computes control dependences without the statements that did not run and without the edges
    /// for calls that could have stopped but did not. Both would stand between a jump that did run
    /// and the statements it decides.
    fn controls(&self) -> Vec<Controls> {
        let stopped = self.stopped();
        let successors = |node: &FlowNode| match self.ran(node.element) {
            false => vec![self.passed(node)],
            true if self.may_have_stopped(node.element, &stopped) => node.successors(),
            true => node.next.clone(),
        };
        let flow = |flow: &Flow| {
            let mut all: Vec<_> = flow.nodes.iter().map(successors).collect();
            all[EXIT] = Vec::new();
            all[ENTRY].clone_from(&flow.nodes[ENTRY].next);
            control_dependences(&all)
        };
        self.instrumented.graph.flows.iter().map(flow).collect()
    }

    /// Returns where control goes when a node is skipped.
    fn passed(&self, node: &FlowNode) -> usize {
        let kind = self.instrumented.graph.elements.get(node.element).kind;
        let jumps = matches!(kind, Kind::Return | Kind::Break | Kind::Continue);
        node.next.get(usize::from(jumps)).copied().unwrap_or(EXIT)
    }

    /// Returns whether control may have left an element for a handler, or for nowhere, instead of
    /// going on to the next statement.
    fn may_have_stopped(&self, id: ElementId, stopped: &HashSet<ElementId>) -> bool {
        let graph = &self.instrumented.graph;
        let is_hidden = graph.program.node(graph.elements.get(id).places[0]).in_macro;
        let mut around = graph.elements.around(id).filter(|outer| graph.elements.get(*outer).kind == Kind::Try);
        is_hidden || stopped.contains(&id) || around.any(|handler| self.has_caught(handler))
    }

    /// Returns whether a handler may have run: one of its statements did, or it has none.
    fn has_caught(&self, id: ElementId) -> bool {
        let graph = &self.instrumented.graph;
        let place = graph.elements.get(id).places[0];
        let handlers = graph.program.children(place).filter(|child| graph.program.node(*child).kind == Kind::Catch);
        let starts: Vec<_> = handlers.map(|handler| graph.program.node(handler).range()).collect();
        starts.iter().any(|range| {
            let mut inside = graph.elements.ids().filter(|inner| {
                let element = graph.elements.get(*inner);
                element.parent == Some(id) && range.contains(&element.range.start)
            });
            let first = inside.next();
            first.is_none_or(|first| self.ran(first))
        })
    }

    /// Returns the elements that threw or ended the program, or called something that did.
    fn stopped(&self) -> HashSet<ElementId> {
        let graph = &self.instrumented.graph;
        let (mut elements, mut functions) = (HashSet::default(), HashSet::default());
        loop {
            let before = elements.len();
            for (callable, flow) in graph.elements.callable_ids().zip(&graph.flows) {
                for node in flow.nodes.iter().filter(|node| self.ran(node.element)) {
                    let FlowNode { element, facts, .. } = node;
                    let mut called = facts
                        .calls
                        .iter()
                        .filter(|callee| functions.contains(*callee) && self.called(**callee, *element));
                    if facts.throws || facts.exits || called.next().is_some() {
                        elements.insert(*element);
                        functions.insert(callable);
                    }
                }
            }
            if elements.len() == before {
                return elements;
            }
        }
    }

    fn has_read(&self, reader: ElementId, writer: ElementId) -> bool {
        self.reads.binary_search(&(reader, writer)).is_ok()
    }
}

impl Evidence for Run<'_, '_> {
    fn ran(&self, id: ElementId) -> bool {
        !self.instrumented.watched.statements[id.index()] || self.ran[id.index()] != 0
    }

    /// Statements inside a control structure keep it anyway, because they are inside it. Statements
    /// after it depend on it only through a jump, and then they depend on the jump.
    fn controllers(&self, id: ElementId) -> Vec<ElementId> {
        let graph = &self.instrumented.graph;
        let governs = |kind: Kind| kind.is_loop() || matches!(kind, Kind::If | Kind::Switch | Kind::Try);
        let all = graph.controllers_by(&self.controls, id).into_iter();
        all.filter(|other| !governs(graph.elements.get(*other).kind) && self.ran(*other)).collect()
    }

    fn carried(&self, reader: ElementId, found: &DataDependence) -> bool {
        let values = &self.instrumented.watched.values;
        let is_watched = |place: Option<_>| place.is_some_and(|place| values.contains(&place));
        let is_known = is_watched(found.read_at) && is_watched(found.written_at) && !self.is_incomplete;
        self.ran(found.writer) && (!is_known || self.has_read(reader, found.writer))
    }

    fn called(&self, callee: CallableId, site: ElementId) -> bool {
        let graph = &self.instrumented.graph;
        // The constructors of bases and members run before a constructor is seen to begin, and
        // destructors run late.
        let kind = graph.program.node(graph.elements.callable(callee).place).kind;
        let is_known = !matches!(kind, Kind::Constructor | Kind::Destructor)
            && self.instrumented.watched.functions[callee.0 as usize]
            && self.instrumented.watched.statements[site.index()]
            && !self.is_incomplete;
        self.ran(site) && (!is_known || self.calls.contains(&(callee, site)))
    }

    fn seen_writers(&self, reader: ElementId) -> Vec<ElementId> {
        let start = self.reads.partition_point(|(from, _)| *from < reader);
        self.reads[start..].iter().take_while(|(from, _)| *from == reader).map(|(_, writer)| *writer).collect()
    }
}
