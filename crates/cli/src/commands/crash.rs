//! `lapidary crash`: the few statements of a C or C++ program that make a runtime error happen.

mod report;
mod settling;

use self::report::{CountingCode, Report, code_bytes};
use self::settling::{Checked, Settling};
use crate::commands::reduce::interrupt_on_signal;
use crate::crash_input::{self, BuildOptions, Program};
use crate::follow::Follow;
use crate::output::Output;
use crate::progress::{Progress, thousands};
use crate::run_options::{EffortOptions, FileOptions};
use crate::say::{complain, say};
use crate::{exit, input, summary};
use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use lapidary_clang_model::{Gate, Readers};
use lapidary_crash::minimise::{Approach, Found, Target, Watching, compacted, rename, search};
use lapidary_crash::{Build, CrashError, CrashPredicate, Execution, Failure, Projection, with_headers_of};
use lapidary_predicate::Timeout;
use lapidary_reduce::{Cancel, Counts, FileTree, Header, Judgment, Key, Limits, Observer, Outcome, Predicate, Session};
use serde_json::json;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Find the few statements of a C or C++ program that make its runtime error happen.
///
/// The program is compiled and run; what is found is the smallest program that fails in the same way at the same
/// statement. No test is needed. What follows `--` are the program's arguments; what it reads comes from `< FILE`.
///
///   lapidary crash list.c -- 3 -1
///   lapidary crash parser.cpp --flags '-std=c++20 -fsanitize=address' < input.txt
///   lapidary crash -p build/ src/main.cpp src/list.cpp -- --verbose
#[derive(Args)]
#[command(verbatim_doc_comment, override_usage = "lapidary crash [OPTIONS] FILES... [-- ARGS...] [< INPUT]")]
pub struct Crash {
    /// The source files. They are never changed.
    #[arg(required_unless_present = "project")]
    files: Vec<PathBuf>,

    /// The arguments of the program.
    #[arg(last = true)]
    arguments: Vec<OsString>,

    /// A project: the directory of compile_commands.json. FILES are those of one program; without, all make one.
    #[arg(long, short, value_name = "DIR")]
    project: Option<PathBuf>,

    #[command(flatten)]
    build: BuildOptions,

    /// Where the program must fail, as FILE:LINE; otherwise the run is not begun.
    #[arg(long, value_name = "PLACE")]
    at: Option<String>,

    /// How to search.
    #[arg(long, value_enum, default_value = "default")]
    strategy: Choice,

    /// Find the smallest program with the same error at the same statement, even if the reason for it is gone.
    #[arg(long)]
    smallest: bool,

    /// Give short names to what the program declares, in the end. Names that the error shows stay.
    #[arg(long)]
    rename: bool,

    /// Work on the one file that the preprocessor makes of a source and all it includes.
    #[arg(long)]
    preprocess: bool,

    /// How long a run of the program may take, in seconds [default: some times what the first one took].
    #[arg(long, value_name = "SECS")]
    timeout: Option<f64>,

    /// Runs the program without a network, in a read-only file system.
    #[arg(long)]
    sandbox: bool,

    #[command(flatten)]
    effort: EffortOptions,

    #[command(flatten)]
    output: FileOptions,
}

/// The approaches by name.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Choice {
    /// Slices, then all that the compiler's rules allow, then rewrites, then every sub-program if they are few.
    Default,
    /// Every valid sub-program in order of size.
    Naive,
    /// Delta debugging on statements and declarations.
    Delta,
    /// A static slice, a dynamic slice, delta, naive.
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

impl Crash {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let started = Instant::now();
        lapidary_clang::is_available()?;
        let program = self.program()?;
        let execution = self.execution()?;
        let output = self.output.claim_output(&program.path, &program.files())?;
        let cancel = interrupt_on_signal()?;
        let readers = Arc::new(Readers::default());
        let watching = self.watching(&program, &readers, &execution, &cancel);
        let discovered =
            CrashPredicate::discover(program.build.clone(), execution.clone(), &program.tree, RUNS, &cancel);
        let (predicate, reproduction) = match discovered {
            Ok(found) => found,
            Err(error) => return self.not_failing(error, &cancel),
        };
        self.at.as_deref().map_or(Ok(()), |place| expect_place(&program, &predicate, place))?;
        let predicate = match self.with_reason(predicate, &program, &readers, &cancel) {
            Ok(predicate) => predicate,
            Err(error) => return self.not_failing(error, &cancel),
        };
        self.tell(&format!("{}\n", predicate.failure().explain(&program.tree)));
        if !reproduction.is_steady() {
            let rate = 100.0 * reproduction.rate();
            complain!(
                "warning: the program does not always fail like this, but in {rate:.0} % of {} runs",
                reproduction.runs
            );
        }
        let target = Target {
            project: program.project(),
            readers,
            build: program.build.clone(),
            execution,
            failure: predicate.failure().clone(),
            keeps_reason: !self.smallest,
            guards: predicate.guards(),
            cancel: cancel.clone(),
            deadline: self.effort.limits(&cancel).deadline,
            watching,
        };
        self.minimise(&program, &target, &predicate, output, &cancel, started)
    }

    /// The predicate that also asks for the reason of the failure, unless only its size counts.
    fn with_reason(
        &self,
        predicate: CrashPredicate,
        program: &Program,
        readers: &Readers,
        cancel: &Cancel,
    ) -> Result<CrashPredicate, CrashError> {
        if self.smallest {
            return Ok(predicate);
        }
        let project = program.project();
        let units = readers.units(&project, &program.tree).unwrap_or_default();
        let projection = Projection::of(predicate.failure(), &project, &program.tree, &units);
        let projection = if self.rename { projection.with_other_names() } else { projection };
        let predicate = predicate.keeping_the_reason(projection, &program.tree, cancel)?;
        for limit in predicate.limits() {
            complain!("note: {limit}");
        }
        Ok(predicate)
    }

    fn minimise(
        &self,
        program: &Program,
        target: &Target,
        predicate: &CrashPredicate,
        output: Output,
        cancel: &Cancel,
        started: Instant,
    ) -> anyhow::Result<ExitCode> {
        let tree = &program.tree;
        let (journal, known) = output.open_journal(&self.header(program, &target.execution), self.output.resume)?;
        // A resumed run that is stopped early may not come as far as the one before it.
        let is_resumed = !known.is_empty();
        let earlier = if is_resumed { input::read(output.path()).ok() } else { None };
        let size = |candidate: &FileTree| compacted(tree, candidate).0.size();
        let is_better = |earlier: &&FileTree, result: &FileTree| size(earlier) < size(result);
        // Until the end the lines stay where they are, and headers too: only that is what was run.
        let packed = |candidate: &FileTree| {
            let result = || with_headers_of(tree, candidate);
            Ok(earlier.as_ref().filter(|earlier| is_better(earlier, candidate)).cloned().unwrap_or_else(result))
        };
        let progress = Progress::new(self.output.quiet, code_bytes(tree));
        let mut follow = Follow { packed: &packed, journal, output, progress, floor: None };
        let mut counting = CountingCode { follow: &mut follow, bests: Vec::new() };
        counting.improved(tree).map_err(anyhow::Error::msg)?;
        let limits = self.effort.limits(cancel);
        let mut found = self.search(target, tree, predicate, limits.clone(), known, &mut counting);
        let settling = Settling::new(predicate, tree, cancel);
        let mut settled = settling.settle(&found.best);
        let is_doubtful = settled.checked == Checked::Flaky && (predicate.has_trusted() || is_resumed);
        if is_doubtful && found.outcome.stop.is_none() {
            let strict = predicate.trusting_nothing();
            found = self.search(target, tree, &strict, limits, Vec::new(), &mut counting);
            settled = settling.settle(&found.best);
        }
        if is_doubtful && settled.checked == Checked::Flaky {
            settled = settling.settle(&with_headers_of(tree, &found.best));
        }
        if settled.checked == Checked::Flaky {
            found.tried = None;
            counting.bests.retain(|best| best.key() != found.best.key());
            settled = settling.latest_that_fails(&counting.bests).unwrap_or(settled);
        }
        follow.progress.clear();
        let Searched { outcome, tried, counts, .. } = found;
        let earlier = earlier.as_ref().filter(|earlier| outcome.stop.is_some() && is_better(earlier, &settled.tree));
        let result = earlier.unwrap_or(&settled.tree);
        follow.output.save(result).map_err(anyhow::Error::msg)?;
        let place = target.failure.place_in(tree).filter(|_| earlier.is_none());
        let report = Report {
            result,
            failing: place.and_then(|place| Some((place.file.clone(), settled.lines.get(&place.file, place.line)?))),
            tried,
            tests: counts.search + counts.confirm,
            tests_with_speculation: counts.run,
            runs: predicate.observer().runs(),
            seconds: started.elapsed().as_secs_f64(),
            path: follow.output.path(),
        };
        self.report(program, &target.failure, &outcome, &report)?;
        Ok(self.exit_code(&outcome, settled.checked))
    }

    fn search(
        &self,
        target: &Target,
        tree: &FileTree,
        predicate: &CrashPredicate,
        limits: Limits,
        known: Vec<(Key, Judgment)>,
        observer: &mut dyn Observer,
    ) -> Searched {
        // To read C++ takes libclang as long as it takes the compiler, which has its headers precompiled, and so does reading
        // all of several files, of which the compiler reads those that have changed.
        let gate = match &target.project.compilations[..] {
            [only] if !only.is_cpp() => Gate::new(&target.project, tree, predicate).ok(),
            _ => None,
        };
        let test: &dyn Predicate = gate.as_ref().map_or(predicate, |gate| gate);
        let mut session = Session::new(tree.clone(), test, limits, observer);
        session.remember(known);
        let Found { mut outcome, tried } = search(&mut session, target, self.strategy.into());
        if self.rename && outcome.stop.is_none() {
            outcome = rename(&mut session, target);
        }
        Searched { outcome, tried, best: session.best().clone(), counts: session.counts() }
    }

    /// The dynamic slice comes first in our own approach, and what it takes to make it can be done meanwhile.
    fn watching(
        &self,
        program: &Program,
        readers: &Arc<Readers>,
        execution: &Execution,
        cancel: &Cancel,
    ) -> Option<Watching> {
        let deadline = self.effort.limits(cancel).deadline;
        let (build, execution, tree) = (program.build.clone(), execution.clone(), program.tree.clone());
        let start =
            || Watching::start(program.project(), Arc::clone(readers), build, execution, tree, deadline, cancel);
        let has_a_core = self.effort.limits(cancel).jobs > 1;
        (self.strategy == Choice::Default && has_a_core).then(start)
    }

    fn program(&self) -> anyhow::Result<Program> {
        let program = match &self.project {
            Some(project) => crash_input::project(project, &self.files)?,
            None => crash_input::files(&self.files)?,
        };
        let program = program.built_with(&self.build)?;
        if self.preprocess { program.preprocessed() } else { Ok(program) }
    }

    fn execution(&self) -> anyhow::Result<Execution> {
        let timeout = match self.timeout {
            Some(seconds) => match Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero()) {
                Some(time) => Timeout::Fixed(time),
                None => bail!("--timeout {seconds}: it should be a number of seconds that a program can run"),
            },
            None => Timeout::Adaptive,
        };
        let stdin = crash_input::recorded_stdin().context("cannot read standard input")?;
        Ok(Execution {
            arguments: self.arguments.clone(),
            stdin,
            timeout,
            sandbox: self.sandbox,
            ..Execution::default()
        })
    }

    /// A program that compiles and does not fail is a negative answer, all else is bad input.
    fn not_failing(&self, error: CrashError, cancel: &Cancel) -> anyhow::Result<ExitCode> {
        if cancel.is_cancelled() {
            complain!("lapidary: interrupted before the reduction began");
            return Ok(ExitCode::from(exit::STOPPED));
        }
        match error {
            CrashError::DoesNotFail { .. } | CrashError::TimedOut(_) | CrashError::NoPlace(_) => {
                complain!("lapidary: {error}");
                Ok(ExitCode::from(exit::NEGATIVE))
            }
            CrashError::DoesNotCompile(errors) if errors.contains("multiple definition of `main'") => {
                bail!("these files are more than one program, name those of one:\n{errors}")
            }
            _ => Err(error.into()),
        }
    }

    /// All that a verdict or the way of the search depends on.
    fn header(&self, program: &Program, execution: &Execution) -> Header {
        let Build { compiler, cpp_compiler, flags, link_flags, sources, .. } = &program.build;
        let stdin = FileTree::file("stdin", execution.stdin.clone()).key();
        let run = vec![
            format!("arguments {}", shown(self.arguments.iter().map(|word| word.to_string_lossy()))),
            format!("an input of {} bytes ({:.8})", execution.stdin.len(), stdin.to_string()),
            format!("compilers {}", shown(compiler.iter().chain(cpp_compiler))),
            format!("--flags {} --link {}", shown(flags), shown(link_flags)),
            format!("files {}", shown(sources.iter().map(|source| source.path.to_string_lossy()))),
            format!("flags of single files {}", shown(sources.iter().flat_map(|source| &source.flags))),
            format!("--timeout {}", self.timeout.map_or("as it comes".to_owned(), |seconds| seconds.to_string())),
            format!("--sandbox {}, --rename {}", yes_or_no(self.sandbox), yes_or_no(self.rename)),
            format!("--smallest {}", yes_or_no(self.smallest)),
            format!(
                "--strategy {}",
                self.strategy.to_possible_value().map_or(String::new(), |name| name.get_name().to_owned())
            ),
        ];
        Header { journal: 1, lapidary: env!("CARGO_PKG_VERSION").into(), input: program.tree.key().to_string(), run }
    }

    fn report(
        &self,
        program: &Program,
        failure: &Failure,
        outcome: &Outcome,
        report: &Report<'_>,
    ) -> anyhow::Result<()> {
        let (before, after) = (code_bytes(&program.tree), code_bytes(report.result));
        let percent = 100.0 * after as f64 / before.max(1) as f64;
        // Who stops at once knows the program.
        if after < before || outcome.stop.is_none() {
            self.tell(&report.marked());
        }
        let place = program.path.display();
        self.tell(&format!(
            "{place}: {} of {} bytes left ({percent:.1} %), {} tests in {:.1} s",
            thousands(after),
            thousands(before),
            thousands(report.tests_with_speculation),
            report.seconds
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
        self.tell(&format!("result: {}", report.path.display()));
        let Some(path) = &self.output.json else { return Ok(()) };
        let summary = json!({
            "command": "crash",
            "input": program.path.to_string_lossy(),
            "failure": failure,
            "strategy": self.strategy.to_possible_value().map(|name| name.get_name().to_owned()),
            "bytes": { "before": before, "after": after },
            "tests": { "search": report.tests, "run": report.runs },
            "seconds": { "total": report.seconds },
            "smallest": report.tried.is_some(),
            "keeps_reason": !self.smallest,
            "line": report.failing.as_ref().map(|(_, line)| line),
            "result": report.path.to_string_lossy(),
            "complete": outcome.stop.is_none(),
        });
        summary::write_json(path, &summary)
    }

    fn tell(&self, text: &str) {
        if self.output.tells_a_person() {
            say!("{text}");
        }
    }

    fn exit_code(&self, outcome: &Outcome, checked: Checked) -> ExitCode {
        match &outcome.stop {
            Some(stop) => {
                complain!("lapidary: stopped early: {stop}; the best result so far is saved, --resume goes on");
                ExitCode::from(exit::STOPPED)
            }
            None if checked == Checked::Flaky => {
                complain!("lapidary: the result did not fail like this when it was run once more");
                ExitCode::from(exit::NEGATIVE)
            }
            None => ExitCode::from(exit::DONE),
        }
    }
}

fn shown(words: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let words: Vec<String> = words.into_iter().map(|word| format!("`{}`", word.as_ref())).collect();
    if words.is_empty() { "none".to_owned() } else { words.join(" ") }
}

fn yes_or_no(is_so: bool) -> &'static str {
    if is_so { "yes" } else { "no" }
}

/// How often the original is run: a failure that is not always the same is told by that.
const RUNS: u32 = 3;

/// What a search has found, and how.
struct Searched {
    outcome: Outcome,
    tried: Option<u32>,
    best: FileTree,
    counts: Counts,
}

fn expect_place(program: &Program, predicate: &CrashPredicate, place: &str) -> anyhow::Result<()> {
    let (file, line) = place.rsplit_once(':').with_context(|| format!("--at {place}: it should be FILE:LINE"))?;
    let line = line.parse().with_context(|| format!("--at {place}: {line} is no line"))?;
    Ok(predicate.expect_place(&program.name_of(Path::new(file)), line)?)
}
