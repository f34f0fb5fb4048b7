//! Which classes can go into their superclass.
//!
//! Classes are looked at from the highest down, and each is compared with all classes that it would end up in one class
//! with if everything above it that can be collapsed were. So whatever a candidate chooses is possible.

use crate::names;
use crate::parameters::{handles, resolved};
use crate::program::{Program, class_in};
use lapidary_classfile::{
    Attribute, Class, Handle, HandleKind, Instruction, InvokeOp, Kind, Local, Method, Text, access,
};
use lapidary_jvm::{ClassId, Hierarchy, MethodId, package};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Classes with the superclasses they can go into, by number.
pub(super) type Above = BTreeMap<usize, usize>;

pub(super) struct Candidates<'a> {
    program: &'a Program,
    hierarchy: &'a Hierarchy,
    /// How many classes extend each.
    subclasses: HashMap<&'a Text, usize>,
    /// Methods that are called whatever overrides them.
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

    /// What does not depend on what else is collapsed.
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

    /// Whether the members of one class may use the private members of the other, or do not know of nests.
    fn share_a_nest(&self, below: &Class, above: &Class) -> bool {
        let (one, other) = (self.hierarchy.id(&below.name), self.hierarchy.id(&above.name));
        let hosts = (self.hierarchy.nest_host(one), self.hierarchy.nest_host(other));
        hosts.0 == hosts.1 || (below.nest_host().is_none() && above.nest_host().is_none())
    }

    /// Whether the class can be one with its superclass, the first of the chain, and with what that is one with.
    fn fits(&self, class: usize, chain: &[usize]) -> bool {
        let below = self.program.class(class);
        self.fields_fit(class, chain[0])
            && self.methods_fit(class, chain)
            && self.constructors_fit(below, chain)
            && chain.iter().all(|above| !self.is_inside(*above, class))
            && chain.iter().all(|above| !share_nested_names(below, self.program.class(*above)))
    }

    /// A field must not hide another one from the superclass, now that it is declared there.
    fn fields_fit(&self, class: usize, superclass: usize) -> bool {
        let own: HashSet<&Text> = self.program.class(class).fields.iter().map(|field| &field.name).collect();
        let above = self.hierarchy.all_supertypes(self.id(superclass)).iter();
        let mut fields = above.filter_map(|above| self.hierarchy.class(*above)).flat_map(|above| &above.fields);
        !fields.any(|field| own.contains(&field.name))
    }

    /// A method takes the place of the one it overrides, unless somebody calls just that one.
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

    /// A constructor that only hands its parameters to the one it would clash with is not needed any more.
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

    /// Whether one class is nested in the other, at any depth.
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

/// Whether a constructor does nothing but call a constructor above with its own parameters.
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

/// The class around a class.
pub(super) fn enclosing(class: &Class) -> Option<Text> {
    let entry = class.inner_classes().iter().find(|entry| entry.inner == class.name);
    let method = class.attributes.iter().find_map(|attribute| match attribute {
        Attribute::EnclosingMethod(enclosing) => Some(enclosing.class.clone()),
        _ => None,
    });
    entry.and_then(|entry| entry.outer.clone()).or(method)
}

/// Whether nothing but its name and members makes up the class.
fn is_plain(class: &Class) -> bool {
    let special = access::INTERFACE | access::ENUM | access::ANNOTATION | access::MODULE;
    class.access & special == 0 && class.record_components().is_none() && class.permitted_subclasses().is_none()
}

/// Classes of the same simple name in two classes cannot be in one.
fn share_nested_names(one: &Class, other: &Class) -> bool {
    let nested = |class: &Class| -> HashSet<Text> {
        let entries = class.inner_classes().iter().filter(|entry| entry.outer.as_ref() == Some(&class.name));
        entries.filter_map(|entry| entry.name.clone()).collect()
    };
    !nested(one).is_disjoint(&nested(other))
}

/// Whether a method handle calls a method of a superclass as `super` does.
fn has_handle_above(class: &Class) -> bool {
    let special = |handle: &Handle| handle.kind == HandleKind::InvokeSpecial && handle.member.owner != class.name;
    handles(class).any(special)
}

/// The methods of the program that a class calls by `invokespecial` or `invokestatic`, or by such a handle.
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

/// Classes that are named by files which are not looked into, by modules, or as permitted subclasses, and those that
/// others say they are inside of, wrongly.
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

/// The class that this one says it is a member of, if that one does not say so: nobody else is to be told the same.
fn unacknowledged(program: &Program, class: &Class) -> Option<Text> {
    let entry = class.inner_classes().iter().find(|entry| entry.inner == class.name)?;
    let outer = program.class(program.find(entry.outer.as_ref()?)?);
    let acknowledged = outer.inner_classes().iter().any(|other| other.inner == class.name);
    (!acknowledged).then(|| outer.name.clone())
}
