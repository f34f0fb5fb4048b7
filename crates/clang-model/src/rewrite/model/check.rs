//! Asks the compiler for each opportunity whether the program is still valid with it alone.
//!
//! A change in the body of one function, or in the initialiser of one global, does not affect
//! another. Opportunities with different such homes are therefore shown to the compiler together,
//! and a complaint is attributed to the opportunity in whose home it is. Line numbers are preserved
//! for this.

use super::edited;
use super::gather::{Found, Unit};
use crate::rewrite::Opportunity;
use crate::{Layout, Readers};
use lapidary_clang::{Complaint, ParseError, Reader, Sources};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

pub(super) struct Checks<'s> {
    sources: &'s Sources,
    units: Vec<Checked>,
    readers: &'s Readers,
}

/// A translation unit with the complaints about it before any rewrite.
struct Checked {
    unit: Unit,
    reader: Reader,
    known: HashMap<String, usize>,
}

impl<'s> Checks<'s> {
    /// Prepares the checks. A unit that does not compile is skipped, since its complaints tell
    /// nothing.
    pub fn new(sources: &'s Sources, units: Vec<Unit>, readers: &'s Readers) -> Result<Checks<'s>, ParseError> {
        let mut checked = Vec::new();
        for unit in units.into_iter().filter(|unit| unit.is_clean) {
            let mut reader = readers.take(&unit.compilation);
            let known = counted(&reader.complaints(sources)?);
            checked.push(Checked { unit, reader, known });
        }
        Ok(Checks { sources, units: checked, readers })
    }

    /// Returns those opportunities after which everything still compiles that compiled before, in
    /// order.
    pub fn accepted(&mut self, found: Vec<Found>) -> Result<Vec<Opportunity>, ParseError> {
        let mut valid = vec![false; found.len()];
        for batch in self.batches(&found) {
            for index in self.valid_of(&found, batch)? {
                valid[index] = true;
            }
        }
        let accepted = found.into_iter().zip(valid).filter(|(_, valid)| *valid);
        Ok(accepted.map(|(found, _)| found.opportunity).collect())
    }

    /// Groups opportunities to check together: each with a different home, all in the main file of
    /// one unit.
    fn batches(&self, found: &[Found]) -> Vec<Vec<usize>> {
        let mut rounds: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
        let mut seen: HashMap<(usize, usize), usize> = HashMap::new();
        let mut alone = Vec::new();
        for (index, found) in found.iter().enumerate() {
            match self.home(found) {
                Some((unit, lines)) => {
                    let round = seen.entry((unit, lines.start)).or_default();
                    rounds.entry((unit, *round)).or_default().push(index);
                    *round += 1;
                }
                None => alone.push(vec![index]),
            }
        }
        rounds.into_values().chain(alone).collect()
    }

    /// Returns the only unit that an opportunity matters to, and the lines it stays within.
    fn home(&self, found: &Found) -> Option<(usize, Range<usize>)> {
        let lines = found.home.clone()?;
        let file = found.opportunity.edits.first()?.file;
        let mut touched = (0..self.units.len()).filter(|unit| self.units[*unit].unit.files.contains(&file));
        let unit = touched.next().filter(|_| touched.next().is_none())?;
        let is_main = self.units[unit].unit.compilation.file == self.sources.files[file.index()].path;
        is_main.then_some((unit, lines))
    }

    fn valid_of(&mut self, found: &[Found], batch: Vec<usize>) -> Result<Vec<usize>, ParseError> {
        let complaints = self.complaints(&batch.iter().map(|index| &found[*index].opportunity).collect::<Vec<_>>())?;
        if complaints.is_empty() {
            return Ok(batch);
        }
        if batch.len() == 1 {
            return Ok(Vec::new());
        }
        let guilty: Option<Vec<usize>> =
            complaints.iter().map(|complaint| self.blamed(found, &batch, complaint)).collect();
        match guilty.filter(|_| complaints.len() < MOST_COMPLAINTS) {
            Some(guilty) => self.without(found, batch, &guilty, &complaints),
            None => {
                let (left, right) = batch.split_at(batch.len() / 2);
                let mut valid = self.valid_of(found, left.to_vec())?;
                valid.extend(self.valid_of(found, right.to_vec())?);
                Ok(valid)
            }
        }
    }

    /// Returns the opportunity in whose home a complaint is.
    fn blamed(&self, found: &[Found], batch: &[usize], complaint: &Complaint) -> Option<usize> {
        let (file, line) = (complaint.file.as_ref()?, complaint.line as usize);
        let is_at_home = |found: &Found| {
            let home = found.home.as_ref().zip(found.opportunity.edits.first());
            home.is_some_and(|(lines, edit)| {
                lines.contains(&line) && self.sources.files[edit.file.index()].path == *file
            })
        };
        let mut at_home = batch.iter().filter(|index| is_at_home(&found[**index]));
        at_home.next().copied().filter(|_| at_home.next().is_none())
    }

    /// Returns the opportunities of a batch that are valid without those that caused complaints.
    /// After a syntax error the compiler may be confused, so only the first complaint is reliable.
    fn without(
        &mut self,
        found: &[Found],
        mut batch: Vec<usize>,
        guilty: &[usize],
        complaints: &[Complaint],
    ) -> Result<Vec<usize>, ParseError> {
        if !complaints.iter().any(is_confusing) {
            batch.retain(|index| !guilty.contains(index));
            return Ok(batch);
        }
        let first = guilty.iter().min_by_key(|index| found[**index].home.as_ref().map(|lines| lines.start)).copied();
        batch.retain(|index| Some(*index) != first);
        self.valid_of(found, batch)
    }

    /// Returns the compiler's new complaints after some opportunities.
    fn complaints(&mut self, taken: &[&Opportunity]) -> Result<Vec<Complaint>, ParseError> {
        let mut sources = self.sources.clone();
        let edits = || taken.iter().flat_map(|one| &one.edits);
        for (file, text) in edited(self.sources, edits(), Layout::KeepLines) {
            sources.files[file.index()].text = text.into();
        }
        let mut result = Vec::new();
        for checked in &mut self.units {
            if edits().any(|edit| checked.unit.files.contains(&edit.file)) {
                let mut known = checked.known.clone();
                let found = checked.reader.complaints(&sources)?;
                result.extend(found.into_iter().filter(|complaint| !is_expected(&mut known, complaint)));
            }
        }
        Ok(result)
    }
}

impl Drop for Checks<'_> {
    fn drop(&mut self) {
        for checked in self.units.drain(..) {
            self.readers.give_back(checked.reader);
        }
    }
}

/// The number of complaints from which they may be incomplete: libclang gives up after 64 errors.
const MOST_COMPLAINTS: usize = 60;

fn counted(complaints: &[Complaint]) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for complaint in complaints {
        *counts.entry(complaint.message.clone()).or_insert(0) += 1;
    }
    counts
}

fn is_expected(known: &mut HashMap<String, usize>, complaint: &Complaint) -> bool {
    match known.get_mut(&complaint.message) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    }
}

fn is_confusing(complaint: &Complaint) -> bool {
    let signs = ["expected", "extraneous", "not allowed here"];
    signs.iter().any(|sign| complaint.message.contains(sign))
}
