//! The reasons why a worker cannot be installed, each with what the user can do about it.

use std::path::PathBuf;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum InstallError {
    #[error("no decompiler is called `{name}`. Known are {known}; a version may follow, as in cfr=0.152")]
    Unknown { name: String, known: String },
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
