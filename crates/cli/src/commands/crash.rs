//! `lapidary crash`: finds the few statements of a C or C++ program that make a runtime error
//! happen.

use super::bundle::with_page;
use crate::build_options::{BuildOptions, recorded_stdin};
use crate::progress::{Progress, counted, thousands};
use crate::run_options::{EffortOptions, FileOptions};
use crate::sandbox_option::{Foreign, SandboxOption};
use crate::say::{complain, say};
use crate::shared_options::SeedOption;
use crate::signals::handles;
use crate::summary::first_failure;
use crate::view_options::{Beside, ViewOptions};
use crate::{budget, exit, summary};
use anyhow::Context;
use clap::{Args, ValueEnum};
use lapidary::{Approach, Bundle, Crash, CrashOptions, CrashReport, Program, SandboxMode};
use lapidary_live::About;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Find the few statements of a C or C++ program that make its runtime error happen
///
/// The program is compiled and run. The result is a small program that fails at
/// the same statement for the same reason. No test is needed. The arguments after
/// `--` and the standard input are those of the program.
///
///   lapidary crash list.c -- 3 -1
///   lapidary crash parser.cpp --flags '-std=c++20 -fsanitize=address' < input.txt
///   lapidary crash -p build/ src/main.cpp src/list.cpp -- --verbose
#[derive(Args)]
#[command(verbatim_doc_comment, override_usage = "lapidary crash [OPTIONS] FILES... [-- ARGS...] [< INPUT]")]
pub struct CrashCommand {
    /// The source files. They are never changed.
    #[arg(required_unless_present = "project")]
    files: Vec<PathBuf>,

    /// The arguments of the program.
    #[arg(last = true, value_name = "ARGS")]
    arguments: Vec<OsString>,

    /// The directory of compile_commands.json. FILES are those of one program; without FILES, the
    /// program is made of all files.
    #[arg(long, short, value_name = "DIR")]
    project: Option<PathBuf>,

    #[command(flatten)]
    build: BuildOptions,

    /// Where the program must fail, as FILE:LINE. If it fails elsewhere, the search does not start.
    #[arg(long, value_name = "PLACE")]
    at: Option<String>,

    /// The search strategy.
    #[arg(long, value_enum, default_value = "default")]
    strategy: Choice,

    /// Ask only for the same error at the same statement: the result is smaller, but the reason for
    /// the failure may be gone.
    #[arg(long)]
    smallest: bool,

    /// At the end, give short names to the program's own declarations. Names that the error shows
    /// stay.
    #[arg(long)]
    rename: bool,

    /// Work on the preprocessed text of a program of one file.
    #[arg(long)]
    preprocess: bool,

    /// How long a run of the program may take, in seconds [default: ten times the slowest failing
    /// run].
    #[arg(long, value_name = "SECS", value_parser = budget::timeout)]
    timeout: Option<Duration>,

    #[command(flatten)]
    sandbox: SandboxOption,

    #[command(flatten)]
    effort: EffortOptions,

    #[command(flatten)]
    _random: SeedOption,

    #[command(flatten)]
    output: FileOptions,

    #[command(flatten)]
    view: ViewOptions,
}

/// The approaches by name.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Choice {
    /// Slices, then everything that the compiler's rules allow, then rewrites, then every
    /// sub-program if there are few.
    Default,
    /// Every valid sub-program in order of size.
    Naive,
    /// Delta debugging on statements and declarations.
    Delta,
    /// A static slice, a dynamic slice, then delta, then naive.
    Slicing,
}

impl From<Choice> for Approach {
    fn from(choice: Choice) -> Approach {
        match choice {
            Choice::Default => Approach::Default,
            Choice::Naive => Approach::Naive,
            Choice::Delta => Approach::Delta,
            Choice::Slicing => Approach::Slicing,
        }
    }
}

impl CrashCommand {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let handles = handles()?;
        let named = self.files.first().or(self.project.as_ref());
        let written = named.filter(|named| named.exists()).map_or_else(Vec::new, |named| self.output.written(named));
        let stdin = Some(PathBuf::from("/dev/stdin")).filter(|stdin| stdin.is_file());
        let read: Vec<PathBuf> = self.files.iter().cloned().chain(stdin).collect();
        let beside = Beside { quiet: self.output.quiet, written, read: &read };
        let input = named.map_or_else(String::new, |input| input.display().to_string());
        let about = About { command: "crash", input, budget: self.effort.budget };
        let mut view = self.view.begin(about, "compiling and running the program", beside, handles.clone())?;
        let program = self.program()?;
        let saving = self.output.saving(&program.path, &program.sources())?;
        self.output.check_bundle()?;
        let (journal, cancel, stdin) = (saving.journal(), handles.cancel.clone(), recorded_stdin()?);
        let options = CrashOptions {
            arguments: self.arguments.clone(),
            timeout: self.timeout,
            stdin: stdin.clone(),
            sandbox: self.sandbox.choose(self.foreign())?,
            at: self.at.as_deref().map(place).transpose()?,
            approach: self.strategy.into(),
            smallest: self.smallest,
            rename: self.rename,
            saving: Some(saving),
            effort: self.effort.effort(&handles),
        };
        let mut progress = Progress::new(&view, self.output.quiet).warning_always();
        if self.output.tells_a_person() {
            progress = progress.on_failure(|words| say!("{words}\n"));
        }
        let report = Crash::of(program, options).run(&mut progress)?;
        view.end();
        let reported = self.report(&report);
        let packed = self.output.pack(|| with_page(Bundle::of_journal(&journal), &journal).stdin(stdin), &cancel);
        first_failure([reported, packed])?;
        Ok(exit_code(&report))
    }

    fn program(&self) -> anyhow::Result<Program> {
        lapidary_clang::is_available()?;
        let program = match &self.project {
            Some(project) => Program::of_project(project, &self.files, &self.build.building())?,
            None => Program::of_files(&self.files, &self.build.building())?,
        };
        Ok(if self.preprocess { program.preprocessed()? } else { program })
    }

    /// Candidates are programs that nobody has written, so they are kept from doing harm.
    fn foreign(&self) -> Foreign {
        Foreign { code: "the program", default: SandboxMode::Auto, quiet: self.output.quiet, is_limited: true }
    }

    fn report(&self, report: &CrashReport) -> anyhow::Result<()> {
        let (before, after) = (report.bytes_before, report.bytes_after);
        let percent = 100.0 * after as f64 / before.max(1) as f64;
        // After an immediate stop, the result is the program that the user already knows.
        if after < before || report.stop.is_none() {
            self.tell(&report.marked());
        }
        let place = report.input.display();
        self.tell(&format!(
            "{place}: {} of {} of code left ({percent:.1} %), {} in {:.1} s",
            thousands(after),
            counted(before as usize, "byte"),
            counted(report.counts.run as usize, "test"),
            report.total.as_secs_f64()
        ));
        if let Some(count) = report.tried {
            self.tell(&format!(
                "no smaller selection of its statements and declarations fails like this: tried {}",
                if count == 1 { "the only one".to_owned() } else { format!("all {count}") }
            ));
        }
        if self.smallest {
            self.tell("the reason for the failure may be gone; without --smallest it stays");
        }
        report.saved.iter().for_each(|path| self.tell(&format!("result: {}", path.display())));
        let summary = self.output.json.as_ref().map_or(Ok(()), |path| summary::write_json(path, &report.json()));
        first_failure([summary, self.output.write_page(report.saved.as_deref())])
    }

    fn tell(&self, text: &str) {
        if self.output.tells_a_person() {
            say!("{text}");
        }
    }
}

fn exit_code(report: &CrashReport) -> ExitCode {
    match &report.stop {
        Some(stop) => {
            complain!("lapidary: stopped early: {stop}; the best result so far is saved, --resume continues");
            ExitCode::from(exit::STOPPED)
        }
        None if report.is_flaky => {
            complain!("lapidary: run once more, the result did not fail like this");
            ExitCode::from(exit::NEGATIVE)
        }
        None => ExitCode::from(exit::DONE),
    }
}

/// Parses the `FILE:LINE` of `--at`.
fn place(place: &str) -> anyhow::Result<(PathBuf, u32)> {
    let (file, line) = place.rsplit_once(':').with_context(|| format!("--at {place}: expected FILE:LINE"))?;
    let line = line.parse().with_context(|| format!("--at {place}: {line} is not a line number"))?;
    Ok((file.into(), line))
}
