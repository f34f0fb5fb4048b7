//! Making objects and asking what they are.

use crate::heap::{Body, Nature, Object, Thrown};
use crate::machine::{Halt, Machine, Next, Step};
use crate::method::{Method, Site};
use crate::state::State;
use crate::types::{Type, TypeId};
use crate::value::{Ref, Value};
use crate::world::LoadedClass;
use lapidary_classfile::{Text, access};
use lapidary_jvm::FieldType;
use std::rc::Rc;

impl Machine {
    pub(super) fn new_object(&mut self, state: &mut State, method: &Rc<Method>, at: usize, name: &Text) -> Step {
        let type_ = self.type_at(state, method, at, name)?;
        let Type::Class(id) = self.world.types.get(type_) else { return self.broken("new of an array") };
        let class = self.initialise(state, id)?;
        if class.access & (access::ABSTRACT | access::INTERFACE) != 0 {
            return self.throw(state, "java/lang/InstantiationError", Some(&class.name.as_str()));
        }
        let object = self.allocate(state, &class);
        state.top_mut().push(Value::object(object));
        Ok(Next::Advance)
    }

    /// A new object whose fields hold their defaults.
    pub(crate) fn allocate(&mut self, state: &mut State, class: &LoadedClass) -> Ref {
        let throwable = self.world.class_named("java/lang/Throwable").map(|throwable| throwable.type_);
        let nature = match throwable {
            Ok(throwable) if self.world.is_subtype(class.type_, throwable) => {
                Nature::Thrown(Rc::new(Thrown::default()))
            }
            _ => Nature::Plain,
        };
        state.heap.allocate(Object { type_: class.type_, body: Body::Fields(class.defaults.clone(), nature) })
    }

    pub(super) fn check_cast(&mut self, state: &mut State, method: &Rc<Method>, at: usize, name: &Text) -> Step {
        if let Value::Reference(Some(object)) = state.top().peek(0) {
            let (wanted, found) = (self.type_at(state, method, at, name)?, state.heap.get(object).type_);
            if !self.world.is_subtype(found, wanted) {
                return self.bad_cast(state, found, wanted);
            }
        }
        Ok(Next::Advance)
    }

    /// The real machine also tells modules and class loaders, which nobody compares.
    fn bad_cast(&mut self, state: &mut State, found: TypeId, wanted: TypeId) -> Step {
        let message = format!("class {} cannot be cast to class {}", self.type_name(found), self.type_name(wanted));
        self.throw(state, "java/lang/ClassCastException", Some(&message))
    }

    pub(super) fn instance_of(&mut self, state: &mut State, method: &Rc<Method>, at: usize, name: &Text) -> Step {
        let is_instance = match state.top().peek(0) {
            Value::Reference(Some(object)) => {
                let (wanted, found) = (self.type_at(state, method, at, name)?, state.heap.get(object).type_);
                self.world.is_subtype(found, wanted)
            }
            _ => false,
        };
        state.top_mut().replace(1, Value::boolean(is_instance));
        Ok(Next::Advance)
    }

    /// The type that the instruction names. A class that is missing throws.
    pub(crate) fn type_at(
        &mut self,
        state: &mut State,
        method: &Rc<Method>,
        at: usize,
        name: &Text,
    ) -> Result<TypeId, Halt> {
        let site = method.prepared().map(|prepared| &prepared.sites[at]);
        if let Some(Site::Type(type_)) = site.and_then(|site| site.get()) {
            return Ok(*type_);
        }
        let Some(type_) = self.world.type_of_constant(name) else {
            return self.broken("a class constant that is no name");
        };
        if let Ok(Some(class)) = FieldType::of_class_constant(name).map(|type_| type_.class().cloned()) {
            let id = self.world.hierarchy.id(&class);
            self.load(state, id)?;
        }
        site.into_iter().for_each(|site| drop(site.set(Site::Type(type_))));
        Ok(type_)
    }

    /// The name of a type as `Class.getName` gives it.
    pub(crate) fn type_name(&self, type_: TypeId) -> String {
        match self.world.types.get(type_) {
            Type::Class(class) => self.world.hierarchy.name(class).as_str().replace('/', "."),
            Type::Array(_) => {
                let field = self.world.types.to_field(type_, &self.world.hierarchy);
                field.map_or(String::new(), |field| field.descriptor().as_str().replace('/', "."))
            }
            Type::Base(base) => base_name(base).to_owned(),
            Type::Void => "void".to_owned(),
        }
    }
}

pub(crate) fn base_name(base: lapidary_jvm::BaseType) -> &'static str {
    use lapidary_jvm::BaseType::*;
    match base {
        Boolean => "boolean",
        Byte => "byte",
        Char => "char",
        Short => "short",
        Int => "int",
        Long => "long",
        Float => "float",
        Double => "double",
    }
}
