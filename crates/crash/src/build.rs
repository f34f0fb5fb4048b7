//! The files to compile and the flags for each of them.

use crate::commands::CompileCommand;
use crate::compilers::name_of_compiler;
use lapidary_clang::{Compilation, Language};
use lapidary_reduce::{Entry, FileTree};
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

/// The compilers, flags and sources that turn a candidate into a program.
#[derive(Clone, Debug)]
pub struct Build {
    /// The compiler. By default gcc for C and g++ for C++.
    pub compiler: Option<String>,
    /// The compiler for C++. By default the sibling of `compiler`.
    pub cpp_compiler: Option<String>,
    /// Flags for every file.
    pub flags: Vec<String>,
    /// Libraries and other arguments for the linker.
    pub link_flags: Vec<String>,
    /// The files to compile. If empty, all files of the candidate with a known extension.
    pub sources: Vec<Source>,
    /// The directory that the candidate is a copy of, or that contains its file. Files that are not
    /// part of the candidate, such as headers beside a single file, are found there.
    pub origin: Option<PathBuf>,
    pub timeout: Duration,
}

/// A file to compile, by its path in the candidate, with its own flags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    pub path: PathBuf,
    pub flags: Vec<String>,
}

impl Default for Build {
    fn default() -> Self {
        Build {
            compiler: None,
            cpp_compiler: None,
            flags: Vec::new(),
            link_flags: Vec::new(),
            sources: Vec::new(),
            origin: None,
            timeout: Duration::from_secs(120),
        }
    }
}

impl Build {
    /// Returns the build of a project from its compile commands. `tree` is a copy of the directory
    /// `origin`. Commands for files outside the tree are ignored.
    pub fn of_project(commands: &[CompileCommand], tree: &FileTree, origin: &Path) -> Self {
        let directories = directories(tree);
        let mut build = Build { origin: Some(origin.to_path_buf()), ..Build::default() };
        for command in commands {
            let file = normal(&command.directory.join(&command.file));
            let Ok(path) = file.strip_prefix(origin) else { continue };
            let known = tree.entry(path).is_some() && !build.sources.iter().any(|source| source.path == path);
            if known {
                let flags = command.flags(|path| place(path, origin, tree, &directories));
                build.sources.push(Source { path: path.to_path_buf(), flags });
                build.compiler = build.compiler.or_else(|| command.compiler());
            }
        }
        build
    }

    /// Returns the files of a candidate to compile. Sources that the candidate no longer has are
    /// skipped.
    pub(crate) fn sources_of(&self, tree: &FileTree) -> Vec<Source> {
        if !tree.is_directory() {
            let flags = self.sources.first().map_or_else(Vec::new, |source| source.flags.clone());
            return vec![Source { path: tree.name().into(), flags }];
        }
        if !self.sources.is_empty() {
            return self.sources.iter().filter(|source| tree.entry(&source.path).is_some()).cloned().collect();
        }
        let files = tree.entries().filter(|(_, entry)| matches!(entry, Entry::File { .. }));
        let known = files.map(|(path, _)| path).filter(|path| is_source(path));
        known.map(|path| Source { path: path.to_path_buf(), flags: Vec::new() }).collect()
    }

    /// Returns the language that a file is compiled as.
    pub(crate) fn language(&self, source: &Source) -> Language {
        let arguments = self.flags.iter().chain(&source.flags).cloned().collect();
        Compilation { file: source.path.clone(), arguments }.language()
    }

    /// Returns the names of the compilers that a candidate needs.
    pub fn compilers_of(&self, tree: &FileTree) -> BTreeSet<String> {
        self.sources_of(tree).iter().map(|source| name_of_compiler(self, self.language(source))).collect()
    }

    /// Returns all flags given for any file or to the linker.
    pub(crate) fn all_flags(&self) -> impl Iterator<Item = &str> {
        let own = self.sources.iter().flat_map(|source| &source.flags);
        self.flags.iter().chain(&self.link_flags).chain(own).map(String::as_str)
    }
}

/// Returns whether a file is one to compile, judging by its name.
pub fn is_source(path: &Path) -> bool {
    Language::of_source(path).is_some()
}

/// Removes `.` and `..` from a path, as far as its text allows.
pub fn normal(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if result.file_name().is_some() => _ = result.pop(),
            part => result.push(part),
        }
    }
    result
}

/// Returns the path that a candidate uses for a file or directory named by a flag: inside the
/// candidate if it is part of it, otherwise the original path.
fn place(path: &Path, origin: &Path, tree: &FileTree, directories: &BTreeSet<PathBuf>) -> PathBuf {
    match path.strip_prefix(origin) {
        Ok(inside) if inside.as_os_str().is_empty() => ".".into(),
        Ok(inside) if directories.contains(inside) || tree.entry(inside).is_some() => inside.to_path_buf(),
        _ => path.to_path_buf(),
    }
}

fn directories(tree: &FileTree) -> BTreeSet<PathBuf> {
    tree.entries().flat_map(|(path, _)| path.ancestors().skip(1)).map(Path::to_path_buf).collect()
}
