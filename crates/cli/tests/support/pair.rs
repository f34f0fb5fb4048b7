//! Two versions of a small program, written where they are compared.

use super::{Place, Run, patient};
use std::process::Command;

/// Two versions of a class `T` with others beside it, compiled.
pub fn pair(old: &str, new: &str) -> Place {
    let place = Place::new();
    for (version, source) in [("old", old), ("new", new)] {
        let file = place.write(&format!("{version}/T.java"), source);
        let mut javac = Command::new("javac");
        javac.args(["-g", "-nowarn", "-d"]).arg(place.path(format!("{version}/classes"))).arg(file);
        let ended = javac.output().expect("javac is installed");
        assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    }
    place
}

/// Compares `T.f`.
pub fn compare(place: &Place, options: &[&str]) -> Run {
    let arguments = ["compare", "old/classes", "new/classes", "--main", "T.f"];
    place.lapidary(&patient(&[&arguments, options].concat()))
}
