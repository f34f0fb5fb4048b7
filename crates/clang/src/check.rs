//! Does it compile? Asked of libclang in process, again and again for changing texts.

use crate::library::enter;
use crate::text::owned;
use crate::unit::Unit;
use crate::{Compilation, ParseError, Sources};
use clang_sys::*;
use std::fmt;

/// An error the compiler reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    pub line: u32,
    pub message: String,
}

impl fmt::Display for Complaint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {}: {}", self.line, self.message)
    }
}

/// Keeps a translation unit, so that headers at the top of the file are read once and not for every text.
pub struct Checker {
    compilation: Compilation,
    unit: Option<Unit>,
}

impl Checker {
    pub fn new(compilation: Compilation) -> Checker {
        Checker { compilation, unit: None }
    }

    /// The errors in these texts.
    pub fn complaints(&mut self, sources: &Sources) -> Result<Vec<Complaint>, ParseError> {
        enter()?;
        let is_read = self.unit.as_mut().is_some_and(|unit| unit.reparse(sources));
        if !is_read {
            self.unit = None;
            let options = CXTranslationUnit_PrecompiledPreamble | CXTranslationUnit_CreatePreambleOnFirstParse;
            self.unit = Some(Unit::parse(sources, &self.compilation, options)?);
        }
        Ok(self.unit.as_ref().map(|unit| complaints(unit.raw)).unwrap_or_default())
    }
}

pub(crate) fn complaints(unit: CXTranslationUnit) -> Vec<Complaint> {
    // SAFETY: the unit is alive, indices are below the count, and each diagnostic is disposed of once.
    unsafe {
        let count = clang_getNumDiagnostics(unit);
        (0..count).filter_map(|index| complaint(clang_getDiagnostic(unit, index))).collect()
    }
}

unsafe fn complaint(diagnostic: CXDiagnostic) -> Option<Complaint> {
    // SAFETY: the caller hands over a diagnostic of libclang.
    unsafe {
        let is_error = clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error;
        let found = is_error.then(|| {
            let mut line = 0;
            let nowhere = std::ptr::null_mut::<u32>();
            clang_getFileLocation(clang_getDiagnosticLocation(diagnostic), nowhere.cast(), &mut line, nowhere, nowhere);
            Complaint { line, message: owned(clang_getDiagnosticSpelling(diagnostic)) }
        });
        clang_disposeDiagnostic(diagnostic);
        found
    }
}
