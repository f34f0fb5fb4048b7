//! Static slices of small programs consist of the lines marked in their comments.

use crate::common;

use common::{criterion, differences, programs, units};
use lapidary_slice::{Criterion, SliceError, static_slice};
use std::path::PathBuf;

#[test]
fn static_slices_are_what_the_comments_say() {
    let paths = programs("static");
    assert!(paths.len() >= 15);
    let wrong = paths.iter().flat_map(|path| {
        let slice = static_slice(&units(path), &criterion(path)).expect("a slice");
        differences(path, &slice)
    });
    let wrong: Vec<_> = wrong.collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn a_line_without_code_is_an_error_that_names_it() {
    let path = programs("static").remove(0);
    let beyond = Criterion { file: path.clone(), line: 10_000, variable: None };
    let error = static_slice(&units(&path), &beyond).expect_err("there is no such line");
    assert!(matches!(error, SliceError::NothingThere { line: 10_000, .. }));
    let elsewhere = Criterion { file: PathBuf::from("/nowhere.c"), line: 1, variable: None };
    let error = static_slice(&units(&path), &elsewhere).expect_err("there is no such file");
    assert!(matches!(error, SliceError::UnknownFile { .. }));
}
