//! Recognising runs that were ended by neither the test nor us.
//!
//! Two signs count. The system has killed a process for lack of memory while the test ran: even if
//! the test then ended in good order, it may have missed a process of its own, as `cc | grep ICE`
//! does. Or the test itself died of SIGKILL: somebody killed it, unless it does so by design.

use crate::ending::Ending;
use std::fs;
use std::path::{Path, PathBuf};

/// The way in which a run was disturbed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disturbance {
    /// The system killed a process because memory ran out.
    MemoryRanOut,
    /// The test died of SIGKILL.
    Killed,
}

const SIGKILL: i32 = libc::SIGKILL;

/// The number of processes that the system has killed so far for lack of memory. A count is `None`
/// if the system does not keep it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kills {
    /// Those of our own control group, to which tests belong unless something else starts their
    /// processes for them, as the service of a container does.
    ours: Option<u64>,
    /// Those of the whole system.
    all: Option<u64>,
}

impl Kills {
    /// The numbers of this moment.
    pub fn so_far() -> Kills {
        Kills { ours: own_events().and_then(|file| count(&file)), all: count(Path::new("/proc/vmstat")) }
    }

    /// Whether a process that may have been the test's was killed since these numbers were taken.
    /// A group's own count leaves out other users of the machine, and runs that exceed limits of
    /// their own. Without that count, any kill is a reason to run a test again, which is cheap.
    pub fn have_risen(&self) -> bool {
        let now = Kills::so_far();
        if now.ours.is_some() { now.ours > self.ours } else { now.all > self.all }
    }

    /// Whether any process of the system was killed since.
    fn have_risen_anywhere(&self) -> bool {
        Kills::so_far().all > self.all
    }
}

/// The file with the events of the control group that we are in at this moment. We may move to
/// another one, where the count begins anew; then a kill goes unnoticed at worst.
fn own_events() -> Option<PathBuf> {
    let group = crate::cgroup::own_group()?;
    // The hierarchical count includes runs in groups of their own, which exceed their own limits.
    let local = group.join("memory.events.local");
    Some(if local.exists() { local } else { group.join("memory.events") })
}

fn count(file: &Path) -> Option<u64> {
    let counters = fs::read_to_string(file).ok()?;
    counters.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok())
}

/// How a run with this end was disturbed. `before` is the number of kills when it began.
pub fn of(ending: Ending, before: &Kills) -> Option<Disturbance> {
    let is_killed = ending == Ending::Signalled(SIGKILL);
    let looks_killed = is_killed || ending == Ending::Exited(128 + SIGKILL);
    match () {
        () if before.have_risen() => Some(Disturbance::MemoryRanOut),
        () if looks_killed && before.have_risen_anywhere() => Some(Disturbance::MemoryRanOut),
        () if is_killed => Some(Disturbance::Killed),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers since which nothing can have been killed.
    const NEVER: Kills = Kills { ours: Some(u64::MAX), all: Some(u64::MAX) };
    /// Numbers since which something was killed, if the system counts.
    const LONG_AGO: Kills = Kills { ours: None, all: None };

    #[test]
    fn sigkill_disturbs_also_if_memory_did_not_run_out() {
        assert_eq!(of(Ending::Signalled(9), &NEVER), Some(Disturbance::Killed));
        assert_eq!(of(Ending::Signalled(11), &NEVER), None);
        assert_eq!(of(Ending::Exited(137), &NEVER), None);
    }

    #[test]
    fn every_run_during_which_memory_ran_out_is_disturbed() {
        assert!(Kills::so_far().all.is_some(), "Linux counts since 4.13");
        for ending in [Ending::Exited(1), Ending::Exited(137), Ending::Signalled(9), Ending::Signalled(11)] {
            assert_eq!(of(ending, &LONG_AGO), Some(Disturbance::MemoryRanOut), "{ending}");
        }
    }

    #[test]
    fn kills_are_counted_in_the_words_of_both_files() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "low 0\nhigh 0\nmax 7\noom 3\noom_kill 2\noom_group_kill 1\n").unwrap();
        assert_eq!(count(file.path()), Some(2));
        fs::write(file.path(), "oom_kill_disable 0\nunder_oom 0\n").unwrap();
        assert_eq!(count(file.path()), None);
    }
}
