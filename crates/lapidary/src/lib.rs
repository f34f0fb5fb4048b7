//! Lapidary turns a failing program into a report that a person can read. It makes the program
//! small while keeping it valid, finds the statements behind a crash, and shows what a patch really
//! changed. This crate is the front door for Rust programs; the `lapidary` command is one of them.
//!
//! # The one idea
//!
//! A program is a set of **items** under a **formula**. An item is anything that can be removed or
//! replaced by something smaller: a class, a method's body, an `implements` clause, a statement, a
//! parameter together with its arguments. The formula says which selections of items are valid
//! programs, so that no time is spent on invalid ones.
//!
//! Three kinds of knowledge are kept apart:
//!
//! - a **model** knows a language: its items, its formula, and how a selection is written out;
//! - a **strategy** knows how to search: which selection to try next;
//! - a **predicate**, the test, knows how to tell whether a candidate still fails.
//!
//! They meet in a session, which never judges the same candidate twice, uses idle cores to look
//! ahead, and always keeps the best result so far. A new language works with every strategy, and a
//! new strategy with every language.
//!
//! # Entry types
//!
//! Each entry type is a value that is described first and then run. It returns a report, or an
//! [`Error`] if there is nothing to report.
//!
//! | to find out | run |
//! |---|---|
//! | the smallest valid input that still fails | a [`Reduction`] |
//! | the few statements that make a C or C++ program crash | a [`Crash`] |
//! | how to show a failure to others, without Lapidary | a [`Bundle`] |
//! | what a line of a C or C++ program depends on | a [`Slicing`] |
//! | whether a patch changed only what was meant | a [`Comparison`] |
//! | what a Java method can do, and on which inputs | an [`Exploration`] |
//! | how to keep what was found as tests in Java | [`JUnit`] |
//! | whether a miss of an analysis is a bug or a known limit | a [`Triage`] |
//! | whether a model knows its language | a [`ModelCheck`] |
//! | a test script for a command that fails | an [`Init`] |
//!
//! # Shrinking bytes inside a fuzz target
//!
//! Nothing is written to disk unless [`Reduction::save`] says where. The closure returns true if
//! the input still fails.
//!
//! ```
//! use lapidary::{Reduction, Subject};
//! use std::panic::catch_unwind;
//!
//! /// The program under test: it fails on a minus sign after a digit.
//! fn parse(input: &[u8]) {
//!     let text = String::from_utf8_lossy(input);
//!     let is_bad = |pair: &[u8]| pair[0].is_ascii_digit() && pair[1] == b'-';
//!     assert!(!text.as_bytes().windows(2).any(is_bad));
//! }
//!
//! # std::panic::set_hook(Box::new(|_| {}));
//! let crashing: Vec<u8> = b"{ \"a\": [1, 2, 3], \"b\": 17-4 }".to_vec();
//! let report = Reduction::of(Subject::bytes("crash", crashing)?)
//!     .test(|bytes: &[u8]| catch_unwind(|| parse(bytes)).is_err())
//!     .run(&mut ())?;
//! let small: Vec<u8> = report.result.only_file().expect("a file stays a file").to_vec();
//! assert_eq!(small.len(), 2);
//! # Ok::<(), lapidary::Error>(())
//! ```
//!
//! # Reducing a file with a command
//!
//! The kind of the input is recognised by its name and content: C and C++, Java bytecode, any
//! language with a grammar, text, bytes, directories. The test runs in a fresh directory with the
//! candidate, and exit code 0 means that it still fails.
//!
//! ```
//! use lapidary::{Command, Existing, Reduction, Saving, Subject};
//! use std::time::Duration;
//!
//! # let place = tempfile::tempdir()?;
//! # let input = place.path().join("notes.txt");
//! # std::fs::write(&input, "one\ntwo\nthree\nfour\n")?;
//! # let result = place.path().join("small.txt");
//! let report = Reduction::of(Subject::open(&input)?)
//!     .test(Command::new("grep").args(["-q", "three", "{}"]))
//!     .save(Saving { path: result.clone(), existing: Existing::Replace })
//!     .jobs(2)
//!     .budget(Duration::from_secs(60))
//!     .run(&mut ())?;
//! assert!(report.is_complete());
//! assert!(std::fs::read_to_string(&result)?.contains("three"));
//! # Ok::<(), lapidary::Error>(())
//! ```
//!
//! A jar is reduced in the same way: `Subject::open("app.jar")?`, with
//! `Command::decompiler("cfr")` as a built-in test.
//!
//! # Minimising a crash
//!
//! ```
//! use lapidary::{Building, Crash, CrashOptions, Program};
//!
//! # let place = tempfile::tempdir()?;
//! # std::env::set_current_dir(&place)?;
//! # let setup = r#"printf '%s\n' '#include <stdlib.h>' 'int unused;' 'int main(int argc, char **argv)' '{' \
//! #         '    if (argc > 2)' '        abort();' '}' >list.c"#;
//! # assert!(std::process::Command::new("sh").args(["-ec", setup]).status()?.success());
//! let program = Program::of_files(&["list.c".into()], &Building::default())?;
//! let options = CrashOptions { arguments: vec!["3".into(), "-1".into()], ..CrashOptions::default() };
//! println!("{}", Crash::of(program, options).run(&mut ())?.marked());
//! # Ok::<(), lapidary::Error>(())
//! ```
//!
//! # Comparing two class paths
//!
//! ```
//! use lapidary::{Comparison, ComparisonOptions, Versions};
//!
//! # let place = tempfile::tempdir()?;
//! # std::env::set_current_dir(&place)?;
//! # let setup = r#"echo 'class Till { static int pay(int all) { return all; } }' >Till.java
//! #     javac -g -d old Till.java
//! #     sed -i 's/all;/all - 5;/' Till.java
//! #     javac -g -d new Till.java"#;
//! # assert!(std::process::Command::new("sh").args(["-ec", setup]).status()?.success());
//! let versions = Versions::Given { old: "old".into(), new: "new".into() };
//! let options = ComparisonOptions::default();
//! let report = Comparison::of(versions, "Till.pay", options)?.run(&mut ())?;
//! assert!(report.is_different());
//! # Ok::<(), lapidary::Error>(())
//! ```
//!
//! # Going further
//!
//! - To follow a run, implement [`Watcher`]; to stop one, fire the [`Cancel`] of its [`Effort`].
//! - To continue an interrupted run, save it with [`Existing::Resume`].
//! - A command runs on a build farm with `Command::remote`, if the feature `remote` is on, as it is by
//!   default. A test that runs elsewhere in another way is a [`Runner`]: see [`Test::of_runs`].
//! - The journal beside a saved result can be read with [`parts::reduce::journal::read`].
//! - [`parts::reduce`] has the traits of strategies and models.
//!
//! Everything that options, watchers and reports mention is here or in [`parts`], so a program
//! needs no other crate of Lapidary.
//!
//! # Other processes
//!
//! Programs should call [`run_if_asked`] at the start of `main`. Lapidary then starts the program a
//! second time for two purposes: to run libclang and other foreign code, so that their crashes do
//! no harm, and to clean up after a `kill -9`. Without the call, foreign code runs in the program's
//! own process.
#![warn(missing_docs)]

mod advice;
mod apart;
mod aside;
mod bundle;
mod c;
mod comparison;
mod container;
mod crash;
mod documents;
mod effort;
mod error;
mod exploration;
mod follow;
mod init;
mod input;
mod java;
mod java_method;
mod junit;
mod model_check;
mod output;
mod pace;
mod plan;
mod preflight;
mod probed;
mod real_jvm;
mod recognise;
mod reduction;
#[cfg(feature = "remote")]
mod remote;
mod report;
mod run;
mod slicing;
mod subject;
mod test;
mod tools;
mod triage;
mod watcher;

pub use apart::{Written, must_be_apart};
pub use bundle::{Bundle, BundleReport, FindingWords, Shown};
pub use comparison::{
    Comparison, ComparisonOptions, ComparisonReport, ComparisonWatcher, FoundAtRandom, Scope, Seen, Versions,
    assembled_classes, call_in_words, difference_in_words,
};
pub use crash::{Building, Crash, CrashOptions, CrashReport, FailureSeen, FileSeen, FrameSeen, Program};
pub use documents::DocumentKind;
pub use effort::{Budget, Effort, cores};
pub use error::{Error, Result};
pub use exploration::{
    Exploration, ExplorationOptions, ExplorationReport, ExplorationWatcher, FindingKey, PathVerdict, RandomFindings,
    Tally, path_outcome,
};
pub use init::{Init, InitOptions, InitReport, Proved, preset_names};
pub use java::JavaProgram;
pub use junit::{JUnit, JUnitReport, TestablePaths};
pub use lapidary_common::shell::quoted;
pub use lapidary_compare::{Techniques, Verdict as ComparisonVerdict};
pub use lapidary_crash::{Failure, minimise::Approach};
pub use lapidary_predicate::{
    Expectation, Judge, Limits, NoSandbox, Normaliser, Observation, Preserve, Runner, Sandbox, SandboxMode,
    TestPredicate, limits_are_shared,
};
pub use lapidary_reduce::{
    Blob, Cancel, Control, Counts, Entry, Event, FileTree, Item, Judgment, Predicate, PredicateError, StageInfo, Stop,
    Trial, Verdict,
};
#[cfg(feature = "remote")]
pub use lapidary_remote::{Address, Header, Property, RemoteConfig, RemoteError, Tls};
pub use lapidary_slice::Criterion;
pub use lapidary_symbolic::{Aliases, ObjectsBy};
pub use lapidary_triage::TriageProgram;
pub use model_check::{ModelCheck, ModelCheckOptions, ModelCheckReport, ModelCheckWatcher, Rejected};
pub use output::{Existing, Saving, default_path, journal_meant_by};
pub use plan::Freedom;
pub use recognise::Reading;
pub use reduction::Reduction;
pub use report::{Check, Report};
pub use slicing::{SlicedRun, Slicing, SlicingReport};
pub use subject::Subject;
pub use test::{Command, Test};
pub use triage::{Asked, ReducedLoss, Triage, TriageOptions, TriageReport, TriageWatcher, install_analyses};
pub use watcher::Watcher;

/// If this process was started by Lapidary to do a part of the work, does it and never returns. Call
/// this first in `main`.
pub fn run_if_asked() {
    lapidary_predicate::warden::run_if_asked();
    lapidary_foreign::run_if_asked(&[
        &lapidary_clang::SERVICE,
        &lapidary_tree_model::SERVICE,
        &lapidary_terms::SERVICE,
    ]);
}

/// The crates that this one is built from, for types that options, watchers and reports mention.
pub mod parts {
    pub use lapidary_clang as clang;
    pub use lapidary_compare as compare;
    pub use lapidary_crash as crash;
    pub use lapidary_jvm as jvm;
    pub use lapidary_logic as logic;
    pub use lapidary_predicate as predicate;
    pub use lapidary_reduce as reduce;
    pub use lapidary_slice as slice;
    pub use lapidary_symbolic as symbolic;
    pub use lapidary_triage as triage;
}

/// Compiles and runs the examples of docs/guide/library.md.
#[cfg(doctest)]
#[doc = include_str!("../guide.md")]
mod guide {}
