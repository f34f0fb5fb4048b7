//! A small cluster on this machine, to try tests on a cluster and to test them.
//!
//! A [`Farm`] is a BuildGrid server with PostgreSQL as its database and a number of workers
//! (`workers/farm_worker.py`), in a directory of its own. `tools.rs` finds the programs,
//! `database.rs` and `engine.rs` start the two servers, `daemon.rs` starts and ends processes that
//! outlive us, `record.rs` remembers them.
//!
//! Invariant: a process is ended only if it is the one that the farm's record names, by its number
//! and the time of its start, and a directory is removed only if it holds the record of a farm.

#![warn(missing_docs)]

mod daemon;
mod database;
mod engine;
mod error;
mod keeper;
mod options;
mod record;
mod tools;
mod workers;

pub use error::FarmError;
pub use options::FarmOptions;
pub use record::{Part, default_directory};

use database::Database;
use keeper::Keeper;
use record::Record;
use std::path::Path;
use std::time::Duration;
use tools::Tools;

/// A farm that this process or an earlier one has started.
pub struct Farm {
    record: Record,
    /// Ends the farm when this process ends.
    keeper: Option<Keeper>,
}

impl Farm {
    /// Starts a farm. When this returns, the farm accepts actions.
    pub fn up(options: &FarmOptions) -> Result<Farm, FarmError> {
        let tools = Tools::find()?;
        let directory = std::path::absolute(&options.directory).map_err(FarmError::file(&options.directory))?;
        let options = &FarmOptions { directory, ..options.clone() };
        if let Ok(present) = Farm::at(&options.directory) {
            return match present.is_running() {
                true => Err(FarmError::Running(present.record.directory, present.record.address)),
                false => {
                    present.down()?;
                    Farm::up(options)
                }
            };
        }
        tools.check_way(&options.directory)?;
        engine::check_port(options.port)?;
        let mut record = Record::new(options)?;
        let started = start(&tools, options, &mut record);
        let keeper = started.and_then(|()| options.ends_with_us.then(|| Keeper::of(&record)).transpose());
        match keeper {
            Ok(keeper) => Ok(Farm { record, keeper }),
            Err(error) => {
                // The reason why it did not start matters more than a failure to clean up.
                let _ = take_down(&record);
                Err(error)
            }
        }
    }

    /// Returns the farm in a directory, whether it runs or not.
    pub fn at(directory: &Path) -> Result<Farm, FarmError> {
        Ok(Farm { record: Record::read(directory)?, keeper: None })
    }

    /// The farm's address, as `--remote` takes it.
    pub fn address(&self) -> &str {
        &self.record.address
    }

    /// The directory with all files of the farm.
    pub fn directory(&self) -> &Path {
        &self.record.directory
    }

    /// The farm's processes, and whether each is running.
    pub fn parts(&self) -> Vec<(&Part, bool)> {
        self.record.parts.iter().map(|part| (part, part.daemon.is_running())).collect()
    }

    /// Whether all processes of the farm are running.
    pub fn is_running(&self) -> bool {
        !self.record.parts.is_empty() && self.record.parts.iter().all(|part| part.daemon.is_running())
    }

    /// Ends all processes of the farm and removes its directory.
    pub fn down(self) -> Result<(), FarmError> {
        take_down(&self.record)?;
        self.keeper.into_iter().for_each(Keeper::dismiss);
        Ok(())
    }

    /// Kills a part without warning, as a crash does, and waits until it is gone. For tests.
    pub fn kill(&self, name: &str) -> Result<(), FarmError> {
        let part = self.record.part(name)?;
        part.daemon.kill();
        Ok(())
    }

    /// Restarts a part that was killed. For tests.
    pub fn restart(&mut self, name: &str) -> Result<(), FarmError> {
        let tools = Tools::find()?;
        let part = self.record.part(name)?.clone();
        let daemon = daemon::start(&part.launch, tools.user(part.as_database_user))?;
        self.record.replace(name, daemon)?;
        match name {
            record::SERVER => engine::wait_until_ready(&self.record),
            record::DATABASE => Database::of(&self.record.directory).wait_until_ready(&tools),
            _ => Ok(()),
        }
    }
}

fn start(tools: &Tools, options: &FarmOptions, record: &mut Record) -> Result<(), FarmError> {
    let database = Database::create(tools, options)?;
    record.add(database.start(tools)?)?;
    database.wait_until_ready(tools)?;
    engine::prepare(tools, &database, options, record)?;
    record.add(engine::start(tools, record)?)?;
    engine::wait_until_ready(record)?;
    for part in workers::start(tools, options, record)? {
        record.add(part)?;
    }
    Ok(())
}

/// Ends the parts in the reverse order of their start, so that no part waits for one that is gone.
fn take_down(record: &Record) -> Result<(), FarmError> {
    const GRACE: Duration = Duration::from_secs(5);
    let (workers, servers): (Vec<&Part>, Vec<&Part>) = record.parts.iter().partition(|part| part.is_worker());
    daemon::end(workers.iter().map(|part| &part.daemon), GRACE);
    for server in servers.iter().rev() {
        daemon::end([&server.daemon].into_iter(), GRACE);
    }
    workers::end_actions(record);
    record.remove()
}
