//! Builds drivers with Maven, each once, in the user's cache.

use super::Tool;
use lapidary_jvm::{ClassPathError, Platform};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use thiserror::Error;

/// An installed tool.
#[derive(Clone, Debug)]
pub struct Installed {
    pub name: &'static str,
    /// The directory with `driver.jar` and its dependencies in `lib`.
    pub directory: PathBuf,
    pub java: PathBuf,
}

/// The reason for a third-party analysis that cannot be installed.
#[derive(Debug, Error)]
pub enum InstallError {
    #[error("no cache directory: set XDG_CACHE_HOME or HOME")]
    NoCache,
    #[error(transparent)]
    NoJdk(#[from] ClassPathError),
    #[error("cannot write {path}: {reason}")]
    Write { path: PathBuf, reason: std::io::Error },
    #[error("there is no mvn on PATH to build the driver of {tool}: install Maven")]
    NoMaven { tool: &'static str },
    #[error("Maven cannot build the driver of {tool}; is there a network, and a JDK 17 or newer?\n{output}")]
    Build { tool: &'static str, output: String },
}

impl Tool {
    /// The tool, if it is installed.
    #[must_use]
    pub fn installed(&self) -> Option<Installed> {
        let directory = self.place().ok()?;
        let java = java().ok()?;
        directory.join("driver.jar").is_file().then_some(Installed { name: self.name, directory, java })
    }

    /// Builds the driver unless it is installed. `say` receives progress messages for slow steps.
    pub fn install(&self, say: &mut dyn FnMut(&str)) -> Result<Installed, InstallError> {
        if let Some(installed) = self.installed() {
            return Ok(installed);
        }
        let (java, place) = (java()?, self.place()?);
        let parent = place.parent().unwrap_or(&place).to_path_buf();
        let failed = |reason| InstallError::Write { path: parent.clone(), reason };
        std::fs::create_dir_all(&parent).map_err(failed)?;
        let workshop = tempfile::Builder::new().prefix("making-").tempdir_in(&parent).map_err(failed)?;
        self.write_project(workshop.path())?;
        self.build(workshop.path(), say)?;
        match std::fs::rename(workshop.path().join("target"), &place) {
            Err(_) if place.join("driver.jar").is_file() => {}
            Err(reason) => return Err(InstallError::Write { path: place, reason }),
            Ok(()) => {}
        }
        Ok(Installed { name: self.name, directory: place, java })
    }

    /// The directory of this driver. It depends on the sources, so a new version is built afresh.
    fn place(&self) -> Result<PathBuf, InstallError> {
        let mut hasher = blake3::Hasher::new();
        for (path, text) in self.files {
            hasher.update(path.as_bytes()).update(&[0]).update(text.as_bytes()).update(&[0]);
        }
        let key = &hasher.finalize().to_hex()[..16];
        Ok(cache()?.join(format!("analyses/{}-{key}", self.name)))
    }

    fn write_project(&self, directory: &Path) -> Result<(), InstallError> {
        for (path, text) in self.files {
            let path = directory.join(path);
            let written =
                path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(&path, text));
            written.map_err(|reason| InstallError::Write { path, reason })?;
        }
        Ok(())
    }

    /// Builds offline first with the artifacts that Maven has already fetched, and uses the network
    /// only if that fails.
    fn build(&self, project: &Path, say: &mut dyn FnMut(&str)) -> Result<(), InstallError> {
        if maven(project, &["-o"]).is_ok_and(|done| done.is_ok()) {
            return Ok(());
        }
        say(&format!("fetching {} from Maven Central", self.title));
        match maven(project, &[]) {
            Err(_) => Err(InstallError::NoMaven { tool: self.name }),
            Ok(Err(output)) => Err(InstallError::Build { tool: self.name, output: first_lines(&output) }),
            Ok(Ok(())) => Ok(()),
        }
    }
}

/// Runs Maven. The outer error means that Maven is missing; the inner one holds its output.
fn maven(project: &Path, options: &[&str]) -> std::io::Result<Result<(), String>> {
    let mut command = Command::new("mvn");
    command.args(["-q", "-B"]).args(options).arg("package").current_dir(project).stdin(Stdio::null());
    let output = command.output()?;
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    Ok(if output.status.success() { Ok(()) } else { Err(text) })
}

/// The first lines of the output, where Maven reports the error.
fn first_lines(output: &str) -> String {
    output.lines().take(5).collect::<Vec<_>>().join("\n")
}

fn java() -> Result<PathBuf, ClassPathError> {
    Ok(Platform::installed()?.home().join("bin/java"))
}

/// The cache of the user: `$XDG_CACHE_HOME/lapidary`, or `~/.cache/lapidary`.
fn cache() -> Result<PathBuf, InstallError> {
    let absolute = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")));
    base.map(|base| base.join("lapidary")).ok_or(InstallError::NoCache)
}
