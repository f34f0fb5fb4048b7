//! Families whose parameters are fixed because they are used in places that cannot be edited.

use super::families::Families;
use crate::generics;
use crate::program::{Program, class_in};
use lapidary_classfile::{
    Attribute, Attributed, Class, Constant, Dynamic, Handle, Instruction, MemberRef, Method, Text, access,
};
use lapidary_jvm::{Hierarchy, MethodId, MethodType, Resolution};
use std::collections::HashSet;

/// Fixes the parameters that method handles, lambdas and the language itself refer to.
pub(super) fn fix(families: &mut Families, hierarchy: &Hierarchy, program: &Program) {
    let whole = Whole::of(program);
    for id in hierarchy.program() {
        let Some(class) = hierarchy.class(id) else { continue };
        for method in hierarchy.declared_methods(id) {
            let declared = hierarchy.method(method);
            let language = is_prescribed(class, declared) || is_misdeclared(declared, hierarchy);
            if language || has_no_known_body(declared) || whole.relies_on(class, declared) {
                families.of_method(method).into_iter().for_each(|family| families.fix(family));
            }
        }
        handles(class).for_each(|handle| fix_member(families, hierarchy, &handle.member));
        lambdas(class).for_each(|site| fix_implemented(families, hierarchy, site));
    }
}

/// Calls and declarations in class files that are not analysed (versions for other releases, for
/// example). If a class has several versions, it is not known which one a release uses, nor its
/// supertypes there. Therefore methods other than constructors are matched by name.
#[derive(Default)]
struct Whole {
    called: HashSet<(Text, Text)>,
    /// Names of declared methods. A method that lost a parameter might come to be overridden by one
    /// of these, or no longer be.
    declared: HashSet<Text>,
    /// Constructors by class and descriptor.
    constructors: HashSet<(Text, Text)>,
}

impl Whole {
    fn of(program: &Program) -> Whole {
        let mut whole = Whole::default();
        for class in program.resources().filter_map(|(path, entry)| class_in(path, entry)?.ok()) {
            whole.add(&class);
        }
        whole
    }

    fn add(&mut self, class: &Class) {
        for method in &class.methods {
            match method.name == "<init>" {
                true => _ = self.constructors.insert((class.name.clone(), method.descriptor.clone())),
                false => _ = self.declared.insert(method.name.clone()),
            }
        }
        let calls = instructions(class).filter_map(|instruction| match instruction {
            Instruction::Invoke(_, member) => Some(&**member),
            _ => None,
        });
        for member in calls.chain(handles(class).map(|handle| &*handle.member)) {
            match member.name == "<init>" {
                true => _ = self.constructors.insert((member.owner.clone(), member.descriptor.clone())),
                false => _ = self.called.insert((member.name.clone(), member.descriptor.clone())),
            }
        }
        self.declared.extend(lambdas(class).map(|site| site.name.clone()));
        for attribute in &class.attributes {
            if let Attribute::EnclosingMethod(enclosing) = attribute
                && let Some(method) = &enclosing.method
            {
                self.called.insert((method.name.clone(), method.descriptor.clone()));
                self.constructors.insert((enclosing.class.clone(), method.descriptor.clone()));
            }
        }
    }

    fn relies_on(&self, class: &Class, method: &Method) -> bool {
        match method.name == "<init>" {
            true => self.constructors.contains(&(class.name.clone(), method.descriptor.clone())),
            false => {
                self.declared.contains(&method.name)
                    || self.called.contains(&(method.name.clone(), method.descriptor.clone()))
            }
        }
    }
}

/// The method of the program that a call resolves to.
pub(crate) fn resolved(hierarchy: &Hierarchy, member: &MemberRef) -> Option<MethodId> {
    let owner = hierarchy.owner(&member.owner);
    let found = match member.interface {
        true => hierarchy.resolve_interface_method(owner, &member.name, &member.descriptor),
        false => hierarchy.resolve_method(owner, &member.name, &member.descriptor),
    };
    let Resolution::Found(method) = found else { return None };
    // Constructors are not inherited.
    let reached = hierarchy.is_program(method.class) && (member.name != "<init>" || method.class == owner);
    reached.then_some(method)
}

/// Returns whether the language prescribes the parameters.
fn is_prescribed(class: &Class, method: &Method) -> bool {
    let is_enum =
        class.access & access::ENUM != 0 || class.superclass.as_ref().is_some_and(|name| *name == "java/lang/Enum");
    let constructed = is_enum || class.record_components().is_some();
    (constructed && method.name == "<init>")
        || (is_enum && method.name == "valueOf")
        || class.access & access::ANNOTATION != 0
}

/// Returns whether the body is unknown. Native code knows its parameters, and code that could not
/// be read may use them.
fn has_no_known_body(method: &Method) -> bool {
    method.access & access::ABSTRACT == 0 && method.code().is_none()
}

/// Returns whether the generic signature gives type arguments to a class of the program that takes
/// none. Reflection reports that as an error, and it should not report a method that did not exist
/// before.
fn is_misdeclared(method: &Method, hierarchy: &Hierarchy) -> bool {
    let demands = method.signature().and_then(generics::of_method);
    demands.is_some_and(|demands| {
        demands.generic.iter().map(|name| hierarchy.id(name)).filter(|id| hierarchy.is_program(*id)).any(|id| {
            let signature = hierarchy.class(id).and_then(|class| class.signature());
            signature.is_none_or(|text| text.as_bytes().first() != Some(&b'<'))
        })
    })
}

fn fix_member(families: &mut Families, hierarchy: &Hierarchy, member: &MemberRef) {
    let family = resolved(hierarchy, member).and_then(|method| families.of_method(method));
    family.into_iter().for_each(|family| families.fix(family));
}

/// Fixes the interface method that a lambda implements, because the lambda has its parameters. The
/// interface is the result type of the call site.
fn fix_implemented(families: &mut Families, hierarchy: &Hierarchy, site: &Dynamic) {
    let made = MethodType::parse(site.descriptor.as_bytes()).ok().and_then(|made| made.result);
    let Some(interface) = made.as_ref().and_then(|made| made.class()) else { return };
    for above in hierarchy.all_supertypes(hierarchy.id(interface)) {
        for method in hierarchy.declared_methods(*above).filter(|id| hierarchy.method(*id).name == site.name) {
            families.of_method(method).into_iter().for_each(|family| families.fix(family));
        }
    }
}

/// The method handles in a class.
pub(crate) fn handles(class: &Class) -> impl Iterator<Item = &Handle> {
    let bootstraps = class.bootstrap_methods().iter();
    let named =
        bootstraps.flat_map(|method| [&*method.handle].into_iter().chain(method.arguments.iter().filter_map(handle)));
    let loaded = instructions(class).filter_map(|instruction| match instruction {
        Instruction::Ldc(constant) | Instruction::LdcW(constant) => handle(constant),
        _ => None,
    });
    named.chain(loaded)
}

fn handle(constant: &Constant) -> Option<&Handle> {
    match constant {
        Constant::MethodHandle(handle) => Some(handle),
        _ => None,
    }
}

fn lambdas(class: &Class) -> impl Iterator<Item = &Dynamic> {
    instructions(class).filter_map(|instruction| match instruction {
        Instruction::InvokeDynamic(site) => Some(&**site),
        _ => None,
    })
}

fn instructions(class: &Class) -> impl Iterator<Item = &Instruction> {
    let codes = class.methods.iter().flat_map(|method| &method.attributes);
    codes.flat_map(|attribute| match attribute {
        Attribute::Code(code) => code.instructions.as_slice(),
        _ => &[],
    })
}
