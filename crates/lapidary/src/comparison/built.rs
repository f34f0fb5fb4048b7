//! Builds two versions of a git repository in work trees, which are removed on drop.
//!
//! Builds run like tests: they end with all their processes when they are done, time out or are
//! cancelled, and a warden removes trees and processes if this process is killed.

use super::repository::{self, git};
use super::versions::Versions;
use super::watcher::ComparisonWatcher;
use anyhow::{Context, bail};
use lapidary_predicate::{Captured, Ending, Finished, Job, Launch, Task, Workplace, run};
use lapidary_reduce::{Cancel, PredicateError};
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

/// The versions to build, and how.
struct Recipe<'a> {
    /// Two versions, as in `v1.2..HEAD`, or one to compare with the working tree.
    pub range: &'a str,
    pub command: &'a str,
    /// Where the build puts its classes, relative to the top of the repository.
    pub classes: &'a Path,
    /// How long the build of one version may take.
    pub time: Duration,
    pub cancel: &'a Cancel,
}

/// Two versions of a repository, built in work trees of their own.
pub struct Built {
    trees: Vec<Tree>,
    /// The top of the repository, if the new version is the working tree.
    here: Option<PathBuf>,
    classes: PathBuf,
    names: [String; 2],
    /// Declared last, because it must be dropped after the trees inside it.
    workplace: Workplace,
}

/// A work tree. On drop, it is removed from the repository's list before its directory is deleted.
struct Tree {
    job: Job,
}

/// How many lines of a failed build's output are shown.
const LINES: usize = 20;

/// How many bytes of a build's output are kept.
const KEPT: usize = 16 << 20;

impl Built {
    /// Builds both versions. Returns `None` if `cancel` fired.
    pub fn from_repository(
        versions: &Versions,
        cancel: &Cancel,
        watcher: &mut dyn ComparisonWatcher,
    ) -> anyhow::Result<Option<Built>> {
        let Versions::Git { range, build, classes, time } = versions else { bail!("these versions are already built") };
        let recipe = &Recipe { range, command: build, classes, time: *time, cancel };
        check_is_inside(recipe.classes)?;
        let top =
            git(&["rev-parse", "--show-toplevel"]).context("--git needs a repository in the current directory")?;
        let (old, new) = repository::versions(recipe.range, watcher)?;
        repository::forget_lost_trees()?;
        let workplace = Workplace::new(OsStr::new("sh"))?;
        let working_tree = || "working tree".to_owned();
        let names = [old.name.clone(), new.as_ref().map_or_else(working_tree, |new| new.name.clone())];
        let mut built = Built { trees: Vec::new(), here: None, classes: recipe.classes.to_owned(), names, workplace };
        let is_done = built.tree_of(&old, recipe)?
            && match new {
                Some(new) => built.tree_of(&new, recipe)?,
                None => built.working_tree(PathBuf::from(top.trim_end_matches('\n')), recipe)?,
            };
        if is_done
            && let [Ok(old), Ok(new)] = built.paths().map(|path| path.canonicalize())
            && old == new
        {
            bail!("both versions have their classes in {}; each build must have its own place", old.display());
        }
        Ok(is_done.then_some(built))
    }

    /// The paths of the classes of both versions.
    pub fn paths(&self) -> [PathBuf; 2] {
        self.trees().map(|tree| tree.join(&self.classes))
    }

    /// The names of both versions, as the user gave them.
    pub fn names(&self) -> &[String; 2] {
        &self.names
    }

    /// The source directories of both versions.
    pub fn trees(&self) -> [PathBuf; 2] {
        let mut places = self.trees.iter().map(|tree| tree.path()).chain(self.here.iter().cloned());
        let mut next = || places.next().unwrap_or_default();
        [next(), next()]
    }

    /// Builds a version in a new work tree. Returns false if the build was cancelled.
    fn tree_of(&mut self, version: &repository::Version, recipe: &Recipe<'_>) -> anyhow::Result<bool> {
        let tree = Tree { job: self.workplace.scratch.empty_job()? };
        let path = tree.path();
        git(&["worktree", "add", "--quiet", "--detach", &path.to_string_lossy(), &version.commit])?;
        let is_done = self.build(&tree.job, &path, &version.name, recipe);
        self.trees.push(tree);
        is_done
    }

    fn working_tree(&mut self, top: PathBuf, recipe: &Recipe<'_>) -> anyhow::Result<bool> {
        let job = self.workplace.scratch.empty_job()?;
        let is_done = self.build(&job, &top, "the working tree", recipe);
        self.here = Some(top);
        is_done
    }

    fn build(&self, job: &Job, tree: &Path, version: &str, recipe: &Recipe<'_>) -> anyhow::Result<bool> {
        let arguments = [OsString::from("-c"), OsString::from(recipe.command)];
        let launch = Launch { directory: tree, ..Launch::in_job(job, &self.workplace.program, &arguments) };
        let task = Task { launch, stdin: None, timeout: recipe.time, keep: KEPT };
        let finished = match run(&task, recipe.cancel) {
            Err(PredicateError::Cancelled) => return Ok(false),
            finished => finished?,
        };
        if finished.ending != Ending::Exited(0) {
            let advice = if let Ending::TimedOut(_) = finished.ending { "; see --build-timeout" } else { "" };
            bail!("the build of {version} failed: {}{advice}\n{}", finished.ending, last_lines(&finished));
        }
        if !tree.join(&self.classes).exists() {
            let classes = self.classes.display();
            bail!("the build of {version} left nothing at {classes}; set --classes to the place of the classes");
        }
        Ok(true)
    }
}

impl Tree {
    fn path(&self) -> PathBuf {
        self.job.directory().join("version")
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        // On an error the entry stays in the list, and the next run removes it. The directory goes
        // in any case.
        let _ = git(&["worktree", "remove", "--force", &self.path().to_string_lossy()]);
    }
}

/// Rejects a path outside of the repository, which would be the same for both versions.
fn check_is_inside(classes: &Path) -> anyhow::Result<()> {
    if !classes.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        bail!("--classes {}: expected a path inside the repository, relative to its top", classes.display());
    }
    Ok(())
}

fn last_lines(finished: &Finished) -> String {
    let shown = |captured: &Captured| {
        let cut = if captured.dropped > 0 { "\n(the rest of the output was not kept)\n" } else { "" };
        format!("{}{cut}", String::from_utf8_lossy(&captured.head))
    };
    let text = format!("{}{}", shown(&finished.stdout), shown(&finished.stderr));
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}
