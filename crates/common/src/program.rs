//! Finding programs like a shell.

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The directories that a shell searches if PATH is not set.
const DEFAULT_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// Finds an executable file by name in the directories of PATH.
#[must_use]
pub fn on_path(program: impl AsRef<OsStr>) -> Option<PathBuf> {
    on_path_from(program, Path::new(""))
}

/// Like [`on_path`], where relative directories of PATH start from `here`.
#[must_use]
pub fn on_path_from(program: impl AsRef<OsStr>, here: &Path) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_else(|| OsString::from(DEFAULT_PATH));
    std::env::split_paths(&path)
        .map(|directory| here.join(directory).join(program.as_ref()))
        .find(|path| is_executable(path))
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_and_other_files_are_not() {
        assert!(on_path("sh").unwrap().is_absolute());
        assert_eq!(on_path("no-such-program"), None);
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("notes");
        std::fs::write(&file, "").unwrap();
        assert!(!is_executable(&file) && !is_executable(place.path()));
    }
}
