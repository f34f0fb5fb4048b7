//! Loading and initialising classes (JVMS 5.5).

use crate::frame::Then;
use crate::halt::Halt;
use crate::machine::Machine;
use crate::state::{ClassState, Stage, State};
use crate::value::Value;
use crate::world::LoadedClass;
use lapidary_classfile::Constant;
use lapidary_jvm::ClassId;
use std::rc::Rc;

/// A class that waits for its supertypes to be initialised.
struct Waiting {
    class: Rc<LoadedClass>,
    /// The supertypes that are left.
    above: std::vec::IntoIter<ClassId>,
}

impl Waiting {
    fn of(class: Rc<LoadedClass>) -> Waiting {
        let above = class.superclass.into_iter().chain(class.initialised_interfaces.iter().copied());
        let above: Vec<ClassId> = above.collect();
        Waiting { above: above.into_iter(), class }
    }
}

impl Machine {
    /// Ensures that a class is initialised, running its initialisers first if necessary (JVMS 5.5).
    /// A chain of superclasses may be longer than the stack, so those that wait are in a list.
    pub fn initialise(&mut self, state: &mut State, id: ClassId) -> Result<Rc<LoadedClass>, Halt> {
        let mut open: Vec<Waiting> = Vec::new();
        let class = self.begin(state, id, &mut open)?;
        while let Some(last) = open.last_mut() {
            match last.above.next() {
                Some(above) => drop(self.begin(state, above, &mut open)?),
                None => {
                    let class = last.class.clone();
                    open.pop();
                    self.finish(state, &class, &open)?;
                }
            }
        }
        Ok(class)
    }

    /// Begins with a class for which those in `open` wait. It is added to them, unless it is
    /// initialised.
    fn begin(&mut self, state: &mut State, id: ClassId, open: &mut Vec<Waiting>) -> Result<Rc<LoadedClass>, Halt> {
        let class = self.load(state, id)?;
        let depth = state.frame.as_ref().map_or(0, |frame| frame.depth);
        match state.stage(id) {
            Some(Stage::Running | Stage::Done) => return Ok(class),
            // The request comes from an initialiser of a superclass, not from the instruction that
            // is retried after it.
            Some(Stage::Waiting { depth: outer }) if depth > outer => return Ok(class),
            Some(Stage::Waiting { .. }) => {}
            Some(Stage::Failed) => {
                open.iter().for_each(|waiting| self.mark_failed(state, waiting.class.id));
                let message = format!("Could not initialize class {}", class.name.as_str().replace('/', "."));
                return self.throw(state, "java/lang/NoClassDefFoundError", Some(&message));
            }
            None => {
                if let Some(hook) = self.hook.as_ref().filter(|_| open.is_empty()) {
                    hook.before_initialising(state, id);
                }
                let statics = Rc::new(self.initial_statics(state, &class)?);
                let stage = Stage::Waiting { depth };
                state.classes.insert(id.index() as u32, ClassState { stage, statics });
            }
        }
        open.push(Waiting::of(class.clone()));
        Ok(class)
    }

    /// Runs the initialiser of a class whose supertypes are initialised.
    fn finish(&mut self, state: &mut State, class: &LoadedClass, below: &[Waiting]) -> Result<(), Halt> {
        let initialiser = class.initialiser.as_ref().filter(|initialiser| initialiser.prepared().is_some());
        self.set_stage(state, class.id, if initialiser.is_some() { Stage::Running } else { Stage::Done });
        let Some(initialiser) = initialiser else { return Ok(()) };
        let waiting: Vec<ClassId> = below.iter().map(|waiting| waiting.class.id).collect();
        self.enter(state, &initialiser.clone(), &[], Then::Initialised(class.id, waiting.into()), 0)?;
        if let Some(hook) = &self.hook {
            hook.has_entered_initialiser(state, &class.name);
        }
        Err(Halt::Again)
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
                Some(Constant::String(text)) => {
                    let literal = self.world.literal(text);
                    Value::object(self.literal(state, literal)?)
                }
                Some(Constant::Int(number)) => Value::Int(*number),
                Some(Constant::Long(number)) => Value::Long(*number),
                Some(Constant::Float(bits)) => Value::Float(f32::from_bits(*bits)),
                Some(Constant::Double(bits)) => Value::Double(f64::from_bits(*bits)),
                _ => Value::default_of(&field.type_),
            });
        }
        Ok(statics)
    }

    pub(crate) fn set_stage(&mut self, state: &mut State, class: ClassId, stage: Stage) {
        if let Some(class) = state.classes.get_mut(class.index() as u32) {
            class.stage = stage;
        }
    }

    pub(crate) fn mark_failed(&mut self, state: &mut State, class: ClassId) {
        self.set_stage(state, class, Stage::Failed);
    }
}
