//! Where libclang finds the files of a candidate, and how they are compiled.
//!
//! A file of a directory is at its path below the root. A single file is below the root under its
//! own name. The files need not exist on disk.

use lapidary_clang::{Compilation, FileId, ParseError, SourceFile, Sources, Syntax, parse};
use lapidary_reduce::{Blob, Content, Entry, FileTree};
use std::path::{Path, PathBuf};

/// A program to compile: one or more translation units over the files of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// The absolute path of the directory that stands for the tree.
    pub root: PathBuf,
    pub compilations: Vec<Compilation>,
}

impl Project {
    /// Returns the project of one file that is compiled on its own. The path must be absolute.
    pub fn single(path: &Path, arguments: Vec<String>) -> Project {
        let root = path.parent().unwrap_or(Path::new("/")).to_owned();
        Project { root, compilations: vec![Compilation { file: path.to_owned(), arguments }] }
    }

    /// Returns the files of a tree in the form that libclang gets. Their numbers depend only on the
    /// paths in the tree.
    pub fn sources(&self, tree: &FileTree) -> Sources {
        let files = files(tree)
            .map(|(path, content)| SourceFile { path: self.place(tree, path), text: content.to_vec().into() });
        Sources { files: files.collect() }
    }

    /// Parses the program once. To parse it repeatedly, use [`crate::Readers`].
    pub fn units(&self, tree: &FileTree) -> Result<Vec<Syntax>, ParseError> {
        let sources = self.sources(tree);
        self.compilations.iter().map(|compilation| parse(&sources, compilation)).collect()
    }

    /// Returns the tree with other texts in some of the files, numbered as by [`Project::sources`].
    pub fn with_texts(&self, tree: &FileTree, texts: impl IntoIterator<Item = (FileId, Vec<u8>)>) -> FileTree {
        let paths: Vec<&Path> = files(tree).map(|(path, _)| path).collect();
        let changed = texts.into_iter().filter_map(|(file, text)| Some((*paths.get(file.index())?, Blob::from(text))));
        changed.fold(tree.clone(), |tree, (path, text)| tree.with_file(path, text))
    }

    fn place(&self, tree: &FileTree, path: &Path) -> PathBuf {
        match tree.content() {
            Content::File(_) => self.root.join(tree.name()),
            Content::Directory(_) => self.root.join(path),
        }
    }
}

/// Returns all files, whatever their names, since a program can include any file. Files beyond the
/// maximum number are ignored.
fn files(tree: &FileTree) -> impl Iterator<Item = (&Path, &Blob)> {
    let all = tree.entries().filter_map(|(path, entry)| match entry {
        Entry::File { content, .. } => Some((path, content)),
        Entry::Link { .. } | Entry::EmptyDirectory => None,
    });
    all.take(usize::from(u16::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_single_file_is_found_under_its_name() {
        let project = Project::single(Path::new("/nowhere/bug.c"), Vec::new());
        let sources = project.sources(&FileTree::file("bug.c", "int x;"));
        assert_eq!(sources.files[0].path, Path::new("/nowhere/bug.c"));
        assert_eq!(parse(&sources, &project.compilations[0]).unwrap().entities[0].name, "x");
    }

    #[test]
    fn headers_of_a_directory_are_found_and_changed() {
        let entries = [("main.c", "#include \"in/x.h\"\nint y = x;"), ("in/x.h", "int x;")];
        let entries: BTreeMap<_, _> =
            entries.iter().map(|(path, text)| (PathBuf::from(path), Entry::file(*text))).collect();
        let tree = FileTree::directory("project", entries);
        let file = PathBuf::from("/nowhere/main.c");
        let project =
            Project { root: "/nowhere".into(), compilations: vec![Compilation { file, arguments: Vec::new() }] };
        let syntax = parse(&project.sources(&tree), &project.compilations[0]).unwrap();
        let header = syntax.nodes.iter().find(|node| node.declares.is_some()).unwrap().file;
        let changed = project.with_texts(&tree, [(header, b"long x;".to_vec())]);
        assert_eq!(changed.entry(Path::new("in/x.h")), Some(&Entry::file("long x;")));
    }
}
