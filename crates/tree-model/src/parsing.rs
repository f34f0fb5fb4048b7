//! Parsing within limits.
//!
//! A parser may take forever on a hostile text, so it is stopped after a while. A grammar from a
//! shared library may also crash. It therefore parses each text in a child process first, and in
//! this one only if the child survived: a syntax tree of tree-sitter cannot be passed between
//! processes.

use crate::{LanguageError, library};
use lapidary_foreign::{Answers, Death, Limits, Pool, Service, stop_count};
use rustix::time::{ClockId, Timespec, clock_gettime};
use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tree_sitter::{ParseOptions, ParseState, Tree};

/// The processor time for one text. Grammars read several megabytes in a second.
const PATIENCE: Duration = Duration::from_secs(10);

/// A parser of one language. It gives up on texts that take too long.
pub(crate) struct Parser {
    parser: tree_sitter::Parser,
    /// The library of the grammar, if it does not belong to this program.
    library: Option<PathBuf>,
}

impl Parser {
    /// Returns `None` if the grammar is not usable.
    pub(crate) fn new(grammar: &tree_sitter::Language, library: Option<PathBuf>) -> Option<Parser> {
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(grammar).ok()?;
        Some(Parser { parser, library })
    }

    /// Returns the syntax tree; `None` if the parser would crash or takes too long.
    pub(crate) fn parse(&mut self, text: &[u8]) -> Option<Tree> {
        if let Some(library) = &self.library
            && lapidary_foreign::is_available()
        {
            POOL.ask(&question(library, text), &Limits::default()).ok()?;
        }
        parse_in_time(&mut self.parser, text)
    }
}

/// Loads a grammar library in a child process, because its initialisers are foreign code too.
pub(crate) fn try_loading(library: &Path) -> Result<(), LanguageError> {
    if !lapidary_foreign::is_available() {
        return Ok(());
    }
    POOL.ask(&question(library, b""), &Limits::default()).map(drop).or_else(|death| match death {
        Death::NotStarted(_) | Death::Stopped => Ok(()),
        _ => Err(LanguageError::Load { path: library.into(), reason: death.to_string() }),
    })
}

fn parse_in_time(parser: &mut tree_sitter::Parser, text: &[u8]) -> Option<Tree> {
    let (start, stops) = (processor_time(), stop_count());
    let mut go_on = |_: &ParseState| match processor_time() - start > PATIENCE || stop_count() != stops {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    let options = ParseOptions::new().progress_callback(&mut go_on);
    let tree = parser.parse_with_options(&mut |at, _| text.get(at..).unwrap_or_default(), None, Some(options));
    if tree.is_none() {
        // Otherwise the parser would continue where it stopped, with another text.
        parser.reset();
    }
    tree
}

/// The processor time of this thread, which does not depend on what else the machine is doing.
fn processor_time() -> Duration {
    let Timespec { tv_sec, tv_nsec } = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(tv_sec.max(0) as u64, tv_nsec.clamp(0, 999_999_999) as u32)
}

/// Grammars from shared libraries in a child process.
pub static SERVICE: Service = Service { name: "grammar", open };

static POOL: Pool = Pool::new(&SERVICE);

/// The length of the library's path, the path, and the text.
fn question(library: &Path, text: &[u8]) -> Vec<u8> {
    let path = library.as_os_str().as_bytes();
    [&(path.len() as u64).to_le_bytes(), path, text].concat()
}

/// The child's side: parses, and answers nothing. Staying alive is the answer.
fn open() -> Answers {
    let mut last: Option<(PathBuf, tree_sitter::Parser)> = None;
    Box::new(move |question| {
        let Some((length, rest)) = question.split_first_chunk() else { return Vec::new() };
        let Some((path, text)) = rest.split_at_checked(u64::from_le_bytes(*length) as usize) else { return Vec::new() };
        let path = Path::new(OsStr::from_bytes(path));
        if last.as_ref().is_none_or(|(known, _)| known != path) {
            last = library::load(path).ok().and_then(|loaded| {
                let mut parser = tree_sitter::Parser::new();
                parser.set_language(&loaded.grammar).ok()?;
                Some((path.to_owned(), parser))
            });
        }
        if let Some((_, parser)) = &mut last {
            drop(parse_in_time(parser, text));
        }
        Vec::new()
    })
}
