//! Gathers the opportunities of all translation units of a program. An opportunity that several
//! units find in a shared file counts once, with the edits of all of them.

use super::agreement::Agreement;
use super::homes::Homes;
use crate::rewrite::catalogue::parameter_names;
use crate::rewrite::{Opportunity, all};
use crate::{Edit, Project, Readers};
use lapidary_clang::{Compilation, FileId, ParseError, Sources};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

pub(super) struct Gathered {
    pub found: Vec<Found>,
    pub units: Vec<Unit>,
}

pub(super) struct Found {
    pub opportunity: Opportunity,
    /// The lines of the only function body or initialiser that it changes.
    pub home: Option<Range<usize>>,
}

/// A translation unit to be checked.
pub(super) struct Unit {
    pub compilation: Compilation,
    /// The user's files that it reads.
    pub files: BTreeSet<FileId>,
    /// Whether it compiles before any rewrite.
    pub is_clean: bool,
}

pub(super) fn opportunities(sources: &Sources, project: &Project, readers: &Readers) -> Result<Gathered, ParseError> {
    let mut merged = Merged::default();
    let mut units = Vec::new();
    let mut agreement = Agreement::default();
    for compilation in &project.compilations {
        let syntax = readers.syntax(sources, compilation)?;
        let homes = Homes::of(&syntax);
        agreement.learn(&syntax);
        for opportunity in all(&syntax) {
            let home = homes.home(&opportunity.edits);
            merged.add(Found { opportunity, home });
        }
        units.push(Unit {
            compilation: compilation.clone(),
            files: syntax.nodes.iter().map(|node| node.file).collect(),
            is_clean: syntax.complaints.is_empty(),
        });
    }
    let mut found = merged.found;
    if units.len() > 1 {
        // Names of parameters need not agree.
        let is_free = |found: &Found| found.opportunity.kind == parameter_names::KIND;
        found.retain(|found| is_free(found) || !agreement.is_broken_by(&found.opportunity.edits));
    }
    Ok(Gathered { found, units })
}

#[derive(Default)]
struct Merged {
    found: Vec<Found>,
    by_label: HashMap<(&'static str, String), Vec<usize>>,
}

impl Merged {
    fn add(&mut self, new: Found) {
        let known = self.by_label.entry((new.opportunity.kind, new.opportunity.label.clone())).or_default();
        let same = known.iter().find_map(|index| {
            let edits = union(&self.found[*index].opportunity.edits, &new.opportunity.edits)?;
            Some((*index, edits))
        });
        match same {
            Some((index, edits)) => self.found[index].opportunity.edits = edits,
            None => {
                known.push(self.found.len());
                self.found.push(new);
            }
        }
    }
}

/// Merges two lists of edits, if they share an edit and none contradict.
fn union(left: &[Edit], right: &[Edit]) -> Option<Vec<Edit>> {
    if !left.iter().any(|edit| right.contains(edit)) {
        return None;
    }
    let mut edits = [left, right].concat();
    edits.sort_by_key(Edit::place);
    edits.dedup();
    let is_clear = |pair: &[Edit]| pair[0].file != pair[1].file || pair[0].range.end <= pair[1].range.start;
    edits.windows(2).all(is_clear).then_some(edits)
}
