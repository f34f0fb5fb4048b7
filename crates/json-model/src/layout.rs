//! The files that texts are written to: the single file of the candidate, or the files of a
//! directory.
//!
//! Invariant: paths are relative, free of `..`, and none of them is a directory of another.
//! Therefore a candidate can be written without touching anything outside it.

use crate::Problem;
use crate::format::Document;
use crate::names::Names;
use lapidary_logic::Var;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// The items whose texts form one file of the candidate, in order.
#[derive(Default)]
pub(crate) struct Part {
    pub items: Vec<usize>,
    pub executable: bool,
}

pub(crate) enum Layout {
    File(Part),
    Directory(BTreeMap<PathBuf, Part>),
}

impl Layout {
    /// Computes the layout. The candidate is a directory as soon as one item names a file. The
    /// parents must have no cycle.
    pub fn of(document: &Document, parents: &[Option<Var>], names: &Names<'_>) -> Result<Layout, Problem> {
        if document.items.iter().all(|entry| entry.0.file.is_none()) {
            let executable = document.items.iter().any(|entry| entry.0.executable == Some(true));
            return Ok(Layout::File(Part { items: (0..document.items.len()).collect(), executable }));
        }
        let mut parts: BTreeMap<PathBuf, Part> = BTreeMap::new();
        for (index, owner) in owners(document, parents).into_iter().enumerate() {
            let entry = &document.items[index].0;
            if let Some(owner) = owner {
                let file = document.items[owner].0.file.as_deref().unwrap_or_default();
                let bad = |reason| Problem::BadFile { place: names.place(owner), file: file.to_owned(), reason };
                let part = parts.entry(relative(file).map_err(bad)?).or_default();
                part.items.push(index);
                part.executable |= entry.executable == Some(true);
            } else if entry.text.is_some() || entry.from.is_some() || entry.placeholder.is_some() {
                return Err(Problem::NoFile { place: names.place(index) });
            }
        }
        refuse_files_in_files(&parts, names)?;
        Ok(Layout::Directory(parts))
    }
}

/// For each item, the nearest item with a file: itself or an enclosing one.
fn owners(document: &Document, parents: &[Option<Var>]) -> Vec<Option<usize>> {
    let mut owners: Vec<Option<Option<usize>>> = vec![None; parents.len()];
    for start in 0..parents.len() {
        let mut path = Vec::new();
        let mut current = Some(start);
        let owner = loop {
            match current {
                None => break None,
                Some(index) if document.items[index].0.file.is_some() => break Some(index),
                Some(index) => match owners[index] {
                    Some(known) => break known,
                    None => path.push(index),
                },
            }
            current = current.and_then(|index| parents[index]).map(Var::index);
        };
        owners[start] = Some(owner);
        path.into_iter().for_each(|index| owners[index] = Some(owner));
    }
    owners.into_iter().map(Option::flatten).collect()
}

/// The path inside the candidate, or the reason why it is invalid.
fn relative(file: &str) -> Result<PathBuf, &'static str> {
    let mut path = PathBuf::new();
    for component in Path::new(file).components() {
        match component {
            Component::Normal(name) => path.push(name),
            Component::CurDir => {}
            Component::ParentDir => return Err("contains \"..\""),
            Component::RootDir | Component::Prefix(_) => return Err("is absolute"),
        }
    }
    match path {
        _ if file.contains('\0') => Err("contains a zero byte"),
        path if path.as_os_str().is_empty() => Err("is empty"),
        path => Ok(path),
    }
}

fn refuse_files_in_files(parts: &BTreeMap<PathBuf, Part>, names: &Names<'_>) -> Result<(), Problem> {
    for (path, part) in parts {
        for directory in path.ancestors().skip(1) {
            if let Some(other) = parts.get(directory) {
                return Err(Problem::FileAndDirectory {
                    place: names.place(other.items[0]),
                    file: directory.display().to_string(),
                    other: names.place(part.items[0]),
                });
            }
        }
    }
    Ok(())
}
