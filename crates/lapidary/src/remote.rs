//! Tests on a farm: the command, the files that go along with it, and where a failure may come from.

use crate::bundle::travel::{MARK, Piece, Placed, Travellers};
use anyhow::Context;
use lapidary_common::program::on_path;
use lapidary_predicate::{CommandConfig, Judge, ProgramError, TestPredicate, resolve};
use lapidary_remote::{RemoteCommand, RemoteConfig, RemoteTest, TestFiles, Word};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The command as a test that runs on a farm. `says` hears of files that do not go along.
pub(crate) fn judge(
    farm: &RemoteConfig,
    words: &[OsString],
    candidate: &str,
    config: &CommandConfig,
    says: &dyn Fn(&str),
) -> anyhow::Result<Box<dyn TestPredicate>> {
    let here = std::env::current_dir().context("the current directory is gone")?;
    check(words, &here)?;
    let (placed, words) = travelling(words, candidate, &here);
    for problem in &placed.missing {
        says(&format!("warning: {problem}"));
    }
    let test = TestFiles { words, files: placed.entries, marked: placed.marked, mark: MARK.to_owned() };
    let test =
        RemoteTest { test, timeout: config.timeout, limits: config.limits.clone(), keep_output: config.keep_output };
    Ok(Box::new(Judge::of(RemoteCommand::new(farm, test)?, config.rules())))
}

/// The files that the test needs, and its words with their places.
fn travelling(words: &[OsString], candidate: &str, here: &Path) -> (Placed, Vec<Vec<Word>>) {
    let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let mut travellers = Travellers::new(candidate);
    let named = travellers.words(&words, here);
    let placed = travellers.placed();
    let word = |piece: Piece| match piece {
        Piece::Text(text) => Word::Text(text),
        Piece::Input => Word::Candidate,
        Piece::File(path) => Word::File(path),
    };
    let words = placed.pieces(&named).into_iter().map(|pieces| pieces.into_iter().map(word).collect());
    let words = words.collect();
    (placed, words)
}

/// Checks a test that goes along as one that runs here is checked. What it runs with, and programs on
/// PATH, are the business of the farm's workers.
fn check(words: &[OsString], here: &Path) -> anyhow::Result<()> {
    let Some(program) = words.first() else { return Ok(()) };
    let path: PathBuf = here.join(program);
    let is_elsewhere = match program.to_string_lossy().contains('/') {
        true => Path::new(program).is_absolute() && !path.exists(),
        false => on_path(program).is_some() || !path.is_file(),
    };
    match resolve(program, here) {
        _ if is_elsewhere => Ok(()),
        Ok(_) | Err(ProgramError::BadInterpreter { .. }) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_name_files_by_their_places_on_the_worker() {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("check.sh"), "#!/bin/sh\ncat helper.txt\n").unwrap();
        std::fs::write(place.path().join("helper.txt"), "x").unwrap();
        let words: Vec<OsString> = ["./check.sh", "--in={}", "plain"].map(OsString::from).into();
        let (placed, words) = travelling(&words, "bug.c", place.path());
        let text = |text: &str| Word::Text(text.to_owned());
        let expected = [vec![Word::File("check.sh".into())], vec![text("--in="), Word::Candidate], vec![text("plain")]];
        assert_eq!(words, expected);
        let files: Vec<_> = placed.entries.keys().map(|path| path.display().to_string()).collect();
        assert_eq!(files, ["check.sh", "helper.txt"]);
    }

    #[test]
    fn a_test_that_goes_along_must_be_there_and_executable() {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("notes"), "#!/bin/sh\n").unwrap();
        let checked = |program: &str| check(&[program.into()], place.path());
        assert!(checked("./notes").unwrap_err().to_string().contains("chmod"));
        assert!(checked("./nothing").is_err());
        assert!(checked("gcc-of-the-worker").is_ok() && checked("/opt/tool/of/the/worker").is_ok());
    }
}
