//! A bundle for a bug tracker: a folder and a zip archive that show a failure without Lapidary.
//!
//! `record.rs` is what a run notes in its journal, `gather.rs` reads it back, `contents.rs` decides
//! what goes in, `script/` writes `reproduce.sh`, `check.rs` tries it, and `place.rs` writes
//! everything.
//!
//! Invariant: nothing goes in but the input, the files that its test names, versions, and variables
//! of the environment that compilers obey. Secrets on command lines are left out, and so are files
//! that hold secrets.

mod archive;
mod baseline;
mod calls;
mod check;
mod contents;
mod environment;
mod ere;
mod gather;
mod headers;
mod included;
mod issue;
mod mentions;
mod output;
mod perl;
mod place;
mod plain;
mod private;
pub(crate) mod record;
mod script;
mod secrets;
mod shell;
mod sources;
pub(crate) mod travel;
mod versions;

pub(crate) use baseline::of_test;
pub use calls::FindingWords;
pub use check::Shown;

use crate::error::{Error, Result};
use crate::output::journal_meant_by;
use check::{Trial, Tried, tried};
use contents::Contents;
use gather::Case;
use issue::Issue;
use lapidary_reduce::{Cancel, Entry, FileTree};
use record::{Bytes, How};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A bundle that can be made of a run: a folder and a zip archive with the reduced input, a script
/// that shows the failure without Lapidary, versions, output, and an issue in Markdown.
///
/// ```
/// use lapidary::{Bundle, Command, Reduction, Saving, Shown, Subject};
///
/// # let place = tempfile::tempdir()?;
/// # let input = place.path().join("notes.txt");
/// # std::fs::write(&input, "one\ntwo\nthree\nfour\n")?;
/// # let saving = Saving::to(place.path().join("small.txt"));
/// let journal = saving.journal();
/// Reduction::of(Subject::open(&input)?)
///     .test(Command::new("grep").args(["-q", "three", "{}"]))
///     .save(saving)
///     .run(&mut ())?;
/// let report = Bundle::of_journal(&journal).to(place.path().join("for-the-tracker")).run()?;
/// assert_eq!(report.shown, Shown::Reproduced);
/// assert!(report.directory.join("reproduce.sh").is_file());
/// # Ok::<(), lapidary::Error>(())
/// ```
pub struct Bundle {
    source: Source,
    directory: Option<PathBuf>,
    replace: bool,
    stdin: Option<Vec<u8>>,
    more: BTreeMap<PathBuf, Vec<u8>>,
    cancel: Cancel,
}

/// Where the contents come from.
enum Source {
    Journal(PathBuf),
    Found(Box<Case>),
}

/// A bundle that was packed.
#[derive(Clone, Debug)]
pub struct BundleReport {
    /// The folder.
    pub directory: PathBuf,
    /// The zip archive, with its size.
    pub archive: (PathBuf, u64),
    /// The files in the folder, with their sizes.
    pub files: Vec<(PathBuf, u64)>,
    /// Things that a reader may miss, in words.
    pub missing: Vec<String>,
    /// How `reproduce.sh` went when it was tried.
    pub shown: Shown,
}

impl Bundle {
    /// A bundle of the run that wrote a journal. The path may also be that of its result. Nothing
    /// is read before [`Bundle::run`].
    pub fn of_journal(journal: impl AsRef<Path>) -> Bundle {
        Bundle::with(Source::Journal(journal_meant_by(journal.as_ref())))
    }

    pub(crate) fn of_case(case: Case) -> Bundle {
        Bundle::with(Source::Found(Box::new(case)))
    }

    fn with(source: Source) -> Bundle {
        Bundle {
            source,
            directory: None,
            replace: false,
            stdin: None,
            more: BTreeMap::new(),
            cancel: Cancel::default(),
        }
    }

    /// Sets the folder; by default, `RESULT.bundle` beside the result. The archive goes beside it.
    pub fn to(mut self, directory: impl Into<PathBuf>) -> Bundle {
        self.directory = Some(directory.into());
        self
    }

    /// Replaces an earlier bundle.
    pub fn replace(mut self, replace: bool) -> Bundle {
        self.replace = replace;
        self
    }

    /// Sets the standard input of a program, which a journal keeps only if it is short.
    pub fn stdin(mut self, bytes: Vec<u8>) -> Bundle {
        self.stdin = Some(bytes);
        self
    }

    /// Adds a file, such as a page about the run.
    pub fn with_file(mut self, path: impl Into<PathBuf>, content: Vec<u8>) -> Bundle {
        self.more.insert(path.into(), content);
        self
    }

    /// Ends the trial of the script when `cancel` fires.
    pub fn cancel(mut self, cancel: Cancel) -> Bundle {
        self.cancel = cancel;
        self
    }

    /// Makes sure that a bundle can be written to a folder, before any work is done for it.
    pub fn check_place(directory: &Path, replace: bool) -> Result<()> {
        Ok(place::check(directory, replace)?)
    }

    /// Gathers the files, tries the script, and writes everything.
    pub fn run(self) -> Result<BundleReport> {
        let directory = self.place()?;
        place::check(&directory, self.replace)?;
        let Bundle { source, stdin, more, cancel, .. } = self;
        let (mut case, journal) = match source {
            Source::Journal(journal) => (gather::case(&journal)?, Some(journal)),
            Source::Found(case) => (*case, None),
        };
        if let (Some(bytes), How::Program(run)) = (stdin, &mut case.reproduction.how) {
            run.stdin = Bytes::of(&bytes);
            case.missing.retain(|line| line != LONG_STDIN);
        }
        let mut hidden = vec![PathBuf::from(&case.reproduction.directory)];
        hidden.extend(journal.iter().filter_map(|journal| Some(journal.canonicalize().ok()?.parent()?.to_owned())));
        let making = Making { case, hidden, more, cancel };
        let (tree, report) = making.made(&directory)?;
        place::write(&directory, &tree)?;
        let archive = place::archive_of(&directory);
        let size = archive.metadata().map_err(Error::from)?.len();
        Ok(BundleReport { archive: (archive, size), directory, ..report })
    }

    fn place(&self) -> Result<PathBuf> {
        let given = self.directory.as_ref().map(|directory| directory.components().collect::<PathBuf>());
        match (given, &self.source) {
            (Some(directory), _) => Ok(directory),
            (None, Source::Journal(journal)) => {
                let mut name = gather::result_of(journal)?.into_os_string();
                name.push(".bundle");
                Ok(name.into())
            }
            (None, Source::Found(_)) => Err(Error::BadInput("a bundle needs a directory".to_owned())),
        }
    }
}

/// The words of a journal that could not keep the standard input of a program.
pub(crate) const LONG_STDIN: &str = "the standard input of the program, which was too long for the journal";

struct Making {
    case: Case,
    hidden: Vec<PathBuf>,
    more: BTreeMap<PathBuf, Vec<u8>>,
    cancel: Cancel,
}

impl Making {
    /// The bundle as a tree, and the report about it.
    fn made(mut self, directory: &Path) -> Result<(FileTree, BundleReport)> {
        let name = directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut contents = Contents::of(&self.case.reproduction, &self.case.input);
        self.place_input(&mut contents);
        let mut tried = self.tried(&mut contents, &name);
        let output = output::text(&tried);
        if let How::Call(run) = &self.case.reproduction.how {
            tried.stdout = calls::in_words(&tried.stdout, &run.method[2]);
        }
        self.explain(&mut contents, &tried);
        let lapidary = &self.case.lapidary;
        let by = if matches!(self.case.reproduction.how, How::Call(_)) { "found" } else { "reduced" };
        let versions = versions::text(&self.case.tools, &contents.tools, by, lapidary);
        contents.missing.extend(std::mem::take(&mut self.case.missing));
        let missing: Vec<String> = contents.missing.iter().cloned().collect();
        let issue = self.issue(&contents, &tried, &versions, &missing, &name);
        let texts = [("versions.txt", versions), ("output.txt", output), ("ISSUE.md", issue)];
        let mut entries = contents.entries;
        entries.extend(texts.map(|(path, text)| (path.into(), Entry::file(text.into_bytes()))));
        entries.extend(self.more.into_iter().map(|(path, content)| (path, Entry::file(content))));
        let size = |(path, entry): (&PathBuf, &Entry)| (path.clone(), entry.bytes());
        let report = BundleReport {
            directory: PathBuf::new(),
            archive: (PathBuf::new(), 0),
            files: entries.iter().map(size).collect(),
            missing,
            shown: tried.shown,
        };
        Ok((FileTree::directory(name, entries), report))
    }

    /// Puts the input under its own name, and the script beside it.
    fn place_input(&self, contents: &mut Contents) {
        let input = &self.case.input;
        let below = Path::new("input").join(input.name());
        for (path, entry) in input.entries() {
            let path = if path.as_os_str().is_empty() { below.clone() } else { below.join(path) };
            contents.entries.insert(path, entry.clone());
        }
        if let Some(script) = &contents.script {
            let content = script.clone().into_bytes().into();
            contents.entries.insert("reproduce.sh".into(), Entry::File { content, executable: true });
        }
    }

    /// Tries the script, and keeps what a decompiler wrote.
    fn tried(&self, contents: &mut Contents, name: &str) -> Tried {
        if contents.script.is_none() {
            return Tried::not_run("there is no reproduce.sh");
        }
        let tree = FileTree::directory(name, contents.entries.clone());
        let (hidden, jars) = (self.hidden.clone(), contents.jars.clone());
        let trial = Trial { tree: &tree, hidden, is_foreign: contents.is_foreign, jars, cancel: self.cancel.clone() };
        let tried = tried(&trial);
        let decompiled = tried.decompiled.iter().flat_map(FileTree::entries);
        let sources = decompiled.filter(|(path, _)| path.extension().is_some_and(|extension| extension == "java"));
        contents.entries.extend(sources.map(|(path, entry)| (Path::new("decompiled").join(path), entry.clone())));
        contents.entries.extend(sources::of(&self.case.input, tried.decompiled.is_none()));
        if matches!(self.case.reproduction.how, How::Analysis(_)) {
            contents.entries.extend(sources::decompiled(&self.case.input));
        }
        tried
    }

    fn explain(&self, contents: &mut Contents, tried: &Tried) {
        match &tried.shown {
            Shown::OnlyHere(why) => {
                _ = contents
                    .missing
                    .insert(format!("reproduce.sh needs more of this machine than the bundle has: without it, {why}"))
            }
            Shown::NotReproduced(why) => {
                contents.missing.insert(format!("reproduce.sh did not show the failure when it was tried: {why}"));
            }
            Shown::Reproduced | Shown::NotRun(_) => return,
        }
        contents.missing.extend(std::mem::take(&mut contents.partly));
    }

    fn issue(&self, contents: &Contents, tried: &Tried, versions: &str, missing: &[String], name: &str) -> String {
        let archive = format!("{name}.zip");
        let issue = Issue {
            title: contents.title.clone(),
            summary: contents.summary.clone(),
            archive: &archive,
            has_script: contents.script.is_some(),
            command: contents.command.clone(),
            called: contents.called.clone(),
            zero_means: contents.zero_means,
            seen: self.case.seen.as_ref(),
            here: &self.case.reproduction.directory,
            expected: contents.expected,
            input: &self.case.input,
            tried,
            versions,
            found: self.case.found.clone(),
            missing,
            sources: sources_in(contents),
        };
        issue.text()
    }
}

/// The sources that a decompiler wrote, as text.
fn sources_in(contents: &Contents) -> Vec<(String, String)> {
    let sources = contents.entries.iter().filter_map(|(path, entry)| match entry {
        Entry::File { content, .. } if path.starts_with("decompiled") => {
            let is_source = path.extension().is_some_and(|extension| extension == "java");
            is_source.then(|| (path.display().to_string(), String::from_utf8_lossy(content).into_owned()))
        }
        _ => None,
    });
    sources.collect()
}
