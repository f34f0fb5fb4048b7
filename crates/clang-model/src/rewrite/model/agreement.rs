//! Functions and variables that several translation units declare, each in a text of its own. A
//! change to one of these declarations must be made to all of them, and no compiler checks this.

use crate::Edit;
use lapidary_clang::{FileId, Kind, Mark, NodeId, Syntax};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The places at which each name with external linkage is declared.
#[derive(Default)]
pub(super) struct Agreement {
    places: BTreeMap<String, BTreeSet<Place>>,
}

/// A declaration without its body or initialiser.
type Place = (FileId, usize, usize);

impl Agreement {
    pub fn learn(&mut self, syntax: &Syntax) {
        for id in syntax.ids() {
            let node = syntax.node(id);
            let Some(entity) = node.declares.filter(|_| node.is(Mark::External) && !node.in_macro) else { continue };
            if matches!(node.kind, Kind::Function | Kind::Variable) {
                let head = head(syntax, id);
                let known = self.places.entry(syntax.entity(entity).usr.clone()).or_default();
                known.insert((node.file, head.start, head.end));
            }
        }
    }

    /// Returns whether the edits change one declaration of a name but leave one in another file
    /// unchanged.
    pub fn is_broken_by(&self, edits: &[Edit]) -> bool {
        let is_changed = |place: &Place| edits.iter().any(|edit| touches(edit, place));
        self.places.values().filter(|places| places.len() > 1).any(|places| {
            let (changed, left): (Vec<&Place>, Vec<&Place>) = places.iter().partition(|place| is_changed(place));
            let in_files = |places: &[&Place]| places.iter().map(|place| place.0).collect::<BTreeSet<FileId>>();
            !changed.is_empty() && !in_files(&left).is_subset(&in_files(&changed))
        })
    }
}

fn touches(edit: &Edit, place: &Place) -> bool {
    let (file, start, end) = *place;
    // A declaration that is removed as a whole disagrees with none.
    let is_all = edit.range.start <= start && end <= edit.range.end;
    edit.file == file && edit.range.start < end && start < edit.range.end && !is_all
}

fn head(syntax: &Syntax, id: NodeId) -> Range<usize> {
    let node = syntax.node(id);
    let last = syntax.children(id).last().map(|last| syntax.node(last));
    let is_inside = |kind: Kind| kind == Kind::Compound || kind.is_expression();
    let end =
        last.filter(|last| is_inside(last.kind) && last.start > node.location).map_or(node.end, |last| last.start);
    node.range().start..end as usize
}
