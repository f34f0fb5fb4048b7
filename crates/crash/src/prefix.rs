//! The standard headers that a C++ file starts with, compiled once.
//!
//! Most of what a C++ test costs is reading the same headers again. If a file begins with `#include <...>` lines, those
//! are put into a precompiled header which is included first; the lines themselves then find their headers read. Anything
//! else before or between them (a macro could change what a header means) ends the prefix.

use crate::build::Source;
use lapidary_reduce::{Entry, FileTree, Key, PredicateError};
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A prefix that was seen this often is worth its precompilation, which takes as long as five tests save.
const WORTH_IT: u32 = 5;

pub struct PrefixStore {
    directory: PathBuf,
    prefixes: Mutex<HashMap<Key, Prefix>>,
}

enum Prefix {
    Seen(u32),
    InTheMaking,
    Ready(PathBuf),
    Useless,
}

impl PrefixStore {
    pub fn new(directory: PathBuf) -> Self {
        PrefixStore { directory, prefixes: Mutex::default() }
    }

    /// The flags that make use of a precompiled header for a source with these flags, if there is one. `make` runs the
    /// compiler and says whether it succeeded.
    pub fn flags(
        &self,
        source: &Source,
        tree: &FileTree,
        flags: &[OsString],
        make: impl Fn(&[OsString]) -> Result<bool, PredicateError>,
    ) -> Result<Option<Vec<OsString>>, PredicateError> {
        let Some(text) = prefix(source, tree) else { return Ok(None) };
        let key = key(&text, flags);
        if let Some(ready) = self.look_up(key) {
            return Ok(ready.map(|path| include(&path)));
        }
        let header = self.directory.join(format!("{key}.hpp"));
        let made = self.make(&header, &text, flags, make);
        let usable = matches!(made, Ok(true));
        let prefix = if usable { Prefix::Ready(header.clone()) } else { Prefix::Useless };
        self.lock().insert(key, prefix);
        made.map(|_| usable.then(|| include(&header)))
    }

    /// What is known of a prefix. Nothing if it is to be made, by the caller.
    fn look_up(&self, key: Key) -> Option<Option<PathBuf>> {
        let mut prefixes = self.lock();
        let prefix = prefixes.entry(key).or_insert(Prefix::Seen(0));
        match prefix {
            Prefix::Ready(path) => return Some(Some(path.clone())),
            Prefix::Useless | Prefix::InTheMaking => return Some(None),
            Prefix::Seen(count) if *count + 1 < WORTH_IT => *count += 1,
            Prefix::Seen(_) => {
                *prefix = Prefix::InTheMaking;
                return None;
            }
        }
        Some(None)
    }

    fn make(
        &self,
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

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Key, Prefix>> {
        self.prefixes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Both gcc and clang look for the precompiled form beside the header under this name.
fn precompiled(header: &Path) -> PathBuf {
    header.with_extension("hpp.gch")
}

fn include(header: &Path) -> Vec<OsString> {
    vec!["-include".into(), header.into()]
}

/// Where the candidate lies is not part of what a header means.
fn key(text: &str, flags: &[OsString]) -> Key {
    let mut hasher = blake3::Hasher::new();
    hasher.update(text.as_bytes());
    for flag in flags.iter().map(|flag| flag.as_encoded_bytes()).filter(|flag| !flag.starts_with(b"-fdebug-prefix-map"))
    {
        hasher.update(b"\0").update(flag);
    }
    Key(*hasher.finalize().as_bytes())
}

/// The `#include <...>` lines at the beginning of a file, if there are any.
fn prefix(source: &Source, tree: &FileTree) -> Option<String> {
    let path = if tree.is_directory() { source.path.as_path() } else { Path::new("") };
    let Some(Entry::File { content, .. }) = tree.entry(path) else { return None };
    let text = String::from_utf8_lossy(&content[..content.len().min(1 << 16)]);
    let includes = leading_includes(&text);
    (!includes.is_empty()).then(|| includes.concat())
}

fn leading_includes(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        if let Some(header) = system_header(line) {
            found.push(format!("#include <{header}>\n"));
            rest = after;
        } else if line.starts_with("//") && !line.trim_end().ends_with('\\') {
            rest = after;
        } else if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").map_or("", |(_, after)| after);
        } else {
            break;
        }
        rest = rest.trim_start();
    }
    found
}

fn system_header(line: &str) -> Option<&str> {
    let rest = line.strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start().strip_prefix('<')?;
    let (header, after) = rest.split_once('>')?;
    let nothing_more = after.trim().is_empty() || after.trim_start().starts_with("//");
    (nothing_more && !after.contains('\\')).then_some(header)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_ends_with_anything_that_could_change_a_header() {
        let text = "// a\n/* b\n c */ #include <vector>\n\n# include <map> // m\n#define NDEBUG\n#include <cassert>\n";
        assert_eq!(leading_includes(text), ["#include <vector>\n", "#include <map>\n"]);
        assert!(leading_includes("#define A\n#include <map>\n").is_empty());
        assert!(leading_includes("#include \"a.h\"\n#include <map>\n").is_empty());
        assert!(leading_includes("#include <map> /* a\n*/ int x;").is_empty());
    }
}
