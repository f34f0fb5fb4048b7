//! Bundles of a call that a comparison or an exploration has found. There is no journal, so they
//! are made while the finding is at hand.

use super::Bundle;
use super::gather::Case;
use super::record::{CallRun, How, Reproduction};
use crate::comparison::{ComparisonReport, typed};
use crate::error::Result;
use crate::input;
use lapidary_compare::{Candidate, Where};
use lapidary_reduce::{Entry, FileTree};
use lapidary_symbolic::{Input, Method, Number, Outcome, PathEnd, RealEnding, ending_of_report, input_words};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A finding in words, as a command tells it.
#[derive(Clone, Debug)]
pub struct FindingWords {
    /// The call with its inputs.
    pub call: String,
    /// The problem, in one line.
    pub what: String,
}

impl Bundle {
    /// A bundle of the difference that a comparison has found. Returns `None` if it found none.
    pub fn of_comparison(
        report: &ComparisonReport,
        class_path: &[PathBuf],
        words: FindingWords,
    ) -> Result<Option<Bundle>> {
        let at_random = report.found_at_random();
        let inputs: &[Input<Number>] = match (&report.comparison.difference, &at_random) {
            (Some(candidate), _) => &candidate.new.inputs,
            (None, Some(found)) => found.inputs,
            (None, None) => return Ok(None),
        };
        let seen = report.seen_in_words();
        let words = FindingWords { what: format!("{}: {}", report.method, words.what), ..words };
        // Those that paths differ in may be private.
        let names = if report.built_from().is_some() { report.names.to_vec() } else { Vec::new() };
        let versions = [("old", report.paths[0].as_path()), ("new", report.paths[1].as_path())];
        let spec = &report.scope.spec;
        let mut compared: Vec<&str> = Vec::new();
        compared.extend((!spec.result_may_change).then_some("report"));
        compared.extend((!spec.output_may_change).then_some(["stdout", "stderr"]).into_iter().flatten());
        let watched = report.comparison.difference.as_ref().and_then(watched).unwrap_or_default();
        if !watched.is_empty() {
            // Differences that are visible from outside may be intended.
            compared = vec!["calls"];
        }
        let (command, method) = ("compare", &*report.method);
        let finding = Finding { command, method, inputs, words, seen, report: String::new(), compared, watched, names };
        Ok(Some(finding.bundle(&versions, class_path)?))
    }

    /// A bundle of a path of an exploration that throws an exception.
    pub fn of_finding(
        program: &Path,
        class_path: &[PathBuf],
        method: &Method,
        path: &PathEnd,
        words: FindingWords,
    ) -> Result<Bundle> {
        let report = match &path.outcome {
            Outcome::Threw { class, .. } => format!("threw\t{}\t", class.as_str().replace('/', ".")),
            _ => String::new(),
        };
        let seen = vec![path.outcome.to_string()];
        let (command, inputs) = ("explore", &path.inputs[..]);
        let (compared, watched, names) = (Vec::new(), String::new(), Vec::new());
        let finding = Finding { command, method, inputs, words, seen, report, compared, watched, names };
        Ok(finding.bundle(&[("program", program)], class_path)?)
    }
}

/// The output of a script that calls a method with this descriptor, with the reports of the replay
/// program in words.
pub(crate) fn in_words(stdout: &[u8], descriptor: &str) -> Vec<u8> {
    let text = String::from_utf8_lossy(stdout);
    let shown = |line: &str| {
        let (version, report) = line.strip_prefix("--- ")?.trim_end().split_once(": ")?;
        let ending = match ending_of_report(report) {
            RealEnding::Failed(_) => return None,
            ending => typed(&ending.to_string(), descriptor),
        };
        Some(format!("--- {version}: {ending}\n"))
    };
    text.split_inclusive('\n')
        .map(|line| shown(line).unwrap_or_else(|| line.to_owned()))
        .collect::<String>()
        .into_bytes()
}

struct Finding<'a> {
    command: &'static str,
    method: &'a Method,
    inputs: &'a [Input<Number>],
    words: FindingWords,
    seen: Vec<String>,
    report: String,
    compared: Vec<&'static str>,
    watched: String,
    /// The names of the versions in their repository.
    names: Vec<String>,
}

/// The method whose calls differ, as the debugger's filters name it.
fn watched(candidate: &Candidate) -> Option<String> {
    let Where::Event(at) = candidate.at else { return None };
    let text = &candidate.old_trace.get(at).or_else(|| candidate.new_trace.get(at))?.text;
    let called = text.split_once('(')?.0;
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_$<>".contains(c));
    let (class, method) = match called.strip_prefix("new ") {
        Some(class) => (class, "<init>"),
        None => called.rsplit_once('.')?,
    };
    let class = class.split('@').next()?.rsplit('.').next()?;
    (is_name(class) && is_name(method)).then(|| format!("*{class}.{method}"))
}

impl Finding<'_> {
    fn bundle(self, versions: &[(&str, &Path)], class_path: &[PathBuf]) -> anyhow::Result<Bundle> {
        let (mut entries, mut names) = (BTreeMap::new(), Vec::new());
        for (name, path) in versions {
            let tree = input::read(path)?;
            let name = if tree.is_directory() { (*name).to_owned() } else { format!("{name}.jar") };
            for (path, entry) in tree.entries() {
                let place = Path::new(&name);
                let place = if tree.is_directory() { place.join(path) } else { place.to_owned() };
                entries.insert(place, entry.clone());
            }
            names.push(name);
        }
        let method = self.method;
        let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
        let run = CallRun {
            call: self.words.call,
            what: self.words.what,
            method: [
                method.class_name.as_str().replace('/', "."),
                method.name.as_str().to_string(),
                method.type_.descriptor().as_str().to_string(),
            ],
            words: input_words(self.inputs),
            seen: self.seen,
            report: self.report,
            compared: self.compared.into_iter().map(str::to_owned).collect(),
            watched: self.watched,
            versions: names,
            names: self.names.clone(),
            libraries: class_path.iter().map(|path| absolute(path).to_string_lossy().into_owned()).collect(),
        };
        let called = super::plain::code(&self.method.to_string());
        let lapidary = env!("CARGO_PKG_VERSION");
        let found = format!("Found by `lapidary {}` (Lapidary {lapidary}), starting at {called}.", self.command);
        let reproduction = Reproduction::of(self.command, versions[0].1, "versions", How::Call(run));
        Ok(Bundle::of_case(Case {
            reproduction,
            input: FileTree::directory("versions", entries as BTreeMap<PathBuf, Entry>),
            tools: versions.iter().zip(&self.names).map(|((version, _), name)| format!("{version}: {name}")).collect(),
            lapidary: lapidary.to_owned(),
            found,
            missing: Vec::new(),
            seen: None,
        }))
    }
}
