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

impl Machine {
    /// Ensures that a class is initialised, running its initialisers first if necessary (JVMS 5.5).
    pub fn initialise(&mut self, state: &mut State, id: ClassId) -> Result<Rc<LoadedClass>, Halt> {
        self.initialise_above(state, id, &[])
    }

    /// Initialises a class whose subclasses `waiting` wait for it.
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
            // The request comes from an initialiser of a superclass, not from the instruction that
            // is retried after it.
            Some(Stage::Waiting { depth: outer }) if depth > outer => return Ok(class),
            Some(Stage::Waiting { .. }) => {}
            Some(Stage::Failed) => {
                waiting.iter().for_each(|class| self.mark_failed(state, *class));
                let message = format!("Could not initialize class {}", class.name.as_str().replace('/', "."));
                return self.throw(state, "java/lang/NoClassDefFoundError", Some(&message));
            }
            None => {
                if let Some(hook) = self.hook.as_ref().filter(|_| waiting.is_empty()) {
                    hook.before_initialising(state, id);
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
                if let Some(hook) = &self.hook {
                    hook.has_entered_initialiser(state, &class.name);
                }
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
