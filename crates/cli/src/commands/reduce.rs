//! `lapidary reduce`: makes a failing input small.

pub mod wrong_order;

use super::bundle::with_page;
use crate::progress::Progress;
#[cfg(feature = "remote")]
use crate::remote_options::RemoteOptions;
use crate::run_options::{EffortOptions, FileOptions, Surroundings};
use crate::sandbox_option::{Foreign, SandboxOption};
use crate::say::{complain, say};
use crate::shared_options::SeedOption;
use crate::signals::handles;
use crate::test_options::TestOptions;
use crate::view_options::{Beside, ViewOptions};
use crate::{exit, summary};
use anyhow::bail;
use clap::Args;
use lapidary::{Bundle, Check, Freedom, Reduction, Report, SandboxMode, Subject};
use lapidary_live::About;
use lapidary_reduce::strategy::NAMES;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "lapidary reduce [OPTIONS] INPUT -- TEST [ARGS]...
       lapidary reduce [OPTIONS] INPUT --worker CMD
       lapidary reduce [OPTIONS] APP.jar --decompiler NAME";

/// Make a failing input small while keeping it valid
///
/// TEST runs in a fresh directory that holds the candidate under its own name;
/// `{}` in its arguments stands for the candidate's path. Exit code 0 means
/// "still fails", as with C-Reduce.
///
///   lapidary reduce bug.c -- ./still-crashes.sh
///   lapidary reduce bug.py --expect 'stderr~RecursionError' -- python3 tool.py {}
///   lapidary reduce project/ --preserve exit,stderr --normalise lines,paths -- make -C {}
///   lapidary reduce app.jar --classpath 'lib/*' --decompiler cfr
#[derive(Args)]
#[command(verbatim_doc_comment, override_usage = USAGE)]
pub struct Reduce {
    /// The failing input: a file or a directory. It is never changed.
    #[arg(required_unless_present = "model")]
    input: Option<PathBuf>,

    /// The test and its arguments.
    #[arg(
        last = true,
        required_unless_present_any = ["worker", "decompiler"],
        conflicts_with_all = ["worker", "decompiler"],
        value_name = "TEST"
    )]
    test: Vec<OsString>,

    #[command(flatten)]
    search: SearchOptions,

    #[command(flatten)]
    test_options: TestOptions,

    #[command(flatten)]
    sandbox: SandboxOption,

    /// A command that starts each test elsewhere, such as 'srun --exclusive -n1'.
    ///
    /// CMD is a program with its arguments, as a shell reads them; the test and its arguments follow
    /// it. Candidates are in TMPDIR, which must be on a file system that both sides share.
    #[arg(long, value_name = "CMD")]
    runner: Option<String>,

    #[cfg(feature = "remote")]
    #[command(flatten)]
    remote: RemoteOptions,

    #[command(flatten)]
    files: FileOptions,

    #[command(flatten)]
    view: ViewOptions,
}

#[derive(Args)]
#[command(next_help_heading = "Input and search")]
pub struct SearchOptions {
    /// The kind of the input [default: recognised by its name and content]: java, java-classes,
    /// java-statements, java-parameters, java-collapse, java-manifest, tree:LANG, tree:GRAMMAR.so,
    /// c, cpp, lines, tokens, bytes, dir, fji.
    #[arg(long = "as", value_name = "KIND")]
    kind: Option<String>,

    #[command(flatten)]
    surroundings: Surroundings,

    /// A model made by another program (docs/reference/model-format.md).
    #[arg(long, value_name = "FILE", conflicts_with = "kind")]
    model: Option<PathBuf>,

    /// The search strategy [default: the best for the model].
    #[arg(long, value_name = "NAME", value_parser = strategy_names())]
    strategy: Option<String>,

    /// Parts that must stay; may be given several times.
    ///
    /// Where items have names (Java programs, fji, --model), the items whose label matches stay;
    /// `lapidary model --items` prints the labels. In a Java program, so does everything in the
    /// code of a method if the label of the code (`...!code`) matches. In a directory, the files
    /// whose path matches stay; elsewhere, all matching text.
    #[arg(long, value_name = "REGEX")]
    keep: Vec<String>,

    /// Do not rename identifiers.
    #[arg(long)]
    no_rename: bool,

    /// Only remove parts; the rest stays as its author wrote it.
    #[arg(long)]
    readable: bool,

    #[command(flatten)]
    effort: EffortOptions,

    #[command(flatten)]
    random: SeedOption,
}

fn strategy_names() -> clap::builder::PossibleValuesParser {
    NAMES.iter().map(|(name, about)| clap::builder::PossibleValue::new(*name).help(*about)).collect::<Vec<_>>().into()
}

impl Reduce {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        if let (Some(input), [test, ..]) = (&self.input, &self.test[..])
            && let Some(advice) = wrong_order::exchanged(input, test)
        {
            bail!("{} is not a program: {advice}", test.display());
        }
        let handles = handles()?;
        let inputs: Vec<PathBuf> = [&self.input, &self.search.model].into_iter().flatten().cloned().collect();
        let input = self.input.as_ref().filter(|input| input.exists());
        let written = input.map_or_else(Vec::new, |input| self.files.written(input));
        let of_test = self.test.iter().map(PathBuf::from).filter(|word| word.is_file());
        let read: Vec<PathBuf> = inputs.iter().cloned().chain(of_test).collect();
        let beside = Beside { quiet: self.files.quiet, written, read: &read };
        let about = About {
            command: "reduce",
            input: inputs.first().map_or_else(String::new, |input| input.display().to_string()),
            budget: self.search.effort.budget,
        };
        let mut view = self.view.begin(about, "checking the test on the input", beside, handles.clone())?;
        let subject = self.subject()?;
        let path = subject.path().to_owned();
        let saving = self.files.saving(&path, subject.files())?;
        self.files.check_bundle()?;
        let (journal, cancel) = (saving.journal(), handles.cancel.clone());
        let search = &self.search;
        let mut reduction = Reduction::of(subject)
            .test(self.command()?)
            .save(saving)
            .effort(search.effort.effort(&handles))
            .keep(&search.keep)
            .freedom(Freedom { rename: !search.no_rename && !search.readable, rewrite: !search.readable })
            .seed(search.random.seed);
        if let Some(strategy) = &search.strategy {
            reduction = reduction.strategy(strategy);
        }
        let mut progress = Progress::new(&view, self.files.quiet);
        if self.test_options.decompiler.is_some() && self.files.tells_a_person() {
            progress = progress.on_failure(show_errors);
        }
        let report = reduction.run(&mut progress)?;
        view.end();
        let reported = self.report(&report);
        let packed = self.files.pack(|| with_page(Bundle::of_journal(&journal), &journal), &cancel);
        let code = exit_code(&report, reported);
        packed.map(|()| code)
    }

    /// The test, and where it runs.
    fn command(&self) -> anyhow::Result<lapidary::Command> {
        let command = self.test_options.command(&self.test).sandbox(self.sandbox.choose(self.foreign())?);
        let command = command.runner(self.runner.clone());
        #[cfg(feature = "remote")]
        let command = command.remote(self.remote.farm());
        Ok(command)
    }

    /// The test is the user's own and often needs the world: services, caches, a licence server.
    fn foreign(&self) -> Foreign {
        Foreign { code: "the test", default: SandboxMode::Off, quiet: self.files.quiet, is_limited: true }
    }

    fn subject(&self) -> anyhow::Result<Subject> {
        Ok(match (&self.search.model, &self.input) {
            (Some(model), input) => Subject::from_model(model, input.as_deref())?,
            (None, Some(path)) => {
                Subject::open_as(path, &self.search.surroundings.reading(self.search.kind.as_deref()))?
            }
            (None, None) => unreachable!("clap asks for an input or a model"),
        })
    }

    fn report(&self, report: &Report) -> anyhow::Result<()> {
        if self.files.tells_a_person() {
            summary::print(report);
        }
        let summary = self.files.json.as_ref().map_or(Ok(()), |path| summary::write_json(path, &report.json()));
        summary::first_failure([summary, self.files.write_page(report.saved.as_deref())])
    }
}

/// Prints the compiler errors of the decompiled input.
fn show_errors(errors: &str) {
    const FEW: usize = 5;
    let count = errors.lines().count();
    say!("the decompiled input gives {count} compiler {}:", if count == 1 { "error" } else { "errors" });
    errors.lines().take(FEW).for_each(|line| say!("  {line}"));
    if count > FEW {
        say!("  … and {} more; with --expect 'stdout~MESSAGE', one of them is enough", count - FEW);
    }
}

fn exit_code(report: &Report, reported: anyhow::Result<()>) -> ExitCode {
    if let Err(error) = &reported {
        complain!("lapidary: {error:#}");
    }
    if let Some(stop) = &report.stop {
        complain!("lapidary: stopped early: {stop}; the best result so far is saved, --resume continues");
        return ExitCode::from(exit::STOPPED);
    }
    match &report.check {
        Check::Flaky => {
            complain!(
                "lapidary: the test is flaky: run once more, it did not find the result interesting; see --repeat"
            );
            ExitCode::from(exit::NEGATIVE)
        }
        Check::NotRun(reason) => {
            complain!("lapidary: the result was not tested once more: {reason}");
            ExitCode::from(exit::STOPPED)
        }
        Check::Interesting if reported.is_err() => ExitCode::from(exit::STOPPED),
        Check::Interesting => ExitCode::from(exit::DONE),
    }
}
