//! The parts of a jar's manifest that matter for running it.

use lapidary_jvm::{Limits, read_jar};
use std::path::{Path, PathBuf};

/// The attributes that a JVM reads.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Manifest {
    pub main_class: Option<String>,
    /// Further jars and directories as URLs, relative to the directory of the jar.
    class_path: Vec<String>,
}

impl Manifest {
    /// Reads the manifest of a jar; an empty one if there is none.
    pub fn of(jar: &Path) -> Manifest {
        let bytes = if jar.is_file() { std::fs::read(jar).unwrap_or_default() } else { Vec::new() };
        let Ok(read) = read_jar(&bytes, &Limits::default()) else { return Manifest::default() };
        let entry = read.entries.iter().find(|entry| entry.name.eq_ignore_ascii_case("META-INF/MANIFEST.MF"));
        entry.map_or_else(Manifest::default, |entry| Manifest::parse(&String::from_utf8_lossy(&entry.bytes)))
    }

    /// Parses a manifest. Continuation lines begin with a blank. The main section ends with an
    /// empty line.
    fn parse(text: &str) -> Manifest {
        let text = text.replace("\r\n", "\n").replace('\r', "\n").replace("\n ", "");
        let main = text.split("\n\n").next().unwrap_or_default();
        let attribute = |wanted: &str| {
            let mut pairs = main.lines().filter_map(|line| line.split_once(':'));
            pairs.find(|(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, value)| value.trim())
        };
        Manifest {
            main_class: attribute("Main-Class").map(str::to_owned),
            class_path: attribute("Class-Path").unwrap_or_default().split_whitespace().map(str::to_owned).collect(),
        }
    }
}

/// The class path with the entries that the manifests of its jars add, each right behind its jar as
/// in the JVM.
pub(crate) fn with_manifests(class_path: impl IntoIterator<Item = PathBuf>) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for path in class_path {
        add(path, &mut all);
    }
    all
}

fn add(path: PathBuf, all: &mut Vec<PathBuf>) {
    if all.contains(&path) {
        return;
    }
    all.push(path.clone());
    let directory = path.parent().unwrap_or(Path::new("")).to_path_buf();
    for url in Manifest::of(&path).class_path {
        let named = directory.join(decoded(url.strip_prefix("file:").unwrap_or(&url)));
        // The JVM ignores entries that do not exist.
        if named.exists() {
            add(named, all);
        }
    }
}

/// Decodes a URL, which writes blanks and the like as `%20`.
fn decoded(url: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = url.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = tail.get(..2).and_then(|two| u8::from_str_radix(std::str::from_utf8(two).ok()?, 16).ok());
        match code.filter(|_| *first == b'%') {
            Some(code) => {
                bytes.push(code);
                rest = &tail[2..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_main_section_is_read() {
        let text = "Manifest-Version: 1.0\r\nMain-Class: p.M\r\nClass-Path: lib/a.jar lib/b%20\r\n c.jar\r\n\r\nName: x\r\nMain-Class: no\r\n";
        let manifest = Manifest::parse(text);
        assert_eq!(manifest.main_class.as_deref(), Some("p.M"));
        assert_eq!(manifest.class_path, ["lib/a.jar", "lib/b%20c.jar"]);
        assert_eq!(decoded("lib/b%20c%.jar%"), "lib/b c%.jar%");
        assert_eq!(Manifest::of(Path::new("/nowhere.jar")), Manifest::default());
    }
}
