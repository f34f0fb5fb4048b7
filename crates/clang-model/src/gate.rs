//! Asks libclang before the user's test, so that a candidate that does not compile costs
//! milliseconds instead of a test.

use crate::model::Demands;
use crate::sources::Project;
use lapidary_clang::{Compilation, ParseError, Reader};
use lapidary_reduce::{Cancel, FileTree, Judgment, Predicate, PredicateError, Verdict};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// The size above which libclang takes longer than most tests.
const WORTH_CHECKING_BYTES: u64 = 256 << 10;

/// The largest program for which the test's demands are probed.
const WORTH_ASKING_BYTES: u64 = 64 << 10;

/// The last program that models were built from, which is interesting. It changes only between
/// stages, so decisions based on it do not depend on how many tests run at once.
#[derive(Default)]
pub struct Milestone {
    tree: Mutex<Option<FileTree>>,
}

impl Milestone {
    pub fn reach(&self, tree: &FileTree) {
        *self.tree.lock().expect("no code panics while holding the lock") = Some(tree.clone());
    }

    fn if_small(&self) -> Option<FileTree> {
        let tree = self.tree.lock().expect("no code panics while holding the lock");
        tree.as_ref().filter(|tree| tree.bytes() <= WORTH_ASKING_BYTES).cloned()
    }
}

/// A test that sees only candidates that libclang accepts.
pub struct Gate<'p> {
    project: &'p Project,
    decision: Mutex<Decision<'p>>,
    /// Whether a candidate must have a `main`.
    needs_main: bool,
    refused: AtomicU64,
    test: &'p dyn Predicate,
}

#[derive(Clone)]
enum Decision<'p> {
    /// To be decided once the milestone is small.
    Pending(&'p Milestone),
    Open,
    Closed(Arc<Rules>),
}

impl<'p> Gate<'p> {
    /// Creates a gate for a test that wants programs to compile as well as the original does.
    pub fn new(project: &'p Project, original: &FileTree, test: &'p dyn Predicate) -> Result<Gate<'p>, ParseError> {
        let rules = Rules::default();
        let accepted = rules.complaints(project, original)?;
        let decision = Decision::Closed(Arc::new(Rules { accepted, ..rules }));
        Ok(Gate { project, decision: Mutex::new(decision), needs_main: false, refused: AtomicU64::new(0), test })
    }

    /// Creates a gate for a test that may accept programs that do not compile. Whether it does is
    /// determined once, as soon as the program is small, by adding an error to it. The warnings
    /// that the test treats as errors are determined in the same way.
    pub fn asking(project: &'p Project, milestone: &'p Milestone, test: &'p dyn Predicate) -> Gate<'p> {
        let decision = Decision::Pending(milestone);
        Gate { project, decision: Mutex::new(decision), needs_main: false, refused: AtomicU64::new(0), test }
    }

    /// Sets whether the test links the program.
    pub fn linked(self, is_linked: bool) -> Gate<'p> {
        Gate { needs_main: is_linked, ..self }
    }

    /// Returns the number of candidates that never reached the test.
    pub fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }

    /// Returns the first complaint of libclang's about a candidate that is not allowed.
    fn complaint(&self, candidate: &FileTree, cancel: &Cancel) -> Result<Option<String>, PredicateError> {
        if self.needs_main && candidate.only_file().is_some_and(|text| !has_main(text)) {
            return Ok(Some("there is no main".to_owned()));
        }
        if candidate.bytes() > WORTH_CHECKING_BYTES {
            return Ok(None);
        }
        let Decision::Closed(rules) = self.decision(cancel)? else { return Ok(None) };
        let found = rules.complaints(self.project, candidate).unwrap_or_default();
        Ok(found.into_iter().find(|message| !rules.accepted.contains(message)))
    }

    fn decision(&self, cancel: &Cancel) -> Result<Decision<'p>, PredicateError> {
        let mut decision = self.decision.lock().expect("no code panics while holding the lock");
        if let Decision::Pending(milestone) = *decision
            && let Some(milestone) = milestone.if_small()
        {
            *decision = self.decide(&milestone, cancel)?;
        }
        Ok(decision.clone())
    }

    fn decide(&self, milestone: &FileTree, cancel: &Cancel) -> Result<Decision<'p>, PredicateError> {
        let accepts = |addition: &str| match with_addition(milestone, addition) {
            Some(tree) => Ok(self.test.judge(&tree, cancel)?.is_interesting()),
            None => Ok(true),
        };
        if accepts(ERROR)? {
            return Ok(Decision::Open);
        }
        let mut rules = Rules::default();
        if accepts(HARMLESS)? {
            for (flag, offence) in DEMANDS {
                if !accepts(offence)? {
                    rules.flags.push((*flag).to_owned());
                }
            }
        }
        let accepted = rules.complaints(self.project, milestone);
        Ok(accepted.map_or(Decision::Open, |accepted| Decision::Closed(Arc::new(Rules { accepted, ..rules }))))
    }
}

/// Determines the demands of a test. It must accept an additional harmless function, but reject one
/// that calls an undefined function, reads an uninitialised variable, or lacks a return. A program
/// without `main` is not checked for linking.
pub fn demands(tree: &FileTree, test: &dyn Predicate, cancel: &Cancel) -> Result<Demands, PredicateError> {
    let accepts = |addition: &str| match with_addition(tree, addition) {
        Some(tree) => Ok(test.judge(&tree, cancel)?.is_interesting()),
        None => Ok(true),
    };
    let has_main = tree.only_file().is_some_and(|text| has_main(text));
    let found = Demands {
        linked: has_main && !accepts(UNDEFINED)?,
        initialised: !accepts(UNINITIALISED)?,
        returned: !accepts(NOTHING_RETURNED)?,
        reached: None,
    };
    let is_picky = found != Demands::default() && !accepts(HARMLESS)?;
    Ok(if is_picky { Demands::default() } else { found })
}

fn has_main(text: &[u8]) -> bool {
    let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let starts = text.windows(4).enumerate().filter(|(_, word)| *word == b"main").map(|(at, _)| at);
    starts.into_iter().any(|at| {
        let before = at.checked_sub(1).and_then(|before| text.get(before));
        let next = text[at + 4..].iter().find(|byte| !byte.is_ascii_whitespace());
        !is_word(before) && next == Some(&b'(')
    })
}

const UNDEFINED: &str = "int lapidary_nowhere(void); int lapidary_probe(void) { return lapidary_nowhere(); }";
const UNINITIALISED: &str = "int lapidary_probe(void) { int x; return x; }";
const NOTHING_RETURNED: &str = "int lapidary_probe(int x) { }";
const ERROR: &str = "int lapidary_error = ;";
const HARMLESS: &str = "int lapidary_probe(int x) { return x; }";

/// Warnings that tests often treat as errors, each with code that triggers it.
const DEMANDS: &[(&str, &str)] = &[
    ("-Werror=return-type", NOTHING_RETURNED),
    ("-Werror=uninitialized", UNINITIALISED),
    ("-Werror=incompatible-pointer-types", "int *lapidary_probe(char *x) { return x; }"),
    ("-Werror=strict-prototypes", "int lapidary_probe() { return 0; }"),
];

/// The complaints that rule out a candidate.
#[derive(Default)]
struct Rules {
    /// The complaints about the milestone, which are allowed for a candidate.
    accepted: BTreeSet<String>,
    flags: Vec<String>,
    /// One set of readers for each thread that asks at the same time.
    readers: Mutex<Vec<Vec<Reader>>>,
}

impl Rules {
    fn complaints(&self, project: &Project, tree: &FileTree) -> Result<BTreeSet<String>, ParseError> {
        let idle = self.readers.lock().expect("no code panics while holding the lock").pop();
        let mut readers = idle.unwrap_or_else(|| project.compilations.iter().map(|one| self.reader(one)).collect());
        let sources = project.sources(tree);
        let mut messages = BTreeSet::new();
        for reader in &mut readers {
            messages.extend(reader.complaints(&sources)?.into_iter().map(|complaint| complaint.message));
        }
        self.readers.lock().expect("no code panics while holding the lock").push(readers);
        Ok(messages)
    }

    fn reader(&self, compilation: &Compilation) -> Reader {
        let arguments = compilation.arguments.iter().chain(&self.flags).cloned().collect();
        Reader::new(Compilation { file: compilation.file.clone(), arguments })
    }
}

fn with_addition(tree: &FileTree, addition: &str) -> Option<FileTree> {
    let text = [&**tree.only_file()?, b"\n", addition.as_bytes(), b"\n"].concat();
    Some(tree.with_file(Path::new(""), text.into()))
}

impl Predicate for Gate<'_> {
    fn judge(&self, candidate: &FileTree, cancel: &Cancel) -> Result<Judgment, PredicateError> {
        match self.complaint(candidate, cancel)? {
            Some(message) => {
                self.refused.fetch_add(1, Ordering::Relaxed);
                Ok(Judgment::new(Verdict::Uninteresting, format!("{}: {message}", Judgment::INVALID)))
            }
            None => self.test.judge(candidate, cancel),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Accepts all texts except those that match.
    struct Unless<'f>(&'f (dyn Fn(&str) -> bool + Sync));

    impl Predicate for Unless<'_> {
        fn judge(&self, candidate: &FileTree, _: &Cancel) -> Result<Judgment, PredicateError> {
            let content = candidate.only_file().expect("a file stays a file");
            let is_bad = (self.0)(&String::from_utf8_lossy(content));
            let verdict = if is_bad { Verdict::Uninteresting } else { Verdict::Interesting };
            Ok(Judgment::new(verdict, "by its words"))
        }
    }

    fn refused(is_bad: &(dyn Fn(&str) -> bool + Sync), original: &str, candidates: &[&str]) -> u64 {
        let project = Project::single(Path::new("/nowhere/a.c"), Vec::new());
        let milestone = Milestone::default();
        let test = Unless(is_bad);
        let gate = Gate::asking(&project, &milestone, &test);
        milestone.reach(&FileTree::file("a.c", original));
        for text in candidates {
            gate.judge(&FileTree::file("a.c", *text), &Cancel::new()).unwrap();
        }
        gate.refused()
    }

    fn asked(test: &(dyn Fn(&str) -> bool + Sync), text: &str) -> Demands {
        demands(&FileTree::file("a.c", text), &Unless(test), &Cancel::new()).unwrap()
    }

    const PROGRAM: &str = "int main(void) { return 0; }";
    const LIBRARY: &str = "int domain(void) { return 0; }";

    #[test]
    fn a_test_that_links_rejects_undefined_functions() {
        let links = |text: &str| text.contains("lapidary_nowhere");
        assert!(asked(&links, PROGRAM).linked && !asked(&links, LIBRARY).linked);
        assert!(!asked(&links, PROGRAM).initialised);
    }

    #[test]
    fn a_test_may_demand_values_and_returns() {
        let minds = |text: &str| text.contains("int x; return x;");
        assert_eq!(asked(&minds, LIBRARY), Demands { initialised: true, ..Demands::default() });
        let wants_results = |text: &str| text.contains("(int x) { }");
        assert_eq!(asked(&wants_results, LIBRARY), Demands { returned: true, ..Demands::default() });
        assert_eq!(asked(&|_: &str| false, PROGRAM), Demands::default(), "it only compiles");
        let wants_nothing_new = |text: &str| text.contains("lapidary");
        assert_eq!(asked(&wants_nothing_new, PROGRAM), Demands::default(), "it says no to everything");
    }

    const ORIGINAL: &str = "int f(void) { return g; } int h;";

    #[test]
    fn only_candidates_that_compile_are_tested() {
        let test = |text: &str| text.contains("lapidary_error");
        assert_eq!(refused(&test, ORIGINAL, &["int h;", "int f(void) { return }"]), 1);
        assert_eq!(refused(&test, ORIGINAL, &["int f(void) { return g; }"]), 0, "the original has that error too");
    }

    #[test]
    fn a_warning_that_the_test_takes_for_an_error_is_one() {
        let falls_off = ["int f(void) { }", "int f(int x) { if (x) return 1; }"];
        let strict = |text: &str| text.contains("lapidary_error") || text.contains("(int x) { }");
        assert_eq!(refused(&strict, ORIGINAL, &falls_off), 2);
        let lenient = |text: &str| text.contains("lapidary_error");
        assert_eq!(refused(&lenient, ORIGINAL, &falls_off), 0);
        let wants_nothing_new = |text: &str| text.contains("lapidary");
        assert_eq!(refused(&wants_nothing_new, ORIGINAL, &falls_off), 0, "it says no to everything");
    }

    #[test]
    fn a_test_that_likes_errors_sees_everything() {
        let test = |_: &str| false;
        assert_eq!(refused(&test, ORIGINAL, &["int f(void) { return }"]), 0);
    }

    #[test]
    fn a_large_program_is_not_checked_until_it_is_small() {
        let test = |text: &str| text.contains("lapidary_error");
        let large = format!("{ORIGINAL}{}", " ".repeat(WORTH_ASKING_BYTES as usize));
        assert_eq!(refused(&test, &large, &["int f(void) { return }"]), 0);
    }
}
