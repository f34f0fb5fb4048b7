//! Assignments of values to symbols.

use crate::{Constant, Term};
use std::sync::Arc;

/// Values of symbols and of applications of uninterpreted functions. Cheap to clone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assignment(Arc<Vec<(Term, Constant)>>);

impl Assignment {
    pub fn new() -> Assignment {
        Assignment::default()
    }

    pub fn get(&self, term: Term) -> Option<Constant> {
        let index = self.0.binary_search_by_key(&term, |entry| entry.0).ok()?;
        Some(self.0[index].1)
    }

    pub fn set(&mut self, term: Term, value: Constant) {
        let entries = Arc::make_mut(&mut self.0);
        match entries.binary_search_by_key(&term, |entry| entry.0) {
            Ok(index) => entries[index].1 = value,
            Err(index) => entries.insert(index, (term, value)),
        }
    }

    /// The union of both assignments; where they differ, `other` wins.
    pub fn joined(&self, other: &Assignment) -> Assignment {
        if self.is_empty() {
            return other.clone();
        }
        let extra = self.0.iter().filter(|(term, _)| other.get(*term).is_none());
        extra.chain(other.0.iter()).copied().collect()
    }

    /// The assignment restricted to the terms for which `keep` holds.
    pub fn restricted(&self, keep: impl Fn(Term) -> bool) -> Assignment {
        self.0.iter().copied().filter(|(term, _)| keep(*term)).collect()
    }

    /// The entries in the order of the terms.
    pub fn iter(&self) -> impl Iterator<Item = (Term, Constant)> + '_ {
        self.0.iter().copied()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// If a term has several values, the last one counts.
impl FromIterator<(Term, Constant)> for Assignment {
    fn from_iter<I: IntoIterator<Item = (Term, Constant)>>(entries: I) -> Self {
        let mut entries: Vec<_> = entries.into_iter().collect();
        entries.reverse();
        entries.sort_by_key(|entry| entry.0);
        entries.dedup_by_key(|entry| entry.0);
        Assignment(Arc::new(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_value_counts() {
        let [a, b] = [Term(1), Term(2)];
        let number = |value| Constant::bits(8, value);
        let first: Assignment = [(b, number(1)), (a, number(2)), (b, number(3))].into_iter().collect();
        assert_eq!((first.get(a), first.get(b)), (Some(number(2)), Some(number(3))));
        let mut second = Assignment::new();
        second.set(b, number(4));
        let joined = first.joined(&second);
        assert_eq!((joined.get(a), joined.get(b), joined.len()), (Some(number(2)), Some(number(4)), 2));
        assert_eq!(first.restricted(|term| term == a).len(), 1);
    }
}
