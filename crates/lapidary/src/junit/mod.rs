//! JUnit tests for what explorations and comparisons find: a Maven project.
//!
//! `exploring.rs` and `comparing.rs` decide what is tested, `steady.rs` sees it on the real JVM,
//! `packing.rs` puts classes into jars, and `place.rs` writes everything. The tests themselves are
//! written by `crates/junit`.
//!
//! Invariant: a test asserts only what was seen twice on the real JVM.

mod comparing;
mod exploring;
mod packing;
mod place;
mod steady;

pub use exploring::TestablePaths;

use crate::error::Result;
use crate::real_jvm::RealJvm;
use lapidary_junit::{Aspects, Case, Library, Readme, TestProject, Unwritable, WrittenClass};
use lapidary_jvm::{DEFAULT_RELEASE, Platform};
use lapidary_predicate::Sandbox;
use lapidary_symbolic::{Input, Number, Witnessed};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A Maven project with JUnit tests for what an exploration or a comparison has found.
///
/// ```
/// use lapidary::{Exploration, ExplorationOptions, ExplorationWatcher, JUnit, PathVerdict, TestablePaths};
/// use lapidary::parts::symbolic::{Method, PathEnd};
///
/// #[derive(Default)]
/// struct Gathering(TestablePaths);
///
/// impl ExplorationWatcher for Gathering {
///     fn path(&mut self, _method: &Method, path: &PathEnd, _verdict: &PathVerdict) {
///         self.0.add(path);
///     }
/// }
///
/// # let place = tempfile::tempdir()?;
/// # std::env::set_current_dir(&place)?;
/// # let setup = r#"echo 'class Till { static int share(int all, int people) { return all / people; } }' >Till.java
/// #     javac -g -d classes Till.java"#;
/// # assert!(std::process::Command::new("sh").args(["-ec", setup]).status()?.success());
/// // class Till { static int share(int all, int people) { return all / people; } }
/// let mut gathering = Gathering::default();
/// let exploration = Exploration::of("classes", "Till.share", ExplorationOptions::default())?;
/// let report = exploration.run(&mut gathering)?;
/// let written = JUnit::to("tests").of_exploration(&report, "classes".as_ref(), &[], &gathering.0)?;
/// assert_eq!(written.tests, 2, "one share, and one division by zero");
/// # Ok::<(), lapidary::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct JUnit {
    directory: PathBuf,
    force: bool,
    timeout: Duration,
    sandbox: Option<Sandbox>,
}

/// A project that was written.
#[derive(Clone, Debug)]
pub struct JUnitReport {
    /// The directory of the project.
    pub directory: PathBuf,
    /// The number of tests.
    pub tests: usize,
    /// The reasons why calls have no test, with how often each applies.
    pub skipped: BTreeMap<String, u64>,
}

impl JUnit {
    /// Tests in this directory.
    pub fn to(directory: impl Into<PathBuf>) -> JUnit {
        JUnit { directory: directory.into(), force: false, timeout: crate::exploration::REPLAY, sandbox: None }
    }

    /// Writes even to a directory that holds files of others, but replaces none of them.
    pub fn force(mut self, force: bool) -> JUnit {
        self.force = force;
        self
    }

    /// Sets how long one call on the real JVM may take.
    pub fn timeout(mut self, timeout: Duration) -> JUnit {
        self.timeout = timeout;
        self
    }

    /// Sets the sandbox of the real JVM.
    pub fn sandbox(mut self, sandbox: Option<Sandbox>) -> JUnit {
        self.sandbox = sandbox;
        self
    }

    /// Makes sure that the tests can be written, before any work is done for them.
    pub fn check_place(&self) -> Result<()> {
        Ok(place::check(&self.directory, self.force)?)
    }

    /// The real JVM on which programs with these libraries run.
    fn real_jvm<'a>(&'a self, libraries: &'a [PathBuf]) -> RealJvm<'a> {
        RealJvm { libraries, timeout: self.timeout, sandbox: &self.sandbox }
    }

    /// Writes the project. The first of the jars is the one that tests are compiled with.
    fn write(&self, class: &WrittenClass, making: Making<'_>) -> anyhow::Result<JUnitReport> {
        place::check(&self.directory, self.force)?;
        let Making { program, jars, libraries, title, about, commands, skipped } = making;
        let jar_of = |name: &str| Path::new("lib").join(format!("{name}.jar"));
        let mut files = BTreeMap::new();
        let mut known = Vec::new();
        for (at, library) in packing::expanded(libraries)?.iter().enumerate() {
            let place = std::path::absolute(library)?;
            let jar = if library.is_dir() { jar_of(&format!("library-{}", at + 1)) } else { place.clone() };
            if library.is_dir() {
                files.insert(jar.clone(), packing::packed(library)?);
            }
            known.push(Library { place: place.to_string_lossy().into_owned(), jar });
        }
        let compiled_with = jar_of(jars[0].0);
        for (name, classes) in jars {
            files.insert(jar_of(name), packing::packed(classes)?);
        }
        let readme = Readme { title, about, commands, skipped: &skipped };
        let release = Platform::installed().ok().and_then(|platform| platform.release()).unwrap_or(DEFAULT_RELEASE);
        let project =
            TestProject { class, program: &program, compiled_with: &compiled_with, libraries: &known, release, readme };
        files.extend(project.files().into_iter().map(|(path, text)| (path, text.into_bytes())));
        place::write(&self.directory, &files)?;
        Ok(JUnitReport { directory: self.directory.clone(), tests: class.tests, skipped })
    }
}

/// A call with what was seen of it, as far as a test asserts it.
struct Tested {
    title: String,
    inputs: Vec<Input<Number>>,
    seen: Witnessed,
    aspects: Aspects,
    /// Whether the call may run forever where the test fails.
    may_hang: bool,
}

impl Tested {
    fn case(&self) -> Case<'_> {
        let Tested { title, inputs, seen, aspects, may_hang } = self;
        Case { title, inputs, seen, aspects, may_hang: *may_hang }
    }
}

/// The parts of a project beside its test class.
struct Making<'a> {
    /// The classes that tests run with, as Maven sees them.
    program: String,
    /// The jars to make, each with its name and its classes.
    jars: &'a [(&'a str, &'a Path)],
    libraries: &'a [PathBuf],
    title: &'a str,
    about: &'a str,
    commands: &'a [(&'a str, String)],
    skipped: BTreeMap<String, u64>,
}

/// Counts equal reasons.
fn counted(reasons: impl IntoIterator<Item = Unwritable>) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    reasons.into_iter().for_each(|reason| *counts.entry(reason.0).or_default() += 1);
    counts
}
