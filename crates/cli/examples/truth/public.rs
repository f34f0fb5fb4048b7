//! Compares programs of other experiments with disguised versions of themselves.

use super::batches::Worker;
use super::compared::{Known, Question, compare};
use super::disguise::{DISGUISES, Disguise};
use super::record::{Judgement, Row, Wrong};
use anyhow::Context;
use lapidary_classfile::Class;
use std::fs;
use std::path::Path;

/// The comparisons of one program, or `None` if there are no more. A program is given as
/// DIRECTORY=METHOD, with the classes and the entry method.
pub fn batch(worker: &mut Worker<'_>, batch: usize, place: &Path) -> anyhow::Result<Option<Vec<Row>>> {
    let text = fs::read_to_string(worker.options.programs.as_deref().context("--programs says which")?)?;
    let Some((classes, main)) = text.lines().nth(batch).and_then(|line| line.split_once('=')) else { return Ok(None) };
    let rows = DISGUISES.iter().map(|(name, disguise)| {
        let disguised = place.join(name.replace(' ', "-"));
        write_disguised(Path::new(classes), &disguised, *disguise)?;
        one(worker, Path::new(classes), &disguised, main, name)
    });
    rows.collect::<anyhow::Result<Vec<Row>>>().map(Some)
}

fn one(worker: &Worker<'_>, old: &Path, new: &Path, main: &str, kind: &str) -> anyhow::Result<Row> {
    let warm = (!worker.options.cold).then_some(&worker.warm);
    let question = Question { old, new, main, bound: 2 };
    let mut answer = compare(worker.options, warm, &question)?;
    if matches!(answer.judged(Known::Equal), Judgement::Wrong(_)) && warm.is_some() {
        answer = compare(worker.options, None, &question)?;
    }
    let judgement = answer.judged(Known::Equal);
    if let Judgement::Wrong(why) = judgement {
        let name = format!("{main}-{}", kind.replace(' ', "-"));
        let note = format!("{why}: {} ({})", answer.verdict, answer.open);
        Wrong { name, question, sources: Default::default(), note }.keep(&worker.options.out)?;
    }
    Ok(Row {
        program: main.to_owned(),
        kind: kind.to_owned(),
        verdict: answer.verdict,
        judgement,
        seconds: answer.seconds,
        paths: 0,
        note: answer.open,
    })
}

fn write_disguised(from: &Path, to: &Path, disguise: Disguise) -> anyhow::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            write_disguised(&entry.path(), &target, disguise)?;
        } else if entry.path().extension().is_some_and(|extension| extension == "class") {
            let mut class = Class::read(&fs::read(entry.path())?)?;
            disguise(&mut class);
            fs::write(target, class.write()?)?;
        }
    }
    Ok(())
}
