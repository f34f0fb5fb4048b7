//! Grammars from shared libraries.

use crate::LanguageError;
use std::path::{Path, PathBuf};
use tree_sitter::{LANGUAGE_VERSION, MIN_COMPATIBLE_LANGUAGE_VERSION};
use tree_sitter_language::LanguageFn;

/// A grammar, and the files found beside its library.
pub(crate) struct Loaded {
    pub(crate) name: String,
    pub(crate) grammar: tree_sitter::Language,
    pub(crate) node_types: Option<String>,
    pub(crate) queries: Vec<String>,
}

pub(crate) fn load(path: &Path) -> Result<Loaded, LanguageError> {
    let (path, name) = split(path);
    let grammar = grammar(&path, &name)?;
    let abi = grammar.abi_version();
    let (oldest, newest) = (MIN_COMPATIBLE_LANGUAGE_VERSION, LANGUAGE_VERSION);
    if !(oldest..=newest).contains(&abi) {
        return Err(LanguageError::Version { path, abi, oldest, newest });
    }
    let folder = path.parent().unwrap_or(Path::new(".")).to_path_buf();
    let node_types = first_of(&folder, &["node-types.json", "src/node-types.json"]);
    let queries = ["queries/tags.scm", "queries/locals.scm"];
    let queries = queries.iter().filter_map(|query| first_of(&folder, &[query])).collect();
    Ok(Loaded { name, grammar, node_types, queries })
}

/// Splits `PATH:NAME`, or derives the name from the file name.
fn split(path: &Path) -> (PathBuf, String) {
    let text = path.to_string_lossy();
    if let Some((file, name)) = text.rsplit_once(':')
        && !name.contains('/')
        && !path.exists()
    {
        return (PathBuf::from(file), name.to_string());
    }
    let stem = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = stem.split('.').next().unwrap_or_default();
    let stem = stem.strip_prefix("lib").unwrap_or(stem);
    let name = stem.strip_prefix("tree-sitter-").or_else(|| stem.strip_prefix("tree_sitter_")).unwrap_or(stem);
    (path.to_path_buf(), name.replace('-', "_"))
}

fn grammar(path: &Path, name: &str) -> Result<tree_sitter::Language, LanguageError> {
    let broken = |error: libloading::Error| LanguageError::Load { path: path.into(), reason: error.to_string() };
    let absolute = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    // SAFETY: the user names a grammar library; loading one runs no code but its initialisers.
    let library = unsafe { libloading::Library::new(absolute) }.map_err(broken)?;
    let symbol = format!("tree_sitter_{name}");
    // SAFETY: by tree-sitter's convention a function of this name has this type.
    let function = unsafe { library.get::<unsafe extern "C" fn() -> *const ()>(symbol.as_bytes()) }
        .map(|function| *function)
        .map_err(|_| LanguageError::Symbol { path: path.into(), symbol })?;
    // The grammar's tables live in the library, so it stays loaded until the program ends.
    std::mem::forget(library);
    // SAFETY: as above.
    Ok(unsafe { LanguageFn::from_raw(function) }.into())
}

fn first_of(folder: &Path, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| std::fs::read_to_string(folder.join(name)).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_grammar_is_in_its_path() {
        let name = |path: &str| split(Path::new(path)).1;
        assert_eq!(name("/x/libtree-sitter-c-sharp.so"), "c_sharp");
        assert_eq!(name("foo.so"), "foo");
        assert_eq!(name("/x/parser.so:bar"), "bar");
    }

    #[test]
    fn what_is_no_library_is_an_error_that_names_it() {
        let error = load(Path::new("/nonexistent/foo.so")).err().unwrap().to_string();
        assert!(error.contains("/nonexistent/foo.so"), "{error}");
    }
}
