//! The programs that a farm consists of, and the user that runs the database.

use crate::error::FarmError;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The programs of a farm.
pub struct Tools {
    /// The directory with the programs of PostgreSQL.
    postgres: PathBuf,
    /// The Python environment with BuildGrid.
    python: PathBuf,
    /// The user that runs the database if we are root, whom PostgreSQL refuses.
    database_user: Option<User>,
}

/// A user of the system.
#[derive(Clone, Debug)]
pub struct User {
    /// The user's name.
    pub name: String,
    /// The user's number.
    pub uid: u32,
    /// The number of the user's group.
    pub gid: u32,
}

impl Tools {
    /// Finds the programs.
    pub fn find() -> Result<Tools, FarmError> {
        let database_user = match rustix::process::geteuid().is_root() {
            true => Some(user("postgres").ok_or_else(|| {
                missing("a user called postgres, since PostgreSQL refuses to run as root", "apt-get install postgresql")
            })?),
            false => None,
        };
        let postgres = postgres().ok_or_else(|| missing("PostgreSQL", "apt-get install postgresql"))?;
        let python = environment().filter(|place| place.join("bin/bgd").is_file());
        Ok(Tools { postgres, python: python.ok_or_else(no_buildgrid)?, database_user })
    }

    /// Makes sure that the database's user can reach a directory.
    pub fn check_way(&self, directory: &Path) -> Result<(), FarmError> {
        const ENTER: u32 = 0o001;
        let is_shut = |path: &Path| path.metadata().is_ok_and(|found| found.mode() & ENTER == 0);
        let shut = directory.ancestors().skip(1).find(|path| self.database_user.is_some() && is_shut(path));
        let why = "cannot be entered by the user postgres, who runs the database";
        shut.map_or(Ok(()), |path| Err(FarmError::Occupied(path.to_owned(), why)))
    }

    /// A program of PostgreSQL.
    pub fn postgres(&self, name: &str) -> String {
        self.postgres.join(name).to_string_lossy().into_owned()
    }

    /// A program of the Python environment.
    pub fn python(&self, name: &str) -> String {
        self.python.join("bin").join(name).to_string_lossy().into_owned()
    }

    /// The user that runs a part of the farm, if that is not us.
    pub fn user(&self, as_database_user: bool) -> Option<User> {
        self.database_user.clone().filter(|_| as_database_user)
    }
}

fn missing(what: &'static str, command: &str) -> FarmError {
    let advice = format!("install it with `{command}`, or run `scripts/setup farm` of Lapidary's sources");
    FarmError::Missing { what, advice }
}

fn no_buildgrid() -> FarmError {
    let place = environment().map_or_else(|| "~/.cache/lapidary/farm/venv".into(), |place| place.display().to_string());
    let install = format!("python3 -m venv {place} && {place}/bin/pip install buildgrid==0.4.4 psycopg2-binary");
    missing("BuildGrid", &install)
}

/// The newest PostgreSQL: Debian keeps its programs out of PATH.
fn postgres() -> Option<PathBuf> {
    let version = |path: &Path| path.file_name()?.to_str()?.parse::<u32>().ok();
    let installed = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let newest = installed.filter_map(|entry| Some((version(&entry.path())?, entry.path().join("bin")))).max();
    let directories = newest.map(|(_, path)| path).into_iter().chain(path_directories());
    directories.into_iter().find(|path| path.join("initdb").is_file() && path.join("postgres").is_file())
}

fn path_directories() -> Vec<PathBuf> {
    std::env::var_os("PATH").map_or_else(Vec::new, |path| std::env::split_paths(&path).collect())
}

/// `$XDG_CACHE_HOME/lapidary/farm/venv` or `~/.cache/lapidary/farm/venv`, where `scripts/setup farm`
/// installs BuildGrid.
fn environment() -> Option<PathBuf> {
    let absolute = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")))?;
    Some(base.join("lapidary/farm/venv"))
}

fn user(name: &str) -> Option<User> {
    let users = fs::read_to_string("/etc/passwd").ok()?;
    let fields: Vec<&str> =
        users.lines().map(|line| line.split(':').collect()).find(|line: &Vec<&str>| line[0] == name)?;
    Some(User { name: name.to_owned(), uid: fields.get(2)?.parse().ok()?, gid: fields.get(3)?.parse().ok()? })
}
