//! What `--git` asks the repository in the current directory.

use crate::say::complain;
use anyhow::{Context, bail};
use std::path::Path;
use std::process::Command;

pub struct Version {
    /// As the user calls it.
    pub name: String,
    pub commit: String,
}

/// The versions of a range. Without a second one, it is the files as they are.
pub fn versions(range: &str) -> anyhow::Result<(Version, Option<Version>)> {
    let (old, new) = match range.split_once("..") {
        Some((old, "")) => (old, Some("HEAD")),
        Some((old, new)) => (old, Some(new)),
        None => (range, None),
    };
    if old.is_empty() || range.contains("...") {
        bail!("--git {range}: two versions are needed, as in v1.2..HEAD, or one to compare with the files as they are");
    }
    if new == Some("HEAD") {
        warn_about_changes()?;
    }
    Ok((version(old)?, new.map(version).transpose()?))
}

/// Takes work trees off the list that a run has left there which was killed; their directories are gone.
pub fn forget_lost_trees() -> anyhow::Result<()> {
    let list = git(&["worktree", "list", "--porcelain"])?;
    let trees = list.lines().filter_map(|line| line.strip_prefix("worktree "));
    for tree in trees.filter(|tree| is_ours(Path::new(tree)) && !Path::new(tree).exists()) {
        git(&["worktree", "remove", "--force", tree])?;
    }
    Ok(())
}

/// Runs git, and returns what it prints.
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

fn warn_about_changes() -> anyhow::Result<()> {
    if !git(&["status", "--porcelain", "--untracked-files=no"])?.trim().is_empty() {
        complain!(
            "lapidary: there are changes that are not committed; HEAD is compared without them (leave out ..HEAD to compare with them)"
        );
    }
    Ok(())
}

/// Whether a path is one at which a run of ours puts a work tree: `lapidary-PID-XXXXXX/job-N/version`.
fn is_ours(tree: &Path) -> bool {
    let mut names = tree.components().rev().map(|part| part.as_os_str().to_string_lossy());
    let [Some(version), Some(job), Some(scratch)] = [names.next(), names.next(), names.next()] else { return false };
    version == "version" && job.starts_with("job-") && scratch.starts_with("lapidary-")
}
