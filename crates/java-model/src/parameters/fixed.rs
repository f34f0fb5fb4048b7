//! Families whose parameters somebody relies on who cannot be edited.

use super::families::Families;
use crate::generics;
use lapidary_classfile::{
    Attribute, Attributed, Class, Constant, Dynamic, Handle, Instruction, MemberRef, Method, access,
};
use lapidary_jvm::{Hierarchy, MethodId, MethodType, Resolution};

/// Fixes what method handles, lambdas and the language itself refer to by its parameters.
pub(super) fn fix(families: &mut Families, hierarchy: &Hierarchy) {
    for id in hierarchy.program() {
        let Some(class) = hierarchy.class(id) else { continue };
        for method in hierarchy.declared_methods(id) {
            let declared = hierarchy.method(method);
            if is_prescribed(class, declared) || has_no_known_body(declared) || is_misdeclared(declared, hierarchy) {
                families.of_method(method).into_iter().for_each(|family| families.fix(family));
            }
        }
        handles(class).for_each(|handle| fix_member(families, hierarchy, &handle.member));
        lambdas(class).for_each(|site| fix_implemented(families, hierarchy, site));
    }
}

/// The method of the program that a call reaches first.
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

/// Whether the language says what the parameters are.
fn is_prescribed(class: &Class, method: &Method) -> bool {
    let is_enum =
        class.access & access::ENUM != 0 || class.superclass.as_ref().is_some_and(|name| *name == "java/lang/Enum");
    let constructed = is_enum || class.record_components().is_some();
    (constructed && method.name == "<init>")
        || (is_enum && method.name == "valueOf")
        || class.access & access::ANNOTATION != 0
}

/// Native code knows its parameters, and code that could not be read may use them.
fn has_no_known_body(method: &Method) -> bool {
    method.access & access::ABSTRACT == 0 && method.code().is_none()
}

/// Whether the generic signature gives type arguments to a class of the program that takes none. Reflection complains
/// of that, and should not complain of a method that was not there before.
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

/// A lambda has the parameters of the method it implements, which is one of the interface that the site makes.
fn fix_implemented(families: &mut Families, hierarchy: &Hierarchy, site: &Dynamic) {
    let made = MethodType::parse(site.descriptor.as_bytes()).ok().and_then(|made| made.result);
    let Some(interface) = made.as_ref().and_then(|made| made.class()) else { return };
    for above in hierarchy.all_supertypes(hierarchy.id(interface)) {
        for method in hierarchy.declared_methods(*above).filter(|id| hierarchy.method(*id).name == site.name) {
            families.of_method(method).into_iter().for_each(|family| families.fix(family));
        }
    }
}

/// The method handles that a class names.
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
