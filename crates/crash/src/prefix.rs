//! Precompiles the standard headers that a file starts with.
//!
//! Most of the cost of a C++ test is reading the same headers again. The [`crate::leading`] lines
//! of a file are put into a header that is included first; in C++ it is precompiled. When the
//! compiler reaches the lines themselves, their headers have already been read.
//!
//! A candidate that has lost some of the lines can borrow the header made from more lines, if its
//! caller permits. It may then compile without a header that it needs.

use crate::build::Source;
use crate::flags::is_prefix_map;
use crate::leading::prefix;
use crate::stack::is_subsequence;
use crate::toolchain::Exactness;
use lapidary_reduce::{FileTree, Key, PredicateError};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The number of uses from which precompiling pays off although another prefix can be borrowed.
/// Precompiling takes as long as two tests without it, and makes a test three times as fast. With
/// another prefix to borrow, there is less to gain.
const WORTH_IT_BESIDE_ANOTHER: u32 = 6;

/// Precompiled headers, by the directives that they stand for.
pub struct PrefixStore {
    directory: PathBuf,
    prefixes: Mutex<Vec<Prefix>>,
}

struct Prefix {
    includes: Vec<String>,
    flags: Key,
    state: State,
    uses: u32,
}

#[derive(Clone)]
enum State {
    Seen,
    InTheMaking,
    Ready(PathBuf),
    Useless,
}

impl Prefix {
    fn is_ready(&self) -> bool {
        matches!(self.state, State::Ready(_))
    }

    /// Returns whether a candidate that begins with these lines finds all of them here.
    fn lends_to(&self, includes: &[String], flags: Key) -> bool {
        self.flags == flags && self.includes != includes && is_subsequence(includes, &self.includes)
    }
}

/// A header to include first.
pub struct Precompiled {
    header: PathBuf,
    pub exactness: Exactness,
}

impl Precompiled {
    pub fn flags(&self) -> [OsString; 2] {
        ["-include".into(), self.header.clone().into()]
    }
}

impl PrefixStore {
    pub fn new(directory: PathBuf) -> Self {
        PrefixStore { directory, prefixes: Mutex::default() }
    }

    /// Returns the precompiled header for a source with these flags, if there is one. The header
    /// ends with `more`, if that compiles after the source's headers. `make` runs the compiler and
    /// returns whether it succeeded.
    pub fn header(
        &self,
        source: &Source,
        tree: &FileTree,
        wanted: Exactness,
        flags: &[OsString],
        more: &str,
        make: impl Fn(&[OsString]) -> Result<bool, PredicateError>,
    ) -> Result<Option<Precompiled>, PredicateError> {
        let includes = prefix(source, tree);
        if includes.is_empty() {
            return Ok(None);
        }
        let (number, exactness) = self.choose(&includes, key(flags, more), wanted);
        match self.visit(number) {
            State::Ready(header) => Ok(Some(Precompiled { header, exactness })),
            State::InTheMaking => {
                let header = self.directory.join(format!("{number}.hpp"));
                let text = self.lock()[number].includes.concat();
                let mut made = precompile(&header, &(text.clone() + more), flags, &make);
                if matches!(made, Ok(false)) && !more.is_empty() {
                    made = precompile(&header, &text, flags, &make);
                }
                self.lock()[number].state = match made {
                    Ok(true) => State::Ready(header.clone()),
                    Ok(false) => State::Useless,
                    // The candidate was cancelled, which says nothing about the header.
                    Err(_) => State::Seen,
                };
                made.map(|is_made| is_made.then_some(Precompiled { header, exactness }))
            }
            State::Seen | State::Useless => Ok(None),
        }
    }

    /// Returns the number of the prefix to use: the file's own if it is ready or no other fits. Of
    /// the others, the latest has the fewest lines that are not needed.
    fn choose(&self, includes: &[String], flags: Key, wanted: Exactness) -> (usize, Exactness) {
        let mut prefixes = self.lock();
        let known = prefixes.iter().position(|prefix| prefix.flags == flags && prefix.includes == includes);
        let own = known.unwrap_or(prefixes.len());
        if known.is_none() {
            let includes = includes.to_vec();
            prefixes.push(Prefix { includes, flags, state: State::Seen, uses: 0 });
        }
        if prefixes[own].is_ready() || wanted == Exactness::Exact {
            return (own, Exactness::Exact);
        }
        let lender = prefixes.iter().rposition(|prefix| prefix.is_ready() && prefix.lends_to(includes, flags));
        if let Some(lender) = lender {
            return (lender, Exactness::Borrowing);
        }
        (own, Exactness::Exact)
    }

    /// Counts a use. The caller that gets `InTheMaking` must make the header; others do without it
    /// meanwhile.
    fn visit(&self, number: usize) -> State {
        let mut prefixes = self.lock();
        let Prefix { includes, flags, .. } = &prefixes[number];
        let has_lender = prefixes.iter().any(|prefix| prefix.is_ready() && prefix.lends_to(includes, *flags));
        let worth_it = if has_lender { WORTH_IT_BESIDE_ANOTHER } else { 1 };
        let prefix = &mut prefixes[number];
        prefix.uses += 1;
        match &prefix.state {
            State::Seen if prefix.uses >= worth_it => {
                prefix.state = State::InTheMaking;
                State::InTheMaking
            }
            State::InTheMaking => State::Seen,
            other => other.clone(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Prefix>> {
        self.prefixes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn precompile(
    header: &Path,
    text: &str,
    flags: &[OsString],
    make: impl Fn(&[OsString]) -> Result<bool, PredicateError>,
) -> Result<bool, PredicateError> {
    if std::fs::write(header, text).is_err() {
        return Ok(false);
    }
    let mut arguments = flags.to_vec();
    let language = ["-x".into(), "c++-header".into()];
    arguments.extend(language.into_iter().chain([header.into(), "-o".into(), precompiled(header).into()]));
    make(&arguments)
}

/// Returns the path at which both gcc and clang look for the precompiled form of a header.
fn precompiled(header: &Path) -> PathBuf {
    header.with_extension("hpp.gch")
}

/// Returns a key for the flags. The candidate's location does not affect what a header means, so it
/// is left out.
fn key(flags: &[OsString], more: &str) -> Key {
    let mut hasher = blake3::Hasher::new();
    hasher.update(more.as_bytes());
    for flag in flags.iter().filter(|flag| !is_prefix_map(flag)) {
        hasher.update(b"\0").update(flag.as_encoded_bytes());
    }
    Key(*hasher.finalize().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lapidary_reduce::Entry;

    #[test]
    fn a_header_of_the_programs_own_is_not_precompiled() {
        let directory = tempfile::tempdir().unwrap();
        let store = PrefixStore::new(directory.path().to_path_buf());
        let source = Source { path: "a.cpp".into(), flags: Vec::new() };
        let precompiled = |text: &str| {
            let files = [("a.cpp", text), ("include/lib/list.hpp", "")];
            let entries = files.iter().map(|(path, text)| (path.into(), Entry::file(*text))).collect();
            let tree = FileTree::directory("p", entries);
            let ask =
                || store.header(&source, &tree, Exactness::Exact, &["-Iinclude".into()], "", |_| Ok(true)).unwrap();
            (ask(), ask()).1.is_some()
        };
        assert!(!precompiled("#include <lib/list.hpp>\n"));
        assert!(precompiled("#include <vector>\n#include <lib/list.hpp>\n"));
        let made = std::fs::read_to_string(directory.path().join("0.hpp")).unwrap();
        assert_eq!(made, "#include <vector>\n");
    }

    #[test]
    fn a_candidate_borrows_only_if_it_may() {
        let directory = tempfile::tempdir().unwrap();
        let store = PrefixStore::new(directory.path().to_path_buf());
        let source = Source { path: "a.cpp".into(), flags: Vec::new() };
        let ask = |text: &str, wanted| {
            let tree = FileTree::file("a.cpp", text);
            let header = store.header(&source, &tree, wanted, &["-O0".into()], "", |_| Ok(true)).unwrap();
            header.map(|header| header.exactness)
        };
        let (both, one) = ("#include <map>\n#include <vector>\n", "#include <vector>\n");
        assert_eq!(ask(both, Exactness::Exact), Some(Exactness::Exact));
        assert_eq!(ask(one, Exactness::Borrowing), Some(Exactness::Borrowing));
        assert_eq!(ask(one, Exactness::Exact), None, "one use is not worth it if there is another");
        assert_eq!(ask("#include <set>\n", Exactness::Borrowing), Some(Exactness::Exact), "it is in none of them");
        assert_eq!(ask("int x;\n", Exactness::Borrowing), None);
    }

    #[test]
    fn a_cancelled_compilation_leaves_the_header_to_the_next() {
        let directory = tempfile::tempdir().unwrap();
        let store = PrefixStore::new(directory.path().to_path_buf());
        let source = Source { path: "a.cpp".into(), flags: Vec::new() };
        let tree = FileTree::file("a.cpp", "#include <map>\n");
        let ask = |make: fn(&[OsString]) -> Result<bool, PredicateError>| {
            store.header(&source, &tree, Exactness::Exact, &["-O0".into()], "", make)
        };
        assert!(ask(|_| Err(PredicateError::Cancelled)).is_err());
        assert!(ask(|_| Ok(true)).unwrap().is_some());
        assert!(ask(|_| Ok(false)).unwrap().is_some(), "it is there");
    }
}
