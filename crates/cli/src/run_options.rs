//! Options that several commands share: how to read the input, where the result goes, how many
//! tests run at once, when to stop.

use crate::budget;
use crate::commands::bundle::pack;
use crate::commands::report;
use crate::say::complain;
use crate::shared_options::asked;
use anyhow::bail;
use clap::Args;
use lapidary::{
    Budget, Bundle, Cancel, DocumentKind, Effort, Existing, Reading, Saving, Written, default_path, must_be_apart,
};
use lapidary_live::Handles;
use std::path::{Path, PathBuf};

/// Options that are needed to read an input.
#[derive(Args, Clone)]
pub struct Surroundings {
    /// Directories and jars with the classes that a Java program uses, separated by `:`; `lib/*`
    /// means all jars in lib.
    #[arg(long, value_name = "PATHS", value_delimiter = ':')]
    pub classpath: Vec<PathBuf>,

    /// Compiler flags that matter for reading a C or C++ file, as one argument: '-std=c++20
    /// -Iinclude -DDEBUG'.
    #[arg(long, value_name = "FLAGS", value_delimiter = ' ', allow_hyphen_values = true)]
    pub cflags: Vec<String>,
}

impl Surroundings {
    /// How to read an input of this kind; without a kind, it is recognised.
    pub fn reading(&self, kind: Option<&str>) -> Reading {
        Reading {
            kind: kind.map(str::to_owned),
            class_path: self.classpath.clone(),
            compiler_flags: self.cflags.clone(),
        }
    }
}

#[derive(Args)]
#[command(next_help_heading = "Where results go")]
pub struct FileOptions {
    /// Where the result goes [default: NAME.reduced.EXT beside the input].
    #[arg(long, short, value_name = "PATH")]
    pub out: Option<PathBuf>,

    /// Continue an interrupted run without repeating its tests.
    #[arg(long, conflicts_with = "force")]
    pub resume: bool,

    /// Replace the result of an earlier run.
    #[arg(long)]
    pub force: bool,

    /// Write a summary as JSON to this file (`-` for standard output).
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Write a page that shows what happened to this file: HTML that needs no network.
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,

    /// Also pack the result for a bug tracker: a folder, and a zip archive beside it.
    #[arg(long, value_name = "DIR")]
    pub bundle: Option<PathBuf>,

    /// Print nothing but errors.
    #[arg(long, short)]
    pub quiet: bool,
}

impl FileOptions {
    fn result(&self, named_after: &Path) -> PathBuf {
        self.out.clone().unwrap_or_else(|| default_path(named_after))
    }

    /// All files that a run writes.
    pub fn written(&self, named_after: &Path) -> Vec<Written> {
        let more =
            asked(&[(DocumentKind::Summary, "--json", &self.json), (DocumentKind::Page, "--report", &self.report)]);
        Saving::to(self.result(named_after)).written().into_iter().chain(more).collect()
    }

    /// Where the result goes: to `--out`, or to a path named after the input. Makes sure that
    /// nothing overwrites the inputs or the result.
    pub fn saving(&self, named_after: &Path, inputs: &[PathBuf]) -> anyhow::Result<Saving> {
        let path = self.result(named_after);
        if path == Path::new("-") {
            bail!(
                "the result cannot go to standard output, because the best so far is always on disk; name a file with --out"
            );
        }
        let saving = Saving { path, existing: existing(self.force, self.resume) };
        must_be_apart(&self.written(named_after), inputs)?;
        Ok(saving)
    }

    /// Writes the page of `--report` about the run that saved this result.
    pub fn write_page(&self, saved: Option<&Path>) -> anyhow::Result<()> {
        let (Some(page), Some(saved)) = (&self.report, saved) else { return Ok(()) };
        let journal = Saving::to(saved).journal();
        report::write(&journal, page)?;
        if !self.quiet {
            complain!("lapidary: the report is in {}", page.display());
        }
        Ok(())
    }

    /// Makes sure before a run that its bundle can be written. A bundle of an earlier run may be
    /// replaced if its result may.
    pub fn check_bundle(&self) -> anyhow::Result<()> {
        self.bundle.as_ref().map_or(Ok(()), |directory| Ok(Bundle::check_place(directory, self.replaces_bundle())?))
    }

    /// Packs the result, if that was asked for.
    pub fn pack(&self, bundle: impl FnOnce() -> Bundle, cancel: &Cancel) -> anyhow::Result<()> {
        let Some(directory) = &self.bundle else { return Ok(()) };
        pack(bundle(), directory, self.replaces_bundle(), cancel, self.tells_a_person())
    }

    fn replaces_bundle(&self) -> bool {
        self.force || self.resume
    }

    /// Whether standard output is for a person. It is not if the JSON goes there.
    pub fn tells_a_person(&self) -> bool {
        !self.quiet && self.json.as_deref() != Some(Path::new("-"))
    }
}

/// The treatment of an earlier result that `--force` and `--resume` ask for.
pub fn existing(force: bool, resume: bool) -> Existing {
    match (force, resume) {
        (true, _) => Existing::Replace,
        (_, true) => Existing::Resume,
        _ => Existing::Refuse,
    }
}

#[derive(Args)]
pub struct EffortOptions {
    /// Number of tests that run at once [default: number of cores].
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,

    /// Stop after this many tests (500) or this much time (90s, 5m, 2h), with the best result
    /// saved.
    #[arg(long, value_name = "TESTS|TIME", value_parser = budget::budget)]
    pub budget: Option<Budget>,
}

impl EffortOptions {
    /// Jobs and budget of a run with these handles.
    pub fn effort(&self, handles: &Handles) -> Effort {
        let Handles { cancel, control } = handles.clone();
        Effort { jobs: self.jobs.map(usize::from), budget: self.budget, cancel, control }
    }
}
