//! Which programs are looked at, and looking at them side by side.

use super::Triage;
use crate::say::complain;
use anyhow::{Context, bail};
use lapidary_reduce::Cancel;
use lapidary_triage::{
    CommandError, Corpus, ExamineError, Examined, Examiner, Manifest, Place, Said, Subject, Tool, Tools,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// The programs of the corpus, or the one on the command line.
pub fn subjects(options: &Triage) -> anyhow::Result<Vec<Subject>> {
    let mut subjects = inputs(options)?;
    for subject in &mut subjects {
        let Some(first) = subject.class_path.first() else { bail!("`{}` has no classpath", subject.name) };
        if subject.main.is_empty() {
            subject.main = Manifest::of(first).main_class.unwrap_or_default();
        }
    }
    Ok(subjects)
}

/// The same for tools, which may look at anything.
pub fn inputs(options: &Triage) -> anyhow::Result<Vec<Subject>> {
    if let Some(corpus) = &options.corpus {
        return Ok(Corpus::read(corpus)?.programs);
    }
    let input = options.input.clone().context("no input was given")?;
    if !input.exists() {
        bail!("{}: there is no such file", input.display());
    }
    let main = options.main.clone().unwrap_or_default();
    let mut class_path = vec![input.clone()];
    class_path.extend(options.classpath.iter().cloned());
    Ok(vec![Subject {
        name: input.display().to_string(),
        class_path,
        main: main.replace('/', "."),
        arguments: options.arguments.clone(),
        stdin: options.stdin.clone(),
        input: Some(input),
        ..Subject::default()
    }])
}

/// A truth about somebody who is not asked says nothing; it may be a slip of the pen.
pub fn note_unknown_truths(subjects: &[Subject], asked: Vec<&str>) {
    let names = subjects.iter().flat_map(|subject| subject.truth.keys());
    let unknown: BTreeSet<&String> = names.filter(|name| !asked.contains(&name.as_str())).collect();
    for name in unknown {
        complain!("note: `truth` speaks of `{name}`, which is not asked");
    }
}

/// Looks at all programs, so many at once, and hands over the results in the order of the programs.
pub fn examine_all(
    examiner: &Examiner<'_>,
    subjects: &[Subject],
    jobs: usize,
    cancel: &Cancel,
    take: &mut dyn FnMut(usize, Result<Examined, ExamineError>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(subjects.len()).max(1) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(subject) = subjects.get(index).filter(|_| !cancel.is_cancelled()) else { return };
                    // Nobody listens any more if a result could not be used.
                    let _ = sender.send((index, examiner.examine(subject, cancel)));
                }
            });
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
    // A run that was interrupted may have gaps.
    early.into_iter().try_for_each(|(index, result)| take(index, result))
}

/// What each tool says about an input; of a tool that was interrupted, that it was. Empty if nobody was asked before
/// somebody wanted out.
pub fn ask_tools(tools: &Tools, subject: &Subject, timeout: Duration, cancel: &Cancel) -> anyhow::Result<Vec<Said>> {
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
