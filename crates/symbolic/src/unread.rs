//! Strings that contain symbols and have not been read.
//!
//! `"at " + n` has as many forms as `n` can have digits, and the path would fork over them. Most
//! such strings are exception messages that no program ever reads. With
//! [`reads_texts_late`](crate::MachineConfig::reads_texts_late), a string is built only when it is
//! read.

use crate::frame::Then;
use crate::halt::Halt;
use crate::heap::{Body, Callable, Nature, Object};
use crate::machine::Machine;
use crate::method::Method;
use crate::outcome::boxed_base;
use crate::state::State;
use crate::value::{Ref, Value};
use std::rc::Rc;

impl Machine {
    /// A string that `maker` will build from these arguments, if that can wait. It can if they are
    /// numbers, boxes or strings, which do not change; `toString` of any other object may do
    /// anything.
    pub(crate) fn unread_text(
        &mut self,
        state: &mut State,
        maker: &Rc<Method>,
        arguments: &[Value],
    ) -> Result<Option<Ref>, Halt> {
        if !self.config.reads_texts_late || self.follows_witness || !self.has_symbol(state, arguments) {
            return Ok(None);
        }
        let id = self.world.hierarchy.id(&"java/lang/String".into());
        let class = self.load(state, id)?;
        let can_wait = arguments.iter().all(|argument| match argument {
            Value::Reference(Some(object)) => {
                let found = state.heap.get(*object);
                let is_read = found.type_ == class.type_ && !matches!(found.nature(), Nature::Unread(_));
                is_read || boxed_base(&self.name_of(state, *object)).is_some()
            }
            _ => true,
        });
        if !can_wait {
            return Ok(None);
        }
        let fields = class.defaults.iter().map(|_| Value::Nothing).collect();
        let text = Rc::new(Callable { method: maker.clone(), bound: arguments.to_vec() });
        let body = Body::Fields(fields, Nature::Unread(text));
        Ok(Some(state.heap.allocate(Object { type_: class.type_, body })))
    }

    /// Whether there is a symbol among the values, or in a box among them.
    fn has_symbol(&self, state: &State, values: &[Value]) -> bool {
        values.iter().any(|value| match value {
            Value::Symbolic(..) => true,
            Value::Reference(Some(object)) => {
                let found = state.heap.get(*object);
                let holds_one = || found.fields().iter().any(|field| matches!(field, Value::Symbolic(..)));
                holds_one() && boxed_base(&self.name_of(state, *object)).is_some()
            }
            _ => false,
        })
    }

    /// Builds a string first if it was not read before.
    pub(crate) fn read_text(&mut self, state: &mut State, text: Ref) -> Result<(), Halt> {
        let Nature::Unread(maker) = state.heap.get(text).nature() else { return Ok(()) };
        let maker = maker.clone();
        self.run_first(state, &maker.method, &maker.bound, Then::Read(text))
    }

    /// Builds the unread strings among the arguments of a native method, which reads strings
    /// directly.
    pub(crate) fn read_texts(&mut self, state: &mut State, arguments: &[Value]) -> Result<(), Halt> {
        if !self.config.reads_texts_late {
            return Ok(());
        }
        let mut texts = arguments.iter().filter_map(|argument| match argument {
            Value::Reference(object) => *object,
            _ => None,
        });
        texts.try_for_each(|text| self.read_text(state, text))
    }

    /// The string was built as another object; copies its content.
    pub(crate) fn end_reading(&mut self, state: &mut State, text: Ref, made: Option<Value>) {
        if let Some(Value::Reference(Some(made))) = made {
            *state.heap.get_mut(text) = state.heap.get(made).clone();
        }
    }

    /// The units of a string under the witness of the path, without changing the path.
    pub(crate) fn units_for_witness(&mut self, state: &State, text: Ref) -> Option<(State, Vec<Value>)> {
        let Nature::Unread(maker) = state.heap.get(text).nature() else {
            return Some((state.clone(), self.units_of(state, text)?));
        };
        let maker = maker.clone();
        let (told, made) = self.told(state, &maker.method, &maker.bound)?;
        let units = self.units_of(&told, made?)?;
        Some((told, units))
    }
}
