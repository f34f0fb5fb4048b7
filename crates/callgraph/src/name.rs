//! How a method is named: `pkg/Cls.name:(I)V`, with the class that declares it.

use lapidary_classfile::Text;
use lapidary_jvm::MethodType;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A method by the internal name of its class, its own name and its descriptor.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodName {
    pub class: Text,
    pub name: Text,
    pub descriptor: Text,
}

impl MethodName {
    #[must_use]
    pub fn new(class: impl Into<Text>, name: impl Into<Text>, descriptor: impl Into<Text>) -> Self {
        MethodName { class: class.into(), name: name.into(), descriptor: descriptor.into() }
    }
}

impl fmt::Display for MethodName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}:{}", self.class, self.name, self.descriptor)
    }
}

/// Why a text names no method.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NameError {
    #[error("`{0}` is not a method: expected pkg/Cls.name:(I)V")]
    NotAMethod(String),
    #[error("`{text}` has no valid descriptor: {reason}")]
    BadDescriptor { text: String, reason: String },
}

impl FromStr for MethodName {
    type Err = NameError;

    /// Neither the name of a class nor that of a method can hold a dot, and a descriptor begins with a parenthesis.
    fn from_str(text: &str) -> Result<Self, NameError> {
        let not_a_method = || NameError::NotAMethod(text.to_owned());
        let (qualified, descriptor) = text.rsplit_once(":(").ok_or_else(not_a_method)?;
        let (class, name) = qualified.split_once('.').ok_or_else(not_a_method)?;
        let has_stray = |part: &str, stray: &[char]| part.is_empty() || part.contains(stray);
        if has_stray(class, &['.', ';', '[', ' ', '(']) || has_stray(name, &['.', ';', '[', '/', ' ', '(']) {
            return Err(not_a_method());
        }
        let descriptor = format!("({descriptor}");
        match MethodType::parse(&descriptor) {
            Ok(_) => Ok(MethodName::new(class, name, descriptor)),
            Err(reason) => Err(NameError::BadDescriptor { text: text.to_owned(), reason: reason.to_string() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_name_survives_printing() {
        for text in ["p/A.run:()V", "A.<init>:(I[Ljava/lang/String;)V", "p/A$B.a:b:(J)I"] {
            assert_eq!(text.parse::<MethodName>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_names_no_method_is_refused_with_the_reason() {
        for text in ["", "p/A.run", "p/A:()V", ".run:()V", "p/A.:()V", "<p.A: void run()>", "p.A.run:()V"] {
            assert!(matches!(text.parse::<MethodName>(), Err(NameError::NotAMethod(_))), "{text}");
        }
        let error = "p/A.run:(Q)V".parse::<MethodName>().unwrap_err();
        assert!(error.to_string().starts_with("`p/A.run:(Q)V` has no valid descriptor"), "{error}");
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[a/.:()V;\\[ é]{0,12}") {
            if let Ok(name) = text.parse::<MethodName>() {
                prop_assert_eq!(name.to_string(), text);
            }
        }
    }
}
