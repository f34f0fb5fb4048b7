//! Recognising runs that were ended by neither the test nor us.
//!
//! Two signs count. The system has killed a process for lack of memory while the test ran, and the
//! test ended with SIGKILL or with exit code 137, as a shell does whose child was killed. Or the
//! test itself died of SIGKILL: somebody killed it, unless it does so by design.

use crate::ending::Ending;

/// The way in which a run was disturbed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disturbance {
    /// The system killed a process because memory ran out.
    MemoryRanOut,
    /// The test died of SIGKILL.
    Killed,
}

const SIGKILL: i32 = libc::SIGKILL;

/// How many processes the system has killed so far for lack of memory; `None` if it does not say.
pub fn kills_for_memory() -> Option<u64> {
    let counters = std::fs::read_to_string("/proc/vmstat").ok()?;
    counters.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok())
}

/// How a run with this end was disturbed. `before` is the number of kills when it began.
pub fn of(ending: Ending, before: Option<u64>) -> Option<Disturbance> {
    let is_killed = ending == Ending::Signalled(SIGKILL);
    match is_killed || ending == Ending::Exited(128 + SIGKILL) {
        true if kills_for_memory() > before => Some(Disturbance::MemoryRanOut),
        true if is_killed => Some(Disturbance::Killed),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sigkill_disturbs_and_its_exit_code_only_if_memory_ran_out() {
        let never = Some(u64::MAX);
        assert_eq!(of(Ending::Signalled(9), never), Some(Disturbance::Killed));
        assert_eq!(of(Ending::Signalled(11), never), None);
        assert_eq!(of(Ending::Exited(137), never), None);
        if kills_for_memory().is_some() {
            assert_eq!(of(Ending::Exited(137), None), Some(Disturbance::MemoryRanOut));
            assert_eq!(of(Ending::Signalled(9), None), Some(Disturbance::MemoryRanOut));
            assert_eq!(of(Ending::Exited(1), None), None);
        }
    }
}
