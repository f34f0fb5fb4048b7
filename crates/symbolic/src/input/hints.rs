//! Questions of the program's code about values whose declared type says little: the classes it
//! tests for, and unusual characters.
//!
//! Only code that the entry method may reach counts.

use super::reach::{ProgramCode, calls};
use lapidary_classfile::{Class, Constant, Instruction, MemberRef, Method, Text};
use lapidary_jvm::{ClassPath, FieldType};
use std::collections::BTreeSet;

/// The types and strings that reachable code asks about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputHints {
    /// The classes and array types that code tests for, casts to, catches or mentions.
    pub types: BTreeSet<FieldType>,
    /// Strings with characters above U+00FF, if code looks at such characters.
    pub wide_texts: BTreeSet<Vec<u16>>,
    /// The interfaces that lambdas of the program implement.
    pub lambdas: BTreeSet<Text>,
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
        let mut found = Found::default();
        let is_entry = |read: &Class, entry: &Method| read.name == *class && entry.name == *method;
        let code = ProgramCode::of(class_path);
        code.visit(is_entry, |class, method| {
            found.method(class, method);
            true
        });
        let mut asked = InputHints { types: found.types, wide_texts: found.texts, lambdas: code.lambdas() };
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
        self.lambdas.extend(other.lambdas);
        self
    }
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

impl Found {
    fn method(&mut self, class: &Class, method: &Method) {
        let Some(code) = method.code() else { return };
        code.handlers.iter().filter_map(|handler| handler.catch.as_ref()).for_each(|caught| self.type_(caught));
        calls(class, method).for_each(|member| self.call(member));
        for instruction in &code.instructions {
            match instruction {
                Instruction::InvokeDynamic(dynamic) => {
                    let bootstrap = class.bootstrap_methods().get(usize::from(dynamic.bootstrap));
                    bootstrap.iter().flat_map(|bootstrap| &bootstrap.arguments).for_each(|other| self.constant(other));
                }
                other => self.instruction(other),
            }
        }
    }

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
