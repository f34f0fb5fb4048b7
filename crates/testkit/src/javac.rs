//! The Java compiler for tests. A test whose sources do not compile fails with the compiler's
//! output.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Compiles source files into a directory, which is created if it does not exist.
#[track_caller]
pub fn javac(options: &[&str], into: &Path, sources: impl IntoIterator<Item = impl AsRef<OsStr>>) {
    let mut command = Command::new("javac");
    // The compiler runs for a second, so a fast start matters more than fast code.
    command.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-nowarn", "-encoding", "UTF-8"]);
    command.args(options).arg("-d").arg(into).args(sources);
    let output = command.output().expect("javac is needed for these tests: `scripts/setup java` installs it");
    assert!(output.status.success(), "javac failed:\n{}", String::from_utf8_lossy(&output.stderr));
}

/// Writes source texts, each with its file name, into a directory and compiles them there.
#[track_caller]
pub fn javac_texts(options: &[&str], directory: &Path, sources: &[(&str, &str)]) {
    let files = sources.iter().map(|(name, text)| {
        let file = directory.join(name);
        fs::write(&file, text).unwrap();
        file
    });
    javac(options, directory, files.collect::<Vec<_>>());
}
