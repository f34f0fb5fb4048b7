//! Gathers what a journal and the files beside it tell about a run: the result, how it was found,
//! and how its failure can be shown.

use super::record::{DecompilerRun, How, Reproduction, TestRun};
use crate::input;
use anyhow::{Context, bail};
use lapidary_common::words::{counted, thousands};
use lapidary_crash::split_words;
use lapidary_reduce::FileTree;
use lapidary_reduce::journal::{self, ENDING, Of, OutputRecord, Recorded};
use std::path::{Path, PathBuf};

/// A run whose result can be bundled.
pub(crate) struct Case {
    pub reproduction: Reproduction,
    /// The result under the name that the test sees.
    pub input: FileTree,
    /// The versions that the run noted.
    pub tools: Vec<String>,
    /// The version of Lapidary that ran.
    pub lapidary: String,
    /// How the input was found, in a sentence.
    pub found: String,
    /// Missing knowledge, in words.
    pub missing: Vec<String>,
    /// The output of the test on the result, as the run saw it.
    pub seen: Option<OutputRecord>,
}

/// The result that a journal belongs to.
pub(crate) fn result_of(journal: &Path) -> anyhow::Result<PathBuf> {
    let name = journal.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let Some(stem) = name.strip_suffix(ENDING).filter(|stem| !stem.is_empty()) else {
        bail!("{} is not called RESULT{ENDING}, so its result is not known; name the result", journal.display());
    };
    Ok(journal.with_file_name(stem))
}

/// Reads a journal and its result.
pub(crate) fn case(journal: &Path) -> anyhow::Result<Case> {
    let recorded = journal::read(journal).map_err(anyhow::Error::from)?;
    let path = result_of(journal)?;
    let result = read_result(&path).with_context(|| format!("the result of {}", journal.display()))?;
    let mut missing = Vec::new();
    if !recorded.damaged.is_empty() {
        missing.push(format!("{} damaged lines of the journal", recorded.damaged.count));
    }
    let noted = recorded.header.reproduction.clone();
    let reproduction = match noted.and_then(|noted| serde_json::from_value::<Reproduction>(noted).ok()) {
        Some(reproduction) => reproduction,
        None => {
            missing.push(
                "what the journal of an older version does not note: the directory and the environment of the run"
                    .into(),
            );
            guessed(&recorded, &path)
        }
    };
    missing.extend(reproduction.lacks.iter().cloned());
    let is_name = |name: &str| Path::new(name).file_name().is_some_and(|plain| plain == name);
    let name = if is_name(&reproduction.name) { reproduction.name.clone() } else { result.name().to_owned() };
    Ok(Case {
        found: found(&recorded, &reproduction),
        tools: recorded.header.tools.clone(),
        lapidary: recorded.header.lapidary.clone(),
        input: result.named(name),
        reproduction,
        missing,
        seen: recorded.outputs.iter().rev().find(|output| output.of == Of::Result).cloned(),
    })
}

/// The result, which may be empty.
fn read_result(path: &Path) -> anyhow::Result<FileTree> {
    if path.metadata().is_ok_and(|found| found.is_file() && found.len() == 0) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        return Ok(FileTree::file(name, Vec::new()));
    }
    input::read(path)
}

/// Reads a journal without a note for bundles: the test and its conditions.
fn guessed(recorded: &Recorded, result: &Path) -> Reproduction {
    let header = &recorded.header;
    let given = |option: &str| -> Vec<String> {
        let parts = header.run.iter().filter_map(|part| part.strip_prefix(option)?.strip_prefix(' '));
        parts.map(|part| split_words(part).map_or_else(|| part.to_owned(), |words| words.concat())).collect()
    };
    let first = |option: &str| given(option).into_iter().next();
    let words = split_words(&header.test).unwrap_or_default();
    let is_test = header.run.iter().any(|part| part.starts_with("the test "));
    let is_crash = header.run.iter().any(|part| part.starts_with("compilers "));
    let how = match first("--decompiler") {
        Some(decompiler) => {
            How::Decompiler(DecompilerRun { decompiler, expect: given("--expect"), ..DecompilerRun::default() })
        }
        None if is_test && first("--preserve").is_none() => How::Test(TestRun {
            words,
            expect: given("--expect"),
            runs: first("--any-of").or(first("--repeat")).and_then(|runs| runs.parse().ok()).unwrap_or(1),
            any: first("--any-of").is_some(),
            timeout: first("--timeout").and_then(|seconds| seconds.parse().ok()),
            ..TestRun::default()
        }),
        None => How::Nothing,
    };
    let command = if is_crash { "crash" } else { "reduce" };
    let name = result.file_name().unwrap_or_default().to_string_lossy().replace(".reduced", "");
    let mut reproduction = Reproduction::of(command, Path::new(&name), &name, how);
    reproduction.environment.clear();
    if matches!(reproduction.how, How::Nothing) {
        reproduction.lacks.push("reproduce.sh: the journal does not say how to show the failure".into());
    }
    reproduction
}

/// How the input was found.
fn found(recorded: &Recorded, reproduction: &Reproduction) -> String {
    let tests: Vec<_> = recorded.stages.iter().flat_map(|stage| &stage.tests).collect();
    let before = recorded.stages.first().map(|stage| stage.bytes);
    let best = || tests.iter().filter(|test| test.improved).map(|test| test.bytes).min();
    // The result may have lost blank lines that candidates keep.
    let after = recorded.done.map(|done| done.bytes).or_else(best).or(before);
    let name = Path::new(&reproduction.input).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let size = match (before, after) {
        (Some(before), Some(after)) if before > 0 => {
            let share = 100.0 * after as f64 / before as f64;
            let (before, after) = (thousands(before), thousands(after));
            let judged = counted(tests.len() as u64, "candidate");
            format!("from {before} to {after} bytes ({share:.1} %), {judged} judged")
        }
        _ => "without a stage of search".to_owned(),
    };
    let stopped =
        if recorded.is_done { "" } else { "\nThe search was stopped early; the input may not be the smallest." };
    format!(
        "Reduced from {} with Lapidary {} (`lapidary {}`), {size}.{stopped}",
        super::plain::code(&name),
        super::issue::escaped(&recorded.header.lapidary),
        reproduction.command
    )
}
