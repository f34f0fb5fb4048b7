//! The versions of the tools that a run uses, for its journal.

use lapidary_java_workers::Decompiler;
use lapidary_jvm::Platform;
use std::process::Command;

/// The JDK whose classes a Java program uses.
pub(crate) fn jdk(platform: &Platform) -> String {
    let text = std::fs::read_to_string(platform.home().join("release")).unwrap_or_default();
    let version = text.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="));
    format!("JDK {}", version.map_or("of an unknown version", |version| version.trim_matches('"')))
}

/// The name and version of the decompiler that a user names.
pub(crate) fn decompiler(name: &str) -> Option<String> {
    let decompiler = Decompiler::parse(name).ok()?;
    Some(format!("{} {}", decompiler.name(), decompiler.version()))
}

/// The first line that a compiler prints about itself.
pub(crate) fn compiler(command: &str) -> Option<String> {
    let output = Command::new(command).arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().next().map(str::to_owned)
}
