//! Knowledge about the headers that candidates need.
//!
//! A candidate that compiles with headers which were read for a larger one may itself lack one of
//! them. Finding out takes a compilation without these headers, so the result is reused:
//!
//! - While the preprocessor directives are the same, and so is the line that the compiler
//!   complained about, the compiler will complain again.
//! - A candidate that differs from a failing one only in its headers need not be tried with
//!   borrowed headers first.
//! - Headers that sufficed for one candidate are assumed to suffice for others, since few
//!   candidates use more than those before them. The final result is compiled on its own, which
//!   settles the matter.

use lapidary_reduce::{Entry, FileTree, Key};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The preprocessor directives, each with its file.
type Directives = Vec<(PathBuf, Vec<u8>)>;

/// Knowledge about the headers that candidates need.
#[derive(Default)]
pub struct Headers {
    known: Mutex<Vec<Lack>>,
    /// Hashes of failing candidates without their headers.
    failing: Mutex<HashSet<Key>>,
    /// The preprocessor directives of candidates that were compiled without borrowed headers.
    enough: Mutex<HashSet<Directives>>,
    has_trusted: AtomicBool,
}

struct Lack {
    directives: Directives,
    file: PathBuf,
    /// The line number and the text of the line.
    line: (usize, Vec<u8>),
    complaint: String,
}

impl Headers {
    /// Records the first error of a candidate that compiles only with a header it lacks.
    pub fn learn(&self, candidate: &FileTree, errors: &str) {
        let complaint = errors.lines().find(|line| line.contains(" error: "));
        let Some((complaint, (file, number))) = complaint.and_then(|text| Some((text, place(text)?))) else { return };
        let Some(line) = line_of(candidate, &file, number) else { return };
        let directives = directives(candidate);
        let lack = Lack { directives, file, line: (number, line.to_vec()), complaint: complaint.to_owned() };
        self.known.lock().unwrap_or_else(PoisonError::into_inner).push(lack);
    }

    /// Records the directives of a candidate that was compiled without borrowed headers.
    pub fn remember_enough(&self, candidate: &FileTree) {
        self.enough.lock().unwrap_or_else(PoisonError::into_inner).insert(directives(candidate));
    }

    /// Returns whether another candidate compiled with the same directives.
    pub fn are_enough(&self, candidate: &FileTree) -> bool {
        let is_known = self.enough.lock().unwrap_or_else(PoisonError::into_inner).contains(&directives(candidate));
        self.has_trusted.fetch_or(is_known, Ordering::Relaxed);
        is_known
    }

    /// Returns whether [`Headers::are_enough`] ever returned true.
    pub fn have_been_trusted(&self) -> bool {
        self.has_trusted.load(Ordering::Relaxed)
    }

    pub fn remember_failing(&self, candidate: &FileTree) {
        self.failing.lock().unwrap_or_else(PoisonError::into_inner).insert(without_headers(candidate));
    }

    /// Returns whether a candidate that differs at most in its headers was seen to fail.
    pub fn has_failed(&self, candidate: &FileTree) -> bool {
        self.failing.lock().unwrap_or_else(PoisonError::into_inner).contains(&without_headers(candidate))
    }

    /// Returns the error that the compiler will report, if it is known.
    pub fn complaint(&self, candidate: &FileTree) -> Option<String> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.is_empty() {
            return None;
        }
        let directives = directives(candidate);
        let has_it = |lack: &&Lack| {
            lack.directives == directives && line_of(candidate, &lack.file, lack.line.0) == Some(&lack.line.1)
        };
        known.iter().find(has_it).map(|lack| lack.complaint.clone())
    }
}

/// Parses the file and the line at the start of an error: `a.cpp:7:3: error: …`.
fn place(complaint: &str) -> Option<(PathBuf, usize)> {
    let mut parts = complaint.splitn(3, ':');
    let (file, line) = (parts.next()?, parts.next()?);
    Some((file.into(), line.parse().ok()?))
}

fn directives(tree: &FileTree) -> Directives {
    let lines = files(tree).flat_map(|(path, text)| text.split(|byte| *byte == b'\n').map(move |line| (path, line)));
    let of_preprocessor = lines.filter(|(_, line)| line.trim_ascii_start().starts_with(b"#"));
    of_preprocessor.map(|(path, line)| (path.to_path_buf(), line.trim_ascii().to_vec())).collect()
}

/// Restores all headers of the original in a candidate, since it certainly compiled with these.
/// Lines keep their numbers.
pub fn with_headers_of(original: &FileTree, candidate: &FileTree) -> FileTree {
    let mut result = candidate.clone();
    for (path, text) in files(candidate) {
        let Some((_, before)) = files(original).find(|(known, _)| *known == path) else { continue };
        let lines = |text| <[u8]>::split(text, |byte| *byte == b'\n');
        if lines(before).count() != lines(text).count() {
            continue;
        }
        let is_lost = |was: &[u8], is: &[u8]| is_include(was) && is.trim_ascii().is_empty();
        let restored = lines(before).zip(lines(text)).map(|(was, is)| if is_lost(was, is) { was } else { is });
        result = result.with_file(path, restored.collect::<Vec<_>>().join(&b'\n').into());
    }
    result
}

fn without_headers(tree: &FileTree) -> Key {
    let mut hasher = blake3::Hasher::new();
    for (path, text) in files(tree) {
        hasher.update(path.as_os_str().as_encoded_bytes()).update(b"\0");
        let lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
        for line in lines {
            hasher.update(if is_include(line) { b"" } else { line }).update(b"\n");
        }
    }
    Key(*hasher.finalize().as_bytes())
}

fn is_include(line: &[u8]) -> bool {
    let directive = line.trim_ascii_start().strip_prefix(b"#").map(<[u8]>::trim_ascii_start);
    directive.is_some_and(|directive| directive.starts_with(b"include"))
}

fn line_of<'t>(tree: &'t FileTree, file: &Path, number: usize) -> Option<&'t [u8]> {
    let is_it = |path: &Path| if tree.is_directory() { path == file } else { Path::new(tree.name()) == file };
    let (_, text) = files(tree).find(|(path, _)| is_it(path))?;
    text.split(|byte| *byte == b'\n').nth(number.checked_sub(1)?)
}

fn files(tree: &FileTree) -> impl Iterator<Item = (&Path, &[u8])> {
    tree.entries().filter_map(|(path, entry)| match entry {
        Entry::File { content, .. } => Some((path, &content[..])),
        Entry::Link { .. } | Entry::EmptyDirectory => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ERRORS: &str = "a.cpp: In function 'int main()':\na.cpp:2:14: error: 'cout' is not a member of 'std'\n";

    #[test]
    fn the_same_line_with_the_same_headers_lacks_the_same() {
        let headers = Headers::default();
        let complaint = |text: &str| headers.complaint(&FileTree::file("a.cpp", text));
        assert_eq!(complaint("#include <map>\nint main() { std::cout << 1; }\nint x;\n"), None);
        headers.learn(&FileTree::file("a.cpp", "#include <map>\nint main() { std::cout << 1; }\nint x;\n"), ERRORS);
        let said = complaint("#include <map>\nint main() { std::cout << 1; }\n\n");
        assert_eq!(said.as_deref(), Some("a.cpp:2:14: error: 'cout' is not a member of 'std'"));
        assert_eq!(complaint("#include <map>\nint main() { }\nint x;\n"), None, "it is not used any more");
        assert_eq!(
            complaint("#include <ios>\nint main() { std::cout << 1; }\n\n"),
            None,
            "with another header it may go"
        );
    }

    #[test]
    fn a_complaint_about_no_line_of_the_program_says_nothing() {
        let headers = Headers::default();
        let tree = FileTree::file("a.cpp", "int main() { }\n");
        for errors in ["", "cc1plus: error: out of memory", "/usr/include/x.h:1:1: error: no", "a.cpp:9:1: error: no"] {
            headers.learn(&tree, errors);
            assert_eq!(headers.complaint(&tree), None, "{errors}");
        }
    }

    #[test]
    fn headers_make_no_other_program() {
        let headers = Headers::default();
        let program = |text: &str| FileTree::file("a.cpp", text);
        headers.remember_failing(&program("#include <map>\n# include <set>\nint n;\n"));
        assert!(headers.has_failed(&program("\n# include <set>\nint n;\n")));
        assert!(headers.has_failed(&program("#include <map>\n  \nint n;\n")));
        assert!(!headers.has_failed(&program("#include <map>\n\nint m;\n")));
        assert!(!headers.has_failed(&program("#define N\n\nint n;\n")));
    }

    #[test]
    fn headers_that_sufficed_once_are_trusted() {
        let headers = Headers::default();
        let program = |text: &str| FileTree::file("a.cpp", text);
        headers.remember_enough(&program("#include <map>\nint n;\nint m;\n"));
        assert!(!headers.are_enough(&program("\nint n;\n")) && !headers.have_been_trusted());
        assert!(headers.are_enough(&program("#include <map>\nint n;\n")) && headers.have_been_trusted());
    }

    #[test]
    fn headers_come_back() {
        let original = FileTree::file("a.cpp", "#include <map>\n#include <set>\nint n;\nint m;\n");
        let candidate = FileTree::file("a.cpp", "\n#include <set>\nint n;\n\n");
        let restored = FileTree::file("a.cpp", "#include <map>\n#include <set>\nint n;\n\n");
        assert_eq!(with_headers_of(&original, &candidate), restored);
        let shorter = FileTree::file("a.cpp", "int n;\n");
        assert_eq!(with_headers_of(&original, &shorter), shorter);
    }
}
