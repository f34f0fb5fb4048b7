//! Converts libclang's cursors to our syntax tree.

mod entities;
mod expansions;
mod facts;
mod place;

use crate::path::is_same;
use crate::tree::{FileId, Inclusion, Marks, Node, NodeId, Syntax};
use crate::types::TypeId;
use crate::{Kind, Sources};
use clang_sys::*;
use entities::Entities;
use foldhash::HashMap;
use place::{Place, place};
use std::path::PathBuf;
use std::ptr;

/// The number of levels that a tree may have. Everything further inside is left out: it can be
/// removed only together with what is around it, and becomes visible once that is gone. Readers of
/// the tree may recurse.
const DEEPEST: usize = 1_000;

/// Builds the tree of a parsed translation unit.
pub(crate) fn walk(unit: CXTranslationUnit, sources: &Sources) -> Syntax {
    let mut walk = Walk {
        syntax: Syntax { files: sources.files.clone(), ..Syntax::default() },
        entities: Entities::default(),
        files: HashMap::default(),
        types: HashMap::default(),
        parent: None,
        depth: 0,
        unplaced: Vec::new(),
    };
    // SAFETY: the unit is alive, and the visitor gets a pointer to `walk`, which outlives the
    // visit.
    unsafe {
        clang_visitChildren(clang_getTranslationUnitCursor(unit), visit, ptr::from_mut(&mut walk).cast());
        walk.note_skipped(unit);
    }
    let Walk { mut syntax, entities, files, unplaced, .. } = walk;
    entities.move_into(&mut syntax, |file| files.get(&file).and_then(|(_, own)| *own));
    expansions::place(&mut syntax, &unplaced);
    expansions::widen(&mut syntax);
    syntax
}

pub(crate) struct Walk {
    syntax: Syntax,
    entities: Entities,
    /// For each file handle of libclang: its index in `syntax.headers`, and its id if it is the
    /// user's.
    files: HashMap<usize, (u32, Option<FileId>)>,
    types: HashMap<(usize, usize), TypeId>,
    parent: Option<NodeId>,
    /// The number of nodes around the current one.
    depth: usize,
    /// Declarations for which libclang reports no start.
    unplaced: Vec<NodeId>,
}

extern "C" fn visit(cursor: CXCursor, _parent: CXCursor, data: CXClientData) -> CXChildVisitResult {
    // SAFETY: the pointer comes from `walk`, and visits are not concurrent.
    let walk = unsafe { &mut *data.cast::<Walk>() };
    // SAFETY: the cursor is alive during the visit.
    unsafe { walk.enter(cursor) };
    CXChildVisit_Continue
}

impl Walk {
    unsafe fn enter(&mut self, cursor: CXCursor) {
        // SAFETY: all calls are queries about a live cursor.
        unsafe {
            let kind = Kind::of(cursor.kind);
            let extent = clang_getCursorExtent(cursor);
            let mut start = place(clang_getRangeStart(extent));
            let named = place(clang_getCursorLocation(cursor));
            let is_placed = !start.file.is_null();
            if !is_placed {
                start = Place { ..named };
            }
            let Some((header, file)) = self.file(start.file) else { return };
            if kind == Kind::InclusionDirective {
                self.note_inclusion(cursor, header);
            }
            let Some(file) = file else { return };
            let end = place(clang_getRangeEnd(extent));
            let is_sound = end.file == start.file && end.offset >= start.offset;
            if !is_placed && !is_sound {
                return;
            }
            let id = NodeId(self.syntax.nodes.len() as u32);
            let node = Node {
                kind,
                file,
                start: start.offset,
                end: if is_sound { end.offset } else { start.offset },
                location: if named.file == start.file { named.offset } else { start.offset },
                in_macro: !is_sound || !start.is_spelled || !end.is_spelled,
                marks: Marks(0),
                parent: self.parent,
                next: NodeId(id.0 + 1),
                declares: None,
                refers: None,
                of_type: None,
                arguments: 0,
            };
            self.syntax.nodes.push(node);
            if !is_placed {
                self.unplaced.push(id);
            }
            if kind == Kind::InclusionDirective {
                self.syntax.inclusions.last_mut().expect("it was just noted").node = Some(id);
            }
            self.note_facts(cursor, id);
            let outer = self.parent.replace(id);
            self.depth += 1;
            if self.depth < DEEPEST {
                clang_visitChildren(cursor, visit, ptr::from_mut(self).cast());
            }
            self.depth -= 1;
            self.parent = outer;
            self.syntax.nodes[id.index()].next = NodeId(self.syntax.nodes.len() as u32);
        }
    }

    /// Looks up a file of libclang's, adding it if it is new. `None` for a null file.
    unsafe fn file(&mut self, file: CXFile) -> Option<(u32, Option<FileId>)> {
        if file.is_null() {
            return None;
        }
        if let Some(known) = self.files.get(&(file as usize)) {
            return Some(*known);
        }
        // SAFETY: the file belongs to the live unit.
        let path = PathBuf::from(crate::text::owned(unsafe { clang_getFileName(file) }));
        let header = self.syntax.headers.len() as u32;
        let own = self.syntax.files.iter().position(|known| is_same(&known.path, &path));
        self.syntax.headers.push(path);
        let known = (header, own.map(|index| FileId(index as u16)));
        self.files.insert(file as usize, known);
        Some(known)
    }

    unsafe fn note_inclusion(&mut self, cursor: CXCursor, from: u32) {
        // SAFETY: the cursor is an inclusion directive.
        let included = unsafe { self.file(clang_getIncludedFile(cursor)) };
        let (to, file) = included.unwrap_or((from, None));
        self.syntax.inclusions.push(Inclusion { node: None, from, to, file });
    }

    unsafe fn note_skipped(&mut self, unit: CXTranslationUnit) {
        // SAFETY: the unit is alive; the list is disposed of once.
        unsafe {
            let list = clang_getAllSkippedRanges(unit);
            if list.is_null() {
                return;
            }
            for index in 0..(*list).count as usize {
                let range = *(*list).ranges.add(index);
                let (start, end) = (place(clang_getRangeStart(range)), place(clang_getRangeEnd(range)));
                if let Some((_, Some(file))) = self.file(start.file) {
                    self.syntax.skipped.push((file, start.offset as usize..end.offset as usize));
                }
            }
            clang_disposeSourceRangeList(list);
        }
    }
}
