//! `lapidary slice`: what a statement of a C or C++ program depends on.

use crate::commands::reduce::interrupt_on_signal;
use crate::crash_input::{self, BuildOptions, Program};
use crate::say::{complain, out};
use crate::{exit, summary};
use anyhow::{Context, bail};
use clap::Args;
use lapidary_clang::Syntax;
use lapidary_clang_model::Project;
use lapidary_crash::{CrashError, Execution, Slicer, SlicingError};
use lapidary_predicate::Timeout;
use lapidary_reduce::PredicateError;
use lapidary_slice::{Criterion, Slice, SliceError, SlicedFile, Style, static_slice};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Show what a statement of a C or C++ program depends on.
///
/// The static slice is what may have an influence on the line, whatever the input. With --dynamic the program is compiled
/// and run, and the slice is what had an influence in this run. On a terminal the rest is printed faint, elsewhere it is
/// left out.
///
///   lapidary slice list.c:42
///   lapidary slice list.c:42:length
///   lapidary slice list.c:42 --dynamic -- 3 -1 < input.txt
///   lapidary slice -p build/ src/list.cpp:42
#[derive(Args)]
#[command(
    verbatim_doc_comment,
    override_usage = "lapidary slice [OPTIONS] FILE:LINE[:VARIABLE] [FILES]... [-- ARGS...] [< INPUT]"
)]
pub struct SliceCommand {
    /// The line that is asked about, and one variable on it or all.
    #[arg(value_name = "FILE:LINE[:VARIABLE]")]
    place: String,

    /// The other source files and headers of the program.
    files: Vec<PathBuf>,

    /// The arguments of the program, for --dynamic.
    #[arg(last = true, requires = "dynamic")]
    arguments: Vec<OsString>,

    /// Compile and run the program, and show what had an influence in this run.
    #[arg(long)]
    dynamic: bool,

    /// A project: the directory of compile_commands.json. FILES are those of one program; without, all make one.
    #[arg(long, short, value_name = "DIR")]
    project: Option<PathBuf>,

    #[command(flatten)]
    build: BuildOptions,

    /// How long the run may take, in seconds.
    #[arg(long, value_name = "SECS", default_value_t = 60.0, requires = "dynamic")]
    timeout: f64,

    /// Runs the program without a network, in a read-only file system.
    #[arg(long, requires = "dynamic")]
    sandbox: bool,

    /// Write the lines of the slice as JSON (`-` for standard output).
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl SliceCommand {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let criterion = parse_place(&self.place)?;
        let program = self.program(&criterion.file)?;
        let (project, execution) = (program.project(), self.execution()?);
        let criterion = Criterion { file: place_in(&program, &project, &criterion.file), ..criterion };
        let slicer = Slicer { project: &project, build: &program.build, execution: &execution };
        let units = project.units(&program.tree)?;
        warn_of_complaints(&units, &project);
        let slice = if self.dynamic {
            let cancel = interrupt_on_signal()?;
            slicer.dynamic_slice(&program.tree, &units, &criterion, &cancel)
        } else {
            static_slice(&units, &criterion).map_err(SlicingError::from)
        };
        match slice {
            Ok(slice) => self.report(&slice, &project, &criterion),
            Err(SlicingError::Crash(CrashError::Predicate(PredicateError::Cancelled))) => {
                complain!("lapidary: interrupted before the program had ended");
                Ok(ExitCode::from(exit::STOPPED))
            }
            Err(error) => Err(self.explained(error)),
        }
    }

    fn program(&self, file: &Path) -> anyhow::Result<Program> {
        let program = match &self.project {
            Some(project) if self.files.is_empty() => crash_input::project(project, &[])?,
            Some(project) => crash_input::project(project, &with(file, &self.files))?,
            None => crash_input::files(&with(file, &self.files))?,
        };
        program.built_with(&self.build)
    }

    /// Without a run nothing is read: standard input may be a pipe that never ends.
    fn execution(&self) -> anyhow::Result<Execution> {
        if !self.dynamic {
            return Ok(Execution::default());
        }
        let timeout = Duration::try_from_secs_f64(self.timeout).ok().filter(|timeout| !timeout.is_zero());
        let Some(timeout) = timeout else { bail!("--timeout {}: the program cannot run in no time", self.timeout) };
        Ok(Execution {
            arguments: self.arguments.clone(),
            stdin: crash_input::recorded_stdin().context("cannot read standard input")?,
            timeout: Timeout::Fixed(timeout),
            sandbox: self.sandbox,
            ..Execution::default()
        })
    }

    fn report(&self, slice: &Slice, project: &Project, criterion: &Criterion) -> anyhow::Result<ExitCode> {
        if self.json.as_deref() != Some(Path::new("-")) {
            print(slice, project);
        }
        if let Some(path) = &self.json {
            summary::write_json(path, &self.json(slice, project, criterion))?;
        }
        Ok(ExitCode::from(exit::DONE))
    }

    fn json(&self, slice: &Slice, project: &Project, criterion: &Criterion) -> Value {
        let file = |file: &SlicedFile| {
            json!({
                "file": below(&file.path, project).to_string_lossy(),
                "lines": file.lines(),
                "lines_with_code": file.lines_before(),
            })
        };
        json!({
            "command": "slice",
            "kind": if self.dynamic { "dynamic" } else { "static" },
            "file": below(&criterion.file, project).to_string_lossy(),
            "line": criterion.line,
            "variable": criterion.variable,
            "files": slice.files.iter().map(file).collect::<Vec<_>>(),
        })
    }

    /// An error with what can be done about it, where the library cannot know.
    fn explained(&self, error: SlicingError) -> anyhow::Error {
        let advice = match &error {
            SlicingError::Slice(SliceError::UnknownFile { .. }) if self.project.is_some() => {
                "name a file that the compile commands compile, or a header that it includes"
            }
            SlicingError::Slice(SliceError::UnknownFile { .. }) => "give all files of the program behind the place",
            SlicingError::Slice(SliceError::NothingThere { .. }) => "name a line with code",
            _ => return error.into(),
        };
        anyhow::anyhow!("{error}; {advice}")
    }
}

/// `list.c:42` or `list.c:42:length`.
fn parse_place(place: &str) -> anyhow::Result<Criterion> {
    let wrong = || format!("`{place}` is no place: it should be FILE:LINE or FILE:LINE:VARIABLE");
    let (head, tail) = place.rsplit_once(':').with_context(wrong)?;
    let (file, line, variable) = match tail.parse::<u32>() {
        Ok(line) => (head, line, None),
        Err(_) => {
            let (file, line) = head.rsplit_once(':').with_context(wrong)?;
            (file, line.parse().ok().with_context(wrong)?, Some(tail.to_owned()))
        }
    };
    if file.is_empty() || variable.as_deref() == Some("") {
        bail!(wrong());
    }
    Ok(Criterion { file: file.into(), line, variable })
}

/// The files of the program, that of the place among them.
fn with(file: &Path, others: &[PathBuf]) -> Vec<PathBuf> {
    let is_named = others.iter().any(|other| whole_path(other) == whole_path(file));
    let first = (!is_named).then(|| file.to_owned());
    first.into_iter().chain(others.iter().cloned()).collect()
}

/// Where the program has the file. One that is not found like this is told by the end of its path.
fn place_in(program: &Program, project: &Project, file: &Path) -> PathBuf {
    let whole = whole_path(file);
    let is_known = project.sources(&program.tree).files.iter().any(|known| known.path == whole);
    if is_known { whole } else { file.components().collect() }
}

fn whole_path(file: &Path) -> PathBuf {
    file.canonicalize().unwrap_or_else(|_| file.to_owned())
}

/// A slice of what libclang could not read is one of what it made of it.
fn warn_of_complaints(units: &[Syntax], project: &Project) {
    for (unit, compilation) in units.iter().zip(&project.compilations) {
        let Some(first) = unit.complaints.first() else { continue };
        let file = below(&compilation.file, project);
        complain!(
            "warning: libclang finds errors in {}, the slice may be wrong; --flags tells it what the compiler is told: {first}",
            file.display()
        );
    }
}

/// Only files of which something is in the slice, under their names if there are several.
fn print(slice: &Slice, project: &Project) {
    let style = if io::stdout().is_terminal() { Style::Dimmed } else { Style::Compact };
    let files: Vec<&SlicedFile> = slice.files.iter().filter(|file| !file.kept.is_empty()).collect();
    for file in &files {
        if files.len() > 1 {
            out(format_args!("--- {}\n", below(&file.path, project).display()));
        }
        let text = file.render(style);
        // A source need not be UTF-8. A reader that has gone away is no reason to fail.
        let _ = io::stdout().write_all(&text);
        if !text.ends_with(b"\n") {
            out(format_args!("\n"));
        }
    }
}

fn below<'a>(path: &'a Path, project: &Project) -> &'a Path {
    path.strip_prefix(&project.root).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_from_their_end() {
        let place = |file: &str, line, variable: Option<&str>| Criterion {
            file: file.into(),
            line,
            variable: variable.map(str::to_owned),
        };
        assert_eq!(parse_place("a.c:42").unwrap(), place("a.c", 42, None));
        assert_eq!(parse_place("src/a.c:42:next").unwrap(), place("src/a.c", 42, Some("next")));
        assert_eq!(parse_place("odd:7:a.c:42:x").unwrap(), place("odd:7:a.c", 42, Some("x")));
        for wrong in ["a.c", "a.c:", ":3", "a.c:x", "a.c:x:y", "a.c:3:"] {
            assert!(parse_place(wrong).is_err(), "{wrong}");
        }
    }
}
