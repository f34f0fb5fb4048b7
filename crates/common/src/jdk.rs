//! Finding Java: JAVA_HOME comes first, then PATH, then the usual directory on Linux.

use crate::program::on_path;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The directory that JAVA_HOME names, if it is set and not empty. It need not contain a JDK.
#[must_use]
pub fn home_of_environment() -> Option<PathBuf> {
    std::env::var_os("JAVA_HOME").filter(|home| !home.is_empty()).map(PathBuf::from)
}

/// Finds a program of the JDK such as `javac`, below JAVA_HOME or else on PATH.
#[must_use]
pub fn tool(name: &str) -> Option<PathBuf> {
    let at_home = home_of_environment().map(|home| home.join("bin").join(name));
    at_home.filter(|tool| tool.is_file()).or_else(|| on_path(name))
}

/// Lists the directories of installed JDKs, regardless of JAVA_HOME: the one whose `java` is on
/// PATH, then those in `/usr/lib/jvm` by name.
#[must_use]
pub fn homes() -> Vec<PathBuf> {
    let installed = std::fs::read_dir("/usr/lib/jvm").into_iter().flatten().flatten();
    let mut installed: Vec<PathBuf> = installed.map(|entry| entry.path()).collect();
    installed.sort();
    home_of_java_on_path().into_iter().chain(installed).collect()
}

/// The home of the `java` on PATH. That is usually a link to `HOME/bin/java`; a wrapper script is
/// run to learn which Java it starts.
fn home_of_java_on_path() -> Option<PathBuf> {
    let java = on_path("java")?;
    let linked = java.canonicalize().ok().and_then(|java| Some(java.parent()?.parent()?.to_path_buf()));
    linked.filter(|home| home.join("lib").is_dir() && home.join("release").is_file()).or_else(|| home_told_by(&java))
}

fn home_told_by(java: &Path) -> Option<PathBuf> {
    let mut command = Command::new(java);
    let asked = command.args(["-XshowSettings:properties", "-version"]).stdin(Stdio::null()).output().ok()?;
    let told = String::from_utf8_lossy(&asked.stderr).into_owned();
    told.lines().find_map(|line| line.trim().strip_prefix("java.home = ")).map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_that_starts_java_tells_which() {
        let directory = tempfile::tempdir().unwrap();
        let script = directory.path().join("java");
        let real = home_of_java_on_path().unwrap();
        std::fs::write(&script, format!("#!/bin/sh\nexec {}/bin/java \"$@\"\n", real.display())).unwrap();
        std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        assert_eq!(home_told_by(&script), Some(real));
        assert_eq!(home_told_by(Path::new("/bin/true")), None);
    }
}
