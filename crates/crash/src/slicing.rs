//! Slices of a program that can be compiled and run: what it takes to see one of its runs.

use crate::build::{Build, Source};
use crate::error::CrashError;
use crate::execution::Execution;
use crate::observer::Observer;
use crate::preprocess::lenient;
use lapidary_clang::{ParseError, SourceFile, Syntax};
use lapidary_clang_model::Project;
use lapidary_reduce::{Cancel, Content, Entry, FileTree};
use lapidary_slice::{Criterion, Instrumented, Slice, SliceError, apply, dynamic_slice, instrument};
use std::collections::BTreeMap;
use std::path::PathBuf;
use thiserror::Error;

/// How a program is read, built and run.
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
    #[error("the run left no trace: the program was gone before its first statement, or took the file away")]
    NoTrace,
}

/// A program that writes down what it does.
pub struct TracedProgram<'u> {
    instrumented: Instrumented<'u>,
    traced: FileTree,
    observer: Observer,
}

impl TracedProgram<'_> {
    /// Runs it, and says what did influence the criterion.
    pub fn slice(mut self, criterion: &Criterion, cancel: &Cancel) -> Result<Slice, SlicingError> {
        let file = self.observer.trace_file()?;
        self.observer.observe(&self.traced, cancel).map_err(CrashError::from)?;
        let trace = std::fs::read(file).map_err(|_| SlicingError::NoTrace)?;
        Ok(dynamic_slice(&self.instrumented, &trace, Some(criterion))?)
    }
}

impl Slicer<'_> {
    /// What did influence the criterion in a run. The program is compiled with a part that traces it, and run once.
    pub fn dynamic_slice(
        &self,
        tree: &FileTree,
        units: &[Syntax],
        criterion: &Criterion,
        cancel: &Cancel,
    ) -> Result<Slice, SlicingError> {
        self.traced_program(tree, units, cancel)?.slice(criterion, cancel)
    }

    /// The program as one that traces itself, compiled and ready to be run.
    pub fn traced_program<'u>(
        &self,
        tree: &FileTree,
        units: &'u [Syntax],
        cancel: &Cancel,
    ) -> Result<TracedProgram<'u>, SlicingError> {
        let instrumented = instrument(units, &self.project.compilations);
        let traced = self.traced(tree, &instrumented);
        let observe = |build, tree| Observer::new(build, self.execution.clone(), tree, cancel);
        let observer = observe(self.traced_build(tree), &traced).map_err(|error| {
            // What is wrong with the program itself is said in its own words.
            observe(self.build.clone(), tree).err().unwrap_or(error)
        })?;
        Ok(TracedProgram { instrumented, traced, observer })
    }

    /// The program with what traces it; a directory even if it was one file.
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
/// Our part is in the C it was written in, whatever the user's is in.
const RUNTIME_FLAGS: [&str; 4] = ["-xc", "-std=gnu11", "-Wno-pedantic", "-fno-sanitize=all"];
