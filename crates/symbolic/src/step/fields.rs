//! Static fields and fields of objects.

use crate::frame::narrowed;
use crate::halt::{Halt, Next, Step};
use crate::hook::Accessed;
use crate::input::Restriction;
use crate::machine::Machine;
use crate::method::{FieldSite, Method, Site};
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
        let FieldSite { class, slot, is_lasting } = self.field_at(state, method, at, operation, member)?;
        if is_lasting && matches!(operation, FieldOp::GetStatic | FieldOp::GetField) {
            let class = self.world.hierarchy.name(class).as_str().replace('/', ".");
            self.restrictions.insert(Restriction::InitialState(format!("{class}.{}", member.name)));
        }
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
                let is_cache = self.is_cache(state, class, slot);
                state.set_static_field(class, slot, value);
                if !is_cache {
                    self.note_write(state, Accessed::Static(class, member), value);
                }
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
    ) -> Result<FieldSite, Halt> {
        let site = method.prepared().map(|prepared| &prepared.sites[at]);
        if let Some(Site::Field(field)) = site.and_then(|site| site.get()) {
            return Ok(*field);
        }
        let owner = self.world.hierarchy.owner(&member.owner);
        self.load(state, owner)?;
        let field = match self.world.hierarchy.resolve_field(owner, &member.name, &member.descriptor) {
            Resolution::Found(field) => field,
            _ => return self.throw(state, "java/lang/NoSuchFieldError", Some(&member.name.as_str())),
        };
        self.load(state, field.class)?;
        self.check_kind(state, field, operation)?;
        if operation == FieldOp::GetStatic && member.name == "$assertionsDisabled" && self.is_own(field.class) {
            self.surroundings.insert("the setting of assertions (on)".into());
        }
        let Ok(slot) = self.world.slot(field) else { return self.broken("a field that has no type") };
        let is_lasting = self.outlives_calls(field.class, &member.name);
        let found = FieldSite { class: field.class, slot, is_lasting };
        site.into_iter().for_each(|site| drop(site.set(Site::Field(found))));
        Ok(found)
    }

    /// Whether a static field is a cache of the library: one that it has left empty so far, or one
    /// of its internal classes.
    fn is_cache(&self, state: &State, class: ClassId, slot: usize) -> bool {
        let is_empty =
            || matches!(state.static_field(class, slot), Value::Reference(None) | Value::Int(0) | Value::Long(0));
        let name = self.world.hierarchy.name(class);
        let is_internal = || ["sun/", "jdk/internal/"].iter().any(|package| name.as_str().starts_with(package));
        !self.is_own(class) && (is_empty() || is_internal())
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
