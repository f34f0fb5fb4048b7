//! Where jars and compiled workers are kept between runs.
//!
//! Everything is made beside its place and moved there once it is complete, so that two installations at once, or one that
//! is killed, do no harm.

use crate::InstallError;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub struct Cache {
    root: PathBuf,
}

impl Cache {
    /// `$XDG_CACHE_HOME/lapidary`, or `~/.cache/lapidary`.
    pub fn of_user() -> Result<Self, InstallError> {
        let absolute = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let base = absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")));
        base.map(|base| Cache { root: base.join("lapidary") }).ok_or(InstallError::NoCache)
    }

    pub fn place(&self, path: impl AsRef<Path>) -> PathBuf {
        self.root.join(path)
    }

    /// A directory to make something in.
    pub fn workshop(&self) -> Result<TempDir, InstallError> {
        let failed = |error| InstallError::Write(self.root.clone(), error);
        fs::create_dir_all(&self.root).map_err(failed)?;
        tempfile::Builder::new().prefix("making-").tempdir_in(&self.root).map_err(failed)
    }

    /// Moves what was made to its place. It is fine if somebody else was faster.
    pub fn keep(&self, made: &Path, place: &Path) -> Result<(), InstallError> {
        let failed = |error| InstallError::Write(place.to_path_buf(), error);
        fs::create_dir_all(place.parent().unwrap_or(place)).map_err(failed)?;
        match fs::rename(made, place) {
            Err(_) if place.exists() => Ok(()),
            result => result.map_err(failed),
        }
    }
}
