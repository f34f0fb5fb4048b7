//! Sets of types. Most hold a handful and are short lists; some hold thousands and are bit sets.

use crate::types::TypeId;

/// A bit set. Bits past the end are zero.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    pub fn insert(&mut self, index: usize) -> bool {
        self.or_word(index / 64, 1 << (index % 64)) != 0
    }

    pub fn contains(&self, index: usize) -> bool {
        self.word(index / 64) & 1 << (index % 64) != 0
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let words = self.0.iter().enumerate();
        words.flat_map(|(place, word)| ones(*word).map(move |bit| place * 64 + bit))
    }

    fn word(&self, place: usize) -> u64 {
        self.0.get(place).copied().unwrap_or(0)
    }

    /// Sets bits of a word and returns those that were not set before.
    fn or_word(&mut self, place: usize, bits: u64) -> u64 {
        if bits != 0 && self.0.len() <= place {
            self.0.resize(place + 1, 0);
        }
        let added = bits & !self.word(place);
        if added != 0 {
            self.0[place] |= added;
        }
        added
    }
}

fn ones(word: u64) -> impl Iterator<Item = usize> {
    let next = |word: &u64| Some(word & word.wrapping_sub(1)).filter(|rest| *rest != 0);
    let words = std::iter::successors(Some(word).filter(|word| *word != 0), next);
    words.map(|word| word.trailing_zeros() as usize)
}

#[derive(Clone, Debug)]
pub(crate) enum TypeSet {
    Few(Vec<TypeId>),
    Many(Bits),
}

/// The longest list; a longer one becomes a bit set.
const FEW: usize = 12;

impl Default for TypeSet {
    fn default() -> Self {
        TypeSet::Few(Vec::new())
    }
}

impl TypeSet {
    /// Inserts a type. Returns whether it was new.
    pub fn insert(&mut self, type_: TypeId) -> bool {
        match self {
            TypeSet::Many(bits) => bits.insert(type_.index()),
            TypeSet::Few(list) if list.contains(&type_) => false,
            TypeSet::Few(list) if list.len() < FEW => {
                list.push(type_);
                true
            }
            TypeSet::Few(_) => {
                self.become_bits();
                self.insert(type_)
            }
        }
    }

    /// Adds the types that are in the other set and in the mask, and adds those that are new to
    /// `new`, too. Returns whether there were any.
    pub fn add(&mut self, other: &TypeSet, mask: Option<&Bits>, new: &mut TypeSet) -> bool {
        let (TypeSet::Many(from), TypeSet::Many(to)) = (other, &mut *self) else {
            return self.add_one_by_one(other, mask, new);
        };
        let mut changed = false;
        for (place, word) in from.0.iter().enumerate().filter(|(_, word)| **word != 0) {
            let added = to.or_word(place, word & mask.map_or(u64::MAX, |mask| mask.word(place)));
            if added != 0 {
                new.or_word(place, added);
                changed = true;
            }
        }
        changed
    }

    fn add_one_by_one(&mut self, other: &TypeSet, mask: Option<&Bits>, new: &mut TypeSet) -> bool {
        let mut changed = false;
        other.for_each_in(mask, |type_| {
            if self.insert(type_) {
                changed |= new.insert(type_);
            }
        });
        changed
    }

    fn or_word(&mut self, place: usize, bits: u64) {
        match self {
            TypeSet::Many(own) => {
                own.or_word(place, bits);
            }
            TypeSet::Few(_) => ones(bits).for_each(|bit| {
                self.insert(TypeId::new(place * 64 + bit));
            }),
        }
    }

    pub fn for_each_in(&self, mask: Option<&Bits>, mut visit: impl FnMut(TypeId)) {
        let wanted = |type_: &TypeId| mask.is_none_or(|mask| mask.contains(type_.index()));
        match self {
            TypeSet::Few(list) => list.iter().copied().filter(wanted).for_each(visit),
            TypeSet::Many(bits) => {
                for (place, word) in bits.0.iter().enumerate() {
                    let word = word & mask.map_or(u64::MAX, |mask| mask.word(place));
                    ones(word).for_each(|bit| visit(TypeId::new(place * 64 + bit)));
                }
            }
        }
    }

    /// The types that are also in the mask.
    pub fn list(&self, mask: Option<&Bits>) -> Vec<TypeId> {
        let mut list = Vec::new();
        self.for_each_in(mask, |type_| list.push(type_));
        list
    }

    fn become_bits(&mut self) {
        if let TypeSet::Few(list) = self {
            let mut bits = Bits::default();
            for type_ in list.iter() {
                bits.insert(type_.index());
            }
            *self = TypeSet::Many(bits);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn set(indices: &BTreeSet<usize>) -> TypeSet {
        let mut set = TypeSet::default();
        indices.iter().for_each(|index| {
            set.insert(TypeId::new(*index));
        });
        set
    }

    fn indices(list: Vec<TypeId>) -> BTreeSet<usize> {
        list.into_iter().map(TypeId::index).collect()
    }

    proptest! {
        #[test]
        fn adding_is_union_with_an_intersection(
            left in prop::collection::btree_set(0usize..300, 0..40),
            right in prop::collection::btree_set(0usize..300, 0..40),
            mask in prop::collection::btree_set(0usize..300, 0..200),
        ) {
            let mut bits = Bits::default();
            mask.iter().for_each(|index| { bits.insert(*index); });
            let mut sum = set(&left);
            let mut new = TypeSet::default();
            let changed = sum.add(&set(&right), Some(&bits), &mut new);
            let wanted: BTreeSet<usize> = right.intersection(&mask).copied().collect();
            let added: BTreeSet<usize> = wanted.difference(&left).copied().collect();
            prop_assert_eq!(changed, !added.is_empty());
            prop_assert_eq!(indices(new.list(None)), added);
            prop_assert_eq!(indices(sum.list(None)), left.union(&wanted).copied().collect());
            prop_assert_eq!(bits.iter().collect::<BTreeSet<_>>(), mask);
        }
    }
}
