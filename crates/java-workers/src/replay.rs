//! The program that replays a path of an exploration on the real JVM.

use crate::InstallError;
use crate::cache::Cache;
use crate::jdk::Jdk;
use crate::sources::{self, Source};
use std::path::PathBuf;

/// The replay program, compiled.
#[derive(Clone, Debug)]
pub struct Replay {
    pub java: PathBuf,
    /// The compiled classes, including `lapidary.Symbolic`, which programs compile against.
    pub classes: PathBuf,
}

impl Replay {
    /// The options of a JVM on which a call is replayed. A call may end otherwise with others: with
    /// more memory, another garbage collector, or larger frames on the stack.
    pub const JVM_OPTIONS: [&str; 10] = [
        "-ea",
        // Exceptions that are thrown often lose their message otherwise.
        "-XX:-OmitStackTraceInFastThrow",
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Xshare:auto",
        "-Xmx1g",
        "-Duser.language=en",
        "-Duser.country=US",
        "-Dfile.encoding=UTF-8",
        "-Dstdout.encoding=UTF-8",
    ];

    /// Compiles the program unless it is in the cache.
    pub fn install() -> Result<Replay, InstallError> {
        let jdk = Jdk::find()?;
        let classes = jdk.compile_once("replay", &sources::REPLAY, &[], &Cache::of_user()?)?;
        Ok(Replay { java: jdk.java, classes })
    }
}

/// The sources of the program, by their paths below a source directory.
pub fn replay_sources() -> impl Iterator<Item = (PathBuf, &'static str)> {
    sources::REPLAY.iter().map(placed)
}

/// The sources that generated tests need, by their paths below a source directory.
pub fn junit_sources() -> impl Iterator<Item = (PathBuf, &'static str)> {
    sources::JUNIT.iter().chain(&sources::JUNIT_PARTS).map(placed)
}

fn placed((name, text): &Source) -> (PathBuf, &'static str) {
    (PathBuf::from("lapidary").join(name), text)
}
