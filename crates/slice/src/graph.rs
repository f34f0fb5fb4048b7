//! The program dependence graph: for each element, the elements that decide whether it runs and
//! those that its values come from.

use crate::accesses::{Access, Effect, Facts, Reader, Spot};
use crate::calls::Callees;
use crate::cells::Cell;
use crate::control::{control_dependences, predecessors};
use crate::elements::{CallableId, ElementId, Elements};
use crate::flow::{ENTRY, Flow};
use crate::program::{Place, Program, Thing};
use crate::references::References;
use foldhash::{HashMap, HashMapExt, HashSet};
use lapidary_clang::Kind;

/// For each flow node of a function, the nodes that decide whether it runs.
pub(crate) type Controls = Vec<Vec<usize>>;

pub(crate) struct Graph<'a> {
    pub(crate) program: Program<'a>,
    pub(crate) elements: Elements,
    pub(crate) references: References,
    pub(crate) flows: Vec<Flow>,
    previous: Vec<Vec<Vec<usize>>>,
    controls: Vec<Controls>,
    /// The flow nodes of each element.
    pub(crate) nodes_of: Vec<Vec<(CallableId, usize)>>,
    /// The accesses and calls of declarations outside functions.
    outside: HashMap<ElementId, Facts>,
    writers: HashMap<Cell, Vec<(ElementId, Option<Place>)>>,
    call_sites: HashMap<CallableId, Vec<ElementId>>,
    pub(crate) may_stop: HashSet<CallableId>,
}

/// A value that an element uses, and an element that may have produced it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DataDependence {
    pub(crate) writer: ElementId,
    /// The expression that reads the value, if it denotes exactly that memory; `written_at`
    /// likewise for the write.
    pub(crate) read_at: Option<Place>,
    pub(crate) written_at: Option<Place>,
    /// Whether the value may come from any call of the writer, not only from the same activation of
    /// its function.
    pub(crate) is_shared: bool,
}

impl<'a> Graph<'a> {
    pub(crate) fn new(units: &'a [lapidary_clang::Syntax]) -> Graph<'a> {
        let program = Program::new(units);
        let elements = Elements::new(&program);
        let callees = Callees::new(&program, &elements);
        let references = References::new(&program, &elements);
        let mut reader = Reader::new(&program, &elements, &callees);
        let mut flows: Vec<_> =
            elements.callable_ids().map(|id| Flow::new(&program, &elements, &mut reader, id)).collect();
        let outside = facts_outside(&elements, &mut reader);
        drop(reader);
        let may_stop = stopping(&flows);
        flows.iter_mut().for_each(|flow| flow.connect_stops(&may_stop));
        let mut graph = Graph {
            previous: flows.iter().map(|flow| predecessors(&flow.successors())).collect(),
            controls: flows.iter().map(|flow| control_dependences(&flow.successors())).collect(),
            nodes_of: vec![Vec::new(); elements.all.len()],
            writers: HashMap::new(),
            call_sites: HashMap::new(),
            program,
            elements,
            references,
            flows,
            outside,
            may_stop,
        };
        graph.index();
        graph
    }

    fn index(&mut self) {
        let mut all = Vec::new();
        for (callable, flow) in self.elements.callable_ids().zip(&self.flows) {
            for (index, node) in flow.nodes.iter().enumerate() {
                self.nodes_of[node.element.index()].push((callable, index));
                all.push((node.element, &node.facts));
            }
        }
        all.extend(self.outside.iter().map(|(element, facts)| (*element, facts)));
        for (element, facts) in all {
            for access in facts.accesses.iter().filter(|access| access.effect != Effect::Read) {
                if let Spot::Shared(cell) = access.spot {
                    self.writers.entry(cell).or_default().push((element, access.place));
                }
            }
            for callee in &facts.calls {
                self.call_sites.entry(*callee).or_default().push(element);
            }
        }
        for list in self.writers.values_mut() {
            list.sort_unstable();
            list.dedup();
        }
    }

    /// Returns the facts of an element's flow nodes, and of its declarations outside functions.
    pub(crate) fn facts(&self, id: ElementId) -> impl Iterator<Item = &Facts> {
        let inside = self.nodes_of[id.index()].iter().map(|(callable, node)| &self.flow(*callable).nodes[*node].facts);
        inside.chain(self.outside.get(&id))
    }

    pub(crate) fn flow(&self, id: CallableId) -> &Flow {
        &self.flows[id.0 as usize]
    }

    /// Returns the elements that may decide whether an element runs.
    pub(crate) fn controllers(&self, id: ElementId) -> Vec<ElementId> {
        self.controllers_by(&self.controls, id)
    }

    /// Returns the elements that decide whether an element runs, given each function's control
    /// dependences.
    pub(crate) fn controllers_by(&self, controls: &[Controls], id: ElementId) -> Vec<ElementId> {
        let mut result = Vec::new();
        for (callable, node) in &self.nodes_of[id.index()] {
            let deciding = controls[callable.0 as usize][*node].iter();
            result.extend(deciding.map(|index| self.flow(*callable).nodes[*index].element));
        }
        result.sort_unstable();
        result.dedup();
        result
    }

    /// Returns the possible sources of the values that an element uses.
    pub(crate) fn data(&self, id: ElementId) -> Vec<DataDependence> {
        let mut result = Vec::new();
        for (callable, node) in &self.nodes_of[id.index()] {
            for access in reads(&self.flow(*callable).nodes[*node].facts) {
                match access.spot {
                    Spot::Private(thing) => self.reaching(*callable, *node, thing, access.place, &mut result),
                    Spot::Shared(cell) => self.written(cell, access.place, &mut result),
                }
            }
        }
        for access in self.outside.get(&id).into_iter().flat_map(reads) {
            if let Spot::Shared(cell) = access.spot {
                self.written(cell, access.place, &mut result);
            }
        }
        result.sort_unstable();
        result.dedup();
        result
    }

    /// Adds all elements that may write a cell, whenever they run.
    fn written(&self, cell: Cell, read_at: Option<Place>, result: &mut Vec<DataDependence>) {
        let writers = self.writers.get(&cell).into_iter().flatten();
        result.extend(writers.map(|(writer, written_at)| DataDependence {
            writer: *writer,
            read_at,
            written_at: *written_at,
            is_shared: true,
        }));
    }

    /// Returns the definitions of a variable that reach a flow node: those with a path to it that
    /// no other definition interrupts.
    fn reaching(
        &self,
        callable: CallableId,
        node: usize,
        thing: Thing,
        read_at: Option<Place>,
        result: &mut Vec<DataDependence>,
    ) {
        let flow = self.flow(callable);
        let previous = &self.previous[callable.0 as usize];
        let mut seen = vec![false; flow.nodes.len()];
        let mut pending = previous[node].clone();
        while let Some(at) = pending.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            let mut is_overwritten = false;
            let writes = flow.nodes[at].facts.accesses.iter().filter(|access| access.spot == Spot::Private(thing));
            for access in writes.filter(|access| access.effect != Effect::Read) {
                is_overwritten |= access.effect == Effect::Overwrite;
                let writer = flow.nodes[at].element;
                result.push(DataDependence { writer, read_at, written_at: access.place, is_shared: false });
            }
            if !is_overwritten {
                pending.extend(&previous[at]);
            }
        }
    }

    pub(crate) fn call_sites(&self, id: CallableId) -> &[ElementId] {
        self.call_sites.get(&id).map_or(&[], Vec::as_slice)
    }

    /// Returns the function that an element is the header of.
    pub(crate) fn function(&self, id: ElementId) -> Option<CallableId> {
        let is_function = self.elements.get(id).kind.is_function();
        let own = self.nodes_of[id.index()].iter().find(|(_, node)| *node == ENTRY).map(|(callable, _)| *callable);
        own.filter(|_| is_function)
    }

    /// Returns the elements where a function returns its result or ends in another way.
    pub(crate) fn ends(&self, id: CallableId) -> Vec<ElementId> {
        let stops = |facts: &Facts| {
            facts.throws || facts.exits || facts.calls.iter().any(|callee| self.may_stop.contains(callee))
        };
        let nodes = self.flow(id).nodes.iter();
        let ends = nodes.filter(|node| self.elements.get(node.element).kind == Kind::Return || stops(&node.facts));
        ends.map(|node| node.element).collect()
    }
}

fn reads(facts: &Facts) -> impl Iterator<Item = &Access> {
    facts.accesses.iter().filter(|access| access.effect == Effect::Read)
}

/// Collects the facts of globals, static members and field initialisers.
fn facts_outside(elements: &Elements, reader: &mut Reader<'_, '_>) -> HashMap<ElementId, Facts> {
    let mut result = HashMap::new();
    for id in elements.ids() {
        let element = elements.get(id);
        if element.callable.is_none() && !element.kind.is_function() && !element.kind.is_class() {
            result.insert(id, reader.facts(id, &element.places));
        }
    }
    result
}

/// Returns the functions that may throw or end the program, themselves or through a call.
fn stopping(flows: &[Flow]) -> HashSet<CallableId> {
    let mut found: HashSet<CallableId> = HashSet::default();
    loop {
        let before = found.len();
        for (index, flow) in flows.iter().enumerate() {
            let stops = flow.nodes.iter().any(|node| {
                node.facts.throws || node.facts.exits || node.facts.calls.iter().any(|callee| found.contains(callee))
            });
            if stops {
                found.insert(CallableId(index as u32));
            }
        }
        if found.len() == before {
            return found;
        }
    }
}
