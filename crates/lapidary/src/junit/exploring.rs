//! Tests for the paths of an exploration.

use super::steady::steady;
use super::{JUnit, JUnitReport, Making, Tested, counted};
use crate::comparison::call_in_words;
use crate::error::Result;
use crate::exploration::{ExplorationReport, path_outcome};
use anyhow::Context;
use lapidary_java_workers::Replay;
use lapidary_junit::{Aspects, SourceNames, TestClass, Unwritable};
use lapidary_jvm::{ClassPath, Platform};
use lapidary_symbolic::{Method, Outcome, PathEnd, Witnessed};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The paths of an exploration that tests are made of, gathered while they are found.
#[derive(Clone, Debug, Default)]
pub struct TestablePaths {
    paths: Vec<PathEnd>,
    more: u64,
}

/// The largest number of tests.
const MOST: usize = 1000;

impl TestablePaths {
    /// Adds a path.
    pub fn add(&mut self, path: &PathEnd) {
        if self.paths.len() < MOST {
            self.paths.push(path.clone());
        } else {
            self.more += 1;
        }
    }
}

/// A path, and what is known about it.
struct Found<'a> {
    path: &'a PathEnd,
    /// Whether random testing found it, which does not see the output.
    is_random: bool,
}

impl JUnit {
    /// Writes a test for each path whose outcome the real JVM confirms. `program` and `libraries`
    /// are what was explored.
    pub fn of_exploration(
        &self,
        report: &ExplorationReport,
        program: &Path,
        libraries: &[PathBuf],
        paths: &TestablePaths,
    ) -> Result<JUnitReport> {
        let (tested, reasons) = self.tested(report, program, libraries, paths)?;
        Ok(self.explored(&report.method, program, libraries, (&tested, reasons))?)
    }

    /// The paths that can be tested, and the reasons of the others.
    fn tested(
        &self,
        report: &ExplorationReport,
        program: &Path,
        libraries: &[PathBuf],
        paths: &TestablePaths,
    ) -> anyhow::Result<(Vec<Tested>, Vec<Unwritable>)> {
        let method = &*report.method;
        let symbolic = paths.paths.iter().map(|path| Found { path, is_random: false });
        let random = report.found_only_at_random().into_iter().map(|path| Found { path, is_random: true });
        let (mut testable, mut reasons) = (Vec::new(), Vec::new());
        for found in symbolic.chain(random) {
            match untestable(found.path, method) {
                Some(reason) => reasons.push(Unwritable(reason)),
                None => testable.push(found),
            }
        }
        let replayer = self.real_jvm(libraries).replayer(&Replay::install()?, program);
        let calls: Vec<_> = testable.iter().map(|found| found.path.inputs.clone()).collect();
        let mut tested = Vec::new();
        for (found, seen) in testable.iter().zip(steady(&replayer, method, &BTreeSet::new(), &calls)?) {
            match seen.map_err(Unwritable::from).and_then(|seen| found.tested(method, seen)) {
                Ok(test) => tested.push(test),
                Err(reason) => reasons.push(reason),
            }
        }
        if paths.more > 0 {
            let reason = Unwritable(format!("only the first {MOST} paths have tests"));
            reasons.extend((0..paths.more).map(|_| reason.clone()));
        }
        Ok((tested, reasons))
    }

    fn explored(
        &self,
        method: &Method,
        program: &Path,
        libraries: &[PathBuf],
        (tested, mut reasons): (&[Tested], Vec<Unwritable>),
    ) -> anyhow::Result<JUnitReport> {
        let platform = Platform::installed().context("writing tests needs the classes of a JDK")?;
        let places: Vec<PathBuf> = [program.to_owned()].into_iter().chain(libraries.iter().cloned()).collect();
        let class_path = ClassPath::open(&places, Some(platform))?;
        let names = SourceNames::beside(&method.class_name, &class_path);
        let heading = format!("What {method} does on the inputs that lapidary explore found.");
        let class = TestClass { names: &names, method, heading: &heading, stem: "path", unseen: &BTreeSet::new() };
        let class = class.write(&tested.iter().map(Tested::case).collect::<Vec<_>>());
        reasons.extend(class.skipped.iter().flatten().cloned());
        let program = std::path::absolute(program)?;
        let shown = program.to_string_lossy().into_owned();
        let commands = [
            ("mvn test", format!("runs the tests with the classes in {shown}.")),
            ("mvn test -Dprogram=/path/to/classes", "runs them with another build, a directory or a jar.".to_owned()),
        ];
        let making = Making {
            jars: &[("program", &program)],
            libraries,
            title: &format!("Tests of {method}"),
            about: &heading,
            commands: &commands,
            program: shown,
            skipped: counted(reasons),
        };
        self.write(&class, making)
    }
}

impl Found<'_> {
    /// The test of this path, if its outcome is what was seen on the real JVM.
    fn tested(&self, method: &Method, seen: Witnessed) -> std::result::Result<Tested, Unwritable> {
        let (path, replayed) = (self.path, seen.replayed());
        let difference = if self.is_random { replayed.other_ending(path) } else { replayed.difference(path) };
        if difference.is_some() {
            return Err(Unwritable("the real JVM does something else".to_owned()));
        }
        let outcome = path_outcome(method, &replayed.completed(path).outcome);
        let title = format!("{} {outcome}", call_in_words(method, &path.inputs));
        Ok(Tested { title, inputs: path.inputs.clone(), aspects: Aspects::of(&seen), seen, may_hang: false })
    }
}

/// Why no test can show a path; `None` if one can.
fn untestable(path: &PathEnd, method: &Method) -> Option<String> {
    match &path.outcome {
        Outcome::Exited(_) => Some("the program calls System.exit, which would end the tests".to_owned()),
        Outcome::Unsupported { what, .. } => {
            Some(format!("the outcome is unknown, because this is not supported: {what}"))
        }
        Outcome::TooLong => Some("the path runs too long".to_owned()),
        _ if path.inputs.len() > method.arguments() => {
            Some("the program asks for more inputs while it runs".to_owned())
        }
        _ => None,
    }
}
