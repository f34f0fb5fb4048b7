//! Third-party analyses that we have drivers for: Soot, SootUp, WALA, Tai-e, OPAL.

use super::options::Asked;
use super::watcher::TriageWatcher;
use crate::error::Result;
use anyhow::{Context, anyhow, bail};
use lapidary_callgraph::tools::{Installed, MethodLines, RunError, RunLimits, TOOLS, Tool};
use lapidary_common::words::thousands;
use lapidary_reduce::{Cancel, PredicateError};
use lapidary_triage::{Analysis, Answer, CommandError, Place};
use std::time::Duration;

/// Builds third-party analyses with Maven: the named ones, or all. One that cannot be built is
/// reported and skipped.
pub fn install_analyses(names: Option<&[String]>, says: &mut dyn FnMut(&str)) -> Result<()> {
    Ok(install(names, says)?)
}

fn install(names: Option<&[String]>, says: &mut dyn FnMut(&str)) -> anyhow::Result<()> {
    let (mut wanted, mut failed) = (0, 0);
    for tool in named(names)?.unwrap_or_else(|| TOOLS.iter().collect()) {
        wanted += 1;
        match tool.install(&mut |text| says(text)) {
            Ok(installed) => says(&format!("{} is ready in {}", tool.title, installed.directory.display())),
            Err(error) => {
                says(&format!("lapidary: {} is skipped: {error}", tool.title));
                failed += 1;
            }
        }
    }
    if failed > 0 && failed == wanted {
        bail!("no third-party analysis could be installed");
    }
    Ok(())
}

/// The installed analyses among those that the user names, or all installed ones.
pub fn installed(who: &Asked, watcher: &mut dyn TriageWatcher) -> anyhow::Result<Vec<Installed>> {
    let Some(named) = named(who.others.as_deref())? else {
        return Ok(TOOLS.iter().filter_map(Tool::installed).collect());
    };
    let found = named.into_iter().filter_map(|tool| {
        let installed = tool.installed();
        if installed.is_none() {
            watcher.note(&format!("{} is not installed, so it is not asked; see --install-analyses", tool.title));
        }
        installed
    });
    Ok(found.collect())
}

/// The names of the analyses that take long.
pub fn slow(analyses: &[Box<dyn Analysis>]) -> Vec<&str> {
    let names = analyses.iter().map(|analysis| analysis.name());
    names.filter(|name| Tool::named(name).is_some()).collect()
}

fn named(names: Option<&[String]>) -> anyhow::Result<Option<Vec<&'static Tool>>> {
    let Some(names) = names else { return Ok(None) };
    let known = || TOOLS.iter().map(|tool| tool.name).collect::<Vec<_>>().join(", ");
    let tool = |name: &String| {
        Tool::named(name).ok_or_else(|| anyhow!("no analysis is called `{name}`; known are {}", known()))
    };
    let wanted = names.iter().filter(|name| !name.is_empty() && *name != "none");
    wanted.map(tool).collect::<Result<_, _>>().map(Some).context("--others")
}

/// An installed analysis, ready to be asked.
pub struct Other {
    installed: Installed,
    weight: f64,
    limits: RunLimits,
}

impl Other {
    pub fn new(installed: Installed, weight: f64, timeout: Duration) -> Other {
        Other { installed, weight, limits: RunLimits { time: timeout, ..RunLimits::default() } }
    }

    fn answered(&self, lines: MethodLines) -> Answer {
        let garbage = lines.garbage.first().map(|first| {
            let ignored = match lines.garbage_lines {
                1 => "1 line of its answer is not a method and is ignored".to_owned(),
                count => format!("{} lines of its answer are not methods and are ignored", thousands(count as u64)),
            };
            format!("{}: {ignored}; {first}", self.installed.name)
        });
        Answer::Reached { methods: lines.methods.into_iter().collect(), notes: garbage.into_iter().collect() }
    }
}

impl Analysis for Other {
    fn name(&self) -> &str {
        self.installed.name
    }

    fn weight(&self) -> f64 {
        self.weight
    }

    fn answer(&self, place: &Place, cancel: &Cancel) -> Result<Answer, CommandError> {
        let class_path: Vec<_> = place.class_path.iter().map(std::path::absolute).collect::<Result<_, _>>()?;
        match self.installed.run(&class_path, &place.main, &self.limits, cancel) {
            Ok(finding) if finding.lines.methods.is_empty() => {
                Ok(Answer::Failed("its answer has no methods".to_owned()))
            }
            Ok(finding) => Ok(self.answered(finding.lines)),
            Err(RunError::NotRun { reason: PredicateError::Cancelled, .. }) => Err(CommandError::Cancelled),
            Err(error) => Ok(Answer::Failed(error.to_string())),
        }
    }
}
