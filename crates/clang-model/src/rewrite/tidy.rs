//! Tidies opportunities: sorts their edits, and drops duplicates and those that do not make the
//! program smaller.

use super::Opportunity;
use super::measure::Measure;
use super::program::Program;
use crate::Edit;
use std::collections::HashSet;

/// Returns the opportunities that make the program smaller, tidied and without duplicates.
pub(super) fn sound(program: &Program<'_>, found: Vec<Opportunity>) -> Vec<Opportunity> {
    let measure = Measure::new(program);
    let mut seen = HashSet::new();
    let tidy = found.into_iter().filter_map(|opportunity| tidied(program, opportunity));
    tidy.filter(|one| measure.falls(one) && seen.insert(signature(one))).collect()
}

fn signature(opportunity: &Opportunity) -> Vec<(usize, usize, usize, Vec<u8>)> {
    let edits = opportunity.edits.iter();
    edits.map(|edit| (edit.file.index(), edit.range.start, edit.range.end, edit.with.clone())).collect()
}

/// Sorts the edits, drops duplicates and edits that change nothing, and joins an insertion with a
/// replacement that starts at the same place. `None` if nothing is left, or if edits overlap or
/// have an invalid range: then the rewrite has misunderstood the program.
fn tidied(program: &Program<'_>, opportunity: Opportunity) -> Option<Opportunity> {
    let Opportunity { label, kind, mut edits } = opportunity;
    let is_range = |edit: &Edit| program.syntax.files[edit.file.index()].text.get(edit.range.clone()).is_some();
    if !edits.iter().all(is_range) {
        return None;
    }
    edits.retain(|edit| program.slice(edit.file, edit.range.clone()) != edit.with.as_slice());
    edits.sort_by_key(Edit::place);
    edits.dedup();
    let mut result: Vec<Edit> = Vec::with_capacity(edits.len());
    for edit in edits {
        match result.last_mut().filter(|last| last.file == edit.file && edit.range.start <= last.range.end) {
            Some(last) if last.range.is_empty() && last.range.start == edit.range.start => {
                last.range.end = edit.range.end;
                last.with.extend_from_slice(b" ");
                last.with.extend_from_slice(&edit.with);
            }
            Some(last) if edit.range.start < last.range.end => return None,
            _ => result.push(edit),
        }
    }
    take_blanks(program, &mut result);
    (!result.is_empty()).then_some(Opportunity { label, kind, edits: result })
}

/// Extends deletions over the blanks on one side, so that no two blanks in a row stay and none
/// before a semicolon.
fn take_blanks(program: &Program<'_>, edits: &mut [Edit]) {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    for index in 0..edits.len() {
        let (file, range) = (edits[index].file, edits[index].range.clone());
        let text = &*program.syntax.files[file.index()].text;
        let neighbour = |at: Option<usize>| at.and_then(|at| edits.get(at)).filter(|other| other.file == file);
        let from = neighbour(index.checked_sub(1)).map_or(0, |other| other.range.end);
        let to = neighbour(Some(index + 1)).map_or(text.len(), |other| other.range.start);
        let is_after_space = text[from..range.start].last().map_or(range.start == 0, u8::is_ascii_whitespace);
        let is_before_end = text[range.end..to].first().is_some_and(|byte| matches!(byte, b';' | b')' | b','));
        if !edits[index].with.is_empty() || range.is_empty() || !is_after_space {
            continue;
        }
        edits[index].range = if is_before_end {
            range.start - text[from..range.start].iter().rev().take_while(|byte| is_blank(byte)).count()..range.end
        } else {
            range.start..range.end + text[range.end..to].iter().take_while(|byte| is_blank(byte)).count()
        };
    }
}
