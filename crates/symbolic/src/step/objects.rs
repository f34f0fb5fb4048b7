//! Creating objects and testing their types.

use crate::halt::{Halt, Next, Step};
use crate::heap::{Body, Nature, Object, Thrown};
use crate::machine::Machine;
use crate::method::{Method, Site};
use crate::names::{base_name, is_in_base};
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

    /// Allocates an object with default values in its fields.
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

    fn bad_cast(&mut self, state: &mut State, found: TypeId, wanted: TypeId) -> Step {
        let names = [found, wanted].map(|type_| self.type_name(type_));
        let homes = [found, wanted].map(|type_| self.home_of(type_));
        let [one, other] = &names;
        let mut message = format!("class {one} cannot be cast to class {other}");
        match homes {
            [Some(home), Some(same)] if home == same => message += &format!(" ({one} and {other} are in {home})"),
            [Some(home), Some(there)] => message += &format!(" ({one} is in {home}; {other} is in {there})"),
            // Finding the module would take a search, and the rest of the message is not compared.
            _ => {}
        }
        self.throw(state, "java/lang/ClassCastException", Some(&message))
    }

    /// The module and class loader of a type, in the wording of a real JVM.
    fn home_of(&self, type_: TypeId) -> Option<&'static str> {
        const BASE: &str = "module java.base of loader 'bootstrap'";
        match self.world.types.get(type_) {
            Type::Array(element) => self.home_of(element),
            Type::Class(class) if self.is_own(class) => Some("unnamed module of loader 'app'"),
            Type::Class(class) => is_in_base(&self.world.hierarchy.name(class).as_str()).then_some(BASE),
            Type::Base(_) | Type::Void => Some(BASE),
        }
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

    /// The type that the instruction names. Throws if its class is missing.
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

    /// The name of a type in the format of `Class.getName`.
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
