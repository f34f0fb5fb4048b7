//! Two versions of a git repository, built in work trees that are gone when this is dropped.

use anyhow::{Context, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

pub struct Built {
    /// The directories of the work trees. They are taken off the repository's list before they are deleted.
    trees: Vec<Tree>,
    /// The version of the files as they are, which needs no tree.
    here: Option<PathBuf>,
    classes: PathBuf,
}

struct Tree {
    place: TempDir,
}

/// How much of a failed build is shown.
const LINES: usize = 20;

impl Built {
    /// Builds both versions of a range such as `v1.2..HEAD`.
    pub fn from_repository(range: &str, command: &str, classes: &Path) -> anyhow::Result<Built> {
        let top =
            git(&["rev-parse", "--show-toplevel"]).context("--git needs a repository in the current directory")?;
        let (old, new) = match range.split_once("..") {
            Some((old, new)) => (old, Some(new).filter(|new| !new.is_empty()).unwrap_or("HEAD")),
            None => (range, ""),
        };
        if old.is_empty() || range.contains("...") {
            bail!(
                "--git {range}: two versions are needed, as in v1.2..HEAD, or one to compare with the files as they are"
            );
        }
        let old_commit = commit(old)?;
        let mut built = Built { trees: Vec::new(), here: None, classes: classes.to_owned() };
        let tree = built.tree(&old_commit)?;
        build(&tree, command, old, classes)?;
        if new.is_empty() {
            let top = PathBuf::from(top.trim());
            build(&top, command, "the files as they are", classes)?;
            built.here = Some(top);
        } else {
            let tree = built.tree(&commit(new)?)?;
            build(&tree, command, new, classes)?;
            warn_about_changes(new)?;
        }
        Ok(built)
    }

    /// Where the classes of both versions are.
    pub fn paths(&self) -> [PathBuf; 2] {
        self.trees().map(|tree| tree.join(&self.classes))
    }

    /// Where the files of both versions are.
    pub fn trees(&self) -> [PathBuf; 2] {
        let mut places = self.trees.iter().map(|tree| tree.path()).chain(self.here.iter().cloned());
        let mut next = || places.next().unwrap_or_default();
        [next(), next()]
    }

    fn tree(&mut self, commit: &str) -> anyhow::Result<PathBuf> {
        let tree = Tree { place: tempfile::Builder::new().prefix("lapidary-compare-").tempdir()? };
        let path = tree.path();
        git(&["worktree", "add", "--quiet", "--detach", &path.to_string_lossy(), commit])?;
        self.trees.push(tree);
        Ok(path)
    }
}

impl Tree {
    fn path(&self) -> PathBuf {
        self.place.path().join("version")
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        // The directory goes in any case; a list that still names it would be pruned by git some day.
        let _ = git(&["worktree", "remove", "--force", &self.path().to_string_lossy()]);
    }
}

fn commit(name: &str) -> anyhow::Result<String> {
    let found = git(&["rev-parse", "--verify", "--quiet", &format!("{name}^{{commit}}")]);
    match found {
        Ok(found) => Ok(found.trim().to_owned()),
        Err(_) => bail!("there is no version {name} in this repository"),
    }
}

fn build(tree: &Path, command: &str, version: &str, classes: &Path) -> anyhow::Result<()> {
    let output = Command::new("sh").arg("-c").arg(command).current_dir(tree).output().context("cannot run sh")?;
    if !output.status.success() {
        bail!("the build of {version} failed with {}:\n{}", output.status, last_lines(&output));
    }
    if !tree.join(classes).exists() {
        bail!("the build of {version} left nothing at {}; say where the classes are with --classes", classes.display());
    }
    Ok(())
}

fn last_lines(output: &Output) -> String {
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}

fn warn_about_changes(new: &str) -> anyhow::Result<()> {
    if new == "HEAD" && !git(&["status", "--porcelain", "--untracked-files=no"])?.trim().is_empty() {
        crate::say::complain!(
            "lapidary: there are changes that are not committed; HEAD is compared without them (leave out ..HEAD to compare with them)"
        );
    }
    Ok(())
}

fn git(arguments: &[&str]) -> anyhow::Result<String> {
    let output = Command::new("git").args(arguments).output().context("cannot run git; is it installed?")?;
    if !output.status.success() {
        bail!("git {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
