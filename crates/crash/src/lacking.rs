//! Headers that are known to be lacking.
//!
//! Whether a candidate can do without a header is asked in every round, and the answer takes two compilations: one that
//! borrows the header, and one without. As long as the lines of the preprocessor are the same, and so is the line that the
//! compiler has complained of, it will complain again.

use lapidary_reduce::{Entry, FileTree};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

#[derive(Default)]
pub struct Lacking {
    known: Mutex<Vec<Lack>>,
}

struct Lack {
    directives: Vec<(PathBuf, Vec<u8>)>,
    file: PathBuf,
    /// The number of the line, and what it says.
    line: (usize, Vec<u8>),
    complaint: String,
}

impl Lacking {
    /// Learns from a candidate that compiles only with a header that it has not got.
    pub fn learn(&self, candidate: &FileTree, errors: &str) {
        let complaint = errors.lines().find(|line| line.contains(" error: "));
        let Some((complaint, (file, number))) = complaint.and_then(|text| Some((text, place(text)?))) else { return };
        let Some(line) = line_of(candidate, &file, number) else { return };
        let directives = directives(candidate);
        let lack = Lack { directives, file, line: (number, line.to_vec()), complaint: complaint.to_owned() };
        self.known.lock().unwrap_or_else(PoisonError::into_inner).push(lack);
    }

    /// What the compiler will complain of.
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

/// The file and the line at the start of a complaint: `a.cpp:7:3: error: …`.
fn place(complaint: &str) -> Option<(PathBuf, usize)> {
    let mut parts = complaint.splitn(3, ':');
    let (file, line) = (parts.next()?, parts.next()?);
    Some((file.into(), line.parse().ok()?))
}

fn directives(tree: &FileTree) -> Vec<(PathBuf, Vec<u8>)> {
    let lines = files(tree).flat_map(|(path, text)| text.split(|byte| *byte == b'\n').map(move |line| (path, line)));
    let of_preprocessor = lines.filter(|(_, line)| line.trim_ascii_start().starts_with(b"#"));
    of_preprocessor.map(|(path, line)| (path.to_path_buf(), line.trim_ascii().to_vec())).collect()
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
        let lacking = Lacking::default();
        let complaint = |text: &str| lacking.complaint(&FileTree::file("a.cpp", text));
        assert_eq!(complaint("#include <map>\nint main() { std::cout << 1; }\nint x;\n"), None);
        lacking.learn(&FileTree::file("a.cpp", "#include <map>\nint main() { std::cout << 1; }\nint x;\n"), ERRORS);
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
        let lacking = Lacking::default();
        let tree = FileTree::file("a.cpp", "int main() { }\n");
        for errors in ["", "cc1plus: error: out of memory", "/usr/include/x.h:1:1: error: no", "a.cpp:9:1: error: no"] {
            lacking.learn(&tree, errors);
            assert_eq!(lacking.complaint(&tree), None, "{errors}");
        }
    }
}
