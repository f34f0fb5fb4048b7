//! Removes what is left of a struct without variables: its declarations and names.

use crate::Edit;
use crate::rewrite::program::Program;
use lapidary_clang::{EntityId, FileId, Kind, NodeId};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

type Place = (FileId, Range<usize>);

/// Removes the declarations and names of a class, if nothing outside the rewritten places names it.
pub(super) fn of(program: &Program<'_>, class: EntityId, rewritten: &[Place]) -> Vec<Edit> {
    edits(program, class, rewritten).unwrap_or_default()
}

fn edits(program: &Program<'_>, class: EntityId, rewritten: &[Place]) -> Option<Vec<Edit>> {
    let names: Vec<NodeId> = program.nodes_of(Kind::Typedef).filter(|id| stands_for(program, *id, class)).collect();
    let mut gone: Vec<Place> = declarations_of(program, &names)?;
    for id in program.declarations(class)? {
        let place = (program.file(id), program.range(id));
        if !is_within(&place, rewritten) && !is_within(&place, &gone) {
            program.next_is(place.0, place.1.end, ";")?;
            gone.push((place.0, program.whole_declaration(id)));
        }
    }
    let entities: BTreeSet<EntityId> =
        names.iter().filter_map(|id| program.syntax.node(*id).declares).chain([class]).collect();
    let mut uses = entities.iter().flat_map(|entity| program.uses(*entity));
    let is_gone = |id: &NodeId| {
        let place = (program.file(*id), program.range(*id));
        is_within(&place, rewritten) || is_within(&place, &gone)
    };
    uses.all(is_gone).then(|| gone.iter().map(|(file, range)| Edit::delete(*file, range.clone())).collect())
}

/// Returns whether a name stands for the class or for pointers to it.
fn stands_for(program: &Program<'_>, name: NodeId, class: EntityId) -> bool {
    let mut found = program.syntax.type_of(name);
    while let Some(inner) = found.and_then(|found| found.inner) {
        found = Some(program.syntax.get_type(inner));
    }
    found.is_some_and(|found| found.declaration == Some(class))
}

/// Returns the declarations of names. One declaration may declare several. `None` if one also
/// declares another name.
fn declarations_of(program: &Program<'_>, names: &[NodeId]) -> Option<Vec<Place>> {
    let mut groups: BTreeMap<(FileId, usize), Vec<NodeId>> = BTreeMap::new();
    for id in names {
        groups.entry((program.file(*id), program.range(*id).start)).or_default().push(*id);
    }
    let declaration = |((file, start), group): ((FileId, usize), Vec<NodeId>)| {
        let last = *group.last()?;
        let end = program.next_is(file, program.range(last).end, ";")?.range.end;
        (program.declarators_at(last) == group.len()).then_some((file, start..end))
    };
    groups.into_iter().map(declaration).collect()
}

fn is_within(place: &Place, others: &[Place]) -> bool {
    others.iter().any(|(file, range)| *file == place.0 && range.start <= place.1.start && place.1.end <= range.end)
}
