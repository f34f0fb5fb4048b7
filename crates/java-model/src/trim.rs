//! Removal of the parts of a class that a candidate does not keep.

use crate::body;
use crate::generics;
use crate::kept::Kept;
use crate::names;
use crate::unknown;
use crate::vocabulary::{Annotations, ClassVars, FieldVars, MethodVars, is_debug, is_finer_annotation};
use lapidary_classfile::{Annotation, Attribute, Class, Field, InnerClass, Method, Module, Text, TypeTarget, access};
use lapidary_logic::Var;

/// The class in the candidate.
pub(crate) fn trimmed(kept: &Kept<'_>, index: usize) -> Class {
    let original = kept.program.class(index);
    let vars = &kept.vocabulary.classes[index];
    let mut class = kept.program.shell(index).clone();
    if !kept.has_if_any(vars.extends) {
        class.superclass = Some("java/lang/Object".into());
    }
    class.interfaces = chosen(&original.interfaces, &vars.implements, kept);
    class.attributes = class_attributes(kept, original, vars);
    class.fields = original
        .fields
        .iter()
        .zip(&vars.fields)
        .filter(|(_, field)| kept.has(field.field))
        .map(|(field, field_vars)| trimmed_field(kept, field, field_vars, vars))
        .collect();
    class.methods = original
        .methods
        .iter()
        .enumerate()
        .filter(|(number, method)| stays(kept, method, &vars.methods[*number]))
        .map(|(number, method)| trimmed_method(kept, index, number, method))
        .collect();
    tidy(kept, &mut class);
    class
}

/// Returns whether a method stays. A class initialiser does not stay without its code.
fn stays(kept: &Kept<'_>, method: &Method, vars: &MethodVars) -> bool {
    kept.has(vars.method) && (method.name != "<clinit>" || kept.has_if_any(vars.code))
}

fn chosen<T: Clone>(values: &[T], vars: &[Var], kept: &Kept<'_>) -> Vec<T> {
    values.iter().zip(vars).filter(|(_, var)| kept.has(**var)).map(|(value, _)| value.clone()).collect()
}

fn class_attributes(kept: &Kept<'_>, class: &Class, vars: &ClassVars) -> Vec<Attribute> {
    let mut annotation = 0;
    let mut attributes = Vec::new();
    for (place, attribute) in class.attributes.iter().enumerate() {
        let other = vars.others.binary_search_by_key(&place, |(index, _)| *index);
        if let Ok(other) = other {
            attributes.extend(kept.has(vars.others[other].1).then(|| attribute.clone()));
        } else if is_debug(attribute) {
            attributes.extend(kept.has_if_any(vars.debug).then(|| attribute.clone()));
        } else if let Some(left) = annotations(kept, attribute, &vars.annotations, &mut annotation) {
            attributes.extend(left.map(|left| without_supertypes(kept, left, vars)));
        } else {
            attributes.extend(structure(kept, class, vars, attribute));
        }
    }
    attributes
}

/// Trims attributes that tie the class to other classes.
fn structure(kept: &Kept<'_>, class: &Class, vars: &ClassVars, attribute: &Attribute) -> Option<Attribute> {
    let present = |names: &[Text]| names.iter().filter(|name| kept.has_class(name)).cloned().collect::<Vec<_>>();
    match attribute {
        Attribute::Signature(signature) => {
            kept.has_if_any(vars.signature).then(|| Attribute::Signature(class_signature(kept, signature, vars)))
        }
        Attribute::InnerClasses(entries) => {
            let whole = |entry: &&InnerClass| {
                kept.has_class(&entry.inner) && entry.outer.as_ref().is_none_or(|outer| kept.has_class(outer))
            };
            Some(Attribute::InnerClasses(entries.iter().filter(whole).cloned().collect()))
        }
        Attribute::EnclosingMethod(enclosing) => kept.has_class(&enclosing.class).then(|| {
            let mut enclosing = enclosing.clone();
            enclosing.method = enclosing.method.filter(|method| {
                kept.program
                    .find_method(&enclosing.class, &method.name, &method.descriptor)
                    .is_none_or(|(class, method)| kept.has(kept.vocabulary.classes[class].methods[method].method))
            });
            Attribute::EnclosingMethod(enclosing)
        }),
        Attribute::NestHost(host) => kept.has_class(host).then(|| attribute.clone()),
        Attribute::NestMembers(names) => not_empty(present(names)).map(Attribute::NestMembers),
        Attribute::PermittedSubclasses(names) if kept.has_if_any(vars.sealed) => {
            let mut names = present(names);
            names.retain(|name| kept.has_edge(name, &class.name));
            not_empty(names).map(Attribute::PermittedSubclasses)
        }
        Attribute::PermittedSubclasses(_) => None,
        Attribute::Record(_) => kept.has_if_any(vars.record).then(|| attribute.clone()),
        Attribute::Module(module) => Some(Attribute::Module(Box::new(trimmed_module(kept, module)))),
        Attribute::ModulePackages(packages) => {
            let packages = packages.iter().filter(|package| has_package(kept, package)).cloned().collect();
            not_empty(packages).map(Attribute::ModulePackages)
        }
        Attribute::ModuleMainClass(name) => kept.has_class(name).then(|| attribute.clone()),
        _ => Some(attribute.clone()),
    }
}

fn not_empty<T>(values: Vec<T>) -> Option<Vec<T>> {
    (!values.is_empty()).then_some(values)
}

fn class_signature(kept: &Kept<'_>, signature: &Text, vars: &ClassVars) -> Text {
    let interface = |index: usize| kept.has_if_any(vars.implements.get(index).copied());
    generics::keeping(signature, kept.has_if_any(vars.extends), interface)
}

fn trimmed_module(kept: &Kept<'_>, module: &Module) -> Module {
    let mut module = module.clone();
    module.exports.retain(|exports| has_package(kept, &exports.package));
    module.opens.retain(|opens| has_package(kept, &opens.package));
    module.uses.retain(|name| kept.has_class(name));
    module.provides.iter_mut().for_each(|provided| provided.with.retain(|name| kept.has_class(name)));
    module.provides.retain(|provided| kept.has_class(&provided.service) && !provided.with.is_empty());
    module
}

fn has_package(kept: &Kept<'_>, package: &Text) -> bool {
    let in_package = |class: &Class| {
        class
            .name
            .as_bytes()
            .strip_prefix(package.as_bytes())
            .is_some_and(|rest| rest.first() == Some(&b'/') && !rest[1..].contains(&b'/'))
    };
    let classes = kept.program.classes().zip(&kept.vocabulary.classes);
    classes.into_iter().any(|(class, vars)| kept.has(vars.class) && in_package(class))
}

/// Trims an attribute that holds annotations; `None` if it holds something else. `next` counts the
/// annotations that have variables of their own.
fn annotations(
    kept: &Kept<'_>,
    attribute: &Attribute,
    vars: &Annotations,
    next: &mut usize,
) -> Option<Option<Attribute>> {
    let mut left = |list: &[Annotation]| {
        let own = &vars.each[*next..*next + list.len()];
        *next += list.len();
        not_empty(chosen(list, own, kept))
    };
    match attribute {
        Attribute::RuntimeVisibleAnnotations(list) => Some(left(list).map(Attribute::RuntimeVisibleAnnotations)),
        Attribute::RuntimeInvisibleAnnotations(list) => Some(left(list).map(Attribute::RuntimeInvisibleAnnotations)),
        _ if is_finer_annotation(attribute) => Some(kept.has_if_any(vars.finer).then(|| attribute.clone())),
        _ => None,
    }
}

/// Drops annotations on supertypes if the list of supertypes has changed, because they refer to it
/// by index.
fn without_supertypes(kept: &Kept<'_>, attribute: Attribute, vars: &ClassVars) -> Attribute {
    let changed = !kept.has_if_any(vars.extends) || !vars.implements.iter().all(|var| kept.has(*var));
    without(attribute, |target| changed && matches!(target, TypeTarget::Supertype(_)))
}

fn without(attribute: Attribute, gone: impl Fn(&TypeTarget) -> bool) -> Attribute {
    match attribute {
        Attribute::RuntimeVisibleTypeAnnotations(mut list) => {
            list.retain(|annotation| !gone(&annotation.target));
            Attribute::RuntimeVisibleTypeAnnotations(list)
        }
        Attribute::RuntimeInvisibleTypeAnnotations(mut list) => {
            list.retain(|annotation| !gone(&annotation.target));
            Attribute::RuntimeInvisibleTypeAnnotations(list)
        }
        other => other,
    }
}

fn trimmed_field(kept: &Kept<'_>, field: &Field, vars: &FieldVars, owner: &ClassVars) -> Field {
    let flags = if kept.has_if_any(vars.fixed) { field.access } else { field.access & !access::FINAL };
    let mut annotation = 0;
    let attributes = field
        .attributes
        .iter()
        .filter_map(|attribute| match attribute {
            Attribute::Signature(_) => kept.has_if_any(vars.signature).then(|| attribute.clone()),
            _ if is_debug(attribute) => kept.has_if_any(owner.debug).then(|| attribute.clone()),
            _ => annotations(kept, attribute, &vars.annotations, &mut annotation)
                .unwrap_or_else(|| Some(attribute.clone())),
        })
        .collect();
    Field { access: flags, name: field.name.clone(), descriptor: field.descriptor.clone(), attributes }
}

fn trimmed_method(kept: &Kept<'_>, class: usize, number: usize, method: &Method) -> Method {
    let owner = &kept.vocabulary.classes[class];
    let vars = &owner.methods[number];
    let (name, descriptor) = (method.name.clone(), method.descriptor.clone());
    let mut result = Method { access: method.access, name, descriptor, attributes: Vec::new() };
    let throws_changed = !vars.throws.iter().all(|var| kept.has(*var));
    let mut annotation = 0;
    for attribute in &method.attributes {
        let left = match attribute {
            Attribute::Code(_) => body::trimmed(kept, class, number).map(|code| Attribute::Code(Box::new(code))),
            Attribute::Exceptions(names) => not_empty(chosen(names, &vars.throws, kept)).map(Attribute::Exceptions),
            Attribute::Signature(_) => kept.has_if_any(vars.signature).then(|| attribute.clone()),
            Attribute::AnnotationDefault(_) => kept.has_if_any(vars.default).then(|| attribute.clone()),
            Attribute::MethodParameters(_) => kept.has_if_any(vars.locals).then(|| attribute.clone()),
            _ if is_debug(attribute) => kept.has_if_any(owner.debug).then(|| attribute.clone()),
            _ => annotations(kept, attribute, &vars.annotations, &mut annotation)
                .unwrap_or_else(|| Some(attribute.clone()))
                .map(|left| without(left, |target| throws_changed && matches!(target, TypeTarget::Throws(_)))),
        };
        result.attributes.extend(left);
    }
    result
}

/// Drops everything that is no longer referred to in the class.
fn tidy(kept: &Kept<'_>, class: &mut Class) {
    unknown::drop_inside(class);
    class.drop_unused_bootstrap_methods();
    let place = class.attributes.iter().position(|attribute| matches!(attribute, Attribute::InnerClasses(_)));
    let Some(place) = place else { return };
    let Attribute::InnerClasses(mut entries) = class.attributes.remove(place) else { return };
    let mut named = names::among(entries.iter().map(|entry| &entry.inner), class);
    named.extend(entries.iter().filter(|entry| is_around(kept, class, entry)).map(|entry| entry.inner.clone()));
    // An entry needs the entry of its enclosing class.
    let mut around: Vec<Text> = named.iter().cloned().collect();
    while let Some(inner) = around.pop() {
        let outer = entries.iter().find(|entry| entry.inner == inner).and_then(|entry| entry.outer.clone());
        around.extend(outer.filter(|outer| named.insert(outer.clone())));
    }
    entries.retain(|entry| named.contains(&entry.inner));
    if !entries.is_empty() {
        class.attributes.insert(place, Attribute::InnerClasses(entries));
    }
}

/// Returns whether the class encloses the nested class. Then both must list the relation.
fn is_around(kept: &Kept<'_>, class: &Class, entry: &InnerClass) -> bool {
    let enclosed = kept.program.find(&entry.inner).is_some_and(|inner| {
        let attributes = &kept.program.class(inner).attributes;
        attributes.iter().any(
            |attribute| matches!(attribute, Attribute::EnclosingMethod(enclosing) if enclosing.class == class.name),
        )
    });
    enclosed || entry.outer.as_ref() == Some(&class.name)
}
