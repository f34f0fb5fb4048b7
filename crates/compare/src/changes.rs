//! What differs between the classes of two versions.

use lapidary_classfile::{Attribute, BootstrapMethod, Class, Code, Dynamic, Field, Instruction, Method, Text};
use lapidary_jvm::ClassPath;
use lapidary_symbolic::ProgramClasses;
use std::collections::{BTreeMap, BTreeSet};

/// The classes that differ, by name.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    pub classes: Vec<Change>,
    /// The names of those that are the same, in source form.
    pub same: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct Change {
    /// In source form.
    pub class: String,
    /// What differs, for people.
    pub what: String,
    /// The methods whose code differs or that only one version has: names and descriptors.
    pub methods: BTreeSet<(Text, Text)>,
}

impl Changes {
    /// Compares all classes of two programs. Debug information, annotations and the order of members do not count.
    pub fn between(old: &ClassPath, new: &ClassPath) -> Changes {
        let names: BTreeSet<String> = [old, new]
            .iter()
            .flat_map(|path| ProgramClasses::of(path).names().map(str::to_owned).collect::<Vec<_>>())
            .collect();
        let mut changes = Changes::default();
        for name in names {
            match change(&name, old, new) {
                Some(change) => changes.classes.push(change),
                None => changes.same.push(name.replace('/', ".")),
            }
        }
        changes
    }

    pub fn class_names(&self) -> impl Iterator<Item = &str> {
        self.classes.iter().map(|change| change.class.as_str())
    }

    /// Whether the code of a method differs; the class is in internal form.
    pub fn is_changed(&self, class: &str, method: &Text, descriptor: &Text) -> bool {
        let class = class.replace('/', ".");
        let change = self.classes.iter().find(|change| change.class == class);
        change.is_some_and(|change| change.methods.iter().any(|(name, type_)| name == method && type_ == descriptor))
    }
}

fn change(name: &str, old: &ClassPath, new: &ClassPath) -> Option<Change> {
    let text = Text::from(name);
    let bytes = (old.find(&text), new.find(&text));
    if bytes.0 == bytes.1 {
        return None;
    }
    let class = name.replace('/', ".");
    let (one, other) = match (old.class(&text), new.class(&text)) {
        (Some(one), Some(other)) => (one, other),
        (None, Some(_)) => return Some(Change { class, what: "added".into(), methods: BTreeSet::new() }),
        (Some(_), None) => return Some(Change { class, what: "removed".into(), methods: BTreeSet::new() }),
        (None, None) => return None,
    };
    let mut differences = Vec::new();
    if one.superclass != other.superclass || one.interfaces != other.interfaces || one.access != other.access {
        differences.push("another head".to_owned());
    }
    let fields =
        differing(&one.fields, &other.fields, |field| (field.name.clone(), field.descriptor.clone()), same_field);
    let bootstraps = [&*one, &*other].map(bootstraps);
    let methods = differing(
        &one.methods,
        &other.methods,
        |method| (method.name.clone(), method.descriptor.clone()),
        |one, other| same_method(one, other, bootstraps),
    );
    differences.extend(fields.iter().map(|((name, _), how)| format!("field {name} {how}")));
    differences.extend(methods.iter().map(|((name, _), how)| format!("{name} {how}")));
    let methods = methods.into_keys().collect();
    (!differences.is_empty()).then(|| Change { class, what: differences.join(", "), methods })
}

/// The members that differ, and how.
fn differing<T>(
    old: &[T],
    new: &[T],
    key: impl Fn(&T) -> (Text, Text),
    is_same: impl Fn(&T, &T) -> bool,
) -> BTreeMap<(Text, Text), &'static str> {
    let find = |members: &[T], wanted: &T| members.iter().position(|member| key(member) == key(wanted));
    let mut found = BTreeMap::new();
    for member in old {
        match find(new, member) {
            None => drop(found.insert(key(member), "removed")),
            Some(place) if !is_same(member, &new[place]) => drop(found.insert(key(member), "changed")),
            Some(_) => {}
        }
    }
    let added = new.iter().filter(|member| find(old, member).is_none());
    found.extend(added.map(|member| (key(member), "added")));
    found
}

fn same_field(one: &Field, other: &Field) -> bool {
    let constant = |field: &Field| {
        field.attributes.iter().find_map(|attribute| match attribute {
            Attribute::ConstantValue(constant) => Some(constant.clone()),
            _ => None,
        })
    };
    one.access == other.access && constant(one) == constant(other)
}

fn same_method(one: &Method, other: &Method, bootstraps: [&[BootstrapMethod]; 2]) -> bool {
    match (code(one), code(other)) {
        (Some(code), Some(other_code)) => one.access == other.access && same_code(code, other_code, bootstraps),
        (None, None) => one.access == other.access,
        _ => false,
    }
}

fn code(method: &Method) -> Option<&Code> {
    method.attributes.iter().find_map(|attribute| match attribute {
        Attribute::Code(code) => Some(&**code),
        _ => None,
    })
}

fn same_code(one: &Code, other: &Code, bootstraps: [&[BootstrapMethod]; 2]) -> bool {
    let is_same = |(one, other): (&Instruction, &Instruction)| match (dynamic(one), dynamic(other)) {
        // What a place in the class's list of bootstrap methods means is in the list.
        (Some(one), Some(other)) => {
            let [mine, theirs] = bootstraps;
            one.name == other.name
                && one.descriptor == other.descriptor
                && mine.get(usize::from(one.bootstrap)) == theirs.get(usize::from(other.bootstrap))
        }
        _ => one == other,
    };
    one.handlers == other.handlers
        && one.instructions.len() == other.instructions.len()
        && one.instructions.iter().zip(&other.instructions).all(is_same)
}

fn dynamic(instruction: &Instruction) -> Option<&Dynamic> {
    match instruction {
        Instruction::InvokeDynamic(dynamic) => Some(dynamic),
        _ => None,
    }
}

fn bootstraps(class: &Class) -> &[BootstrapMethod] {
    let found = class.attributes.iter().find_map(|attribute| match attribute {
        Attribute::BootstrapMethods(methods) => Some(&methods[..]),
        _ => None,
    });
    found.unwrap_or_default()
}
