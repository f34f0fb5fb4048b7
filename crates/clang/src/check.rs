//! Checks quickly whether a translation unit compiles.

use crate::complaint::complaints;
use crate::library::enter;
use crate::unit::{Unit, on_a_deep_stack};
use crate::{Compilation, Complaint, ParseError, Sources};
use clang_sys::*;

/// Returns the errors outside function bodies, in this process.
pub(crate) fn complaints_about_declarations(
    sources: &Sources,
    compilation: &Compilation,
) -> Result<Vec<Complaint>, ParseError> {
    enter()?;
    on_a_deep_stack(|| {
        enter()?;
        let unit = Unit::parse(sources, compilation, CXTranslationUnit_SkipFunctionBodies)?;
        Ok(complaints(unit.raw))
    })
}
