//! The machine: how a state takes a step, and how calls begin and end.
//!
//! An instruction first makes all its decisions (see `decide.rs`) and changes the state only then.

use crate::Ending;
use crate::call::{Call, Effect};
use crate::engine::Engine;
use crate::frame::{Frame, Then};
use crate::halt::{Halt, Next, Step};
use crate::hook::{Done, Hook, Left};
use crate::method::{Method, MethodBody};
use crate::parts::Part;
use crate::state::{Stage, State};
use crate::value::Value;
use lapidary_terms::{Solver, Sort, Term, Terms};
use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

/// A method that runs in one step. Like an instruction, it decides first and changes the state
/// last.
pub type Native = fn(&mut Machine, &mut State, &Call<'_>) -> Result<Effect, Halt>;

/// An engine with terms and a solver that decides its conditions. The machine runs paths.
///
/// Terms are meaningful only to the machine that made them. A comparison of two versions uses one
/// machine, in which the engines of the versions take turns ([`Machine::switch`]). An engine
/// outside a machine has no terms that could be mixed up:
///
/// ```compile_fail
/// fn size_of(engine: &lapidary_symbolic::Engine) -> usize {
///     engine.terms.size()
/// }
/// ```
pub struct Machine {
    pub engine: Engine,
    pub terms: Terms,
    pub solver: Box<dyn Solver>,
    /// The symbols of inputs, by whether they are part of the arguments, their index on a path, and
    /// their sort.
    pub symbols: HashMap<(bool, u32, Sort), Term>,
}

impl Deref for Machine {
    type Target = Engine;

    fn deref(&self) -> &Engine {
        &self.engine
    }
}

impl DerefMut for Machine {
    fn deref_mut(&mut self) -> &mut Engine {
        &mut self.engine
    }
}

impl AsMut<Engine> for Machine {
    fn as_mut(&mut self) -> &mut Engine {
        &mut self.engine
    }
}

impl Machine {
    pub(crate) fn of(engine: Engine, solver: Box<dyn Solver>) -> Machine {
        Machine { engine, terms: Terms::new(), solver, symbols: HashMap::new() }
    }

    /// Exchanges the running engine with another one. Terms and symbols stay.
    pub fn switch(&mut self, engine: &mut Engine) {
        std::mem::swap(&mut self.engine, engine);
    }

    /// Runs a state for at most `instructions` instructions, or until it ends, forks or is
    /// interrupted. Returns `None` if the state can go on.
    pub fn run(&mut self, state: &mut State, instructions: u64) -> Option<Ending> {
        let hook = self.hook.clone().filter(|hook| hook.watches_instructions());
        for _ in 0..instructions {
            if let Some(ending) = self.step(state, hook.as_deref()) {
                return Some(ending);
            }
            if !self.forked.is_empty() || self.curfew.is_in_force() {
                return None;
            }
        }
        None
    }

    /// Runs one instruction. `hook` is given only if it watches instructions.
    fn step(&mut self, state: &mut State, hook: Option<&dyn Hook>) -> Option<Ending> {
        self.counts.instructions += 1;
        state.instructions += 1;
        let frame = state.top();
        let (method, at) = (frame.method.clone(), frame.pc);
        let Some(prepared) = method.prepared().filter(|prepared| at < prepared.code.instructions.len()) else {
            return Some(Ending::unsupported(format!("{method} has no code")));
        };
        let step = match hook {
            Some(hook) => hook
                .before_instruction(self, state, &method, at)
                .and_then(|()| self.execute(state, &method, at, prepared.instruction(at))),
            None => self.execute(state, &method, at, prepared.instruction(at)),
        };
        self.coverage.note(&method, at, &step);
        match step {
            Ok(Next::Advance) => state.top_mut().pc = at + 1,
            Ok(Next::Jump(target)) => state.top_mut().pc = target,
            Ok(Next::Elsewhere) | Err(Halt::Again) => {}
            Err(Halt::Throw(exception)) => return self.unwind(state, exception),
            Err(Halt::End(ending)) => return Some(ending),
        }
        // The entry method has returned.
        state.frame.is_none().then(|| Ending::Returned(state.result.take()))
    }

    /// Begins a call, or runs the method at once if the machine implements it.
    pub fn call(&mut self, state: &mut State, method: &Rc<Method>, arguments: &[Value], take: usize) -> Step {
        self.counts.calls += 1;
        let call = Call { method, arguments };
        let watched = match self.hook.clone() {
            Some(hook) => Some((hook.before_call(self, state, &call)?, hook)),
            None => None,
        };
        self.note_surroundings(state, method);
        match &method.body {
            MethodBody::Code(_) => {
                self.check_depth(state)?;
                let notes = watched.map(|(part, hook)| (hook.notes_of_call(self, state, &call, part), hook));
                self.enter(state, method, arguments, Then::Push, take)?;
                if let Some((notes, hook)) = notes {
                    state.top_mut().notes = notes;
                    hook.has_resumed(state);
                }
                Ok(Next::Elsewhere)
            }
            MethodBody::Native(native) => {
                self.read_texts(state, arguments)?;
                let native = self.natives[usize::from(native.0)];
                match watched {
                    Some((part, hook)) => self.call_native_watched(state, native, &call, take, (part, &*hook)),
                    None => self.call_native(state, native, &call, take),
                }
            }
            MethodBody::Unmodelled => {
                Err(Halt::End(Ending::unsupported(format!("the native method {method}{}", method.type_))))
            }
            MethodBody::Abstract => self.throw(state, "java/lang/AbstractMethodError", Some(&method.to_string())),
        }
    }

    fn call_native(&mut self, state: &mut State, native: Native, call: &Call<'_>, take: usize) -> Step {
        match native(self, state, call)? {
            Effect::Value(value) => state.top_mut().replace(take, value),
            Effect::Nothing => state.top_mut().drop(take),
            Effect::Call(method, arguments) => return self.call(state, &method, &arguments, take),
            Effect::OwnCode => return self.call_own_code(state, call, take),
        }
        Ok(Next::Advance)
    }

    fn call_native_watched(
        &mut self,
        state: &mut State,
        native: Native,
        call: &Call<'_>,
        take: usize,
        (part, hook): (Part, &dyn Hook),
    ) -> Step {
        let before = state.clone();
        let result = match native(self, state, call)? {
            Effect::Value(value) => Some(value),
            Effect::Nothing => None,
            Effect::Call(method, arguments) => {
                hook.before_rest_of_call(state, &method, &before);
                return self.call(state, &method, &arguments, take);
            }
            Effect::OwnCode => return self.call_own_code(state, call, take),
        };
        hook.has_done(state, &Done { before: &before, call, part, result });
        match result {
            Some(value) => state.top_mut().replace(take, value),
            None => state.top_mut().drop(take),
        }
        Ok(Next::Advance)
    }

    fn call_own_code(&mut self, state: &mut State, call: &Call<'_>, take: usize) -> Step {
        let original = self.world.original(call.method.id);
        self.call(state, &original, call.arguments, take)
    }

    /// Pushes a frame for a call whose arguments are the topmost `take` values of the stack.
    pub(crate) fn enter(
        &mut self,
        state: &mut State,
        method: &Rc<Method>,
        arguments: &[Value],
        then: Then,
        take: usize,
    ) -> Result<(), Halt> {
        self.check_depth(state)?;
        let hook = self.hook.clone();
        if let Some(hook) = &hook {
            hook.before_entering(state, method);
        }
        if state.frame.is_some() && then.is_ordinary() {
            let caller = state.top_mut();
            caller.drop(take);
            caller.pc += 1;
        }
        state.frame = Some(Rc::new(Frame::new(self.world.own(method), arguments, then, state.frame.take())));
        if let Some(hook) = &hook {
            hook.has_entered(state);
        }
        Ok(())
    }

    fn check_depth(&mut self, state: &mut State) -> Result<(), Halt> {
        if state.frame.as_ref().is_some_and(|frame| frame.depth >= self.config.limits.depth) {
            // A comparison cannot tell how deep a real stack would be in each version.
            if self.hook.is_some() {
                let limit = self.config.limits.depth;
                return Err(Halt::End(Ending::unsupported(format!("more than {limit} nested calls"))));
            }
            return self.throw(state, "java/lang/StackOverflowError", None);
        }
        Ok(())
    }

    /// Begins a call for the machine's own purposes. The instruction is retried afterwards.
    pub fn run_first<T>(
        &mut self,
        state: &mut State,
        method: &Rc<Method>,
        arguments: &[Value],
        then: Then,
    ) -> Result<T, Halt> {
        self.enter(state, method, arguments, then, 0)?;
        Err(Halt::Again)
    }

    /// Begins the first call of a path.
    pub fn start(&mut self, state: &mut State, method: &Rc<Method>, arguments: &[Value]) {
        state.frame = Some(Rc::new(Frame::new(method.clone(), arguments, Then::Push, None)));
    }

    /// Ends the innermost call.
    pub fn leave(&mut self, state: &mut State, result: Option<Value>) -> Step {
        let hook = self.hook.clone();
        if let Some(hook) = &hook {
            hook.before_leaving(self, state)?;
        }
        let frame = state.frame.take().expect("a state that runs");
        state.frame = frame.caller.clone();
        if let Some(hook) = &hook {
            hook.has_left(state, &frame, Left::Returned(result));
            hook.has_resumed(state);
        }
        match &frame.then {
            Then::Push => match &mut state.frame {
                Some(_) => result.into_iter().for_each(|result| state.top_mut().push(result)),
                None => state.result = result,
            },
            Then::Initialised(class, _) => self.set_stage(state, *class, Stage::Done),
            Then::Throw(exception) => return Err(Halt::Throw(*exception)),
            Then::Read(text) => self.end_reading(state, *text, result),
            Then::Forget => {}
        }
        Ok(Next::Elsewhere)
    }
}
