//! The condition `A <: B`: some unbroken chain of kept `extends` and `implements` items leads from
//! A to B.
//!
//! A variable stands for each pair in a query, and for each pair that the query asks of its
//! supertypes in turn. Therefore the formula grows with the number of queries, not with the number
//! of paths.

use super::Rules;
use super::holds::{Holds, any_of};
use lapidary_classfile::Text;

impl Rules<'_> {
    /// The condition that one type is a subtype of another. Classes and interfaces are given by
    /// internal name, arrays by descriptor.
    pub(crate) fn subtype(&mut self, from: &Text, to: &Text) -> Holds {
        if from == to || *to == "java/lang/Object" {
            return Holds::Always;
        }
        match (element(from), element(to)) {
            (None, None) => self.class_subtype(from, to),
            (Some(from), Some(to)) => self.element_subtype(&from, &to),
            (Some(_), None) if *to == "java/lang/Cloneable" || *to == "java/io/Serializable" => Holds::Always,
            _ => Holds::Never,
        }
    }

    /// The supertypes of a class of the program that can be removed, and `Object`, which cannot.
    pub(crate) fn supertypes(&self, class: usize) -> Vec<(Holds, Text)> {
        let (owner, vars) = (self.program.class(class), &self.words.classes[class]);
        let extended = owner.superclass.iter().map(|name| (Holds::if_any(vars.extends), name.clone()));
        let implemented =
            owner.interfaces.iter().zip(&vars.implements).map(|(name, var)| (Holds::If(*var), name.clone()));
        let object = vars.extends.map(|_| (Holds::Always, Text::from("java/lang/Object")));
        extended.chain(implemented).chain(object).collect()
    }

    fn class_subtype(&mut self, from: &Text, to: &Text) -> Holds {
        let Some(class) = self.program.find(from) else {
            return if self.library.is_subtype(from, to) { Holds::Always } else { Holds::Never };
        };
        let pair = (from.clone(), to.clone());
        if let Some(known) = self.subtypes.get(&pair) {
            return *known;
        }
        // A cycle of supertypes leads nowhere.
        self.subtypes.insert(pair.clone(), Holds::Never);
        let mut alternatives = Vec::new();
        for (edge, supertype) in self.supertypes(class) {
            alternatives.push((edge, self.subtype(&supertype, to)));
        }
        let holds = any_of(&mut self.cnf, alternatives);
        self.subtypes.insert(pair, holds);
        holds
    }

    /// The subtype condition for array elements, given by descriptor. A primitive type is a subtype
    /// only of itself.
    fn element_subtype(&mut self, from: &Text, to: &Text) -> Holds {
        match (class_of(from), class_of(to)) {
            (Some(from), Some(to)) => self.subtype(&from, &to),
            _ if from == to => Holds::Always,
            _ => Holds::Never,
        }
    }
}

/// The descriptor of an array's elements.
fn element(name: &Text) -> Option<Text> {
    name.as_bytes().strip_prefix(b"[").map(Text::from_bytes)
}

/// The class that the descriptor of a reference stands for.
fn class_of(descriptor: &Text) -> Option<Text> {
    match descriptor.as_bytes() {
        [b'[', ..] => Some(descriptor.clone()),
        [b'L', name @ .., b';'] => Some(Text::from_bytes(name)),
        _ => None,
    }
}
