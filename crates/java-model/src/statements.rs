//! Below the method body: which instructions of a typed body can go, and what takes their place.
//!
//! A [`Piece`] is a run of instructions, or a value, a way a branch can go, a handler. Runs start and end with an empty
//! operand stack, are entered only at their start and left only at their end, so that taking one away leaves the stack
//! as it was. Pieces nest or are disjoint. What the edited body may still get wrong is a local variable that is read
//! where nothing was stored: [`Statements::uses`] says which runs must stay for which.

mod regions;
mod values;

pub(crate) use values::pushes_only;

use crate::stub;
use lapidary_classfile::{Code, Instruction, Method, Position};
use lapidary_jvm::typing::{Type, Typing, has_subroutines, reaching_stores};
use std::ops::Range;

/// Something in a body that can go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub range: Range<Position>,
    pub change: Change,
    /// The innermost piece around it.
    pub parent: Option<usize>,
}

/// What happens when a piece goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// Other instructions take the place of the run: none, or the few that leave the method.
    Run(Vec<Instruction>),
    /// A run that ends in a branch: control goes on after it.
    Branch { target: Position },
    /// Goes after the branch before it in the list has gone: control goes to the target instead.
    FallThrough,
    /// An instruction that computes a value: its operands are dropped and a zero or null is pushed, or one of the
    /// operands is left.
    Value(Vec<Instruction>),
    /// `new` and the constructor call at `call`: the arguments are dropped and null is pushed.
    Creation { call: Position, instead: Vec<Instruction> },
    /// The case of the switch at the end of the range goes where the default goes.
    Case(usize),
    /// By its place in the table.
    Handler(usize),
}

/// The pieces of one body.
#[derive(Default)]
pub(crate) struct Statements {
    pub pieces: Vec<Piece>,
    /// Which piece each instruction belongs to: the value it computes, or the innermost run it is in.
    owners: Vec<Option<usize>>,
    /// A piece that reads a local variable, and one that stores what it reads.
    pub uses: Vec<(Option<usize>, usize)>,
    /// Each branch, in order, with the piece that says which way it goes once its condition has gone.
    choices: Vec<(usize, usize)>,
    /// By place in the table: the piece that is the handler.
    handlers: Vec<Option<usize>>,
}

impl Statements {
    pub fn of(method: &Method, typing: &Typing) -> Statements {
        // Code with subroutines is left alone: what a subroutine stores depends on who called it.
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

    /// The piece that says which way a branch goes once its condition has gone.
    pub fn choice(&self, branch: usize) -> Option<usize> {
        let place = self.choices.binary_search_by_key(&branch, |(branch, _)| *branch).ok()?;
        Some(self.choices[place].1)
    }

    /// The piece that is an exception handler.
    pub fn handler(&self, index: usize) -> Option<usize> {
        self.handlers.get(index).copied().flatten()
    }

    pub fn owner(&self, position: Position) -> Option<usize> {
        self.owners.get(position as usize).copied().flatten()
    }
}

/// Finds the innermost piece around each, in a list where outer ones come first.
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

/// The other ways that branches and switches can go, and the handlers.
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

/// Whoever reads a variable needs the runs that store it.
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

/// Whether the method may return here: not before a constructor has called another one.
fn may_leave(typing: &Typing, position: Position) -> bool {
    typing.before(position).is_some_and(|state| !state.locals.contains(&Type::UninitializedThis))
}

fn leave(method: &Method) -> Vec<Instruction> {
    let kind = stub::result_kind(&method.descriptor);
    kind.map(stub::zero).into_iter().chain([Instruction::Return(kind)]).collect()
}
