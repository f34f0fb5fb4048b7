//! The boundary between two parts of a program, and the trace of what crosses it.
//!
//! Every object belongs to a part. A call whose receiver belongs to another part than its caller crosses the boundary, and so do
//! its result, an exception that leaves it, and what one part writes or reads of the other's fields. As long as all that is the same
//! in two versions of a program, the objects of the unaffected part cannot tell the versions apart (Loupe, section 2.1.5).
//!
//! Calls that an affected object makes and that change nothing that was there before do not count; what they made is affected.

use crate::frame::{Frame, Place};
use crate::heap::{Heap, Nature, Written};
use crate::list::List;
use crate::machine::{Halt, Machine};
use crate::method::Method;
use crate::native::Call;
use crate::state::State;
use crate::value::{Ref, Value};
use lapidary_classfile::Text;
use std::rc::Rc;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    #[default]
    Unaffected,
    Affected,
    /// What is made for inputs and belongs to no class of the program, such as arrays and lists: it is with whoever uses it, until the
    /// affected part writes it. From then on what others see of it comes from the affected part.
    Shared,
}

/// Says to which part objects and classes belong.
pub trait Partition {
    /// The part of an object whose constructor is about to run, the object first among its arguments. None: that of its maker.
    fn of_object(
        &self,
        machine: &mut Machine,
        state: &mut State,
        constructed: &Constructed<'_>,
    ) -> Result<Option<Part>, Halt>;

    /// The part of what belongs to a class alone: its static methods and fields. None: that of the caller.
    fn of_class(&self, class: &str) -> Option<Part>;

    /// Whether the part of an object can depend on its fields: then it is asked once more when the constructor has run.
    fn looks_at_fields(&self) -> bool;

    /// Whether the code of a method differs between the versions: then its calls of other objects count in the unaffected part, too.
    fn is_changed(&self, method: &Method) -> bool;

    /// Whether calls of the method count even if they change nothing, because another code stands in for it.
    fn always_counts(&self, method: &Method) -> bool;

    /// Whether calls of the method never count.
    fn is_pure(&self, method: &Method) -> bool;
}

/// A constructor that is about to run.
pub struct Constructed<'a> {
    pub constructor: &'a Method,
    pub arguments: &'a [Value],
    /// The classes of the methods that are running, innermost first.
    pub callers: &'a [Rc<Method>],
    /// Whether the constructor has run.
    pub is_made: bool,
}

/// Something that crossed the boundary.
#[derive(Clone)]
pub struct Event {
    pub what: Crossing,
    /// The part that it came to.
    pub to: Part,
    /// Where the crossing began: the instruction of the caller.
    pub place: Place,
    /// How many crossings were open.
    pub depth: u32,
    /// The objects as they were then.
    pub heap: Heap,
}

#[derive(Clone)]
pub enum Crossing {
    Called(Rc<Method>, Vec<Value>),
    Returned(Rc<Method>, Option<Value>),
    Threw(Rc<Method>, Ref),
    /// A loop began whose variables have these values.
    Entered(Vec<Value>),
    /// A field or an element of the other part was written or read: of which object, which, and the value.
    Wrote(Option<Ref>, Variable, Value),
    Read(Option<Ref>, Variable, Value),
}

/// What was written or read.
#[derive(Clone, Debug)]
pub enum Variable {
    Field(String),
    /// The element at this index.
    Element(Value),
}

/// A call across the boundary that has not returned.
#[derive(Clone)]
pub struct Open {
    /// The part of the caller.
    from: Part,
    trace: List<Event>,
    objects: u32,
    printed: usize,
    written: Written,
    place: Place,
    depth: u32,
}

/// Classes whose objects are values: they belong to nobody.
const VALUES: [&str; 11] = [
    "java/lang/String",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Short",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Boolean",
    "java/lang/Float",
    "java/lang/Double",
    "java/lang/Number",
    "java/lang/Class",
];

/// Fields in which the library keeps what it could compute again.
pub(crate) const CACHES: [(&str, &str); 6] = [
    ("java/lang/String", "hash"),
    ("java/lang/String", "hashIsZero"),
    ("java/util/AbstractMap", "keySet"),
    ("java/util/AbstractMap", "values"),
    ("java/util/HashMap", "entrySet"),
    ("java/util/TreeMap", "entrySet"),
];

/// Whether objects of this class, in internal form, are values: equal ones cannot be told apart.
pub fn is_value_class(class: &str) -> bool {
    VALUES.contains(&class)
}

impl Machine {
    /// The part in which a call will run. May decide conditions on the arguments of a constructor.
    pub(crate) fn part_of_call(
        &mut self,
        state: &mut State,
        method: &Rc<Method>,
        arguments: &[Value],
    ) -> Result<Option<Part>, Halt> {
        let Some(partition) = self.partition.clone() else { return Ok(None) };
        let caller = state.frame.as_ref().map_or(Part::Unaffected, |frame| frame.part);
        if method.class_name.as_bytes().starts_with(b"lapidary/Given") {
            // Arguments may be written by whoever gets them; what they are left like is compared at the end.
            return Ok(Some(Part::Shared));
        }
        if method.is_static() {
            return Ok(Some(partition.of_class(&method.class_name.as_str()).unwrap_or(caller)));
        }
        let Some(Value::Reference(Some(object))) = arguments.first().copied() else { return Ok(Some(caller)) };
        // What goes to standard output is compared as text.
        let is_console = matches!(state.heap.get(object).nature(), Nature::Console { .. });
        if is_console || is_value_class(&method.class_name.as_str()) {
            return Ok(Some(caller));
        }
        if method.name == "<init>" && !is_constructing(state.frame.as_ref(), object) {
            let callers = running(state.frame.as_ref());
            let constructed = Constructed { constructor: method, arguments, callers: &callers, is_made: false };
            let part = partition.of_object(self, state, &constructed)?.unwrap_or_else(|| state.heap.part_of(object));
            state.heap.set_part(object, part);
            return Ok(Some(part));
        }
        Ok(Some(state.heap.part_of(object)))
    }

    /// Asks once more for the part of an object whose constructor is about to return.
    pub(crate) fn settle_part(&mut self, state: &mut State) -> Result<(), Halt> {
        let Some(partition) = self.partition.clone().filter(|partition| partition.looks_at_fields()) else {
            return Ok(());
        };
        let frame = state.top().clone();
        let Value::Reference(Some(object)) = frame.local(0) else { return Ok(()) };
        if frame.method.name != "<init>" || is_constructing(frame.caller.as_ref(), object) {
            return Ok(());
        }
        let written = frame.locals.iter().copied().filter(|value| !matches!(value, Value::Nothing));
        let arguments: Vec<Value> = written.take(frame.method.arguments()).collect();
        let callers = running(frame.caller.as_ref());
        let constructed =
            Constructed { constructor: &frame.method, arguments: &arguments, callers: &callers, is_made: true };
        if let Some(part) = partition.of_object(self, state, &constructed)? {
            state.heap.set_part(object, part);
        }
        Ok(())
    }

    /// Notes a call that crosses the boundary; to be closed by [`Machine::close`].
    pub(crate) fn open(
        &mut self,
        state: &mut State,
        method: &Rc<Method>,
        arguments: &[Value],
        part: Part,
    ) -> Option<Rc<Open>> {
        let frame = state.frame.clone()?;
        let partition = self.partition.clone()?;
        let is_ours = is_ours(&frame.method);
        let crosses = frame.part != part || self.leaves_changed_code(state, &frame, method, arguments);
        if is_ours || !crosses || partition.is_pure(method) && part == Part::Unaffected {
            return None;
        }
        let place = Place { method: frame.method.clone(), at: frame.pc };
        let open = Open {
            from: frame.part,
            trace: state.trace.clone(),
            objects: state.heap.len(),
            printed: state.printed.len(),
            written: state.heap.begin_watch(),
            place: place.clone(),
            depth: state.crossings,
        };
        state.note(Crossing::Called(method.clone(), arguments.to_vec()), part, place, open.depth);
        state.crossings += 1;
        Some(Rc::new(open))
    }

    /// Whether code that differs between the versions calls another object than its own, and none that it has just made for itself.
    fn leaves_changed_code(&self, state: &State, caller: &Frame, callee: &Method, arguments: &[Value]) -> bool {
        let Some(partition) = &self.partition else { return false };
        if caller.part == Part::Affected || !partition.is_changed(&caller.method) {
            return false;
        }
        if callee.is_static() {
            return callee.class != caller.method.class && self.is_own(callee.class);
        }
        let Some(Value::Reference(Some(object))) = arguments.first() else { return false };
        if is_value_class(&callee.class_name.as_str()) {
            return false;
        }
        let is_own =
            matches!(caller.local(0), Value::Reference(Some(this)) if !caller.method.is_static() && this == *object);
        let is_console = matches!(state.heap.get(*object).nature(), Nature::Console { .. });
        let is_made_here = object.number() > caller.objects_before && !self.is_own(callee.class);
        !is_own && !is_console && !is_made_here
    }

    /// Notes how a call ended that crossed the boundary.
    pub(crate) fn close(&mut self, state: &mut State, open: &Open, part: Part, ended: Crossing) {
        state.crossings = open.depth;
        let stands_in = match (&ended, &self.partition) {
            (Crossing::Returned(method, _) | Crossing::Threw(method, _), Some(partition)) => {
                partition.always_counts(method)
            }
            _ => false,
        };
        let changed_nothing = part == Part::Unaffected
            && !stands_in
            && state.printed.len() == open.printed
            && (self.crossed_nothing(state, open) || self.only_asked(state, open));
        state.heap.end_watch(open.written);
        if changed_nothing {
            state.trace = open.trace.clone();
            if open.from == Part::Affected {
                state.heap.affect_since(open.objects);
            }
            return;
        }
        state.note(ended, open.from, open.place.clone(), open.depth);
    }

    /// Whether a call wrote nothing of the unaffected part that was there before, and nothing crossed the boundary back.
    fn crossed_nothing(&self, state: &State, open: &Open) -> bool {
        state.trace.len() == open.trace.len() + 1 && state.heap.written().unaffected > open.objects
    }

    /// Whether a call from the affected part wrote nothing at all that was there before. What it asked the affected part on its way has then
    /// gone nowhere but into its result.
    fn only_asked(&self, state: &State, open: &Open) -> bool {
        let is_question = |event: &&Event| {
            matches!(
                event.what,
                Crossing::Called(..) | Crossing::Returned(..) | Crossing::Threw(..) | Crossing::Read(..)
            )
        };
        let since = state.trace.len() - open.trace.len();
        open.from == Part::Affected
            && state.heap.written().any > open.objects
            && state.trace.backwards().take(since).all(|event| is_question(&event))
    }

    /// Notes that a field or an element is written, if it belongs to the unaffected part and the affected one writes.
    pub(crate) fn note_write(
        &mut self,
        state: &mut State,
        object: Option<Ref>,
        owner: Part,
        what: Variable,
        value: Value,
    ) {
        if self.partition.is_some() && state.heap.running == Part::Affected && owner == Part::Unaffected {
            self.note_access(state, owner, Crossing::Wrote(object, what, value));
        }
    }

    /// Notes that a field or an element is read, if it belongs to the affected part and the unaffected one reads.
    pub(crate) fn note_read(
        &mut self,
        state: &mut State,
        object: Option<Ref>,
        owner: Part,
        what: Variable,
        value: Value,
    ) {
        if self.partition.is_some() && state.heap.running == Part::Unaffected && owner == Part::Affected {
            self.note_access(state, Part::Unaffected, Crossing::Read(object, what, value));
        }
    }

    /// Notes what is copied from an array of the affected part to one of the other, or the other way round.
    pub(crate) fn note_copy(
        &mut self,
        state: &mut State,
        (from, to): (Ref, Ref),
        first: (usize, usize),
        values: impl Iterator<Item = Value>,
    ) {
        if self.partition.is_none() {
            return;
        }
        let parts = (state.heap.part_of(from), state.heap.part_of(to));
        for (offset, value) in values.enumerate().take_while(|_| parts.0 != parts.1) {
            let (source, target) = (first.0 + offset, first.1 + offset);
            let what = match parts.1 {
                Part::Unaffected if state.heap.running == Part::Affected => {
                    Crossing::Wrote(Some(to), Variable::Element(Value::Int(target as i32)), value)
                }
                Part::Unaffected => Crossing::Read(Some(from), Variable::Element(Value::Int(source as i32)), value),
                Part::Affected | Part::Shared => return,
            };
            self.note_access(state, Part::Unaffected, what);
        }
    }

    /// Notes what an array of numbers of the affected part holds that the unaffected one gives to the language's own classes: what they read
    /// of it is not noted, since most of what they read is inside of texts.
    pub(crate) fn note_given_arrays(&mut self, state: &mut State, method: &Method, arguments: &[Value]) {
        let is_asked = self.partition.is_some() && state.heap.running == Part::Unaffected && is_language(method);
        if !is_asked || state.frame.as_ref().is_none_or(|frame| is_language(&frame.method)) {
            return;
        }
        let objects = arguments.iter().filter_map(|argument| match argument {
            Value::Reference(object) => object.filter(|object| state.heap.part_of(*object) == Part::Affected),
            _ => None,
        });
        for array in objects.collect::<Vec<_>>() {
            let Some(elements) = state.heap.get(array).elements().filter(|elements| elements.base().is_some()) else {
                continue;
            };
            let values: Vec<Value> = (0..elements.len()).map(|index| elements.get(index)).collect();
            for (index, value) in values.into_iter().enumerate() {
                let element = Variable::Element(Value::Int(index as i32));
                self.note_access(state, Part::Unaffected, Crossing::Read(Some(array), element, value));
            }
        }
    }

    /// An initialiser runs in the part of its class, whoever needs the class first. One of a class that no rule names, such as the library's,
    /// runs in the part of whoever needs it, since nobody else knows of what it makes.
    pub(crate) fn run_in_part_of_class(&mut self, state: &mut State, class: &Text) {
        let part = self.partition.as_ref().and_then(|partition| partition.of_class(&class.as_str()));
        if let Some(part) = part {
            let objects = state.heap.len();
            let frame = state.top_mut();
            (frame.part, frame.objects_before) = (part, objects);
            state.resume_part();
        }
    }

    /// Notes a call across the boundary that the machine did by itself.
    pub(crate) fn note_native(
        &mut self,
        state: &mut State,
        before: &State,
        call: &Call<'_>,
        part: Part,
        result: Option<Value>,
    ) {
        if part == state.heap.running || is_ours(call.method) {
            return;
        }
        let changes = state.printed.len() != before.printed.len();
        if part == Part::Unaffected && !changes {
            return;
        }
        let Some(frame) = state.frame.clone() else { return };
        let (place, depth) = (Place { method: frame.method.clone(), at: frame.pc }, state.crossings);
        let came_from = state.heap.running;
        state.note(Crossing::Called(call.method.clone(), call.arguments.to_vec()), part, place.clone(), depth);
        state.note(Crossing::Returned(call.method.clone(), result), came_from, place, depth);
    }

    fn note_access(&mut self, state: &mut State, to: Part, what: Crossing) {
        let Some(frame) = state.frame.clone() else { return };
        // Texts and numbers are values; what happens inside of them is nobody's. What makes inputs is no part of the program.
        if is_language(&frame.method) || is_ours(&frame.method) {
            return;
        }
        let (place, depth) = (Place { method: frame.method.clone(), at: frame.pc }, state.crossings);
        state.note(what, to, place, depth);
    }

    /// The part that the static fields of a class belong to.
    pub(crate) fn part_of_statics(&self, class: &str) -> Part {
        self.partition.as_ref().and_then(|partition| partition.of_class(class)).unwrap_or_default()
    }
}

impl State {
    fn note(&mut self, what: Crossing, to: Part, place: Place, depth: u32) {
        self.trace.push(Event { what, to, place, depth, heap: self.heap.clone() });
    }

    /// Notes that a loop begins.
    pub(crate) fn note_loop(&mut self, what: Crossing, place: Place) {
        let depth = self.crossings;
        self.note(what, Part::Unaffected, place, depth);
    }

    /// Whether a call across the boundary has not ended, so that nobody knows yet whether it counts.
    pub fn has_open_crossings(&self) -> bool {
        self.crossings > 0
    }

    /// What runs now decides to whom belongs what is made.
    pub(crate) fn resume_part(&mut self) {
        self.heap.running = self.frame.as_ref().map_or(Part::Unaffected, |frame| frame.part);
    }
}

/// Whether a method was made for the machine's own ends, such as to make inputs.
fn is_ours(method: &Method) -> bool {
    method.class_name.as_bytes().starts_with(b"lapidary/")
}

/// Whether a method belongs to the language's own classes: texts, numbers and what makes them.
fn is_language(method: &Method) -> bool {
    method.class_name.as_bytes().starts_with(b"java/lang/")
}

/// Whether the innermost call is a constructor of this very object, which calls that of a superclass.
fn is_constructing(frame: Option<&Rc<Frame>>, object: Ref) -> bool {
    let Some(frame) = frame.filter(|frame| frame.method.name == "<init>") else { return false };
    matches!(frame.local(0), Value::Reference(Some(this)) if this == object)
}

fn running(frame: Option<&Rc<Frame>>) -> Vec<Rc<Method>> {
    let frames = std::iter::successors(frame, |frame| frame.caller.as_ref());
    frames.map(|frame| frame.method.clone()).collect()
}
