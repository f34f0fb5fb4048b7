//! The classes on a class path, without those of the platform.

use lapidary_classfile::Text;
use lapidary_jvm::{ClassPath, Limits, read_jar};
use std::collections::BTreeSet;
use std::path::Path;

/// The names of all classes in the directories and jars of a class path, in order. Anything
/// unreadable is skipped.
pub(crate) fn application_classes(class_path: &ClassPath) -> BTreeSet<Text> {
    let mut names = BTreeSet::new();
    for path in class_path.paths() {
        if path.is_dir() {
            in_directory(path, "", MOST_LEVELS, &mut names);
        } else if let Some(jar) = std::fs::read(path).ok().and_then(|bytes| read_jar(&bytes, &Limits::default()).ok()) {
            names.extend(jar.entries.iter().filter_map(|entry| class_name(&entry.name)));
        }
    }
    names
}

/// The depth limit for directories, so that a link to a parent directory does not loop forever.
const MOST_LEVELS: usize = 100;

fn in_directory(directory: &Path, package: &str, levels: usize, names: &mut BTreeSet<Text>) {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    for entry in entries {
        let name = format!("{package}{}", entry.file_name().to_string_lossy());
        let path = entry.path();
        if path.is_dir() && !path.is_symlink() && levels > 0 {
            in_directory(&path, &format!("{name}/"), levels - 1, names);
        } else {
            names.extend(class_name(&name));
        }
    }
}

/// The name of the class in a file. Versions for other releases are found under their own name.
fn class_name(file: &str) -> Option<Text> {
    let name = file.strip_suffix(".class")?;
    (!name.starts_with("META-INF/") && name != "module-info").then(|| Text::from(name))
}
