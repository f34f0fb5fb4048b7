//! Which types have objects that can change after they were made.
//!
//! A type counts as unchanging only if all that can be reached from its objects is settled when
//! they are made, whichever class of the program an object is of.

use super::Program;
use super::stack::taker;
use lapidary_classfile::{Class, Field, FieldOp, Instruction, Kind, Local, MemberRef, Text, access};
use lapidary_jvm::{ClassPath, FieldType, MethodType};
use std::collections::{BTreeMap, BTreeSet};

/// Fields that are assigned, and types whose objects can change.
pub(super) struct Mutability<'a> {
    program: &'a Program,
    /// Fields that are assigned after their class or object is initialised.
    assigned: BTreeSet<(Text, Text)>,
    /// Classes and interfaces of which an object that the program made can change.
    changing: BTreeSet<Text>,
    /// For each class and interface, the classes of the program below it.
    below: BTreeMap<Text, BTreeSet<Text>>,
}

impl<'a> Mutability<'a> {
    pub fn of(program: &'a Program, class_path: &ClassPath) -> Self {
        let mut found = Mutability {
            program,
            assigned: assigned(program),
            changing: BTreeSet::new(),
            below: below(program, class_path),
        };
        // Classes refer to each other, so all are unchanging until one is found that is not.
        loop {
            let classes = program.classes.values().filter(|class| found.is_changed_by_itself(class));
            let lambdas = program
                .code()
                .flat_map(|(_, _, code)| code)
                .filter_map(|instruction| found.changing_lambda(instruction));
            let more: BTreeSet<Text> = classes.map(|class| class.name.clone()).chain(lambdas).collect();
            let known = found.changing.len();
            found.changing.extend(more);
            if found.changing.len() == known {
                return found;
            }
        }
    }

    /// Whether a field can get another value after its class or object is initialised.
    pub fn is_assigned(&self, class: &Class, field: &Field) -> bool {
        let is_open = field.access & (access::PRIVATE | access::FINAL) == 0;
        is_open || self.assigned.contains(&(class.name.clone(), field.name.clone()))
    }

    /// Whether no object of a type, and nothing that it refers to, can change.
    pub fn is_unchanging(&self, descriptor: &str) -> bool {
        match descriptor.strip_prefix('L').and_then(|name| name.strip_suffix(';')) {
            Some(name) => self.is_unchanging_class(name),
            None => !descriptor.starts_with('['),
        }
    }

    pub fn is_unchanging_class(&self, name: &str) -> bool {
        let class = Text::from(name);
        let is_known = self.program.classes.contains_key(&class) || is_unchanging_in_library(name);
        is_known && !self.changing.contains(&class) && !self.below(&class).any(|class| self.changing.contains(class))
    }

    /// Whether a class of the program is below a class or interface, so that a call may run code of
    /// the program.
    pub fn is_extended(&self, class: &Text) -> bool {
        self.below(class).next().is_some()
    }

    fn below(&self, class: &Text) -> impl Iterator<Item = &Text> {
        self.below.get(class).into_iter().flatten()
    }

    fn is_changed_by_itself(&self, class: &Class) -> bool {
        let inherits = class.superclass.as_ref().is_some_and(|above| {
            let is_plain = ["java/lang/Object", "java/lang/Record", "java/lang/Enum"].iter().any(|name| above == name);
            !is_plain && (!self.program.classes.contains_key(above) || self.changing.contains(above))
        });
        let fields = class.fields.iter().filter(|field| field.access & access::STATIC == 0);
        inherits
            || fields
                .into_iter()
                .any(|field| self.is_assigned(class, field) || !self.is_unchanging(&field.descriptor.as_str()))
    }

    /// The interface of a lambda that captures something that can change.
    fn changing_lambda(&self, instruction: &Instruction) -> Option<Text> {
        let Instruction::InvokeDynamic(site) = instruction else { return None };
        let type_ = MethodType::parse(&*site.descriptor.as_str()).ok()?;
        let captures = type_.parameters.iter().any(|captured| !self.is_unchanging(&captured.to_string()));
        match type_.result {
            Some(FieldType::Object(interface)) if captures => Some(interface),
            _ => None,
        }
    }
}

/// The fields that methods assign, other than those that initialise their class or object.
fn assigned(program: &Program) -> BTreeSet<(Text, Text)> {
    let mut assigned = BTreeSet::new();
    for (class, method, code) in program.code() {
        let of_this = match method.name == "<init>" {
            true => assigned_to_this(code),
            false => BTreeSet::new(),
        };
        for (at, instruction) in code.iter().enumerate() {
            let field: &MemberRef = match instruction {
                Instruction::Field(FieldOp::PutStatic, member)
                    if !(method.name == "<clinit>" && member.owner == class.name) =>
                {
                    member
                }
                Instruction::Field(FieldOp::PutField, member) if !of_this.contains(&at) => member,
                _ => continue,
            };
            assigned.insert(program.declared(field));
        }
    }
    assigned
}

/// The instructions of a constructor that assign fields of the object that it initialises.
fn assigned_to_this(code: &[Instruction]) -> BTreeSet<usize> {
    let this = Instruction::Load(Kind::Reference, Local::new(0));
    let reads = (0..code.len()).filter(|at| code[*at] == this);
    reads.filter_map(|at| taker(code, at)).filter(|taken| taken.above > 0).map(|taken| taken.at).collect()
}

fn below(program: &Program, class_path: &ClassPath) -> BTreeMap<Text, BTreeSet<Text>> {
    let mut below: BTreeMap<Text, BTreeSet<Text>> = BTreeMap::new();
    for class in program.classes.values() {
        let mut waiting = vec![class.name.clone()];
        let mut seen = BTreeSet::new();
        while let Some(name) = waiting.pop() {
            let Some(above) = class_path.class(&name) else { continue };
            for name in above.superclass.iter().chain(&above.interfaces) {
                if seen.insert(name.clone()) {
                    below.entry(name.clone()).or_default().insert(class.name.clone());
                    waiting.push(name.clone());
                }
            }
        }
    }
    below
}

fn is_unchanging_in_library(name: &str) -> bool {
    UNCHANGING.contains(&name) || name.starts_with("java/util/function/")
}

/// Classes of the library whose objects never change.
const UNCHANGING: [&str; 29] = [
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Class",
    "java/lang/Double",
    "java/lang/Float",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Short",
    "java/lang/String",
    "java/math/BigDecimal",
    "java/math/BigInteger",
    "java/math/MathContext",
    "java/math/RoundingMode",
    "java/nio/charset/Charset",
    "java/time/DayOfWeek",
    "java/time/Duration",
    "java/time/Instant",
    "java/time/LocalDate",
    "java/time/LocalDateTime",
    "java/time/LocalTime",
    "java/time/Month",
    "java/time/ZoneId",
    "java/time/ZoneOffset",
    "java/util/Comparator",
    "java/util/Locale",
    "java/util/UUID",
    "java/util/concurrent/TimeUnit",
    "java/util/regex/Pattern",
];
