//! The classes that can be collapsed into their superclass.
//!
//! Classes are examined from the highest down. Each is compared with all classes that it would be
//! merged with if every possible collapse above it were performed. Therefore every choice of a
//! candidate is possible.

use crate::names;
use crate::parameters::{handles, resolved};
use crate::program::{Program, class_in};
use lapidary_classfile::{
    Attribute, Class, Handle, HandleKind, Instruction, InvokeOp, Kind, Local, Method, Text, access,
};
use lapidary_jvm::{ClassId, Hierarchy, MethodId, package};
use std::collections::{BTreeMap, HashMap, HashSet};

/// For each class, by number, the superclass it can be collapsed into.
pub(super) type Above = BTreeMap<usize, usize>;

pub(super) struct Candidates<'a> {
    program: &'a Program,
    hierarchy: &'a Hierarchy,
    /// The number of direct subclasses of each class.
    subclasses: HashMap<&'a Text, usize>,
    /// Methods that are called directly, without regard to overriding methods.
    called_exactly: HashSet<MethodId>,
    /// Classes that are named where nothing can be renamed.
    pinned: HashSet<Text>,
}

impl<'a> Candidates<'a> {
    pub fn new(program: &'a Program, hierarchy: &'a Hierarchy) -> Self {
        let mut subclasses = HashMap::new();
        for superclass in program.classes().filter_map(|class| class.superclass.as_ref()) {
            *subclasses.entry(superclass).or_default() += 1;
        }
        let called_exactly = program.classes().flat_map(|class| exact_calls(class, hierarchy)).collect();
        Candidates { program, hierarchy, subclasses, called_exactly, pinned: pinned(program) }
    }

    pub fn find(&self) -> Above {
        let mut above = Above::new();
        let mut order: Vec<usize> = (0..self.program.classes().len()).collect();
        order.sort_by_key(|class| self.hierarchy.superclasses(self.id(*class)).count());
        for class in order {
            let superclass = self.program.class(class).superclass.as_ref().and_then(|name| self.program.find(name));
            let Some(superclass) = superclass.filter(|superclass| self.is_possible(class, *superclass)) else {
                continue;
            };
            let chain: Vec<usize> = std::iter::successors(Some(superclass), |next| above.get(next).copied()).collect();
            if self.fits(class, &chain) {
                above.insert(class, superclass);
            }
        }
        above
    }

    fn id(&self, class: usize) -> ClassId {
        self.hierarchy.id(&self.program.class(class).name)
    }

    /// Checks the conditions that do not depend on other collapses.
    fn is_possible(&self, class: usize, superclass: usize) -> bool {
        let (below, above) = (self.program.class(class), self.program.class(superclass));
        let in_a_circle = self.hierarchy.superclasses(self.id(superclass)).any(|higher| higher == self.id(class));
        let makes_abstract = below.access & access::ABSTRACT != 0 && above.access & access::ABSTRACT == 0;
        is_plain(below)
            && is_plain(above)
            && !in_a_circle
            && !makes_abstract
            && self.subclasses.get(&above.name) == Some(&1)
            && below.version.major == above.version.major
            && package(&below.name) == package(&above.name)
            && self.share_a_nest(below, above)
            && !self.pinned.contains(&below.name)
            && !self.pinned.contains(&above.name)
            && !has_handle_above(below)
    }

    /// Returns whether the members of one class may use the private members of the other, or
    /// neither class names a nest host.
    fn share_a_nest(&self, below: &Class, above: &Class) -> bool {
        let (one, other) = (self.hierarchy.id(&below.name), self.hierarchy.id(&above.name));
        let hosts = (self.hierarchy.nest_host(one), self.hierarchy.nest_host(other));
        hosts.0 == hosts.1 || (below.nest_host().is_none() && above.nest_host().is_none())
    }

    /// Returns whether the class can be merged with its superclass, the first of the chain, and
    /// with the classes that the superclass is merged with.
    fn fits(&self, class: usize, chain: &[usize]) -> bool {
        let below = self.program.class(class);
        self.fields_fit(class, chain[0])
            && self.methods_fit(class, chain)
            && self.constructors_fit(below, chain)
            && chain.iter().all(|above| !self.is_inside(*above, class))
            && chain.iter().all(|above| !share_nested_names(below, self.program.class(*above)))
    }

    /// Checks that no field hides another one from the superclass once it is declared there.
    fn fields_fit(&self, class: usize, superclass: usize) -> bool {
        let own: HashSet<&Text> = self.program.class(class).fields.iter().map(|field| &field.name).collect();
        let above = self.hierarchy.all_supertypes(self.id(superclass)).iter();
        let mut fields = above.filter_map(|above| self.hierarchy.class(*above)).flat_map(|above| &above.fields);
        !fields.any(|field| own.contains(&field.name))
    }

    /// Checks the methods. A method replaces the one it overrides, unless that one is called
    /// directly.
    fn methods_fit(&self, class: usize, chain: &[usize]) -> bool {
        let higher: Vec<ClassId> = self.hierarchy.all_supertypes(self.id(chain[0])).to_vec();
        let methods = self.program.class(class).methods.iter().filter(|method| method.name != "<init>");
        methods.into_iter().all(|method| {
            higher.iter().all(|above| match self.hierarchy.declared_method(*above, &method.name, &method.descriptor) {
                None => true,
                Some(other) => {
                    let declared = self.hierarchy.method(other);
                    let own = access::PRIVATE | access::STATIC;
                    let merged = chain.iter().any(|class| self.id(*class) == *above);
                    let is_initialiser = method.name == "<clinit>";
                    (is_initialiser && !merged)
                        || !is_initialiser
                            && (method.access | declared.access) & own == 0
                            && !(merged && self.called_exactly.contains(&other))
                }
            })
        })
    }

    /// Checks the constructors. One that only passes its parameters on to the one it would clash
    /// with is no longer needed.
    fn constructors_fit(&self, below: &Class, chain: &[usize]) -> bool {
        let constructors = below.methods.iter().filter(|method| method.name == "<init>");
        constructors.into_iter().all(|constructor| {
            let has_same = |class: &Class| {
                class
                    .methods
                    .iter()
                    .any(|method| method.name == "<init>" && method.descriptor == constructor.descriptor)
            };
            match has_same(self.program.class(chain[0])) {
                true => hands_on(constructor, &self.program.class(chain[0]).name),
                false => !chain.iter().any(|class| has_same(self.program.class(*class))),
            }
        })
    }

    /// Returns whether one class is nested in the other, at any depth.
    fn is_inside(&self, inner: usize, outer: usize) -> bool {
        let around = |class: &usize| {
            let class = self.program.class(*class);
            enclosing(class).and_then(|name| self.program.find(&name))
        };
        let limit = self.program.classes().len();
        let outer_is_host = self.program.class(inner).nest_host() == Some(&self.program.class(outer).name);
        outer_is_host || std::iter::successors(around(&inner), around).take(limit).any(|class| class == outer)
    }
}

/// Returns whether a constructor does nothing but call a superclass constructor with its own
/// parameters.
pub(super) fn hands_on(constructor: &Method, superclass: &Text) -> bool {
    let Some(code) = constructor.code() else { return false };
    let mut slot = 1;
    let mut expected = vec![Instruction::Load(Kind::Reference, Local::new(0))];
    for kind in crate::stub::parameter_kinds(&constructor.descriptor) {
        expected.push(Instruction::Load(kind, Local::new(slot)));
        slot += crate::stub::slots(kind);
    }
    let (body, end) = code.instructions.split_at(expected.len().min(code.instructions.len()));
    let calls = matches!(end, [Instruction::Invoke(InvokeOp::Special, member), Instruction::Return(None)]
        if member.owner == *superclass && member.name == "<init>" && member.descriptor == constructor.descriptor);
    let mut plain = body.to_vec();
    plain.iter_mut().for_each(Instruction::shorten);
    calls && plain == expected
}

/// The class that encloses a class.
pub(super) fn enclosing(class: &Class) -> Option<Text> {
    let entry = class.inner_classes().iter().find(|entry| entry.inner == class.name);
    let method = class.attributes.iter().find_map(|attribute| match attribute {
        Attribute::EnclosingMethod(enclosing) => Some(enclosing.class.clone()),
        _ => None,
    });
    entry.and_then(|entry| entry.outer.clone()).or(method)
}

/// Returns whether the class consists only of its name and members.
fn is_plain(class: &Class) -> bool {
    let special = access::INTERFACE | access::ENUM | access::ANNOTATION | access::MODULE;
    class.access & special == 0 && class.record_components().is_none() && class.permitted_subclasses().is_none()
}

/// Returns whether two classes have nested classes of the same simple name, which one class cannot
/// have.
fn share_nested_names(one: &Class, other: &Class) -> bool {
    let nested = |class: &Class| -> HashSet<Text> {
        let entries = class.inner_classes().iter().filter(|entry| entry.outer.as_ref() == Some(&class.name));
        entries.filter_map(|entry| entry.name.clone()).collect()
    };
    !nested(one).is_disjoint(&nested(other))
}

/// Returns whether a method handle calls a superclass method as `super` does.
fn has_handle_above(class: &Class) -> bool {
    let special = |handle: &Handle| handle.kind == HandleKind::InvokeSpecial && handle.member.owner != class.name;
    handles(class).any(special)
}

/// The methods of the program that a class calls by `invokespecial` or `invokestatic`, or by an
/// equivalent handle.
fn exact_calls<'a>(class: &'a Class, hierarchy: &'a Hierarchy) -> impl Iterator<Item = MethodId> + 'a {
    let instructions = class.methods.iter().filter_map(Method::code).flat_map(|code| &code.instructions);
    let called = instructions.filter_map(|instruction| match instruction {
        Instruction::Invoke(InvokeOp::Special | InvokeOp::Static, member) => Some(&**member),
        _ => None,
    });
    let exact = |handle: &&Handle| matches!(handle.kind, HandleKind::InvokeSpecial | HandleKind::InvokeStatic);
    let handled = handles(class).filter(exact).map(|handle| &*handle.member);
    called.chain(handled).filter_map(|member| resolved(hierarchy, member))
}

/// Classes that cannot be renamed: those named by files that are not analysed, by modules, or as
/// permitted subclasses, and those that another class wrongly claims as its enclosing class.
fn pinned(program: &Program) -> HashSet<Text> {
    let mut pinned = HashSet::new();
    for class in program.resources().filter_map(|(path, entry)| class_in(path, entry)?.ok()) {
        names::in_class(&class, &mut |name| _ = pinned.insert(name));
    }
    pinned.extend(program.classes().filter_map(|class| unacknowledged(program, class)));
    for class in program.classes() {
        for attribute in &class.attributes {
            if matches!(
                attribute,
                Attribute::Module(_) | Attribute::ModuleMainClass(_) | Attribute::PermittedSubclasses(_)
            ) {
                names::in_attributes(std::slice::from_ref(attribute), &mut |name| _ = pinned.insert(name));
            }
        }
    }
    pinned
}

/// The class that this one claims to be a member of, if that class does not confirm it. Renaming
/// must not spread the claim.
fn unacknowledged(program: &Program, class: &Class) -> Option<Text> {
    let entry = class.inner_classes().iter().find(|entry| entry.inner == class.name)?;
    let outer = program.class(program.find(entry.outer.as_ref()?)?);
    let acknowledged = outer.inner_classes().iter().any(|other| other.inner == class.name);
    (!acknowledged).then(|| outer.name.clone())
}
