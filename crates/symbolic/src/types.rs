//! Types by number. Every object has one, and tests such as `instanceof` compare them.

use lapidary_jvm::{Answer, BaseType, ClassId, FieldType, Hierarchy};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The number of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(u32);

impl TypeId {
    pub fn index(self) -> usize {
        self.0 as usize
    }

    pub fn number(self) -> u32 {
        self.0
    }
}

/// A type as class objects represent it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Class(ClassId),
    Array(TypeId),
    Base(BaseType),
    Void,
}

/// All types used so far.
#[derive(Default)]
pub struct Types {
    numbered: Rc<RefCell<Numbered>>,
    subtypes: HashMap<(TypeId, TypeId), bool>,
}

/// The numbers of types. Machines for two versions of a program share them, and those of classes.
#[derive(Default)]
struct Numbered {
    types: Vec<Type>,
    numbers: HashMap<Type, TypeId>,
}

impl Types {
    /// A table for another version's classes, with the same type numbers as this one.
    pub fn beside(&self) -> Types {
        Types { numbered: self.numbered.clone(), subtypes: HashMap::new() }
    }

    pub fn number(&mut self, type_: Type) -> TypeId {
        let Numbered { types, numbers } = &mut *self.numbered.borrow_mut();
        *numbers.entry(type_).or_insert_with(|| {
            types.push(type_);
            TypeId(types.len() as u32 - 1)
        })
    }

    pub fn get(&self, id: TypeId) -> Type {
        self.numbered.borrow().types[id.index()]
    }

    pub fn array_of(&mut self, element: TypeId) -> TypeId {
        self.number(Type::Array(element))
    }

    pub fn of_field(&mut self, type_: &FieldType, hierarchy: &Hierarchy) -> TypeId {
        match type_ {
            FieldType::Base(base) => self.number(Type::Base(*base)),
            FieldType::Object(name) => self.number(Type::Class(hierarchy.id(name))),
            FieldType::Array(element) => {
                let element = self.of_field(element, hierarchy);
                self.array_of(element)
            }
        }
    }

    /// The type as in a descriptor.
    pub fn to_field(&self, id: TypeId, hierarchy: &Hierarchy) -> Option<FieldType> {
        Some(match self.get(id) {
            Type::Class(class) => FieldType::Object(hierarchy.name(class).clone()),
            Type::Array(element) => self.to_field(element, hierarchy)?.array(),
            Type::Base(base) => FieldType::Base(base),
            Type::Void => return None,
        })
    }

    /// Whether an object of type `below` is an instance of `above`.
    pub fn is_subtype(&mut self, below: TypeId, above: TypeId, hierarchy: &Hierarchy) -> bool {
        if below == above {
            return true;
        }
        if let Some(known) = self.subtypes.get(&(below, above)) {
            return *known;
        }
        let answer = match (self.to_field(below, hierarchy), self.to_field(above, hierarchy)) {
            (Some(from), Some(to)) => hierarchy.is_assignable(&from, &to) == Answer::Yes,
            _ => false,
        };
        self.subtypes.insert((below, above), answer);
        answer
    }
}
