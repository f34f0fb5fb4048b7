//! Fields, static and of objects.

use crate::boundary::{CACHES, Variable};
use crate::frame::narrowed;
use crate::machine::{Halt, Machine, Next, Step};
use crate::method::{Method, Site};
use crate::state::State;
use crate::value::Value;
use lapidary_classfile::{FieldOp, Kind, MemberRef, Text, access};
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
                if self.partition.is_some() {
                    let (owner, variable) =
                        (self.part_of_statics(&self.class_name(class).as_str()), self.named(class, member));
                    self.note_read(state, None, owner, variable, value);
                }
                state.top_mut().push(value);
            }
            FieldOp::PutStatic => {
                self.initialise(state, class)?;
                let value = self.fitting(member, state.top().peek(0));
                state.set_static_field(class, slot, value);
                if self.partition.is_some() && !(method.name == "<clinit>" && method.class == class) {
                    let (owner, variable) =
                        (self.part_of_statics(&self.class_name(class).as_str()), self.named(class, member));
                    state.heap.note_static_write();
                    self.note_write(state, None, owner, variable, value);
                }
                state.top_mut().drop(1);
            }
            FieldOp::GetField => {
                let object = self.not_null(state, 0)?;
                let value = self.read_field(state, object, slot)?;
                if self.partition.is_some() {
                    let owner = state.heap.part_of(object);
                    let variable = self.named(class, member);
                    self.note_read(state, Some(object), owner, variable, value);
                }
                state.top_mut().replace(1, value);
            }
            FieldOp::PutField => {
                let object = self.not_null(state, 1)?;
                let value = self.fitting(member, state.top().peek(0));
                if self.partition.is_some() {
                    let owner = state.heap.part_of(object);
                    let variable = self.named(class, member);
                    self.note_write(state, Some(object), owner, variable, value);
                }
                // An input has always held what is only now made for it: nobody has written it.
                let is_unseen = self.partition.is_some() && (is_cache(member) || method.makes_field_of_input());
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

    /// A class that was compiled anew may have made a field static, or no longer so.
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

    fn class_name(&self, class: ClassId) -> Text {
        self.world.hierarchy.name(class).clone()
    }

    /// A field by the class that declares it, whatever class the instruction names.
    fn named(&self, declaring: ClassId, member: &MemberRef) -> Variable {
        Variable::Field(format!("{}.{}", self.class_name(declaring).as_str().replace('/', "."), member.name))
    }

    /// Cuts an int to the width of the field.
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

    /// A symbolic int as a value of a narrower type.
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

fn is_cache(member: &MemberRef) -> bool {
    CACHES.iter().any(|(owner, name)| member.owner == *owner && member.name == *name)
}
