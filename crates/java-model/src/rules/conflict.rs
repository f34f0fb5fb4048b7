//! Conflicts between inherited methods. No class may inherit a default method and another method of
//! the same name and descriptor from unrelated interfaces (JLS 8.4.8.4, 9.4.1.3); the JVM throws
//! when such a method is called (JVMS 5.4.6).
//!
//! If a method is inherited along several paths, its declarations are put in a row, subtypes before
//! supertypes. Each that is inherited together with an earlier one must be overridden by an earlier
//! one. Then only one is left that is not overridden. The row makes the formula grow with the
//! number of declarations, not with the number of pairs.

use super::Rules;
use super::holds::{Holds, any_of};
use super::obligation::{Signature, conditions, is_abstract, signature};
use crate::member::{Member, Sort};
use lapidary_classfile::access;
use lapidary_jvm::{Answer, ClassId};
use lapidary_logic::Var;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// The contended methods that an interface declares, by number, each with whether it has a body
/// there.
type Declared = Rc<[(usize, bool)]>;

/// The number of overriding declarations to consider for each method, nearest first. More would
/// make the rows quadratic.
const OVERRIDERS: usize = 4;

impl Rules<'_> {
    pub(super) fn conflicts(&mut self) {
        let mut index = Index::of(self);
        for class in 0..self.words.classes.len() {
            for (method, declaring) in index.meeting_at(self, class) {
                self.conflict(class, &method, &declaring);
            }
        }
    }

    /// Adds the clauses for one method. `declaring` holds the superinterfaces that declare it,
    /// subtypes first.
    fn conflict(&mut self, class: usize, method: &Member, declaring: &[ClassId]) {
        let resolved = self.class_method(class, method);
        if resolved == Holds::Always {
            return;
        }
        let mut before = Vec::new();
        for (place, interface) in declaring.iter().enumerate() {
            let inherited = self.inherited(class, *interface, method);
            if place > 0 {
                let overridden = self.overridden(class, method, &declaring[..place], *interface);
                let settled = any_of(&mut self.cnf, [(resolved, Holds::Always), (overridden, Holds::Always)]);
                let premises = [&[self.words.classes[class].class], &inherited[..], &before[..]].concat();
                self.need(&premises, settled);
            }
            before = match place {
                0 => inherited,
                _ if place + 1 == declaring.len() => break,
                _ => conditions([self.wherever(vec![before, inherited])]),
            };
        }
    }

    /// The conditions under which the class inherits the interface's declaration, unless something
    /// overrides it.
    fn inherited(&mut self, class: usize, interface: ClassId, method: &Member) -> Vec<Var> {
        let link = self.linked(class, interface);
        let declaration = self.interface_method(interface, method);
        conditions([link, declaration])
    }

    /// A condition that is true whenever an unbroken chain leads from a class to one of its
    /// superinterfaces.
    fn linked(&mut self, class: usize, interface: ClassId) -> Holds {
        if let Some(known) = self.links.get(&(class, interface)) {
            return *known;
        }
        self.links.insert((class, interface), Holds::Never);
        let hierarchy = self.library.hierarchy;
        let mut sources = Vec::new();
        for (edge, supertype) in self.supertypes(class) {
            let id = hierarchy.id(&supertype);
            let above = match self.program.find(&supertype) {
                _ if id == interface => Holds::Always,
                Some(above) if hierarchy.is_subtype(id, interface) == Answer::Yes => self.linked(above, interface),
                None if hierarchy.is_subtype(id, interface) == Answer::Yes => Holds::Always,
                _ => Holds::Never,
            };
            if above != Holds::Never {
                sources.push(conditions([edge, above]));
            }
        }
        let linked = self.wherever(sources);
        self.links.insert((class, interface), linked);
        linked
    }

    fn interface_method(&self, interface: ClassId, method: &Member) -> Holds {
        let own = self.program.find(self.library.hierarchy.name(interface)).and_then(|index| self.own(index, method));
        own.map_or(Holds::Always, |(own, _)| own)
    }

    /// The condition that the class or a superclass declares the method, which takes precedence
    /// over interfaces.
    fn class_method(&mut self, class: usize, method: &Member) -> Holds {
        let own = self.own(class, method).filter(|(_, flags)| is_inheritable(*flags));
        let mut alternatives: Vec<_> = own.map(|(own, _)| (own, Holds::Always)).into_iter().collect();
        let hierarchy = self.library.hierarchy;
        let name = self.program.class(class).name.clone();
        let above: Vec<ClassId> = hierarchy.superclasses(hierarchy.id(&name)).skip(1).collect();
        for superclass in above {
            let declared = hierarchy.declared_method(superclass, &method.name, &method.descriptor);
            if declared.is_some_and(|declared| is_inheritable(hierarchy.method(declared).access)) {
                let path = self.subtype(&name, hierarchy.name(superclass));
                alternatives.push((path, self.interface_method(superclass, method)));
            }
        }
        any_of(&mut self.cnf, alternatives)
    }

    /// The condition that the class inherits a declaration that overrides the one in `interface`.
    fn overridden(&mut self, class: usize, method: &Member, before: &[ClassId], interface: ClassId) -> Holds {
        let hierarchy = self.library.hierarchy;
        let below = before.iter().rev().filter(|below| hierarchy.is_subtype(**below, interface) == Answer::Yes);
        let below: Vec<ClassId> = below.take(OVERRIDERS).copied().collect();
        let name = self.program.class(class).name.clone();
        let mut alternatives = Vec::new();
        for overriding in below {
            let overriding_name = hierarchy.name(overriding);
            let path = self.subtype(&name, overriding_name);
            let declaration = self.interface_method(overriding, method);
            let inherited = any_of(&mut self.cnf, [(path, declaration)]);
            alternatives.push((inherited, self.subtype(overriding_name, hierarchy.name(interface))));
        }
        any_of(&mut self.cnf, alternatives)
    }
}

/// An index of the interfaces that declare methods which can conflict.
struct Index {
    /// The numbers of methods that several interfaces declare, at least one of them with a body.
    contended: HashMap<Signature, usize>,
    /// The signatures by number.
    signatures: Vec<Signature>,
    declared: HashMap<ClassId, Declared>,
}

impl Index {
    fn of(rules: &Rules<'_>) -> Index {
        let hierarchy = rules.library.hierarchy;
        let above = hierarchy.program().flat_map(|class| hierarchy.all_supertypes(class));
        let interfaces: BTreeSet<ClassId> = above.copied().collect();
        let mut declarations: BTreeMap<Signature, (usize, bool)> = BTreeMap::new();
        for (signature, has_body) in interfaces.iter().flat_map(|interface| interface_methods(rules, *interface)) {
            let (count, default) = declarations.entry(signature).or_default();
            *count += 1;
            *default |= has_body;
        }
        let contended = declarations.into_iter().filter(|(_, (count, default))| *count > 1 && *default);
        let signatures: Vec<Signature> = contended.map(|(signature, _)| signature).collect();
        let numbers = signatures.iter().enumerate().map(|(number, signature)| (signature.clone(), number));
        Index { contended: numbers.collect(), signatures, declared: HashMap::new() }
    }

    /// The methods that a class inherits from more than one of its supertypes, each with the
    /// interfaces that declare it, subtypes first.
    fn meeting_at(&mut self, rules: &Rules<'_>, class: usize) -> Vec<(Member, Vec<ClassId>)> {
        let hierarchy = rules.library.hierarchy;
        let id = hierarchy.id(&rules.program.class(class).name);
        let meeting = self.coming_twice(rules, id);
        let mut declaring: BTreeMap<usize, (Vec<ClassId>, bool)> = BTreeMap::new();
        let above = hierarchy.all_supertypes(id).iter().filter(|above| **above != id && !meeting.is_empty());
        for above in above {
            for (method, has_body) in self.methods(rules, *above).iter().filter(|(method, _)| meeting.contains(method))
            {
                let (interfaces, default) = declaring.entry(*method).or_default();
                interfaces.push(*above);
                *default |= has_body;
            }
        }
        let contended = declaring.into_iter().filter(|(_, (interfaces, default))| interfaces.len() > 1 && *default);
        contended.map(|(method, (interfaces, _))| (self.member(method), in_row(rules, interfaces))).collect()
    }

    /// The contended methods of two or more direct supertypes, by number.
    fn coming_twice(&mut self, rules: &Rules<'_>, class: ClassId) -> HashSet<usize> {
        let hierarchy = rules.library.hierarchy;
        let direct = || hierarchy.edges(class).map(|edge| edge.to).filter(|to| *to != hierarchy.object());
        let (mut once, mut twice) = (HashSet::new(), HashSet::new());
        for supertype in direct().filter(|_| direct().nth(1).is_some()) {
            let above = hierarchy.all_supertypes(supertype).iter();
            let methods: HashSet<usize> = above.flat_map(|above| self.numbers(rules, *above)).collect();
            twice.extend(methods.iter().filter(|method| once.contains(*method)));
            once.extend(methods);
        }
        twice
    }

    fn numbers(&mut self, rules: &Rules<'_>, interface: ClassId) -> Vec<usize> {
        self.methods(rules, interface).iter().map(|(method, _)| *method).collect()
    }

    fn methods(&mut self, rules: &Rules<'_>, interface: ClassId) -> Declared {
        let contended = &self.contended;
        let declared = self.declared.entry(interface).or_insert_with(|| {
            let methods = interface_methods(rules, interface);
            methods.filter_map(|(signature, has_body)| Some((*contended.get(&signature)?, has_body))).collect()
        });
        declared.clone()
    }

    fn member(&self, method: usize) -> Member {
        let (name, descriptor) = self.signatures[method].clone();
        Member { sort: Sort::Method, name, descriptor }
    }
}

/// The inheritable methods of an interface, each with whether it has a body; none for a class.
fn interface_methods<'a>(rules: &Rules<'a>, interface: ClassId) -> impl Iterator<Item = (Signature, bool)> + use<'a> {
    let class = rules.library.hierarchy.class(interface).filter(|class| class.is_interface());
    let methods = class.into_iter().flat_map(|class| &class.methods);
    methods.filter(|method| is_inheritable(method.access)).map(|method| (signature(method), !is_abstract(method)))
}

/// Sorts interfaces, subtypes first. A subtype has more supertypes than any of its supertypes.
fn in_row(rules: &Rules<'_>, mut interfaces: Vec<ClassId>) -> Vec<ClassId> {
    let hierarchy = rules.library.hierarchy;
    interfaces.sort_by_key(|id| (std::cmp::Reverse(hierarchy.all_supertypes(*id).len()), hierarchy.name(*id)));
    interfaces
}

fn is_inheritable(flags: u16) -> bool {
    flags & (access::STATIC | access::PRIVATE) == 0
}
