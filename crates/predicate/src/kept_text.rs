//! Text and files that must stay whatever the test says.

use lapidary_reduce::{Cancel, Entry, FileTree, Judgment, Predicate, PredicateError, Verdict};
use regex::bytes::Regex;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A predicate that rejects candidates in which kept text or files are missing, without running the
/// test.
pub struct KeptText<'a> {
    kept: Vec<Kept>,
    test: &'a dyn Predicate,
}

/// The content that one pattern keeps: files if it matches any paths, else every match in the text.
struct Kept {
    pattern: Regex,
    paths: Vec<PathBuf>,
    pieces: BTreeSet<Vec<u8>>,
}

impl<'a> KeptText<'a> {
    /// Keeps everything in `input` that a pattern matches. Returns a pattern that matches nothing
    /// as an error.
    pub fn new(patterns: &[Regex], input: &FileTree, test: &'a dyn Predicate) -> Result<Self, String> {
        let kept = patterns.iter().map(|pattern| Kept::of(pattern, input).ok_or_else(|| pattern.to_string()));
        Ok(KeptText { kept: kept.collect::<Result<_, _>>()?, test })
    }
}

impl Kept {
    fn of(pattern: &Regex, input: &FileTree) -> Option<Kept> {
        let matches =
            |path: &Path| !path.as_os_str().is_empty() && pattern.is_match(path.as_os_str().as_encoded_bytes());
        let paths: Vec<PathBuf> =
            input.entries().map(|(path, _)| path.to_owned()).filter(|path| matches(path)).collect();
        let pieces = if paths.is_empty() { found(pattern, input) } else { BTreeSet::new() };
        let nothing = paths.is_empty() && pieces.is_empty();
        (!nothing).then(|| Kept { pattern: pattern.clone(), paths, pieces })
    }

    /// Describes what is missing from a candidate.
    fn missing(&self, candidate: &FileTree) -> Option<String> {
        if let Some(path) = self.paths.iter().find(|path| candidate.entry(path).is_none()) {
            return Some(format!("the kept file {}", path.display()));
        }
        let present = found(&self.pattern, candidate);
        let piece = self.pieces.iter().find(|piece| !present.contains(*piece))?;
        Some(format!("the kept text {:?}", String::from_utf8_lossy(piece)))
    }
}

/// All matches of a pattern in a tree's files.
fn found(pattern: &Regex, tree: &FileTree) -> BTreeSet<Vec<u8>> {
    let in_file = |content| pattern.find_iter(content).map(|found| found.as_bytes().to_vec());
    contents(tree).flat_map(in_file).filter(|piece| !piece.is_empty()).collect()
}

impl Predicate for KeptText<'_> {
    fn judge(&self, candidate: &FileTree, cancel: &Cancel) -> Result<Judgment, PredicateError> {
        match self.kept.iter().find_map(|kept| kept.missing(candidate)) {
            None => self.test.judge(candidate, cancel),
            Some(missing) => Ok(Judgment::new(Verdict::Uninteresting, format!("lacks {missing}"))),
        }
    }
}

fn contents(tree: &FileTree) -> impl Iterator<Item = &[u8]> {
    tree.entries().filter_map(|(_, entry)| match entry {
        Entry::File { content, .. } => Some(&**content),
        Entry::Link { .. } | Entry::EmptyDirectory => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Yes;

    impl Predicate for Yes {
        fn judge(&self, _: &FileTree, _: &Cancel) -> Result<Judgment, PredicateError> {
            Ok(Judgment::new(Verdict::Interesting, "always"))
        }
    }

    #[test]
    fn a_candidate_without_the_kept_text_is_not_interesting() {
        let input = FileTree::file("x", "one\ntwo\nthree\n");
        let kept = KeptText::new(&[Regex::new("t[a-z]+").unwrap()], &input, &Yes).unwrap();
        let judge = |text: &str| kept.judge(&FileTree::file("x", text), &Cancel::new()).unwrap();
        assert!(judge("two three").is_interesting());
        assert!(!judge("one two").is_interesting());
        assert!(judge("one two").reason.contains("three"));
        let alone = KeptText::new(&[Regex::new("(?m)^one$").unwrap()], &input, &Yes).unwrap();
        assert!(!alone.judge(&FileTree::file("x", "ones"), &Cancel::new()).unwrap().is_interesting());
        assert!(KeptText::new(&[Regex::new("four").unwrap()], &input, &Yes).is_err());
    }
}
