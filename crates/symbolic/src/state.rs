//! One path of the program, in the middle of its way: calls, heap, static fields, what was assumed, what was printed.
//!
//! A state is copied when the path forks. Everything in it is shared between copies until one of them changes it.

use crate::boundary::Event;
use crate::frame::Frame;
use crate::heap::Heap;
use crate::input::{Input, Piece, Taken};
use crate::list::List;
use crate::prefix::Prefix;
use crate::script::{Choice, Script};
use crate::trie::Trie;
use crate::value::{Ref, Value};
use lapidary_jvm::ClassId;
use lapidary_terms::{Assignment, Term};
use std::rc::Rc;

#[derive(Clone)]
pub struct State {
    /// The innermost call; none when the path has ended.
    pub frame: Option<Rc<Frame>>,
    pub heap: Heap,
    pub classes: Trie<ClassState>,
    /// The objects of string literals and of classes, by number of the literal and of the type.
    pub literals: Trie<Ref>,
    pub mirrors: Trie<Ref>,
    pub path: Path,
    /// What the program printed.
    pub printed: List<Printed>,
    /// What was chosen so far, by `selectState` and for the inputs.
    pub choices: List<Choice>,
    /// What has to be chosen, and given, before anything else.
    pub(crate) script: Script,
    /// What it shall return next: the copies that it made differ in this.
    pub next_choice: Option<u32>,
    /// What came from outside, in the order in which it was asked for.
    pub(crate) inputs: List<Piece>,
    /// The objects among them, how many have a number, and those whose parts are not all there.
    pub(crate) given_objects: List<Given>,
    pub(crate) numbered: u32,
    pub(crate) unfinished: Rc<Vec<u32>>,
    /// What was taken when the fields began that have no value yet.
    pub(crate) open_fields: Rc<Vec<Taken>>,
    /// Whether a text among them has characters that do not fit into one byte.
    pub(crate) has_wide_text: bool,
    /// How many symbols they are made of, and how many the program asked for.
    pub symbols: u32,
    pub(crate) asked_symbols: u32,
    /// How many symbols stand for what loops change.
    pub loop_symbols: u32,
    /// When computations of integers left their range.
    pub overflows: List<Term>,
    /// What the entry method was called with.
    pub arguments: Rc<[Value]>,
    /// What crossed the boundary between the parts of the program, and how many calls across it are open.
    pub trace: List<Event>,
    pub(crate) crossings: u32,
    /// How far the path is common to both versions of the program, where there are two.
    pub prefix: Prefix,
    pub instructions: u64,
    /// What the entry method returned.
    pub result: Option<Value>,
    /// The object of the one thread, once somebody asked for it.
    pub thread: Option<Ref>,
}

/// What is known about the symbols on this path.
#[derive(Clone, Default)]
pub struct Path {
    pub conditions: List<Term>,
    known: Trie<bool>,
    /// Values of the symbols with which all conditions hold.
    pub witness: Assignment,
}

/// An object that came from outside and can be given once more.
#[derive(Clone, Copy)]
pub(crate) struct Given {
    pub number: u32,
    pub object: Ref,
    /// Whether it is an argument, and not a part of one.
    pub is_argument: bool,
}

#[derive(Clone)]
pub struct ClassState {
    pub stage: Stage,
    pub statics: Rc<Vec<Value>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The classes above it are being initialised, for a call of this depth. Their initialisers may use the class already.
    Waiting {
        depth: u32,
    },
    /// Its initialiser runs; there is one thread, so whoever asks may go on.
    Running,
    Done,
    /// Its initialiser threw an exception: the class cannot be used any more.
    Failed,
}

/// Something that was printed: text whose characters may be symbols.
#[derive(Clone)]
pub struct Printed {
    pub to_stderr: bool,
    pub units: Rc<[Value]>,
}

impl Path {
    /// Whether a condition was decided on the way.
    pub fn known(&self, condition: Term) -> Option<bool> {
        self.known.get(condition.index() as u32).copied()
    }

    /// Remembers that a condition holds, and what its negation is.
    pub fn assume(&mut self, condition: Term, negation: Term) {
        self.conditions.push(condition);
        self.note(condition, negation);
    }

    /// The same for what follows from the conditions there are.
    pub fn note(&mut self, condition: Term, negation: Term) {
        self.known.insert(condition.index() as u32, true);
        self.known.insert(negation.index() as u32, false);
    }
}

impl State {
    pub fn new() -> State {
        State {
            frame: None,
            heap: Heap::default(),
            classes: Trie::default(),
            literals: Trie::default(),
            mirrors: Trie::default(),
            path: Path::default(),
            printed: List::default(),
            choices: List::default(),
            script: Script::default(),
            next_choice: None,
            inputs: List::default(),
            given_objects: List::default(),
            numbered: 0,
            unfinished: Rc::default(),
            open_fields: Rc::default(),
            has_wide_text: false,
            symbols: 0,
            asked_symbols: 0,
            arguments: Rc::new([]),
            overflows: List::default(),
            loop_symbols: 0,
            trace: List::default(),
            crossings: 0,
            prefix: Prefix::default(),
            instructions: 0,
            result: None,
            thread: None,
        }
    }

    /// The innermost call. Only for states that have not ended.
    pub fn top(&self) -> &Rc<Frame> {
        self.frame.as_ref().expect("a state that runs")
    }

    pub fn top_mut(&mut self) -> &mut Frame {
        Rc::make_mut(self.frame.as_mut().expect("a state that runs"))
    }

    /// Notes something that came from outside: part of an argument, or what the program itself asked for.
    pub(crate) fn give(&mut self, input: Input) {
        self.inputs.push(if self.is_making_input() { Piece::Whole(input) } else { Piece::Asked(input) });
    }

    /// What inputs have taken so far.
    pub(crate) fn taken(&self) -> Taken {
        let choices = self.choices.backwards().filter(|choice| choice.for_input).count() as u32;
        Taken { choices, symbols: self.symbols, numbers: self.numbered }
    }

    pub fn stage(&self, class: ClassId) -> Option<Stage> {
        self.classes.get(class.index() as u32).map(|class| class.stage)
    }

    pub fn static_field(&self, class: ClassId, slot: usize) -> Value {
        self.classes
            .get(class.index() as u32)
            .and_then(|class| class.statics.get(slot).copied())
            .unwrap_or(Value::Nothing)
    }

    pub fn set_static_field(&mut self, class: ClassId, slot: usize, value: Value) {
        if let Some(class) = self.classes.get_mut(class.index() as u32) {
            Rc::make_mut(&mut class.statics)[slot] = value;
        }
    }
}

impl Default for State {
    fn default() -> Self {
        State::new()
    }
}
