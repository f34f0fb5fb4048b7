//! The settings of a comparison.

use crate::exploration::REPLAY;
use lapidary_compare::Techniques;
use lapidary_predicate::Sandbox;
use lapidary_reduce::Cancel;
use lapidary_symbolic::Aliases;
use std::path::PathBuf;
use std::time::Duration;

/// The settings of a comparison.
#[derive(Clone)]
pub struct ComparisonOptions {
    /// A file that says what may change; without it, every class that differs may change.
    pub spec: Option<PathBuf>,
    /// Directories and jars with the classes that both versions use.
    pub class_path: Vec<PathBuf>,
    /// The search that picks the next path of the old version: `fair`, `depth`, `breadth`, `tree`
    /// or `coverage`.
    pub search: String,
    /// How long everything may take, from the first class that is read.
    pub time: Duration,
    /// How long one run on the real JVM may take.
    pub timeout: Duration,
    /// The longest text or array in an input.
    pub bound: usize,
    /// How deep the references between objects in an input go.
    pub depth: u32,
    /// Which inputs may be the same object.
    pub aliases: Aliases,
    /// Classes to replace by abstract ones; `auto` takes those that do not change, if half of the
    /// time was too short for the concrete ones.
    pub abstracted: Vec<String>,
    /// How much of a class its abstraction keeps: `none`, `shallow`, `deep` or `mnemonic`.
    pub policy: String,
    /// Directories and jars with abstract classes written by hand.
    pub abstractions: Vec<PathBuf>,
    /// Make abstract classes at the start and show their sources.
    pub show_abstractions: bool,
    /// Merge paths that split at a branch and meet again.
    pub merge: bool,
    /// The techniques that make comparing cheaper.
    pub techniques: Techniques,
    /// Cache the answers of the solver.
    pub cache: bool,
    /// The arguments of `main`; symbolic if `None`.
    pub arguments: Option<Vec<String>>,
    /// How long to test with random inputs first.
    pub fuzz_first: Duration,
    /// The sandbox of the real JVM. Builds run outside.
    pub sandbox: Option<Sandbox>,
    /// The seed for everything random.
    pub seed: u64,
    /// Ends builds and the comparison when it fires.
    pub cancel: Cancel,
}

impl Default for ComparisonOptions {
    fn default() -> Self {
        ComparisonOptions {
            spec: None,
            class_path: Vec::new(),
            search: "fair".to_owned(),
            time: Duration::from_secs(60),
            timeout: REPLAY,
            bound: 4,
            depth: 3,
            aliases: Aliases::Arguments,
            abstracted: Vec::new(),
            policy: "mnemonic".to_owned(),
            abstractions: Vec::new(),
            show_abstractions: false,
            merge: false,
            techniques: Techniques { sharing: true, cancelling: true, induction: true },
            cache: true,
            arguments: Some(Vec::new()),
            fuzz_first: Duration::from_secs(1),
            sandbox: None,
            seed: 0,
            cancel: Cancel::new(),
        }
    }
}
