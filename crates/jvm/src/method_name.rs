//! The notation of a method in traces, analyses and reports: `pkg/Cls.name:(I)V`, with the class
//! that declares it.
//!
//! A name is a single word. Characters that a class file allows in a name but a word cannot hold,
//! such as blanks and parentheses, are percent-encoded: each byte of the character becomes `%` and
//! two hex digits, as in `%20`. docs/reference/trace-format.md describes this for tools that write
//! such names.

use crate::descriptor::MethodType;
use lapidary_classfile::Text;
use std::fmt::{self, Write as _};
use std::str::FromStr;
use std::sync::Arc;
use thiserror::Error;

/// A method by the internal name of its class, its own name and its descriptor. Cheap to clone;
/// ordered as text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodName(Arc<str>);

/// The reason why a text is not the name of a method.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MethodNameError {
    #[error("`{0}` is not a method: expected pkg/Cls.name:(I)V")]
    NotAMethod(String),
    #[error("`{text}` has no valid descriptor: {reason}")]
    BadDescriptor { text: String, reason: String },
}

impl MethodName {
    /// Builds the notation from a class, a name and a descriptor, each as in the class file.
    #[must_use]
    pub fn new(class: &Text, name: &Text, descriptor: &Text) -> Self {
        let mut text = String::new();
        encode(&mut text, class, MAY_END);
        text.push('.');
        encode(&mut text, name, MAY_END);
        text.push(':');
        encode(&mut text, descriptor, &[]);
        MethodName(text.into())
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The internal name of the class, such as `java/lang/Object`.
    #[must_use]
    pub fn class(&self) -> &str {
        self.qualified().rsplit_once('.').map_or("", |(class, _)| class)
    }

    #[must_use]
    pub fn name(&self) -> &str {
        self.qualified().rsplit_once('.').map_or(self.qualified(), |(_, name)| name)
    }

    #[must_use]
    pub fn descriptor(&self) -> &str {
        self.0.get(self.qualified().len() + 1..).unwrap_or("")
    }

    /// The part before the descriptor. A name may contain colons, but none that is followed by a
    /// parenthesis.
    fn qualified(&self) -> &str {
        self.0.rsplit_once(":(").map_or(&*self.0, |(before, _)| before)
    }
}

impl FromStr for MethodName {
    type Err = MethodNameError;

    /// Parses `class.name:descriptor`. The name of a method holds no dot, and a descriptor begins
    /// with a parenthesis. Encoded and plain characters are both accepted.
    fn from_str(text: &str) -> Result<Self, MethodNameError> {
        let not_a_method = || MethodNameError::NotAMethod(text.to_owned());
        let (qualified, _) = text.rsplit_once(":(").ok_or_else(not_a_method)?;
        let (class, name) = qualified.rsplit_once('.').ok_or_else(not_a_method)?;
        let has_stray = |part: &str, stray: &[char]| part.is_empty() || part.contains(stray);
        if has_stray(without_suffix(class), &['.', ';', '[', '(']) || has_stray(name, &[';', '[', '/', '(']) {
            return Err(not_a_method());
        }
        if text.contains(char::is_whitespace) {
            return Err(not_a_method());
        }
        let descriptor = &text[qualified.len() + 1..];
        match MethodType::parse(descriptor) {
            Ok(_) if text.contains('%') => {
                Ok(MethodName::new(&decoded_name(class), &decoded_name(name), &decoded_name(descriptor)))
            }
            Ok(_) => Ok(MethodName(text.into())),
            Err(reason) => Err(MethodNameError::BadDescriptor { text: text.to_owned(), reason: reason.to_string() }),
        }
    }
}

/// Decodes a name from the notation of [`MethodName`] to the one in the class file.
#[must_use]
pub fn decoded_name(text: &str) -> Text {
    if !text.contains('%') {
        return Text::from(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let digits = rest.strip_prefix('%').and_then(|rest| rest.get(..2));
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &rest[3..];
            }
            None => {
                bytes.extend(Text::from(&rest[..first.len_utf8()]).as_bytes());
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    Text::from_bytes(&bytes)
}

/// Encodes a name from the class file in the notation of [`MethodName`].
#[must_use]
pub fn encoded_name(name: &Text) -> String {
    let mut text = String::new();
    encode(&mut text, name, MAY_END);
    text
}

/// Characters that would end a name too early. In a descriptor they are legitimate.
const MAY_END: &[char] = &['('];

fn encode(text: &mut String, name: &Text, special: &[char]) {
    let is_plain = |character: char| {
        character != '%' && !character.is_whitespace() && !character.is_control() && !special.contains(&character)
    };
    for unit in char::decode_utf16(name.utf16()) {
        match unit {
            Ok(character) if is_plain(character) => text.push(character),
            Ok(character) => {
                Text::from(character.to_string()).as_bytes().iter().for_each(|byte| encode_byte(text, *byte))
            }
            Err(half) => three_bytes(half.unpaired_surrogate()).iter().for_each(|byte| encode_byte(text, *byte)),
        }
    }
}

/// The class-file encoding of an unpaired surrogate, which no Rust string can hold.
fn three_bytes(unit: u16) -> [u8; 3] {
    [0xe0 | (unit >> 12) as u8, 0x80 | (unit >> 6 & 0x3f) as u8, 0x80 | (unit & 0x3f) as u8]
}

fn encode_byte(text: &mut String, byte: u8) {
    // Writing to a string cannot fail.
    let _ = write!(text, "%{byte:02x}");
}

/// Removes the suffix that the JVM adds to the name of a hidden class, as in `Main$$Lambda.0x7f`.
/// Any other dot was written by a person in place of a slash.
fn without_suffix(class: &str) -> &str {
    class.rsplit_once(".0x").map_or(class, |(class, _)| class)
}

impl fmt::Display for MethodName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.0)
    }
}

impl fmt::Debug for MethodName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn parts_are_told_apart() {
        let method: MethodName = "a/b/C$D.<init>:(Ljava/lang/String;[I)V".parse().unwrap();
        assert_eq!((method.class(), method.name()), ("a/b/C$D", "<init>"));
        assert_eq!(method.descriptor(), "(Ljava/lang/String;[I)V");
        assert_eq!(method, named("a/b/C$D", "<init>", "(Ljava/lang/String;[I)V"));
        let odd: MethodName = "p/A$B.a:b:(J)I".parse().unwrap();
        assert_eq!((odd.name(), odd.descriptor()), ("a:b", "(J)I"));
    }

    fn named(class: &str, name: &str, descriptor: &str) -> MethodName {
        MethodName::new(&class.into(), &name.into(), &descriptor.into())
    }

    #[test]
    fn a_name_is_one_word_whatever_it_is_made_of() {
        let method = named("p/Sum Test", "adds (two) 100%\u{a0}numbers", "()V");
        assert_eq!(method.as_str(), "p/Sum%20Test.adds%20%28two)%20100%25%c2%a0numbers:()V");
        assert_eq!(method.as_str().parse(), Ok(method.clone()));
        assert_eq!(decoded_name(method.name()), "adds (two) 100%\u{a0}numbers");
    }

    #[test]
    fn characters_may_be_written_as_their_bytes() {
        let pair: MethodName = "p/%ed%a0%b5%ed%b2%b3.run:()V".parse().unwrap();
        assert_eq!(pair, named("p/𝒳", "run", "()V"));
        assert_eq!(pair.as_str(), "p/𝒳.run:()V");
        let half: MethodName = "p/A.x%ed%a0%b5:()V".parse().unwrap();
        assert_eq!(half.name(), "x%ed%a0%b5");
        assert_eq!(decoded_name(half.name()).as_bytes(), b"x\xed\xa0\xb5");
        let percent: MethodName = "p/A.100%:()V".parse().unwrap();
        assert_eq!(percent, named("p/A", "100%", "()V"));
    }

    #[test]
    fn a_hidden_class_keeps_its_dot() {
        let method: MethodName = "Main$$Lambda.0x7f.run:()V".parse().unwrap();
        assert_eq!((method.class(), method.name()), ("Main$$Lambda.0x7f", "run"));
    }

    #[test]
    fn a_text_that_names_no_method_is_refused_with_the_reason() {
        let no_methods = [
            "",
            "main",
            "p/A.run",
            "p/A:()V",
            ".run:()V",
            "p/A.:()V",
            "<p.A: void run()>",
            "p.A.run:()V",
            "at A.run:()V",
        ];
        for text in no_methods {
            assert!(matches!(text.parse::<MethodName>(), Err(MethodNameError::NotAMethod(_))), "{text}");
        }
        let error = "p/A.run:(Q)V".parse::<MethodName>().unwrap_err();
        assert!(error.to_string().starts_with("`p/A.run:(Q)V` has no valid descriptor"), "{error}");
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[a/.:()V;\\[ é]{0,12}") {
            if let Ok(name) = text.parse::<MethodName>() {
                prop_assert_eq!(named(name.class(), name.name(), name.descriptor()).to_string(), text);
            }
        }

        #[test]
        fn names_survive_being_written(class in "[^.;\\[/]{1,6}", name in "[^.;\\[/<>]{1,6}") {
            let method = named(&class, &name, "(I)V");
            prop_assert_eq!(method.as_str().parse::<MethodName>(), Ok(method.clone()));
            prop_assert_eq!(decoded_name(method.class()), Text::from(class));
            prop_assert_eq!(decoded_name(method.name()), Text::from(name));
        }
    }
}
