//! Delta debugging: ddmin by Zeller and Hildebrandt (TSE 2002), subsets first, then complements.
//!
//! This is the baseline. It knows nothing of the constraint except which items are required, so
//! most of its candidates are invalid when items depend on each other.

use super::{Oracle, Stop, Strategy};
use crate::Space;
use lapidary_logic::{Var, VarSet};

/// Delta debugging that ignores validity.
pub struct Ddmin;

impl Strategy for Ddmin {
    fn name(&self) -> &'static str {
        "ddmin"
    }

    fn reduce(&self, space: &Space<'_>, oracle: &mut dyn Oracle) -> Result<VarSet, Stop> {
        let mut items = space.start_items();
        items.retain(|&item| !space.reasoner().necessary().contains(item));
        let fixed = space.start().without(&items);
        let candidate = |kept: &[Var]| Some(fixed.union(&VarSet::of(space.universe(), kept.iter().copied())));
        let kept = ddmin(items, &candidate, oracle)?;
        Ok(candidate(&kept).expect("ddmin turns every list into a candidate"))
    }

    fn fork(&self) -> Option<Box<dyn Strategy>> {
        Some(Box::new(Ddmin))
    }
}

/// Runs ddmin over a list of elements. `candidate` turns a list into a candidate, or returns `None`
/// if it is not worth a test.
pub(crate) fn ddmin<T: Clone>(
    mut elements: Vec<T>,
    candidate: &dyn Fn(&[T]) -> Option<VarSet>,
    oracle: &mut dyn Oracle,
) -> Result<Vec<T>, Stop> {
    let mut parts = 2;
    while elements.len() > 1 {
        let chunk = elements.len().div_ceil(parts);
        let chunks: Vec<&[T]> = elements.chunks(chunk).collect();
        match first_smaller(&chunks, candidate, oracle)? {
            Some(Smaller::Subset(index)) => {
                elements = chunks[index].to_vec();
                parts = 2;
            }
            Some(Smaller::Complement(index)) => {
                parts = (chunks.len() - 1).max(2);
                elements = complement(&chunks, index);
            }
            None if chunk == 1 => break,
            None => parts = (2 * parts).min(elements.len()),
        }
    }
    Ok(elements)
}

enum Smaller {
    Subset(usize),
    Complement(usize),
}

/// The first interesting chunk, or else the first interesting complement of a chunk. Complements of
/// two chunks are skipped: each chunk is the other's complement.
fn first_smaller<T: Clone>(
    chunks: &[&[T]],
    candidate: &dyn Fn(&[T]) -> Option<VarSet>,
    oracle: &mut dyn Oracle,
) -> Result<Option<Smaller>, Stop> {
    let complements = if chunks.len() > 2 { chunks.len() } else { 0 };
    let mut tried = Vec::new();
    let mut candidates = (0..chunks.len() + complements).filter_map(|step| {
        let kept = match step.checked_sub(chunks.len()) {
            None => candidate(chunks[step]),
            Some(index) => candidate(&complement(chunks, index)),
        }?;
        tried.push(step);
        Some(kept)
    });
    let found = oracle.first(&mut candidates)?;
    Ok(found.map(|(position, _)| match tried[position].checked_sub(chunks.len()) {
        None => Smaller::Subset(tried[position]),
        Some(index) => Smaller::Complement(index),
    }))
}

fn complement<T: Clone>(chunks: &[&[T]], left_out: usize) -> Vec<T> {
    let others = chunks.iter().enumerate().filter(|(index, _)| *index != left_out);
    others.flat_map(|(_, chunk)| chunk.iter().cloned()).collect()
}
