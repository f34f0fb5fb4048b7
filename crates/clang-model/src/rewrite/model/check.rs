//! Asking the compiler of each opportunity whether the program is still valid with it alone.
//!
//! What happens in the body of one function, or in the initialiser of one global, makes no difference to another. So
//! opportunities that have different such homes are shown to the compiler together, and a complaint is about the one at
//! whose home it is. Line numbers stay as they are for this.

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

/// A translation unit with what is held against it anyway.
struct Checked {
    unit: Unit,
    reader: Reader,
    known: HashMap<String, usize>,
}

impl<'s> Checks<'s> {
    /// A unit that does not compile is not asked: its complaints tell nothing.
    pub fn new(sources: &'s Sources, units: Vec<Unit>, readers: &'s Readers) -> Result<Checks<'s>, ParseError> {
        let mut checked = Vec::new();
        for unit in units.into_iter().filter(|unit| unit.is_clean) {
            let mut reader = readers.take(&unit.compilation);
            let known = counted(&reader.complaints(sources)?);
            checked.push(Checked { unit, reader, known });
        }
        Ok(Checks { sources, units: checked, readers })
    }

    /// Those opportunities after which everything compiles that compiled before, in their order.
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

    /// Opportunities to be checked together: each with another home, all in the main file of one unit.
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

    /// The only unit an opportunity matters to, and the lines it stays within.
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

    /// Whose home the place of a complaint is.
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

    /// After an error of syntax the compiler may be lost, so that only the first complaint is sure.
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

    /// What the compiler says after some opportunities that it did not say before.
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

/// libclang is told to give up after 64 errors; what comes later is then unknown.
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
