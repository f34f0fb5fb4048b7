//! Inputs that were not tried although their types allow them.

use super::Aliases;
use std::fmt::{Display, Formatter, Result};

/// A restriction of the inputs. The results hold only for inputs within it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Restriction {
    /// Strings had at most this many characters.
    TextLength(usize),
    /// Strings had no characters above U+00FF, except for this many samples.
    Characters { samples: usize },
    /// Arrays and collections had at most this many elements.
    Length(usize),
    /// Objects referred to others at most this deep.
    Depth(u32),
    /// Values of a type were instances of these classes only.
    Kinds { type_: String, tried: Vec<String> },
    /// Some inputs were never the same object.
    Aliases(Aliases),
    /// Only inputs that exist in both versions of the program were tried.
    OfBothVersions,
    /// A field that earlier calls may have changed had its initial value.
    InitialState(String),
    /// The versions may leave different values in a static field.
    LeftState(String),
    /// Boxed numbers and strings were objects that nothing else refers to, and code compares them
    /// with `==`.
    Identity,
    /// Methods of objects in the result differ, and were not called.
    Behaviour { class: String, methods: Vec<String> },
    /// Objects of a class in the result have other supertypes.
    Supertypes(String),
    /// The causes of exceptions, or the exceptions that they suppressed, may differ.
    Causes,
    /// One version takes locks, or uses volatile fields, where the other does not.
    Locks,
}

impl Display for Restriction {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Restriction::TextLength(bound) => write!(f, "texts up to {bound} {}", plural(*bound, "character")),
            Restriction::Characters { samples: 0 } => f.write_str("characters below U+0100"),
            Restriction::Characters { samples } => {
                write!(f, "characters below U+0100 and {samples} {} beyond", plural(*samples, "text"))
            }
            Restriction::Length(bound) => {
                write!(f, "arrays and collections up to {bound} {}", plural(*bound, "element"))
            }
            Restriction::Depth(bound) => write!(f, "objects up to {bound} deep"),
            Restriction::Kinds { type_, tried } => write!(f, "{type_} only as {}", tried.join(", ")),
            Restriction::Aliases(Aliases::None) => f.write_str("no object given twice"),
            Restriction::Aliases(_) => f.write_str("no object given twice but as arguments"),
            Restriction::OfBothVersions => f.write_str("only objects that both versions have"),
            Restriction::InitialState(field) => write!(f, "{field} only with its initial value"),
            Restriction::LeftState(field) => write!(f, "what is left in {field} was not compared"),
            Restriction::Identity => f.write_str("boxed numbers and texts only as new objects"),
            Restriction::Behaviour { class, methods } => {
                write!(f, "later calls of {} on {class} that a call hands out were not compared", methods.join(", "))
            }
            Restriction::Supertypes(class) => write!(f, "the supertypes of {class} were not compared"),
            Restriction::Causes => f.write_str("causes of exceptions were not compared"),
            Restriction::Locks => f.write_str("only one thread"),
        }
    }
}

fn plural(count: usize, word: &str) -> String {
    if count == 1 { word.to_owned() } else { format!("{word}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restrictions_are_phrases() {
        let kinds = Restriction::Kinds { type_: "Object".into(), tried: vec!["Integer".into(), "String".into()] };
        let said = [Restriction::TextLength(4), Restriction::Characters { samples: 0 }, Restriction::Length(1), kinds]
            .map(|restriction| restriction.to_string());
        assert_eq!(
            said,
            [
                "texts up to 4 characters",
                "characters below U+0100",
                "arrays and collections up to 1 element",
                "Object only as Integer, String"
            ]
        );
    }
}
