//! Recognises command lines of `reduce` whose words are in another order, as C-Reduce has it or
//! without `--`, and shows the right one.

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// The right command line, if the files among these words are an input and a test without `--`.
pub fn without_dashes(words: &[OsString]) -> Option<String> {
    let is_reduce = words.get(1).is_some_and(|word| word == "reduce");
    if !is_reduce || words.iter().any(|word| word == "--") {
        return None;
    }
    let files: Vec<&OsStr> = words[2..].iter().map(OsString::as_os_str).filter(|word| is_file(word)).collect();
    let [first, second] = files[..] else { return None };
    Some(match is_executable(second) || !is_executable(first) {
        true => format!("the test comes after `--`: {}", right(first, second)),
        false => format!("the input comes first, then `--` and the test: {}", right(second, first)),
    })
}

/// The right command line, if an input and a test were exchanged.
pub fn exchanged(input: &Path, test: &OsStr) -> Option<String> {
    let is_exchanged = is_executable(input.as_os_str()) && is_file(test) && !is_executable(test);
    is_exchanged.then(|| format!("the input comes first, then `--` and the test: {}", right(test, input.as_os_str())))
}

fn right(input: &OsStr, test: &OsStr) -> String {
    let is_plain = Path::new(test).components().count() == 1;
    let here = if is_plain { "./" } else { "" };
    format!("lapidary reduce {} -- {here}{} {{}}", input.display(), test.display())
}

fn is_file(word: &OsStr) -> bool {
    Path::new(word).is_file()
}

fn is_executable(word: &OsStr) -> bool {
    Path::new(word).metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}
