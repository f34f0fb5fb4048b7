//! The JVM that runs the program.

use crate::program::TraceError;
use lapidary_common::{jdk, program::on_path};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The oldest Java whose JVM has the interface that the agent needs.
pub const OLDEST: u32 = 11;

/// An installed JVM that is new enough.
#[derive(Clone, Debug)]
pub struct Jdk {
    pub java: PathBuf,
    pub release: u32,
}

impl Jdk {
    /// Finds the `java` of JAVA_HOME, else the one on PATH.
    pub fn installed() -> Result<Jdk, TraceError> {
        let java = match jdk::home_of_environment() {
            Some(home) => Some(home.join("bin/java")).filter(|java| java.is_file()).ok_or(TraceError::BadHome(home)),
            None => on_path("java").ok_or(TraceError::NoJava),
        };
        Jdk::at(&java?)
    }

    /// The JVM that this `java` starts.
    pub fn at(java: &Path) -> Result<Jdk, TraceError> {
        let failed = |reason: String| TraceError::BadJava { java: java.into(), reason };
        let output = Command::new(java).arg("-version").stdin(Stdio::null()).output();
        let output = output.map_err(|error| failed(error.to_string()))?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let release = release(&text).ok_or_else(|| failed(text.lines().next().unwrap_or("it says nothing").into()))?;
        if release < OLDEST {
            return Err(TraceError::OldJava { java: java.into(), release });
        }
        Ok(Jdk { java: java.into(), release })
    }
}

/// The release in the output of `java -version`: 17 for `openjdk version "17.0.15" 2025-04-15`, 8
/// for `java version "1.8.0_392"`.
fn release(text: &str) -> Option<u32> {
    let version = text.lines().find_map(|line| line.split_once("version \"")).map(|(_, rest)| rest)?;
    let version = version.strip_prefix("1.").unwrap_or(version);
    version.split(|end: char| !end.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_are_told_apart() {
        assert_eq!(release("openjdk version \"17.0.15\" 2025-04-15\nOpenJDK Runtime"), Some(17));
        assert_eq!(release("java version \"1.8.0_392\""), Some(8));
        assert_eq!(release("Picked up JAVA_TOOL_OPTIONS: -Xmx1g\nopenjdk version \"25\" 2025-09-16"), Some(25));
        assert_eq!(release("segmentation fault"), None);
    }

    #[test]
    fn a_program_that_is_not_java_is_named_in_the_error() {
        let problem = Jdk::at(Path::new("/bin/true")).unwrap_err().to_string();
        assert!(problem.contains("/bin/true"), "{problem}");
    }
}
