//! Tests of the law of this module: the tree makes exactly the sequences of calls that the graph
//! makes.

use super::{dispatcher, structure};
use crate::graph::{Block, End, Graph, Handler};
use crate::protect::{Part, protect};
use crate::simplify::simplify;
use crate::tree::{Expression, Label, Node, Statement};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// A program in the form in which a machine would run it.
enum Step {
    Emit(String),
    Go(Vec<usize>),
    End,
}

/// All prefixes of call sequences up to a length; complete ones end in `end`.
fn sequences(program: &[Step], length: usize) -> BTreeSet<Vec<String>> {
    let (mut seen, mut pending) = (BTreeSet::new(), vec![(0, Vec::new())]);
    let mut found = BTreeSet::new();
    while let Some((at, calls)) = pending.pop() {
        if !seen.insert((at, calls.clone())) {
            continue;
        }
        found.insert(calls.clone());
        match &program[at] {
            Step::Emit(text) if calls.len() < length => {
                pending.push((at + 1, [&calls[..], std::slice::from_ref(text)].concat()))
            }
            Step::Emit(_) => {}
            Step::Go(targets) => pending.extend(targets.iter().map(|target| (*target, calls.clone()))),
            Step::End => {
                found.insert([&calls[..], &["end".to_owned()]].concat());
            }
        }
    }
    found
}

/// Converts a graph. Every call of a protected block may throw after it was made.
fn program_of_graph(graph: &Graph, protected: &BTreeSet<usize>, handler: usize) -> Vec<Step> {
    let mut starts = Vec::new();
    let mut at = 1;
    for block in &graph.blocks {
        starts.push(at);
        at += block.statements.len() * 2 + 1;
    }
    let mut program = vec![Step::Go(vec![starts[graph.entry]])];
    for (index, block) in graph.blocks.iter().enumerate() {
        for statement in &block.statements {
            program.push(Step::Emit(statement.expression.text.clone()));
            let thrown = protected.contains(&index).then(|| starts[handler]);
            program.push(Step::Go([program.len() + 1].into_iter().chain(thrown).collect()));
        }
        program.push(match &block.end {
            End::Jump(targets) => Step::Go(targets.iter().map(|target| starts[*target]).collect()),
            _ => Step::End,
        });
    }
    program
}

#[derive(Default)]
struct Assembler {
    program: Vec<Step>,
    /// For each label, the target of `continue`, and the pending jumps of `break`.
    open: BTreeMap<Label, (usize, Vec<usize>)>,
    cases: BTreeMap<usize, Vec<usize>>,
    /// The jumps to the handler around each level of protection.
    throws: Vec<Vec<usize>>,
}

impl Assembler {
    fn body(&mut self, body: &[Node]) {
        body.iter().for_each(|node| self.node(node));
    }

    fn labelled(&mut self, label: Label, write: impl FnOnce(&mut Self)) {
        self.open.insert(label, (self.program.len(), Vec::new()));
        write(self);
        let (_, jumps) = self.open.remove(&label).unwrap();
        let end = self.program.len();
        jumps.into_iter().for_each(|jump| self.program[jump] = Step::Go(vec![end]));
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Statement(statement) => {
                self.program.push(Step::Emit(statement.expression.text.clone()));
                let here = self.program.len();
                self.throws.iter_mut().rev().take(1).for_each(|throws| throws.push(here));
                self.program.push(Step::Go(vec![here + 1]));
            }
            Node::Choice(ways) => {
                let choice = self.program.len();
                self.program.push(Step::End);
                let (mut starts, mut ends) = (Vec::new(), Vec::new());
                for way in ways {
                    starts.push(self.program.len());
                    self.body(way);
                    ends.push(self.program.len());
                    self.program.push(Step::End);
                }
                let behind = self.program.len();
                self.program[choice] = Step::Go(starts);
                ends.into_iter().for_each(|end| self.program[end] = Step::Go(vec![behind]));
            }
            Node::Loop { label, body } => self.labelled(*label, |this| {
                let start = this.program.len();
                this.body(body);
                this.program.push(Step::Go(vec![start]));
            }),
            Node::Block { label, body } => self.labelled(*label, |this| this.body(body)),
            Node::Break(label) => {
                let here = self.program.len();
                self.open.get_mut(label).expect("a label around it").1.push(here);
                self.program.push(Step::End);
            }
            Node::Continue(label) => self.program.push(Step::Go(vec![self.open[label].0])),
            Node::Dispatch { label, cases } => self.labelled(*label, |this| {
                let mut starts = Vec::new();
                for case in cases {
                    starts.push(this.program.len());
                    this.body(case);
                    this.program.push(Step::End);
                }
                for (case, jumps) in std::mem::take(&mut this.cases) {
                    jumps.into_iter().for_each(|jump| this.program[jump] = Step::Go(vec![starts[case]]));
                }
            }),
            Node::GoTo { case, .. } => {
                self.cases.entry(*case).or_default().push(self.program.len());
                self.program.push(Step::End);
            }
            Node::Return(_) | Node::Throw(_) => self.program.push(Step::End),
            Node::Try { body, catches } => {
                self.throws.push(Vec::new());
                self.body(body);
                let (jump, thrown) = (self.program.len(), self.throws.pop().unwrap());
                self.program.push(Step::End);
                let handler = self.program.len();
                self.body(&catches[0].body);
                self.program[jump] = Step::Go(vec![self.program.len()]);
                thrown.into_iter().for_each(|place| self.program[place] = Step::Go(vec![place + 1, handler]));
            }
        }
    }
}

fn program_of_tree(tree: &[Node]) -> Vec<Step> {
    let mut assembler = Assembler::default();
    assembler.body(tree);
    assembler.program.push(Step::End);
    assembler.program
}

/// Graphs of several blocks, each with up to two calls and up to three successors.
fn graphs() -> impl Strategy<Value = Graph> {
    let block = |count: usize| (0..3usize, prop::collection::btree_set(0..count, 0..4));
    let blocks = (2..12usize).prop_flat_map(move |count| prop::collection::vec(block(count), count));
    blocks.prop_map(|blocks| {
        let call = |block: usize, number: usize| Statement::call(Expression::new(format!("call{block}_{number}()")));
        let block = |(index, (calls, targets)): (usize, (usize, BTreeSet<usize>))| Block {
            statements: (0..calls).map(|number| call(index, number)).collect(),
            end: if targets.is_empty() { End::Return(None) } else { End::Jump(targets.into_iter().collect()) },
        };
        Graph { blocks: blocks.into_iter().enumerate().map(block).collect(), entry: 0 }
    })
}

/// Graphs in which a back edge leads only to the block two before its source, so that most loops
/// have one entry.
fn tame_graphs() -> impl Strategy<Value = Graph> {
    graphs().prop_map(|mut graph| {
        for index in 0..graph.blocks.len() {
            if let End::Jump(targets) = &mut graph.blocks[index].end {
                targets.retain(|target| *target > index || *target + 2 == index);
                if targets.is_empty() {
                    graph.blocks[index].end = End::Return(None);
                }
            }
        }
        graph
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn trees_make_the_calls_of_their_graphs(graph in prop_oneof![graphs(), tame_graphs()]) {
        let expected = sequences(&program_of_graph(&graph, &BTreeSet::new(), 0), 6);
        let mut short = graph.clone();
        short.shorten();
        let plain = structure(&graph).unwrap_or_else(|| dispatcher(&graph));
        prop_assert_eq!(&sequences(&program_of_tree(&plain), 6), &expected);
        let simple = simplify(structure(&short).unwrap_or_else(|| dispatcher(&short)));
        prop_assert_eq!(&sequences(&program_of_tree(&simple), 6), &expected);
    }

    #[test]
    fn what_is_protected_stays_protected(graph in prop_oneof![graphs(), tame_graphs()], start in 0..6usize, length in 1..5usize, handler in 0..12usize) {
        let count = graph.blocks.len();
        let start = start % count;
        let handler = handler % count;
        let protected: BTreeSet<usize> = (start..count.min(start + length)).filter(|block| *block != handler).collect();
        let expected = sequences(&program_of_graph(&graph, &protected, handler), 5);
        let guarded = |by_block: bool| {
            let mut graph = graph.clone();
            let handlers = vec![Handler { class: "Exception".into(), variable: 0, target: handler }];
            protect(&mut graph, vec![Part { blocks: protected.clone(), handlers, unseen: Vec::new() }], by_block);
            graph.shorten();
            graph
        };
        let tree = structure(&guarded(false)).unwrap_or_else(|| dispatcher(&guarded(true)));
        prop_assert_eq!(&sequences(&program_of_tree(&tree), 5), &expected);
        prop_assert_eq!(&sequences(&program_of_tree(&simplify(tree)), 5), &expected);
    }

    #[test]
    fn dispatchers_make_the_calls_of_their_graphs(graph in graphs()) {
        let expected = sequences(&program_of_graph(&graph, &BTreeSet::new(), 0), 5);
        prop_assert_eq!(&sequences(&program_of_tree(&dispatcher(&graph)), 5), &expected);
    }
}

#[test]
fn a_protected_block_that_leaves_a_loop_stays_protected() {
    let call = |name: &str| vec![Statement::call(Expression::new(name))];
    let block = |statements, targets: &[usize]| Block { statements, end: End::Jump(targets.to_vec()) };
    let last = |statements| Block { statements, end: End::Return(None) };
    let blocks =
        vec![block(Vec::new(), &[2, 3]), last(call("inside()")), last(Vec::new()), block(call("before()"), &[1, 3])];
    let graph = Graph { blocks, entry: 0 };
    let parts = BTreeSet::from([1, 3]);
    let expected = sequences(&program_of_graph(&graph, &parts, 0), 5);
    let mut guarded = graph.clone();
    let handlers = vec![Handler { class: "Exception".into(), variable: 0, target: 0 }];
    protect(&mut guarded, vec![Part { blocks: parts, handlers, unseen: Vec::new() }], false);
    assert_eq!(sequences(&program_of_tree(&simplify(structure(&guarded).unwrap())), 5), expected);
}

#[test]
fn a_loop_with_two_entrances_has_no_structure() {
    let jump = |targets: &[usize]| Block { statements: Vec::new(), end: End::Jump(targets.to_vec()) };
    let graph = Graph { blocks: vec![jump(&[1, 2]), jump(&[2]), jump(&[1])], entry: 0 };
    assert_eq!(structure(&graph), None);
    assert!(matches!(dispatcher(&graph)[..], [Node::Dispatch { .. }]));
}
