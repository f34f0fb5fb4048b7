//! Behaviour-difference specifications: which objects a change may affect, and which it must not (Loupe, section 5.2).
//!
//! The format is described in `docs/reference/spec-format.md`.

mod read;
mod write;

pub use read::SpecError;
pub use write::written;

use crate::changes::Changes;
use regex::Regex;
use std::collections::BTreeSet;

/// What a specification says.
#[derive(Clone, Debug, Default)]
pub struct Spec {
    /// Objects whose behaviour may change, and objects whose behaviour must not. The second win over the first.
    pub changed: Vec<Matcher>,
    pub unchanged: Vec<Matcher>,
    /// Methods that change nothing, whatever they write: calls of them do not count.
    pub pure: Vec<Names>,
    pub numbers: Tolerance,
    /// What is printed may change, and so may what the entry method returns or throws.
    pub output_may_change: bool,
    pub result_may_change: bool,
}

/// Whether an object is meant, when its constructor is called.
#[derive(Clone, Debug)]
pub enum Matcher {
    All(Vec<Matcher>),
    Any(Vec<Matcher>),
    Not(Box<Matcher>),
    /// Its class.
    Class(Names),
    /// An argument of its constructor, counted from 1.
    Parameter(usize, Test),
    /// A field, as it is when the constructor has run.
    Field(String, Test),
    /// The class of a method that is running.
    CalledBy(Names),
}

/// Something about a value.
#[derive(Clone, Debug)]
pub enum Test {
    Equals(Literal),
    Matches(Regex),
    Above(i64),
    Below(i64),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    Integer(i64),
    Float(f64),
    Boolean(bool),
    Text(String),
    Null,
}

/// Names of classes or methods, in source form; `*` stands for anything.
#[derive(Clone, Debug)]
pub struct Names {
    exact: BTreeSet<String>,
    patterns: Vec<(String, Regex)>,
}

/// Which numbers count as the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tolerance {
    #[default]
    Exact,
    /// Floating-point numbers that lie so many representable numbers apart.
    Ulp(u32),
    /// Integers that differ only where a computation leaves its range.
    NoOverflow,
}

impl Names {
    /// These names alone, and not what is nested in a class.
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

    /// Whether one of the names is this one. A class is also meant by the name of the class around it.
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
    /// Everything of these classes, in source form, may change.
    pub fn of_changed_classes(classes: impl IntoIterator<Item = String>) -> Spec {
        Spec { changed: vec![Matcher::Class(Names::exactly(classes))], ..Spec::default() }
    }

    /// What a difference between two versions suggests: the classes that differ and those that inherit from them may change, all others
    /// of the program must not, whoever makes their objects.
    pub fn of_changes(changes: &Changes) -> Spec {
        let changed = changes.class_names().map(str::to_owned).chain(changes.inheriting.iter().cloned());
        let mut spec = Spec::of_changed_classes(changed);
        let others = changes.same.iter().filter(|class| !changes.inheriting.contains(*class));
        spec.unchanged = vec![Matcher::Class(Names::exactly(others.cloned()))];
        spec
    }

    /// Every name of a class that stands in a rule.
    pub fn class_names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        self.changed.iter().chain(&self.unchanged).for_each(|matcher| matcher.class_names(&mut names));
        names
    }
}

impl Matcher {
    /// Whether the rule is about all objects of a class, in source form.
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
