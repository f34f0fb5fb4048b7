//! The workers of a farm: a Python program that speaks the Remote Workers API.

use crate::daemon::{self, Launch};
use crate::error::FarmError;
use crate::options::FarmOptions;
use crate::record::{Part, Record};
use crate::tools::Tools;
use rustix::process::{Pid, Signal, kill_process};
use std::fs;

const PROGRAM: &str = include_str!("../workers/farm_worker.py");

/// More workers share these many processes, each of which takes 60 MB.
const MOST_PROCESSES: usize = 8;

/// Starts the workers.
pub fn start(tools: &Tools, options: &FarmOptions, record: &Record) -> Result<Vec<Part>, FarmError> {
    let program = record.directory.join("farm_worker.py");
    fs::write(&program, PROGRAM).map_err(FarmError::file(&program))?;
    let processes = options.workers.min(MOST_PROCESSES);
    let started = (0..processes).map(|number| {
        let name = format!("worker-{}", number + 1);
        let mut words: Vec<String> = ["-u".to_owned(), program.to_string_lossy().into_owned()].into();
        words.insert(0, tools.python("python"));
        words.extend([format!("127.0.0.1:{}", record.port), name.clone(), "--directory".into()]);
        words.push(record.directory.join("work").join(&name).to_string_lossy().into_owned());
        // The first processes take the remainder.
        let share = options.workers / processes + usize::from(number < options.workers % processes);
        words.extend(["--workers".to_owned(), share.to_string()]);
        for (key, value) in &options.properties {
            words.extend(["--property".to_owned(), format!("{key}={value}")]);
        }
        let log = record.directory.join("log").join(&name);
        let launch = Launch { words, directory: record.directory.clone(), log };
        let daemon = daemon::start(&launch, None)?;
        Ok(Part { name, daemon, launch, as_database_user: false })
    });
    started.collect()
}

/// Ends the actions of workers that were killed: nobody else does.
pub fn end_actions(record: &Record) {
    let mark = format!("LAPIDARY_FARM_ACTION={}/", record.directory.join("work").display());
    let is_marked = |environment: &[u8]| environment.windows(mark.len()).any(|part| part == mark.as_bytes());
    for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = process.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        if fs::read(process.path().join("environ")).is_ok_and(|environment| is_marked(&environment)) {
            // It may have ended meanwhile.
            let _ = Pid::from_raw(pid).map(|pid| kill_process(pid, Signal::KILL));
        }
    }
}
