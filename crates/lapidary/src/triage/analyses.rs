//! The analyses to ask: built-in ones, third-party ones, and commands of the user.

use super::options::Asked;
use super::others::{self, Other};
use super::watcher::TriageWatcher;
use anyhow::{Context, bail};
use lapidary_callgraph::{CallGraphAnalysis, Entry, Limits, Weakness, Weaknesses, reachable};
use lapidary_jvm::{ClassPath, Platform};
use lapidary_reduce::Cancel;
use lapidary_triage::{Analysis, Answer, Command, CommandError, NamedCommand, Place};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// The analyses that the options name, built-in ones first.
pub fn all(who: &Asked, timeout: Duration, watcher: &mut dyn TriageWatcher) -> anyhow::Result<Vec<Box<dyn Analysis>>> {
    let mut weights = weights(&who.weights)?;
    let mut analyses: Vec<Box<dyn Analysis>> = Vec::new();
    for name in who.own.iter().filter(|name| *name != "none" && !name.is_empty()) {
        let weight = weights.remove(name).unwrap_or(1.0);
        analyses.push(Box::new(Own::parse(name, weight, timeout)?));
    }
    for installed in others::installed(who, watcher)? {
        let weight = weights.remove(installed.name).unwrap_or(1.0);
        analyses.push(Box::new(Other::new(installed, weight, timeout)));
    }
    for given in &who.commands {
        let Some((name, line)) = given.split_once('=').filter(|(name, line)| !name.is_empty() && !line.is_empty())
        else {
            bail!("--analysis {given}: expected NAME='COMMAND {{classpath}} {{main}} {{out}}'");
        };
        let weight = weights.remove(name).unwrap_or(1.0);
        let command = Command { line: line.to_owned(), timeout, limits: Default::default() };
        analyses.push(Box::new(NamedCommand { name: name.to_owned(), weight, command }));
    }
    if let Some(unknown) = weights.keys().next() {
        bail!("--weight {unknown}: no analysis has this name");
    }
    let mut names = std::collections::BTreeSet::new();
    if let Some(twice) = analyses.iter().find(|analysis| !names.insert(analysis.name().to_owned())) {
        bail!("two analyses are called `{}`", twice.name());
    }
    if analyses.is_empty() {
        bail!("there is no analysis to ask; see --own and --analysis");
    }
    Ok(analyses)
}

fn weights(given: &[String]) -> anyhow::Result<BTreeMap<String, f64>> {
    let mut weights = BTreeMap::new();
    for text in given {
        let (name, weight) = text.split_once('=').with_context(|| format!("--weight {text}: expected NAME=WEIGHT"))?;
        let weight: f64 = weight.parse().with_context(|| format!("--weight {text}"))?;
        if !(weight.is_finite() && weight > 0.0) {
            bail!("--weight {text}: expected a number above 0");
        }
        weights.insert(name.to_owned(), weight);
    }
    Ok(weights)
}

/// A built-in analysis, possibly with defects.
struct Own {
    name: String,
    weight: f64,
    kind: CallGraphAnalysis,
    weaknesses: Weaknesses,
    limits: Limits,
}

impl Own {
    /// Parses `0-cfa` or `0-cfa+no-lambdas+no-threads`.
    fn parse(name: &str, weight: f64, timeout: Duration) -> anyhow::Result<Own> {
        let mut parts = name.split('+');
        let kind: CallGraphAnalysis = parts.next().unwrap_or_default().parse().context("--own")?;
        let weaknesses = parts.map(str::parse::<Weakness>).collect::<Result<_, _>>().context("--own")?;
        Ok(Own {
            name: name.to_owned(),
            weight,
            kind,
            weaknesses,
            limits: Limits { time: timeout, ..Limits::default() },
        })
    }

    fn reached(&self, place: &Place) -> Result<Answer, String> {
        let platform = Platform::installed().map_err(|error| error.to_string())?;
        let class_path = ClassPath::open(&place.class_path, Some(platform)).map_err(|error| error.to_string())?;
        let class_path = Arc::new(class_path);
        let reached = reachable(&class_path, &Entry::main(&place.main), self.kind, &self.weaknesses, &self.limits)
            .map_err(|error| error.to_string())?;
        Ok(Answer::Reached { methods: reached.methods.into_iter().collect(), notes: damaged(&class_path) })
    }
}

/// Notes on the first few classes that cannot be read, and which our analyses therefore ignore. One
/// broken jar can have many.
fn damaged(class_path: &ClassPath) -> Vec<String> {
    const TOLD: usize = 5;
    let problems = class_path.problems();
    problems.iter().take(TOLD).map(|(class, reason)| format!("class {class} cannot be read: {reason}")).collect()
}

impl Analysis for Own {
    fn name(&self) -> &str {
        &self.name
    }

    fn weight(&self) -> f64 {
        self.weight
    }

    fn answer(&self, place: &Place, cancel: &Cancel) -> Result<Answer, CommandError> {
        if cancel.is_cancelled() {
            return Err(CommandError::Cancelled);
        }
        Ok(self.reached(place).unwrap_or_else(Answer::Failed))
    }
}
