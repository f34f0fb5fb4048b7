//! Where classes come from: directories, jars and the installed JDK, searched in order.
//!
//! Opening a class path reads only the directories of archives. A class is read on demand, parsed
//! once, and shared. Names come from untrusted class files, so a look-up never leaves the
//! directories it searches.

mod jar_file;
mod platform;

pub use platform::{Platform, PlatformClass};

use crate::archive::ArchiveError;
use jar_file::JarFile;
use lapidary_classfile::{Class, Text};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use thiserror::Error;

/// The release used to choose classes from multi-release jars when there is no platform to ask.
pub const DEFAULT_RELEASE: u32 = 21;

/// The reason why a class path or a platform cannot be opened.
#[derive(Debug, Error)]
pub enum ClassPathError {
    #[error("{path}: {reason}")]
    Unreadable { path: PathBuf, reason: std::io::Error },
    #[error("{path}: {reason}")]
    BadArchive { path: PathBuf, reason: ArchiveError },
    #[error("{path}: is neither a directory nor a jar")]
    NeitherDirectoryNorJar { path: PathBuf },
    #[error("{path}: is not a JDK (it has neither lib/modules nor lib/rt.jar)")]
    NotAJdk { path: PathBuf },
    #[error("{path}: the image of the JDK cannot be read ({reason})")]
    BadImage { path: PathBuf, reason: String },
    #[error("no JDK found; set JAVA_HOME, or put java on the PATH")]
    NoJdk,
}

/// An ordered list of directories and jars that hold classes.
#[derive(Default)]
pub struct ClassPath {
    platform: Option<Platform>,
    places: Vec<Place>,
    classes: RwLock<HashMap<Text, Option<Arc<Class>>>>,
    problems: Mutex<BTreeMap<Text, String>>,
    /// Synthesised classes, in the order in which they were defined.
    made: Mutex<Vec<Arc<Class>>>,
}

enum Place {
    Directory(PathBuf),
    Jar(JarFile),
}

impl ClassPath {
    /// Opens the given directories and jars; `lib/*` stands for all jars in `lib`. The platform's
    /// classes come first, as they do in a running JVM.
    pub fn open(paths: &[PathBuf], platform: Option<Platform>) -> Result<ClassPath, ClassPathError> {
        let release = platform.as_ref().and_then(Platform::release).unwrap_or(DEFAULT_RELEASE);
        let mut places = Vec::new();
        for path in paths {
            for path in expanded(path)? {
                places.push(Place::open(path, release)?);
            }
        }
        Ok(ClassPath { platform, places, ..ClassPath::default() })
    }

    /// The directories and jars that are searched, in order; `lib/*` appears as the jars it stands
    /// for.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.places.iter().map(|place| match place {
            Place::Directory(path) => path.as_path(),
            Place::Jar(jar) => jar.path(),
        })
    }

    pub fn platform(&self) -> Option<&Platform> {
        self.platform.as_ref()
    }

    /// Returns the bytes of a class, given its internal name.
    pub fn find(&self, class: &Text) -> Option<Arc<[u8]>> {
        let name = class.as_str();
        if !is_plain(&name) {
            return None;
        }
        let in_platform = self.platform.as_ref().and_then(|platform| platform.find(&name));
        in_platform.or_else(|| self.places.iter().find_map(|place| self.find_in(place, class, &name)))
    }

    /// Returns the class with this internal name, parsed at most once (twice if two threads ask at
    /// the same time). A class that exists but cannot be read counts as missing and is recorded as
    /// a problem.
    pub fn class(&self, name: &Text) -> Option<Arc<Class>> {
        if let Some(known) = self.classes.read().unwrap_or_else(PoisonError::into_inner).get(name) {
            return known.clone();
        }
        let parsed = self.find(name).and_then(|bytes| self.parse(name, &bytes));
        let mut classes = self.classes.write().unwrap_or_else(PoisonError::into_inner);
        classes.entry(name.clone()).or_insert(parsed).clone()
    }

    /// Adds a synthesised class under a name that no other class has. It has no effect on a name
    /// that was already looked up.
    pub fn define(&self, class: Arc<Class>) {
        self.made.lock().unwrap_or_else(PoisonError::into_inner).push(class.clone());
        let mut classes = self.classes.write().unwrap_or_else(PoisonError::into_inner);
        classes.entry(class.name.clone()).or_insert(Some(class));
    }

    /// The synthesised classes, without the first `first` of them.
    pub fn made_after(&self, first: usize) -> Vec<Arc<Class>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner).iter().skip(first).cloned().collect()
    }

    /// The classes that were found but could not be read so far, by name, each with the reason.
    pub fn problems(&self) -> BTreeMap<Text, String> {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn parse(&self, name: &Text, bytes: &[u8]) -> Option<Arc<Class>> {
        match Class::read(bytes) {
            Ok(class) if class.name == *name => Some(Arc::new(class)),
            Ok(class) => self.problem(name, format!("the file holds {}", class.name)),
            Err(error) => self.problem(name, error.to_string()),
        }
    }

    fn find_in(&self, place: &Place, class: &Text, name: &str) -> Option<Arc<[u8]>> {
        match place {
            Place::Directory(directory) => std::fs::read(directory.join(format!("{name}.class"))).ok().map(Arc::from),
            Place::Jar(jar) => match jar.find(name)? {
                Ok(bytes) => Some(bytes),
                Err(reason) => self.problem(class, format!("{}: {reason}", jar.path().display())),
            },
        }
    }

    fn problem<T>(&self, class: &Text, reason: String) -> Option<T> {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).insert(class.clone(), reason);
        None
    }
}

impl Place {
    fn open(path: PathBuf, release: u32) -> Result<Place, ClassPathError> {
        if path.is_dir() {
            Ok(Place::Directory(path))
        } else if path.is_file() || !path.exists() {
            JarFile::open(path, release).map(Place::Jar)
        } else {
            Err(ClassPathError::NeitherDirectoryNorJar { path })
        }
    }
}

/// The jars that `lib/*` stands for, in order of their names; any other path stands for itself.
fn expanded(path: &Path) -> Result<Vec<PathBuf>, ClassPathError> {
    if path.file_name().is_none_or(|name| name != "*") {
        return Ok(vec![path.to_path_buf()]);
    }
    let directory = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let unreadable = |reason| ClassPathError::Unreadable { path: directory.to_path_buf(), reason };
    let mut jars = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jar")) && path.is_file() {
            jars.push(path);
        }
    }
    jars.sort();
    Ok(jars)
}

/// Whether a class name can be used as a path below a directory.
fn is_plain(name: &str) -> bool {
    !name.contains(['\\', '\0', ':']) && name.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

#[cfg(test)]
mod tests;
