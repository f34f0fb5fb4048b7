//! Questions of the program's code about values whose declared type says little: the classes it
//! tests for, and unusual characters.
//!
//! Only code that the entry method may reach counts. Calls are resolved by name and descriptor
//! alone, to every class of the program that has such a method.

use super::ProgramClasses;
use lapidary_classfile::{BootstrapMethod, Class, Constant, Instruction, MemberRef, Method, Text};
use lapidary_jvm::{ClassPath, FieldType};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The types and strings that reachable code asks about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputHints {
    /// The classes and array types that code tests for, casts to, catches or mentions.
    pub types: BTreeSet<FieldType>,
    /// Strings with characters above U+00FF, if code looks at such characters.
    pub wide_texts: BTreeSet<Vec<u16>>,
}

/// Samples of all sorts of characters that code may treat specially: surrogate pairs and unpaired
/// surrogates, letters whose case mapping changes their length or width, digits, spaces and
/// ideographs.
const WIDE: [&[u16]; 15] = [
    &[0xd83d, 0xde00],
    &[0xd801, 0xdc00],
    &[0xd83d],
    &[0xde00],
    &[0x0130],
    &[0x0131],
    &[0x017f],
    &[0x01c5],
    &[0x03a3],
    &[0x0660],
    &[0x1e9e],
    &[0x2028],
    &[0x212a],
    &[0x3000],
    &[0x4e2d],
];

/// How many of the numbers in the code that may be characters are tried.
const CHARACTERS: usize = 12;

/// Methods that look at characters beyond the first 256, by class; an empty list means all methods.
const LOOKS_AT_CHARACTERS: [(&str, &[&str]); 8] = [
    ("java/lang/Character", &[]),
    ("java/util/regex/Pattern", &[]),
    ("java/text/Normalizer", &[]),
    ("java/nio/charset/Charset", &[]),
    (
        "java/lang/String",
        &[
            "codePointAt",
            "codePointBefore",
            "codePointCount",
            "codePoints",
            "offsetByCodePoints",
            "toUpperCase",
            "toLowerCase",
            "equalsIgnoreCase",
            "compareToIgnoreCase",
            "regionMatches",
            "strip",
            "stripLeading",
            "stripTrailing",
            "isBlank",
            "getBytes",
            "matches",
            "replaceAll",
            "replaceFirst",
            "split",
        ],
    ),
    ("java/lang/StringBuilder", &["appendCodePoint", "codePointAt", "codePointCount", "reverse"]),
    ("java/lang/StringBuffer", &["appendCodePoint", "codePointAt", "codePointCount", "reverse"]),
    ("java/lang/CharSequence", &["codePoints"]),
];

impl InputHints {
    /// Collects what the code that a method may reach asks about.
    pub fn from(class_path: &ClassPath, class: &Text, method: &Text) -> InputHints {
        let mut reach = Reach::of(class_path);
        let mut found = Found::default();
        reach.visit(class, method, &mut found);
        let mut asked = InputHints { types: found.types, wide_texts: found.texts };
        if found.reads_characters {
            asked.wide_texts.extend(found.characters.into_iter().take(CHARACTERS).map(|unit| vec![unit]));
        }
        if found.looks_at_characters || !asked.wide_texts.is_empty() {
            asked.wide_texts.extend(WIDE.iter().map(|units| units.to_vec()));
        }
        asked
    }

    /// Merges what two programs ask about.
    pub fn or(mut self, other: InputHints) -> InputHints {
        self.types.extend(other.types);
        self.wide_texts.extend(other.wide_texts);
        self
    }
}

/// The methods of a program, and those visited so far.
struct Reach {
    classes: Vec<Arc<Class>>,
    by_name: BTreeMap<(Text, Text), Vec<(usize, usize)>>,
    seen: BTreeSet<(usize, usize)>,
    waiting: Vec<(usize, usize)>,
}

#[derive(Default)]
struct Found {
    types: BTreeSet<FieldType>,
    texts: BTreeSet<Vec<u16>>,
    characters: BTreeSet<u16>,
    /// Whether the code reads single characters of strings, and whether it classifies characters.
    reads_characters: bool,
    looks_at_characters: bool,
}

impl Reach {
    fn of(class_path: &ClassPath) -> Reach {
        let names: Vec<Text> = ProgramClasses::of(class_path).names().map(Text::from).collect();
        let classes: Vec<Arc<Class>> = names.iter().filter_map(|name| class_path.class(name)).collect();
        let mut by_name: BTreeMap<(Text, Text), Vec<(usize, usize)>> = BTreeMap::new();
        for (place, class) in classes.iter().enumerate() {
            for (number, method) in class.methods.iter().enumerate() {
                let key = (method.name.clone(), method.descriptor.clone());
                by_name.entry(key).or_default().push((place, number));
            }
        }
        Reach { classes, by_name, seen: BTreeSet::new(), waiting: Vec::new() }
    }

    fn visit(&mut self, class: &Text, method: &Text, found: &mut Found) {
        let classes = self.classes.clone();
        for (place, read) in classes.iter().enumerate().filter(|(_, read)| read.name == *class) {
            let entries = read.methods.iter().enumerate().filter(|(_, entry)| entry.name == *method);
            self.waiting.extend(entries.map(|(number, _)| (place, number)));
        }
        while let Some((place, number)) = self.waiting.pop() {
            if self.seen.insert((place, number)) {
                self.method(&classes[place], &classes[place].methods[number], found);
            }
        }
    }

    fn method(&mut self, class: &Class, method: &Method, found: &mut Found) {
        let Some(code) = method.code() else { return };
        code.handlers.iter().filter_map(|handler| handler.catch.as_ref()).for_each(|caught| found.type_(caught));
        for instruction in &code.instructions {
            match instruction {
                Instruction::Invoke(_, member) => self.call(member, found),
                Instruction::InvokeDynamic(dynamic) => {
                    if let Some(bootstrap) = class.bootstrap_methods().get(usize::from(dynamic.bootstrap)) {
                        self.bootstrap(bootstrap, found);
                    }
                }
                other => found.instruction(other),
            }
        }
    }

    fn call(&mut self, member: &MemberRef, found: &mut Found) {
        found.call(member);
        let key = (member.name.clone(), member.descriptor.clone());
        self.waiting.extend(self.by_name.get(&key).into_iter().flatten());
    }

    fn bootstrap(&mut self, bootstrap: &BootstrapMethod, found: &mut Found) {
        for argument in &bootstrap.arguments {
            match argument {
                Constant::MethodHandle(handle) => self.call(&handle.member, found),
                other => found.constant(other),
            }
        }
    }
}

impl Found {
    fn instruction(&mut self, instruction: &Instruction) {
        match instruction {
            Instruction::InstanceOf(name) | Instruction::CheckCast(name) => self.type_(name),
            Instruction::Ldc(constant) | Instruction::LdcW(constant) => self.constant(constant),
            Instruction::SiPush(number) => self.character(i32::from(*number)),
            _ => {}
        }
    }

    fn constant(&mut self, constant: &Constant) {
        match constant {
            Constant::Class(name) => self.type_(name),
            Constant::Int(number) => self.character(*number),
            Constant::String(text) => {
                let units = text.utf16();
                if units.iter().any(|unit| *unit > 0xff) {
                    self.texts.insert(units);
                }
            }
            _ => {}
        }
    }

    /// Adds a number that may be a character above U+00FF, and its neighbours.
    fn character(&mut self, number: i32) {
        let near = [number.saturating_sub(1), number, number.saturating_add(1)].into_iter().filter(|near| *near > 0xff);
        for character in near.filter_map(|near| u32::try_from(near).ok().filter(|near| *near <= 0xffff)) {
            self.characters.insert(character as u16);
        }
    }

    fn call(&mut self, member: &MemberRef) {
        let is_it = |(class, names): &(&str, &[&str])| {
            member.owner == **class && (names.is_empty() || names.iter().any(|name| member.name == **name))
        };
        self.looks_at_characters |= LOOKS_AT_CHARACTERS.iter().any(is_it);
        self.reads_characters |=
            ["charAt", "chars", "toCharArray", "indexOf", "lastIndexOf"].iter().any(|name| member.name == **name);
    }

    /// Adds a class by its internal name, or an array type by its descriptor.
    fn type_(&mut self, constant: &Text) {
        let type_ = match constant.as_bytes().first() {
            Some(b'[') => FieldType::parse(constant.as_bytes()).ok(),
            _ => Some(FieldType::Object(constant.clone())),
        };
        self.types.extend(type_);
    }
}
