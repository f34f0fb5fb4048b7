//! The syntax tree of one translation unit, restricted to the user's files.
//!
//! Nodes are in the order of the source (parents first); the nodes inside of one follow it without a gap, so that a
//! subtree is a range. What is declared is an [`Entity`]; all declarations of a thing and all references to it share
//! one. Entities of system headers have no declaration node.

use crate::types::{Type, TypeId};
use crate::{Complaint, Kind};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(crate) u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntityId(pub(crate) u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
    /// The file at a place in the list of sources; there are at most 65,535.
    pub fn new(index: usize) -> FileId {
        FileId(u16::try_from(index).expect("files are few"))
    }

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Debug)]
pub struct Node {
    pub kind: Kind,
    pub file: FileId,
    /// Where it is in its file. Of a node that comes out of a macro: the expansion.
    pub start: u32,
    pub end: u32,
    /// Where the name is, of what has one.
    pub location: u32,
    /// Whether the text of the range is not just this node's: it comes out of a macro, in part or whole.
    pub in_macro: bool,
    pub marks: Marks,
    pub parent: Option<NodeId>,
    pub(crate) next: NodeId,
    /// What a declaration declares.
    pub declares: Option<EntityId>,
    /// What a reference refers to. A call refers to the function that is called.
    pub refers: Option<EntityId>,
    /// Of expressions, declarations and references to types.
    pub of_type: Option<TypeId>,
    /// The number of arguments of a call, default ones not counted.
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks(pub(crate) u16);

/// Facts about declarations and members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum Mark {
    /// A declaration that is the definition.
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
    /// A method that is `const`.
    Const = 1 << 8,
    BitField = 1 << 9,
    /// Linkage: visible to other translation units.
    External = 1 << 10,
}

/// Something that has a name, or could have one.
#[derive(Clone, Debug)]
pub struct Entity {
    pub name: String,
    /// Equal in all translation units that mean the same entity.
    pub usr: String,
    /// All declarations in the user's files, in order.
    pub declarations: Vec<NodeId>,
    /// The header it is declared in, if that is not one of the user's files.
    pub header: Option<u32>,
    /// Whether its first declaration is in none of the user's files: then it has to stay as it is said there.
    pub is_foreign: bool,
    /// Methods of base classes that it overrides.
    pub overrides: Vec<EntityId>,
}

/// One of the user's files.
#[derive(Clone, Debug)]
pub struct SourceFile {
    pub path: PathBuf,
    pub text: Arc<[u8]>,
}

/// `#include`, wherever it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inclusion {
    /// The place of the directive, if it is in one of the user's files.
    pub node: Option<NodeId>,
    /// Indices into [`Syntax::headers`].
    pub from: u32,
    pub to: u32,
    /// What it includes, if that is one of the user's files.
    pub file: Option<FileId>,
}

/// A translation unit.
#[derive(Debug, Default)]
pub struct Syntax {
    pub files: Vec<SourceFile>,
    pub nodes: Vec<Node>,
    pub entities: Vec<Entity>,
    pub types: Vec<Type>,
    /// All files that were read, the user's and others.
    pub headers: Vec<PathBuf>,
    pub inclusions: Vec<Inclusion>,
    /// Ranges that the preprocessor passed over.
    pub skipped: Vec<(FileId, Range<usize>)>,
    /// Names that stand for several declarations until a template is used: the node, and one of them. Sorted by node.
    pub overloads: Vec<(NodeId, EntityId)>,
    pub complaints: Vec<Complaint>,
    pub is_cpp: bool,
}

impl Syntax {
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

    /// The nodes that have no node around them.
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

    /// The node and everything inside of it.
    pub fn subtree(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (id.0..self.node(id).next.0).map(NodeId)
    }

    pub fn contains(&self, outer: NodeId, inner: NodeId) -> bool {
        outer <= inner && inner < self.node(outer).next
    }

    /// The nodes around a node, the innermost first.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.node(id).parent, |id| self.node(*id).parent)
    }

    /// What a name in a template may stand for.
    pub fn overloads(&self, id: NodeId) -> impl Iterator<Item = EntityId> {
        let first = self.overloads.partition_point(|(node, _)| *node < id);
        self.overloads[first..].iter().take_while(move |(node, _)| *node == id).map(|(_, entity)| *entity)
    }

    /// The declaration that defines an entity.
    pub fn definition(&self, entity: EntityId) -> Option<NodeId> {
        self.entity(entity).declarations.iter().copied().find(|id| self.node(*id).is(Mark::Definition))
    }
}
