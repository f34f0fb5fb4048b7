//! Finds the journals below folders.
//!
//! Invariant: links to folders are not followed, so a search always ends, and a journal that was
//! found twice is listed once.

use lapidary_reduce::journal::ENDING;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The finds of a search, in the order of the paths.
#[derive(Debug, Default)]
pub struct FoundJournals {
    /// The journals.
    pub journals: BTreeSet<PathBuf>,
    /// Folders and journals that cannot be read.
    pub unreadable: Vec<Unreadable>,
}

/// A journal or a folder that cannot be read.
#[derive(Debug)]
pub struct Unreadable {
    /// Where it is.
    pub path: PathBuf,
    /// The problem.
    pub problem: String,
}

/// The journals that were named, and those below the folders that were named.
pub fn journals(named: &[PathBuf]) -> FoundJournals {
    let mut found = FoundJournals::default();
    for path in named {
        match path.is_dir() {
            true => found.below(path.clone()),
            false => drop(found.journals.insert(path.clone())),
        }
    }
    found
}

impl FoundJournals {
    fn below(&mut self, folder: PathBuf) {
        let mut folders = vec![folder];
        while let Some(folder) = folders.pop() {
            let entries = match std::fs::read_dir(&folder).and_then(Iterator::collect::<Result<Vec<_>, _>>) {
                Ok(entries) => entries,
                Err(reason) => {
                    self.unreadable.push(Unreadable {
                        problem: format!("cannot read {}: {reason}", folder.display()),
                        path: folder,
                    });
                    continue;
                }
            };
            for entry in entries {
                let path = entry.path();
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    folders.push(path);
                } else if entry.file_name().to_string_lossy().ends_with(ENDING) {
                    self.journals.insert(path);
                }
            }
        }
    }
}

/// The deepest folder that all of these are in, or are.
pub fn common_folder(named: &[PathBuf]) -> PathBuf {
    let folder = |path: &PathBuf| match path.is_dir() {
        true => path.clone(),
        false => path.parent().map(Path::to_owned).unwrap_or_default(),
    };
    let mut folders = named.iter().map(folder);
    let first = folders.next().unwrap_or_default();
    folders.fold(first, |common, folder| {
        let shared = common.components().zip(folder.components()).take_while(|(one, other)| one == other);
        shared.map(|(component, _)| component).collect()
    })
}

/// The path without the links in its folders. The last part stays as it is named.
pub fn settled(path: &Path) -> PathBuf {
    let name = path.file_name().map(OsString::from);
    match (path.is_dir(), name) {
        (false, Some(name)) => {
            let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
            std::fs::canonicalize(parent).map_or_else(|_| path.to_owned(), |parent| parent.join(name))
        }
        _ => std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn journals_are_found_at_any_depth_once_and_links_make_no_endless_search() {
        let directory = tempfile::tempdir().unwrap();
        let root = settled(directory.path());
        fs::create_dir_all(root.join("a/deep/er")).unwrap();
        for name in ["top", "a/one", "a/deep/er/two"] {
            fs::write(root.join(format!("{name}{ENDING}")), "").unwrap();
        }
        fs::write(root.join("a/notes.jsonl"), "").unwrap();
        symlink(&root, root.join("a/deep/loop")).unwrap();
        let named = [root.clone(), root.join("a"), root.join(format!("top{ENDING}"))];
        let found = journals(&named);
        let names: Vec<_> = found.journals.iter().map(|path| path.strip_prefix(&root).unwrap()).collect();
        assert_eq!(names, ["a/deep/er/two", "a/one", "top"].map(|name| PathBuf::from(format!("{name}{ENDING}"))));
        assert!(found.unreadable.is_empty(), "{:?}", found.unreadable);
        assert_eq!(common_folder(&named), root);
        assert_eq!(common_folder(&[root.join("a/deep"), root.join(format!("a/one{ENDING}"))]), root.join("a"));
    }
}
