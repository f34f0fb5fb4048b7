//! The directory of a farm, and the file in it that says which processes belong to the farm.

use crate::daemon::{Daemon, Launch};
use crate::error::FarmError;
use crate::options::FarmOptions;
use serde::{Deserialize, Serialize};
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// The name of the database's process.
pub const DATABASE: &str = "database";
/// The name of the server's process.
pub const SERVER: &str = "server";
const FILE: &str = "farm.json";

/// A process of a farm.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Part {
    /// The name of the process: `database`, `server`, `worker-1` and so on.
    pub name: String,
    pub(crate) daemon: Daemon,
    pub(crate) launch: Launch,
    pub(crate) as_database_user: bool,
}

impl Part {
    pub(crate) fn is_worker(&self) -> bool {
        self.name.starts_with("worker")
    }

    /// The number of the process.
    pub fn pid(&self) -> i32 {
        self.daemon.pid()
    }

    /// The file with the output of the process.
    pub fn log(&self) -> &Path {
        &self.launch.log
    }
}

/// The record of a farm in its directory.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    pub directory: PathBuf,
    pub address: String,
    pub port: u16,
    pub parts: Vec<Part>,
}

/// The default directory of a farm. The database's user must be able to enter it, which excludes
/// the home directory of root.
pub fn default_directory() -> PathBuf {
    std::env::temp_dir().join(format!("lapidary-farm-{}", rustix::process::geteuid().as_raw()))
}

impl Record {
    /// Makes the directory and writes the record of a farm without processes.
    pub fn new(options: &FarmOptions) -> Result<Record, FarmError> {
        let directory = options.directory.clone();
        // Others may enter, since the database may run as another user, but not look around.
        match fs::DirBuilder::new().mode(0o711).create(&directory) {
            Ok(()) => {}
            Err(_) if is_empty(&directory) => is_ours(&directory)?,
            Err(_) if directory.exists() => return Err(FarmError::Occupied(directory, "is not empty")),
            Err(error) => return Err(FarmError::File(directory, error)),
        }
        fs::set_permissions(&directory, fs::Permissions::from_mode(0o711)).map_err(FarmError::file(&directory))?;
        let port = match options.port {
            Some(port) => port,
            None => free_port().map_err(FarmError::file("127.0.0.1"))?,
        };
        let record = Record { address: format!("grpc://127.0.0.1:{port}"), port, directory, parts: Vec::new() };
        record.write()?;
        Ok(record)
    }

    /// Reads the record of the farm in a directory.
    pub fn read(directory: &Path) -> Result<Record, FarmError> {
        let path = directory.join(FILE);
        let Ok(bytes) = fs::read(&path) else { return Err(FarmError::None(directory.to_owned())) };
        is_ours(directory)?;
        is_ours(&path)?;
        serde_json::from_slice(&bytes).map_err(|error| FarmError::File(path, error.into()))
    }

    /// Adds a process as soon as it runs, so that it can be ended whatever happens next.
    pub fn add(&mut self, part: Part) -> Result<(), FarmError> {
        self.parts.push(part);
        self.write()
    }

    pub fn part(&self, name: &str) -> Result<&Part, FarmError> {
        self.parts.iter().find(|part| part.name == name).ok_or_else(|| FarmError::NoPart(name.to_owned()))
    }

    /// Records that a part is another process now.
    pub fn replace(&mut self, name: &str, daemon: Daemon) -> Result<(), FarmError> {
        self.parts.iter_mut().filter(|part| part.name == name).for_each(|part| part.daemon = daemon.clone());
        self.write()
    }

    /// Removes the farm's directory.
    pub fn remove(&self) -> Result<(), FarmError> {
        fs::remove_dir_all(&self.directory).map_err(FarmError::file(&self.directory))
    }

    fn write(&self) -> Result<(), FarmError> {
        let (path, next) = (self.directory.join(FILE), self.directory.join("farm.json.next"));
        let bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        fs::write(&next, bytes).and_then(|()| fs::rename(&next, &path)).map_err(FarmError::file(&path))?;
        // The processes once more, for a shell.
        let path = self.directory.join("pids");
        fs::write(&path, self.pids()).map_err(FarmError::file(&path))
    }

    /// The processes with their times of start, in the order in which they will be ended.
    pub fn pids(&self) -> String {
        self.parts.iter().rev().map(|part| part.daemon.line()).collect()
    }
}

fn is_empty(directory: &Path) -> bool {
    fs::read_dir(directory).is_ok_and(|mut entries| entries.next().is_none())
}

/// Refuses a path that another user made, such as a directory prepared for us in /tmp.
fn is_ours(path: &Path) -> Result<(), FarmError> {
    let metadata = fs::symlink_metadata(path).map_err(FarmError::file(path))?;
    match metadata.uid() == rustix::process::geteuid().as_raw() && !metadata.is_symlink() {
        true => Ok(()),
        false => Err(FarmError::Occupied(path.to_owned(), "belongs to another user")),
    }
}

/// A port that nobody listens on. Another program may take it before the server does; then the
/// server says so.
fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}
