//! Entry names that a careful tool never writes to disk.

use super::JarEntry;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

/// One entry of an archive and what is odd about it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Oddity {
    /// The index of the entry in the archive.
    pub entry: usize,
    pub name: String,
    pub kind: OddityKind,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OddityKind {
    /// An absolute name, or one with `..`, a backslash, a drive letter or a NUL: unpacking it might
    /// write outside the target directory.
    LeavesDirectory,
    /// A name with an empty part or a `.`. File systems take it for another, shorter name; the JVM
    /// does not.
    Roundabout,
    /// A later entry has the same name. The JVM sees only the last one.
    Shadowed,
    /// The name differs from an earlier one only in case.
    DiffersInCase {
        from: String,
    },
    /// A file at a path that another entry uses as a directory.
    FileAndDirectory,
    /// A symbolic link; its bytes are the target.
    Link,
    NameNotUnicode,
    /// The archive says that the entry has another size.
    WrongSize {
        said: u64,
        found: u64,
    },
}

impl fmt::Display for Oddity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name.escape_debug();
        match &self.kind {
            OddityKind::LeavesDirectory => write!(f, "{name}: would be unpacked outside its directory"),
            OddityKind::Roundabout => write!(f, "{name}: a file system takes it for a shorter name"),
            OddityKind::Shadowed => write!(f, "{name}: a later entry has the same name"),
            OddityKind::DiffersInCase { from } => {
                write!(f, "{name}: differs from {} only in upper and lower case", from.escape_debug())
            }
            OddityKind::FileAndDirectory => write!(f, "{name}: is a file and a directory"),
            OddityKind::Link => write!(f, "{name}: is a symbolic link"),
            OddityKind::NameNotUnicode => write!(f, "{name}: the name is not UTF-8"),
            OddityKind::WrongSize { said, found } => {
                write!(f, "{name}: has {found} bytes, but the archive says {said}")
            }
        }
    }
}

/// The oddities that can be found from the names alone.
pub fn of_names(entries: &[JarEntry]) -> Vec<Oddity> {
    let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
    let mut kinds = Vec::new();
    kinds.extend(names.iter().enumerate().filter_map(|(entry, name)| Some((entry, where_it_leads(name)?))));
    kinds.extend(shadowed(&names));
    kinds.extend(differing_in_case(&names));
    kinds.extend(files_and_directories(&names));
    kinds.into_iter().map(|(entry, kind)| Oddity { entry, name: names[entry].into(), kind }).collect()
}

/// The oddity of a name that a file system would not resolve to the path it appears to be.
fn where_it_leads(name: &str) -> Option<OddityKind> {
    let drive = name.as_bytes().get(1) == Some(&b':');
    let file = name.strip_suffix('/').unwrap_or(name);
    if drive || name.starts_with('/') || name.contains(['\\', '\0']) || file.split('/').any(|part| part == "..") {
        return Some(OddityKind::LeavesDirectory);
    }
    file.split('/').any(|part| matches!(part, "" | ".")).then_some(OddityKind::Roundabout)
}

fn shadowed(names: &[&str]) -> Vec<(usize, OddityKind)> {
    let last: HashMap<&str, usize> = names.iter().enumerate().map(|(entry, name)| (*name, entry)).collect();
    (0..names.len()).filter(|entry| last[names[*entry]] != *entry).map(|entry| (entry, OddityKind::Shadowed)).collect()
}

fn differing_in_case(names: &[&str]) -> Vec<(usize, OddityKind)> {
    let mut seen: HashMap<String, &str> = HashMap::new();
    let mut found = Vec::new();
    for (entry, name) in names.iter().enumerate() {
        let first = *seen.entry(name.to_lowercase()).or_insert(name);
        if first != *name {
            found.push((entry, OddityKind::DiffersInCase { from: first.into() }));
        }
    }
    found
}

/// Entries that are a file and a directory at the same time. In sorted order, the entries below `a`
/// need not follow `a` directly (`a.b` comes between), but they always come after `a/`.
fn files_and_directories(names: &[&str]) -> Vec<(usize, OddityKind)> {
    let sorted: BTreeMap<&str, usize> = names.iter().enumerate().map(|(entry, name)| (*name, entry)).collect();
    let is_directory = |name: &str| {
        let below = format!("{name}/");
        sorted.range(below.as_str()..).next().is_some_and(|(next, _)| next.starts_with(&below))
    };
    let files = sorted.iter().filter(|(name, _)| !name.ends_with('/') && is_directory(name));
    files.map(|(_, entry)| (*entry, OddityKind::FileAndDirectory)).collect()
}
