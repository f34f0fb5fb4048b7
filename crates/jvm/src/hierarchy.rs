//! Classes and their supertypes: those of the program, and any others they turn out to need.
//!
//! A name becomes a [`ClassId`] without anything being read. The class behind it is looked up when
//! something about it is asked: first among the classes of the program, then on the class path. A
//! class that is in neither is remembered as missing. All of this happens behind a shared reference
//! and is safe from several threads, so analyses of method bodies can run in parallel. Nothing is
//! ever forgotten or changed: an answer that a query gave stays true.
//!
//! Classes come from untrusted files. A class may be its own ancestor here, but every walk ends.

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

/// The number of a class or interface. The classes of the program come first, in the order they
/// were given. The others are numbered as they are met, which may differ from run to run: sort them
/// by name wherever a user can see the order.
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

/// The ways in which a class is a subtype of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeKind {
    Extends,
    /// The index in the list of interfaces. For an interface, the list holds those it extends.
    Implements(u16),
}

/// Everything known about the classes that were named so far.
pub struct Hierarchy {
    class_path: Arc<ClassPath>,
    names: Arc<Names>,
    /// One node per name, or fewer while another hierarchy that shares the names has added some.
    nodes: boxcar::Vec<Node>,
    program_classes: usize,
    well_known: WellKnown,
}

/// The numbers of names. The hierarchies of two versions of a program share them.
#[derive(Default)]
struct Names {
    ids: RwLock<Ids>,
    names: boxcar::Vec<Text>,
}

/// A map with a fast hasher, because names are looked up all the time.
type Ids = HashMap<Text, ClassId, foldhash::fast::RandomState>;

struct WellKnown {
    object: ClassId,
    cloneable: ClassId,
    serializable: ClassId,
}

/// A class by name. Everything but the name is found out on demand.
struct Node {
    name: Text,
    class: OnceLock<Option<Arc<Class>>>,
    supertypes: OnceLock<Supertypes>,
    ancestors: OnceLock<Ancestors>,
    methods: OnceLock<MemberIndex>,
    fields: OnceLock<MemberIndex>,
}

impl Node {
    /// A node whose class is known, or still to be looked up if `class` is `None`.
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
    /// Creates the hierarchy of a program. Its classes hide those of the class path. If two have
    /// the same name, the first counts.
    pub fn new(program: impl IntoIterator<Item = Arc<Class>>, class_path: Arc<ClassPath>) -> Hierarchy {
        let (names, nodes) = (Names::default(), boxcar::Vec::new());
        for class in program {
            let number = names.number(&class.name);
            if number.index() == nodes.count() {
                nodes.push(Node::new(class.name.clone(), Some(class)));
            }
        }
        let program_classes = nodes.count();
        Hierarchy { class_path, well_known: WellKnown::of(&names), names: Arc::new(names), nodes, program_classes }
    }

    /// Creates a hierarchy of other classes that shares the numbering of this one: a name has the
    /// same number in both, now and later.
    pub fn beside(&self, class_path: Arc<ClassPath>) -> Hierarchy {
        let (names, well_known) = (self.names.clone(), WellKnown::of(&self.names));
        Hierarchy { class_path, names, nodes: boxcar::Vec::new(), program_classes: 0, well_known }
    }

    /// Returns whether every name has the same number in both hierarchies.
    pub fn numbers_like(&self, other: &Hierarchy) -> bool {
        Arc::ptr_eq(&self.names, &other.names)
    }

    /// Returns the number of the class with this name. An array has no class here: see
    /// [`Hierarchy::owner`].
    pub fn id(&self, name: &Text) -> ClassId {
        self.names.number(name)
    }

    /// Returns the number of the class with this name, given as a slice of a longer text.
    pub(crate) fn id_of(&self, name: &[u8]) -> ClassId {
        self.names.known(name).unwrap_or_else(|| self.names.number(&Text::from_bytes(name)))
    }

    /// Returns the class whose members a class constant gives access to. For an array that is
    /// `java/lang/Object`.
    pub fn owner(&self, constant: &Text) -> ClassId {
        if constant.as_bytes().first() == Some(&b'[') { self.object() } else { self.id(constant) }
    }

    pub fn object(&self) -> ClassId {
        self.well_known.object
    }

    pub fn name(&self, id: ClassId) -> &Text {
        &self.node(id).name
    }

    /// Returns the class itself, or `None` if it is missing.
    pub fn class(&self, id: ClassId) -> Option<&Arc<Class>> {
        self.node(id).class.get_or_init(|| self.class_path.class(self.name(id))).as_ref()
    }

    pub fn class_path(&self) -> &Arc<ClassPath> {
        &self.class_path
    }

    pub fn is_missing(&self, id: ClassId) -> bool {
        self.class(id).is_none()
    }

    /// Returns whether the class is an interface, or `None` if it is missing.
    pub fn is_interface(&self, id: ClassId) -> Option<bool> {
        self.class(id).map(|class| class.is_interface())
    }

    /// Returns the superclass: `None` for `java/lang/Object`, for modules, and for missing classes.
    /// That of an interface is `java/lang/Object`.
    pub fn superclass(&self, id: ClassId) -> Option<ClassId> {
        self.supertypes(id).superclass
    }

    /// Returns the direct superinterfaces in order.
    pub fn interfaces(&self, id: ClassId) -> &[ClassId] {
        &self.supertypes(id).interfaces
    }

    /// Walks the class, its superclass, and so on up. The last is `java/lang/Object` or a missing
    /// class. In a cycle there is no last one; then the walk ends after as many steps as there are
    /// classes.
    pub fn superclasses(&self, id: ClassId) -> impl Iterator<Item = ClassId> {
        let chain = std::iter::successors(Some(id), |id| self.superclass(*id));
        chain.enumerate().take_while(|(steps, _)| *steps < self.names.names.count()).map(|(_, id)| id)
    }

    /// All direct supertypes, the superclass first. Every class but `java/lang/Object` and modules
    /// has one.
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

    /// The missing classes among those named so far, by name. Looks up every named class.
    pub fn missing(&self) -> Vec<ClassId> {
        let ids = (0..self.names.names.count()).map(|index| ClassId(index as u32));
        let mut missing: Vec<ClassId> = ids.filter(|id| self.is_missing(*id)).collect();
        missing.sort_by_key(|id| self.name(*id));
        missing
    }

    /// A class and everything reachable from it, nearest first.
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
        self.nodes.get(id.index()).unwrap_or_else(|| self.new_node(id))
    }

    /// Creates the node of a name that has none here yet, together with those of all names before
    /// it.
    fn new_node(&self, id: ClassId) -> &Node {
        let _alone = self.names.ids.write().unwrap_or_else(PoisonError::into_inner);
        for index in self.nodes.count()..=id.index() {
            self.nodes.push(Node::new(self.names.names[index].clone(), None));
        }
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

impl Names {
    fn known(&self, name: &[u8]) -> Option<ClassId> {
        self.ids.read().unwrap_or_else(PoisonError::into_inner).get(name).copied()
    }

    fn number(&self, name: &Text) -> ClassId {
        if let Some(known) = self.known(name.as_bytes()) {
            return known;
        }
        let mut ids = self.ids.write().unwrap_or_else(PoisonError::into_inner);
        // The lock keeps the numbers and the indices in the list of names in step.
        *ids.entry(name.clone()).or_insert_with(|| ClassId(self.names.push(name.clone()) as u32))
    }
}

impl WellKnown {
    fn of(names: &Names) -> WellKnown {
        let number = |name: &str| names.number(&Text::from(name));
        WellKnown {
            object: number("java/lang/Object"),
            cloneable: number("java/lang/Cloneable"),
            serializable: number("java/io/Serializable"),
        }
    }
}

#[cfg(test)]
mod tests;
