//! Examines programs, several at once.

use super::watcher::TriageWatcher;
use anyhow::bail;
use lapidary_reduce::Cancel;
use lapidary_triage::{
    CommandError, ExamineError, Examined, Examiner, Manifest, Place, Said, Tool, Tools, TriageProgram,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// The programs, each with its main class filled in.
pub fn with_main_classes(programs: &[TriageProgram]) -> anyhow::Result<Vec<TriageProgram>> {
    let mut programs = programs.to_vec();
    for program in &mut programs {
        let Some(first) = program.class_path.first() else { bail!("`{}` has no classpath", program.name) };
        if program.main.is_empty() {
            program.main = Manifest::of(first).main_class.unwrap_or_default();
        }
    }
    Ok(programs)
}

/// Notes truths about analyses that are not asked: their names may be misspelt.
pub fn note_unknown_truths(subjects: &[TriageProgram], asked: Vec<&str>, watcher: &mut dyn TriageWatcher) {
    let names = subjects.iter().flat_map(|subject| subject.truth.keys());
    let unknown: BTreeSet<&String> = names.filter(|name| !asked.contains(&name.as_str())).collect();
    for name in unknown {
        watcher.note(&format!("`truth` names `{name}`, which is not asked"));
    }
}

/// Examines all programs, `jobs` at once, and hands over the results in the order of the programs.
pub fn examine_all(
    examiner: &Examiner<'_>,
    subjects: &[TriageProgram],
    jobs: usize,
    cancel: &Cancel,
    take: &mut dyn FnMut(usize, Result<Examined, ExamineError>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(subjects.len()).max(1) {
            let (sender, next) = (sender.clone(), &next);
            let work = move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(subject) = subjects.get(index).filter(|_| !cancel.is_cancelled()) else { return };
                    // The receiver is gone if a result caused an error.
                    let _ = sender.send((index, examiner.examine(subject, cancel)));
                }
            };
            // If the system has no thread to spare, this one does the work.
            if std::thread::Builder::new().spawn_scoped(scope, work.clone()).is_err() {
                work();
            }
        }
        drop(sender);
        in_order(receiver, take)
    })
}

fn in_order<T>(
    results: mpsc::Receiver<(usize, T)>,
    take: &mut dyn FnMut(usize, T) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let (mut early, mut expected) = (BTreeMap::new(), 0);
    for (index, result) in results {
        early.insert(index, result);
        while let Some(result) = early.remove(&expected) {
            take(expected, result)?;
            expected += 1;
        }
    }
    // An interrupted run may leave gaps.
    early.into_iter().try_for_each(|(index, result)| take(index, result))
}

/// The answer of each tool about an input; a tool that is interrupted gives none. Empty if the run
/// was cancelled before.
pub fn ask_tools(
    tools: &Tools,
    subject: &TriageProgram,
    timeout: Duration,
    cancel: &Cancel,
) -> anyhow::Result<Vec<Said>> {
    let place =
        Place { class_path: subject.class_path.clone(), main: subject.main.clone(), input: subject.input.clone() };
    if cancel.is_cancelled() {
        return Ok(Vec::new());
    }
    let ask = |tool: &Tool| match tool.ask(&place, timeout, cancel) {
        Ok(answer) => Ok(answer),
        Err(CommandError::Cancelled) => Ok(Said::Nothing("interrupted before it answered".to_owned())),
        Err(error) => bail!("{}: {error}", tool.name),
    };
    tools.tools.iter().map(ask).collect()
}
