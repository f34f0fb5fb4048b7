//! State of a program that outlives a call: static fields, and fields of enum constants, that its
//! methods change, or that other code can change because it can reach them. A call may find it as
//! something before the call left it.

mod escape;

use crate::input::ProgramClasses;
use escape::hands_on;
use lapidary_classfile::{Class, Field, FieldOp, Instruction, MemberRef, Method, Text, access};
use lapidary_jvm::ClassPath;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The fields that hold such state, by declaring class and name.
#[derive(Clone, Debug, Default)]
pub(crate) struct LastingState {
    fields: BTreeSet<(Text, Text)>,
}

/// Methods of the library that change the object they are called on.
const CHANGING: [&str; 44] = [
    "accept",
    "add",
    "addAll",
    "addAndGet",
    "addFirst",
    "addLast",
    "append",
    "clear",
    "compareAndSet",
    "compute",
    "computeIfAbsent",
    "computeIfPresent",
    "decrementAndGet",
    "delete",
    "getAndAdd",
    "getAndDecrement",
    "getAndIncrement",
    "getAndSet",
    "getAndUpdate",
    "incrementAndGet",
    "insert",
    "merge",
    "nextDouble",
    "nextInt",
    "nextLong",
    "offer",
    "poll",
    "pop",
    "push",
    "put",
    "putAll",
    "putIfAbsent",
    "remove",
    "removeAll",
    "removeFirst",
    "removeIf",
    "removeLast",
    "replace",
    "replaceAll",
    "retainAll",
    "set",
    "setLength",
    "sort",
    "updateAndGet",
];

impl LastingState {
    /// Looks through the code of all classes of a program.
    pub fn of(class_path: &ClassPath) -> LastingState {
        let names: Vec<Text> = ProgramClasses::of(class_path).names().map(Text::from).collect();
        let classes: BTreeMap<Text, Arc<Class>> =
            names.into_iter().filter_map(|name| Some((name.clone(), class_path.class(&name)?))).collect();
        let mut found = Found { classes: &classes, changed: BTreeSet::new(), shared: BTreeSet::new() };
        classes.values().for_each(|class| class.methods.iter().for_each(|method| found.method(class, method)));
        let mut fields: BTreeSet<(Text, Text)> = BTreeSet::new();
        let changeable: BTreeSet<&Text> = found.changed.iter().map(|(class, _)| class).collect();
        for class in classes.values() {
            let is_enum = class.access & access::ENUM != 0;
            for field in &class.fields {
                let key = (class.name.clone(), field.name.clone());
                let is_static = field.access & access::STATIC != 0;
                // Constants of an enum are objects of it, and so is the array of all constants.
                let is_constant = is_enum && (field.access & access::ENUM != 0 || field.name == "$VALUES");
                let holds_changeable = || changeable.iter().any(|class| field.descriptor == *format!("L{class};"));
                let is_changed = found.changed.contains(&key) || is_open(field);
                let is_lasting = match is_static {
                    true => {
                        is_changed
                            || found.shared.contains(&key)
                            || holds_changeable()
                            || found.others_can_change(class, field)
                    }
                    false => is_enum && is_changed,
                };
                if is_lasting && !is_constant && !is_synthetic(field) {
                    fields.insert(key);
                }
            }
        }
        LastingState { fields }
    }

    pub fn fields(&self) -> &BTreeSet<(Text, Text)> {
        &self.fields
    }

    pub fn holds(&self, class: &Text, field: &Text) -> bool {
        !self.fields.is_empty() && self.fields.contains(&(class.clone(), field.clone()))
    }
}

struct Found<'a> {
    classes: &'a BTreeMap<Text, Arc<Class>>,
    /// Fields that are written after their class or object is initialised.
    changed: BTreeSet<(Text, Text)>,
    /// Static fields whose objects may be changed by the methods that read them.
    shared: BTreeSet<(Text, Text)>,
}

impl Found<'_> {
    fn method(&mut self, class: &Class, method: &Method) {
        let Some(code) = method.code() else { return };
        let is_initialiser = method.name == "<clinit>";
        let mut read = Vec::new();
        let mut changes_objects = false;
        for instruction in &code.instructions {
            match instruction {
                Instruction::Field(FieldOp::PutStatic, member) if !(is_initialiser && member.owner == class.name) => {
                    self.changed.insert(self.declared(member));
                }
                Instruction::Field(FieldOp::PutField, member) if method.name != "<init>" => {
                    self.changed.insert(self.declared(member));
                }
                Instruction::Field(FieldOp::GetStatic, member) => read.push(member),
                Instruction::ArrayStore(_) => changes_objects = true,
                Instruction::Invoke(_, member) if !self.classes.contains_key(&member.owner) => {
                    changes_objects |= CHANGING.iter().any(|name| member.name == **name);
                }
                _ => {}
            }
        }
        if changes_objects && !is_initialiser {
            let objects = read.into_iter().filter(|member| may_change(member));
            let objects: Vec<_> = objects.map(|member| self.declared(member)).collect();
            self.shared.extend(objects);
        }
    }

    /// Whether other code can reach and change the object in a field: the field is not private, or
    /// a method hands its object on.
    fn others_can_change(&self, class: &Class, field: &Field) -> bool {
        self.can_change(field) && (field.access & access::PRIVATE == 0 || self.is_handed_on(class, field))
    }

    /// Whether the object in a field can be changed from outside.
    fn can_change(&self, field: &Field) -> bool {
        let descriptor = field.descriptor.as_str();
        let Some(name) = descriptor.strip_prefix('L').and_then(|name| name.strip_suffix(';')) else {
            return descriptor.starts_with('[');
        };
        match self.classes.get(&Text::from(name)) {
            Some(class) => class.fields.iter().any(|field| field.access & access::STATIC == 0 && is_open(field)),
            None => !UNCHANGING.contains(&name) && !name.starts_with("java/util/function/"),
        }
    }

    fn is_handed_on(&self, class: &Class, field: &Field) -> bool {
        let key = (class.name.clone(), field.name.clone());
        let reads_it = |instruction: &Instruction| match instruction {
            Instruction::Field(FieldOp::GetStatic, member) => member.name == field.name && self.declared(member) == key,
            _ => false,
        };
        let methods = self.classes.values().flat_map(|class| &class.methods);
        methods.filter_map(Method::code).any(|code| hands_on(&code.instructions, reads_it))
    }

    /// The class of the program that declares a field, and its name.
    fn declared(&self, member: &MemberRef) -> (Text, Text) {
        let mut class = &member.owner;
        while let Some(read) = self.classes.get(class) {
            if read.fields.iter().any(|field| field.name == member.name) {
                break;
            }
            let Some(above) = &read.superclass else { break };
            class = above;
        }
        (class.clone(), member.name.clone())
    }
}

/// Classes of the library whose objects never change.
const UNCHANGING: [&str; 24] = [
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Class",
    "java/lang/Double",
    "java/lang/Float",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Object",
    "java/lang/Short",
    "java/lang/String",
    "java/math/BigDecimal",
    "java/math/BigInteger",
    "java/math/MathContext",
    "java/nio/charset/Charset",
    "java/time/Duration",
    "java/time/LocalDate",
    "java/time/LocalDateTime",
    "java/time/ZoneId",
    "java/util/Comparator",
    "java/util/Locale",
    "java/util/Optional",
    "java/util/UUID",
    "java/util/regex/Pattern",
];

/// Whether code outside of the class can assign a field.
fn is_open(field: &Field) -> bool {
    field.access & (access::PRIVATE | access::FINAL) == 0
}

/// Whether the compiler made a field up, such as the table behind a `switch` over an enum.
fn is_synthetic(field: &Field) -> bool {
    field.access & access::SYNTHETIC != 0
}

/// Whether a field may hold an object of the library that can change. The compiler's own fields,
/// such as `$VALUES`, are not changed.
fn may_change(member: &MemberRef) -> bool {
    let descriptor = member.descriptor.as_str();
    let is_value = ["Ljava/lang/String;", "Ljava/lang/Class;", "Ljava/io/PrintStream;"].contains(&&*descriptor);
    !member.name.as_str().starts_with('$') && !is_value && descriptor.starts_with(['L', '['])
}
