//! The helper rules of figure 6: the meaning of a program's names.
//!
//! A table exists only for programs whose names are unique and whose inheritance is acyclic, so
//! walks up the superclasses end. `Object`, `String` and `EmptyInterface` are built in and always
//! stay: they have no variables, and requiring one of them requires nothing.

use crate::error::{Problem, TypeError};
use crate::numbering::{DeclarationVars, Numbering};
use crate::syntax::*;
use lapidary_logic::Var;
use std::collections::{HashMap, HashSet};

/// A disjunction: one of these items must stay.
pub(crate) type AnyOf = Vec<Var>;

pub(crate) struct Table<'p> {
    types: HashMap<&'p str, (&'p Declaration, &'p DeclarationVars)>,
}

/// A method found in a type, with the variable that keeps it.
#[derive(Clone, Copy)]
pub(crate) struct Found<'p> {
    pub signature: &'p Signature,
    pub var: Var,
}

impl<'p> Table<'p> {
    pub fn of(program: &'p Program, numbering: &'p Numbering) -> Result<Self, TypeError> {
        let mut table = Table { types: HashMap::new() };
        for (declaration, vars) in program.declarations.iter().zip(&numbering.declarations) {
            let name = declaration.name();
            if is_built_in(name) {
                return Err(TypeError::at(declaration, Problem::BuiltIn(name.to_owned())));
            }
            if table.types.insert(name, (declaration, vars)).is_some() {
                return Err(TypeError::at(declaration, Problem::Duplicate(name.to_owned())));
            }
        }
        table.check_inheritance(program)?;
        Ok(table)
    }

    /// Checks that superclasses are classes and that no class is its own ancestor. Each class is
    /// visited once.
    fn check_inheritance(&self, program: &'p Program) -> Result<(), TypeError> {
        let mut sound: HashSet<&str> = HashSet::new();
        for declaration in &program.declarations {
            let mut path = Vec::new();
            let mut on_path = HashSet::new();
            let mut next = declaration.name();
            while let Some(class) = self.class(next).filter(|_| !sound.contains(next)) {
                if !on_path.insert(next) {
                    return Err(TypeError::at(declaration, Problem::CyclicInheritance));
                }
                path.push(next);
                next = &class.superclass;
                if !self.is_class(next) {
                    let problem = self.known(next).err().unwrap_or_else(|| Problem::NotAClass(next.to_owned()));
                    return Err(TypeError::at(self.types[class.name.as_str()].0, problem));
                }
            }
            sound.extend(path);
        }
        Ok(())
    }

    pub fn class(&self, name: &str) -> Option<&'p Class> {
        match self.types.get(name) {
            Some((Declaration::Class(class), _)) => Some(class),
            _ => None,
        }
    }

    pub fn interface(&self, name: &str) -> Option<&'p Interface> {
        match self.types.get(name) {
            Some((Declaration::Interface(interface), _)) => Some(interface),
            _ => None,
        }
    }

    pub fn is_class(&self, name: &str) -> bool {
        name == OBJECT || name == STRING || self.class(name).is_some()
    }

    pub fn known(&self, name: &str) -> Result<(), Problem> {
        if is_built_in(name) || self.types.contains_key(name) {
            Ok(())
        } else {
            Err(Problem::UnknownType(name.to_owned()))
        }
    }

    /// The variable `[T]`; `None` for built-in types.
    pub fn var(&self, name: &str) -> Option<Var> {
        self.types.get(name).map(|(_, vars)| vars.declaration)
    }

    /// The declared class of this name and its declared superclasses, nearest first.
    fn lineage(&self, name: &str) -> impl Iterator<Item = &'p Class> + '_ {
        std::iter::successors(self.class(name), |class| self.class(&class.superclass))
    }

    /// *fields(P, C)*, with the inherited ones first.
    pub fn fields(&self, class: &str) -> Vec<&'p Variable> {
        let mut lineage: Vec<_> = self.lineage(class).collect();
        lineage.reverse();
        lineage.into_iter().flat_map(|class| &class.fields).collect()
    }

    /// The declarations of a method: *mtype(P, m, T)* is the type of the first, and *mAny(P, m, T)*
    /// says that one of them stays.
    pub fn methods(&self, type_name: &str, method: &str) -> Vec<Found<'p>> {
        if let Some(interface) = self.interface(type_name) {
            return self.own_member(&interface.name, method, interface.signatures.iter()).into_iter().collect();
        }
        self.lineage(type_name)
            .filter_map(|class| self.own_member(&class.name, method, class.methods.iter().map(|m| &m.signature)))
            .collect()
    }

    fn own_member(
        &self,
        type_name: &str,
        method: &str,
        mut signatures: impl Iterator<Item = &'p Signature>,
    ) -> Option<Found<'p>> {
        let vars = self.types[type_name].1;
        let mut members = vars.members.iter();
        signatures
            .by_ref()
            .zip(members.by_ref())
            .find(|(signature, _)| signature.name == method)
            .map(|(signature, vars)| Found { signature, var: vars.member })
    }

    /// *P ⊢ T ≤ U | π*: π, or `None` if the relation does not hold. A class may reach an interface
    /// along several paths; each is a derivation, so π requires one of them.
    pub fn subtype(&self, found: &str, expected: &str) -> Option<Option<AnyOf>> {
        if found == expected {
            return Some(None);
        }
        if !self.is_class(found) {
            return None;
        }
        let lineage: Vec<_> = self.lineage(found).collect();
        let is_string = lineage.last().map_or(found, |class| &class.superclass) == STRING;
        if expected == OBJECT || lineage.iter().any(|class| class.superclass == expected) {
            return Some(None);
        }
        let implementors: Vec<_> = lineage.into_iter().filter(|class| class.interface == expected).collect();
        if expected == EMPTY_INTERFACE {
            return (is_string || !implementors.is_empty()).then_some(None);
        }
        let ways: AnyOf =
            implementors.iter().filter_map(|class| self.types[class.name.as_str()].1.implements).collect();
        (!ways.is_empty()).then_some(Some(ways))
    }
}

fn is_built_in(name: &str) -> bool {
    [OBJECT, STRING, EMPTY_INTERFACE].contains(&name)
}
