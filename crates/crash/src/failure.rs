//! Failures of a program: the error and the stack at that moment.

use crate::stack;
use lapidary_reduce::{Entry, FileTree};
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};

/// An observed failure. Only `kind`, `message` and `frames` decide whether two failures are the
/// same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    pub kind: Kind,
    /// The text that distinguishes this failure from others of its kind: the assertion, the
    /// exception with its text, the sanitizer's finding. It contains nothing that changes from run
    /// to run. May be empty.
    pub message: String,
    /// Further information for people, such as addresses and values. Never compared.
    pub detail: String,
    /// The active functions of the user's, innermost first.
    pub frames: Vec<Frame>,
    /// The address that could not be accessed, if that caused the failure.
    #[serde(skip)]
    pub address: Option<u64>,
    /// The places where the memory in question was allocated and freed, if a sanitizer reported
    /// them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sites: Vec<Site>,
}

/// An event in the history of the memory that a failure is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Site {
    /// `allocated` or `freed`.
    pub done: &'static str,
    #[serde(flatten)]
    pub frame: Frame,
    /// The callers of the frame.
    #[serde(skip)]
    pub callers: Vec<Frame>,
}

/// The start of the message for a fault at or near address 0.
pub(crate) const NULL_POINTER: &str = "null pointer";

/// The kind of failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Death by this signal: `SIGSEGV`, `SIGFPE`.
    Signal(String),
    /// Infinite recursion, or local variables that are too large.
    StackOverflow,
    /// A failed `assert`.
    Assertion,
    /// A call of `abort` by the program or its library.
    Abort,
    /// An uncaught exception.
    Exception,
    /// A finding of this sanitizer: `AddressSanitizer`.
    Sanitizer(String),
}

/// An active function of the user's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Frame {
    pub function: String,
    /// The path in the candidate; for a single file, the candidate's name.
    pub file: PathBuf,
    pub line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

impl Failure {
    /// Returns whether this is death by SIGKILL. Something else may have caused it.
    pub(crate) fn is_kill(&self) -> bool {
        matches!(&self.kind, Kind::Signal(name) if name == "SIGKILL")
    }

    /// Creates a failure without details, address and sites.
    pub(crate) fn new(kind: Kind, message: impl Into<String>, frames: Vec<Frame>) -> Failure {
        Failure { kind, message: message.into(), detail: String::new(), frames, address: None, sites: Vec::new() }
    }

    /// Returns the frame of the failing statement: the innermost place in the user's files.
    pub fn place(&self) -> Option<&Frame> {
        self.frames.first()
    }

    /// Returns the frame of the failing statement, if a tree can show it: the file is in the tree,
    /// and has no directives that renumber its lines.
    pub fn place_in(&self, tree: &FileTree) -> Option<&Frame> {
        self.place().filter(|frame| text_of(tree, frame).is_some_and(counts_its_lines))
    }

    /// Returns the stack in pieces, each with the number of times it occurs in a row: an endless
    /// recursion is one piece.
    pub fn repetitions(&self) -> Vec<(&[Frame], usize)> {
        stack::repetitions(&self.frames)
    }

    /// Returns the distance of the fault from null, if it was near null.
    pub(crate) fn near_null(&self) -> Option<u64> {
        self.address.filter(|address| *address < 65536)
    }

    /// Returns one line for a journal: "assertion `n > 0` failed at list.c:12 in length".
    pub fn headline(&self) -> String {
        let place = self.place().map(|frame| format!(" at {}", frame.place()));
        format!("{}{}", self.what(), place.unwrap_or_default())
    }

    /// Describes the failure for people, with the source text of each place.
    pub fn explain(&self, tree: &FileTree) -> String {
        let mut text = self.headline();
        if !self.detail.is_empty() {
            text += &format!("\n  {}", self.detail);
        }
        for Site { done, frame, .. } in &self.sites {
            text += &format!("\n  {done} at {}", frame.place());
        }
        for (frames, count) in stack::repetitions(&self.frames) {
            for frame in frames {
                text += &format!(
                    "\n  {frame}{}",
                    source_line(tree, frame).map_or(String::new(), |line| "\n      ".to_owned() + &line)
                );
            }
            if count > 1 {
                text += &format!("\n  … and {} more of the same", count - 1);
            }
        }
        text
    }

    /// The message for people. A wild pointer may have an address near 0, too: only one where a
    /// member may be is called null.
    fn said(&self) -> String {
        const ALIGNED: u64 = 4;
        match (self.message.strip_prefix(NULL_POINTER), self.address) {
            (Some(rest), Some(address)) if address % ALIGNED != 0 => {
                format!("access near address 0 ({address:#x}){rest}")
            }
            _ => self.message.clone(),
        }
    }

    fn what(&self) -> String {
        let message = &self.said();
        match &self.kind {
            Kind::Assertion => format!("assertion `{message}` failed"),
            Kind::Exception => format!("uncaught exception {message}"),
            Kind::Sanitizer(tool) => format!("{tool}: {message}"),
            kind if message.is_empty() => kind.to_string(),
            kind => format!("{kind}: {message}"),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.headline())?;
        for (frames, count) in stack::repetitions(&self.frames) {
            frames.iter().try_for_each(|frame| write!(f, "\n  {frame}"))?;
            if count > 1 {
                write!(f, "\n  … and {} more of the same", count - 1)?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Signal(name) => match meaning(name) {
                Some(meaning) => write!(f, "{meaning} ({name})"),
                None => write!(f, "death by {name}"),
            },
            Kind::StackOverflow => write!(f, "stack overflow"),
            Kind::Assertion => write!(f, "failed assertion"),
            Kind::Abort => write!(f, "abort"),
            Kind::Exception => write!(f, "uncaught exception"),
            Kind::Sanitizer(tool) => write!(f, "finding of {tool}"),
        }
    }
}

impl Frame {
    /// Returns the place as text: `list.c:12 in length`.
    pub fn place(&self) -> String {
        format!("{}:{} in {}", self.file.display(), self.line, self.function)
    }
}

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = self.column.map_or(String::new(), |column| format!(":{column}"));
        write!(f, "{}:{}{column}: in {}", self.file.display(), self.line, self.function)
    }
}

fn meaning(signal: &str) -> Option<&'static str> {
    Some(match signal {
        "SIGSEGV" => "segmentation fault",
        "SIGBUS" => "bus error",
        "SIGFPE" => "arithmetic error",
        "SIGILL" => "illegal instruction",
        "SIGTRAP" => "trap",
        "SIGSYS" => "forbidden system call",
        _ => return None,
    })
}

/// Returns the text of a frame's file. `None` if the file is outside the tree, like a header beside
/// a single file.
pub(crate) fn text_of<'t>(tree: &'t FileTree, frame: &Frame) -> Option<&'t [u8]> {
    let path = match tree.is_directory() {
        true => frame.file.as_path(),
        false if frame.file == Path::new(tree.name()) => Path::new(""),
        false => return None,
    };
    match tree.entry(path)? {
        Entry::File { content, .. } => Some(content),
        Entry::Link { .. } | Entry::EmptyDirectory => None,
    }
}

/// Returns whether line numbers are positions in the text. `#line 7` and `# 7 "a.c"` change them.
fn counts_its_lines(text: &[u8]) -> bool {
    let renumbers = |line: &[u8]| {
        let directive = line.trim_ascii_start().strip_prefix(b"#").map(<[u8]>::trim_ascii_start);
        directive.is_some_and(|name| name.starts_with(b"line") || name.first().is_some_and(u8::is_ascii_digit))
    };
    !text.split(|byte| *byte == b'\n').any(renumbers)
}

/// Returns the text of a frame's line, trimmed and shortened. Lines of generated code may be huge.
fn source_line(tree: &FileTree, frame: &Frame) -> Option<String> {
    const SHOWN: usize = 160;
    let content = text_of(tree, frame).filter(|text| counts_its_lines(text))?;
    let line = content.split(|&byte| byte == b'\n').nth(frame.line.checked_sub(1)? as usize)?;
    let text = String::from_utf8_lossy(line.trim_ascii());
    let cut: String = text.chars().take(SHOWN).collect();
    let mark = if cut.len() < text.len() { " …" } else { "" };
    Some(cut + mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(function: &str, line: u32) -> Frame {
        Frame { function: function.into(), file: "list.c".into(), line, column: Some(3) }
    }

    #[test]
    fn failures_are_described_for_people() {
        let frames = vec![frame("length", 2), frame("main", 4)];
        let failure = Failure::new(Kind::Assertion, "list != NULL", frames);
        assert_eq!(
            failure.to_string(),
            "assertion `list != NULL` failed at list.c:2 in length\n  list.c:2:3: in length\n  list.c:4:3: in main"
        );
        let tree = FileTree::file("list.c", "one\n  two;\nthree\nfour\n");
        assert!(failure.explain(&tree).contains("in length\n      two;\n"));
    }

    #[test]
    fn an_address_near_0_is_no_null_pointer_where_no_member_can_be() {
        let said = |message: &str, address| {
            let failure = Failure::new(Kind::Signal("SIGSEGV".into()), message, vec![frame("f", 2)]);
            Failure { address, ..failure }.headline()
        };
        assert_eq!(said("null pointer", Some(0)), "segmentation fault (SIGSEGV): null pointer at list.c:2 in f");
        assert_eq!(said("null pointer", Some(8)), "segmentation fault (SIGSEGV): null pointer at list.c:2 in f");
        assert_eq!(said("null pointer", None), "segmentation fault (SIGSEGV): null pointer at list.c:2 in f");
        let near = "segmentation fault (SIGSEGV): access near address 0 (0x3) in strlen at list.c:2 in f";
        assert_eq!(said("null pointer in strlen", Some(3)), near);
    }

    #[test]
    fn a_place_is_pointed_at_only_where_it_is() {
        let failure = Failure::new(Kind::Abort, "", vec![frame("f", 2)]);
        let place_in = |name: &str, text: &str| failure.place_in(&FileTree::file(name, text)).is_some();
        assert!(place_in("list.c", "one\ntwo\n"));
        assert!(!place_in("main.c", "one\ntwo\n"), "it is in a header beside the file");
        assert!(!place_in("list.c", "# line 1\ntwo\n") && !place_in("list.c", "# 7 \"x.c\"\ntwo\n"));
        assert!(!failure.explain(&FileTree::file("main.c", "one\ntwo\n")).contains("two"));
    }

    #[test]
    fn endless_recursion_is_shown_once() {
        let mut frames = vec![frame("f", 2); 100];
        frames.push(frame("main", 4));
        let failure = Failure::new(Kind::StackOverflow, "", frames);
        assert_eq!(
            failure.to_string(),
            "stack overflow at list.c:2 in f\n  list.c:2:3: in f\n  … and 99 more of the same\n  list.c:4:3: in main"
        );
    }
}
