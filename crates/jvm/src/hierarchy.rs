//! Classes and their supertypes: those of the program, and whatever else they turn out to need.
//!
//! A name becomes a [`ClassId`] without anything being read. The class behind it is looked up when something about it
//! is asked: first among the classes of the program, then on the class path; a class that is nowhere is remembered as
//! missing. All of this happens behind a shared reference and is safe from several threads, so that analyses of method
//! bodies can run side by side. Nothing is ever forgotten or changed: what a query returned stays true.
//!
//! Classes come from files that nobody vouches for. A class may be its own ancestor here; every walk ends nevertheless.

mod members;
mod subtyping;

pub use members::{FieldId, MethodId};
pub use subtyping::Answer;

use crate::class_path::ClassPath;
use lapidary_classfile::{Class, Text};
use members::MemberIndex;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use subtyping::Ancestors;

/// A class or interface by its number. The classes of the program come first, in the order they were given; the others
/// are numbered as they are met, which may differ from run to run: order them by name where a user can see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassId(u32);

impl ClassId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A direct supertype as a class declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    pub from: ClassId,
    pub to: ClassId,
    pub kind: EdgeKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeKind {
    Extends,
    /// The place in the list of interfaces. For an interface, these are the ones it extends.
    Implements(u16),
}

/// What is known of every class that was named.
pub struct Hierarchy {
    class_path: Arc<ClassPath>,
    ids: RwLock<Ids>,
    nodes: boxcar::Vec<Node>,
    program_classes: usize,
    well_known: WellKnown,
}

/// Names are looked up all the time.
type Ids = HashMap<Text, ClassId, foldhash::fast::RandomState>;

struct WellKnown {
    object: ClassId,
    cloneable: ClassId,
    serializable: ClassId,
}

/// Everything but the name is found out when it is needed.
struct Node {
    name: Text,
    class: OnceLock<Option<Arc<Class>>>,
    supertypes: OnceLock<Supertypes>,
    ancestors: OnceLock<Ancestors>,
    methods: OnceLock<MemberIndex>,
    fields: OnceLock<MemberIndex>,
}

impl Node {
    /// A node whose class is known, or still to be looked up.
    fn new(name: Text, class: Option<Arc<Class>>) -> Self {
        Node {
            name,
            class: class.map_or_else(OnceLock::new, |class| OnceLock::from(Some(class))),
            supertypes: OnceLock::new(),
            ancestors: OnceLock::new(),
            methods: OnceLock::new(),
            fields: OnceLock::new(),
        }
    }
}

#[derive(Default)]
struct Supertypes {
    superclass: Option<ClassId>,
    interfaces: Box<[ClassId]>,
}

impl Hierarchy {
    /// The hierarchy of a program. Its classes hide those of the class path; of two with the same name the first counts.
    pub fn new(program: impl IntoIterator<Item = Arc<Class>>, class_path: Arc<ClassPath>) -> Hierarchy {
        let mut ids = Ids::default();
        let nodes = boxcar::Vec::new();
        for class in program {
            intern(&mut ids, &nodes, &class.name.clone(), Some(class));
        }
        let program_classes = nodes.count();
        let mut well_known = |name: &str| intern(&mut ids, &nodes, &Text::from(name), None);
        let well_known = WellKnown {
            object: well_known("java/lang/Object"),
            cloneable: well_known("java/lang/Cloneable"),
            serializable: well_known("java/io/Serializable"),
        };
        let ids = RwLock::new(ids);
        Hierarchy { class_path, ids, nodes, program_classes, well_known }
    }

    /// The number of the class of this name. An array has no class here: see [`Hierarchy::owner`].
    pub fn id(&self, name: &Text) -> ClassId {
        self.known_id(name.as_bytes()).unwrap_or_else(|| self.new_id(name))
    }

    /// The same for a name that stands in a longer text.
    pub(crate) fn id_of(&self, name: &[u8]) -> ClassId {
        self.known_id(name).unwrap_or_else(|| self.new_id(&Text::from_bytes(name)))
    }

    fn known_id(&self, name: &[u8]) -> Option<ClassId> {
        self.ids.read().unwrap_or_else(PoisonError::into_inner).get(name).copied()
    }

    fn new_id(&self, name: &Text) -> ClassId {
        let mut ids = self.ids.write().unwrap_or_else(PoisonError::into_inner);
        intern(&mut ids, &self.nodes, name, None)
    }

    /// The class whose members a class constant gives access to: an array has those of `java/lang/Object`.
    pub fn owner(&self, constant: &Text) -> ClassId {
        if constant.as_bytes().first() == Some(&b'[') { self.object() } else { self.id(constant) }
    }

    pub fn object(&self) -> ClassId {
        self.well_known.object
    }

    pub fn name(&self, id: ClassId) -> &Text {
        &self.node(id).name
    }

    /// The class itself; nothing if it is missing.
    pub fn class(&self, id: ClassId) -> Option<&Arc<Class>> {
        self.node(id).class.get_or_init(|| self.class_path.class(self.name(id))).as_ref()
    }

    pub fn class_path(&self) -> &Arc<ClassPath> {
        &self.class_path
    }

    pub fn is_missing(&self, id: ClassId) -> bool {
        self.class(id).is_none()
    }

    /// Nothing if the class is missing.
    pub fn is_interface(&self, id: ClassId) -> Option<bool> {
        self.class(id).map(|class| class.is_interface())
    }

    /// Nothing for `java/lang/Object`, for modules, and for missing classes. An interface has `java/lang/Object`.
    pub fn superclass(&self, id: ClassId) -> Option<ClassId> {
        self.supertypes(id).superclass
    }

    /// The direct superinterfaces in order.
    pub fn interfaces(&self, id: ClassId) -> &[ClassId] {
        &self.supertypes(id).interfaces
    }

    /// The class, its superclass, and so on up. The last is `java/lang/Object` or a missing class. In a circle there is
    /// no last one: then the walk ends when it is longer than there are classes.
    pub fn superclasses(&self, id: ClassId) -> impl Iterator<Item = ClassId> {
        let chain = std::iter::successors(Some(id), |id| self.superclass(*id));
        chain.enumerate().take_while(|(steps, _)| *steps < self.nodes.count()).map(|(_, id)| id)
    }

    /// All direct supertypes, the superclass first. Every class but `java/lang/Object` and modules has one.
    pub fn edges(&self, from: ClassId) -> impl Iterator<Item = Edge> {
        let extends = self.superclass(from).map(|to| Edge { from, to, kind: EdgeKind::Extends });
        let interfaces = self.interfaces(from).iter().enumerate();
        let implements = interfaces.map(move |(place, to)| {
            // The class file counts interfaces in 16 bits.
            Edge { from, to: *to, kind: EdgeKind::Implements(place as u16) }
        });
        extends.into_iter().chain(implements)
    }

    /// The classes of the program, in order.
    pub fn program(&self) -> impl ExactSizeIterator<Item = ClassId> + use<> {
        (0..self.program_classes).map(|index| ClassId(index as u32))
    }

    pub fn is_program(&self, id: ClassId) -> bool {
        id.index() < self.program_classes
    }

    /// The classes named so far that are nowhere, by name. Looks every named class up.
    pub fn missing(&self) -> Vec<ClassId> {
        let ids = (0..self.nodes.count()).map(|index| ClassId(index as u32));
        let mut missing: Vec<ClassId> = ids.filter(|id| self.is_missing(*id)).collect();
        missing.sort_by_key(|id| self.name(*id));
        missing
    }

    /// A class and everything that can be reached from it, nearest first.
    fn reachable<I: Iterator<Item = ClassId>>(
        &self,
        from: ClassId,
        next: impl Fn(ClassId) -> I,
    ) -> impl Iterator<Item = ClassId> {
        let mut seen = HashSet::from([from]);
        let mut queue = VecDeque::from([from]);
        std::iter::from_fn(move || {
            let class = queue.pop_front()?;
            queue.extend(next(class).filter(|class| seen.insert(*class)));
            Some(class)
        })
    }

    fn node(&self, id: ClassId) -> &Node {
        &self.nodes[id.index()]
    }

    fn supertypes(&self, id: ClassId) -> &Supertypes {
        self.node(id).supertypes.get_or_init(|| match self.class(id) {
            None => Supertypes::default(),
            Some(class) => Supertypes {
                superclass: class.superclass.as_ref().map(|name| self.id(name)),
                interfaces: class.interfaces.iter().map(|name| self.id(name)).collect(),
            },
        })
    }

    fn ancestors(&self, id: ClassId) -> &Ancestors {
        self.node(id).ancestors.get_or_init(|| self.find_ancestors(id))
    }

    fn find_ancestors(&self, id: ClassId) -> Ancestors {
        let above = |class: ClassId| self.edges(class).map(|edge| edge.to);
        let all: Vec<ClassId> = self.reachable(id, above).collect();
        let first_missing = all.iter().copied().find(|class| self.is_missing(*class));
        Ancestors::new(all, first_missing)
    }
}

/// Gives a name its number. The caller holds the only access to `ids`, so that numbers and places in `nodes` agree.
fn intern(ids: &mut Ids, nodes: &boxcar::Vec<Node>, name: &Text, class: Option<Arc<Class>>) -> ClassId {
    if let Some(known) = ids.get(name) {
        return *known;
    }
    let id = ClassId(nodes.push(Node::new(name.clone(), class)) as u32);
    ids.insert(name.clone(), id);
    id
}

#[cfg(test)]
mod tests;
