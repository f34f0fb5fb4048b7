//! Analyses of others that we have drivers for: Soot, SootUp, WALA, Tai-e, OPAL.

use super::WhoIsAsked;
use crate::say::complain;
use anyhow::{Context, anyhow, bail};
use lapidary_callgraph::tools::{Installed, MethodLines, RunError, RunLimits, TOOLS, Tool};
use lapidary_reduce::{Cancel, PredicateError};
use lapidary_triage::{Analysis, Answer, CommandError, Place};
use std::time::Duration;

/// Builds those that the user names, or all. One that cannot be built is named, and the others go on.
pub fn install(who: &WhoIsAsked) -> anyhow::Result<()> {
    let (mut wanted, mut failed) = (0, 0);
    for tool in named(who)?.unwrap_or_else(|| TOOLS.iter().collect()) {
        wanted += 1;
        match tool.install(&mut |text| complain!("{text}")) {
            Ok(installed) => complain!("{} is ready in {}", tool.title, installed.directory.display()),
            Err(error) => {
                complain!("lapidary: {} is left out: {error}", tool.title);
                failed += 1;
            }
        }
    }
    if failed > 0 && failed == wanted {
        bail!("no analysis of others could be installed");
    }
    Ok(())
}

/// Those that the user names and that are there, or all that are there.
pub fn installed(who: &WhoIsAsked) -> anyhow::Result<Vec<Installed>> {
    let Some(named) = named(who)? else { return Ok(TOOLS.iter().filter_map(Tool::installed).collect()) };
    let found = named.into_iter().filter_map(|tool| {
        let installed = tool.installed();
        if installed.is_none() {
            complain!("note: {} is not installed and not asked; see --install-analyses", tool.title);
        }
        installed
    });
    Ok(found.collect())
}

/// Who waits should know for whom.
pub fn announce(analyses: &[Box<dyn Analysis>]) {
    let names = analyses.iter().map(|analysis| analysis.name());
    let slow: Vec<&str> = names.filter(|name| Tool::named(name).is_some()).collect();
    if !slow.is_empty() {
        complain!(
            "asking {} as well; each takes a minute or more for a program (--others none asks nobody)",
            slow.join(", ")
        );
    }
}

fn named(who: &WhoIsAsked) -> anyhow::Result<Option<Vec<&'static Tool>>> {
    let Some(names) = &who.others else { return Ok(None) };
    let known = || TOOLS.iter().map(|tool| tool.name).collect::<Vec<_>>().join(", ");
    let tool = |name: &String| {
        Tool::named(name).ok_or_else(|| anyhow!("no analysis is called `{name}`. Known are {}", known()))
    };
    let wanted = names.iter().filter(|name| !name.is_empty() && *name != "none");
    wanted.map(tool).collect::<Result<_, _>>().map(Some).context("--others")
}

/// One of them, ready to be asked.
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
            format!(
                "{}: {} lines of its answer are no methods and are left out; {first}",
                self.installed.name, lines.garbage_lines
            )
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
                Ok(Answer::Failed("it answered with no methods at all".to_owned()))
            }
            Ok(finding) => Ok(self.answered(finding.lines)),
            Err(RunError::NotRun { reason: PredicateError::Cancelled, .. }) => Err(CommandError::Cancelled),
            Err(error) => Ok(Answer::Failed(error.to_string())),
        }
    }
}
