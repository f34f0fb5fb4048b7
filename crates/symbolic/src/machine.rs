//! The machine: what all states share, and how one of them takes a step.
//!
//! An instruction first decides everything that depends on symbols ([`Machine::split`], [`Machine::concretise`]) and changes the state
//! only then. So when a decision can go both ways, a copy of the state is put aside with the opposite decision among its
//! conditions; when its turn comes it runs the same instruction again, and this time the decision is known.

use crate::boundary::{Crossing, Part, Partition};
use crate::frame::{Frame, Place, Then};
use crate::input::{Asked, KindId, Kinds, Restriction};
use crate::merge::Merging;
use crate::method::{Body, Method};
use crate::native::{Call, Effect, MathFunctions, Native};
use crate::prefix::Common;
use crate::state::{ClassState, Stage, State};
use crate::value::{Ref, Value};
use crate::world::{LoadedClass, World};
use crate::{Coverage, Ending, Limits};
use lapidary_classfile::{Constant as ClassConstant, Kind};
use lapidary_jvm::{ClassId, Hierarchy};
use lapidary_terms::{Answer, Constant, Interrupt, Solver, Sort, Term, Terms};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

pub struct Machine {
    pub world: World,
    pub terms: Terms,
    pub solver: Box<dyn Solver>,
    pub limits: Limits,
    /// Ends everything at once. Paths stand still then, and none of them is lost.
    pub interrupt: Interrupt,
    pub coverage: Coverage,
    /// Whether every decision is made as the witness of the path has it, without looking for the other way.
    pub(crate) follows_witness: bool,
    /// Whether texts with symbols in them are put together when somebody reads them, so that paths do not fork over their digits.
    pub reads_texts_late: bool,
    /// Copies of states that went the other way, to be run later.
    pub forked: Vec<State>,
    /// Decisions that the solver could not make, or that nobody looked into; the way that was not taken is lost.
    pub undecided: u64,
    /// Why the first of them was not decided, and where.
    pub first_undecided: Option<String>,
    pub counts: Counts,
    pub merging: Merging,
    /// The symbols of inputs, by whether they are part of the arguments, their place on a path and their sort.
    pub(crate) symbols: HashMap<(bool, u32, Sort), Term>,
    /// How values of the types of parameters and fields can be given, and for which there are methods that make them.
    pub kinds: Kinds,
    pub(crate) made_kinds: BTreeSet<KindId>,
    /// The arguments of `main`, where they are given.
    pub(crate) arguments: Vec<String>,
    /// Which objects belong to which part of the program. Nothing is traced where there is none.
    pub partition: Option<Rc<dyn Partition>>,
    /// What the program has in common with another version of it. Nothing is remembered of that where there is none.
    pub common: Option<Rc<dyn Common>>,
    /// Whether one turn of a loop stands for all of them; paths end where they come to a loop for the second time.
    pub matches_loops: bool,
    pub(crate) loops: HashMap<u32, Rc<crate::turns::Loops>>,
    /// Whether states note when computations of integers leave their range.
    pub notes_overflow: bool,
    /// What inputs could have been and were not.
    pub restrictions: BTreeSet<Restriction>,
    /// Texts with characters that do not fit into one byte, to be tried as inputs.
    pub wide_texts: Vec<Vec<u16>>,
    /// Whether the program went through a `HashMap` or a `HashSet`, whose order says nothing.
    pub goes_through_hashes: bool,
    /// What the program asked of its surroundings: time, environment. It is the same on every path here.
    pub surroundings: BTreeSet<String>,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub instructions: u64,
    pub forks: u64,
    pub calls: u64,
}

/// Why an instruction did not simply run.
pub enum Halt {
    /// Something else runs first; then the instruction is tried again.
    Again,
    Throw(Ref),
    End(Ending),
}

/// Where a path goes on.
pub enum Next {
    Advance,
    Jump(usize),
    /// A call began or ended, and the frames say where to go on.
    Elsewhere,
}

pub type Step = Result<Next, Halt>;

impl Machine {
    pub fn new(hierarchy: Arc<Hierarchy>, solver: Box<dyn Solver>, limits: Limits) -> Machine {
        Machine {
            world: World::new(hierarchy),
            terms: Terms::new(),
            solver,
            limits,
            interrupt: Interrupt::default(),
            coverage: Coverage::default(),
            follows_witness: false,
            reads_texts_late: false,
            forked: Vec::new(),
            undecided: 0,
            first_undecided: None,
            counts: Counts::default(),
            merging: Merging::default(),
            symbols: HashMap::new(),
            kinds: Kinds::default(),
            made_kinds: BTreeSet::new(),
            arguments: Vec::new(),
            partition: None,
            common: None,
            matches_loops: false,
            loops: HashMap::new(),
            notes_overflow: false,
            restrictions: BTreeSet::new(),
            wide_texts: Vec::new(),
            goes_through_hashes: false,
            surroundings: BTreeSet::new(),
        }
    }

    /// Has inputs be what the code asks about; to be called before any of them is planned.
    pub fn ask(&mut self, asked: &Asked) {
        self.kinds.asked = asked.types.clone();
        self.wide_texts = asked.wide_texts.iter().cloned().collect();
    }

    /// A machine for another version of the program; see [`World::beside`]. Terms and solver are its own until somebody exchanges them.
    pub fn beside(&self, hierarchy: Arc<Hierarchy>, solver: Box<dyn Solver>, limits: Limits) -> Machine {
        let world = self.world.beside(hierarchy.clone());
        Machine { world, ..Machine::new(hierarchy, solver, limits) }
    }

    /// Hands terms, solver and symbols over to a machine that runs another version of the program, and takes what that one has.
    pub fn exchange(&mut self, other: &mut Machine) {
        std::mem::swap(&mut self.terms, &mut other.terms);
        std::mem::swap(&mut self.solver, &mut other.solver);
        std::mem::swap(&mut self.symbols, &mut other.symbols);
    }

    /// Runs a state until it has ended, for at most so many instructions, or until it has forked or somebody interrupts. None if it can go on.
    pub fn run(&mut self, state: &mut State, instructions: u64) -> Option<Ending> {
        for _ in 0..instructions {
            if let Some(ending) = self.step(state) {
                return Some(ending);
            }
            if !self.forked.is_empty() || self.interrupt.is_set() {
                return None;
            }
        }
        None
    }

    /// One instruction.
    fn step(&mut self, state: &mut State) -> Option<Ending> {
        self.counts.instructions += 1;
        state.instructions += 1;
        let frame = state.top();
        let (method, at) = (frame.method.clone(), frame.pc);
        let Some(prepared) = method.prepared().filter(|prepared| at < prepared.code.instructions.len()) else {
            return Some(Ending::unsupported(format!("{method} has no code")));
        };
        let step = match self.matches_loops {
            true => self
                .at_head(state, &method, at)
                .and_then(|()| self.execute(state, &method, at, prepared.instruction(at))),
            false => self.execute(state, &method, at, prepared.instruction(at)),
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

    /// Decides a condition. If it can be either, a copy of the state goes the other way.
    pub fn split(&mut self, state: &mut State, condition: Term) -> Result<bool, Halt> {
        if let Some(Constant::Bool(holds)) = self.terms.constant(condition) {
            return Ok(holds);
        }
        if let Some(holds) = state.path.known(condition) {
            return Ok(holds);
        }
        let holds = self.holds_for_witness(state, condition);
        if self.follows_witness {
            return Ok(holds);
        }
        let negation = self.terms.not(condition);
        let (taken, other) = if holds { (condition, negation) } else { (negation, condition) };
        match self.solve_with(state, other) {
            Answer::Satisfiable(witness) => {
                if self.merging.is_on && self.merging.before.is_none() {
                    self.merging.before = Some(state.path.clone());
                }
                let mut copy = state.clone();
                copy.path.assume(other, taken);
                copy.path.witness = witness;
                self.forked.push(copy);
                self.counts.forks += 1;
                state.path.assume(taken, other);
            }
            Answer::Unsatisfiable => state.path.note(taken, other),
            Answer::Unknown(_) if self.interrupt.is_set() => return Err(Halt::Again),
            Answer::Unknown(reason) => {
                self.note_undecided(state, &reason);
                state.path.assume(taken, other);
            }
        }
        Ok(holds)
    }

    /// Goes on only where the condition holds.
    pub fn assume(&mut self, state: &mut State, condition: Term) -> Result<(), Halt> {
        let negation = self.terms.not(condition);
        match (self.terms.constant(condition), state.path.known(condition)) {
            (Some(Constant::Bool(true)), _) | (_, Some(true)) => return Ok(()),
            (Some(_), _) | (_, Some(false)) => return Err(Halt::End(Ending::Infeasible)),
            (None, None) => {}
        }
        if !self.holds_for_witness(state, condition) {
            match self.solve_with(state, condition) {
                Answer::Satisfiable(witness) => state.path.witness = witness,
                Answer::Unsatisfiable => return Err(Halt::End(Ending::Infeasible)),
                Answer::Unknown(_) if self.interrupt.is_set() => return Err(Halt::Again),
                Answer::Unknown(reason) => return Err(Halt::End(Ending::unsupported(format!("the solver: {reason}")))),
            }
        }
        state.path.assume(condition, negation);
        Ok(())
    }

    /// Whether a condition holds for no input of the path.
    pub(crate) fn is_impossible(&mut self, state: &State, condition: Term) -> Result<bool, Halt> {
        match self.solve_with(state, condition) {
            Answer::Unknown(_) if self.interrupt.is_set() => Err(Halt::Again),
            answer => Ok(answer == Answer::Unsatisfiable),
        }
    }

    /// A number for a value that may be symbolic. Copies of the state take the other numbers that are possible.
    pub fn concretise(&mut self, state: &mut State, value: Value) -> Result<Value, Halt> {
        let Value::Symbolic(kind, term) = value else { return Ok(value) };
        loop {
            let number = self.value_of(state, term);
            let chosen = Value::of_constant(kind, number);
            let constant = chosen.term(&mut self.terms).expect("a number");
            let equal = self.equal(kind, term, constant);
            if self.split(state, equal)? {
                return Ok(chosen);
            }
        }
    }

    /// The number that the witness has for a value. That it may be another one is not explored, and counts as undecided.
    pub(crate) fn settle(&mut self, state: &mut State, value: Value) -> Value {
        let Value::Symbolic(kind, term) = value else { return value };
        let chosen = Value::of_constant(kind, self.value_of(state, term));
        let Some(constant) = chosen.term(&mut self.terms) else { return chosen };
        let equal = self.equal(kind, term, constant);
        if self.follows_witness || self.terms.constant(equal).is_some() || state.path.known(equal) == Some(true) {
            return chosen;
        }
        let negation = self.terms.not(equal);
        match self.solve_with(state, negation) {
            Answer::Unsatisfiable => state.path.note(equal, negation),
            _ => {
                self.note_undecided(state, "the message of an exception names an input");
                state.path.assume(equal, negation);
            }
        }
        chosen
    }

    fn note_undecided(&mut self, state: &State, reason: &str) {
        self.undecided += 1;
        self.first_undecided.get_or_insert_with(|| {
            let place = state.frame.as_ref().map(|frame| Place { method: frame.method.clone(), at: frame.pc });
            place.map_or_else(|| reason.to_owned(), |place| format!("{reason}, at {place}"))
        });
    }

    pub fn concrete_int(&mut self, state: &mut State, value: Value) -> Result<i32, Halt> {
        match self.concretise(state, value)? {
            Value::Int(number) => Ok(number),
            _ => Err(Halt::End(Ending::unsupported("a number was expected".into()))),
        }
    }

    fn equal(&mut self, kind: Kind, one: Term, other: Term) -> Term {
        match kind {
            // Equal bits, so that a NaN equals itself and zeros keep their sign.
            Kind::Float | Kind::Double => {
                let (one, other) = (self.terms.raw_bits(one), self.terms.raw_bits(other));
                self.terms.equals(one, other)
            }
            _ => self.terms.equals(one, other),
        }
    }

    fn holds_for_witness(&mut self, state: &State, condition: Term) -> bool {
        matches!(self.value_of(state, condition), Constant::Bool(true))
    }

    /// What a term is for the witness of a path.
    pub(crate) fn value_of(&self, state: &State, term: Term) -> Constant {
        self.terms.evaluate_with(term, &state.path.witness, &MathFunctions)
    }

    fn solve_with(&mut self, state: &State, condition: Term) -> Answer {
        let mut conditions: Vec<Term> = state.path.conditions.to_vec().into_iter().copied().collect();
        conditions.push(condition);
        self.solver.solve(&mut self.terms, &conditions)
    }

    /// Begins a call, or does at once what the machine can do without code.
    pub fn call(&mut self, state: &mut State, method: &Rc<Method>, arguments: &[Value], take: usize) -> Step {
        self.counts.calls += 1;
        self.watch_call(state, method, None);
        let part = self.part_of_call(state, method, arguments)?;
        self.note_given_arrays(state, method, arguments);
        self.note_surroundings(state, method);
        match &method.body {
            Body::Code(_) => {
                self.check_depth(state)?;
                let open = part.and_then(|part| self.open(state, method, arguments, part));
                self.enter(state, method, arguments, Then::Push, take)?;
                if let Some(part) = part {
                    let objects = state.heap.len();
                    let frame = state.top_mut();
                    frame.objects_before = objects;
                    (frame.part, frame.crossing) = (part, open);
                    state.resume_part();
                }
                Ok(Next::Elsewhere)
            }
            Body::Native(native) => {
                self.read_texts(state, arguments)?;
                self.call_native(state, *native, &Call { method, arguments }, take, part)
            }
            Body::Unmodelled => {
                Err(Halt::End(Ending::unsupported(format!("the native method {method}{}", method.type_))))
            }
            Body::Abstract => self.throw(state, "java/lang/AbstractMethodError", Some(&method.to_string())),
        }
    }

    fn call_native(
        &mut self,
        state: &mut State,
        native: Native,
        call: &Call<'_>,
        take: usize,
        part: Option<Part>,
    ) -> Step {
        let before = part.map(|_| state.clone());
        let effect = native(self, state, call)?;
        let result = match effect {
            Effect::Value(value) => Some(value),
            Effect::Nothing => None,
            Effect::Call(method, arguments) => {
                self.watch_call(state, &method, before.as_ref());
                return self.call(state, &method, &arguments, take);
            }
            Effect::OwnCode => {
                let original = self.world.original(call.method.id);
                return self.call(state, &original, call.arguments, take);
            }
        };
        if let (Some(part), Some(before)) = (part, before) {
            self.note_native(state, &before, call, part, result);
        }
        match result {
            Some(value) => state.top_mut().replace(take, value),
            None => state.top_mut().drop(take),
        }
        Ok(Next::Advance)
    }

    /// Puts a call on top, whose arguments are the uppermost `take` values of the stack.
    fn enter(
        &mut self,
        state: &mut State,
        method: &Rc<Method>,
        arguments: &[Value],
        then: Then,
        take: usize,
    ) -> Result<(), Halt> {
        self.check_depth(state)?;
        self.watch_entered(state, method);
        if state.frame.is_some() && then.is_ordinary() {
            let caller = state.top_mut();
            caller.drop(take);
            caller.pc += 1;
        }
        state.frame = Some(Rc::new(Frame::new(self.world.own(method), arguments, then, state.frame.take())));
        Ok(())
    }

    fn check_depth(&mut self, state: &mut State) -> Result<(), Halt> {
        if state.frame.as_ref().is_some_and(|frame| frame.depth >= self.limits.depth) {
            return self.throw(state, "java/lang/StackOverflowError", None);
        }
        Ok(())
    }

    /// Begins a call for the machine's own ends. The instruction is tried again after it.
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
        self.settle_part(state)?;
        let frame = state.frame.take().expect("a state that runs");
        state.frame = frame.caller.clone();
        if let Some(open) = &frame.crossing {
            self.close(state, open, frame.part, Crossing::Returned(frame.method.clone(), result));
        }
        state.resume_part();
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

    /// Makes sure that a class is initialised; its initialisers run first if it is not (JVMS 5.5).
    pub fn initialise(&mut self, state: &mut State, id: ClassId) -> Result<Rc<LoadedClass>, Halt> {
        self.initialise_above(state, id, &[])
    }

    /// The same for a class that is above those that wait for it.
    fn initialise_above(
        &mut self,
        state: &mut State,
        id: ClassId,
        waiting: &[ClassId],
    ) -> Result<Rc<LoadedClass>, Halt> {
        let class = self.load(state, id)?;
        let depth = state.frame.as_ref().map_or(0, |frame| frame.depth);
        match state.stage(id) {
            Some(Stage::Running | Stage::Done) => return Ok(class),
            // An initialiser of a class above asks, and not the instruction that is tried again after it.
            Some(Stage::Waiting { depth: outer }) if depth > outer => return Ok(class),
            Some(Stage::Waiting { .. }) => {}
            Some(Stage::Failed) => {
                waiting.iter().for_each(|class| self.mark_failed(state, *class));
                let message = format!("Could not initialize class {}", class.name.as_str().replace('/', "."));
                return self.throw(state, "java/lang/NoClassDefFoundError", Some(&message));
            }
            None => {
                if waiting.is_empty() {
                    self.watch_class(state, id);
                }
                let statics = Rc::new(self.initial_statics(state, &class)?);
                let stage = Stage::Waiting { depth };
                state.classes.insert(id.index() as u32, ClassState { stage, statics });
            }
        }
        let below: Vec<ClassId> = waiting.iter().copied().chain([id]).collect();
        for above in class.superclass.into_iter().chain(class.initialised_interfaces.iter().copied()) {
            self.initialise_above(state, above, &below)?;
        }
        let initialiser = class.initialiser.as_ref().filter(|initialiser| initialiser.prepared().is_some());
        self.set_stage(state, id, if initialiser.is_some() { Stage::Running } else { Stage::Done });
        match initialiser {
            Some(initialiser) => {
                let initialiser = initialiser.clone();
                self.enter(state, &initialiser, &[], Then::Initialised(id, waiting.into()), 0)?;
                self.run_in_part_of_class(state, &class.name);
                Err(Halt::Again)
            }
            None => Ok(class),
        }
    }

    pub fn load(&mut self, state: &mut State, id: ClassId) -> Result<Rc<LoadedClass>, Halt> {
        match self.world.load(id) {
            Ok(class) => Ok(class),
            Err(missing) => self.throw(state, missing.error, Some(&missing.name.as_str())),
        }
    }

    fn initial_statics(&mut self, state: &mut State, class: &LoadedClass) -> Result<Vec<Value>, Halt> {
        let mut statics = Vec::with_capacity(class.static_fields.len());
        for field in &class.static_fields {
            statics.push(match &field.constant {
                Some(ClassConstant::String(text)) => {
                    let literal = self.world.literal(text);
                    Value::object(self.literal(state, literal)?)
                }
                Some(ClassConstant::Int(number)) => Value::Int(*number),
                Some(ClassConstant::Long(number)) => Value::Long(*number),
                Some(ClassConstant::Float(bits)) => Value::Float(f32::from_bits(*bits)),
                Some(ClassConstant::Double(bits)) => Value::Double(f64::from_bits(*bits)),
                _ => Value::default_of(&field.type_),
            });
        }
        Ok(statics)
    }

    fn set_stage(&mut self, state: &mut State, class: ClassId, stage: Stage) {
        if let Some(class) = state.classes.get_mut(class.index() as u32) {
            class.stage = stage;
        }
    }

    /// Whether a class is the program's and not the platform's.
    pub fn is_own(&self, class: ClassId) -> bool {
        let name = self.world.hierarchy.name(class).as_str();
        self.world.hierarchy.class_path().platform().is_none_or(|platform| platform.find(&name).is_none())
    }

    pub(crate) fn mark_failed(&mut self, state: &mut State, class: ClassId) {
        self.set_stage(state, class, Stage::Failed);
    }
}
