//! Parses one translation unit from texts in memory.

use crate::compilation::{Compilation, Sources};
use crate::complaint::complaints;
use crate::index::new_index;
use crate::library::{LoadError, enter};
use crate::path::is_same;
use crate::text::owned;
use crate::tree::Syntax;
use crate::walk::walk;
use clang_sys::*;
use lapidary_common::stack;
use std::ffi::CString;
use std::path::PathBuf;
use std::ptr;
use thiserror::Error;

/// The reason for a file without a syntax tree.
#[derive(Clone, Debug, Error)]
pub enum ParseError {
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error("libclang cannot read {} ({reason})", file.display())]
    Failed { file: PathBuf, reason: String },
    #[error("libclang does not accept the file name {}", file.display())]
    Name { file: PathBuf },
}

/// Parses a translation unit in this process.
pub(crate) fn parse(sources: &Sources, compilation: &Compilation) -> Result<Syntax, ParseError> {
    enter()?;
    on_a_deep_stack(|| {
        enter()?;
        let unit = Unit::parse(sources, compilation, CXTranslationUnit_DetailedPreprocessingRecord)?;
        Ok(syntax(&unit, sources, compilation))
    })
}

/// Builds the tree of a unit that was read from these sources.
pub(crate) fn syntax(unit: &Unit, sources: &Sources, compilation: &Compilation) -> Syntax {
    let mut syntax = walk(unit.raw, sources);
    syntax.complaints = complaints(unit.raw);
    syntax.language = compilation.language();
    syntax
}

/// Runs a function on a thread with a large stack, since generated code can nest expressions
/// deeply.
pub(crate) fn on_a_deep_stack<T: Send>(act: impl FnOnce() -> T + Send) -> T {
    stack::on_a_deep_stack(1 << 30, act)
}

/// A libclang translation unit, disposed of when dropped.
pub(crate) struct Unit {
    index: CXIndex,
    pub(crate) raw: CXTranslationUnit,
}

impl Unit {
    pub(crate) fn parse(
        sources: &Sources,
        compilation: &Compilation,
        options: CXTranslationUnit_Flags,
    ) -> Result<Unit, ParseError> {
        let file = name_for_clang(&compilation.file)?;
        let arguments: Vec<CString> =
            all_arguments(compilation).iter().filter_map(|text| CString::new(text.as_str()).ok()).collect();
        let pointers: Vec<_> = arguments.iter().map(|text| text.as_ptr()).collect();
        let unsaved = Unsaved::of(sources)?;
        let mut raw = ptr::null_mut();
        // SAFETY: all pointers point to live values of the stated lengths; libclang copies what it
        // keeps.
        let (index, code) = unsafe {
            let index = new_index().unwrap_or_else(|| clang_createIndex(0, 0));
            let code = clang_parseTranslationUnit2(
                index,
                file.as_ptr(),
                pointers.as_ptr(),
                pointers.len() as i32,
                unsaved.raw.as_ptr().cast_mut(),
                unsaved.raw.len() as u32,
                options | CXTranslationUnit_KeepGoing,
                &mut raw,
            );
            (index, code)
        };
        let unit = Unit { index, raw };
        if code == CXError_Success && !raw.is_null() {
            return Ok(unit);
        }
        let reason =
            if code == CXError_Crashed { "it crashed" } else { "it gave up: unknown arguments, or no such file" };
        Err(ParseError::Failed { file: compilation.file.clone(), reason: reason.to_owned() })
    }

    /// Reparses the unit from the current sources. Returns false if libclang gave up.
    pub(crate) fn reparse(&mut self, sources: &Sources) -> bool {
        let Ok(unsaved) = Unsaved::of(sources) else { return false };
        // SAFETY: all pointers point to live values of the stated lengths; libclang copies what it
        // keeps.
        let code = unsafe {
            clang_reparseTranslationUnit(
                self.raw,
                unsaved.raw.len() as u32,
                unsaved.raw.as_ptr().cast_mut(),
                clang_defaultReparseOptions(self.raw),
            )
        };
        code == 0
    }

    /// Returns those of the sources that the unit includes.
    pub(crate) fn files_read(&self, sources: &Sources) -> Vec<PathBuf> {
        let mut names: Vec<PathBuf> = Vec::new();
        // SAFETY: the unit is alive, and the visitor gets a pointer to `names`, which outlives the
        // visit.
        unsafe { clang_getInclusions(self.raw, note_file, ptr::from_mut(&mut names).cast()) };
        let is_read = |path: &&PathBuf| names.iter().any(|name| is_same(name, path));
        sources.files.iter().map(|file| &file.path).filter(is_read).cloned().collect()
    }
}

extern "C" fn note_file(file: CXFile, _stack: *mut CXSourceLocation, _depth: u32, data: CXClientData) {
    // SAFETY: the pointer comes from `files_read`, and the file belongs to the live unit.
    unsafe { (*data.cast::<Vec<PathBuf>>()).push(PathBuf::from(owned(clang_getFileName(file)))) }
}

// SAFETY: libclang's objects are not tied to a thread. They only must not be used by two threads at
// once, and reparsing requires `&mut`.
unsafe impl Send for Unit {}

impl Drop for Unit {
    fn drop(&mut self) {
        // SAFETY: both come from libclang, and this value is their only owner.
        unsafe {
            if !self.raw.is_null() {
                clang_disposeTranslationUnit(self.raw);
            }
            clang_disposeIndex(self.index);
        }
    }
}

struct Unsaved<'a> {
    raw: Vec<CXUnsavedFile>,
    _names: Vec<CString>,
    _sources: &'a Sources,
}

impl Unsaved<'_> {
    fn of(sources: &Sources) -> Result<Unsaved<'_>, ParseError> {
        let names = sources.files.iter().map(|file| name_for_clang(&file.path)).collect::<Result<Vec<_>, _>>()?;
        let raw = names.iter().zip(&sources.files).map(|(name, file)| CXUnsavedFile {
            Filename: name.as_ptr(),
            Contents: file.text.as_ptr().cast(),
            Length: file.text.len() as _,
        });
        Ok(Unsaved { raw: raw.collect(), _names: names, _sources: sources })
    }
}

fn name_for_clang(path: &std::path::Path) -> Result<CString, ParseError> {
    use std::os::unix::ffi::OsStrExt;
    CString::new(path.as_os_str().as_bytes()).map_err(|_| ParseError::Name { file: path.to_owned() })
}

/// Adds our own compiler arguments. Warnings are off, except those that the user turned into errors
/// by name. Deep nesting is allowed, since generated code may need it. Options that only gcc knows
/// are ignored.
fn all_arguments(compilation: &Compilation) -> Vec<String> {
    let given = &compilation.arguments;
    let errors: Vec<String> = given.iter().filter(|argument| argument.starts_with("-Werror=")).cloned().collect();
    // `-w` would also suppress the warnings that are to become errors.
    let warnings = if errors.is_empty() { "-w" } else { "-Wno-error" };
    let ours =
        [warnings, "-ferror-limit=0", "-fbracket-depth=100000", "-Wno-unknown-warning-option", "-Qunused-arguments"];
    given.iter().cloned().chain(ours.map(str::to_owned)).chain(errors).collect()
}
