//! Construction of variables, items and clauses from the plan.
//!
//! A node has up to three kinds of variables, from the outside in: the node *exists*; its content
//! is its own and not a smaller *text*; its *shell* is there and not a hoisted descendant in its
//! place. Each implies the one before, and everything inside a node implies the innermost of the
//! node's variables. Therefore removing one removes everything inside.

use super::hoist::Candidate;
use super::label::Labels;
use super::plan::{Plan, dedent_of};
use super::shape::Shape;
use super::syntax::{NONE, Syntax};
use crate::Language;
use crate::slots::Slots;
use lapidary_logic::{Cnf, Var};
use lapidary_reduce::Item;
use std::collections::HashMap;

/// One way to replace a node by a descendant.
pub(crate) struct Hoisted {
    pub(crate) node: u32,
    pub(crate) as_statement: bool,
    pub(crate) dedent: usize,
}

/// The variables by node; `NONE` where a node has none.
pub(crate) struct Variables {
    pub(crate) exists: Vec<u32>,
    pub(crate) shell: Vec<u32>,
    /// The index of each node in `texts`.
    pub(crate) text_of: Vec<u32>,
    /// The texts of a node, shortest first, and the first of its consecutive variables.
    pub(crate) texts: Vec<(u32, Vec<&'static str>)>,
    pub(crate) hoists: HashMap<u32, Vec<Hoisted>>,
}

pub(crate) struct Formula {
    pub(crate) items: Vec<Item>,
    pub(crate) constraint: Cnf,
    pub(crate) variables: Variables,
    /// For each node, the innermost variable that it is inside of, its own included.
    pub(crate) inside: Vec<u32>,
}

pub(crate) fn formula(language: &Language, text: &[u8], syntax: &Syntax, shape: &Shape, plan: &Plan) -> Formula {
    let mut builder = Builder::new(language, text, syntax, shape, plan);
    for node in 0..syntax.nodes.len() as u32 {
        builder.variables_of(node);
    }
    builder.charge();
    let mut constraint = Cnf::new(builder.items.len());
    let mut clauses = Vec::new();
    for node in 1..syntax.nodes.len() as u32 {
        builder.clauses_of(node, &mut clauses);
    }
    builder.required_runs(&mut clauses);
    for (premises, conclusions) in &clauses {
        constraint.add(premises, conclusions).expect("every clause of a tree has a conclusion");
    }
    let hoists = plan.hoists.iter().map(|(&node, hoist)| {
        let hoisted = hoist.candidates.iter().map(|candidate| Hoisted {
            node: candidate.node,
            as_statement: candidate.as_statement,
            dedent: dedent_of(language, syntax, text, node, candidate.node),
        });
        (node, hoisted.collect())
    });
    let hoists = hoists.collect();
    let Builder { exists, shell, text_of, texts, items, inside, .. } = builder;
    Formula { items, constraint, variables: Variables { exists, shell, text_of, texts, hoists }, inside }
}

type Clause = (Vec<Var>, Vec<Var>);

struct Builder<'a> {
    syntax: &'a Syntax,
    shape: &'a Shape,
    plan: &'a Plan,
    slots: &'a Slots,
    labels: Labels<'a>,
    /// For each hoisted descendant, the nodes it can replace, innermost first.
    hoisters: HashMap<u32, Vec<u32>>,
    items: Vec<Item>,
    exists: Vec<u32>,
    shell: Vec<u32>,
    text_of: Vec<u32>,
    texts: Vec<(u32, Vec<&'static str>)>,
    /// The innermost variable that must be true for the node's own text, apart from its shell, to
    /// be written.
    content: Vec<u32>,
    inside: Vec<u32>,
}

impl<'a> Builder<'a> {
    fn new(language: &'a Language, text: &'a [u8], syntax: &'a Syntax, shape: &'a Shape, plan: &'a Plan) -> Self {
        let count = syntax.nodes.len();
        let mut hoisters: HashMap<u32, Vec<u32>> = HashMap::new();
        for (&node, hoist) in &plan.hoists {
            hoist.candidates.iter().for_each(|inner| hoisters.entry(inner.node).or_default().push(node));
        }
        hoisters.values_mut().for_each(|nodes| nodes.sort_unstable_by(|a, b| b.cmp(a)));
        let none = || vec![NONE; count];
        let labels = Labels::new(language, syntax, text);
        let (exists, shell, content, inside) = (none(), none(), none(), none());
        let (items, text_of, texts) = (Vec::new(), none(), Vec::new());
        Builder {
            syntax,
            shape,
            plan,
            slots: language.slots(),
            labels,
            hoisters,
            items,
            exists,
            shell,
            text_of,
            texts,
            content,
            inside,
        }
    }

    fn variables_of(&mut self, node: u32) {
        let index = node as usize;
        let parent = self.syntax.node(node).parent;
        let mut within = if parent == NONE { NONE } else { self.inside[parent as usize] };
        if node != 0 && (self.plan.removable[index] || self.hoisters.contains_key(&node)) {
            within = self.add(node, "", within);
            self.exists[index] = within;
        }
        if let Some(texts) = self.plan.texts.get(&node) {
            self.text_of[index] = self.texts.len() as u32;
            self.texts.push((self.items.len() as u32, texts.clone()));
            for _ in texts {
                within = self.add(node, "text ", within);
            }
        }
        self.content[index] = within;
        if self.plan.hoists.contains_key(&node) {
            within = self.add(node, "hoist ", within);
            self.shell[index] = within;
        }
        self.inside[index] = within;
    }

    fn add(&mut self, node: u32, what: &str, parent: u32) -> u32 {
        let (label, kind) = self.labels.of(node, what);
        let parent = (parent != NONE).then(|| Var::new(parent as usize));
        self.items.push(Item { parent, ..Item::new(label, kind).costing(0) });
        self.items.len() as u32 - 1
    }

    /// Charges each leaf's bytes, with the gap before it, to the innermost variable that it is
    /// inside of.
    fn charge(&mut self) {
        for (index, node) in self.syntax.nodes.iter().enumerate() {
            let var = self.inside[index];
            if node.next as usize == index + 1 && var != NONE {
                self.items[var as usize].cost += u64::from(node.end - node.gap);
            }
        }
    }

    fn clauses_of(&self, node: u32, clauses: &mut Vec<Clause>) {
        let index = node as usize;
        let parent = self.inside[self.syntax.node(node).parent as usize];
        let mut outer = parent;
        if self.exists[index] != NONE {
            self.existence(node, parent, clauses);
            outer = self.exists[index];
        }
        if let Some((first, texts)) = self.texts.get(self.text_of[index] as usize) {
            for var in *first..*first + texts.len() as u32 {
                imply(var, outer, clauses);
                outer = var;
            }
        }
        if self.shell[index] != NONE {
            imply(self.shell[index], outer, clauses);
            self.replacement(node, clauses);
        }
    }

    /// Adds the clauses for existence. An existing node needs its ancestors, unless it replaces one
    /// of them. Its parent may also have been hoisted out of some of them; then it is enough that
    /// the parent exists.
    fn existence(&self, node: u32, parent: u32, clauses: &mut Vec<Clause>) {
        let exists = self.exists[node as usize];
        let hoisters = self.hoisters.get(&node).map_or(&[][..], Vec::as_slice);
        let mut premises = vec![var(exists)];
        if parent != NONE {
            for &hoister in hoisters.iter().rev() {
                let content = self.content[hoister as usize];
                if content != NONE {
                    clauses.push((premises, vec![var(content), var(parent)]));
                }
                premises = vec![var(exists), var(self.shell[hoister as usize])];
            }
            clauses.push((premises, vec![var(parent)]));
        }
        if !self.plan.removable[node as usize] {
            let premises = if parent == NONE { vec![] } else { vec![var(parent)] };
            clauses.push((premises, vec![var(exists)]));
        }
    }

    /// Adds the clauses for replacement: without its shell a node is one of its candidates, or
    /// several where several fit.
    fn replacement(&self, node: u32, clauses: &mut Vec<Clause>) {
        let hoist = &self.plan.hoists[&node];
        let shell = var(self.shell[node as usize]);
        let inner: Vec<Var> = hoist.candidates.iter().map(|inner| var(self.exists[inner.node as usize])).collect();
        let content = self.content[node as usize];
        let premises = if content == NONE { vec![] } else { vec![var(content)] };
        clauses.push((premises, [&[shell], inner.as_slice()].concat()));
        for candidate in hoist.candidates.iter().filter(|candidate| self.is_unfit_inside(node, candidate.node)) {
            let (exists, own) = (self.exists[candidate.node as usize], self.shell[candidate.node as usize]);
            clauses.push((vec![var(exists)], vec![shell, var(own)]));
        }
        if hoist.together {
            return;
        }
        // Further out, both may stand together; then they replace the node around this one as well.
        let apart = hoist.candidates.iter().any(|candidate| self.stands_further_out(node, candidate.node));
        let context = (apart && content != NONE).then(|| var(content));
        for (index, &one) in inner.iter().enumerate() {
            for &other in &inner[index + 1..] {
                clauses.push(([one, other].into_iter().chain(context).collect(), vec![shell]));
            }
        }
    }

    /// Returns whether a candidate of the node, or a node between the two, may stand together with
    /// others in the place of an ancestor of the node.
    fn stands_further_out(&self, node: u32, candidate: u32) -> bool {
        let between = std::iter::successors(Some(candidate), |&inner| Some(self.syntax.node(inner).parent));
        let mut hoisters = between.take_while(|&inner| inner != node).filter_map(|inner| self.hoisters.get(&inner));
        hoisters.any(|nodes| nodes.iter().any(|&outer| outer < node && self.plan.hoists[&outer].together))
    }

    /// Returns whether a hoisted node can in turn be replaced by a node that does not fit in the
    /// new place.
    fn is_unfit_inside(&self, node: u32, inner: u32) -> bool {
        let place = self.syntax.node(node);
        let slot = self.slots.slot(self.syntax.node(place.parent).kind, place.field);
        let fits = |candidate: &Candidate| {
            let kind = self.syntax.node(candidate.node).kind;
            kind == place.kind || slot.is_some_and(|slot| slot.takes(kind))
        };
        self.plan.hoists.get(&inner).is_some_and(|hoist| !hoist.candidates.iter().all(fits))
    }

    /// Adds the clauses that a list that must not be empty keeps one of its elements.
    fn required_runs(&self, clauses: &mut Vec<Clause>) {
        for run in self.shape.runs.iter().filter(|run| run.required) {
            let removable = run.elements.iter().all(|&element| self.plan.removable[element as usize]);
            if removable {
                let parent = self.inside[self.syntax.node(run.elements[0]).parent as usize];
                let premises = if parent == NONE { vec![] } else { vec![var(parent)] };
                clauses
                    .push((premises, run.elements.iter().map(|&element| var(self.exists[element as usize])).collect()));
            }
        }
    }
}

fn var(index: u32) -> Var {
    Var::new(index as usize)
}

fn imply(from: u32, to: u32, clauses: &mut Vec<Clause>) {
    if to != NONE {
        clauses.push((vec![var(from)], vec![var(to)]));
    }
}
