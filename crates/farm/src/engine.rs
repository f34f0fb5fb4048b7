//! The server of a farm: BuildGrid with storage, action cache, scheduler and the workers' service.

use crate::daemon::{self, Launch};
use crate::database::{Database, connections};
use crate::error::FarmError;
use crate::options::FarmOptions;
use crate::record::{Part, Record, SERVER};
use crate::tools::Tools;
use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Writes the configuration and makes the tables in the database.
pub fn prepare(tools: &Tools, database: &Database, options: &FarmOptions, record: &Record) -> Result<(), FarmError> {
    let path = record.directory.join("buildgrid.yml");
    fs::write(&path, configuration(database, options, record.port)).map_err(FarmError::file(&path))?;
    let log = record.directory.join("log/migrate");
    let file = fs::File::create(&log).map_err(FarmError::file(&log))?;
    let errors = file.try_clone().map_err(FarmError::file(&log))?;
    let words = [tools.python("bgd"), "migrate".into(), "apply".into(), database.url()];
    let mut command = daemon::command(&words, None);
    let status = command.current_dir(&record.directory).stdin(Stdio::null()).stdout(file).stderr(errors).status();
    match status.map_err(FarmError::file(&words[0]))? {
        status if status.success() => Ok(()),
        status => Err(FarmError::Start { name: "bgd migrate".to_owned(), problem: status.to_string(), log }),
    }
}

/// Makes sure that nobody listens on the port.
pub fn check_port(port: Option<u16>) -> Result<(), FarmError> {
    let Some(port) = port else { return Ok(()) };
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map(drop).map_err(|error| FarmError::Port(port, error))
}

/// Starts the server.
pub fn start(tools: &Tools, record: &Record) -> Result<Part, FarmError> {
    let words = vec![tools.python("bgd"), "server".into(), "start".into(), "buildgrid.yml".into()];
    let launch = Launch { words, directory: record.directory.clone(), log: log(record) };
    let daemon = daemon::start(&launch, None)?;
    Ok(Part { name: SERVER.to_owned(), daemon, launch, as_database_user: false })
}

/// Waits until the server listens.
pub fn wait_until_ready(record: &Record) -> Result<(), FarmError> {
    const LONG: Duration = Duration::from_secs(60);
    let end = Instant::now() + LONG;
    let failed = |problem: String| Err(FarmError::Start { name: SERVER.to_owned(), problem, log: log(record) });
    loop {
        if TcpStream::connect(SocketAddr::from((Ipv4Addr::LOCALHOST, record.port))).is_ok() {
            return Ok(());
        }
        if !record.part(SERVER)?.daemon.is_running() {
            return failed("it ended".to_owned());
        }
        if Instant::now() > end {
            return failed(format!("it did not listen for {} s", LONG.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn log(record: &Record) -> PathBuf {
    record.directory.join("log/server")
}

/// Every worker that waits for work and every client that waits for a result holds a thread of the
/// server, so there must be more threads than both together.
///
/// `proactive-fetch-to-capacity` stays off: with it, BuildGrid 0.4.4 answers idle workers at once, and
/// they ask again at once. The assigner waits up to a second by default, and finds a job that was
/// queued meanwhile only then.
fn configuration(database: &Database, options: &FarmOptions, port: u16) -> String {
    let threads = 64 + 6 * options.workers;
    let pool = connections(options.workers);
    let keys: Vec<String> = options.properties.iter().map(|(key, _)| format!("{key:?}")).collect();
    let keys = keys.join(", ");
    let url = database.url();
    format!(
        r#"server:
  - !channel
    address: "127.0.0.1:{port}"
    insecure-mode: true
description: A farm of Lapidary
authorization:
  method: none
monitoring:
  enabled: false
thread-pool-size: {threads}
connections:
  - !sql-connection &sql
    connection-string: "{url}"
    pool-size: {pool}
    max-overflow: 10
storages:
  - !lru-storage &storage
    size: 512M
caches:
  - !lru-action-cache &cache
    storage: *storage
    max-cached-refs: 100000
    allow-updates: true
    cache-failed-actions: true
schedulers:
  - !sql-scheduler &scheduler
    sql: *sql
    storage: *storage
    action-cache: *cache
    poll-interval: 0.5
    bot-poll-interval: 0.5
    bot-session-keepalive-timeout: 10
    session-expiry-timer-interval: 1
    max-job-attempts: 10
    assigners:
      - !priority-age-assigner
        count: 1
        interval: 0.05
        jitter-factor: 0
        failure-backoff: 0.5
    property-set: !dynamic-property-set
      match-property-keys: [{keys}]
instances:
  - name: ''
    services:
      - !action-cache
        cache: *cache
      - !execution
        scheduler: *scheduler
        operation-stream-keepalive-timeout: 10
      - !cas
        storage: *storage
      - !bytestream
        storage: *storage
"#
    )
}
