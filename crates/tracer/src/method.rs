//! The name of a method, as analyses and traces write it: `pkg/Cls.name:(I)V`.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use thiserror::Error;

/// A method by its class, its name and its descriptor. Cheap to copy; ordered as text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodName(Arc<str>);

#[derive(Debug, Error, PartialEq)]
#[error("`{0}` is not a method; methods are written pkg/Cls.name:(I)V")]
pub struct NotAMethod(String);

impl MethodName {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The internal name of its class, `java/lang/Object` say.
    pub fn class(&self) -> &str {
        self.qualified().rsplit_once('.').map_or("", |(class, _)| class)
    }

    pub fn name(&self) -> &str {
        self.qualified().rsplit_once('.').map_or(self.qualified(), |(_, name)| name)
    }

    pub fn descriptor(&self) -> &str {
        self.0.get(self.qualified().len() + 1..).unwrap_or("")
    }

    /// What is before the descriptor. Names may have colons in them, but no parentheses behind one.
    fn qualified(&self) -> &str {
        self.0.rsplit_once(":(").map_or(&*self.0, |(before, _)| before)
    }

    /// `name:(I)V`
    pub fn name_and_descriptor(&self) -> &str {
        let start = self.class().len();
        self.0.get(start + 1..).unwrap_or(&self.0)
    }

    pub fn is_class_initialiser(&self) -> bool {
        self.name() == "<clinit>"
    }
}

impl FromStr for MethodName {
    type Err = NotAMethod;

    fn from_str(text: &str) -> Result<Self, NotAMethod> {
        let parts =
            text.rsplit_once(":(").and_then(|(before, descriptor)| Some((before.rsplit_once('.')?, descriptor)));
        let is_method = parts.is_some_and(|((class, name), descriptor)| {
            let is_named = !class.is_empty() && !name.is_empty();
            is_named && descriptor.contains(')') && !text.contains(char::is_whitespace)
        });
        if is_method { Ok(MethodName(text.into())) } else { Err(NotAMethod(text.to_owned())) }
    }
}

impl fmt::Display for MethodName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
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

    #[test]
    fn the_parts_are_found() {
        let method: MethodName = "a/b/C$D.<init>:(Ljava/lang/String;[I)V".parse().unwrap();
        assert_eq!(method.class(), "a/b/C$D");
        assert_eq!(method.name(), "<init>");
        assert_eq!(method.descriptor(), "(Ljava/lang/String;[I)V");
        assert_eq!(method.name_and_descriptor(), "<init>:(Ljava/lang/String;[I)V");
    }

    #[test]
    fn a_hidden_class_keeps_its_dot() {
        let method: MethodName = "Main$$Lambda.0x7f.run:()V".parse().unwrap();
        assert_eq!((method.class(), method.name()), ("Main$$Lambda.0x7f", "run"));
    }

    #[test]
    fn what_is_no_method_is_refused() {
        for text in ["", "main", "Main.main", "Main:()V", ".main:()V", "Main.:()V", "Main.main:V", "at Main.main:()V"] {
            assert!(text.parse::<MethodName>().is_err(), "{text}");
        }
    }
}
