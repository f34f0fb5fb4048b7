//! The cache of jars and compiled workers between runs.
//!
//! Every entry is built beside its final place and moved there once it is complete. Therefore
//! concurrent or killed installations do no harm.

use crate::InstallError;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub struct Cache {
    root: PathBuf,
}

impl Cache {
    /// The cache of the user: `$XDG_CACHE_HOME/lapidary`, or `~/.cache/lapidary`.
    pub fn of_user() -> Result<Self, InstallError> {
        let absolute = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let base = absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")));
        base.map(|base| Cache { root: base.join("lapidary") }).ok_or(InstallError::NoCache)
    }

    pub fn place(&self, path: impl AsRef<Path>) -> PathBuf {
        self.root.join(path)
    }

    /// Creates a temporary directory in which to build an entry.
    pub fn workshop(&self) -> Result<TempDir, InstallError> {
        let failed = |error| InstallError::Write(self.root.clone(), error);
        fs::create_dir_all(&self.root).map_err(failed)?;
        tempfile::Builder::new().prefix("making-").tempdir_in(&self.root).map_err(failed)
    }

    /// Moves a finished entry to its place. It is fine if another process was faster.
    pub fn keep(&self, made: &Path, place: &Path) -> Result<(), InstallError> {
        let failed = |error| InstallError::Write(place.to_path_buf(), error);
        fs::create_dir_all(place.parent().unwrap_or(place)).map_err(failed)?;
        match fs::rename(made, place) {
            Err(_) if place.exists() => Ok(()),
            result => result.map_err(failed),
        }
    }
}
