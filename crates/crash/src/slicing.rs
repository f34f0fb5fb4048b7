//! Slices of a program that can be compiled and run, based on a trace of one run.

use crate::build::{Build, Source};
use crate::error::CrashError;
use crate::execution::Execution;
use crate::observer::FailureObserver;
use crate::preprocess::lenient;
use lapidary_clang::{ParseError, SourceFile, Syntax};
use lapidary_clang_model::Project;
use lapidary_reduce::{Cancel, Content, Entry, FileTree};
use lapidary_slice::{
    Criterion, Instrumented, KnownValue, Slice, SliceError, apply, dynamic_slice, instrument, values_in,
};
use std::collections::BTreeMap;
use std::path::PathBuf;
use thiserror::Error;

/// The project, build and execution of a program to slice.
#[derive(Clone, Copy)]
pub struct Slicer<'a> {
    pub project: &'a Project,
    pub build: &'a Build,
    pub execution: &'a Execution,
}

#[derive(Debug, Error)]
pub enum SlicingError {
    #[error(transparent)]
    Parse(#[from] ParseError),
    #[error(transparent)]
    Slice(#[from] SliceError),
    #[error(transparent)]
    Crash(#[from] CrashError),
    #[error("the run left no trace: the program ended before its first statement, or removed the file")]
    NoTrace,
}

/// A program that records what it does.
pub struct TracedProgram<'u> {
    instrumented: Instrumented<'u>,
    traced: FileTree,
    observer: FailureObserver,
}

/// A recorded run.
pub struct Traced<'u> {
    instrumented: Instrumented<'u>,
    trace: Vec<u8>,
}

impl<'u> TracedProgram<'u> {
    /// Runs the program and returns its trace.
    pub fn run(mut self, cancel: &Cancel) -> Result<Traced<'u>, SlicingError> {
        let file = self.observer.trace_file()?;
        self.observer.observe(&self.traced, cancel).map_err(CrashError::from)?;
        let trace = std::fs::read(file).map_err(|_| SlicingError::NoTrace)?;
        Ok(Traced { instrumented: self.instrumented, trace })
    }
}

impl Traced<'_> {
    /// Returns the statements that influenced the criterion.
    pub fn slice(&self, criterion: &Criterion) -> Result<Slice, SliceError> {
        dynamic_slice(&self.instrumented, &self.trace, Some(criterion))
    }

    /// Returns the values that expressions had when they were last computed.
    pub fn values(&self) -> Vec<KnownValue> {
        values_in(&self.instrumented, &self.trace)
    }
}

impl Slicer<'_> {
    /// Returns the statements that influenced the criterion in a run. The program is compiled with
    /// a tracing runtime and run once.
    pub fn dynamic_slice(
        &self,
        tree: &FileTree,
        units: &[Syntax],
        criterion: &Criterion,
        cancel: &Cancel,
    ) -> Result<Slice, SlicingError> {
        Ok(self.traced_program(tree, units, cancel)?.run(cancel)?.slice(criterion)?)
    }

    /// Instruments and compiles the program, ready to be run.
    pub fn traced_program<'u>(
        &self,
        tree: &FileTree,
        units: &'u [Syntax],
        cancel: &Cancel,
    ) -> Result<TracedProgram<'u>, SlicingError> {
        let instrumented = instrument(units, &self.project.compilations);
        let traced = self.traced(tree, &instrumented);
        let observe = |build, tree| FailureObserver::new(build, self.execution.clone(), tree, cancel);
        let observer = observe(self.traced_build(tree), &traced).map_err(|error| {
            // If the program itself does not compile, report its own errors.
            observe(self.build.clone(), tree).err().unwrap_or(error)
        })?;
        Ok(TracedProgram { instrumented, traced, observer })
    }

    /// Adds the tracing runtime to the program. The result is a directory even if the program was
    /// one file.
    fn traced(&self, tree: &FileTree, instrumented: &Instrumented<'_>) -> FileTree {
        let mut entries: BTreeMap<PathBuf, Entry> = match tree.content() {
            Content::Directory(entries) => entries.clone(),
            Content::File(_) => BTreeMap::new(),
        };
        let relative = |file: &SourceFile| file.path.strip_prefix(&self.project.root).map(PathBuf::from).ok();
        let text = |file: &SourceFile| Entry::file(apply(&instrumented.edits, &file.path, &file.text));
        let files = self.project.sources(tree).files;
        entries.extend(files.iter().filter_map(|file| Some((relative(file)?, text(file)))));
        entries.insert(RUNTIME.into(), Entry::file(instrumented.runtime().into_bytes()));
        FileTree::directory("traced", entries)
    }

    fn traced_build(&self, tree: &FileTree) -> Build {
        let mut sources = self.build.sources_of(tree);
        sources.iter_mut().for_each(|source| source.flags = lenient(&source.flags));
        sources.push(Source { path: RUNTIME.into(), flags: RUNTIME_FLAGS.map(String::from).to_vec() });
        let mut flags = lenient(&self.build.flags);
        if let Some(origin) = self.build.origin.as_ref().filter(|_| !tree.is_directory()) {
            flags.push(format!("-iquote{}", origin.display()));
        }
        Build { sources, flags, ..self.build.clone() }
    }
}

const RUNTIME: &str = "lapidary-trace.c";
/// Flags for the tracing runtime, which is always compiled as C.
const RUNTIME_FLAGS: [&str; 4] = ["-xc", "-std=gnu11", "-Wno-pedantic", "-fno-sanitize=all"];
