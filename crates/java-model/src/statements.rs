//! The parts of a typed method body that can be removed, and their replacements.
//!
//! A [`Piece`] is a run of instructions, a value, an outcome of a branch, or a handler. A run
//! starts and ends with an empty operand stack, is entered only at its start and left only at its
//! end. Therefore removing it leaves the stack as it was. Pieces nest or are disjoint. One thing
//! can still go wrong in an edited body: a local variable may be read where nothing was stored.
//! [`Statements::uses`] tells which runs must stay for which readers.

mod regions;
mod values;

pub(crate) use values::pushes_only;

use crate::stub;
use lapidary_classfile::{Code, Instruction, Method, Position};
use lapidary_jvm::typing::{Type, Typing, has_subroutines, reaching_stores};
use std::ops::Range;

/// A part of a body that can be removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub range: Range<Position>,
    pub change: Change,
    /// The innermost enclosing piece.
    pub parent: Option<usize>,
}

/// The edit that removes a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// Replaces the run by other instructions: none, or the few that leave the method.
    Run(Vec<Instruction>),
    /// Removes a run that ends in a branch; control continues after it.
    Branch { target: Position },
    /// Removed after the preceding branch in the list: control then goes to the target instead.
    FallThrough,
    /// Replaces an instruction that computes a value: its operands are dropped and a zero or null
    /// is pushed, or one of the operands is left.
    Value(Vec<Instruction>),
    /// Replaces `new` and the constructor call at `call`: the arguments are dropped and null is
    /// pushed.
    Creation { call: Position, instead: Vec<Instruction> },
    /// Redirects a case of the switch at the end of the range to the default.
    Case(usize),
    /// Removes the handler at this index of the table.
    Handler(usize),
}

/// The pieces of one body.
#[derive(Default)]
pub(crate) struct Statements {
    pub pieces: Vec<Piece>,
    /// The piece that each instruction belongs to: the value it computes, or the innermost run
    /// around it.
    owners: Vec<Option<usize>>,
    /// Pairs of a piece that reads a local variable and one that stores the value it reads.
    pub uses: Vec<(Option<usize>, usize)>,
    /// For each branch, in order, the piece that decides which way control goes once the condition
    /// is removed.
    choices: Vec<(usize, usize)>,
    /// The piece for each handler, by index in the table.
    handlers: Vec<Option<usize>>,
}

impl Statements {
    pub fn of(method: &Method, typing: &Typing) -> Statements {
        // Code with subroutines is left alone: the locals that a subroutine stores depend on its
        // caller.
        let Some(code) = method.code().filter(|code| !has_subroutines(code)) else {
            return Statements::default();
        };
        let mut pieces = regions::pieces(method, code, typing);
        pieces.sort_by_key(|piece| (piece.range.start, std::cmp::Reverse(piece.range.end)));
        nest(&mut pieces);
        let mut owners = innermost_runs(&pieces, code.instructions.len());
        let runs = owners.clone();
        for mut piece in values::pieces(code, typing) {
            piece.parent = runs[piece.range.start as usize];
            let owned = match piece.change {
                Change::Creation { call, .. } => vec![piece.range.start, call],
                _ => vec![piece.range.start],
            };
            owned.into_iter().for_each(|position| owners[position as usize] = Some(pieces.len()));
            pieces.push(piece);
        }
        add_choices(code, &mut pieces);
        let uses = uses(code, typing, &runs, &owners);
        let mut statements = Statements { pieces, owners, uses, ..Statements::default() };
        statements.index(code.handlers.len());
        statements
    }

    fn index(&mut self, handlers: usize) {
        self.handlers = vec![None; handlers];
        for (index, piece) in self.pieces.iter().enumerate() {
            match (&piece.change, piece.parent) {
                (Change::FallThrough, Some(branch)) => self.choices.push((branch, index)),
                (Change::Handler(place), _) => self.handlers[*place] = Some(index),
                _ => {}
            }
        }
    }

    /// The piece that decides which way control goes once the condition of a branch is removed.
    pub fn choice(&self, branch: usize) -> Option<usize> {
        let place = self.choices.binary_search_by_key(&branch, |(branch, _)| *branch).ok()?;
        Some(self.choices[place].1)
    }

    /// The piece of an exception handler.
    pub fn handler(&self, index: usize) -> Option<usize> {
        self.handlers.get(index).copied().flatten()
    }

    pub fn owner(&self, position: Position) -> Option<usize> {
        self.owners.get(position as usize).copied().flatten()
    }
}

/// Finds the innermost enclosing piece of each, in a list where outer pieces come first.
fn nest(pieces: &mut [Piece]) {
    let mut open: Vec<usize> = Vec::new();
    for index in 0..pieces.len() {
        while open.last().is_some_and(|outer| {
            pieces[*outer].range.end < pieces[index].range.end || pieces[*outer].range.end <= pieces[index].range.start
        }) {
            open.pop();
        }
        pieces[index].parent = open.last().copied();
        open.push(index);
    }
}

fn innermost_runs(pieces: &[Piece], length: usize) -> Vec<Option<usize>> {
    let mut runs = vec![None; length];
    for (index, piece) in pieces.iter().enumerate() {
        runs[piece.range.start as usize..piece.range.end as usize].fill(Some(index));
    }
    runs
}

/// Adds the alternative outcomes of branches and switches, and the handlers.
fn add_choices(code: &Code, pieces: &mut Vec<Piece>) {
    for index in 0..pieces.len() {
        let piece = pieces[index].clone();
        if let Change::Branch { .. } = piece.change {
            pieces.push(Piece { change: Change::FallThrough, parent: Some(index), ..piece.clone() });
        }
        let cases = match &code.instructions[piece.range.end as usize - 1] {
            Instruction::TableSwitch(switch) => switch.targets.iter().map(|target| *target != switch.default).collect(),
            Instruction::LookupSwitch(switch) => {
                switch.pairs.iter().map(|(_, target)| *target != switch.default).collect()
            }
            _ => Vec::new(),
        };
        let ends_here =
            matches!(&piece.change, Change::Run(instead) if matches!(instead.as_slice(), [Instruction::Goto(_)]));
        for (case, differs) in cases.into_iter().enumerate().filter(|_| ends_here) {
            if differs {
                pieces.push(Piece { change: Change::Case(case), parent: Some(index), range: piece.range.clone() });
            }
        }
    }
    for (index, handler) in code.handlers.iter().enumerate() {
        pieces.push(Piece { range: handler.start..handler.end, change: Change::Handler(index), parent: None });
    }
}

/// For each read of a variable, the runs that store it.
fn uses(code: &Code, typing: &Typing, runs: &[Option<usize>], owners: &[Option<usize>]) -> Vec<(Option<usize>, usize)> {
    let mut uses = Vec::new();
    for (position, stores) in reaching_stores(code, typing) {
        for store in stores {
            if let Some(run) = runs[store as usize].filter(|run| runs[position as usize] != Some(*run)) {
                uses.push((owners[position as usize], run));
            }
        }
    }
    uses.sort_unstable();
    uses.dedup();
    uses
}

/// Returns whether the method may return here. A constructor may not before it has called another
/// one.
fn may_leave(typing: &Typing, position: Position) -> bool {
    typing.before(position).is_some_and(|state| !state.locals.contains(&Type::UninitializedThis))
}

fn leave(method: &Method) -> Vec<Instruction> {
    let kind = stub::result_kind(&method.descriptor);
    kind.map(stub::zero).into_iter().chain([Instruction::Return(kind)]).collect()
}
