//! Behaviour-difference specifications: which objects a change may affect, and which it must not
//! (Loupe, section 5.2).
//!
//! The format is described in `docs/reference/spec-format.md`.

mod read;
mod write;

pub use read::SpecError;
pub use write::written;

use crate::changes::Changes;
use regex::Regex;
use std::collections::BTreeSet;

/// The content of a specification.
#[derive(Clone, Debug, Default)]
pub struct Spec {
    /// Objects whose behaviour may change.
    pub changed: Vec<Matcher>,
    /// Objects whose behaviour must not change, even if a rule in `changed` matches them.
    pub unchanged: Vec<Matcher>,
    /// Methods that count as free of side effects, whatever they write. Calls of them are ignored.
    pub pure: Vec<Names>,
    pub numbers: Tolerance,
    /// Whether the output may change.
    pub output_may_change: bool,
    /// Whether the return value or exception of the entry method may change.
    pub result_may_change: bool,
}

/// A condition on an object, checked when its constructor is called.
#[derive(Clone, Debug)]
pub enum Matcher {
    All(Vec<Matcher>),
    Any(Vec<Matcher>),
    Not(Box<Matcher>),
    /// The class of the object.
    Class(Names),
    /// An argument of the constructor, counted from 1.
    Parameter(usize, Test),
    /// A field, as it is after the constructor has run.
    Field(String, Test),
    /// The class of a method that is running.
    CalledBy(Names),
}

/// A condition on a value.
#[derive(Clone, Debug)]
pub enum Test {
    Equals(Literal),
    Matches(Regex),
    Above(i64),
    Below(i64),
}

/// A constant in a specification.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    Integer(i64),
    Float(f64),
    Boolean(bool),
    Text(String),
    Null,
}

/// Names of classes or methods in source form; `*` stands for anything.
#[derive(Clone, Debug)]
pub struct Names {
    exact: BTreeSet<String>,
    patterns: Vec<(String, Regex)>,
}

/// Which numbers count as equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tolerance {
    #[default]
    Exact,
    /// Floating-point numbers that are at most this many representable numbers apart are equal.
    Ulp(u32),
    /// Integers may differ for inputs on which a computation overflows.
    NoOverflow,
}

impl Names {
    /// Exactly these names, without nested classes.
    fn exactly(names: impl IntoIterator<Item = String>) -> Names {
        Names { exact: names.into_iter().collect(), patterns: Vec::new() }
    }

    pub fn new(patterns: impl IntoIterator<Item = String>) -> Names {
        let compiled = |pattern: String| {
            let expression = regex::escape(&pattern).replace(r"\*", ".*");
            let regex = Regex::new(&format!("^(?:{expression})$")).expect("escaped text is an expression");
            (pattern, regex)
        };
        Names { exact: BTreeSet::new(), patterns: patterns.into_iter().map(compiled).collect() }
    }

    /// Whether one of the names matches. The name of an outermost class also matches its nested
    /// classes.
    pub fn include(&self, name: &str) -> bool {
        if self.exact.contains(name) {
            return true;
        }
        let around = name.split_once('$').map(|(around, _)| around);
        self.patterns
            .iter()
            .any(|(_, regex)| regex.is_match(name) || around.is_some_and(|around| regex.is_match(around)))
    }

    pub fn patterns(&self) -> impl Iterator<Item = &str> {
        self.exact.iter().map(String::as_str).chain(self.patterns.iter().map(|(pattern, _)| pattern.as_str()))
    }
}

impl Spec {
    /// Everything in these classes, in source form, may change.
    pub fn of_changed_classes(classes: impl IntoIterator<Item = String>) -> Spec {
        Spec { changed: vec![Matcher::Class(Names::exactly(classes))], ..Spec::default() }
    }

    /// The specification that the changes suggest: classes that differ or inherit from such classes
    /// may change; all other classes of the program must not, no matter who creates their objects.
    pub fn of_changes(changes: &Changes) -> Spec {
        let changed = changes.class_names().map(str::to_owned).chain(changes.inheriting.iter().cloned());
        let mut spec = Spec::of_changed_classes(changed);
        let others = changes.same.iter().filter(|class| !changes.inheriting.contains(*class));
        spec.unchanged = vec![Matcher::Class(Names::exactly(others.cloned()))];
        spec
    }

    /// Every class name that occurs in a rule.
    pub fn class_names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        self.changed.iter().chain(&self.unchanged).for_each(|matcher| matcher.class_names(&mut names));
        names
    }
}

impl Matcher {
    /// Whether the rule covers all objects of a class, in source form.
    pub fn names_class(&self, class: &str) -> bool {
        matches!(self, Matcher::Class(names) if names.include(class))
    }

    pub(crate) fn looks_at_fields(&self) -> bool {
        match self {
            Matcher::All(parts) | Matcher::Any(parts) => parts.iter().any(Matcher::looks_at_fields),
            Matcher::Not(part) => part.looks_at_fields(),
            Matcher::Field(..) => true,
            Matcher::Class(_) | Matcher::CalledBy(_) | Matcher::Parameter(..) => false,
        }
    }

    fn class_names<'a>(&'a self, names: &mut Vec<&'a str>) {
        match self {
            Matcher::All(parts) | Matcher::Any(parts) => parts.iter().for_each(|part| part.class_names(names)),
            Matcher::Not(part) => part.class_names(names),
            Matcher::Class(classes) | Matcher::CalledBy(classes) => names.extend(classes.patterns()),
            Matcher::Parameter(..) | Matcher::Field(..) => {}
        }
    }
}
