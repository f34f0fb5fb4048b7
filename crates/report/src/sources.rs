//! Finds the sources of Java classes: in directories that a user names, or near the classes.
//!
//! Names of source files come from class files, which may say anything: a name never leads out of
//! the directories that are searched.

use lapidary_classfile::Text;
use lapidary_jvm::ClassPath;
use lapidary_symbolic::source_file;
use std::collections::HashMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Directories nested deeper than this are not searched.
const DEPTH: usize = 20;

/// At most so many files of a directory that a user names are known.
const FILES: usize = 100_000;

/// A larger file is not a source that a person wrote.
const LARGEST: u64 = 4 << 20;

/// Where projects keep their sources, relative to a directory above the classes.
const USUAL: [&str; 4] = ["src/main/java", "src/java", "src", "java"];

/// Places with source files.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// Directories to which the package of a class is relative, in the order of preference.
    roots: Vec<PathBuf>,
    /// The Java files below directories that a user named, by their names.
    named: HashMap<String, Vec<PathBuf>>,
    is_withheld: bool,
}

/// A source file that was found.
#[derive(Clone, Debug)]
pub struct SourceText {
    /// Where it was found.
    pub path: PathBuf,
    /// The text of the source.
    pub text: String,
}

impl Sources {
    /// No sources, for a page that others may see.
    #[must_use]
    pub fn withheld() -> Self {
        Sources { is_withheld: true, ..Sources::default() }
    }

    /// Whether sources stay off the page, wherever they are.
    #[must_use]
    pub fn is_withheld(&self) -> bool {
        self.is_withheld
    }

    /// All Java files below a directory.
    #[must_use]
    pub fn below(directory: &Path) -> Self {
        let mut sources = Sources::default();
        let mut waiting = vec![(directory.to_owned(), DEPTH)];
        let mut count = 0;
        while let Some((directory, depth)) = waiting.pop() {
            let mut entries: Vec<_> = fs::read_dir(directory).into_iter().flatten().flatten().collect();
            entries.sort_by_key(fs::DirEntry::file_name);
            for entry in entries {
                let path = entry.path();
                let name = entry.file_name().to_string_lossy().into_owned();
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    waiting.extend(depth.checked_sub(1).map(|depth| (path, depth)));
                } else if name.ends_with(".java") && count < FILES {
                    count += 1;
                    sources.named.entry(name).or_default().push(path);
                }
            }
        }
        sources
    }

    /// The places where projects usually keep the sources of these classes: beside them, or in
    /// `src` of a directory above.
    #[must_use]
    pub fn near(classes: &Path) -> Self {
        let Ok(classes) = classes.canonicalize() else { return Sources::default() };
        let beside = if classes.is_dir() { Some(classes.clone()) } else { None };
        let mut roots: Vec<PathBuf> = beside.into_iter().chain(classes.parent().map(Path::to_owned)).collect();
        for above in classes.ancestors().skip(1).take(4) {
            roots.extend(USUAL.iter().map(|place| above.join(place)).filter(|place| place.is_dir()));
        }
        Sources { roots, ..Sources::default() }
    }

    /// The text of a source file such as `shop/Prices.java`.
    #[must_use]
    pub fn text(&self, file: &str) -> Option<SourceText> {
        let relative = Path::new(file);
        if !relative.components().all(|part| matches!(part, Component::Normal(_))) {
            return None;
        }
        let near = self.roots.iter().find_map(|root| read(&root.join(relative)));
        near.or_else(|| self.named_text(relative))
    }

    /// A file below a named directory. If no path fits the package, a file counts that declares it.
    fn named_text(&self, file: &Path) -> Option<SourceText> {
        let paths = self.named.get(&*file.file_name()?.to_string_lossy())?;
        if let Some(path) = paths.iter().find(|path| path.ends_with(file)) {
            return read(path);
        }
        let package = file.parent()?.to_string_lossy().replace('/', ".");
        let declares = |source: &SourceText| {
            let words = source.text.lines().find_map(|line| line.trim().strip_prefix("package "));
            words.unwrap_or_default().trim_end().trim_end_matches(';').trim() == package
        };
        paths.iter().filter_map(|path| read(path)).find(declares)
    }
}

fn read(path: &Path) -> Option<SourceText> {
    let metadata = fs::metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > LARGEST {
        return None;
    }
    let text = String::from_utf8_lossy(&fs::read(path).ok()?).into_owned();
    Some(SourceText { path: path.to_owned(), text })
}

/// The source file of a class, given by its name in source form: what the class says, or else what
/// its name suggests.
#[must_use]
pub fn file_of_class(class: &str, classes: Option<&ClassPath>) -> String {
    let internal = class.replace('.', "/");
    let said = classes.and_then(|classes| classes.class(&Text::from(internal.as_str())));
    match said.map(|class| source_file(&class)) {
        Some(file) if file.ends_with(".java") => file,
        _ => format!("{}.java", internal.split('$').next().unwrap_or(&internal)),
    }
}

/// The class and the line of a place such as `shop.Main.run:12`.
#[must_use]
pub fn class_and_line(place: &str) -> Option<(&str, usize)> {
    let (method, line) = place.rsplit_once(':')?;
    Some((method.rsplit_once('.')?.0, line.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(files: &[(&str, &str)]) -> tempfile::TempDir {
        let place = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = place.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        place
    }

    #[test]
    fn sources_are_found_where_projects_keep_them() {
        let place =
            place(&[("target/classes/x", ""), ("src/main/java/shop/A.java", "a"), ("b/B.java", "b"), ("b/c/x", "")]);
        let text = |classes: &str, file: &str| Some(Sources::near(&place.path().join(classes)).text(file)?.text);
        assert_eq!(text("target/classes", "shop/A.java").as_deref(), Some("a"));
        assert_eq!(text("b/c", "B.java").as_deref(), Some("b"));
        assert_eq!(text("target/classes", "shop/B.java"), None);
    }

    #[test]
    fn named_sources_need_the_right_package() {
        let place =
            place(&[("x/shop/A.java", "path"), ("flat/B.java", "package shop;\n"), ("flat/C.java", "class C {}")]);
        let sources = Sources::below(place.path());
        let text = |file: &str| Some(sources.text(file)?.text);
        assert_eq!(text("shop/A.java").as_deref(), Some("path"));
        assert!(text("shop/B.java").is_some() && text("other/B.java").is_none());
        assert!(text("C.java").is_some() && text("shop/C.java").is_none());
    }

    #[test]
    fn names_lead_nowhere_else() {
        let place = place(&[("in/A.java", ""), ("B.java", "secret")]);
        let sources = Sources::below(&place.path().join("in"));
        assert!(sources.text("../B.java").is_none() && sources.text("/etc/passwd").is_none());
        assert!(Sources::near(&place.path().join("in")).text("../in/../B.java").is_none());
    }

    #[test]
    fn places_have_a_class_and_a_line() {
        assert_eq!(class_and_line("shop.Main.run:12"), Some(("shop.Main", 12)));
        assert_eq!(class_and_line("native"), None);
        assert_eq!(file_of_class("shop.Main$1", None), "shop/Main.java");
    }
}
