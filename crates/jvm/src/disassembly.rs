//! Classes as text for people: declarations as in Java source, and code with resolved operands.
//!
//! The text is made to be read and compared. A position in code is a label, and only targets of
//! jumps and ends of handlers have one, so that removing an instruction changes no other line. No
//! class makes it panic or grow without bounds: what is malformed is shown as it is in the file,
//! and a text ends after 4 MiB.

mod annotations;
mod code;
mod constants;
mod header;
mod members;
mod module;
mod paper;
mod types;

use lapidary_classfile::Class;
use paper::Paper;

/// The class as text, which ends with a line break.
#[must_use]
pub fn disassemble(class: &Class) -> String {
    let mut paper = Paper::default();
    if !module::write(class, &mut paper) {
        header::write(class, &mut paper);
        paper.line(" {");
        members::write(class, &mut paper);
        paper.line("}");
    }
    paper.finish()
}
