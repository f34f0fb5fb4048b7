//! Two versions of a small program, written where they are compared.

use super::{Place, Run, patient};
use lapidary_testkit::javac;

/// Two versions of a class `T` with others beside it, compiled.
pub fn pair(old: &str, new: &str) -> Place {
    let place = Place::new();
    for (version, source) in [("old", old), ("new", new)] {
        let file = place.write(&format!("{version}/T.java"), source);
        javac(&["-g"], &place.path(format!("{version}/classes")), [file]);
    }
    place
}

/// Compares `T.f`.
pub fn compare(place: &Place, options: &[&str]) -> Run {
    let arguments = ["compare", "old/classes", "new/classes", "--main", "T.f"];
    place.lapidary(&patient(&[&arguments, options].concat()))
}
