//! The differences between the classes of two versions.

use lapidary_classfile::{
    Attribute, BootstrapMethod, Class, Code, Constant, Dynamic, Field, Instruction, Method, Text, access,
};
use lapidary_jvm::ClassPath;
use lapidary_symbolic::ProgramClasses;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The classes that differ, by name.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    pub classes: Vec<Change>,
    /// The names of the classes that are the same, in source form.
    pub same: Vec<String>,
    /// The classes in `same` that inherit code which differs.
    pub inheriting: BTreeSet<String>,
}

/// A class that differs between two versions.
#[derive(Clone, Debug)]
pub struct Change {
    /// The class name in source form.
    pub class: String,
    /// A readable description of the difference.
    pub what: String,
    /// The methods whose code differs or that only one version has: names and descriptors.
    pub methods: BTreeSet<(Text, Text)>,
    /// Whether only one version has the class.
    pub is_one_sided: bool,
    /// Whether the superclass or the interfaces differ.
    pub has_other_supertypes: bool,
    /// Whether more than code differs: the header of the class, its fields, its methods or its
    /// initialiser.
    pub has_other_members: bool,
    /// Whether the versions take different locks, or differ in volatile fields.
    pub has_other_locks: bool,
}

impl Change {
    fn of_one_side(class: String, what: &str) -> Change {
        Change {
            class,
            what: what.into(),
            methods: BTreeSet::new(),
            is_one_sided: true,
            has_other_supertypes: false,
            has_other_members: true,
            has_other_locks: false,
        }
    }
}

impl Changes {
    /// Compares all classes of two programs. Debug information, the order of members, and
    /// annotations that a running program cannot see do not count.
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
        let changed: HashSet<String> = changes.class_names().map(str::to_owned).collect();
        let inherits = |class: &&String| [old, new].iter().any(|path| has_above(class, path, &changed));
        changes.inheriting = changes.same.iter().filter(inherits).cloned().collect();
        changes
    }

    pub fn class_names(&self) -> impl Iterator<Item = &str> {
        self.classes.iter().map(|change| change.class.as_str())
    }

    /// Whether only one version has a class; `class` is in internal form.
    pub fn is_one_sided(&self, class: &str) -> bool {
        let class = class.replace('/', ".");
        self.classes.iter().any(|change| change.class == class && change.is_one_sided)
    }

    /// Whether the superclass or the interfaces of a class differ; `class` is in source form.
    pub fn has_other_supertypes(&self, class: &str) -> bool {
        self.classes.iter().any(|change| change.class == class && change.has_other_supertypes)
    }

    /// Whether the code of a method differs; `class` is in internal form.
    pub fn is_changed(&self, class: &str, method: &Text, descriptor: &Text) -> bool {
        let class = class.replace('/', ".");
        let change = self.classes.iter().find(|change| change.class == class);
        change.is_some_and(|change| change.methods.iter().any(|(name, type_)| name == method && type_ == descriptor))
    }
}

/// Whether one of the `wanted` classes is a supertype of a class. All names are in source form.
fn has_above(class: &str, path: &ClassPath, wanted: &HashSet<String>) -> bool {
    let (mut waiting, mut seen) = (vec![class.to_owned()], HashSet::new());
    while let Some(class) = waiting.pop().filter(|_| !wanted.is_empty()) {
        let Some(read) = path.class(&Text::from(class.replace('.', "/").as_str())) else { continue };
        for above in read.superclass.iter().chain(&read.interfaces) {
            let above = above.as_str().replace('/', ".");
            if wanted.contains(&above) {
                return true;
            }
            // Library classes have no supertypes in the program.
            if !above.starts_with("java.") && seen.insert(above.clone()) {
                waiting.push(above);
            }
        }
    }
    false
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
        (None, Some(_)) => return Some(Change::of_one_side(class, "added")),
        (Some(_), None) => return Some(Change::of_one_side(class, "removed")),
        // The content of an unreadable file is unknown.
        (None, None) => return Some(Change::of_one_side(class, "unreadable")),
    };
    let mut differences = Vec::new();
    let has_other_head = one.superclass != other.superclass
        || one.interfaces != other.interfaces
        || one.access != other.access
        || seen_by_reflection(&one.attributes) != seen_by_reflection(&other.attributes);
    if has_other_head {
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
    let has_other_members = has_other_head
        || !fields.is_empty()
        || methods.iter().any(|((name, _), how)| *how != "changed" || *name == "<clinit>");
    let methods = methods.into_keys().collect();
    let what = differences.join(", ");
    let has_other_locks = locks(&one) != locks(&other);
    (!differences.is_empty()).then_some(Change {
        class,
        what,
        methods,
        is_one_sided: false,
        has_other_supertypes: one.superclass != other.superclass || one.interfaces != other.interfaces,
        has_other_members,
        has_other_locks,
    })
}

/// The number of synchronized methods and blocks, and of volatile fields.
fn locks(class: &Class) -> [usize; 3] {
    let has = |flags: u16, flag: u16| flags & flag != 0;
    let code = class.methods.iter().filter_map(code).flat_map(|code| &code.instructions);
    [
        class.methods.iter().filter(|method| has(method.access, access::SYNCHRONIZED)).count(),
        code.filter(|instruction| matches!(instruction, Instruction::MonitorEnter)).count(),
        class.fields.iter().filter(|field| has(field.access, access::VOLATILE)).count(),
    ]
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
    one.access == other.access
        && constant(one) == constant(other)
        && seen_by_reflection(&one.attributes) == seen_by_reflection(&other.attributes)
}

/// The attributes that a program can read when it runs.
fn seen_by_reflection(attributes: &[Attribute]) -> Vec<&Attribute> {
    let is_seen = |attribute: &&Attribute| {
        matches!(
            attribute,
            Attribute::RuntimeVisibleAnnotations(_)
                | Attribute::RuntimeVisibleParameterAnnotations(_)
                | Attribute::RuntimeVisibleTypeAnnotations(_)
                | Attribute::AnnotationDefault(_)
                | Attribute::Signature(_)
                | Attribute::Exceptions(_)
                | Attribute::MethodParameters(_)
                | Attribute::Record(_)
                | Attribute::PermittedSubclasses(_)
        )
    };
    attributes.iter().filter(is_seen).collect()
}

fn same_method(one: &Method, other: &Method, bootstraps: [&[BootstrapMethod]; 2]) -> bool {
    if seen_by_reflection(&one.attributes) != seen_by_reflection(&other.attributes) {
        return false;
    }
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
        // One index may mean different bootstrap methods, so the methods themselves are compared.
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
        Instruction::Ldc(Constant::Dynamic(dynamic))
        | Instruction::LdcW(Constant::Dynamic(dynamic))
        | Instruction::Ldc2W(Constant::Dynamic(dynamic)) => Some(dynamic),
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
