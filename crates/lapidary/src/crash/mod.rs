//! Minimises a crash: finds the few statements of a C or C++ program that make its runtime error
//! happen.

mod included;
mod program;
mod report;
mod reproduction;
mod seen;
mod settling;

pub(crate) use included::quoted_includes;
pub use program::{Building, Program};
pub use report::CrashReport;
pub use seen::{FailureSeen, FileSeen, FrameSeen};

use crate::effort::Effort;
use crate::error::{Error, Result};
use crate::follow::{Follow, Opened};
use crate::output::{Output, Saving};
use crate::run::{Ended, Found, Known, Rechecked, Run};
use crate::tools;
use crate::watcher::Watcher;
use lapidary_clang_model::{Gate, Readers};
use lapidary_common::shell::quoted;
use lapidary_crash::minimise::{self, Approach, Target, Watching, compacted, rename};
use lapidary_crash::{Build, Closeness, CrashError, CrashPredicate, Discovery, Execution, Projection, with_headers_of};
use lapidary_predicate::{Sandbox, Timeout};
use lapidary_reduce::journal::{Of, OutputRecord};
use lapidary_reduce::{Entry, FileTree, Header, Limits, Observer, Predicate, PredicateError, Stop};
use report::{Remembering, code_bytes, sliced};
use settling::{Checked, Settled, Settling};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// How many times the original runs, to notice a failure that varies.
const RUNS: u32 = 3;

/// A crash that can be minimised: a program, and how it is run. No test is needed: a candidate
/// counts if it fails like the program, at the same statement.
///
/// ```
/// use lapidary::{Building, Crash, CrashOptions, Program};
///
/// # let place = tempfile::tempdir()?;
/// # std::env::set_current_dir(&place)?;
/// # let setup = r#"printf '%s\n' '#include <stdlib.h>' 'int unused;' 'int main(int argc, char **argv)' '{' \
/// #         '    if (argc > 2)' '        abort();' '}' >list.c"#;
/// # assert!(std::process::Command::new("sh").args(["-ec", setup]).status()?.success());
/// let program = Program::of_files(&["list.c".into()], &Building::default())?;
/// let arguments = vec!["3".into(), "-1".into()];
/// let options = CrashOptions { arguments, ..CrashOptions::default() };
/// let report = Crash::of(program, options).run(&mut ())?;
/// assert!(report.marked().contains("abort();") && !report.marked().contains("unused"));
/// # Ok::<(), lapidary::Error>(())
/// ```
pub struct Crash {
    program: Program,
    options: CrashOptions,
    since: Instant,
}

/// How a crashing program is run, and how it is minimised.
#[derive(Clone)]
pub struct CrashOptions {
    /// The arguments of the program.
    pub arguments: Vec<OsString>,
    /// The program's standard input.
    pub stdin: Vec<u8>,
    /// How long a run may take; if `None`, ten times the slowest failing run.
    pub timeout: Option<Duration>,
    /// The sandbox that the program runs in.
    pub sandbox: Option<Sandbox>,
    /// File and line where the program must fail.
    pub at: Option<(PathBuf, u32)>,
    /// The search strategy.
    pub approach: Approach,
    /// Keep only the error and its place, even if the reason for it is gone.
    pub smallest: bool,
    /// At the end, give short names to the program's own declarations.
    pub rename: bool,
    /// Where the result goes; if `None`, nothing is written.
    pub saving: Option<Saving>,
    /// Jobs, budget and cancellation.
    pub effort: Effort,
}

impl Default for CrashOptions {
    fn default() -> Self {
        CrashOptions {
            arguments: Vec::new(),
            stdin: Vec::new(),
            timeout: None,
            sandbox: None,
            at: None,
            approach: Approach::Default,
            smallest: false,
            rename: false,
            saving: None,
            effort: Effort::default(),
        }
    }
}

impl Crash {
    /// A crash of this program. Nothing runs before [`Crash::run`].
    pub fn of(program: Program, options: CrashOptions) -> Self {
        Crash { program, options, since: Instant::now() }
    }

    /// Minimises the crash. A program that does not fail is an [`Error`]; a run that is stopped
    /// early returns a report with the best result so far.
    pub fn run(self, watcher: &mut dyn Watcher) -> Result<CrashReport> {
        let _until_the_end = self.options.effort.stop_foreign_code_in_time(self.since);
        lapidary_clang::is_available().map_err(anyhow::Error::from)?;
        self.program.notes.iter().for_each(|note| watcher.warning(note));
        let execution = self.execution();
        let output = self.options.saving.as_ref().map(|saving| saving.claim(&self.program.sources())).transpose()?;
        let readers = Arc::new(Readers::default());
        let watching = self.watching(&readers, &execution);
        watcher.phase("compiling and running the program");
        let discovery = self.discover(&execution).map_err(|error| self.not_failing(error))?;
        if let Some((file, line)) = &self.options.at {
            discovery.expect_place(&self.program.name_of(file), *line).map_err(anyhow::Error::from)?;
        }
        let reproduction = discovery.reproduction.clone();
        let predicate = self.predicate(discovery, &readers).map_err(|error| self.not_failing(error))?;
        predicate.limits().iter().for_each(|limit| watcher.note(limit));
        watcher.input_fails(&predicate.failure().explain(&self.program.tree));
        if !reproduction.is_steady() {
            let rate = 100.0 * reproduction.rate();
            let runs = reproduction.runs;
            watcher.warning(&format!("the program fails like this in only {rate:.0} % of {runs} runs"));
        }
        let target = Target {
            project: self.program.project(),
            readers,
            build: self.program.build.clone(),
            execution,
            failure: predicate.failure().clone(),
            keeps_reason: !self.options.smallest,
            guards: predicate.guards(),
            fixed: predicate.fixed(),
            varying: predicate.varying(),
            cancel: self.options.effort.cancel.clone(),
            deadline: self.options.effort.limits(self.since).deadline,
            watching,
            slice: OnceLock::new(),
        };
        Ok(self.minimise(&target, &predicate, output, watcher)?)
    }

    fn discover(&self, execution: &Execution) -> Result<Discovery, CrashError> {
        let closeness = if self.options.smallest { Closeness::Error } else { Closeness::Reason };
        let (build, tree) = (self.program.build.clone(), &self.program.tree);
        CrashPredicate::discover(build, execution.clone(), tree, RUNS, closeness, &self.options.effort.cancel)
    }

    /// The predicate, which asks for the reason of the failure unless only the error counts.
    fn predicate(&self, discovery: Discovery, readers: &Readers) -> Result<CrashPredicate, CrashError> {
        if self.options.smallest {
            return Ok(discovery.same_error());
        }
        let (project, tree) = (self.program.project(), &self.program.tree);
        let units = readers.units(&project, tree).unwrap_or_default();
        let projection = Projection::of(discovery.failure(), &project, tree, &units);
        let projection = if self.options.rename { projection.with_other_names() } else { projection };
        discovery.same_reason(projection, tree, &self.options.effort.cancel)
    }

    fn minimise(
        &self,
        target: &Target,
        predicate: &CrashPredicate,
        output: Option<Output>,
        watcher: &mut dyn Watcher,
    ) -> anyhow::Result<CrashReport> {
        let tree = &self.program.tree;
        let Opened { files, known, skips, earlier } = Opened::of(output, &self.header(target), watcher)?;
        let size = |candidate: &FileTree| compacted(tree, candidate).0.size();
        let is_better = |earlier: &&FileTree, result: &FileTree| size(earlier) < size(result);
        // Until the end, lines and headers stay in place: this is the program that was run.
        let packed = |candidate: &FileTree| {
            let result = || with_headers_of(tree, candidate);
            Ok(earlier.as_ref().filter(|earlier| is_better(earlier, candidate)).cloned().unwrap_or_else(result))
        };
        let words = target.failure.explain(tree);
        let headline = words.lines().next().unwrap_or_default();
        let failing = OutputRecord::new(Of::Input, headline, b"", words.as_bytes());
        let run = Run {
            input: tree,
            files,
            earlier: earlier.as_ref(),
            packed: &packed,
            measure: code_bytes,
            size: &size,
            floor: None,
            failing: Some(FailureSeen::of(&target.failure, tree).noted_in(failing)),
        };
        let known = Known { judgments: known, skips, protected: None };
        let search = |follow: &mut Follow<'_>| {
            let mut remembering = Remembering { follow, bests: vec![tree.clone()] };
            self.search_and_settle(target, predicate, known, &mut remembering)
        };
        // The search ends with a run of the result as its user would run it.
        let check = |result: &FileTree, found: &Found<Minimised>, _: &mut dyn Watcher| {
            let settled = &found.rest.settled;
            let checked = settled.checked;
            let words = checked.words().filter(|_| found.outcome.stop.is_none());
            let printed = words.map(|words| {
                let mut again = OutputRecord::new(Of::Result, words, b"", b"");
                again.is_uninteresting = matches!(checked, Checked::Flaky);
                let Some(failure) = &settled.failure else { return again };
                let seen = FailureSeen::of(failure, result);
                seen.with_files(tree, sliced(target).as_ref(), &settled.lines).noted_in(again)
            });
            Rechecked { check: checked, printed }
        };
        let ended = run.drive(watcher, search, |best| Ok(best.clone()), check)?;
        let Ended { found, best: result, is_earlier, saved, check: checked } = ended;
        let Minimised { settled, tried } = found.rest;
        let place = target.failure.place_in(tree).filter(|_| !is_earlier);
        Ok(CrashReport {
            input: self.program.path.clone(),
            failure: target.failure.clone(),
            failure_of_result: settled.failure.filter(|_| !is_earlier),
            original: tree.clone(),
            sliced: sliced(target),
            saved,
            failing: place.and_then(|place| Some((place.file.clone(), settled.lines.get(&place.file, place.line)?))),
            lines: settled.lines,
            tried,
            approach: self.options.approach,
            keeps_reason: !self.options.smallest,
            bytes_before: code_bytes(tree),
            bytes_after: code_bytes(&result),
            result,
            counts: found.counts,
            runs: predicate.observer().runs(),
            total: self.since.elapsed(),
            stop: found.outcome.stop,
            is_flaky: checked == Checked::Flaky,
        })
    }

    /// Searches, and runs the result as its user would. If it then does not fail, searches again
    /// without trusting the shortcuts of the first search.
    fn search_and_settle(
        &self,
        target: &Target,
        predicate: &CrashPredicate,
        known: Known,
        remembering: &mut Remembering<'_, '_>,
    ) -> Found<Minimised> {
        let is_resumed = !known.judgments.is_empty();
        let (tree, limits) = (&self.program.tree, self.options.effort.limits(self.since));
        let mut found = self.search(target, predicate, limits.clone(), known, remembering);
        let settling = Settling::new(predicate, tree, &self.options.effort.cancel);
        let mut settled = settling.settle(&found.best);
        let is_doubtful = settled.checked == Checked::Flaky && (predicate.has_trusted() || is_resumed);
        if is_doubtful && found.outcome.stop.is_none() {
            let strict = predicate.trusting_nothing();
            found = self.search(target, &strict, limits, Known::default(), remembering);
            settled = settling.settle(&found.best);
        }
        if is_doubtful && settled.checked == Checked::Flaky {
            // Not all selections of this program were tried.
            found.rest = None;
            settled = settling.settle(&with_headers_of(tree, &found.best));
        }
        if settled.checked == Checked::Flaky {
            found.rest = None;
            remembering.bests.retain(|best| best.key() != found.best.key());
            settled = settling.latest_that_fails(&remembering.bests).unwrap_or(settled);
        }
        if settled.checked == Checked::NotRun && found.outcome.stop.is_none() {
            // Resuming the run gives the result its final form.
            found.outcome.stop = Some(match self.options.effort.cancel.is_cancelled() {
                true => Stop::Interrupted,
                false => Stop::Failed("the result could not be tested once more".to_owned()),
            });
        }
        let Found { outcome, counts, rest: tried, .. } = found;
        Found { outcome, counts, best: settled.tree.clone(), rest: Minimised { settled, tried } }
    }

    fn search(
        &self,
        target: &Target,
        predicate: &CrashPredicate,
        limits: Limits,
        known: Known,
        observer: &mut dyn Observer,
    ) -> Found<Option<u32>> {
        let tree = &self.program.tree;
        // A gate pays only for a single file of C. libclang needs as long for C++ as the compiler,
        // which has precompiled headers, and it reads all of several files, of which the compiler
        // reads only those that changed.
        let gate = match &target.project.compilations[..] {
            [only] if !only.is_cpp() => Gate::new(&target.project, tree, predicate).ok(),
            _ => None,
        };
        let test: &dyn Predicate = gate.as_ref().map_or(predicate, |gate| gate);
        let mut session = known.session(tree, test, limits, observer);
        let minimise::Found { mut outcome, tried } = minimise::search(&mut session, target, self.options.approach);
        if self.options.rename && outcome.stop.is_none() {
            outcome = rename(&mut session, target);
        }
        Found { outcome, best: session.best().clone(), counts: session.counts(), rest: tried }
    }

    /// Starts preparing the dynamic slice, which comes first in the default approach, if there is a
    /// core to spare.
    fn watching(&self, readers: &Arc<Readers>, execution: &Execution) -> Option<Watching> {
        let limits = self.options.effort.limits(self.since);
        let Program { build, tree, .. } = &self.program;
        let (build, execution, tree) = (build.clone(), execution.clone(), tree.clone());
        let (readers, cancel) = (Arc::clone(readers), &limits.cancel);
        let start =
            || Watching::start(self.program.project(), readers, build, execution, tree, limits.deadline, cancel);
        let has_a_core = limits.jobs > 1;
        (matches!(self.options.approach, Approach::Default) && has_a_core).then(start)
    }

    fn execution(&self) -> Execution {
        Execution {
            arguments: self.options.arguments.clone(),
            stdin: self.options.stdin.clone(),
            timeout: self.options.timeout.map_or(Timeout::Adaptive, Timeout::Fixed),
            sandbox: self.options.sandbox.clone(),
            ..Execution::default()
        }
    }

    /// The error for a program without a failure to keep. If it compiles, it is not interesting;
    /// else it is bad input.
    fn not_failing(&self, error: CrashError) -> Error {
        if self.options.effort.cancel.is_cancelled() {
            return Error::Stopped("interrupted before the reduction began".to_owned());
        }
        match error {
            CrashError::DoesNotFail { .. } | CrashError::TimedOut(_) | CrashError::NoPlace(_) => {
                let reason = error.to_string();
                let explanation = format!("{reason}{}{}", self.note_on_input(), self.sandbox_advice());
                Error::NotInteresting { reason, explanation }
            }
            CrashError::DoesNotCompile(errors) if errors.contains("multiple definition of `main'") => {
                Error::BadInput(format!("these files are more than one program; name those of one:\n{errors}"))
            }
            CrashError::Predicate(PredicateError::Disturbed(reason)) => Error::Stopped(reason),
            _ => anyhow::Error::from(error).into(),
        }
    }

    fn sandbox_advice(&self) -> &'static str {
        match self.options.sandbox {
            Some(_) => "\nnote: the program ran in a sandbox, without a network: try --sandbox=off",
            None => "",
        }
    }

    /// A note for a program that may have missed its standard input.
    fn note_on_input(&self) -> &'static str {
        const READERS: [&str; 7] = ["stdin", "scanf", "getchar", "gets(", "cin", "getline", "read("];
        let reads = |(_, entry): (&Path, &Entry)| match entry {
            Entry::File { content, .. } => {
                let text = String::from_utf8_lossy(content).into_owned();
                READERS.iter().any(|reader| text.contains(reader))
            }
            _ => false,
        };
        match self.options.stdin.is_empty() && self.program.tree.entries().any(reads) {
            true => "\nnote: its standard input was empty; give it the failing input with < FILE",
            false => "",
        }
    }

    /// The header of the journal: everything that a verdict or the search depends on.
    fn header(&self, target: &Target) -> Header {
        let execution = &target.execution;
        let Build { compiler, cpp_compiler, flags, link_flags, sources, .. } = &self.program.build;
        let options = &self.options;
        let stdin = FileTree::file("stdin", execution.stdin.clone()).key();
        let timeout = options.timeout.map(|time| time.as_secs_f64().to_string());
        let run = vec![
            format!("arguments {}", shown(options.arguments.iter().map(|word| word.to_string_lossy()))),
            format!("an input of {} bytes ({:.8})", execution.stdin.len(), stdin.to_string()),
            format!("compilers {}", shown(compiler.iter().chain(cpp_compiler))),
            format!("--flags {} --link {}", shown(flags), shown(link_flags)),
            format!("files {}", shown(sources.iter().map(|source| source.path.to_string_lossy()))),
            format!("flags of single files {}", shown(sources.iter().flat_map(|source| &source.flags))),
            format!("--timeout {}", timeout.unwrap_or("as it comes".to_owned())),
            format!("--sandbox {}, --rename {}", yes_or_no(options.sandbox.is_some()), yes_or_no(options.rename)),
            format!("--smallest {}", yes_or_no(options.smallest)),
            format!("--strategy {}", name_of(options.approach)),
        ];
        let path = self.program.path.to_string_lossy();
        let words = [path].into_iter().chain(options.arguments.iter().map(|word| word.to_string_lossy()));
        let command = words.map(|word| quoted(&word)).collect::<Vec<_>>().join(" ");
        let compilers = self.program.build.compilers_of(&self.program.tree);
        let compilers = compilers.iter().filter_map(|command| tools::compiler(command)).collect();
        Header::new(self.program.tree.key(), run)
            .describing(command, compilers)
            .of("crash", &self.program.sources())
            .reproduced_by(reproduction::of(&self.program, &self.options, &target.failure).noted())
    }
}

/// The findings of minimising besides its best result.
struct Minimised {
    settled: Settled,
    /// The number of smaller sub-programs that were tried, if these were all.
    tried: Option<u32>,
}

/// The name of an approach, as for `--strategy`.
fn name_of(approach: Approach) -> &'static str {
    match approach {
        Approach::Default => "default",
        Approach::Naive => "naive",
        Approach::Delta => "delta",
        Approach::Slicing => "slicing",
    }
}

fn shown(words: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let words: Vec<String> = words.into_iter().map(|word| format!("`{}`", word.as_ref())).collect();
    if words.is_empty() { "none".to_owned() } else { words.join(" ") }
}

fn yes_or_no(is_so: bool) -> &'static str {
    if is_so { "yes" } else { "no" }
}
