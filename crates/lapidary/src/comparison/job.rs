//! Runs a comparison: with the concrete classes of both versions, or with some of them replaced by
//! abstract ones.

use super::abstracting::{Abstracted, Wanted};
use super::confirm::Confirmer;
use super::options::ComparisonOptions;
use super::scope::Scope;
use super::watcher::ComparisonWatcher;
use anyhow::{Context, bail};
use lapidary_compare::{
    Candidate, ChangedLines, Changes, ComparisonBudget, ComparisonResult, Confirmed, Side, VersionPair, compare,
    compare_on,
};
use lapidary_jvm::ClassPath;
use lapidary_symbolic::{CallPlan, InputHints, Method, search};
use lapidary_terms::Curfew;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The data that all runs of one comparison share.
pub struct Job<'a> {
    pub options: &'a ComparisonOptions,
    /// The method to start with, as the user names it.
    pub main: &'a str,
    /// How long to compare.
    pub time: Duration,
    pub paths: &'a [PathBuf; 2],
    pub class_paths: &'a [Arc<ClassPath>; 2],
    pub scope: &'a Scope,
    pub changes: &'a Changes,
    /// The lines of differing code, and which of them ran.
    pub lines: RefCell<ChangedLines>,
    /// Ends the queries of all machines.
    pub curfew: Curfew,
}

/// How long one input may run on the concrete classes.
const CONFIRMING: Duration = Duration::from_secs(10);

impl Job<'_> {
    /// Machines for both versions. The classes in `first` take precedence over theirs.
    pub fn versions(
        &self,
        first: &[PathBuf],
        abstracted: &BTreeSet<String>,
    ) -> anyhow::Result<(VersionPair, Rc<Method>, CallPlan)> {
        let [old, new] = self.paths;
        let class_path = |version: &Path| self.options.class_path_behind(first, version);
        let machine = self.options.machine(class_path(old)?, self)?;
        let (old, old_method, _) = self.options.version(machine, old, self, abstracted)?;
        let engine = self.options.engine(class_path(new)?, self, &old.machine);
        let (new, method, plan) = self.options.version(engine, new, self, abstracted)?;
        check_same_signature(&old_method, &method)?;
        Ok((VersionPair::new(old, new), method, plan))
    }

    /// The questions about its inputs that code reachable from a method asks, in either version.
    pub fn asked(&self, method: &Method) -> InputHints {
        let [old, new] =
            self.class_paths.each_ref().map(|path| InputHints::from(path, &method.class_name, &method.name));
        old.or(new)
    }

    pub fn compare(
        &self,
        versions: &mut VersionPair,
        time: Duration,
        confirmer: &mut Confirmer<'_>,
    ) -> anyhow::Result<ComparisonResult> {
        let mut search = search::named(&self.options.search, self.options.seed).context("no such search")?;
        let budget = ComparisonBudget { time, techniques: self.options.techniques, ..ComparisonBudget::default() };
        Ok(compare(versions, &self.scope.spec, &mut *search, &budget, &mut |candidate| confirmer.confirm(candidate)))
    }

    /// Compares with the concrete classes for half of the time and, if that was too short, with
    /// abstract ones.
    pub fn compare_in_turn(
        &self,
        concrete: &mut VersionPair,
        wanted: &Wanted<'_>,
        made: Option<Abstracted>,
        confirmer: &mut Confirmer<'_>,
        watcher: &mut dyn ComparisonWatcher,
    ) -> anyhow::Result<ComparisonResult> {
        let time = self.time / 2;
        let comparison = self.compare(concrete, time, confirmer)?;
        if comparison.stopped.is_none() || comparison.difference.is_some() {
            return Ok(comparison);
        }
        let made = made.map_or_else(|| wanted.make(watcher), Ok)?;
        if made.is_empty() { Ok(comparison) } else { self.compare_abstractly(concrete, &made, time, confirmer) }
    }

    /// Compares with abstract classes for half of the time and, if they show no difference, with
    /// the concrete ones for the rest.
    pub fn compare_and_refine(
        &self,
        concrete: &mut VersionPair,
        abstracted: &Abstracted,
        confirmer: &mut Confirmer<'_>,
    ) -> anyhow::Result<ComparisonResult> {
        let begin = Instant::now();
        let abstractly = self.compare_abstractly(concrete, abstracted, self.time / 2, confirmer)?;
        if abstractly.difference.is_some() || abstractly.stopped == Some("Ctrl-C") {
            return Ok(abstractly);
        }
        let left = self.time.saturating_sub(begin.elapsed());
        Ok(self.compare(concrete, left, confirmer)?.after(abstractly))
    }

    /// Compares with abstract classes. A difference is tried on the concrete ones, and dropped if
    /// they cannot behave like this.
    fn compare_abstractly(
        &self,
        concrete: &mut VersionPair,
        abstracted: &Abstracted,
        time: Duration,
        confirmer: &mut Confirmer<'_>,
    ) -> anyhow::Result<ComparisonResult> {
        let first: Vec<PathBuf> =
            self.options.abstractions.iter().cloned().chain([abstracted.path().to_owned()]).collect();
        let (mut versions, _, _) = self.versions(&first, &abstracted.names())?;
        let mut search = search::named(&self.options.search, self.options.seed).context("no such search")?;
        let budget = ComparisonBudget { time, techniques: self.options.techniques, ..ComparisonBudget::default() };
        let mut found: Option<Candidate> = None;
        let mut try_concretely = |candidate: &Candidate| {
            let budget = ComparisonBudget { time: CONFIRMING, ..ComparisonBudget::default() };
            // Loops that other inputs left undecided must not affect this one.
            concrete.match_loops(false);
            let tried = compare_on(concrete, &self.scope.spec, &candidate.input, &budget, &mut |candidate| {
                confirmer.confirm(candidate)
            });
            let left_out = tried.left_out();
            found = tried.difference;
            match (&found, left_out) {
                (Some(_), _) => Confirmed::Yes,
                (None, Some(what)) => Confirmed::No(format!("with the concrete classes: {what}")),
                (None, None) => Confirmed::Spurious,
            }
        };
        let mut comparison = compare(&mut versions, &self.scope.spec, &mut *search, &budget, &mut try_concretely);
        comparison.difference = found.filter(|_| comparison.difference.is_some());
        comparison.was_abstracted();
        self.lines.borrow_mut().note(versions.engine(Side::New), &abstracted.names());
        Ok(comparison)
    }
}

/// Rejects versions whose entry methods have different parameters or results: no call fits both.
fn check_same_signature(old: &Method, new: &Method) -> anyhow::Result<()> {
    let shown = |method: &Method| {
        let kind = if method.is_static() { "static " } else { "" };
        format!("{kind}{method}{}", method.type_.descriptor())
    };
    if (old.is_static(), &old.type_) != (new.is_static(), &new.type_) {
        bail!(
            "the versions have different entry methods: {} and {}; choose a method that both have",
            shown(old),
            shown(new)
        );
    }
    Ok(())
}
