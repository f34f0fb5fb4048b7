//! Makes a program small while keeping a loss and its verdict.

use super::options::TriageOptions;
use super::watcher::TriageWatcher;
use crate::bundle::LONG_STDIN;
use crate::bundle::record::{AnalysisRun, Bytes, How, LONGEST_STDIN, Reproduction};
use crate::error::Error;
use crate::output::{Saving, default_path};
use crate::plan::Freedom;
use crate::recognise::Reading;
use crate::reduction::Reduction;
use crate::report::Report;
use crate::subject::Subject;
use crate::test::Test;
use anyhow::{Context, bail};
use lapidary_predicate::Scratch;
use lapidary_triage::{Examiner, Judged, Lost, StillLost, TriageProgram, Verdict, expanded};
use std::path::PathBuf;
use std::sync::Arc;

/// A reduced program, and the loss that it still shows.
pub struct ReducedLoss {
    /// The analysis that misses the method.
    pub loser: String,
    /// The method that it misses.
    pub lost: Lost,
    /// The report of the reduction.
    pub report: Report,
}

/// Reduces the program. Returns `None` if there is no loss, or if it was stopped before it began.
pub fn reduce(
    options: &TriageOptions,
    examiner: &Examiner<'_>,
    subject: &TriageProgram,
    judged: &Judged,
    wanted: &str,
    watcher: &mut dyn TriageWatcher,
) -> anyhow::Result<Option<ReducedLoss>> {
    let Some(Chosen { loser, lost, is_first }) = chosen(judged, wanted)? else {
        watcher.remark("no analysis misses anything, so there is nothing to reduce");
        return Ok(None);
    };
    let subject = &expanded(subject)?;
    let path = &subject.class_path[0];
    let reading =
        Reading { kind: Some("java".into()), class_path: subject.class_path[1..].to_vec(), ..Reading::default() };
    let test = StillLost {
        examiner,
        subject,
        method: lost.entry.method.clone(),
        is_first,
        loser: loser.to_owned(),
        finders: lost.found_by.clone(),
        scratch: Arc::new(Scratch::new().context("cannot make a directory for candidates")?),
    };
    let name = format!(
        "triage {loser} {} found by {:?} in {} {:?}",
        lost.entry.method, lost.found_by, subject.main, subject.arguments
    );
    let reduction = Reduction::of(Subject::open_as(path, &reading)?)
        .test(Test::of_predicate(name, test))
        .save(options.saving.clone().unwrap_or_else(|| Saving::to(default_path(path))))
        .effort(options.effort.clone())
        .seed(options.seed)
        .freedom(Freedom { rename: false, rewrite: true })
        .reproduced_by(reproduction(options, subject, loser, lost));
    match reduction.run(&mut *watcher.reduction()) {
        Ok(report) => Ok(Some(ReducedLoss { loser: loser.to_owned(), lost: lost.clone(), report })),
        Err(Error::Stopped(_)) => Ok(None),
        Err(Error::NotInteresting { reason, .. }) => bail!(
            "cannot reduce: run once more, the program does not show that {} is lost ({reason})",
            lost.entry.method
        ),
        Err(error) => bail!("cannot reduce: {error}"),
    }
}

/// How the loss can be shown without Lapidary.
fn reproduction(options: &TriageOptions, subject: &TriageProgram, loser: &str, lost: &Lost) -> Reproduction {
    let given = options.asked.commands.iter().filter_map(|given| given.split_once('='));
    let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
    let stdin = subject.stdin.as_ref().and_then(|path| std::fs::read(path).ok()).unwrap_or_default();
    let is_short = stdin.len() <= LONGEST_STDIN;
    let run = AnalysisRun {
        analysis: loser.to_owned(),
        command: given.filter(|(name, _)| *name == loser).map(|(_, line)| line.to_owned()).collect(),
        method: lost.entry.method.to_string(),
        finders: lost.found_by.clone(),
        main: subject.main.clone(),
        arguments: subject.arguments.clone(),
        libraries: subject.class_path[1..].iter().map(|path| absolute(path).to_string_lossy().into_owned()).collect(),
        stdin: if is_short { Bytes::of(&stdin) } else { Bytes::default() },
    };
    let path = &subject.class_path[0];
    let name = path.canonicalize().ok().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
    let mut reproduction = Reproduction::of("triage", path, &name.unwrap_or_default(), How::Analysis(run));
    reproduction.lacks.extend((!is_short).then(|| LONG_STDIN.to_owned()));
    reproduction
}

struct Chosen<'a> {
    loser: &'a str,
    lost: &'a Lost,
    is_first: bool,
}

/// The loss to keep: the first bug of the named analysis, or of any, else the first loss.
fn chosen<'a>(judged: &'a Judged, wanted: &str) -> anyhow::Result<Option<Chosen<'a>>> {
    if !wanted.is_empty() && judged.of(wanted).is_none() {
        bail!("--reduce {wanted}: no analysis has this name");
    }
    let first = judged.losses().map(|(loser, lost)| Chosen { loser, lost, is_first: true });
    let further = judged.further().map(|(loser, further)| Chosen { loser, lost: &further.lost, is_first: false });
    let mut asked: Vec<Chosen<'_>> =
        first.chain(further).filter(|chosen| wanted.is_empty() || chosen.loser == wanted).collect();
    asked.sort_by_key(|chosen| chosen.lost.verdict != Verdict::Bug);
    Ok(asked.into_iter().next())
}
