//! The built-in test for decompilers: does what the decompiler makes of these classes still give the same compiler errors?
//!
//! The test itself is a Java program, `workers/decompiler`, which speaks the worker protocol and runs the decompiler and the
//! compiler in one JVM. This crate carries its sources. [`Decompiler::install`] fetches the decompiler from Maven Central and
//! compiles the worker, each once, into a cache; [`Installed::command`] is what `lapidary_predicate::WorkerPredicate` runs.

mod cache;
mod decompiler;
mod jdk;
mod maven;
mod sources;

pub use decompiler::{Decompiler, Installed};

use std::path::PathBuf;
use thiserror::Error;

/// When an answer of the worker is interesting: it found errors …
pub const EXPECT: &str = "exit=0";
/// … and they are those of the original.
pub const PRESERVE: &str = "stdout";

#[derive(Debug, Error)]
pub enum InstallError {
    #[error("no decompiler is called `{0}`. Known are {known}; a version may follow, as in cfr=0.152", known = decompiler::known())]
    Unknown(String),
    #[error("`{0}` is not a version: letters, digits, dots, dashes and underscores are allowed")]
    Version(String),
    #[error("no cache directory: set XDG_CACHE_HOME or HOME")]
    NoCache,
    #[error("cannot write {0}: {1}")]
    Write(PathBuf, std::io::Error),
    #[error(
        "the decompiler test needs {0}, which is not on PATH: install a JDK 17 or newer (and set JAVA_HOME if there are several)"
    )]
    NoJdk(&'static str),
    #[error(
        "{coordinates} is not in the cache and there is no mvn on PATH to fetch it: install Maven, or put the jar into {cache}"
    )]
    NoMaven { coordinates: String, cache: PathBuf },
    #[error(
        "cannot fetch {coordinates} from Maven Central; is it the right version, and is there a network?\n{output}"
    )]
    Fetch { coordinates: String, output: String },
    #[error("cannot compile the decompiler worker with {javac}; a JDK 17 or newer is needed\n{output}")]
    Compile { javac: PathBuf, output: String },
}
