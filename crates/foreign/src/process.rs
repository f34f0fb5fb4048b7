//! The state of a process, as `/proc` shows it.

use std::fs;
use std::time::Duration;

/// The processor time that a process has used, or `None` if it is gone.
pub fn processor_time(pid: u32) -> Option<Duration> {
    let fields = fields(&format!("/proc/{pid}/stat"))?;
    // User and system time, counted from the state, which is the third field of the file.
    let ticks: u64 = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    let each_second = rustix::param::clock_ticks_per_second();
    Some(Duration::from_millis(ticks * 1000 / each_second.max(1)))
}

/// The bytes of memory that a process has in use, or `None` if it is gone.
pub fn memory(pid: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/statm")).ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

/// Whether no thread of a process runs, could run, or waits for a disk: each one waits for
/// something else, or was stopped by a signal.
pub fn is_asleep(pid: u32) -> bool {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return false };
    let states = threads.flatten().filter_map(|thread| fields(thread.path().join("stat").to_str()?));
    states.into_iter().all(|fields| fields.first().is_some_and(|state| matches!(state.as_str(), "S" | "T")))
}

/// The memory of the machine in bytes.
pub fn total_memory() -> u64 {
    let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.map_or(4 << 30, |kilobytes| kilobytes * 1024)
}

/// The fields of a `stat` file after the program's name, which may contain blanks.
fn fields(path: &str) -> Option<Vec<String>> {
    let text = fs::read_to_string(path).ok()?;
    let (_, rest) = text.rsplit_once(')')?;
    Some(rest.split_whitespace().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_is_awake_and_uses_memory() {
        let pid = std::process::id();
        assert!(!is_asleep(pid));
        assert!(memory(pid).unwrap() > 1 << 16);
        assert!(processor_time(pid).is_some() && processor_time(u32::MAX).is_none());
        assert!(total_memory() > memory(pid).unwrap());
    }
}
