//! Files other than classes in the directories and jars of two versions.

use lapidary_jvm::{Limits, read_jar};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The files that differ between two versions and that the program may read. Classes, sources and
/// build artefacts are left out.
pub fn differing_files(old: &Path, new: &Path) -> Vec<String> {
    let [old, new] = [old, new].map(files_of);
    let names = old.keys().chain(new.keys().filter(|name| !old.contains_key(*name)));
    names.filter(|name| old.get(*name) != new.get(*name)).cloned().collect()
}

fn files_of(version: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    if version.is_dir() {
        below(version, "", &mut files);
    } else {
        let jar = fs::read(version).ok().and_then(|bytes| read_jar(&bytes, &Limits::default()).ok());
        let entries = jar.into_iter().flat_map(|jar| jar.entries).filter(|entry| !entry.name.ends_with('/'));
        files.extend(entries.map(|entry| (entry.name, entry.bytes.to_vec())));
    }
    files.retain(|name, _| may_be_read(name));
    files
}

fn below(directory: &Path, inside: &str, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let (Ok(kind), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else { continue };
        let name = format!("{inside}{name}");
        if kind.is_dir() {
            below(&entry.path(), &format!("{name}/"), files);
        } else if may_be_read(&name) {
            files.insert(name, fs::read(entry.path()).unwrap_or_default());
        }
    }
}

fn may_be_read(name: &str) -> bool {
    let is_of_build = name == "META-INF/MANIFEST.MF" || name.starts_with("META-INF/maven/");
    !(is_of_build || name.ends_with(".class") || name.ends_with(".java"))
}

#[cfg(test)]
mod tests {
    use super::differing_files;
    use std::fs;

    #[test]
    fn neither_classes_nor_sources_count() {
        let [old, new] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        for (version, text) in [(&old, "a"), (&new, "b")] {
            fs::create_dir(version.path().join("p")).unwrap();
            for name in ["p/A.class", "p/A.java", "p/words.properties", "same.txt"] {
                let text = if name == "same.txt" { "same" } else { text };
                fs::write(version.path().join(name), text).unwrap();
            }
        }
        assert_eq!(differing_files(old.path(), new.path()), ["p/words.properties"]);
    }
}
