//! Queries on a candidate: which names, variables and supertypes it keeps.

use crate::body::Edited;
use crate::program::Program;
use crate::rules::FirstCalls;
use crate::vocabulary::Vocabulary;
use lapidary_classfile::Text;
use lapidary_jvm::typing::Below;
use lapidary_jvm::{Answer, ClassId, Edge, EdgeKind, Hierarchy};
use lapidary_logic::{Var, VarSet};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// The kept items of a candidate, while one of its classes is written.
pub(crate) struct Kept<'a> {
    pub program: &'a Program,
    pub vocabulary: &'a Vocabulary,
    pub first_calls: &'a FirstCalls,
    pub hierarchy: &'a Hierarchy,
    pub set: &'a VarSet,
    pub edited: &'a Edited,
    pub reliance: RefCell<Reliance>,
}

/// The conditions that the bodies of a class rely on, besides the kept items of the class itself.
#[derive(Clone, Default)]
pub(crate) struct Reliance {
    /// The bodies are valid for every candidate in which all of these hold.
    pub below: BTreeSet<Below>,
    /// Whether the bodies are valid for this candidate only.
    pub this_candidate: bool,
}

impl Kept<'_> {
    pub fn has(&self, var: Var) -> bool {
        self.set.contains(var)
    }

    /// Returns whether an optional part is kept. A part that is not optional always is.
    pub fn has_if_any(&self, var: Option<Var>) -> bool {
        var.is_none_or(|var| self.has(var))
    }

    /// Returns whether a class is available: kept, or not part of the program.
    pub fn has_class(&self, name: &Text) -> bool {
        self.program.find(name).is_none_or(|index| self.has(self.vocabulary.classes[index].class))
    }

    pub fn has_edge(&self, class: &Text, supertype: &Text) -> bool {
        let Some(index) = self.program.find(class) else { return true };
        let (owner, vars) = (self.program.class(index), &self.vocabulary.classes[index]);
        let extends = owner.superclass.as_ref() == Some(supertype) && self.has_if_any(vars.extends);
        let implements = owner.interfaces.iter().zip(&vars.implements);
        extends || implements.into_iter().any(|(name, var)| name == supertype && self.has(*var))
    }

    /// Returns whether a class of the program has lost its superclass. The class has the same
    /// number in the hierarchy.
    pub fn is_cut(&self, class: ClassId) -> bool {
        let vars = self.vocabulary.classes.get(class.index());
        vars.and_then(|vars| vars.extends).is_some_and(|extends| !self.has(extends))
    }

    /// Returns whether an unbroken chain of supertypes leads from one class to the other.
    pub fn is_below(&self, wanted: &Below) -> bool {
        let mut seen = BTreeSet::new();
        let mut open = vec![wanted.class];
        while let Some(class) = open.pop() {
            if class == wanted.above || !self.hierarchy.is_program(class) {
                return true;
            }
            let leads_there = |edge: &Edge| self.hierarchy.is_subtype(edge.to, wanted.above) == Answer::Yes;
            let left = self.hierarchy.edges(class).filter(|edge| leads_there(edge) && self.keeps(edge));
            open.extend(left.map(|edge| edge.to).filter(|above| seen.insert(*above)));
        }
        false
    }

    fn keeps(&self, edge: &Edge) -> bool {
        let vars = &self.vocabulary.classes[edge.from.index()];
        self.has_if_any(match edge.kind {
            EdgeKind::Extends => vars.extends,
            EdgeKind::Implements(place) => vars.implements.get(usize::from(place)).copied(),
        })
    }
}

/// The kept items among a selection, one bit for each: fast to compare and to hash.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Bits(Box<[u64]>);

impl Bits {
    pub fn of(kept: impl Iterator<Item = bool>) -> Bits {
        let mut words = Vec::new();
        for (place, kept) in kept.enumerate() {
            if place % 64 == 0 {
                words.push(0);
            }
            words[place / 64] |= u64::from(kept) << (place % 64);
        }
        Bits(words.into())
    }
}
