//! Labels and the variables they stand for.

use crate::format::{ClauseEntry, Document};
use crate::{Place, Problem};
use lapidary_logic::{Cnf, Var};
use std::collections::HashMap;

/// Item `n` is variable `n`; the auxiliary variables follow in the order in which they are listed.
pub(crate) struct Names<'a> {
    variables: HashMap<&'a str, Var>,
    /// The labels in the order of their variables, so that a suggestion does not depend on hash
    /// order.
    labels: Vec<&'a str>,
    items: usize,
}

impl<'a> Names<'a> {
    pub fn of(document: &'a Document) -> Result<Self, Problem> {
        let items = document.items.iter().map(|entry| entry.0.label.as_str());
        let auxiliary = document.auxiliary.iter().flatten().map(String::as_str);
        let labels: Vec<&str> = items.chain(auxiliary).collect();
        let mut names = Names { variables: HashMap::new(), labels, items: document.items.len() };
        for index in 0..names.labels.len() {
            if let Some(first) = names.variables.insert(names.labels[index], Var::new(index)) {
                return Err(Problem::DuplicateLabel { first: names.place(first.index()), second: names.place(index) });
            }
        }
        Ok(names)
    }

    /// The place at which the label of variable `index` was given.
    pub fn place(&self, index: usize) -> Place {
        let label = self.labels[index].to_owned();
        match index.checked_sub(self.items) {
            None => Place::Item { position: index + 1, label },
            Some(index) => Place::Auxiliary { position: index + 1, label },
        }
    }

    /// The parent of item `index`, which must be an item itself.
    pub fn parent(&self, index: usize, label: &str) -> Result<Var, Problem> {
        let var = self.variable(label, || self.place(index))?;
        match var.index() < self.items {
            true => Ok(var),
            false => Err(Problem::AuxiliaryParent { place: self.place(index), parent: label.to_owned() }),
        }
    }

    /// Adds a clause; `place` describes its position in an error.
    pub fn add_clause(
        &self,
        cnf: &mut Cnf,
        clause: &ClauseEntry,
        place: impl Fn(String) -> Place,
    ) -> Result<(), Problem> {
        let place = || place(clause.to_string());
        let variables = |labels: &[String]| -> Result<Vec<Var>, Problem> {
            labels.iter().map(|label| self.variable(label, place)).collect()
        };
        let premises = variables(clause.premises())?;
        let conclusions = variables(clause.conclusions())?;
        cnf.add(&premises, &conclusions).map_err(|_| Problem::NoConclusion { place: place() })
    }

    /// The number of variables.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    fn variable(&self, label: &str, place: impl Fn() -> Place) -> Result<Var, Problem> {
        self.variables.get(label).copied().ok_or_else(|| Problem::UnknownLabel {
            place: place(),
            label: label.to_owned(),
            nearest: self.nearest(label),
        })
    }

    /// The label that was probably meant: one that differs from the given label in at most a third
    /// of it (rounded up).
    fn nearest(&self, label: &str) -> Option<String> {
        let wanted: Vec<char> = label.chars().take(LONGEST_COMPARED + 1).collect();
        let tolerated = wanted.len().div_ceil(3);
        let distances =
            self.labels.iter().filter_map(|candidate| Some((distance(&wanted, candidate, tolerated)?, candidate)));
        distances.min_by_key(|(distance, _)| *distance).map(|(_, candidate)| (*candidate).to_owned())
    }
}

/// The longest label to compare. Longer ones are not typed by hand, and comparison takes quadratic
/// time.
const LONGEST_COMPARED: usize = 100;

/// The edit distance (Levenshtein 1966) if it is at most `tolerated`.
fn distance(wanted: &[char], candidate: &str, tolerated: usize) -> Option<usize> {
    let candidate: Vec<char> = candidate.chars().take(LONGEST_COMPARED + 1).collect();
    if wanted.len().max(candidate.len()) > LONGEST_COMPARED || wanted.len().abs_diff(candidate.len()) > tolerated {
        return None;
    }
    // The distances from the examined part of `wanted` to every prefix of the candidate.
    let mut row: Vec<usize> = (0..=candidate.len()).collect();
    for (before, letter) in wanted.iter().enumerate() {
        let mut diagonal = before;
        row[0] = before + 1;
        for (index, other) in candidate.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != other);
            diagonal = row[index + 1];
            row[index + 1] = replaced.min(row[index] + 1).min(diagonal + 1);
        }
    }
    Some(row[candidate.len()]).filter(|&distance| distance <= tolerated)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(a: &str, b: &str) -> Option<usize> {
        distance(&a.chars().collect::<Vec<_>>(), b, 10)
    }

    #[test]
    fn distances_count_typing_mistakes() {
        assert_eq!(between("kitten", "sitting"), Some(3));
        assert_eq!(between("", "abc"), Some(3));
        assert_eq!(between("größe", "grösse"), Some(2));
        assert_eq!(between("same", "same"), Some(0));
        assert_eq!(distance(&['a', 'b'], "xy", 1), None);
    }
}
