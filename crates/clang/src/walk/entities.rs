//! Maps cursors to entities.
//!
//! A declaration in a template instance has the location of the template's declaration. libclang
//! links the two for some kinds of declarations only, so the location decides for the rest.

use super::place::place;
use crate::text::owned;
use crate::tree::{Entity, EntityId, FileId, NodeId, Syntax};
use clang_sys::*;
use foldhash::HashMap;

#[derive(Default)]
pub(super) struct Entities {
    found: Vec<Entity>,
    /// For each entity, libclang's file and the offset of the name.
    places: Vec<(usize, u32)>,
    /// Entities by the address that libclang uses for their declaration.
    known: HashMap<usize, EntityId>,
}

impl Entities {
    /// Returns the entity that a cursor declares or refers to. A template instance maps to its
    /// template.
    pub(super) unsafe fn of(&mut self, cursor: CXCursor) -> Option<EntityId> {
        // SAFETY: the cursor is alive.
        unsafe {
            let cursor = canonical(cursor)?;
            let key = key(&cursor);
            if let Some(known) = self.known.get(&key) {
                return Some(*known);
            }
            let id = EntityId(self.found.len() as u32);
            self.found.push(Entity {
                name: owned(clang_getCursorSpelling(cursor)),
                usr: owned(clang_getCursorUSR(cursor)),
                declarations: Vec::new(),
                header: None,
                is_foreign: false,
                overrides: Vec::new(),
            });
            let at = place(clang_getCursorLocation(cursor));
            self.places.push((at.file as usize, at.offset));
            self.known.insert(key, id);
            Some(id)
        }
    }

    pub(super) fn declared(&mut self, entity: EntityId, node: NodeId) {
        self.found[entity.index()].declarations.push(node);
    }

    pub(super) fn overrides(&mut self, entity: EntityId, other: EntityId) {
        let overrides = &mut self.found[entity.index()].overrides;
        if !overrides.contains(&other) {
            overrides.push(other);
        }
    }

    /// Records the header of an entity that the user's files do not declare.
    pub(super) fn in_header(&mut self, entity: EntityId, header: u32) {
        self.found[entity.index()].header = Some(header);
    }

    pub(super) fn lacks_header(&self, entity: EntityId) -> bool {
        self.found[entity.index()].header.is_none()
    }

    /// Moves the entities into the tree and merges those declared at the same location. `file` maps
    /// a file handle of libclang's to the user's file.
    pub(super) fn move_into(mut self, syntax: &mut Syntax, file: impl Fn(usize) -> Option<FileId>) {
        let same = self.declared_at_one_place(syntax, &file);
        let change = |entity: &mut EntityId| *entity = same[entity.index()];
        for node in &mut syntax.nodes {
            node.refers.iter_mut().for_each(change);
        }
        syntax.types.iter_mut().filter_map(|found| found.declaration.as_mut()).for_each(change);
        syntax.overloads.iter_mut().for_each(|(_, entity)| change(entity));
        for (entity, (place, _)) in self.found.iter_mut().zip(&self.places) {
            entity.is_foreign = file(*place).is_none();
        }
        syntax.entities = self.found;
        syntax.entities.iter_mut().flat_map(|entity| &mut entity.overrides).for_each(change);
    }

    /// Maps each entity to itself, or, if it has no declaration, to the entity declared at its
    /// location.
    fn declared_at_one_place(&self, syntax: &Syntax, file: impl Fn(usize) -> Option<FileId>) -> Vec<EntityId> {
        let mut declared: HashMap<(FileId, u32), EntityId> = HashMap::default();
        for node in &syntax.nodes {
            node.declares.into_iter().for_each(|id| {
                declared.entry((node.file, node.location)).or_insert(id);
            });
        }
        let same = |id: EntityId| {
            let (place, offset) = self.places[id.index()];
            declared.get(&(file(place)?, offset)).copied()
        };
        let is_declared = |id: EntityId| !self.found[id.index()].declarations.is_empty();
        let all = (0..self.found.len() as u32).map(EntityId);
        all.map(|id| if is_declared(id) { id } else { same(id).unwrap_or(id) }).collect()
    }
}

/// Returns the first declaration of the entity that a cursor stands for.
unsafe fn canonical(cursor: CXCursor) -> Option<CXCursor> {
    // SAFETY: the cursor is alive.
    unsafe {
        if clang_Cursor_isNull(cursor) != 0 || clang_isInvalid(cursor.kind) != 0 {
            return None;
        }
        let template = clang_getSpecializedCursorTemplate(cursor);
        let is_instance = clang_Cursor_isNull(template) == 0 && is_at_one_place(cursor, template);
        Some(clang_getCanonicalCursor(if is_instance { template } else { cursor }))
    }
}

/// Returns whether two cursors have the same location. An implicit instance is located at its
/// template; an explicit specialisation is not.
unsafe fn is_at_one_place(left: CXCursor, right: CXCursor) -> bool {
    // SAFETY: both cursors are alive.
    unsafe { clang_equalLocations(clang_getCursorLocation(left), clang_getCursorLocation(right)) != 0 }
}

/// The pointer that identifies a cursor: the first for declarations, the second for statements
/// (labels).
fn key(cursor: &CXCursor) -> usize {
    let is_statement = cursor.kind >= CXCursor_UnexposedStmt && cursor.kind < CXCursor_UnexposedAttr;
    cursor.data[usize::from(is_statement)] as usize
}
