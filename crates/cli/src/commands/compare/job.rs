//! One comparison: with the classes of both versions, or with abstract ones in the place of some.

use super::Compare;
use super::abstracting::{Abstracted, Wanted};
use super::confirm::Confirmer;
use super::scope::Scope;
use anyhow::{Context, bail};
use lapidary_compare::{
    Budget, Candidate, ChangedLines, Changes, Comparison, Confirmed, Side, Versions, compare, compare_on,
};
use lapidary_jvm::ClassPath;
use lapidary_symbolic::{Asked, Method, Plan, search};
use lapidary_terms::Interrupt;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What all runs of one comparison share.
pub struct Job<'a> {
    pub command: &'a Compare,
    pub paths: &'a [PathBuf; 2],
    pub class_paths: &'a [Arc<ClassPath>; 2],
    pub scope: &'a Scope,
    pub changes: &'a Changes,
    pub interrupt: &'a Interrupt,
    /// What has run of the code that differs.
    pub lines: RefCell<ChangedLines>,
}

/// How long one input may be tried on the concrete classes.
const CONFIRMING: Duration = Duration::from_secs(10);

impl Job<'_> {
    /// Machines for both versions, with some classes before theirs.
    pub fn versions(
        &self,
        first: &[PathBuf],
        abstracted: &BTreeSet<String>,
    ) -> anyhow::Result<(Versions, Rc<Method>, Plan)> {
        let [old, new] = self.paths;
        let class_path = |version: &Path| self.command.class_path_behind(first, version);
        let (old, old_method, _) = self.command.version(class_path(old)?, old, self, abstracted, None)?;
        let (new, method, plan) = self.command.version(class_path(new)?, new, self, abstracted, Some(&old.machine))?;
        check_same_signature(&old_method, &method)?;
        Ok((Versions::new(old, new), method, plan))
    }

    /// What the code that a method may reach asks about its inputs, in either version.
    pub fn asked(&self, method: &Method) -> Asked {
        let [old, new] = self.class_paths.each_ref().map(|path| Asked::from(path, &method.class_name, &method.name));
        old.or(new)
    }

    pub fn compare(
        &self,
        versions: &mut Versions,
        time: Duration,
        confirmer: &mut Confirmer<'_>,
    ) -> anyhow::Result<Comparison> {
        let mut search = search::named(&self.command.search, self.command.seed).context("no such search")?;
        let budget = Budget { time, techniques: self.command.techniques(), ..Budget::default() };
        Ok(compare(versions, &self.scope.spec, &mut *search, &budget, &mut |candidate| confirmer.confirm(candidate)))
    }

    /// With the concrete classes first, and if the time was too short for them, with abstract ones.
    pub fn compare_in_turn(
        &self,
        concrete: &mut Versions,
        wanted: &Wanted<'_>,
        made: Option<Abstracted>,
        confirmer: &mut Confirmer<'_>,
    ) -> anyhow::Result<Comparison> {
        let time = self.command.timeout / 2;
        let comparison = self.compare(concrete, time, confirmer)?;
        if comparison.stopped.is_none() || comparison.difference.is_some() {
            return Ok(comparison);
        }
        let made = made.map_or_else(|| wanted.make(), Ok)?;
        if made.is_empty() { Ok(comparison) } else { self.compare_abstractly(concrete, &made, time, confirmer) }
    }

    /// With abstract classes for half of the time. If nothing comes of that, the concrete ones have the rest.
    pub fn compare_and_refine(
        &self,
        concrete: &mut Versions,
        abstracted: &Abstracted,
        confirmer: &mut Confirmer<'_>,
    ) -> anyhow::Result<Comparison> {
        let begin = Instant::now();
        let abstractly = self.compare_abstractly(concrete, abstracted, self.command.timeout / 2, confirmer)?;
        if abstractly.difference.is_some() || abstractly.stopped == Some("Ctrl-C") {
            return Ok(abstractly);
        }
        let left = self.command.timeout.saturating_sub(begin.elapsed());
        Ok(self.compare(concrete, left, confirmer)?.after(abstractly))
    }

    /// With abstract classes. What is found with them is tried on the concrete ones, and dropped if these cannot behave so.
    fn compare_abstractly(
        &self,
        concrete: &mut Versions,
        abstracted: &Abstracted,
        time: Duration,
        confirmer: &mut Confirmer<'_>,
    ) -> anyhow::Result<Comparison> {
        let first: Vec<PathBuf> =
            self.command.abstractions.iter().cloned().chain([abstracted.path().to_owned()]).collect();
        let (mut versions, _, _) = self.versions(&first, &abstracted.names())?;
        let mut search = search::named(&self.command.search, self.command.seed).context("no such search")?;
        let budget = Budget { time, techniques: self.command.techniques(), ..Budget::default() };
        let mut found: Option<Candidate> = None;
        let mut try_concretely = |candidate: &Candidate| {
            let budget = Budget { time: CONFIRMING, ..Budget::default() };
            // What other inputs left undecided has no part in this one.
            concrete.match_loops(false);
            let tried = compare_on(concrete, &self.scope.spec, &candidate.input, &budget, &mut |candidate| {
                confirmer.confirm(candidate)
            });
            let left_out = tried.left_out();
            found = tried.difference;
            match (&found, left_out) {
                (Some(_), _) => Confirmed::Yes,
                (None, Some(what)) => Confirmed::No(format!("with the classes that were abstracted: {what}")),
                (None, None) => Confirmed::Spurious,
            }
        };
        let mut comparison = compare(&mut versions, &self.scope.spec, &mut *search, &budget, &mut try_concretely);
        comparison.difference = found.filter(|_| comparison.difference.is_some());
        comparison.was_abstracted();
        self.lines.borrow_mut().note(&versions.version(Side::New).machine, &abstracted.names());
        Ok(comparison)
    }
}

/// Versions whose entry methods take or return something else cannot be called alike.
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
