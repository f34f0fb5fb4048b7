//! The errors that libclang reports for a translation unit.

use crate::text::owned;
use clang_sys::*;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;
use std::ptr;

/// An error that the compiler reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Complaint {
    /// The file, under libclang's name for it. `None` if the error concerns no file.
    pub file: Option<PathBuf>,
    pub line: u32,
    pub message: String,
}

impl fmt::Display for Complaint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(formatter, "{}:{}: {}", file.display(), self.line, self.message),
            None => write!(formatter, "{}", self.message),
        }
    }
}

pub(crate) fn complaints(unit: CXTranslationUnit) -> Vec<Complaint> {
    // SAFETY: the unit is alive, indices are below the count, and each diagnostic is disposed of
    // once.
    unsafe {
        let count = clang_getNumDiagnostics(unit);
        (0..count).filter_map(|index| complaint(clang_getDiagnostic(unit, index))).collect()
    }
}

unsafe fn complaint(diagnostic: CXDiagnostic) -> Option<Complaint> {
    // SAFETY: the caller passes a diagnostic that libclang handed out.
    unsafe {
        let is_error = clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error;
        let found = is_error.then(|| {
            let (mut file, mut line) = (ptr::null_mut(), 0);
            let place = clang_getDiagnosticLocation(diagnostic);
            clang_getFileLocation(place, &mut file, &mut line, ptr::null_mut(), ptr::null_mut());
            let file = (!file.is_null()).then(|| PathBuf::from(owned(clang_getFileName(file))));
            Complaint { file, line, message: owned(clang_getDiagnosticSpelling(diagnostic)) }
        });
        clang_disposeDiagnostic(diagnostic);
        found
    }
}
