//! The report of a comparison.

use super::built::Built;
use super::confirm::Seen;
use super::scope::Scope;
use lapidary_compare::{Changes, RandomComparison, Verdict};
use lapidary_jvm::ClassPath;
use lapidary_symbolic::{Method, Share};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// The outcome of a comparison.
pub struct ComparisonReport {
    /// The old and the new version.
    pub paths: [PathBuf; 2],
    /// The names of the versions: those in the repository, or the parts in which their paths
    /// differ.
    pub names: [String; 2],
    /// The classes of both versions.
    pub class_paths: [Arc<ClassPath>; 2],
    /// The method that was called.
    pub method: Rc<Method>,
    /// The code that may change.
    pub scope: Scope,
    /// The classes that differ.
    pub changes: Changes,
    /// The verdict of the symbolic machine, with a difference if there is one.
    pub comparison: lapidary_compare::ComparisonResult,
    /// The outcome of random testing, or the reason for its failure.
    pub random: Result<RandomComparison, String>,
    /// The behaviour of both versions on the real JVM, on the input of the difference.
    pub seen: Vec<Seen>,
    /// How long the comparison was allowed to take.
    pub time: Duration,
    /// The share of the lines of changed methods, in the new version, that ran.
    pub changed_lines: Share,
    /// For each class of the new version, the classes that it mentions.
    pub graph: BTreeMap<String, BTreeSet<String>>,
    /// The work trees of the versions, removed when the report is dropped.
    pub(super) built: Option<Built>,
}

impl ComparisonReport {
    /// Whether a difference was found, by the symbolic machine or by random testing.
    pub fn is_different(&self) -> bool {
        self.comparison.verdict == Verdict::Different
            || matches!(self.random, Ok(RandomComparison { found: Some(_), .. }))
    }

    /// The directories of the sources of both versions, if they were built here.
    pub fn built_from(&self) -> Option<[PathBuf; 2]> {
        self.built.as_ref().map(Built::trees)
    }
}
