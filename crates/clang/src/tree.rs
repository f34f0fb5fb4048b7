//! The syntax tree of one translation unit, restricted to the user's files.
//!
//! Nodes are in source order, parents first. The descendants of a node follow it without a gap, so
//! a subtree is a range. Each declared thing is an [`Entity`], shared by all its declarations and
//! all references to it. Entities of system headers have no declaration node.

use crate::types::{Type, TypeId};
use crate::{Complaint, Kind, Language, SourceFile};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::PathBuf;

/// The number of a node of a [`Syntax`](crate::Syntax).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NodeId(pub(crate) u32);

/// The number of something that is declared: a function, a variable, a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EntityId(pub(crate) u32);

/// The number of a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileId(pub(crate) u16);

impl NodeId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl EntityId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl FileId {
    /// The id of the file at an index in the list of sources, which holds at most 65,535 files.
    pub fn new(index: usize) -> FileId {
        FileId(u16::try_from(index).expect("files are few"))
    }

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node of the syntax tree.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Node {
    pub kind: Kind,
    pub file: FileId,
    /// The start in the file. For a node that comes from a macro, the start of the expansion.
    pub start: u32,
    pub end: u32,
    /// The position of the name, for nodes that have one.
    pub location: u32,
    /// Whether the node comes from a macro, in part or as a whole, so that the text in its range is
    /// not the node's alone.
    pub in_macro: bool,
    pub marks: Marks,
    pub parent: Option<NodeId>,
    pub(crate) next: NodeId,
    /// The entity that a declaration declares.
    pub declares: Option<EntityId>,
    /// The entity that a reference refers to. A call refers to the called function.
    pub refers: Option<EntityId>,
    /// The type of an expression, a declaration or a type reference.
    pub of_type: Option<TypeId>,
    /// The number of arguments of a call, without default arguments.
    pub arguments: u16,
}

impl Node {
    pub fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    pub fn is(&self, mark: Mark) -> bool {
        self.marks.0 & mark as u16 != 0
    }
}

/// A set of [`Mark`]s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marks(pub(crate) u16);

/// Facts about declarations and members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum Mark {
    /// A declaration that is also the definition.
    Definition = 1,
    /// Declared `static`.
    Static = 1 << 1,
    Virtual = 1 << 2,
    PureVirtual = 1 << 3,
    Variadic = 1 << 4,
    Inline = 1 << 5,
    Extern = 1 << 6,
    /// A class or enumeration without a name.
    Anonymous = 1 << 7,
    /// A `const` method.
    Const = 1 << 8,
    BitField = 1 << 9,
    /// External linkage: visible to other translation units.
    External = 1 << 10,
}

/// A declared thing, such as a function, variable or type. It need not have a name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entity {
    pub name: String,
    /// An identifier that is equal in all translation units for the same entity.
    pub usr: String,
    /// All declarations in the user's files, in order.
    pub declarations: Vec<NodeId>,
    /// The header it is declared in, if that is not one of the user's files.
    pub header: Option<u32>,
    /// Whether the first declaration is outside the user's files. Such an entity must keep the form
    /// it has there.
    pub is_foreign: bool,
    /// The base-class methods that this one overrides.
    pub overrides: Vec<EntityId>,
}

/// An `#include` directive in any file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inclusion {
    /// The directive's node, if it is in one of the user's files.
    pub node: Option<NodeId>,
    /// The including file; like `to`, an index into [`Syntax::headers`].
    pub from: u32,
    pub to: u32,
    /// The included file, if it is one of the user's files.
    pub file: Option<FileId>,
}

/// A translation unit.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Syntax {
    /// The sources that were parsed. Whoever asks a child has them already.
    #[serde(skip)]
    pub files: Vec<SourceFile>,
    pub nodes: Vec<Node>,
    pub entities: Vec<Entity>,
    pub types: Vec<Type>,
    /// The paths of all files that were read, both the user's and others.
    pub headers: Vec<PathBuf>,
    pub inclusions: Vec<Inclusion>,
    /// Ranges that the preprocessor skipped.
    pub skipped: Vec<(FileId, Range<usize>)>,
    /// Names that stay ambiguous until a template is instantiated. Each entry pairs the node with
    /// one of the declarations it may refer to. Sorted by node.
    pub overloads: Vec<(NodeId, EntityId)>,
    pub complaints: Vec<Complaint>,
    pub language: Language,
}

impl Syntax {
    pub fn is_cpp(&self) -> bool {
        self.language.is_cpp()
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    pub fn entity(&self, id: EntityId) -> &Entity {
        &self.entities[id.index()]
    }

    pub fn type_of(&self, id: NodeId) -> Option<&Type> {
        self.node(id).of_type.map(|id| self.get_type(id))
    }

    pub fn get_type(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }

    pub fn text(&self, id: NodeId) -> &[u8] {
        let node = self.node(id);
        &self.files[node.file.index()].text[node.range()]
    }

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// Returns the nodes without a parent.
    pub fn roots(&self) -> impl Iterator<Item = NodeId> {
        self.siblings(NodeId(0), NodeId(self.nodes.len() as u32))
    }

    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        self.siblings(NodeId(id.0 + 1), self.node(id).next)
    }

    fn siblings(&self, first: NodeId, end: NodeId) -> impl Iterator<Item = NodeId> {
        let mut at = first;
        std::iter::from_fn(move || {
            let found = (at < end).then_some(at)?;
            at = self.node(found).next;
            Some(found)
        })
    }

    /// Returns the node and all its descendants.
    pub fn subtree(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (id.0..self.node(id).next.0).map(NodeId)
    }

    pub fn contains(&self, outer: NodeId, inner: NodeId) -> bool {
        outer <= inner && inner < self.node(outer).next
    }

    /// Returns the nodes around a node, innermost first.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.node(id).parent, |id| self.node(*id).parent)
    }

    /// Returns the entities that an ambiguous name in a template may refer to.
    pub fn overloads(&self, id: NodeId) -> impl Iterator<Item = EntityId> {
        let first = self.overloads.partition_point(|(node, _)| *node < id);
        self.overloads[first..].iter().take_while(move |(node, _)| *node == id).map(|(_, entity)| *entity)
    }

    /// Returns the declaration that defines an entity.
    pub fn definition(&self, entity: EntityId) -> Option<NodeId> {
        self.entity(entity).declarations.iter().copied().find(|id| self.node(*id).is(Mark::Definition))
    }
}
