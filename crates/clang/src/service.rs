//! libclang as a service of child processes: how questions and answers become bytes.
//!
//! A question is a header in postcard's format, followed by the texts of the sources one after the
//! other. Paths are bytes, because file names need not be text.

use crate::kept_unit::KeptUnit;
use crate::library::{LoadError, enter};
use crate::{Compilation, Complaint, ParseError, SourceFile, Sources, Syntax, check, unit};
use lapidary_foreign::{Answers, ChildNumber, Death, Limits, Pool, Service};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// libclang in a child process.
pub static SERVICE: Service = Service { name: "libclang", open };

static POOL: Pool = Pool::new(&SERVICE);

/// The kinds of questions. Those about a kept unit depend on earlier questions, though only in the
/// time they take.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) enum Asked {
    /// Whether libclang can be loaded.
    Available,
    Syntax,
    ComplaintsAboutDeclarations,
    /// The tree of a kept unit.
    SyntaxOf(UnitNumber),
    /// The errors in a kept unit.
    ComplaintsOf(UnitNumber),
    /// Free a kept unit.
    Forget(UnitNumber),
}

/// Tells the kept units of a child apart.
pub(crate) type UnitNumber = u64;

#[derive(Serialize, Deserialize)]
struct Header {
    asked: Asked,
    file: Vec<u8>,
    arguments: Vec<String>,
    /// The path of each source and the length of its text.
    sources: Vec<(Vec<u8>, usize)>,
}

/// An error as it crosses between processes. The file is known on the other side.
#[derive(Serialize, Deserialize)]
enum Refusal {
    Load(LoadError),
    Failed(String),
    Name(Vec<u8>),
}

/// A unit that is kept in a child, so that its headers need not be read again.
///
/// Starting a child takes longer than reading a small program, so one child keeps the units of
/// several readers. If it is busy, another child reads the unit anew and keeps it from then on.
pub(crate) struct UnitInChild {
    number: UnitNumber,
    /// The child that has the unit.
    home: Option<ChildNumber>,
}

impl UnitInChild {
    pub fn new() -> UnitInChild {
        static UNITS: AtomicU64 = AtomicU64::new(0);
        UnitInChild { number: UNITS.fetch_add(1, Ordering::Relaxed), home: None }
    }

    /// Asks about this unit. The answer still has to be decoded.
    pub fn ask(
        &mut self,
        asked: impl Fn(UnitNumber) -> Asked,
        sources: &Sources,
        compilation: &Compilation,
    ) -> Result<Vec<u8>, ParseError> {
        let before = self.home;
        let answer = ask_at(&mut self.home, asked(self.number), sources, compilation);
        before.filter(|before| self.home != Some(*before)).into_iter().for_each(|before| self.forget(before));
        answer
    }

    /// Frees the unit in a child, where it may take hundreds of megabytes. In a child that is busy
    /// it stays.
    fn forget(&self, home: ChildNumber) {
        let question = encoded(Asked::Forget(self.number), &Sources::default(), &Compilation::default());
        POOL.tell(home, &question, &Limits::default());
    }
}

impl Drop for UnitInChild {
    fn drop(&mut self) {
        self.home.into_iter().for_each(|home| self.forget(home));
    }
}

/// Asks any child. The answer still has to be decoded.
pub(crate) fn ask(asked: Asked, sources: &Sources, compilation: &Compilation) -> Result<Vec<u8>, ParseError> {
    ask_at(&mut None, asked, sources, compilation)
}

fn ask_at(
    home: &mut Option<ChildNumber>,
    asked: Asked,
    sources: &Sources,
    compilation: &Compilation,
) -> Result<Vec<u8>, ParseError> {
    let question = encoded(asked, sources, compilation);
    let is_sound = |answer: &[u8]| answer.split_first().is_some_and(|(mark, rest)| *mark == 0 || !is_suspect(rest));
    let answer =
        POOL.ask_at(home, &question, &Limits::default(), is_sound).map_err(|death| died(compilation, &death))?;
    match answer.split_first() {
        Some((0, rest)) => Ok(rest.to_vec()),
        Some((_, rest)) => Err(refusal(rest, compilation)),
        None => Err(unreadable()),
    }
}

/// Whether libclang may be in a bad state: it catches some of its own crashes.
fn is_suspect(refusal: &[u8]) -> bool {
    !matches!(decoded(refusal), Ok(Refusal::Load(_)))
}

fn died(compilation: &Compilation, death: &Death) -> ParseError {
    ParseError::Failed { file: compilation.file.clone(), reason: death.to_string() }
}

pub(crate) fn syntax_of(answer: &[u8], sources: &Sources) -> Result<Syntax, ParseError> {
    let syntax: Syntax = decoded(answer)?;
    Ok(Syntax { files: sources.files.clone(), ..syntax })
}

pub(crate) fn complaints_of(answer: &[u8]) -> Result<Vec<Complaint>, ParseError> {
    decoded(answer)
}

fn decoded<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ParseError> {
    postcard::from_bytes(bytes).map_err(|_| unreadable())
}

fn unreadable() -> ParseError {
    ParseError::Load(LoadError("its process gives answers that cannot be read".to_owned()))
}

fn refusal(bytes: &[u8], compilation: &Compilation) -> ParseError {
    match decoded(bytes) {
        Ok(Refusal::Load(error)) => ParseError::Load(error),
        Ok(Refusal::Failed(reason)) => ParseError::Failed { file: compilation.file.clone(), reason },
        Ok(Refusal::Name(file)) => ParseError::Name { file: OsStr::from_bytes(&file).into() },
        Err(error) => error,
    }
}

fn encoded(asked: Asked, sources: &Sources, compilation: &Compilation) -> Vec<u8> {
    let header = Header {
        asked,
        file: bytes_of(&compilation.file),
        arguments: compilation.arguments.clone(),
        sources: sources.files.iter().map(|file| (bytes_of(&file.path), file.text.len())).collect(),
    };
    let mut question = postcard::to_stdvec(&header).expect("a header can be written to memory");
    sources.files.iter().for_each(|file| question.extend_from_slice(&file.text));
    question
}

fn bytes_of(path: &Path) -> Vec<u8> {
    path.as_os_str().as_bytes().to_vec()
}

/// The child's side, with the units that it keeps.
fn open() -> Answers {
    crash_at_once();
    let mut kept = BTreeMap::new();
    Box::new(move |question| {
        let answer = read(question).and_then(|(asked, sources, compilation)| {
            answered(asked, &sources, compilation, &mut kept).map_err(|error| match error {
                ParseError::Load(error) => Refusal::Load(error),
                ParseError::Failed { reason, .. } => Refusal::Failed(reason),
                ParseError::Name { file } => Refusal::Name(bytes_of(&file)),
            })
        });
        answer.unwrap_or_else(|refusal| marked(1, &refusal))
    })
}

/// Stops libclang from surviving its crashes, which takes it seconds. This process is replaced
/// anyway.
fn crash_at_once() {
    // SAFETY: libclang, which reads it, is not loaded yet, and no other thread uses the environment.
    unsafe { std::env::set_var("LIBCLANG_DISABLE_CRASH_RECOVERY", "1") }
}

fn read(question: &[u8]) -> Result<(Asked, Sources, Compilation), Refusal> {
    let unreadable = || Refusal::Failed("the question cannot be read".to_owned());
    let (header, mut texts) = postcard::take_from_bytes::<Header>(question).map_err(|_| unreadable())?;
    let mut files = Vec::new();
    for (path, length) in header.sources {
        let (text, rest) = texts.split_at_checked(length).ok_or_else(unreadable)?;
        files.push(SourceFile { path: OsStr::from_bytes(&path).into(), text: text.into() });
        texts = rest;
    }
    let compilation = Compilation { file: OsStr::from_bytes(&header.file).into(), arguments: header.arguments };
    Ok((header.asked, Sources { files }, compilation))
}

fn answered(
    asked: Asked,
    sources: &Sources,
    compilation: Compilation,
    kept: &mut BTreeMap<UnitNumber, KeptUnit>,
) -> Result<Vec<u8>, ParseError> {
    Ok(match asked {
        Asked::Available => marked(0, &enter()?),
        Asked::Syntax => marked(0, &unit::parse(sources, &compilation)?),
        Asked::ComplaintsAboutDeclarations => marked(0, &check::complaints_about_declarations(sources, &compilation)?),
        Asked::SyntaxOf(number) => {
            let unit = kept.entry(number).or_insert_with(|| KeptUnit::new(compilation));
            marked(0, &unit.syntax(sources)?)
        }
        Asked::ComplaintsOf(number) => {
            let unit = kept.entry(number).or_insert_with(|| KeptUnit::new(compilation));
            marked(0, &unit.complaints(sources)?)
        }
        Asked::Forget(number) => {
            kept.remove(&number);
            marked(0, &())
        }
    })
}

/// The bytes of an answer: 0 for what was asked for, 1 for a refusal.
fn marked(mark: u8, answer: &impl Serialize) -> Vec<u8> {
    postcard::to_extend(answer, vec![mark]).expect("an answer can be written to memory")
}
