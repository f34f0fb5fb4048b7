//! The beginning that a path has in common with one of another version of the program.
//!
//! As long as a path runs code that is the same in both versions, on objects of classes that are, the other version does the same. So a
//! path remembers the state in which it was when it first came to anything else. A machine for the other version takes that state over
//! and goes on from there; a path that has never come to anything else need not be run a second time.
//!
//! Both machines number classes, types and literals alike (see [`crate::World::beside`]). What differs are the methods, which know what
//! their instructions were resolved to: those of the calls that go on are exchanged when a state is taken over, others when they are called.

use crate::frame::Frame;
use crate::heap::Nature;
use crate::input::{Kind, Kinds};
use crate::machine::Machine;
use crate::method::{Body, Method};
use crate::script::Script;
use crate::state::State;
use crate::world::World;
use lapidary_jvm::ClassId;
use std::rc::Rc;

/// Says what two versions of a program have in common.
pub trait Common {
    fn is_common_method(&self, method: &Method) -> bool;

    /// Whether objects and static fields of a class look alike in both versions, and are made and initialised alike.
    fn is_common_class(&self, class: ClassId) -> bool;
}

/// How far a path is common to both versions.
#[derive(Clone, Default)]
pub enum Prefix {
    /// All of it so far.
    #[default]
    Whole,
    /// Until it was in this state, before an instruction.
    Until(Rc<State>),
    /// Until somewhere in the middle of an instruction.
    Lost,
}

impl Prefix {
    /// Whether both are one prefix.
    pub(crate) fn is(&self, other: &Prefix) -> bool {
        match (self, other) {
            (Prefix::Whole, Prefix::Whole) | (Prefix::Lost, Prefix::Lost) => true,
            (Prefix::Until(one), Prefix::Until(other)) => Rc::ptr_eq(one, other),
            _ => false,
        }
    }
}

impl State {
    fn is_common_so_far(&self) -> bool {
        matches!(self.prefix, Prefix::Whole)
    }
}

impl Machine {
    /// Remembers the state if a method is about to be called that the other version does not have so. `before` is the state before the
    /// instruction, if that has changed anything.
    pub(crate) fn watch_call(&self, state: &mut State, method: &Method, before: Option<&State>) {
        let Some(common) = self.common.as_ref().filter(|_| state.is_common_so_far()) else { return };
        if !common.is_common_method(method) {
            let snapshot = before.unwrap_or(state).clone();
            state.prefix = Prefix::Until(Rc::new(snapshot));
        }
    }

    /// The same for a class that is about to be initialised.
    pub(crate) fn watch_class(&self, state: &mut State, class: ClassId) {
        let Some(common) = self.common.as_ref().filter(|_| state.is_common_so_far()) else { return };
        if !common.is_common_class(class) {
            state.prefix = Prefix::Until(Rc::new(state.clone()));
        }
    }

    /// The same where there is no way back to the beginning of the instruction.
    pub(crate) fn watch_entered(&self, state: &mut State, method: &Method) {
        let Some(common) = self.common.as_ref().filter(|_| state.is_common_so_far()) else { return };
        if !common.is_common_method(method) {
            state.prefix = Prefix::Lost;
        }
    }

    /// The state in which a path of the other version came to code that differs, with what that path then assumed, to be run by this
    /// machine. Nothing if it cannot be taken over: then the path has to be run from its beginning.
    pub fn take_over(&mut self, other: &Machine, path: &State, entries: (&Rc<Method>, &Rc<Method>)) -> Option<State> {
        let Prefix::Until(snapshot) = &path.prefix else { return None };
        // Before there are inputs, all paths are one: see [`Machine::begun`].
        if snapshot.has_no_inputs() {
            return None;
        }
        // Fields of inputs that were read later have to be made first.
        if snapshot.given_fields() != path.given_fields() || !self.gives_alike(other, snapshot) {
            return None;
        }
        self.world.adopt_classes(&other.world);
        let frame = self.taken_over_calls(snapshot.frame.as_ref()?, entries)?;
        let script = Script::after(path, snapshot);
        Some(State {
            frame: Some(frame),
            path: path.path.clone(),
            script,
            prefix: Prefix::Lost,
            ..(**snapshot).clone()
        })
    }

    /// Whether the inputs of a path would have been made in the same ways here.
    pub fn gives_alike(&self, other: &Machine, state: &State) -> bool {
        state.given_objects.backwards().all(|given| match state.heap.get(given.object).nature() {
            Nature::Given(_, _, kind) => {
                self.kinds.known(*kind).is_some_and(|mine| is_alike(mine, other.kinds.get(*kind)))
            }
            _ => true,
        })
    }

    /// The calls that go on, with this version's methods. Those that make an input cannot be taken over.
    fn taken_over_calls(&mut self, innermost: &Rc<Frame>, entries: (&Rc<Method>, &Rc<Method>)) -> Option<Rc<Frame>> {
        let frames: Vec<&Rc<Frame>> = std::iter::successors(Some(innermost), |frame| frame.caller.as_ref()).collect();
        let mut caller = None;
        for frame in frames.into_iter().rev() {
            let method = match Rc::ptr_eq(&frame.method, entries.0) {
                true => entries.1.clone(),
                false if frame.method.class_name.as_bytes().starts_with(b"lapidary/Given") => return None,
                false => self.world.own(&frame.method),
            };
            let instructions = |method: &Method| method.prepared().map(|prepared| prepared.code.instructions.len());
            if instructions(&method) != instructions(&frame.method) {
                return None;
            }
            caller = Some(Rc::new(Frame { method, caller, ..(**frame).clone() }));
        }
        caller
    }
}

fn is_alike(one: &Kind, other: &Kind) -> bool {
    one.type_ == other.type_ && format!("{:?}", one.alternatives) == format!("{:?}", other.alternatives)
}

impl Kinds {
    /// Whether all kinds so far are the same.
    pub fn are_alike(&self, other: &Kinds) -> bool {
        self.iter().len() == other.iter().len()
            && self.iter().zip(other.iter()).all(|(one, other)| is_alike(one, other))
    }
}

impl World {
    /// This version's method of the same name.
    pub fn own(&mut self, method: &Rc<Method>) -> Rc<Method> {
        if method.version == self.version {
            return method.clone();
        }
        let class = self.hierarchy.id(&method.class_name);
        let id = self.hierarchy.declared_method(class, &method.name, &method.type_.descriptor());
        let Some(id) = id else { return method.clone() };
        let own = self.method(id);
        // Where the machine has left a method to its own code, it does so here.
        if matches!((&method.body, &own.body), (Body::Code(_), Body::Native(_))) { self.original(id) } else { own }
    }

    /// Whether classes, types and literals have the same numbers in both.
    pub fn is_beside(&self, other: &World) -> bool {
        self.version != other.version && self.shares_numbers_with(other)
    }

    /// Takes over the classes that were made up for the other version. Those of the same name do the same.
    fn adopt_classes(&mut self, other: &World) {
        for class in other.hierarchy.class_path().made_after(self.adopted) {
            self.adopted += 1;
            self.hierarchy.class_path().define(class);
        }
    }
}
