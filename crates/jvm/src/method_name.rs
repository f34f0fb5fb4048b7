//! How traces, analyses and reports name a method: `pkg/Cls.name:(I)V`, with the class that declares it.

use crate::descriptor::MethodType;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use thiserror::Error;

/// A method by the internal name of its class, its own name and its descriptor. Cheap to copy; ordered as text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodName(Arc<str>);

/// Why a text names no method.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MethodNameError {
    #[error("`{0}` is not a method: expected pkg/Cls.name:(I)V")]
    NotAMethod(String),
    #[error("`{text}` has no valid descriptor: {reason}")]
    BadDescriptor { text: String, reason: String },
}

impl MethodName {
    /// The method of these three, which are taken as they are.
    #[must_use]
    pub fn new(class: &str, name: &str, descriptor: &str) -> Self {
        MethodName(format!("{class}.{name}:{descriptor}").into())
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The internal name of its class, `java/lang/Object` say.
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

    /// What is before the descriptor. Names may have colons in them, but no parentheses behind one.
    fn qualified(&self) -> &str {
        self.0.rsplit_once(":(").map_or(&*self.0, |(before, _)| before)
    }
}

impl FromStr for MethodName {
    type Err = MethodNameError;

    /// The name of a method holds no dot, and a descriptor begins with a parenthesis.
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
        match MethodType::parse(&text[qualified.len() + 1..]) {
            Ok(_) => Ok(MethodName(text.into())),
            Err(reason) => Err(MethodNameError::BadDescriptor { text: text.to_owned(), reason: reason.to_string() }),
        }
    }
}

/// The JVM adds a number to the name of a hidden class, `Main$$Lambda.0x7f`. Any other dot is one that a person wrote in place of a slash.
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
        assert_eq!(method, MethodName::new("a/b/C$D", "<init>", "(Ljava/lang/String;[I)V"));
        let odd: MethodName = "p/A$B.a:b:(J)I".parse().unwrap();
        assert_eq!((odd.name(), odd.descriptor()), ("a:b", "(J)I"));
    }

    #[test]
    fn a_hidden_class_keeps_its_dot() {
        let method: MethodName = "Main$$Lambda.0x7f.run:()V".parse().unwrap();
        assert_eq!((method.class(), method.name()), ("Main$$Lambda.0x7f", "run"));
    }

    #[test]
    fn what_names_no_method_is_refused_with_the_reason() {
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
                prop_assert_eq!(MethodName::new(name.class(), name.name(), name.descriptor()).to_string(), text);
            }
        }
    }
}
