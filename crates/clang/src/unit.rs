//! Parsing one translation unit out of texts in memory.

use crate::check::complaints;
use crate::index::new_index;
use crate::library::{LoadError, enter};
use crate::text::owned;
use crate::tree::{SourceFile, Syntax};
use crate::walk::{is_same, walk};
use clang_sys::*;
use std::ffi::CString;
use std::path::PathBuf;
use std::ptr;
use std::thread;
use thiserror::Error;

/// The user's files. Paths are absolute; nothing need be there on disk, and what is there is not read.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    pub files: Vec<SourceFile>,
}

/// How one of the files is compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compilation {
    pub file: PathBuf,
    /// As the compiler gets them, without the compiler and the file.
    pub arguments: Vec<String>,
}

impl Compilation {
    /// Whether the file is taken for C++: the last `-x` says so, or else its name.
    pub fn is_cpp(&self) -> bool {
        const C: [&str; 4] = ["c", "i", "h", "s"];
        let after = self.arguments.iter().zip(self.arguments.iter().skip(1));
        let given = after.filter(|(option, _)| *option == "-x").map(|(_, language)| language.as_str());
        let joined = self.arguments.iter().filter_map(|argument| argument.strip_prefix("-x"));
        let language = given.chain(joined.filter(|language| !language.is_empty())).last();
        let extension = self.file.extension().and_then(|extension| extension.to_str()).unwrap_or("c");
        language.map_or(!C.contains(&extension), |language| language.starts_with("c++"))
    }
}

#[derive(Clone, Debug, Error)]
pub enum ParseError {
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error("libclang cannot read {} ({reason})", file.display())]
    Failed { file: PathBuf, reason: &'static str },
    #[error("{} has a name that libclang cannot be told", file.display())]
    Name { file: PathBuf },
}

/// The syntax tree of a translation unit, with what the compiler complains about. Errors in the text are complaints, and
/// the tree is what could be made of it.
pub fn parse(sources: &Sources, compilation: &Compilation) -> Result<Syntax, ParseError> {
    enter()?;
    on_a_deep_stack(|| {
        enter()?;
        let unit = Unit::parse(sources, compilation, CXTranslationUnit_DetailedPreprocessingRecord)?;
        Ok(syntax(&unit, sources, compilation))
    })
}

/// The tree of a unit that was read from these sources.
pub(crate) fn syntax(unit: &Unit, sources: &Sources, compilation: &Compilation) -> Syntax {
    let mut syntax = walk(unit.raw, sources);
    syntax.complaints = complaints(unit.raw);
    syntax.is_cpp = compilation.is_cpp();
    syntax
}

/// Expressions can be nested as deep as a generated file likes.
pub(crate) fn on_a_deep_stack<T: Send>(act: impl FnOnce() -> T + Send) -> T {
    const STACK_BYTES: usize = 1 << 30;
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, act);
        thread.expect("a thread can be started").join().expect("libclang's reader does not panic")
    })
}

/// A translation unit of libclang; it is disposed of when dropped.
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
        // SAFETY: all pointers are to live values of the stated lengths; libclang copies what it keeps.
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
        Err(ParseError::Failed { file: compilation.file.clone(), reason })
    }

    /// Reads the files anew; false if libclang gave up.
    pub(crate) fn reparse(&mut self, sources: &Sources) -> bool {
        let Ok(unsaved) = Unsaved::of(sources) else { return false };
        // SAFETY: as for parsing.
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

    /// Which of the sources it consists of.
    pub(crate) fn files_read(&self, sources: &Sources) -> Vec<PathBuf> {
        let mut names: Vec<PathBuf> = Vec::new();
        // SAFETY: the unit is alive, and the visitor gets a pointer to `names`, which outlives the visit.
        unsafe { clang_getInclusions(self.raw, note_file, ptr::from_mut(&mut names).cast()) };
        let is_read = |path: &&PathBuf| names.iter().any(|name| is_same(name, path));
        sources.files.iter().map(|file| &file.path).filter(is_read).cloned().collect()
    }
}

extern "C" fn note_file(file: CXFile, _stack: *mut CXSourceLocation, _depth: u32, data: CXClientData) {
    // SAFETY: the pointer is the one given by `files_read`, and the file is one of the live unit.
    unsafe { (*data.cast::<Vec<PathBuf>>()).push(PathBuf::from(owned(clang_getFileName(file)))) }
}

// SAFETY: libclang's objects belong to no thread; they must only not be used by two at once, and `&mut` is needed to
// read them anew.
unsafe impl Send for Unit {}

impl Drop for Unit {
    fn drop(&mut self) {
        // SAFETY: both come from libclang, and nobody else has them.
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

/// Warnings are of no interest, but for those that are made errors by their names; generated code may nest deeply. What
/// gcc alone knows is passed over.
fn all_arguments(compilation: &Compilation) -> Vec<String> {
    let given = &compilation.arguments;
    let errors: Vec<String> = given.iter().filter(|argument| argument.starts_with("-Werror=")).cloned().collect();
    // With `-w` there are no warnings to make errors of.
    let warnings = if errors.is_empty() { "-w" } else { "-Wno-error" };
    let ours =
        [warnings, "-ferror-limit=0", "-fbracket-depth=100000", "-Wno-unknown-warning-option", "-Qunused-arguments"];
    given.iter().cloned().chain(ours.map(str::to_owned)).chain(errors).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_cpp(file: &str, arguments: &[&str]) -> bool {
        let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        Compilation { file: file.into(), arguments }.is_cpp()
    }

    #[test]
    fn an_option_says_more_about_the_language_than_a_name() {
        assert!(is_cpp("a.cpp", &["-O2"]));
        assert!(!is_cpp("a.c", &[]));
        assert!(is_cpp("a.c", &["-x", "c++"]));
        assert!(!is_cpp("a.cc", &["-xc++", "-xc"]));
    }
}
