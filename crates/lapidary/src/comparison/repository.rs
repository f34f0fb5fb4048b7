//! Queries the git repository in the current directory.

use super::watcher::ComparisonWatcher;
use anyhow::{Context, bail};
use std::path::Path;
use std::process::Command;

/// A version of a repository.
pub struct Version {
    /// The name that the user gave.
    pub name: String,
    pub commit: String,
}

/// The versions of a range. `None` for the second one is the working tree.
pub fn versions(range: &str, watcher: &mut dyn ComparisonWatcher) -> anyhow::Result<(Version, Option<Version>)> {
    let (old, new) = match range.split_once("..") {
        Some((old, "")) => (old, Some("HEAD")),
        Some((old, new)) => (old, Some(new)),
        None => (range, None),
    };
    if old.is_empty() || range.contains("...") {
        bail!("--git {range}: expected two versions, as in v1.2..HEAD, or one to compare with the working tree");
    }
    if new == Some("HEAD") {
        warn_about_changes(watcher)?;
    }
    Ok((version(old)?, new.map(version).transpose()?))
}

/// Removes work trees of killed runs, whose directories are gone, from git's list.
pub fn forget_lost_trees() -> anyhow::Result<()> {
    let list = git(&["worktree", "list", "--porcelain"])?;
    let trees = list.lines().filter_map(|line| line.strip_prefix("worktree "));
    for tree in trees.filter(|tree| is_ours(Path::new(tree)) && !Path::new(tree).exists()) {
        git(&["worktree", "remove", "--force", tree])?;
    }
    Ok(())
}

/// Runs git and returns its output.
pub fn git(arguments: &[&str]) -> anyhow::Result<String> {
    let output = Command::new("git").args(arguments).output().context("cannot run git; is it installed?")?;
    if !output.status.success() {
        bail!("git {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn version(name: &str) -> anyhow::Result<Version> {
    match git(&["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{name}^{{commit}}")]) {
        Ok(commit) => Ok(Version { name: name.to_owned(), commit: commit.trim().to_owned() }),
        Err(_) => bail!("there is no version {name} in this repository"),
    }
}

fn warn_about_changes(watcher: &mut dyn ComparisonWatcher) -> anyhow::Result<()> {
    if !git(&["status", "--porcelain", "--untracked-files=no"])?.trim().is_empty() {
        watcher.remark(
            "there are changes that are not committed; HEAD is compared without them (leave out ..HEAD to include them)"
        );
    }
    Ok(())
}

/// Whether a path is that of a work tree of ours: `lapidary-PID-XXXXXX/job-N/version`.
fn is_ours(tree: &Path) -> bool {
    let mut names = tree.components().rev().map(|part| part.as_os_str().to_string_lossy());
    let [Some(version), Some(job), Some(scratch)] = [names.next(), names.next(), names.next()] else { return false };
    version == "version" && job.starts_with("job-") && scratch.starts_with("lapidary-")
}
