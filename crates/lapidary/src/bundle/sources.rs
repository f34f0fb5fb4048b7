//! The classes of an archive one by one, and classes that no decompiler of the run has decompiled,
//! as `javap` prints them.

use lapidary_common::jdk;
use lapidary_java_model::Jar;
use lapidary_reduce::{Entry, FileTree};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The most classes for which that is done.
const MANY: usize = 200;

/// The files by their paths in the bundle; none for other inputs. The classes are listed if `lists`
/// says so.
pub(crate) fn of(input: &FileTree, lists: bool) -> BTreeMap<PathBuf, Entry> {
    let jar = (!input.is_directory()).then(|| Jar::open(input).ok()).flatten();
    let tree = jar.as_ref().map_or(input, Jar::tree);
    let classes: Vec<(&Path, &Entry)> = tree.entries().filter(|(path, entry)| is_class(path, input, entry)).collect();
    if classes.is_empty() || classes.len() > MANY {
        return BTreeMap::new();
    }
    let mut files = BTreeMap::new();
    if jar.is_some() {
        files.extend(classes.iter().map(|(path, entry)| (Path::new("classes").join(path), (*entry).clone())));
    }
    if lists {
        files.extend(listed(&classes).unwrap_or_default());
    }
    files
}

/// Whether an entry is a class file with a path that can be written to disk.
fn is_class(path: &Path, input: &FileTree, entry: &Entry) -> bool {
    let name = if path.as_os_str().is_empty() { Path::new(input.name()) } else { path };
    let is_plain = name.components().all(|part| matches!(part, std::path::Component::Normal(_)));
    let Entry::File { content, .. } = entry else { return false };
    is_plain
        && name.extension().is_some_and(|extension| extension == "class")
        && content.starts_with(&[0xca, 0xfe, 0xba, 0xbe])
}

/// Each class as `javap` prints it.
fn listed(classes: &[(&Path, &Entry)]) -> Option<BTreeMap<PathBuf, Entry>> {
    let javap = jdk::tool("javap")?;
    let place = tempfile::tempdir().ok()?;
    let mut files = BTreeMap::new();
    for (path, entry) in classes {
        let Entry::File { content, .. } = entry else { continue };
        let file = place.path().join("Listed.class");
        fs::write(&file, &**content).ok()?;
        let mut command = Command::new(&javap);
        command.args(["-J-Duser.language=en", "-p", "-c", "-constants"]).arg(&file);
        let output = command.current_dir(place.path()).stdin(Stdio::null()).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let place = place.path().display().to_string();
        let mut lines = text.lines().filter(|line| !line.contains(&place)).collect::<Vec<_>>().join("\n");
        lines.push('\n');
        if output.status.success() && !text.is_empty() {
            let path = if path.as_os_str().is_empty() { Path::new("class") } else { path };
            let name = format!("{}.txt", path.with_extension("").display());
            files.insert(Path::new("disassembled").join(name), Entry::file(lines.into_bytes()));
        }
    }
    Some(files)
}
