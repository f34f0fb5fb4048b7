//! Parsing within limits.
//!
//! A parser may take forever on a hostile text, so it is stopped after a while. It may also nest
//! deeply, so long texts get a thread with a large stack. A grammar from a shared library may crash
//! or take all memory, so it parses in a child process, which sends what it found.

use crate::parsed::Parsed;
use crate::{LanguageError, library};
use lapidary_common::stack::on_a_deep_stack;
use lapidary_foreign::{Answers, Death, Limits, Pool, Service, stop_count};
use rustix::time::{ClockId, Timespec, clock_gettime};
use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tree_sitter::{ParseOptions, ParseState, Query, Tree};

/// The processor time for one text. Grammars read several megabytes in a second.
const PATIENCE: Duration = Duration::from_secs(10);

/// The longest text that is parsed on the stack at hand. A shorter one cannot nest too deeply.
const SHALLOW: usize = 16 << 10;
/// The stack for longer texts. Pages of it that are not used cost nothing.
const STACK: usize = 1 << 29;

/// A parser of one language. It gives up on texts that take too long.
pub(crate) struct Parser {
    grammar: Grammar,
    /// The queries that find definitions.
    queries: String,
}

/// The code that reads a text.
enum Grammar {
    /// Runs in this process.
    Here(Here),
    /// Runs in a child process, from this library.
    Apart(PathBuf),
}

struct Here {
    parser: tree_sitter::Parser,
    grammar: tree_sitter::Language,
}

/// The questions about a text besides those about its nodes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    Nodes,
    Definitions,
}

impl Parser {
    /// Returns `None` if the grammar is not usable. `library` is the grammar's, if it does not
    /// belong to this program.
    pub(crate) fn new(grammar: &tree_sitter::Language, library: Option<PathBuf>, queries: &[String]) -> Option<Parser> {
        let queries = queries.join("\n");
        let grammar = match library.filter(|_| lapidary_foreign::is_available()) {
            Some(library) => Grammar::Apart(library),
            None => Grammar::Here(Here::new(grammar.clone())?),
        };
        Some(Parser { grammar, queries })
    }

    /// Returns what the grammar says about a text; `None` if it would crash or takes too long.
    pub(crate) fn parse(&mut self, text: &[u8], asked: Asked) -> Option<Parsed> {
        let queries = if asked == Asked::Definitions { self.queries.as_str() } else { "" };
        match &mut self.grammar {
            Grammar::Here(here) => here.parse(text, queries),
            Grammar::Apart(library) => {
                let answer = POOL.ask(&question(library, queries, text), &Limits::default()).ok()?;
                Parsed::from_bytes(&answer, text.len())
            }
        }
    }
}

impl Here {
    fn new(grammar: tree_sitter::Language) -> Option<Here> {
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&grammar).ok()?;
        Some(Here { parser, grammar })
    }

    fn parse(&mut self, text: &[u8], queries: &str) -> Option<Parsed> {
        let mut parse = || {
            let tree = parse_in_time(&mut self.parser, text)?;
            let query = Some(queries).filter(|queries| !queries.is_empty());
            let query = query.and_then(|queries| Query::new(&self.grammar, queries).ok());
            Some(Parsed::of(&tree, text, query.as_ref()))
        };
        if text.len() <= SHALLOW { parse() } else { on_a_deep_stack(STACK, parse) }
    }
}

/// Loads a grammar library in a child process, because its initialisers are foreign code too.
pub(crate) fn try_loading(library: &Path) -> Result<(), LanguageError> {
    if !lapidary_foreign::is_available() {
        return Ok(());
    }
    POOL.ask(&question(library, "", b""), &Limits::default()).map(drop).or_else(|death| match death {
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

/// The library's path, the queries and the text, each but the last after its length.
fn question(library: &Path, queries: &str, text: &[u8]) -> Vec<u8> {
    let [path, queries] = [library.as_os_str().as_bytes(), queries.as_bytes()];
    let length = |part: &[u8]| (part.len() as u64).to_le_bytes();
    [&length(path), path, &length(queries), queries, text].concat()
}

/// Splits off a part of a question that comes after its length.
fn part(question: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = question.split_first_chunk()?;
    rest.split_at_checked(u64::from_le_bytes(*length) as usize)
}

/// The child's side: answers nothing about a text that cannot be read.
fn open() -> Answers {
    let mut last: Option<(PathBuf, Here)> = None;
    Box::new(move |question| answer(&mut last, question).unwrap_or_default())
}

fn answer(last: &mut Option<(PathBuf, Here)>, question: &[u8]) -> Option<Vec<u8>> {
    let (path, rest) = part(question)?;
    let (queries, text) = part(rest)?;
    let path = Path::new(OsStr::from_bytes(path));
    if last.as_ref().is_none_or(|(known, _)| known != path) {
        *last = Some((path.to_owned(), Here::new(library::load(path).ok()?.grammar)?));
    }
    let (_, here) = last.as_mut()?;
    Some(here.parse(text, std::str::from_utf8(queries).ok()?)?.to_bytes())
}
