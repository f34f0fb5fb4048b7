//! The frame around the members of a written class, and the check whether a class can be written at
//! all.

use crate::names::{Names, is_identifier};
use crate::subject::Subject;
use crate::{Error, Policy};
use lapidary_classfile::{Class, Text, access};
use lapidary_jvm::{ClassId, Hierarchy};

/// Returns the class, if an abstraction may replace it.
pub fn replaceable(hierarchy: &Hierarchy, id: ClassId, policy: Policy) -> Result<&Class, Error> {
    let name = hierarchy.name(id).as_str().replace('/', ".");
    let class = hierarchy.class(id).ok_or_else(|| Error::NoSuchClass(name.clone()))?;
    match obstacle(hierarchy, id, class, policy) {
        Some(reason) => Err(Error::NotReplaceable { class: name, reason }),
        None => Ok(class),
    }
}

fn obstacle(hierarchy: &Hierarchy, id: ClassId, class: &Class, policy: Policy) -> Option<String> {
    let text = class.name.as_str();
    let kind = [
        (access::MODULE, "a module description has no methods"),
        (access::ANNOTATION, "it is an annotation and has no code"),
        (access::INTERFACE, "it is an interface; abstract the classes that implement it"),
        (access::ENUM, "it is an enum, whose constants others rely on"),
    ];
    if let Some((_, reason)) = kind.into_iter().find(|(flag, _)| class.access & flag != 0) {
        return Some(reason.to_owned());
    }
    if class.record_components().is_some() {
        return Some("it is a record, whose components are its state".to_owned());
    }
    if policy == Policy::None {
        return Some("the policy none keeps the class as it is".to_owned());
    }
    if text.starts_with("java/lang/") || REMEMBERING.contains(&&*text) {
        return Some("the machine and the abstractions themselves rely on it".to_owned());
    }
    if !text.split('/').all(is_identifier) {
        return Some("Java source cannot spell its name".to_owned());
    }
    let names = Names { hierarchy, class: id };
    let superclass = class.superclass.as_ref().filter(|above| names.class(above).is_none());
    let above = superclass.or_else(|| class.interfaces.iter().find(|above| names.class(above).is_none()));
    if let Some(above) = above {
        let is_missing = hierarchy.is_missing(hierarchy.id(above));
        let reason = if is_missing { "is not on the class path" } else { "cannot be named from it" };
        return Some(format!("{}, which is above it, {reason}", above.as_str().replace('/', ".")));
    }
    hierarchy
        .missing_supertype(id)
        .map(|missing| format!("{} is not on the class path", hierarchy.name(missing).as_str().replace('/', ".")))
}

/// Classes that abstractions use to remember objects.
const REMEMBERING: &[&str] = &[
    "java/util/ArrayList",
    "java/util/AbstractList",
    "java/util/AbstractCollection",
    "java/util/Arrays",
    "java/util/Arrays$ArrayList",
    "java/util/Objects",
];

/// The class header, up to the first brace.
pub fn header(subject: &Subject<'_>) -> String {
    let class = subject.class;
    let mut words = String::new();
    let is_sealed = |name: &Text| {
        let hierarchy = subject.names.hierarchy;
        hierarchy.class(hierarchy.id(name)).is_some_and(|class| class.permitted_subclasses().is_some())
    };
    let is_below_sealed = class.superclass.iter().chain(&class.interfaces).any(is_sealed);
    let flags = [(access::PUBLIC, "public "), (access::ABSTRACT, "abstract "), (access::FINAL, "final ")];
    flags.iter().filter(|(flag, _)| class.access & flag != 0).for_each(|(_, word)| words.push_str(word));
    if is_below_sealed && class.access & access::FINAL == 0 {
        words.push_str("non-sealed ");
    }
    words.push_str("class ");
    words.push_str(class.name.as_str().rsplit('/').next().unwrap_or_default());
    let named = |name: &Text| subject.names.class(name);
    if let Some(above) = class.superclass.as_ref().filter(|above| **above != "java/lang/Object").and_then(named) {
        words.push_str(&format!(" extends {above}"));
    }
    let interfaces: Vec<String> = class.interfaces.iter().filter_map(named).collect();
    if !interfaces.is_empty() {
        words.push_str(&format!(" implements {}", interfaces.join(", ")));
    }
    words
}
