//! The files that a run writes are all in different places, and replace nothing that it reads and
//! nothing that is no document of ours.

use crate::aside::directory_of;
use crate::documents::DocumentKind;
use anyhow::bail;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A file or directory that a command writes.
#[derive(Clone, Debug)]
pub struct Written {
    /// Its name in messages: an option, or words such as `the result`.
    pub what: &'static str,
    /// Its place. `-` is standard output.
    pub path: PathBuf,
    /// The sort of a document, which replaces nothing but an older one. `None` for a file that has
    /// a protection of its own.
    pub document: Option<DocumentKind>,
}

impl Written {
    /// A document.
    pub fn document(document: DocumentKind, what: &'static str, path: impl Into<PathBuf>) -> Written {
        Written { what, path: path.into(), document: Some(document) }
    }

    /// A file or directory that something else protects.
    pub fn other(what: &'static str, path: impl Into<PathBuf>) -> Written {
        Written { what, path: path.into(), document: None }
    }
}

/// Makes sure that no two files go to the same place, that none replaces one of those that are read,
/// contains it, or lies in it, and that documents can be written ([`DocumentKind`]).
pub fn must_be_apart(written: &[Written], read: &[PathBuf]) -> crate::Result<()> {
    Ok(check(written, read)?)
}

/// Like [`must_be_apart`], for other modules of this crate.
pub(crate) fn check(written: &[Written], read: &[PathBuf]) -> anyhow::Result<()> {
    // Inputs that exist only in memory cannot be replaced.
    let read: BTreeSet<PathBuf> = read.iter().filter_map(|path| path.canonicalize().ok()).collect();
    let mut places: BTreeMap<PathBuf, &str> = BTreeMap::new();
    for Written { what, path, document } in written {
        let place = real_place(path)?;
        let contains_input = read.range(place.clone()..).next().is_some_and(|input| input.starts_with(&place));
        if contains_input || place.ancestors().any(|above| read.contains(above)) {
            bail!("{what} cannot go to {}: the input is never overwritten", path.display());
        }
        if let Some(other) = places.insert(place, what) {
            bail!("{other} and {what} cannot both go to {}", path.display());
        }
        document.map_or(Ok(()), |document| document.checked(path))?;
    }
    Ok(())
}

/// The place without links, whether there is something or not.
fn real_place(path: &Path) -> anyhow::Result<PathBuf> {
    if path == Path::new("-") {
        return Ok(path.to_owned());
    }
    let shown = path.display();
    if path.as_os_str().as_encoded_bytes().ends_with(b"/") && !path.is_dir() {
        bail!("{shown} is no directory: make it first and name a new file in it, or leave out the slash at the end");
    }
    let Ok(above) = directory_of(path).canonicalize() else {
        bail!("the directory of {shown} does not exist: make it first, or choose another place")
    };
    Ok(path.canonicalize().unwrap_or_else(|_| above.join(path.file_name().unwrap_or_default())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(written: &[(&'static str, &Path)], read: &[PathBuf]) -> Option<String> {
        let written: Vec<Written> = written.iter().map(|(what, path)| Written::other(what, *path)).collect();
        check(&written, read).err().map(|error| error.to_string())
    }

    #[test]
    fn a_place_has_many_names_and_holds_one_file() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        std::fs::create_dir(path("sub")).unwrap();
        std::fs::write(path("there"), "").unwrap();
        std::os::unix::fs::symlink(path("there"), path("link")).unwrap();
        for (one, other) in [("new", "sub/../new"), ("there", "link"), ("there", "./there")] {
            let said = refused(&[("--json", &path(one)), ("--events", &path(other))], &[]).unwrap();
            assert!(said.starts_with("--json and --events cannot both go to "), "{said}");
        }
        assert_eq!(refused(&[("--json", &path("new")), ("--events", &path("sub/new"))], &[path("there")]), None);
        assert!(refused(&[("--json", Path::new("-")), ("--events", Path::new("-"))], &[]).is_some());
    }

    #[test]
    fn nothing_that_is_read_is_replaced() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        std::fs::create_dir(path("input")).unwrap();
        std::fs::write(path("input/a"), "").unwrap();
        for (wrong, read) in [("input", "input/a"), ("input/a", "input/a"), ("input/b", "input"), ("input", "input")] {
            assert!(refused(&[("the result", &path(wrong))], &[path(read)]).is_some(), "{wrong} {read}");
        }
        assert_eq!(refused(&[("the result", &path("input/b"))], &[path("input/a"), path("input/b/c")]), None);
        assert_eq!(refused(&[("the result", &path("inputs"))], &[path("input")]), None);
        assert!(refused(&[("the result", &path("no/such"))], &[]).unwrap().contains("does not exist"));
    }

    #[test]
    fn a_document_is_protected_whatever_it_is_called() {
        let place = tempfile::tempdir().unwrap();
        let mine = place.path().join("mine");
        std::fs::write(&mine, "#!/bin/sh\n").unwrap();
        let said = check(&[Written::document(DocumentKind::Page, "the picture", &mine)], &[]).unwrap_err();
        assert!(said.to_string().contains("is no page of Lapidary"), "{said}");
        check(&[Written::other("--json", &mine)], &[]).unwrap();
    }

    #[test]
    fn a_slash_at_the_end_needs_a_directory() {
        let place = tempfile::tempdir().unwrap();
        let said = refused(&[("the result", &place.path().join("new/"))], &[]).unwrap();
        assert!(
            said.ends_with(
                "/new/ is no directory: make it first and name a new file in it, or leave out the slash at the end"
            ),
            "{said}"
        );
        assert_eq!(refused(&[("the result", &place.path().join(""))], &[]), None);
    }
}
