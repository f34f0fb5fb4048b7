//! Exceptions: creating, throwing and catching them.

use crate::frame::Then;
use crate::halt::Halt;
use crate::heap::{Body, Nature, Object, Thrown, Vague};
use crate::hook::Left;
use crate::machine::Machine;
use crate::method::Method;
use crate::place::CodePlace;
use crate::state::State;
use crate::types::Type;
use crate::value::{Ref, Value};
use crate::{Ending, world::LoadedClass};
use std::rc::Rc;

/// How many instructions a method such as `toString` may run to describe an object.
const TELLING: u64 = 1_000_000;

impl Machine {
    /// Throws a new exception after running its constructor.
    pub fn throw<T>(&mut self, state: &mut State, class: &str, message: Option<&str>) -> Result<T, Halt> {
        self.throw_new(state, class, message, None)
    }

    /// Throws a new exception whose message is not known yet.
    pub fn throw_vague<T>(&mut self, state: &mut State, class: &str, vague: Vague) -> Result<T, Halt> {
        self.throw_new(state, class, None, Some(vague))
    }

    fn throw_new<T>(
        &mut self,
        state: &mut State,
        class: &str,
        message: Option<&str>,
        vague: Option<Vague>,
    ) -> Result<T, Halt> {
        let Ok(loaded) = self.world.class_named(class) else {
            return Err(Halt::End(Ending::unsupported(format!("{class} is missing, which should be thrown"))));
        };
        // At the depth limit, initialising the class would throw this very exception again.
        if state.top().depth < self.config.limits.depth {
            self.initialise(state, loaded.id)?;
        }
        let message = message.map(|message| self.string(state, message)).transpose()?;
        let exception = self.new_throwable(state, &loaded, vague);
        let descriptor = if message.is_some() { "(Ljava/lang/String;)V" } else { "()V" };
        let constructor = self.world.declared(loaded.id, "<init>", descriptor);
        match constructor.filter(|_| state.top().depth < self.config.limits.depth) {
            Some(constructor) => {
                let arguments: Vec<Value> =
                    [Value::object(exception)].into_iter().chain(message.map(Value::object)).collect();
                self.run_first(state, &constructor, &arguments, Then::Throw(exception))
            }
            None => Err(Halt::Throw(exception)),
        }
    }

    fn new_throwable(&mut self, state: &mut State, class: &LoadedClass, vague: Option<Vague>) -> Ref {
        let trace = state.frame.as_ref().map_or(Vec::new(), |frame| frame.places());
        let nature = Nature::Thrown(Rc::new(Thrown { trace, vague }));
        state.heap.allocate(Object { type_: class.type_, body: Body::Fields(class.defaults.clone(), nature) })
    }

    /// Finds a handler for an exception, innermost call first. Returns how the path ends if there
    /// is none.
    pub fn unwind(&mut self, state: &mut State, exception: Ref) -> Option<Ending> {
        let thrown = state.heap.get(exception).type_;
        let mut at = state.frame.as_ref()?.pc;
        loop {
            let frame = state.frame.clone()?;
            if let Some(target) = self.handler(&frame.method, at, thrown) {
                let frame = state.top_mut();
                frame.stack.clear();
                frame.push(Value::object(exception));
                frame.pc = target;
                if let Some(hook) = &self.hook {
                    hook.has_resumed(state);
                }
                return None;
            }
            if let Then::Initialised(class, waiting) = &frame.then {
                self.mark_failed(state, *class);
                waiting.iter().for_each(|class| self.mark_failed(state, *class));
                state.frame = frame.caller.clone();
                if let Some(wrapper) = self.wrapped(state, exception, thrown) {
                    return self.unwind_from(state, wrapper);
                }
            }
            let Some(caller) = frame.caller.clone() else { return Some(Ending::Threw(exception)) };
            at = caller.pc.saturating_sub(usize::from(frame.then.is_ordinary()));
            state.frame = Some(caller);
            if let Some(hook) = &self.hook {
                hook.has_left(state, &frame, Left::Threw(exception));
            }
        }
    }

    fn unwind_from(&mut self, state: &mut State, exception: Ref) -> Option<Ending> {
        match state.frame {
            Some(_) => self.unwind(state, exception),
            None => Some(Ending::Threw(exception)),
        }
    }

    fn handler(&mut self, method: &Method, at: usize, thrown: crate::types::TypeId) -> Option<usize> {
        let prepared = method.prepared()?;
        for handler in prepared.handlers_at(at) {
            let catches = match &handler.catch {
                None => true,
                Some(name) => {
                    let caught = self.world.type_of_constant(name)?;
                    self.world.is_subtype(thrown, caught)
                }
            };
            if catches {
                return Some(handler.target as usize);
            }
        }
        None
    }

    /// Wraps an exception that leaves an initialiser in an `ExceptionInInitializerError`, unless it
    /// is an error.
    fn wrapped(&mut self, state: &mut State, exception: Ref, thrown: crate::types::TypeId) -> Option<Ref> {
        let error = self.world.class_named("java/lang/Error").ok()?.type_;
        if self.world.is_subtype(thrown, error) {
            return None;
        }
        let class = self.world.class_named("java/lang/ExceptionInInitializerError").ok()?;
        let wrapper = self.new_throwable(state, &class, None);
        let slot = self.world.instance_slot("java/lang/Throwable", "cause")?;
        state.heap.get_mut(wrapper).fields_mut()[slot] = Value::object(exception);
        Some(wrapper)
    }

    /// The message of a throwable, if it has one.
    pub fn message_of(&mut self, state: &State, exception: Ref) -> Option<Vec<Value>> {
        let text = self.message_text(state, exception)?;
        self.units_of(state, text)
    }

    pub(crate) fn message_text(&mut self, state: &State, exception: Ref) -> Option<Ref> {
        let slot = self.world.instance_slot("java/lang/Throwable", "detailMessage")?;
        match state.heap.get(exception).fields().get(slot) {
            Some(Value::Reference(text)) => *text,
            _ => None,
        }
    }

    /// Whether its class has its own `getMessage`.
    pub(crate) fn tells_own_message(&mut self, state: &State, exception: Ref) -> bool {
        self.own_message_method(state, exception).is_some()
    }

    fn own_message_method(&mut self, state: &State, exception: Ref) -> Option<Rc<Method>> {
        let throwable = self.world.hierarchy.id(&"java/lang/Throwable".into());
        let resolved = self.world.declared(throwable, "getMessage", "()Ljava/lang/String;")?;
        let class = self.class_of(state, exception);
        self.world.select(class, &resolved).ok().filter(|selected| selected.class != throwable)
    }

    /// The result of the exception's own `getMessage` and the state after it; `None` if it does not
    /// return normally.
    pub(crate) fn told_message(&mut self, state: &State, exception: Ref) -> Option<(State, Option<Ref>)> {
        let method = self.own_message_method(state, exception)?;
        self.told(state, &method, &[Value::object(exception)])
    }

    /// The result of `toString`, if the object's class has its own.
    pub(crate) fn told_text(&mut self, state: &State, object: Ref) -> Option<(State, Option<Ref>)> {
        let root = self.world.hierarchy.id(&"java/lang/Object".into());
        let resolved = self.world.declared(root, "toString", "()Ljava/lang/String;")?;
        let class = self.class_of(state, object);
        let method = self.world.select(class, &resolved).ok().filter(|selected| selected.class != root)?;
        self.told(state, &method, &[Value::object(object)])
    }

    /// The result of a method under the witness of the path, and the state after it. The call is
    /// not a step of the path and does not change it.
    pub(crate) fn told(
        &mut self,
        state: &State,
        method: &Rc<Method>,
        arguments: &[Value],
    ) -> Option<(State, Option<Ref>)> {
        let mut copy = state.clone();
        self.start(&mut copy, method, arguments);
        let waiting = std::mem::take(&mut self.forked);
        let coverage = std::mem::take(&mut self.coverage);
        self.follows_witness = true;
        let ending = self.run(&mut copy, TELLING);
        self.follows_witness = false;
        (self.forked, self.coverage) = (waiting, coverage);
        match ending {
            Some(Ending::Returned(Some(Value::Reference(message)))) => Some((copy, message)),
            _ => None,
        }
    }

    /// The cause of a throwable, if it is another one.
    pub fn cause_of(&mut self, state: &State, exception: Ref) -> Option<Ref> {
        let slot = self.world.instance_slot("java/lang/Throwable", "cause")?;
        match state.heap.get(exception).fields().get(slot) {
            Some(Value::Reference(cause)) => cause.filter(|cause| *cause != exception),
            _ => None,
        }
    }

    /// The number of exceptions that a throwable has suppressed. `None` if the list is not an
    /// `ArrayList`, as in a subclass that has its own.
    pub fn suppressed_count(&mut self, state: &State, exception: Ref) -> Option<i32> {
        let slot = self.world.instance_slot("java/lang/Throwable", "suppressedExceptions")?;
        let Some(Value::Reference(Some(list))) = state.heap.get(exception).fields().get(slot).copied() else {
            return Some(0);
        };
        match (&*self.name_of(state, list), self.world.instance_slot("java/util/ArrayList", "size")) {
            ("java.util.Collections$EmptyList" | "java.util.ImmutableCollections$ListN", _) => Some(0),
            ("java.util.ArrayList", Some(size)) => match state.heap.get(list).fields().get(size) {
                Some(Value::Int(size)) => Some(*size),
                _ => None,
            },
            _ => None,
        }
    }

    /// The class of an object in the format of `Class.getName`.
    pub fn name_of(&self, state: &State, object: Ref) -> String {
        self.type_name(state.heap.get(object).type_)
    }

    pub fn name_of_type(&self, type_: crate::types::TypeId) -> String {
        self.type_name(type_)
    }

    /// The fields of an object by name, those of superclasses first. A name that occurs several
    /// times is preceded by its class. `heap` is that of the state, now or at an earlier time.
    pub fn named_fields(&mut self, state: &State, heap: &crate::heap::Heap, object: Ref) -> Vec<(String, Value)> {
        let at_time = State { heap: heap.clone(), ..state.clone() };
        let class = self.class_of(&at_time, object);
        let Ok(class) = self.world.load(class) else { return Vec::new() };
        let fields = &class.instance_fields;
        let has_twin =
            |name: &lapidary_classfile::Text| fields.iter().filter(|(_, other, _)| other == name).count() > 1;
        let names = fields.iter().map(|(owner, name, _)| match has_twin(name) {
            true => format!("{}.{name}", self.world.hierarchy.name(*owner)),
            false => name.to_string(),
        });
        names.zip(heap.get(object).fields().iter().copied()).collect()
    }

    /// Whether an object is an enum constant.
    pub fn is_enum_constant(&self, heap: &crate::heap::Heap, object: Ref) -> bool {
        let Type::Class(class) = self.world.types.get(heap.get(object).type_) else { return false };
        let hierarchy = &self.world.hierarchy;
        hierarchy.superclasses(class).skip(1).any(|above| *hierarchy.name(above) == "java/lang/Enum")
    }

    pub fn vague_message(&self, state: &State, exception: Ref) -> Option<Vague> {
        match state.heap.get(exception).nature() {
            Nature::Thrown(thrown) => thrown.vague.clone(),
            _ => None,
        }
    }

    /// Where a throwable was created.
    pub fn trace_of<'a>(&self, state: &'a State, exception: Ref) -> &'a [CodePlace] {
        match state.heap.get(exception).nature() {
            Nature::Thrown(thrown) => &thrown.trace,
            _ => &[],
        }
    }
}
