//! Runs `reproduce.sh` of a bundle before it is handed over, in a sandbox that hides the files of
//! the run, so that a file which the bundle lacks is noticed here and not by its reader.

use lapidary_common::sandbox::{Sandbox, SandboxMode};
use lapidary_predicate::{Ending, Finished, Job, Launch, Limits, Scratch, Task, run};
use lapidary_reduce::{Cancel, FileTree, PredicateError};
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The longest output of the failing command that is looked at.
const KEPT: u64 = 1 << 20;

/// How `reproduce.sh` went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// It shows the failure, without the files of the run.
    Reproduced,
    /// It shows the failure here, but not without other files of this machine or its network. The
    /// text is what it said without them.
    OnlyHere(String),
    /// It does not show the failure; the text is what it said.
    NotReproduced(String),
    /// There is no script, or it could not be run, for this reason.
    NotRun(String),
}

/// The environment of the script.
pub(crate) struct Trial<'a> {
    pub tree: &'a FileTree,
    /// The directories of the run.
    pub hidden: Vec<PathBuf>,
    /// Whether what runs may be a program that nobody has written, which runs in a sandbox if there
    /// is one.
    pub is_foreign: bool,
    /// Jars that Maven would fetch, with their paths in its repository.
    pub jars: Vec<(PathBuf, PathBuf)>,
    pub cancel: Cancel,
}

/// The traces of the failing command.
pub(crate) struct Tried {
    pub shown: Shown,
    pub status: String,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// The sources that a decompiler wrote.
    pub decompiled: Option<FileTree>,
    /// The directories of the run, which mean nothing elsewhere.
    pub places: Vec<PathBuf>,
}

impl Tried {
    pub fn not_run(reason: impl Into<String>) -> Tried {
        let shown = Shown::NotRun(reason.into());
        Tried {
            shown,
            status: String::new(),
            stdout: Vec::new(),
            stderr: Vec::new(),
            decompiled: None,
            places: Vec::new(),
        }
    }
}

/// Runs the script, first in a sandbox, and if it then does not show the failure, without.
pub(crate) fn tried(trial: &Trial<'_>) -> Tried {
    let Some(sandbox) = SandboxMode::Auto.sandbox().ok().flatten() else { return trial.attempt(None) };
    let enclosed = trial.attempt(Some(trial.hiding(sandbox)));
    let Shown::NotReproduced(why) = &enclosed.shown else { return enclosed };
    if trial.is_foreign {
        return enclosed;
    }
    let free = trial.attempt(None);
    match free.shown {
        Shown::Reproduced => Tried { shown: Shown::OnlyHere(why.clone()), ..free },
        _ => enclosed,
    }
}

impl Trial<'_> {
    /// The sandbox without the files of the run.
    fn hiding(&self, sandbox: Sandbox) -> Sandbox {
        let needed = [Some(std::env::temp_dir()), std::env::home_dir()];
        let is_ours = |path: &PathBuf| {
            path.components().count() > 2 && !needed.iter().flatten().any(|needed| needed.starts_with(path))
        };
        let sandbox = sandbox.reads_installed_tools();
        let hidden = self.hidden.iter().filter(|path| is_ours(path) && path.is_dir());
        hidden.fold(sandbox, |sandbox, path| sandbox.hides(path))
    }

    fn attempt(&self, sandbox: Option<Sandbox>) -> Tried {
        match self.run(sandbox) {
            Ok(tried) => tried,
            Err(PredicateError::Cancelled) => Tried::not_run("interrupted"),
            Err(PredicateError::Fatal(reason) | PredicateError::Disturbed(reason)) => Tried::not_run(reason),
        }
    }

    fn run(&self, sandbox: Option<Sandbox>) -> Result<Tried, PredicateError> {
        let failed = |error: &dyn std::fmt::Display| PredicateError::Fatal(format!("cannot try reproduce.sh: {error}"));
        let scratch = Arc::new(Scratch::new().map_err(|error| failed(&error))?);
        let job = scratch.job(self.tree, &self.cancel)?;
        let repository = job.directory().join("maven");
        for (jar, place) in &self.jars {
            let place = repository.join(place);
            let made = fs::create_dir_all(place.parent().unwrap_or(&repository)).and_then(|()| fs::copy(jar, &place));
            made.map_err(|error| failed(&error))?;
        }
        let work = job.temporary().join("work");
        let mut environment: Vec<(OsString, OsString)> = vec![("REPRODUCE_IN".into(), work.clone().into())];
        if !self.jars.is_empty() {
            environment.push(("M2_REPOSITORY".into(), repository.into()));
        }
        let script = job.directory().join(self.tree.name()).join("reproduce.sh");
        let sandbox = sandbox.map(|sandbox| sandbox.writes(job.directory()));
        let limits = Limits { file_size: Some(1 << 30), ..Limits::default() };
        let launch = Launch {
            program: Path::new("/bin/sh"),
            arguments: &[script.into()],
            directory: job.directory(),
            temporary: job.temporary(),
            environment: &environment,
            marker: &job.marker,
            limits: &limits,
            sandbox: sandbox.as_ref(),
        };
        const PATIENCE: Duration = Duration::from_secs(1800);
        let finished = run(&Task { launch, stdin: None, timeout: PATIENCE, keep: 0 }, &self.cancel)?;
        Ok(left(&work, &job, &finished))
    }
}

/// The traces of a run of the script.
fn left(work: &Path, job: &Job, finished: &Finished) -> Tried {
    let shown = match finished.ending {
        Ending::Exited(0) => Shown::Reproduced,
        ending => Shown::NotReproduced(reason(work).unwrap_or_else(|| ending.to_string())),
    };
    Tried {
        shown,
        status: fs::read_to_string(work.join("status")).unwrap_or_default().trim().to_owned(),
        stdout: beginning(&work.join("stdout")),
        stderr: beginning(&work.join("stderr")),
        decompiled: crate::input::read(&work.join("decompiled")).ok().filter(|tree| tree.bytes() < 16 << 20),
        places: vec![work.join("run"), work.join("test"), work.to_owned(), job.directory().to_owned()],
    }
}

/// The words of the script about a failure that it does not show.
fn reason(work: &Path) -> Option<String> {
    let why = beginning(&work.join("why"));
    let why = super::plain::one_line(String::from_utf8_lossy(&why).trim_end());
    (!why.is_empty()).then_some(why)
}

fn beginning(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    // A command that was never started has printed nothing.
    let _ = fs::File::open(path).and_then(|file| file.take(KEPT).read_to_end(&mut bytes));
    bytes
}

#[cfg(test)]
mod tests {
    use super::super::record::TestRun;
    use super::super::script::{Setting, of_test};
    use super::super::travel::{Piece, Travellers};
    use super::*;
    use lapidary_reduce::Entry;

    /// How a script goes that expects a command of the shell to print `fatal`.
    fn shown(command: &str) -> Shown {
        let placed = Travellers::new("in.txt").placed();
        let setting = Setting { name: "in.txt", environment: &Default::default(), placed: &placed };
        let run = TestRun { expect: vec!["stdout~fatal".into()], ..TestRun::default() };
        let words = ["sh", "-c", command].map(|word| vec![Piece::Text(word.into())]);
        let (script, _) = of_test(&setting, &run, &words).unwrap();
        let script = Entry::File { content: script.into_bytes().into(), executable: true };
        let entries = [("reproduce.sh".into(), script), ("input/in.txt".into(), Entry::file("x"))];
        let tree = FileTree::directory("bundle", entries.into());
        let trial = Trial { tree: &tree, hidden: vec![], is_foreign: false, jars: vec![], cancel: Cancel::default() };
        tried(&trial).shown
    }

    #[test]
    fn output_without_a_last_line_end_does_not_hide_the_verdict() {
        assert_eq!(shown("printf fatal"), Shown::Reproduced);
        let lacks = "stdout does not match /fatal/".to_owned();
        assert_eq!(shown("printf 'not reproduced: oops'"), Shown::NotReproduced(lacks.clone()));
        assert_eq!(shown("echo reproduced"), Shown::NotReproduced(lacks));
    }

    #[test]
    fn long_output_does_not_hide_the_verdict() {
        let long = "echo fatal; head -c 3000000 /dev/zero | tr '\\0' '\\n'";
        assert_eq!(shown(long), Shown::Reproduced);
        let lacks = "stdout does not match /fatal/".to_owned();
        assert_eq!(shown(&long.replace("fatal", "fine")), Shown::NotReproduced(lacks));
    }
}
