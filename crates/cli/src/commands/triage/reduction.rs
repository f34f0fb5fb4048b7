//! `--reduce`: the program made small while the loss and its verdict stay.

use super::Triage;
use crate::follow::Follow;
use crate::input;
use crate::output::{self, Existing, Output};
use crate::plan::{Freedom, Subject as Reduced, Surroundings};
use crate::progress::{Progress, thousands};
use crate::say::{complain, say};
use anyhow::{Context, bail};
use lapidary_java_model::InJar;
use lapidary_predicate::Scratch;
use lapidary_reduce::{Cancel, FileTree, Header, Limits, Observer, Predicate, PredicateError, Session, run};
use lapidary_triage::{Examiner, Judged, Lost, StillLost, Subject, Verdict, expanded};
use std::path::PathBuf;
use std::sync::Arc;

/// Where the small program is; none if there is nothing to reduce.
pub fn reduce(
    options: &Triage,
    examiner: &Examiner<'_>,
    subject: &Subject,
    judged: &Judged,
    wanted: &str,
    cancel: &Cancel,
) -> anyhow::Result<Option<PathBuf>> {
    let Some(Chosen { loser, lost, is_first }) = chosen(judged, wanted)? else {
        complain!("lapidary: no analysis misses anything, so there is nothing to reduce");
        return Ok(None);
    };
    let subject = &expanded(subject)?;
    let path = &subject.class_path[0];
    let surroundings = Surroundings { classpath: subject.class_path[1..].to_vec(), ..Surroundings::default() };
    let reduced = Reduced::of(path, input::read(path)?, Some("java"), &surroundings)?;
    let test = StillLost {
        examiner,
        subject,
        method: lost.entry.method.clone(),
        is_first,
        loser: loser.to_owned(),
        finders: lost.found_by.clone(),
        scratch: Arc::new(Scratch::new().context("cannot make a directory for candidates")?),
    };
    let place = options.out.clone().unwrap_or_else(|| output::default_path(path));
    output::must_differ(&place, path)?;
    let existing = if options.force { Existing::Replace } else { Existing::Refuse };
    let output = Output::claim(place, existing)?;
    match test.judge(&reduced.packed(reduced.input())?, cancel) {
        Ok(judgment) if judgment.is_interesting() => {}
        Ok(judgment) => bail!(
            "nothing is reduced: run once more, the program does not show that {} is lost ({})",
            lost.entry.method,
            judgment.reason
        ),
        Err(PredicateError::Cancelled) => return Ok(None),
        Err(PredicateError::Fatal(reason)) => bail!("nothing is reduced: {reason}"),
    }
    search(options, &reduced, &test, output, cancel).map(Some)
}

struct Chosen<'a> {
    loser: &'a str,
    lost: &'a Lost,
    is_first: bool,
}

/// The loss that the user asks for: the first bug, of an analysis by name or of any, else the first loss.
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

fn search(
    options: &Triage,
    reduced: &Reduced,
    test: &StillLost<'_>,
    output: Output,
    cancel: &Cancel,
) -> anyhow::Result<PathBuf> {
    let tree = reduced.input().clone();
    let in_jar = reduced.java().and_then(|program| program.jar()).map(|jar| InJar { jar, test });
    let predicate: &dyn Predicate = in_jar.as_ref().map_or(test as &dyn Predicate, |in_jar| in_jar);
    let packed = |tree: &FileTree| reduced.packed_for_now(tree);
    let (journal, _) = output.open_journal(&header(reduced, test), false)?;
    let progress = Progress::new(!options.tells_a_person(), tree.bytes());
    let mut follow = Follow { packed: &packed, journal, output, progress, floor: None };
    follow.improved(&tree).map_err(anyhow::Error::msg)?;
    let plan = reduced.plan(None, Freedom { rename: false, rewrite: true }, None, 0)?;
    let limits = Limits {
        jobs: options.jobs.map_or_else(super::cores, usize::from),
        interrupt: cancel.clone(),
        ..Limits::default()
    };
    let mut session = Session::new(tree.clone(), predicate, limits, &mut follow);
    let outcome = run(&mut session, &plan);
    let (best, counts) = (session.best().clone(), session.counts());
    drop(session);
    follow.progress.clear();
    follow.output.save(&reduced.packed(&best)?).map_err(anyhow::Error::msg)?;
    let place = follow.output.path().to_owned();
    if options.tells_a_person() {
        say!("");
        say!(
            "{} of {} bytes left, {} tests: {} still misses {}",
            thousands(best.bytes()),
            thousands(tree.bytes()),
            thousands(counts.run),
            test.loser,
            test.method
        );
        say!("result: {}", place.display());
    }
    if let Some(stop) = outcome.stop {
        complain!("lapidary: the reduction stopped early: {stop}; the best result so far is saved");
    }
    Ok(place)
}

fn header(reduced: &Reduced, test: &StillLost<'_>) -> Header {
    Header {
        journal: 1,
        lapidary: env!("CARGO_PKG_VERSION").into(),
        input: reduced.input().key().to_string(),
        run: vec![format!("triage {} {}", test.loser, test.method)],
    }
}
