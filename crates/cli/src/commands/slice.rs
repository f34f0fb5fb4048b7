//! `lapidary slice`: shows what a statement of a C or C++ program depends on.

use crate::build_options::{BuildOptions, recorded_stdin};
use crate::sandbox_option::{Foreign, SandboxOption};
use crate::say::{complain, out};
use crate::shared_options::{BudgetOption, OneJob, SeedOption, TellingOptions};
use crate::signals::cancel_on_signal;
use crate::{budget, exit, summary};
use anyhow::{Context, bail};
use clap::Args;
use lapidary::{Cancel, Criterion, SandboxMode, SlicedRun, Slicing, SlicingReport, Watcher};
use lapidary_slice::{SlicedFile, Style};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Show what a statement of a C or C++ program depends on
///
/// The static slice is everything that may influence the line, for any input.
/// With --dynamic, the program is compiled and run, and the slice is everything
/// that did influence the line in this run. On a terminal, the rest of the
/// program is dimmed; elsewhere it is left out.
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
    /// The line to slice for; with VARIABLE, only that variable on the line.
    #[arg(value_name = "FILE:LINE[:VARIABLE]")]
    place: String,

    /// The other source files and headers of the program.
    files: Vec<PathBuf>,

    /// The arguments of the program, for --dynamic.
    #[arg(last = true, value_name = "ARGS", requires = "dynamic")]
    arguments: Vec<OsString>,

    /// Compile and run the program, and show what influenced the line in this run.
    #[arg(long)]
    dynamic: bool,

    /// The directory of compile_commands.json. FILES are those of one program; without FILES, the
    /// program is made of all files.
    #[arg(long, short, value_name = "DIR")]
    project: Option<PathBuf>,

    #[command(flatten)]
    build: BuildOptions,

    /// How long the run may take, in seconds.
    #[arg(long, value_name = "SECS", default_value = "60", value_parser = budget::timeout, requires = "dynamic")]
    timeout: Duration,

    #[command(flatten)]
    budget: BudgetOption,

    #[command(flatten)]
    _jobs: OneJob,

    #[command(flatten)]
    _random: SeedOption,

    #[command(flatten)]
    sandbox: SandboxOption,

    #[command(flatten)]
    telling: TellingOptions,
}

impl SliceCommand {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        if self.sandbox.is_given() && !self.dynamic {
            bail!("--sandbox is for the run of --dynamic; a static slice runs nothing");
        }
        let place = parse_place(&self.place)?;
        let cancel = cancel_on_signal()?;
        self.budget.watch(&cancel);
        let building = self.build.building();
        let mut slicing = match &self.project {
            Some(project) => Slicing::of_project(project, place, &self.files, &building)?,
            None => Slicing::of_files(place, &self.files, &building)?,
        };
        if self.dynamic {
            slicing = slicing.in_run(self.sliced_run(cancel)?);
        }
        self.telling.check(&self.files, &[])?;
        let report = slicing.run(&mut Warnings { is_quiet: self.telling.quiet })?;
        if self.telling.tells_a_person() {
            print(&report);
        }
        if let Some(path) = &self.telling.json {
            summary::write_json(path, &as_json(&report))?;
        }
        Ok(ExitCode::from(exit::DONE))
    }

    /// The program runs once, as its user would run it, and may need the world.
    fn foreign(&self) -> Foreign {
        Foreign { code: "the program", default: SandboxMode::Off, quiet: self.telling.quiet, is_limited: true }
    }

    fn sliced_run(&self, cancel: Cancel) -> anyhow::Result<SlicedRun> {
        Ok(SlicedRun {
            arguments: self.arguments.clone(),
            stdin: recorded_stdin()?,
            timeout: self.timeout,
            sandbox: self.sandbox.choose(self.foreign())?,
            cancel,
        })
    }
}

struct Warnings {
    is_quiet: bool,
}

impl Watcher for Warnings {
    fn warning(&mut self, text: &str) {
        if !self.is_quiet {
            complain!("warning: {text}");
        }
    }
}

fn as_json(report: &SlicingReport) -> Value {
    let file = |file: &SlicedFile| {
        json!({
            "file": report.name_of(&file.path).to_string_lossy(),
            "lines": file.lines(),
            "lines_with_code": file.lines_before(),
        })
    };
    json!({
        "command": "slice",
        "kind": if report.is_dynamic { "dynamic" } else { "static" },
        "file": report.name_of(&report.place.file).to_string_lossy(),
        "line": report.place.line,
        "variable": report.place.variable,
        "files": report.slice.files.iter().map(file).collect::<Vec<_>>(),
    })
}

/// `list.c:42` or `list.c:42:length`.
fn parse_place(place: &str) -> anyhow::Result<Criterion> {
    let wrong = || format!("`{place}` is not a place; expected FILE:LINE or FILE:LINE:VARIABLE");
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

/// Prints the files that have something in the slice, under their names if there are several.
fn print(report: &SlicingReport) {
    let style = if io::stdout().is_terminal() { Style::Dimmed } else { Style::Compact };
    let files: Vec<&SlicedFile> = report.slice.files.iter().filter(|file| !file.kept.is_empty()).collect();
    for file in &files {
        if files.len() > 1 {
            out(format_args!("--- {}\n", report.name_of(&file.path).display()));
        }
        let text = file.render(style);
        // Sources need not be UTF-8. If the reader is gone, there is nobody to write for.
        let _ = io::stdout().write_all(&text);
        if !text.ends_with(b"\n") {
            out(format_args!("\n"));
        }
    }
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
