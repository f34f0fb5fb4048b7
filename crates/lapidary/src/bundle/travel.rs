//! The files that go with a bundle because the test needs them: the test itself, the files that its
//! arguments name, and the files that these name in turn.
//!
//! Files of the system stay where they are, and so do programs on PATH and what `private.rs` knows.
//! Scripts keep their places relative to each other. Absolute paths in scripts are replaced by
//! [`MARK`], for which `reproduce.sh` puts the directory where the files are then.

use super::included;
use super::mentions::{
    first_path, is_of_path, named, names_own_directory, relative_names, script_text, without_comments,
};
use super::private::is_private;
use lapidary_common::program::on_path;
use lapidary_reduce::{Entry, FileTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

/// The variable in scripts for the directory of the test's files.
pub(crate) const MARK: &str = "@TEST@";

/// Larger files stay where they are, and so do all files once they are this much together.
const LARGEST: u64 = 16 << 20;
const MOST: u64 = 64 << 20;
const MOST_FILES: usize = 500;

/// A part of a word of the command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Text(String),
    /// The path of the input.
    Input,
    /// A file or directory that goes with the bundle, below the directory of the test's files.
    File(PathBuf),
}

/// Collects files.
#[derive(Default)]
pub(crate) struct Travellers {
    found: Vec<Found>,
    /// The directories that go along with all their files.
    whole: BTreeSet<PathBuf>,
    /// The directories that scripts name.
    searched: BTreeSet<PathBuf>,
    bytes: u64,
    /// Missing parts of the bundle, in words.
    pub missing: BTreeSet<String>,
    /// Names that mean the candidate, wherever they are.
    candidate: String,
}

/// A file that goes with the bundle.
struct Found {
    path: PathBuf,
    /// The directory that it keeps its place in.
    root: PathBuf,
    content: Vec<u8>,
    executable: bool,
}

impl Travellers {
    pub fn new(candidate: &str) -> Travellers {
        Travellers { candidate: candidate.to_owned(), ..Travellers::default() }
    }

    /// The words of a command that was started in a directory, and the files that go along.
    pub fn words(&mut self, words: &[String], here: &Path) -> Words {
        let mut named = Vec::new();
        for (number, word) in words.iter().enumerate() {
            named.push(match number {
                0 => self.program(word, here),
                _ => self.argument(word, here),
            });
        }
        Words(named)
    }

    /// Notes a library: a jar, or a directory of classes.
    pub fn library(&mut self, path: &Path) {
        self.take(path, path.parent().unwrap_or(path));
    }

    /// Notes a file that keeps its place relative to a directory.
    pub fn file(&mut self, path: &Path, root: &Path) {
        if !stays(path) {
            self.take(path, root);
        }
    }

    /// Notes the files that a line of shell names, which runs in a directory.
    pub fn line(&mut self, line: &str, here: &Path) {
        self.follow(line, &here.join("analysis.sh"), here);
    }

    /// Notes the headers that the input includes and the modules that it imports, as far as they are
    /// in directories that scripts name, and those that these need in turn.
    pub fn needed_by(&mut self, input: &FileTree) {
        let directories = self.searched.clone();
        let texts = input.entries().filter_map(|(path, entry)| match entry {
            Entry::File { content, .. } => {
                let path = if path.as_os_str().is_empty() { Path::new(input.name()) } else { path };
                let text = || String::from_utf8_lossy(content).into_owned();
                included::may_name_others(path).then(|| (path.to_owned(), None, text()))
            }
            _ => None,
        });
        let mut open: Vec<(PathBuf, Option<PathBuf>, String)> = texts.collect();
        let mut seen = BTreeSet::new();
        while let Some((name, at, text)) = open.pop() {
            let beside = at.as_ref().and_then(|at| at.parent());
            for wanted in included::names(&name, &text) {
                for base in beside.into_iter().chain(directories.iter().map(PathBuf::as_path)) {
                    let path = plain(&base.join(&wanted));
                    let is_candidate = wanted.as_os_str() == self.candidate.as_str();
                    let is_input = is_candidate || input.is_directory() && input.entry(&wanted).is_some();
                    if is_input || !path.is_file() || stays(&path) || !seen.insert(path.clone()) {
                        continue;
                    }
                    let root = directories.iter().find(|root| path.starts_with(root));
                    let is_taken = self.take(&path, root.map_or(base, PathBuf::as_path));
                    if is_taken && included::may_name_others(&path) {
                        let text = fs::read(&path).unwrap_or_default();
                        open.push((path.clone(), Some(path), String::from_utf8_lossy(&text).into_owned()));
                    }
                }
            }
        }
    }

    /// The directories that scripts name and that do not go along as a whole, in words.
    pub fn partly(&self) -> Vec<String> {
        let left = self.searched.iter().filter(|directory| !self.whole.contains(*directory));
        let left = left.filter(|directory| {
            fs::read_dir(directory).into_iter().flatten().flatten().any(|entry| {
                let path = entry.path();
                !self.found.iter().any(|found| found.path.starts_with(&path))
            })
        });
        let words = |directory: &PathBuf| {
            format!(
                "other files in {}, which the test names: if reproduce.sh needs one, name that file in the test",
                super::plain::without_home(&directory.to_string_lossy())
            )
        };
        left.map(words).collect()
    }

    fn program(&mut self, word: &str, here: &Path) -> Vec<Named> {
        let path = here.join(word);
        if !word.contains('/') && (on_path(word).is_some() || !path.is_file()) {
            return vec![Named::Text(word.to_owned())];
        }
        // A tool on PATH is called by its name: it is elsewhere on other machines.
        if let Some(name) = path.file_name().and_then(|name| name.to_str()).filter(|_| stays(&path)) {
            let is_it = on_path(name).is_some_and(|found| found.canonicalize().ok() == path.canonicalize().ok());
            return vec![Named::Text(if is_it { name.to_owned() } else { word.to_owned() })];
        }
        match self.take(&path, path.parent().unwrap_or(here)) {
            true => vec![Named::File(plain(&path))],
            false => vec![Named::Text(path.to_string_lossy().into_owned())],
        }
    }

    fn argument(&mut self, word: &str, here: &Path) -> Vec<Named> {
        if word == self.candidate {
            return vec![Named::Text(word.to_owned())];
        }
        let path = here.join(word);
        if !word.is_empty() && path.is_file() && !stays(&path) && self.take(&path, path.parent().unwrap_or(here)) {
            return vec![Named::File(plain(&path))];
        }
        let mut named = Vec::new();
        let mut rest = word;
        while let Some((before, path, after)) = first_path(rest) {
            if !before.is_empty() {
                named.extend(pieces_of(before));
            }
            let file = Path::new(path);
            let is_taken = !stays(file) && self.take(file, file.parent().unwrap_or(file));
            named.push(if is_taken { Named::File(plain(file)) } else { Named::Text(path.to_owned()) });
            rest = after;
        }
        if named.is_empty() || !rest.is_empty() {
            named.extend(pieces_of(rest));
        }
        named
    }

    /// Takes a file or a directory along; the result says whether it is there and small enough.
    fn take(&mut self, path: &Path, root: &Path) -> bool {
        let (path, root) = (plain(path), plain(root));
        if self.whole.contains(&path) || self.found.iter().any(|found| found.path == path) {
            return true;
        }
        if is_private(&path) {
            self.lacks(&path, "may hold keys or passwords, so it does not go along");
            return false;
        }
        if path.is_dir() {
            return self.take_directory(&path, &root);
        }
        let Ok(metadata) = fs::metadata(&path) else { return false };
        if metadata.len() > LARGEST || self.bytes + metadata.len() > MOST || self.found.len() >= MOST_FILES {
            self.lacks(&path, "is too large to go along");
            return false;
        }
        let Ok(content) = fs::read(&path) else {
            self.lacks(&path, "cannot be read");
            return false;
        };
        self.bytes += content.len() as u64;
        let executable = metadata.permissions().mode() & 0o111 != 0;
        let text = script_text(&content, &path).map(str::to_owned);
        self.found.push(Found { path: path.clone(), root: root.clone(), content, executable });
        text.iter().for_each(|text| self.follow(text, &path, &root));
        true
    }

    fn take_directory(&mut self, directory: &Path, root: &Path) -> bool {
        let home = std::env::home_dir();
        if directory.components().count() < 3 || home.is_some_and(|home| home.starts_with(directory)) {
            return false;
        }
        let Some(files) = files_below(directory) else {
            self.lacks(directory, "is too large to go along");
            return false;
        };
        let is_whole = !files.is_empty() && files.iter().all(|file| self.take(file, root) || is_private(file));
        if is_whole {
            self.whole.insert(directory.to_owned());
        }
        is_whole
    }

    /// Takes along what a script names.
    fn follow(&mut self, text: &str, script: &Path, root: &Path) {
        let here = script.parent().unwrap_or(root);
        let named = named(text, script);
        let absolute = named.iter().filter(|name| name.starts_with('/')).map(Path::new);
        let absolute: BTreeSet<&Path> = absolute.filter(|path| !stays(path)).collect();
        for path in absolute.iter().filter(|path| path.is_file()) {
            let its_root = if path.starts_with(root) { root } else { path.parent().unwrap_or(root) };
            self.take(path, its_root);
        }
        let directories: BTreeSet<&Path> = absolute.into_iter().filter(|path| path.is_dir()).collect();
        let names = relative_names(&named, text, script);
        for base in directories.iter().copied().chain([here]).collect::<BTreeSet<_>>() {
            names.iter().for_each(|name| self.take_relative(name, base, root));
        }
        self.take_siblings(&without_comments(text, script), here, root);
        if names_own_directory(text, script) {
            self.searched.insert(plain(here));
        }
        for directory in directories {
            self.searched.insert(plain(directory));
            if !self.found.iter().any(|found| found.path.starts_with(directory)) {
                let name = script.file_name().unwrap_or_default().to_string_lossy().into_owned();
                self.missing.insert(format!("test/{name} names {}, which does not go along", directory.display()));
            }
        }
    }

    fn take_relative(&mut self, name: &str, base: &Path, root: &Path) {
        let path = base.join(name);
        if name == self.candidate || !path.is_file() || stays(&path) {
            return;
        }
        let path = plain(&path);
        let its_root = [base, root].into_iter().find(|root| path.starts_with(root));
        // `../lib/x.sh` moves the root up, for all that are in it.
        let its_root = its_root.map_or_else(|| common(base, path.parent().unwrap_or(base)), |_| base.to_owned());
        if its_root.components().count() > 1 {
            self.take(&path, &its_root);
        }
    }

    /// Files beside the script whose names have blanks, which the search for words does not see.
    fn take_siblings(&mut self, text: &str, here: &Path, root: &Path) {
        const MANY: usize = 300;
        for entry in fs::read_dir(here).into_iter().flatten().flatten().take(MANY) {
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_unusual = name.len() > 3 && !name.chars().all(is_of_path);
            if is_unusual && name != self.candidate && text.contains(&name) && entry.path().is_file() {
                self.take(&entry.path(), root);
            }
        }
    }

    fn lacks(&mut self, path: &Path, why: &str) {
        self.missing.insert(format!("{} {why}", super::plain::without_home(&path.to_string_lossy())));
    }

    /// The files with their places below the directory of the test's files.
    pub fn placed(self) -> Placed {
        let mut roots: Vec<PathBuf> = self.found.iter().map(|found| found.root.clone()).collect();
        roots.sort();
        roots.dedup();
        // A root inside of another one belongs to that.
        let outer: Vec<PathBuf> = roots
            .iter()
            .filter(|root| !roots.iter().any(|other| other != *root && root.starts_with(other)))
            .cloned()
            .collect();
        let first = self.found.first().map(|found| found.root.clone()).unwrap_or_default();
        let mut names: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
        for root in outer {
            let name = root.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let is_first = first.starts_with(&root);
            let taken = |name: &PathBuf| names.values().any(|other| other == name);
            let name = match is_first {
                true => PathBuf::new(),
                false => (1..)
                    .map(|number| PathBuf::from(if number == 1 { name.clone() } else { format!("{name}-{number}") }))
                    .find(|name| !taken(name) && !first.join(name).exists())
                    .unwrap_or_default(),
            };
            names.insert(root, name);
        }
        let place = |path: &Path| {
            let (root, name) = names.iter().find(|(root, _)| path.starts_with(root))?;
            Some(name.join(path.strip_prefix(root).ok()?))
        };
        let places: BTreeMap<PathBuf, PathBuf> =
            self.found.iter().filter_map(|found| Some((found.path.clone(), place(&found.path)?))).collect();
        let mut known = places.clone();
        for path in places.keys() {
            for directory in path.ancestors().skip(1) {
                known.extend(place(directory).map(|place| (directory.to_owned(), place)));
            }
        }
        let mut placed = Placed { known, entries: BTreeMap::new(), marked: Vec::new(), missing: self.missing };
        for found in self.found {
            let Some(place) = places.get(&found.path) else { continue };
            placed.add(place, found);
        }
        placed
    }
}

/// The files of the test in their places.
pub(crate) struct Placed {
    /// The place of each file and directory, by its path on this machine.
    known: BTreeMap<PathBuf, PathBuf>,
    pub entries: BTreeMap<PathBuf, Entry>,
    /// The scripts in which [`MARK`] stands.
    pub marked: Vec<PathBuf>,
    pub missing: BTreeSet<String>,
}

impl Placed {
    fn add(&mut self, place: &Path, found: Found) {
        let mut content = found.content;
        if let Some(text) = script_text(&content, &found.path) {
            let replaced = self.with_marks(text);
            if replaced != text {
                content = replaced.into_bytes();
                self.marked.push(place.to_owned());
            }
        }
        self.entries.insert(place.to_owned(), Entry::File { content: content.into(), executable: found.executable });
    }

    /// The text with the paths of files that go along replaced.
    fn with_marks(&self, text: &str) -> String {
        let mut replaced = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, path, after)) = first_path(rest) {
            replaced.push_str(before);
            match self.known.get(Path::new(path)) {
                Some(place) => {
                    let whole = Path::new(MARK).join(place);
                    replaced.push_str(whole.to_string_lossy().trim_end_matches('/'));
                    if path.ends_with('/') {
                        replaced.push('/');
                    }
                }
                None => replaced.push_str(path),
            }
            rest = after;
        }
        replaced + rest
    }

    /// Adds a script that runs among the files.
    pub fn script(&mut self, name: &str, text: &str) {
        let replaced = self.with_marks(text);
        if replaced != text {
            self.marked.push(name.into());
        }
        let content = format!("#!/bin/sh\n{replaced}\n").into_bytes();
        self.entries.insert(name.into(), Entry::File { content: content.into(), executable: true });
    }

    /// The words of the command.
    pub fn pieces(&self, words: &Words) -> Vec<Vec<Piece>> {
        let piece = |named: &Named| match named {
            Named::Text(text) => Piece::Text(text.clone()),
            Named::Input => Piece::Input,
            Named::File(path) => match self.known.get(path) {
                Some(place) => Piece::File(place.clone()),
                None => Piece::Text(path.to_string_lossy().into_owned()),
            },
        };
        words.0.iter().map(|word| word.iter().map(piece).collect()).collect()
    }

    /// The place of a library.
    pub fn place(&self, path: &Path) -> Option<&PathBuf> {
        self.known.get(&plain(path))
    }
}

/// The words of a command, with files by their paths on this machine.
pub(crate) struct Words(Vec<Vec<Named>>);

enum Named {
    Text(String),
    Input,
    File(PathBuf),
}

/// A text in which `{}` stands for the input.
fn pieces_of(text: &str) -> Vec<Named> {
    let mut named = Vec::new();
    for (number, part) in text.split("{}").enumerate() {
        if number > 0 {
            named.push(Named::Input);
        }
        if !part.is_empty() {
            named.push(Named::Text(part.to_owned()));
        }
    }
    if text.is_empty() {
        named.push(Named::Text(String::new()));
    }
    named
}

/// Whether a file is part of the system or of an installed tool, which other machines have too.
fn stays(path: &Path) -> bool {
    let path = plain(path);
    const SYSTEM: [&str; 14] = [
        "/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32", "/opt", "/etc", "/dev", "/proc", "/sys", "/nix", "/snap",
        "/run",
    ];
    const TOOLS: [&str; 7] = [".cargo", ".rustup", ".pyenv", ".nvm", ".sdkman", ".jdks", ".m2"];
    let is_tool = std::env::home_dir().is_some_and(|home| TOOLS.iter().any(|tool| path.starts_with(home.join(tool))));
    is_tool || path.components().count() < 2 || SYSTEM.iter().any(|system| path.starts_with(system))
}

/// The path without `.` and `..`, as far as its text allows. Links keep their names.
fn plain(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => _ = result.pop(),
            part => result.push(part),
        }
    }
    result
}

fn common(one: &Path, other: &Path) -> PathBuf {
    one.ancestors().find(|path| other.starts_with(path)).unwrap_or(Path::new("/")).to_owned()
}

/// The files below a directory; `None` if there are too many.
fn files_below(directory: &Path) -> Option<Vec<PathBuf>> {
    let (mut files, mut open) = (Vec::new(), vec![directory.to_owned()]);
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push(entry.path()),
                Ok(_) if entry.path().is_file() => files.push(entry.path()),
                _ => {}
            }
            if files.len() + open.len() > MOST_FILES {
                return None;
            }
        }
    }
    files.sort();
    Some(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn placed(words: &[&str], here: &Path) -> (Placed, Vec<Vec<Piece>>) {
        let mut travellers = Travellers::new("bug.c");
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let words = travellers.words(&words, here);
        let placed = travellers.placed();
        let pieces = placed.pieces(&words);
        (placed, pieces)
    }

    fn places(placed: &Placed) -> Vec<String> {
        placed.entries.keys().map(|path| path.display().to_string()).collect()
    }

    #[test]
    fn a_test_goes_along_with_the_files_that_it_names() {
        let place = tempfile::tempdir().unwrap();
        let here = place.path().join("work");
        let data = place.path().join("elsewhere/data.txt");
        script(&data, "");
        script(&here.join("tests/lib/common.sh"), "");
        script(&here.join("tests/a helper.sh"), "");
        script(&here.join("up.sh"), "");
        fs::write(here.join("tests/bug.c"), "the original").unwrap();
        let text = format!(
            "here=$(dirname \"$0\"); . \"$here/lib/common.sh\"; \"$here/a helper.sh\"; ../up.sh; gcc bug.c; cat {}",
            data.display()
        );
        script(&here.join("tests/check"), &text);
        let (found, pieces) = placed(&["tests/check", "{}", "-x"], &here);
        assert_eq!(
            places(&found),
            ["elsewhere/data.txt", "tests/a helper.sh", "tests/check", "tests/lib/common.sh", "up.sh"]
        );
        assert_eq!(pieces[0], [Piece::File("tests/check".into())]);
        assert_eq!(pieces[1..], [vec![Piece::Input], vec![Piece::Text("-x".into())]]);
        assert_eq!(found.marked, [PathBuf::from("tests/check")]);
        let Entry::File { content, executable: true } = &found.entries[Path::new("tests/check")] else { panic!() };
        let text = String::from_utf8_lossy(content);
        assert!(text.ends_with("gcc bug.c; cat @TEST@/elsewhere/data.txt\n"), "{text}");
    }

    #[test]
    fn arguments_name_files_in_many_ways() {
        let place = tempfile::tempdir().unwrap();
        let here = place.path();
        for name in ["rules.txt", "include/a.h", "include/b.h"] {
            script(&here.join(name), "");
        }
        let include = format!("-I{}", here.join("include").display());
        let rules = format!("--rules={}", here.join("rules.txt").display());
        let (found, pieces) = placed(&["grep", "rules.txt", &include, &rules, "/usr/bin/env", "bug.c"], here);
        assert_eq!(places(&found), ["include/a.h", "include/b.h", "rules.txt"]);
        assert_eq!(pieces[1], [Piece::File("rules.txt".into())]);
        assert_eq!(pieces[2], [Piece::Text("-I".into()), Piece::File("include".into())]);
        assert_eq!(pieces[3], [Piece::Text("--rules=".into()), Piece::File("rules.txt".into())]);
        assert_eq!(pieces[4], [Piece::Text("/usr/bin/env".into())]);
        assert_eq!(pieces[5], [Piece::Text("bug.c".into())]);
        assert!(found.missing.is_empty());
    }

    #[test]
    fn a_directory_in_a_variable_is_followed() {
        let place = tempfile::tempdir().unwrap();
        let tools = place.path().join("tools");
        script(&tools.join("run.sh"), "");
        script(&place.path().join("t/check.sh"), &format!("D={}\n$D/run.sh", tools.display()));
        let (found, _) = placed(&["t/check.sh"], place.path());
        assert_eq!(places(&found), ["check.sh", "tools/run.sh"]);
        let Entry::File { content, .. } = &found.entries[Path::new("check.sh")] else { panic!() };
        assert!(String::from_utf8_lossy(content).contains("D=@TEST@/tools\n$D/run.sh"));
    }

    #[test]
    fn what_is_too_large_is_said_to_be_missing() {
        let place = tempfile::tempdir().unwrap();
        let file = fs::File::create(place.path().join("large")).unwrap();
        file.set_len(LARGEST + 1).unwrap();
        let (found, _) = placed(&["grep", "large"], place.path());
        assert!(found.entries.is_empty());
        assert!(found.missing.iter().any(|line| line.contains("large is too large")), "{:?}", found.missing);
    }

    #[test]
    fn private_files_and_files_of_the_system_never_go_along() {
        let place = tempfile::tempdir().unwrap();
        let home = place.path().join("home");
        for name in [".ssh/id_ed25519", "project/.netrc", "project/data.txt"] {
            script(&home.join(name), "");
        }
        let up: String = place.path().components().skip(1).map(|_| "../").collect();
        let key = home.join(".ssh/id_ed25519").display().to_string();
        let text = format!("ssh -i {key} me@host; cat ../.ssh/id_ed25519 {up}../../etc/passwd");
        script(&home.join("project/check"), &text);
        let project = format!("-I{}", home.join("project").display());
        let passwd = format!("{up}../etc/passwd");
        let (found, pieces) = placed(&["project/check", &key, &passwd, &project], &home);
        assert_eq!(places(&found), ["project/check", "project/data.txt"]);
        assert_eq!(pieces[1], [Piece::Text(key.clone())]);
        assert_eq!(pieces[2], [Piece::Text(passwd)]);
        assert_eq!(pieces[3][1], Piece::File("project".into()), "the rest of a directory goes along");
        let lacks = |name: &str| found.missing.iter().any(|line| line.contains(name) && line.contains("passwords"));
        assert!(lacks("/.ssh/id_ed25519") && lacks("/project/.netrc"), "{:?}", found.missing);
    }

    #[test]
    fn a_directory_goes_along_with_all_its_files() {
        let place = tempfile::tempdir().unwrap();
        let here = place.path();
        for name in ["include/a.h", "include/b.h"] {
            script(&here.join(name), "");
        }
        let include = format!("-I{}", here.join("include").display());
        let (found, pieces) = placed(&["grep", "include/a.h", &include], here);
        assert_eq!(places(&found), ["include/a.h", "include/b.h"]);
        assert_eq!(pieces[2], [Piece::Text("-I".into()), Piece::File("include".into())]);
    }

    #[test]
    fn files_that_no_command_names_stay_at_home() {
        let place = tempfile::tempdir().unwrap();
        let here = place.path();
        for name in ["notes.txt", "my diary.txt", "plan", "bug.h", "words"] {
            script(&here.join(name), "");
        }
        let text = "grep -f words \"$1\"  # see notes.txt and my diary.txt\necho \"no\nplan at all\"\nawk '{ print $0 }' \"$1\"";
        script(&here.join("check.sh"), text);
        let mut travellers = Travellers::new("bug.c");
        travellers.words(&["./check.sh".to_owned(), "{}".to_owned()], here);
        travellers.needed_by(&FileTree::file("bug.c", "#include \"bug.h\"\n"));
        assert_eq!(places(&travellers.placed()), ["check.sh", "words"]);
    }

    #[test]
    fn modules_of_a_package_go_along() {
        let place = tempfile::tempdir().unwrap();
        let here = place.path();
        for name in ["pack/__init__.py", "pack/near.py", "pack/far.py", "pack/other.py"] {
            fs::create_dir_all(here.join("pack")).unwrap();
            fs::write(here.join(name), "x = 1\n").unwrap();
        }
        fs::write(here.join("check.py"), "#!/usr/bin/env python3\nfrom pack import (\n    near,\n    far,\n)\n")
            .unwrap();
        let (found, _) = placed(&["./check.py"], here);
        assert_eq!(places(&found), ["check.py", "pack/__init__.py", "pack/far.py", "pack/near.py"]);
    }
}
