//! Errors that keep a program from being observed.

use crate::commands::CommandsError;
use lapidary_predicate::CommandError;
use lapidary_reduce::PredicateError;
use std::path::PathBuf;
use thiserror::Error;

/// The reason for a program whose crash cannot be minimised.
#[derive(Debug, Error)]
pub enum CrashError {
    #[error("there is nothing to compile: no file of {0} ends in .c, .cc, .cpp, .cxx or .C")]
    NoSource(String),
    #[error("only one file can be preprocessed, and the program has {0}")]
    SeveralSources(usize),
    #[error("no compiler {compiler}: install {package}, or name another one")]
    NoCompiler { compiler: String, package: String },
    #[error("the program does not compile:\n{0}")]
    DoesNotCompile(String),
    #[error("the program does not fail: {ending}{hint}{output}")]
    DoesNotFail { ending: String, hint: &'static str, output: String },
    #[error(
        "the program fails ({0}), but nothing tells at which of its statements; a sanitizer may: --flags -fsanitize=address"
    )]
    NoPlace(String),
    #[error("the program did not fail within {0:.1} s")]
    TimedOut(f64),
    #[error("the program does not fail at {expected}, but: {actual}")]
    WrongLocation { expected: String, actual: String },
    #[error("{compiler} cannot compile Lapidary's runtime:\n{errors}")]
    Runtime { compiler: String, errors: String },
    #[error("cannot write {0}: {1}")]
    Write(PathBuf, std::io::Error),
    #[error(transparent)]
    Commands(#[from] CommandsError),
    #[error(transparent)]
    Workplace(#[from] CommandError),
    #[error(transparent)]
    Predicate(#[from] PredicateError),
}
