//! The boundary between two parts of a program, and the trace of what crosses it.
//!
//! Every object belongs to a part. A call whose receiver belongs to another part than its caller
//! crosses the boundary. So do its result, an exception that leaves it, and accesses of one part to
//! fields of the other. As long as all these events are the same in two versions of a program, the
//! objects of the unaffected part cannot tell the versions apart (Loupe, section 2.1.5).
//!
//! Calls from an affected object that change no existing object do not count; the objects they
//! create are affected.

use super::event::{Crossing, Event, Open, Variable};
use super::notes::{Noted, new_call, note, of_call, of_top, part_of_call, resume};
use super::partition::{Constructed, Partition};
use lapidary_classfile::{MemberRef, Text};
use lapidary_jvm::ClassId;
use lapidary_symbolic::{
    Accessed, Call, CodePlace, Copied, Done, Frame, Halt, Left, Machine, Method, Nature, Notes, Part, Ref, State, Value,
};
use std::rc::Rc;

/// Classes whose objects are values and belong to no part.
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

/// Fields in which the library caches results.
const CACHES: [(&str, &str); 8] = [
    ("java/lang/String", "hash"),
    ("java/lang/String", "hashIsZero"),
    ("java/util/AbstractMap", "keySet"),
    ("java/util/AbstractMap", "values"),
    ("java/util/HashMap", "entrySet"),
    ("java/util/TreeMap", "entrySet"),
    ("java/nio/charset/Charset", "cache1"),
    ("java/nio/charset/Charset", "cache2"),
];

/// Whether objects of this class, in internal form, are values: equal ones cannot be told apart.
pub fn is_value_class(class: &str) -> bool {
    VALUES.contains(&class)
}

/// Traces what crosses the boundary that a partition defines.
pub struct Boundary {
    partition: Rc<dyn Partition>,
}

impl Boundary {
    pub fn new(partition: Rc<dyn Partition>) -> Boundary {
        Boundary { partition }
    }

    /// The part in which a call will run. May decide conditions on the arguments of a constructor.
    pub fn part_of_call(&self, machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Part, Halt> {
        let Call { method, arguments } = *call;
        let caller = state.frame.as_ref().map_or(Part::Unaffected, |frame| part_of_call(frame));
        if method.class_name.as_bytes().starts_with(b"lapidary/Given") {
            // Either part may write the arguments; their final state is compared at the end.
            return Ok(Part::Shared);
        }
        if method.is_static() {
            return Ok(self.partition.of_class(&method.class_name.as_str()).unwrap_or(caller));
        }
        let Some(Value::Reference(Some(object))) = arguments.first().copied() else { return Ok(caller) };
        // Standard output is compared as text.
        if is_console(state, object) || is_value_class(&method.class_name.as_str()) {
            return Ok(caller);
        }
        if method.name == "<init>" && !is_constructing(state.frame.as_ref(), object) {
            let callers = running(state.frame.as_ref());
            let constructed = Constructed { constructor: method, arguments, callers: &callers, is_made: false };
            let part = self.partition.of_object(machine, state, &constructed)?;
            let part = part.unwrap_or_else(|| state.heap.part_of(object));
            state.heap.parts.set(object, part);
            return Ok(part);
        }
        Ok(state.heap.part_of(object))
    }

    /// Asks again for the part of an object whose constructor is about to return.
    pub fn settle_part(&self, machine: &mut Machine, state: &mut State) -> Result<(), Halt> {
        if !self.partition.looks_at_fields() {
            return Ok(());
        }
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
        if let Some(part) = self.partition.of_object(machine, state, &constructed)? {
            state.heap.parts.set(object, part);
        }
        Ok(())
    }

    /// The notes for a call that is about to begin. If it crosses the boundary, records an event.
    pub fn open(&self, machine: &Machine, state: &mut State, call: &Call<'_>, part: Part) -> Notes {
        let crossing = self.crossing(machine, state, call, part);
        new_call(part, state.heap.count(), crossing)
    }

    fn crossing(&self, machine: &Machine, state: &mut State, call: &Call<'_>, part: Part) -> Option<Rc<Open>> {
        let frame = state.frame.clone()?;
        let from = part_of_call(&frame);
        let crosses = from != part || self.leaves_changed_code(machine, state, &frame, call);
        if is_ours(&frame.method) || !crosses || self.partition.is_pure(call.method) && part == Part::Unaffected {
            return None;
        }
        let place = CodePlace { method: frame.method.clone(), at: frame.pc };
        let open = Open {
            from,
            trace: state.noted_mut().trace.clone(),
            objects: state.heap.count(),
            printed: state.printed.len(),
            written: state.heap.parts.begin_watch(),
            place: place.clone(),
            depth: state.crossings(),
        };
        note(state, Crossing::Called(call.method.clone(), call.arguments.to_vec()), part, place, open.depth);
        state.noted_mut().crossings += 1;
        Some(Rc::new(open))
    }

    /// Whether code that differs between the versions calls an object other than itself and those
    /// it has just created for itself.
    fn leaves_changed_code(&self, machine: &Machine, state: &State, caller: &Frame, call: &Call<'_>) -> bool {
        let callee = call.method;
        if part_of_call(caller) == Part::Affected || !self.partition.is_changed(&caller.method) {
            return false;
        }
        if callee.is_static() {
            return callee.class != caller.method.class && machine.is_own(callee.class);
        }
        let Some(Value::Reference(Some(object))) = call.arguments.first() else { return false };
        if is_value_class(&callee.class_name.as_str()) {
            return false;
        }
        let is_own =
            matches!(caller.local(0), Value::Reference(Some(this)) if !caller.method.is_static() && this == *object);
        let before = of_call(caller).map_or(0, |notes| notes.objects_before);
        let is_made_here = object.number() > before && !machine.is_own(callee.class);
        !is_own && !is_console(state, *object) && !is_made_here
    }

    /// Records how a call that crossed the boundary has ended.
    pub fn close(&self, state: &mut State, frame: &Frame, left: Left) {
        let Some((open, part)) = of_call(frame).and_then(|notes| Some((notes.crossing.as_ref()?, notes.part))) else {
            return;
        };
        state.noted_mut().crossings = open.depth;
        let changed_nothing = part == Part::Unaffected
            && !self.partition.always_counts(&frame.method)
            && state.printed.len() == open.printed
            && (crossed_nothing(state, open) || only_asked(state, open));
        state.heap.parts.end_watch(open.written);
        if changed_nothing {
            state.noted_mut().trace = open.trace.clone();
            if open.from == Part::Affected {
                state.heap.affect_since(open.objects);
            }
            return;
        }
        let ended = match left {
            Left::Returned(result) => Crossing::Returned(frame.method.clone(), result),
            Left::Threw(exception) => Crossing::Threw(frame.method.clone(), exception),
        };
        note(state, ended, open.from, open.place.clone(), open.depth);
    }

    /// Records a write by the affected part to a field or element of the unaffected part.
    pub fn write(&self, machine: &Machine, state: &mut State, accessed: Accessed<'_>, value: Value) {
        if let Accessed::Static(class, member) = accessed {
            let method = &state.top().method;
            if method.name == "<clinit>" && method.class == class || is_cache(member) {
                return;
            }
            state.heap.parts.note_static_write();
            if machine.is_own(class) {
                let written = (machine.world.hierarchy.name(class).clone(), member.name.clone());
                Rc::make_mut(&mut state.noted_mut().written_statics).insert(written);
            }
        }
        if state.heap.parts.running == Part::Affected && self.owner(machine, state, accessed) == Part::Unaffected {
            let (object, variable) = named(machine, accessed);
            note_access(state, Crossing::Wrote(object, variable, value));
        }
    }

    /// Records a read by the unaffected part of a field or element of the affected part.
    pub fn read(&self, machine: &Machine, state: &mut State, accessed: Accessed<'_>, value: Value) {
        if state.heap.parts.running == Part::Unaffected && self.owner(machine, state, accessed) == Part::Affected {
            let (object, variable) = named(machine, accessed);
            note_access(state, Crossing::Read(object, variable, value));
        }
    }

    fn owner(&self, machine: &Machine, state: &State, accessed: Accessed<'_>) -> Part {
        match accessed {
            Accessed::Static(class, _) => self.of_class(machine.world.hierarchy.name(class)).unwrap_or_default(),
            Accessed::Field(object, ..) | Accessed::Element(object, _) => state.heap.part_of(object),
        }
    }

    fn of_class(&self, class: &Text) -> Option<Part> {
        self.partition.of_class(&class.as_str())
    }

    /// Makes an initialiser run in the part of its class, whichever part needs the class first. If
    /// no rule names the class, as for library classes, it runs in the part that needs it, which
    /// alone can see what it creates.
    pub fn run_in_part_of_class(&self, state: &mut State, class: &Text) {
        if let Some(part) = self.of_class(class) {
            let objects = state.heap.count();
            let notes = of_top(state);
            (notes.part, notes.objects_before) = (part, objects);
            resume(state);
        }
    }

    /// Assigns an input object to the part of its class.
    pub fn give(&self, state: &mut State, object: Ref, class: &Text) {
        let part = self.of_class(class).unwrap_or_default();
        state.heap.parts.set(object, part);
    }
}

/// Whether a field is a cache.
pub fn is_cache(member: &MemberRef) -> bool {
    CACHES.iter().any(|(owner, name)| member.owner == *owner && member.name == *name)
}

/// Whether a call wrote no existing object of the unaffected part, and nothing crossed the boundary
/// back.
fn crossed_nothing(state: &State, open: &Open) -> bool {
    state.count_of_events() == open.trace.len() + 1 && state.heap.parts.written().unaffected > open.objects
}

/// Whether a call from the affected part wrote no existing object at all. Then anything it asked of
/// the affected part has influenced only its result.
fn only_asked(state: &State, open: &Open) -> bool {
    let is_question = |event: &&Event| {
        matches!(event.what, Crossing::Called(..) | Crossing::Returned(..) | Crossing::Threw(..) | Crossing::Read(..))
    };
    let since = state.count_of_events() - open.trace.len();
    open.from == Part::Affected
        && state.heap.parts.written().any > open.objects
        && state.noted().is_none_or(|notes| notes.trace.backwards().take(since).all(|event| is_question(&event)))
}

/// The variable that is accessed. A field is named after the class that declares it, whichever
/// class the instruction names.
fn named(machine: &Machine, accessed: Accessed<'_>) -> (Option<Ref>, Variable) {
    let field = |class: ClassId, member: &MemberRef| {
        let class = machine.world.hierarchy.name(class).as_str().replace('/', ".");
        Variable::Field(format!("{class}.{}", member.name))
    };
    match accessed {
        Accessed::Static(class, member) => (None, field(class, member)),
        Accessed::Field(object, class, member) => (Some(object), field(class, member)),
        Accessed::Element(array, index) => (Some(array), Variable::Element(index)),
    }
}

/// Records elements that are copied between arrays of different parts.
pub fn note_copy(state: &mut State, copied: Copied<'_>) {
    let Copied { from, to, first, values } = copied;
    let parts = (state.heap.part_of(from), state.heap.part_of(to));
    for (offset, value) in values.enumerate().take_while(|_| parts.0 != parts.1) {
        let (source, target) = (first.0 + offset, first.1 + offset);
        let what = match parts.1 {
            Part::Unaffected if state.heap.parts.running == Part::Affected => {
                Crossing::Wrote(Some(to), Variable::Element(Value::Int(target as i32)), value)
            }
            Part::Unaffected => Crossing::Read(Some(from), Variable::Element(Value::Int(source as i32)), value),
            Part::Affected | Part::Shared => return,
        };
        note_access(state, what);
    }
}

/// Records the content of affected arrays of numbers that the unaffected part passes to classes of
/// `java.lang`. Reads inside those classes are not recorded, since most of them are inside strings.
pub fn note_given_arrays(state: &mut State, call: &Call<'_>) {
    let is_asked = state.heap.parts.running == Part::Unaffected && is_language(call.method);
    if !is_asked || state.frame.as_ref().is_none_or(|frame| is_language(&frame.method)) {
        return;
    }
    let objects = call.arguments.iter().filter_map(|argument| match argument {
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
            note_access(state, Crossing::Read(Some(array), element, value));
        }
    }
}

/// Records a call across the boundary that the machine handled itself.
pub fn note_native(state: &mut State, done: &Done<'_>) {
    let Done { before, call, part, result } = *done;
    if part == state.heap.parts.running || is_ours(call.method) {
        return;
    }
    let changes = state.printed.len() != before.printed.len();
    if part == Part::Unaffected && !changes {
        return;
    }
    let Some(frame) = state.frame.clone() else { return };
    let (place, depth) = (CodePlace { method: frame.method.clone(), at: frame.pc }, state.crossings());
    let came_from = state.heap.parts.running;
    note(state, Crossing::Called(call.method.clone(), call.arguments.to_vec()), part, place.clone(), depth);
    note(state, Crossing::Returned(call.method.clone(), result), came_from, place, depth);
}

/// Records an access of one part to a variable of the other. The value goes to the unaffected part.
fn note_access(state: &mut State, what: Crossing) {
    let Some(frame) = state.frame.clone() else { return };
    // Strings and numbers are values, so what happens inside them belongs to no part. Code that
    // makes inputs is not part of the program.
    if is_language(&frame.method) || is_ours(&frame.method) {
        return;
    }
    let (place, depth) = (CodePlace { method: frame.method.clone(), at: frame.pc }, state.crossings());
    note(state, what, Part::Unaffected, place, depth);
}

fn is_console(state: &State, object: Ref) -> bool {
    matches!(state.heap.get(object).nature(), Nature::Console { .. })
}

/// Whether a method was generated for the machine's own purposes, such as making inputs.
fn is_ours(method: &Method) -> bool {
    method.class_name.as_bytes().starts_with(b"lapidary/")
}

/// Whether a method belongs to `java.lang`: strings, numbers, and code that makes them.
fn is_language(method: &Method) -> bool {
    method.class_name.as_bytes().starts_with(b"java/lang/")
}

/// Whether the innermost call is a constructor of this very object, which calls the constructor of
/// a superclass.
fn is_constructing(frame: Option<&Rc<Frame>>, object: Ref) -> bool {
    let Some(frame) = frame.filter(|frame| frame.method.name == "<init>") else { return false };
    matches!(frame.local(0), Value::Reference(Some(this)) if this == object)
}

fn running(frame: Option<&Rc<Frame>>) -> Vec<Rc<Method>> {
    let frames = std::iter::successors(frame, |frame| frame.caller.as_ref());
    frames.map(|frame| frame.method.clone()).collect()
}
