//! Records the entity a cursor declares, the entity it refers to, and its type.

use super::Walk;
use super::place::place;
use crate::Kind;
use crate::tree::{Mark, NodeId};
use crate::types::{Type, TypeClass, TypeId};
use clang_sys::*;
use std::ptr;

impl Walk {
    pub(super) unsafe fn note_facts(&mut self, cursor: CXCursor, id: NodeId) {
        let kind = self.syntax.nodes[id.index()].kind;
        // SAFETY: all calls are queries about a live cursor.
        unsafe {
            if kind.is_declaration() || matches!(kind, Kind::Label | Kind::MacroDefinition) {
                self.note_declaration(cursor, id);
            }
            if kind.is_expression() || kind.is_reference() || kind == Kind::MacroExpansion {
                self.note_reference(cursor, id);
            }
            if kind.is_expression()
                || kind.is_declaration()
                || matches!(kind, Kind::BaseSpecifier | Kind::TypeReference)
            {
                self.syntax.nodes[id.index()].of_type = self.type_id(clang_getCursorType(cursor));
            }
            if kind == Kind::Call {
                self.syntax.nodes[id.index()].arguments = clang_Cursor_getNumArguments(cursor).clamp(0, 0xffff) as u16;
            }
        }
    }

    unsafe fn note_declaration(&mut self, cursor: CXCursor, id: NodeId) {
        // SAFETY: all calls are queries about a live cursor.
        unsafe {
            let marks = marks(cursor);
            let node = &mut self.syntax.nodes[id.index()];
            node.marks.0 = marks;
            let Some(entity) = self.entities.of(cursor) else { return };
            self.syntax.nodes[id.index()].declares = Some(entity);
            self.entities.declared(entity, id);
            let template = clang_getSpecializedCursorTemplate(cursor);
            if clang_Cursor_isNull(template) == 0 {
                self.syntax.nodes[id.index()].refers = self.meant(template).filter(|other| *other != entity);
            }
            if marks & Mark::Virtual as u16 != 0 {
                self.note_overrides(cursor, entity);
            }
        }
    }

    unsafe fn note_overrides(&mut self, cursor: CXCursor, entity: crate::EntityId) {
        let (mut list, mut count) = (ptr::null_mut(), 0);
        // SAFETY: the list has `count` cursors and is disposed of once.
        unsafe {
            clang_getOverriddenCursors(cursor, &mut list, &mut count);
            for index in 0..count as usize {
                if let Some(other) = self.entities.of(*list.add(index)) {
                    self.entities.overrides(entity, other);
                }
            }
            if !list.is_null() {
                clang_disposeOverriddenCursors(list);
            }
        }
    }

    unsafe fn note_reference(&mut self, cursor: CXCursor, id: NodeId) {
        // SAFETY: all calls are queries about a live cursor.
        unsafe {
            let meant = clang_getCursorReferenced(cursor);
            if meant.kind == CXCursor_OverloadedDeclRef {
                return self.note_overloads(meant, id);
            }
            self.syntax.nodes[id.index()].refers = self.meant(meant);
        }
    }

    /// Returns the entity that a reference means, and records its header.
    unsafe fn meant(&mut self, meant: CXCursor) -> Option<crate::EntityId> {
        // SAFETY: all calls are queries about a live cursor.
        unsafe {
            let entity = self.entities.of(meant)?;
            if self.entities.lacks_header(entity) {
                let definition = clang_getCursorDefinition(meant);
                let is_defined = clang_Cursor_isNull(definition) == 0;
                let at = place(clang_getCursorLocation(if is_defined { definition } else { meant }));
                if let Some((header, None)) = self.file(at.file) {
                    self.entities.in_header(entity, header);
                }
            }
            Some(entity)
        }
    }

    /// Records every declaration that an ambiguous name in a template may refer to.
    unsafe fn note_overloads(&mut self, cursor: CXCursor, id: NodeId) {
        // SAFETY: the cursor is alive, and indices are below the count.
        unsafe {
            for index in 0..clang_getNumOverloadedDecls(cursor) {
                if let Some(entity) = self.meant(clang_getOverloadedDecl(cursor, index)) {
                    self.syntax.overloads.push((id, entity));
                }
            }
        }
    }

    /// Returns the id of the canonical type, adding the type on first sight.
    unsafe fn type_id(&mut self, given: CXType) -> Option<TypeId> {
        // SAFETY: the type belongs to the live unit.
        unsafe {
            let canonical = clang_getCanonicalType(given);
            if canonical.kind == CXType_Invalid {
                return None;
            }
            let key = (canonical.data[0] as usize, canonical.kind as usize);
            if let Some(known) = self.types.get(&key) {
                return Some(*known);
            }
            let id = TypeId(self.syntax.types.len() as u32);
            self.types.insert(key, id);
            let class = TypeClass::of(canonical.kind);
            self.syntax.types.push(Type {
                class,
                spelling: crate::text::owned(clang_getTypeSpelling(canonical)),
                declaration: None,
                inner: None,
                arguments: Vec::new(),
                is_const: clang_isConstQualifiedType(canonical) != 0,
            });
            let inner = match class {
                TypeClass::Pointer | TypeClass::Reference | TypeClass::MemberPointer => {
                    self.type_id(clang_getPointeeType(canonical))
                }
                TypeClass::Array => self.type_id(clang_getArrayElementType(canonical)),
                TypeClass::Function => self.type_id(clang_getResultType(canonical)),
                _ => None,
            };
            let declaration = match class {
                TypeClass::Record | TypeClass::Enumeration => self.meant(clang_getTypeDeclaration(canonical)),
                _ => None,
            };
            let count = if class == TypeClass::Record { clang_Type_getNumTemplateArguments(canonical) } else { 0 };
            let arguments = (0..count.max(0) as u32)
                .filter_map(|index| self.type_id(clang_Type_getTemplateArgumentAsType(canonical, index)))
                .collect();
            let noted = &mut self.syntax.types[id.0 as usize];
            (noted.inner, noted.declaration, noted.arguments) = (inner, declaration, arguments);
            Some(id)
        }
    }
}

unsafe fn marks(cursor: CXCursor) -> u16 {
    // SAFETY: all calls are queries about a live cursor.
    let facts = unsafe {
        [
            (Mark::Definition, clang_isCursorDefinition(cursor) != 0),
            (
                Mark::Static,
                clang_Cursor_getStorageClass(cursor) == CX_SC_Static || clang_CXXMethod_isStatic(cursor) != 0,
            ),
            (Mark::Extern, clang_Cursor_getStorageClass(cursor) == CX_SC_Extern),
            (Mark::Virtual, clang_CXXMethod_isVirtual(cursor) != 0),
            (Mark::PureVirtual, clang_CXXMethod_isPureVirtual(cursor) != 0),
            (Mark::Const, clang_CXXMethod_isConst(cursor) != 0),
            (Mark::Variadic, clang_Cursor_isVariadic(cursor) != 0),
            (Mark::Inline, clang_Cursor_isFunctionInlined(cursor) != 0),
            (Mark::Anonymous, clang_Cursor_isAnonymous(cursor) != 0),
            (Mark::BitField, clang_Cursor_isBitField(cursor) != 0),
            (Mark::External, clang_getCursorLinkage(cursor) == CXLinkage_External),
        ]
    };
    facts.iter().filter(|(_, holds)| *holds).map(|(mark, _)| *mark as u16).fold(0, |all, mark| all | mark)
}
