//! Two versions of a git repository, built in work trees that are gone when this is dropped.
//!
//! Builds run as tests do: with all their processes they end when they are done, when their time is over or when a signal comes, and
//! a warden takes trees and processes away if this process is killed.

use super::repository::{self, git};
use anyhow::{Context, bail};
use lapidary_predicate::{Captured, Ending, Finished, Job, Launch, Limits, Task, Workplace, run};
use lapidary_reduce::{Cancel, PredicateError};
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

/// What to build, and how.
pub struct Recipe<'a> {
    /// Two versions, as in `v1.2..HEAD`, or one to compare with the files as they are.
    pub range: &'a str,
    pub command: &'a str,
    /// Where the build puts its classes, from the top of the repository.
    pub classes: &'a Path,
    /// How long the build of one version may take.
    pub time: Duration,
    pub cancel: &'a Cancel,
}

pub struct Built {
    trees: Vec<Tree>,
    /// The version of the files as they are, which needs no tree.
    here: Option<PathBuf>,
    classes: PathBuf,
    /// Dropped after the trees that are in it.
    workplace: Workplace,
}

/// A work tree. It is taken off the repository's list before its directory is deleted.
struct Tree {
    job: Job,
}

/// How much of a failed build is shown.
const LINES: usize = 20;

/// How much of what a build prints is kept.
const KEPT: usize = 16 << 20;

impl Built {
    /// Builds both versions; none if a signal came.
    pub fn from_repository(recipe: &Recipe<'_>) -> anyhow::Result<Option<Built>> {
        check_is_inside(recipe.classes)?;
        let top =
            git(&["rev-parse", "--show-toplevel"]).context("--git needs a repository in the current directory")?;
        let (old, new) = repository::versions(recipe.range)?;
        repository::forget_lost_trees()?;
        let workplace = Workplace::new(OsStr::new("sh"))?;
        let mut built = Built { trees: Vec::new(), here: None, classes: recipe.classes.to_owned(), workplace };
        let is_done = built.tree_of(&old, recipe)?
            && match new {
                Some(new) => built.tree_of(&new, recipe)?,
                None => built.files_as_they_are(PathBuf::from(top.trim_end_matches('\n')), recipe)?,
            };
        if is_done
            && let [Ok(old), Ok(new)] = built.paths().map(|path| path.canonicalize())
            && old == new
        {
            bail!("both versions have their classes at {}; builds must not put them at one place", old.display());
        }
        Ok(is_done.then_some(built))
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

    /// Builds a version in a tree of its own. False if a signal came.
    fn tree_of(&mut self, version: &repository::Version, recipe: &Recipe<'_>) -> anyhow::Result<bool> {
        let tree = Tree { job: self.workplace.scratch.empty_job()? };
        let path = tree.path();
        git(&["worktree", "add", "--quiet", "--detach", &path.to_string_lossy(), &version.commit])?;
        let is_done = self.build(&tree.job, &path, &version.name, recipe);
        self.trees.push(tree);
        is_done
    }

    fn files_as_they_are(&mut self, top: PathBuf, recipe: &Recipe<'_>) -> anyhow::Result<bool> {
        let job = self.workplace.scratch.empty_job()?;
        let is_done = self.build(&job, &top, "the files as they are", recipe);
        self.here = Some(top);
        is_done
    }

    fn build(&self, job: &Job, tree: &Path, version: &str, recipe: &Recipe<'_>) -> anyhow::Result<bool> {
        let launch = Launch {
            program: &self.workplace.program,
            arguments: &[OsString::from("-c"), OsString::from(recipe.command)],
            directory: tree,
            temporary: job.temporary(),
            environment: &[],
            marker: &job.marker,
            limits: &Limits::default(),
        };
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
            bail!("the build of {version} left nothing at {classes}; say where the classes are with --classes");
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
        // The directory goes in any case, and the next run takes off the list what is left there.
        let _ = git(&["worktree", "remove", "--force", &self.path().to_string_lossy()]);
    }
}

/// A path that leads out of the repository would be the same for both versions.
fn check_is_inside(classes: &Path) -> anyhow::Result<()> {
    if !classes.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        bail!(
            "--classes {}: each version has classes of its own; name them from the top of the repository",
            classes.display()
        );
    }
    Ok(())
}

fn last_lines(finished: &Finished) -> String {
    let shown = |captured: &Captured| {
        let cut = if captured.dropped > 0 { "\n(what it printed after this was not kept)\n" } else { "" };
        format!("{}{cut}", String::from_utf8_lossy(&captured.head))
    };
    let text = format!("{}{}", shown(&finished.stdout), shown(&finished.stderr));
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}
