//! The database of a farm: PostgreSQL, reached through a socket that only we can open.

use crate::daemon::{self, Launch};
use crate::error::FarmError;
use crate::options::FarmOptions;
use crate::record::{DATABASE, Part};
use crate::tools::Tools;
use std::fs;
use std::os::unix::fs::{DirBuilderExt, chown};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// The database of a farm, by its files.
pub struct Database {
    files: PathBuf,
    socket: PathBuf,
    log: PathBuf,
    directory: PathBuf,
    connections: usize,
}

const USER: &str = "farm";

impl Database {
    /// Returns the database of the farm in a directory.
    pub fn of(directory: &Path) -> Database {
        Database {
            files: directory.join("database"),
            socket: directory.join("socket"),
            log: directory.join("log").join("database"),
            directory: directory.to_owned(),
            connections: 0,
        }
    }

    /// Makes an empty database.
    pub fn create(tools: &Tools, options: &FarmOptions) -> Result<Database, FarmError> {
        let connections = connections(options.workers) + OTHERS;
        let database = Database { connections, ..Database::of(&options.directory) };
        let logs = options.directory.join("log");
        fs::create_dir(&logs).map_err(FarmError::file(&logs))?;
        for directory in [&database.files, &database.socket] {
            fs::DirBuilder::new().mode(0o700).create(directory).map_err(FarmError::file(directory))?;
            if let Some(user) = tools.user(true) {
                chown(directory, Some(user.uid), Some(user.gid)).map_err(FarmError::file(directory))?;
            }
        }
        database.initialise(tools)?;
        Ok(database)
    }

    fn initialise(&self, tools: &Tools) -> Result<(), FarmError> {
        let files = self.files.to_string_lossy();
        let words = [&tools.postgres("initdb"), "-D", &files, "-U", USER, "-A", "trust", "-E", "UTF8", "--no-sync"];
        self.run(tools, &words.map(str::to_owned), "initdb")
    }

    /// Starts the database. It never syncs, which makes it fast; a crash of the machine loses it.
    pub fn start(&self, tools: &Tools) -> Result<Part, FarmError> {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let mut words =
            vec![tools.postgres("postgres"), "-D".into(), text(&self.files), "-k".into(), text(&self.socket)];
        for setting in [
            "listen_addresses=".to_owned(),
            "fsync=off".to_owned(),
            "synchronous_commit=off".to_owned(),
            "full_page_writes=off".to_owned(),
            format!("max_connections={}", self.connections),
        ] {
            words.extend(["-c".to_owned(), setting]);
        }
        let launch = Launch { words, directory: "/".into(), log: self.log.clone() };
        let daemon = daemon::start(&launch, tools.user(true))?;
        Ok(Part { name: DATABASE.to_owned(), daemon, launch, as_database_user: true })
    }

    /// Waits until the database answers.
    pub fn wait_until_ready(&self, tools: &Tools) -> Result<(), FarmError> {
        const LONG: Duration = Duration::from_secs(30);
        let end = Instant::now() + LONG;
        let socket = self.socket.to_string_lossy().into_owned();
        let words = [tools.postgres("pg_isready"), "-q".into(), "-h".into(), socket, "-U".into(), USER.into()];
        loop {
            let answer = daemon::command(&words, None).stdout(Stdio::null()).stderr(Stdio::null()).status();
            match answer {
                Ok(status) if status.success() => return Ok(()),
                _ if Instant::now() > end => {
                    let problem = format!("it did not answer for {} s", LONG.as_secs());
                    return Err(FarmError::Start { name: DATABASE.to_owned(), problem, log: self.log.clone() });
                }
                _ => std::thread::sleep(Duration::from_millis(50)),
            }
        }
    }

    /// The URL by which BuildGrid reaches the database. SQLAlchemy 2.1 needs the driver's name.
    pub fn url(&self) -> String {
        format!("postgresql+psycopg2://{USER}@/postgres?host={}", self.socket.display())
    }

    /// Runs a program of PostgreSQL to its end.
    fn run(&self, tools: &Tools, words: &[String], name: &str) -> Result<(), FarmError> {
        let log = self.directory.join("log").join(name);
        let file = fs::File::create(&log).map_err(FarmError::file(&log))?;
        let errors = file.try_clone().map_err(FarmError::file(&log))?;
        let mut command = daemon::command(words, tools.user(true));
        let status = command.current_dir("/").stdin(Stdio::null()).stdout(file).stderr(errors).status();
        match status.map_err(FarmError::file(&words[0]))? {
            status if status.success() => Ok(()),
            status => Err(FarmError::Start { name: name.to_owned(), problem: status.to_string(), log }),
        }
    }
}

/// The number of connections that BuildGrid keeps open. Each worker needs one now and then, and
/// opening one takes longer than using it.
pub fn connections(workers: usize) -> usize {
    (20 + workers).min(280)
}

/// Further connections, for moments when BuildGrid needs more, and for programs.
pub const OTHERS: usize = 30;
