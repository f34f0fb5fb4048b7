//! One path in progress: calls, heap, static fields, assumptions and output.
//!
//! A state is copied when the path forks. Copies share everything until one of them changes it.

use crate::frame::Frame;
use crate::heap::Heap;
use crate::input::{Input, KindId, Piece, Taken};
use crate::list::List;
use crate::notes::Notes;
use crate::trie::Trie;
use crate::value::{Ref, Value};
use lapidary_jvm::ClassId;
use lapidary_terms::{Assignment, Term};
use std::rc::Rc;

/// One path in progress.
#[derive(Clone)]
pub struct State {
    /// The innermost call; `None` when the path has ended.
    pub frame: Option<Rc<Frame>>,
    pub heap: Heap,
    pub classes: Trie<ClassState>,
    /// The objects of string literals, by literal number.
    pub literals: Trie<Ref>,
    /// The `java.lang.Class` objects, by type number.
    pub mirrors: Trie<Ref>,
    pub path: Path,
    /// Everything that the program has printed.
    pub printed: List<Printed>,
    /// The choices so far, by `selectState` and for the inputs.
    pub choices: List<Choice>,
    /// The next choice, if it is made already. Copies of a state that chooses differ in it.
    pub next_choice: Option<u32>,
    /// The inputs, in the order in which they were requested.
    pub inputs: List<Piece>,
    /// The objects among the inputs.
    pub given_objects: List<Given>,
    /// The number of inputs that have a number.
    pub numbered: u32,
    /// The inputs whose parts are not all made, with their kinds.
    pub(crate) unfinished: Rc<Vec<(u32, KindId)>>,
    /// For each open field of an input, what was used up before its value began.
    pub(crate) open_fields: Rc<Vec<Taken>>,
    /// Whether a string among the inputs has characters above U+00FF.
    pub(crate) has_wide_text: bool,
    /// The number of symbols in the inputs.
    pub symbols: u32,
    /// The number of symbols that the program itself requested.
    pub asked_symbols: u32,
    /// The conditions under which integer computations overflowed.
    pub overflows: List<Term>,
    /// The arguments of the entry method.
    pub arguments: Rc<[Value]>,
    /// Notes kept for the hook of the machine.
    pub notes: Notes,
    pub instructions: u64,
    /// The result of the entry method.
    pub result: Option<Value>,
    /// The object of the only thread, once it was requested.
    pub thread: Option<Ref>,
    /// The class loader of the program, once it was requested.
    pub loader: Option<Ref>,
}

/// The knowledge about the symbols on a path.
#[derive(Clone, Default)]
pub struct Path {
    pub conditions: List<Term>,
    known: Trie<bool>,
    /// Values of the symbols that satisfy all conditions.
    pub witness: Assignment,
}

/// An input object that may occur again in other inputs.
#[derive(Clone, Copy)]
pub struct Given {
    pub number: u32,
    pub object: Ref,
    /// The kind that it was made for; `None` for strings and arrays of numbers.
    pub kind: Option<KindId>,
    /// Whether it is an argument and not a part of one.
    pub is_argument: bool,
}

/// A choice between several alternatives, for an input or by the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub for_input: bool,
    pub chosen: u32,
    /// The name of the alternative, if another version of the program may number alternatives
    /// differently.
    pub label: Option<Rc<str>>,
}

/// A class on one path: its initialisation and its static fields.
#[derive(Clone)]
pub struct ClassState {
    pub stage: Stage,
    pub statics: Rc<Vec<Value>>,
}

/// How far the initialisation of a class has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The superclasses are being initialised, for a call at this depth. Their initialisers may
    /// already use the class.
    Waiting {
        depth: u32,
    },
    /// Its initialiser is running. There is only one thread, so code that needs the class may go
    /// on.
    Running,
    Done,
    /// Its initialiser threw an exception, so the class is unusable.
    Failed,
}

/// A printed string, whose characters may be symbols.
#[derive(Clone)]
pub struct Printed {
    pub to_stderr: bool,
    pub units: Rc<[Value]>,
}

impl Path {
    /// Whether the condition is known to hold or not to hold on this path.
    pub fn known(&self, condition: Term) -> Option<bool> {
        self.known.get(condition.index() as u32).copied()
    }

    /// Adds a condition to the path; `negation` is its negation.
    pub fn assume(&mut self, condition: Term, negation: Term) {
        self.conditions.push(condition);
        self.note(condition, negation);
    }

    /// Records a condition that follows from the others.
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
            notes: Notes::default(),
            instructions: 0,
            result: None,
            thread: None,
            loader: None,
        }
    }

    /// The innermost call. Panics if the state has ended.
    pub fn top(&self) -> &Rc<Frame> {
        self.frame.as_ref().expect("a state that runs")
    }

    pub fn top_mut(&mut self) -> &mut Frame {
        Rc::make_mut(self.frame.as_mut().expect("a state that runs"))
    }

    /// Records an input: part of an argument, or something that the program itself requested.
    pub(crate) fn give(&mut self, input: Input) {
        self.inputs.push(if self.is_making_input() { Piece::Whole(input) } else { Piece::Asked(input) });
    }

    /// The numbers and names that the inputs have used up so far.
    pub(crate) fn taken(&self) -> Taken {
        let choices = self.choices.backwards().filter(|choice| choice.for_input).count() as u32;
        Taken { choices, symbols: self.symbols, numbers: self.numbered }
    }

    /// Whether the path has had no inputs so far.
    pub fn has_no_inputs(&self) -> bool {
        self.choices.is_empty() && self.symbols == 0 && self.asked_symbols == 0
    }

    /// Whether the innermost call makes an input.
    pub fn is_making_input(&self) -> bool {
        self.frame.as_ref().is_some_and(|frame| frame.method.class_name.as_bytes().starts_with(b"lapidary/Given$"))
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
