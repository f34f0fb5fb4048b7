//! Limits for all processes of a run together, by a control group (cgroup, version 2).
//!
//! The limits of a process do not stop a program that starts a thousand of them. A control group
//! does, where the system has delegated one to us, as `systemd-run --user --scope -p Delegate=yes`
//! does. Processes may only be in the leaves of a delegated tree, so we move into a group below our
//! own, and each limited run in a sandbox gets a group beside it. Elsewhere limits hold for each
//! process.

use crate::limits::Limits;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The controllers that a group needs.
const CONTROLLERS: [&str; 2] = ["memory", "pids"];

/// The most processes and threads of a run. A JVM has a few dozen.
const PROCESSES: u32 = 4096;

/// Whether the limits of a run in a sandbox hold for all its processes together. Asking moves this
/// process into a group of its own if that is permitted.
pub fn limits_are_shared() -> bool {
    parent().is_some()
}

/// The group below which groups can be made.
fn parent() -> Option<&'static Path> {
    static PARENT: OnceLock<Option<PathBuf>> = OnceLock::new();
    PARENT.get_or_init(|| own_group().filter(|own| hands_down(own))).as_deref()
}

/// Our group in the file system, from `0::PATH` in `/proc/self/cgroup` and from the mounts.
pub(crate) fn own_group() -> Option<PathBuf> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let path = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    let mount = mounts.lines().find(|line| line.contains(" - cgroup2 "))?;
    Some(Path::new(mount.split(' ').nth(4)?).join(path))
}

/// Makes a group hand the controllers down to groups below it. Returns whether it does.
fn hands_down(own: &Path) -> bool {
    let has_all = |file: &str| {
        let names = fs::read_to_string(own.join(file)).unwrap_or_default();
        CONTROLLERS.iter().all(|needed| names.split_ascii_whitespace().any(|name| name == *needed))
    };
    if !has_all("cgroup.controllers") {
        return false;
    }
    if has_all("cgroup.subtree_control") {
        let probe = own.join(format!("lapidary-{}-probe", std::process::id()));
        return fs::create_dir(&probe).and_then(|()| fs::remove_dir(&probe)).is_ok();
    }
    let ours = std::process::id().to_string();
    let leaf = own.join(format!("lapidary-{ours}"));
    let enable = || fs::write(own.join("cgroup.subtree_control"), "+memory +pids");
    let moved = fs::create_dir(&leaf).and_then(|()| fs::write(leaf.join("cgroup.procs"), &ours));
    if moved.and_then(|()| enable()).is_ok() {
        return true;
    }
    // Other processes are in the group, or it is not ours.
    let _ = fs::write(own.join("cgroup.procs"), &ours);
    let _ = fs::remove_dir(&leaf);
    false
}

/// The group of one run. Dropping it ends what is left in it and removes it.
pub struct Group(PathBuf);

impl Group {
    /// A group with these limits, if they say something about memory and groups can be made.
    pub fn of(limits: &Limits) -> io::Result<Option<Group>> {
        let (Some(parent), Some(memory)) = (parent(), limits.memory) else { return Ok(None) };
        Group::below(parent, memory).map(Some)
    }

    fn below(parent: &Path, memory: u64) -> io::Result<Group> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let group = Group(parent.join(format!("lapidary-{}-{number}", std::process::id())));
        fs::create_dir(&group.0)?;
        group.set("memory.max", memory.to_string())?;
        group.set("pids.max", PROCESSES.to_string())?;
        // Not every system has swap to limit.
        let _ = group.set("memory.swap.max", "0".to_owned());
        Ok(group)
    }

    fn set(&self, file: &str, value: String) -> io::Result<()> {
        fs::write(self.0.join(file), value)
    }

    /// The words before a command that put its process into the group.
    pub fn words(&self) -> [OsString; 4] {
        let join = "echo $$ > \"$0\"/cgroup.procs && exec \"$@\"";
        ["/bin/sh".into(), "-c".into(), join.into(), self.0.clone().into()]
    }

    /// Whether a process was killed because the run used more memory than it may.
    pub fn ran_out_of_memory(&self) -> bool {
        let events = fs::read_to_string(self.0.join("memory.events")).unwrap_or_default();
        events.lines().any(|line| line.strip_prefix("oom_kill ").is_some_and(|count| count.trim() != "0"))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = self.set("cgroup.kill", "1".to_owned());
        // A process that has just been killed is in the group for a moment.
        for _ in 0..50 {
            match fs::remove_dir(&self.0) {
                Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
                    std::thread::sleep(Duration::from_millis(2));
                }
                _ => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory that looks like a group with these controllers.
    fn group(controllers: &str, handed_down: &str) -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("cgroup.controllers"), controllers).unwrap();
        fs::write(directory.path().join("cgroup.subtree_control"), handed_down).unwrap();
        directory
    }

    fn read(directory: &Path, file: &str) -> String {
        fs::read_to_string(directory.join(file)).unwrap_or_default()
    }

    #[test]
    fn a_group_with_the_controllers_hands_them_down_from_a_leaf() {
        let own = group("cpu memory pids\n", "");
        assert!(hands_down(own.path()));
        assert_eq!(read(own.path(), "cgroup.subtree_control"), "+memory +pids");
        let leaf = own.path().join(format!("lapidary-{}", std::process::id()));
        assert_eq!(read(&leaf, "cgroup.procs"), std::process::id().to_string());
    }

    #[test]
    fn without_controllers_or_permission_nothing_changes() {
        let own = group("hugetlb\n", "");
        assert!(!hands_down(own.path()));
        let own = group("memory pids\n", "");
        fs::remove_file(own.path().join("cgroup.subtree_control")).unwrap();
        fs::create_dir(own.path().join("cgroup.subtree_control")).unwrap();
        assert!(!hands_down(own.path()), "writing fails, as it does with other processes in the group");
        assert_eq!(read(own.path(), "cgroup.procs"), std::process::id().to_string(), "we are back");
    }

    #[test]
    fn a_run_gets_its_limits_and_its_own_end_for_lack_of_memory_is_known() {
        let own = group("memory pids\n", "memory pids\n");
        assert!(hands_down(own.path()));
        let run = Group::below(own.path(), 1 << 20).unwrap();
        assert_eq!((read(&run.0, "memory.max").as_str(), read(&run.0, "pids.max").as_str()), ("1048576", "4096"));
        assert!(!run.ran_out_of_memory());
        fs::write(run.0.join("memory.events"), "oom 1\noom_kill 1\n").unwrap();
        assert!(run.ran_out_of_memory());
        let mut command = std::process::Command::new(&run.words()[0]);
        assert!(
            command.args(&run.words()[1..]).args(["sh", "-c", "test $# = 1", "sh", "a b"]).status().unwrap().success()
        );
        assert!(read(&run.0, "cgroup.procs").trim().parse::<u32>().is_ok());
    }
}
