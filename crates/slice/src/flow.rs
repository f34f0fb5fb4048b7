//! The control-flow graph of a function: the order in which its parts may run.
//!
//! A jump has an edge to its target and one to the statement that would follow without it. Whatever
//! runs, or does not run, because of the jump therefore depends on it (Ball and Horwitz, AADEBUG
//! 1993). A call that may not return is such a jump.

use crate::accesses::{Facts, Reader};
use crate::elements::{CallableId, ElementId, Elements};
use crate::program::{Place, Program, Thing};
use crate::text::bodies_of;
use foldhash::{HashMap, HashMapExt, HashSet};
use lapidary_clang::Kind;

pub(crate) const EXIT: usize = 0;
pub(crate) const ENTRY: usize = 1;

pub(crate) struct FlowNode {
    pub(crate) element: ElementId,
    pub(crate) facts: Facts,
    /// The successors. After a jump, also the node that would follow without the jump.
    pub(crate) next: Vec<usize>,
    /// The successors if something that is called does not return.
    pub(crate) stops: Vec<usize>,
}

impl FlowNode {
    pub(crate) fn successors(&self) -> Vec<usize> {
        self.next.iter().chain(&self.stops).copied().collect()
    }
}

/// The graph of one function. It begins at node [`ENTRY`] and ends at node [`EXIT`].
pub(crate) struct Flow {
    pub(crate) nodes: Vec<FlowNode>,
}

impl Flow {
    pub(crate) fn new<'a, 'b>(
        program: &'b Program<'a>,
        elements: &'b Elements,
        reader: &mut Reader<'a, 'b>,
        id: CallableId,
    ) -> Flow {
        let callable = elements.callable(id);
        let mut builder = Builder {
            program,
            elements,
            reader,
            nodes: Vec::new(),
            labels: HashMap::new(),
            gotos: Vec::new(),
            element: callable.element,
        };
        builder.add(callable.element, &[]);
        let own = builder.parts_of_entry(callable.place, callable.body);
        builder.add(callable.element, &own);
        let targets = Targets { next: EXIT, ..Targets::default() };
        let first = builder.statement(callable.body, &targets, &mut Vec::new());
        builder.nodes[ENTRY].next = vec![first, EXIT];
        builder.connect_gotos();
        Flow { nodes: builder.nodes }
    }

    /// Adds an edge to the exit to each call of a function that may not return.
    pub(crate) fn connect_stops(&mut self, may_stop: &HashSet<CallableId>) {
        for node in &mut self.nodes {
            if node.facts.calls.iter().any(|id| may_stop.contains(id)) {
                node.stops.push(EXIT);
            }
        }
    }

    /// Returns all successors of each node.
    pub(crate) fn successors(&self) -> Vec<Vec<usize>> {
        self.nodes.iter().map(FlowNode::successors).collect()
    }
}

/// The nodes that control may go to from a statement.
#[derive(Clone, Default)]
struct Targets {
    next: usize,
    after_break: usize,
    after_continue: usize,
    /// The handlers of the enclosing `try` blocks, innermost first.
    handlers: Vec<usize>,
}

struct Builder<'a, 'b, 'c> {
    program: &'b Program<'a>,
    elements: &'b Elements,
    reader: &'c mut Reader<'a, 'b>,
    nodes: Vec<FlowNode>,
    labels: HashMap<Thing, usize>,
    gotos: Vec<(usize, Option<Thing>)>,
    element: ElementId,
}

impl Builder<'_, '_, '_> {
    fn add(&mut self, element: ElementId, parts: &[Place]) -> usize {
        let facts = self.reader.facts(element, parts);
        self.nodes.push(FlowNode { element, facts, next: Vec::new(), stops: Vec::new() });
        self.nodes.len() - 1
    }

    /// Adds a node for the parts of a statement that run before control goes on, with all its
    /// successors.
    fn step(&mut self, place: Place, parts: &[Place], next: &[usize], targets: &Targets) -> usize {
        let element = self.elements.owner(place).unwrap_or(self.element);
        let index = self.add(element, parts);
        let node = &mut self.nodes[index];
        node.next = next.to_vec();
        if node.facts.has_call || node.facts.throws {
            node.stops.extend(&targets.handlers);
        }
        if node.facts.throws || node.facts.exits {
            node.stops.push(EXIT);
        }
        index
    }

    /// Returns the parameters and member initialisers, which run on entry to the function.
    fn parts_of_entry(&self, place: Place, body: Place) -> Vec<Place> {
        self.program.children(place).filter(|child| *child != body).collect()
    }

    /// Adds a statement and returns its first node. Labels of a `switch` are collected in `cases`.
    fn statement(&mut self, place: Place, targets: &Targets, cases: &mut Vec<usize>) -> usize {
        match self.program.node(place).kind {
            Kind::Compound => self.block(place, targets, cases),
            Kind::If => self.condition(place, targets, cases),
            Kind::While | Kind::RangeFor => self.while_loop(place, targets, cases),
            Kind::Do => self.do_loop(place, targets, cases),
            Kind::For => self.for_loop(place, targets, cases),
            Kind::Switch => self.switch(place, targets),
            Kind::Case | Kind::Default => {
                let label = self.labelled(place, targets, cases);
                cases.push(label);
                label
            }
            Kind::Label => {
                let label = self.labelled(place, targets, cases);
                self.labels.extend(self.program.declared(place).map(|thing| (thing, label)));
                label
            }
            Kind::Try => self.try_blocks(place, targets, cases),
            Kind::Return => self.step(place, &[place], &[EXIT, targets.next], targets),
            Kind::Break => self.step(place, &[place], &[targets.after_break, targets.next], targets),
            Kind::Continue => self.step(place, &[place], &[targets.after_continue, targets.next], targets),
            Kind::Goto => self.goto(place, targets),
            _ => self.plain(place, targets),
        }
    }

    fn plain(&mut self, place: Place, targets: &Targets) -> usize {
        let index = self.step(place, &[place], &[targets.next], targets);
        let hidden = self.hidden_jumps(place, targets);
        self.nodes[index].next.extend(hidden);
        index
    }

    /// Returns the targets of jumps out of a statement that comes from a macro.
    fn hidden_jumps(&self, place: Place, targets: &Targets) -> Vec<usize> {
        if !self.program.node(place).in_macro {
            return Vec::new();
        }
        let syntax = self.program.syntax(place);
        let target = |node| match syntax.node(node).kind {
            Kind::Return => Some(EXIT),
            Kind::Break => Some(targets.after_break),
            Kind::Continue => Some(targets.after_continue),
            _ => None,
        };
        syntax.subtree(place.node).filter_map(target).collect()
    }

    fn block(&mut self, place: Place, targets: &Targets, cases: &mut Vec<usize>) -> usize {
        let children: Vec<_> = self.program.children(place).collect();
        let mut next = targets.next;
        for child in children.into_iter().rev() {
            next = self.statement(child, &Targets { next, ..targets.clone() }, cases);
        }
        next
    }

    /// Returns the children of a control structure other than its bodies.
    fn header(&self, place: Place, bodies: &[Place]) -> Vec<Place> {
        self.program.children(place).filter(|child| !bodies.contains(child)).collect()
    }

    fn condition(&mut self, place: Place, targets: &Targets, cases: &mut Vec<usize>) -> usize {
        let bodies = bodies_of(self.program, place);
        if bodies.is_empty() {
            return self.plain(place, targets);
        }
        let mut next: Vec<_> = bodies.iter().map(|body| self.statement(*body, targets, cases)).collect();
        if next.len() == 1 {
            next.push(targets.next);
        }
        let header = self.header(place, &bodies);
        self.step(place, &header, &next, targets)
    }

    fn while_loop(&mut self, place: Place, targets: &Targets, cases: &mut Vec<usize>) -> usize {
        let bodies = bodies_of(self.program, place);
        let [body] = bodies[..] else { return self.plain(place, targets) };
        let top = self.step(place, &[place], &[targets.next], targets);
        let inside = Targets { next: top, after_break: targets.next, after_continue: top, ..targets.clone() };
        let body = self.statement(body, &inside, cases);
        self.nodes[top].next.push(body);
        top
    }

    fn do_loop(&mut self, place: Place, targets: &Targets, cases: &mut Vec<usize>) -> usize {
        let bodies = bodies_of(self.program, place);
        let [body] = bodies[..] else { return self.plain(place, targets) };
        let header = self.header(place, &bodies);
        let bottom = self.step(place, &header, &[targets.next], targets);
        let inside = Targets { next: bottom, after_break: targets.next, after_continue: bottom, ..targets.clone() };
        let body = self.statement(body, &inside, cases);
        self.nodes[bottom].next.push(body);
        body
    }

    fn for_loop(&mut self, place: Place, targets: &Targets, cases: &mut Vec<usize>) -> usize {
        let bodies = bodies_of(self.program, place);
        let [body] = bodies[..] else { return self.plain(place, targets) };
        let clauses = for_clauses(self.program, place, &bodies);
        let top = self.step(place, &clauses.condition, &[targets.next], targets);
        let step = self.step(place, &clauses.step, &[top], targets);
        let inside = Targets { next: step, after_break: targets.next, after_continue: step, ..targets.clone() };
        let body = self.statement(body, &inside, cases);
        self.nodes[top].next.push(body);
        self.step(place, &clauses.first, &[top], targets)
    }

    fn switch(&mut self, place: Place, targets: &Targets) -> usize {
        let bodies = bodies_of(self.program, place);
        let [body] = bodies[..] else { return self.plain(place, targets) };
        let mut cases = Vec::new();
        let inside = Targets { after_break: targets.next, ..targets.clone() };
        self.statement(body, &inside, &mut cases);
        cases.push(targets.next);
        let header = self.header(place, &bodies);
        self.step(place, &header, &cases, targets)
    }

    fn labelled(&mut self, place: Place, targets: &Targets, cases: &mut Vec<usize>) -> usize {
        let bodies = bodies_of(self.program, place);
        let next = match bodies.first() {
            Some(body) => self.statement(*body, targets, cases),
            None => targets.next,
        };
        self.step(place, &[], &[next], targets)
    }

    fn goto(&mut self, place: Place, targets: &Targets) -> usize {
        let index = self.step(place, &[place], &[targets.next], targets);
        let label = self.program.children(place).find_map(|child| self.program.referred(child));
        self.gotos.push((index, label));
        index
    }

    /// Connects each `goto` to its label. A computed `goto` may go to any label.
    fn connect_gotos(&mut self) {
        for (index, label) in std::mem::take(&mut self.gotos) {
            let mut targets: Vec<_> = match label {
                Some(label) => self.labels.get(&label).copied().into_iter().collect(),
                None => self.labels.values().copied().collect(),
            };
            targets.sort_unstable();
            self.nodes[index].next.extend(targets);
        }
    }

    fn try_blocks(&mut self, place: Place, targets: &Targets, cases: &mut Vec<usize>) -> usize {
        let children: Vec<_> = self.program.children(place).collect();
        let (handlers, blocks): (Vec<_>, Vec<_>) =
            children.into_iter().partition(|child| self.program.node(*child).kind == Kind::Catch);
        let entries: Vec<_> = handlers.iter().map(|handler| self.handler(*handler, targets, cases)).collect();
        let mut inside = targets.clone();
        inside.handlers.splice(0..0, entries.iter().copied());
        let mut next: Vec<_> = blocks.iter().map(|block| self.statement(*block, &inside, cases)).collect();
        next.extend(entries);
        self.step(place, &[], &next, targets)
    }

    fn handler(&mut self, place: Place, targets: &Targets, cases: &mut Vec<usize>) -> usize {
        let children: Vec<_> = self.program.children(place).collect();
        let (blocks, own): (Vec<_>, Vec<_>) =
            children.into_iter().partition(|child| self.program.node(*child).kind == Kind::Compound);
        let next: Vec<_> = blocks.iter().map(|block| self.statement(*block, targets, cases)).collect();
        let index = self.step(place, &own, &next, targets);
        let caught = self.reader.caught();
        self.nodes[index].facts.accesses.extend(caught);
        index
    }
}

/// The three clauses of a `for`.
#[derive(Default)]
pub(crate) struct ForClauses {
    pub(crate) first: Vec<Place>,
    pub(crate) condition: Vec<Place>,
    pub(crate) step: Vec<Place>,
}

/// Separates the clauses of a `for` by the semicolons between them.
pub(crate) fn for_clauses(program: &Program<'_>, place: Place, bodies: &[Place]) -> ForClauses {
    let mut clauses = ForClauses::default();
    let separators = for_separators(program, place);
    for child in program.children(place).filter(|child| !bodies.contains(child)) {
        let start = program.node(child).start as usize;
        match separators {
            Some((first, _)) if start < first => clauses.first.push(child),
            Some((_, second)) if start < second => clauses.condition.push(child),
            Some(_) => clauses.step.push(child),
            None => clauses.condition.push(child),
        }
    }
    clauses
}

/// Returns the positions of the two semicolons in the header of a `for`.
pub(crate) fn for_separators(program: &Program<'_>, place: Place) -> Option<(usize, usize)> {
    let file = program.file_of(place);
    let header = crate::text::header(program, place)?;
    let mut depth = 0;
    let mut found = Vec::new();
    for token in program.tokens_in(file, header) {
        match program.token_text(file, token) {
            b"(" | b"{" | b"[" => depth += 1,
            b")" | b"}" | b"]" => depth -= 1,
            b";" if depth == 1 => found.push(token.range.start),
            _ => {}
        }
    }
    match found[..] {
        [first, second] => Some((first, second)),
        _ => None,
    }
}
