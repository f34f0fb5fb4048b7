//! Slicing a C or C++ program: the statements that one of its lines depends on.

use crate::crash::{Building, Program};
use crate::error::{Error, Result};
use crate::watcher::Watcher;
use anyhow::anyhow;
use lapidary_clang::Syntax;
use lapidary_clang_model::Project;
use lapidary_crash::{CrashError, Execution, Slicer, SlicingError};
use lapidary_predicate::{Sandbox, Timeout};
use lapidary_reduce::{Cancel, PredicateError};
use lapidary_slice::{Criterion, Slice, SliceError, static_slice};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A slice that can be computed: a program, a line of it, and a run of the program if the slice is
/// to be dynamic.
///
/// ```
/// use lapidary::{Building, Criterion, Slicing};
///
/// # let place = tempfile::tempdir()?;
/// # std::env::set_current_dir(&place)?;
/// # let setup = r#"printf '%s\n' 'int main(int argc, char **argv)' '{' '    int sum = argc;' '    int other = 2;' \
/// #         '    return sum;' '}' >list.c"#;
/// # assert!(std::process::Command::new("sh").args(["-ec", setup]).status()?.success());
/// let place = Criterion { file: "list.c".into(), line: 5, variable: None };
/// let report = Slicing::of_files(place, &[], &Building::default())?.run(&mut ())?;
/// let lines: Vec<u32> = report.slice.files[0].lines().into_iter().collect();
/// assert_eq!(lines, [1, 2, 3, 5, 6], "line 4 has no influence on line 5");
/// # Ok::<(), lapidary::Error>(())
/// ```
pub struct Slicing {
    program: Program,
    place: Criterion,
    is_project: bool,
    run: Option<SlicedRun>,
}

/// The run of the program that a dynamic slice is made from.
#[derive(Clone)]
pub struct SlicedRun {
    /// The arguments of the program.
    pub arguments: Vec<OsString>,
    /// The program's standard input.
    pub stdin: Vec<u8>,
    /// How long the run may take.
    pub timeout: Duration,
    /// The sandbox that the program runs in.
    pub sandbox: Option<Sandbox>,
    /// Ends the run when it fires.
    pub cancel: Cancel,
}

/// A slice, and what it is a slice of.
pub struct SlicingReport {
    /// The parts of each file that are in the slice.
    pub slice: Slice,
    /// The line that was asked about, with the file as the program has it.
    pub place: Criterion,
    /// Whether the slice is that of a run.
    pub is_dynamic: bool,
    root: PathBuf,
}

impl SlicingReport {
    /// The path of a file, relative to the root of the program.
    pub fn name_of<'p>(&self, file: &'p Path) -> &'p Path {
        below(file, &self.root)
    }
}

impl Slicing {
    /// A slice of a program of the file of the place and these others.
    pub fn of_files(place: Criterion, others: &[PathBuf], building: &Building) -> Result<Self> {
        let program = Program::of_files(&with(&place.file, others), building)?;
        Ok(Slicing { program, place, is_project: false, run: None })
    }

    /// A slice of a program of a project: the directory of compile_commands.json. The file of the
    /// place and the others make the program; without others, all files of the compile commands do.
    pub fn of_project(directory: &Path, place: Criterion, others: &[PathBuf], building: &Building) -> Result<Self> {
        let files = if others.is_empty() { Vec::new() } else { with(&place.file, others) };
        let program = Program::of_project(directory, &files, building)?;
        Ok(Slicing { program, place, is_project: true, run: None })
    }

    /// Makes the slice dynamic: the statements that had an influence in this run.
    pub fn in_run(mut self, run: SlicedRun) -> Self {
        self.run = Some(run);
        self
    }

    /// Computes the slice.
    pub fn run(self, watcher: &mut dyn Watcher) -> Result<SlicingReport> {
        Ok(self.sliced(watcher)?)
    }

    fn sliced(self, watcher: &mut dyn Watcher) -> anyhow::Result<SlicingReport> {
        let project = self.program.project();
        let place = Criterion { file: self.file_in(&project), ..self.place.clone() };
        let units = project.units(&self.program.tree)?;
        warn_of_complaints(&units, &project, watcher);
        let slice = match &self.run {
            Some(run) => self.observed(run, &project, &units, &place),
            None => static_slice(&units, &place).map_err(SlicingError::from),
        };
        let slice = slice.map_err(|error| self.explained(error))?;
        Ok(SlicingReport { slice, place, is_dynamic: self.run.is_some(), root: project.root })
    }

    fn observed(
        &self,
        run: &SlicedRun,
        project: &Project,
        units: &[Syntax],
        place: &Criterion,
    ) -> Result<Slice, SlicingError> {
        let execution = Execution {
            arguments: run.arguments.clone(),
            stdin: run.stdin.clone(),
            timeout: Timeout::Fixed(run.timeout),
            sandbox: run.sandbox.clone(),
            ..Execution::default()
        };
        let slicer = Slicer { project, build: &self.program.build, execution: &execution };
        slicer.dynamic_slice(&self.program.tree, units, place, &run.cancel)
    }

    /// The path of the place's file in the program. If it is not found there, the end of the path
    /// decides.
    fn file_in(&self, project: &Project) -> PathBuf {
        let whole = whole_path(&self.place.file);
        let is_known = project.sources(&self.program.tree).files.iter().any(|known| known.path == whole);
        if is_known { whole } else { self.place.file.components().collect() }
    }

    /// The error with the file as its user names it, and with advice.
    fn explained(&self, error: SlicingError) -> anyhow::Error {
        let error = match error {
            SlicingError::Crash(CrashError::Predicate(PredicateError::Cancelled)) => {
                return Error::Stopped("interrupted before the program had ended".to_owned()).into();
            }
            SlicingError::Slice(error) => error.in_file(&self.place.file),
            other => return other.into(),
        };
        let advice = match &error {
            SliceError::UnknownFile { .. } if self.is_project => {
                "name a file that the compile commands compile, or a header that it includes"
            }
            SliceError::UnknownFile { .. } => "name all files of the program after the place",
            SliceError::NothingThere { .. } => "name a line with code",
            SliceError::NotReached { .. } => "leave out --dynamic for a slice of all runs",
            _ => return SlicingError::from(error).into(),
        };
        anyhow!("{error}; {advice}")
    }
}

/// The files of the program, including that of the place.
fn with(file: &Path, others: &[PathBuf]) -> Vec<PathBuf> {
    let is_named = others.iter().any(|other| whole_path(other) == whole_path(file));
    let first = (!is_named).then(|| file.to_owned());
    first.into_iter().chain(others.iter().cloned()).collect()
}

fn whole_path(file: &Path) -> PathBuf {
    file.canonicalize().unwrap_or_else(|_| file.to_owned())
}

/// Where libclang finds errors, its tree may lack code, and so may the slice.
fn warn_of_complaints(units: &[Syntax], project: &Project, watcher: &mut dyn Watcher) {
    for (unit, compilation) in units.iter().zip(&project.compilations) {
        let Some(first) = unit.complaints.first() else { continue };
        let file = below(&compilation.file, &project.root).display();
        watcher.warning(&format!(
            "libclang finds errors in {file}, so the slice may be wrong; pass the compiler's flags with --flags: {first}"
        ));
    }
}

fn below<'p>(path: &'p Path, root: &Path) -> &'p Path {
    path.strip_prefix(root).unwrap_or(path)
}
