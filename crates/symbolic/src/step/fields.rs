//! Static fields and fields of objects.

use crate::frame::narrowed;
use crate::halt::{Halt, Next, Step};
use crate::hook::Accessed;
use crate::machine::Machine;
use crate::method::{Method, Site};
use crate::state::State;
use crate::value::Value;
use lapidary_classfile::{FieldOp, Kind, MemberRef, access};
use lapidary_jvm::{BaseType, ClassId, FieldId, FieldType, Resolution};
use std::rc::Rc;

impl Machine {
    pub(super) fn field(
        &mut self,
        state: &mut State,
        method: &Rc<Method>,
        at: usize,
        operation: FieldOp,
        member: &MemberRef,
    ) -> Step {
        let (class, slot) = self.field_at(state, method, at, operation, member)?;
        match operation {
            FieldOp::GetStatic => {
                self.initialise(state, class)?;
                let value = self.read_static(state, class, slot)?;
                self.note_read(state, Accessed::Static(class, member), value);
                state.top_mut().push(value);
            }
            FieldOp::PutStatic => {
                self.initialise(state, class)?;
                let value = self.fitting(member, state.top().peek(0));
                state.set_static_field(class, slot, value);
                self.note_write(state, Accessed::Static(class, member), value);
                state.top_mut().drop(1);
            }
            FieldOp::GetField => {
                let object = self.not_null(state, 0)?;
                let value = self.read_field(state, object, slot)?;
                self.note_read(state, Accessed::Field(object, class, member), value);
                state.top_mut().replace(1, value);
            }
            FieldOp::PutField => {
                let object = self.not_null(state, 1)?;
                let value = self.fitting(member, state.top().peek(0));
                self.note_write(state, Accessed::Field(object, class, member), value);
                let is_unseen = self.hook.as_ref().is_some_and(|hook| hook.is_unseen(method, member));
                let written = if is_unseen { state.heap.get_to_cache(object) } else { state.heap.get_mut(object) };
                if let Some(field) = written.fields_mut().get_mut(slot) {
                    *field = value;
                }
                state.top_mut().drop(2);
            }
        }
        Ok(Next::Advance)
    }

    fn field_at(
        &mut self,
        state: &mut State,
        method: &Rc<Method>,
        at: usize,
        operation: FieldOp,
        member: &MemberRef,
    ) -> Result<(ClassId, usize), Halt> {
        let site = method.prepared().map(|prepared| &prepared.sites[at]);
        if let Some(Site::Field { class, slot }) = site.and_then(|site| site.get()) {
            return Ok((*class, *slot));
        }
        let owner = self.world.hierarchy.owner(&member.owner);
        self.load(state, owner)?;
        let field = match self.world.hierarchy.resolve_field(owner, &member.name, &member.descriptor) {
            Resolution::Found(field) => field,
            _ => return self.throw(state, "java/lang/NoSuchFieldError", Some(&member.name.as_str())),
        };
        self.load(state, field.class)?;
        self.check_kind(state, field, operation)?;
        let Ok(slot) = self.world.slot(field) else { return self.broken("a field that has no type") };
        site.into_iter().for_each(|site| drop(site.set(Site::Field { class: field.class, slot })));
        Ok((field.class, slot))
    }

    /// A recompiled class may have changed whether a field is static.
    fn check_kind(&mut self, state: &mut State, field: FieldId, operation: FieldOp) -> Result<(), Halt> {
        let wants_static = matches!(operation, FieldOp::GetStatic | FieldOp::PutStatic);
        let declared = self.world.hierarchy.field(field);
        if (declared.access & access::STATIC != 0) == wants_static {
            return Ok(());
        }
        let kind = if wants_static { "static" } else { "non-static" };
        let class = self.world.hierarchy.name(field.class).as_str().replace('/', ".");
        let message = format!("Expected {kind} field {class}.{}", declared.name);
        self.throw(state, "java/lang/IncompatibleClassChangeError", Some(&message))
    }

    /// Tells the hook that a variable was read.
    pub(super) fn note_read(&self, state: &mut State, accessed: Accessed<'_>, value: Value) {
        if let Some(hook) = &self.hook {
            hook.has_read(self, state, accessed, value);
        }
    }

    /// Tells the hook that a variable is written.
    pub(super) fn note_write(&self, state: &mut State, accessed: Accessed<'_>, value: Value) {
        if let Some(hook) = &self.hook {
            hook.writes(self, state, accessed, value);
        }
    }

    /// Truncates an int to the width of the field.
    fn fitting(&mut self, member: &MemberRef, value: Value) -> Value {
        let base = match member.descriptor.as_bytes() {
            [letter] => BaseType::from_letter(*letter),
            _ => None,
        };
        match (value, base) {
            (Value::Int(number), Some(base)) => Value::Int(narrowed(&FieldType::Base(base), number)),
            (Value::Symbolic(Kind::Int, term), Some(base)) => self.narrowed_term(base, term),
            _ => value,
        }
    }

    /// Truncates a symbolic int to a narrower type.
    pub(crate) fn narrowed_term(&mut self, base: BaseType, term: lapidary_terms::Term) -> Value {
        let terms = &mut self.terms;
        let narrowed = match base {
            BaseType::Boolean => {
                let low = terms.extract(term, 0, 0);
                terms.zero_extend(low, 32)
            }
            BaseType::Byte => {
                let low = terms.extract(term, 7, 0);
                terms.sign_extend(low, 32)
            }
            BaseType::Char => {
                let low = terms.extract(term, 15, 0);
                terms.zero_extend(low, 32)
            }
            BaseType::Short => {
                let low = terms.extract(term, 15, 0);
                terms.sign_extend(low, 32)
            }
            _ => term,
        };
        Value::of_term(Kind::Int, narrowed, terms)
    }
}
