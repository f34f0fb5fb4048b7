//! The workers that Lapidary brings along for Java: programs that speak the worker protocol and stay in one JVM.
//!
//! - `workers/decompiler` is the built-in test for decompilers: does what the decompiler makes of these classes still give
//!   the same compiler errors? [`Decompiler::install`] fetches the decompiler from Maven Central.
//! - `workers/verifier` asks the JVM whether classes verify and link: see [`Verifier`].
//! - `workers/replay` calls a method with given values and tells how it ends: see [`Replay`].
//!
//! This crate carries their sources and compiles them, each once, into a cache. What it returns is what
//! `lapidary_predicate::WorkerPredicate` runs.

mod cache;
mod decompiler;
mod jdk;
mod maven;
mod replay;
mod sources;
mod verifier;

pub use decompiler::{Decompiler, Installed};
pub use replay::Replay;
pub use verifier::Verifier;

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
    #[error("this needs {0}, which is not on PATH: install a JDK 17 or newer (and set JAVA_HOME if there are several)")]
    NoJdk(&'static str),
    #[error(
        "{coordinates} is not in the cache and there is no mvn on PATH to fetch it: install Maven, or put the jar into {cache}"
    )]
    NoMaven { coordinates: String, cache: PathBuf },
    #[error(
        "cannot fetch {coordinates} from Maven Central; is it the right version, and is there a network?\n{output}"
    )]
    Fetch { coordinates: String, output: String },
    #[error("cannot compile a worker with {javac}; a JDK 17 or newer is needed\n{output}")]
    Compile { javac: PathBuf, output: String },
    #[error(
        "{name} {version} has another interface than its worker expects; {name}={tried} is known to work\n{output}"
    )]
    OtherInterface { name: &'static str, version: String, tried: &'static str, output: String },
}
