//! Likely causes of a loss: those of tables 2.2 and 2.3 and some more, as data.
//!
//! A recogniser is a name, a sentence, and a list of clues, all of which must hold. Clues read the
//! trace of the first lost method (its stack, the object it was called on) and the classes of the
//! program. A cause is a hint for a person; the verdict does not depend on it.

mod clue;
mod table;

pub use clue::{Clue, Scene};
pub use table::RECOGNISERS;

/// A likely cause.
#[derive(Debug, PartialEq)]
pub struct Recogniser {
    pub name: &'static str,
    /// A description of the cause.
    pub says: &'static str,
    /// Whether analyses usually exclude this on purpose.
    pub is_dynamic: bool,
    pub clues: &'static [Clue],
}

impl Recogniser {
    pub fn matches(&self, scene: &Scene<'_>) -> bool {
        self.clues.iter().all(|clue| clue.holds(scene))
    }
}

/// The likely causes of a loss, in the order of the table: most specific first.
pub fn causes(scene: &Scene<'_>) -> Vec<&'static Recogniser> {
    RECOGNISERS.iter().filter(|recogniser| recogniser.matches(scene)).collect()
}

/// The recogniser of this name.
pub fn named(name: &str) -> Option<&'static Recogniser> {
    RECOGNISERS.iter().find(|recogniser| recogniser.name == name)
}
