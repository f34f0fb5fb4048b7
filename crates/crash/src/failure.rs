//! How a program failed: what went wrong, and the stack at that moment.

use crate::stack;
use lapidary_reduce::{Entry, FileTree};
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};

/// A failure as it was observed. Only `kind`, `message` and `frames` decide whether two failures are the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    pub kind: Kind,
    /// What makes this failure different from others of its kind: the assertion, the exception with its text, the
    /// sanitizer's finding. Holds nothing that changes from run to run. May be empty.
    pub message: String,
    /// What else a person may want to know, such as addresses and values. Never compared.
    pub detail: String,
    /// The user's functions that were active, innermost first.
    pub frames: Vec<Frame>,
    /// The address that could not be accessed, if that is why.
    #[serde(skip)]
    pub address: Option<u64>,
    /// Where the memory that it is about was allocated and freed, if a sanitizer told.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sites: Vec<Site>,
}

/// Something that was done to a piece of memory before the failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Site {
    /// `allocated` or `freed`.
    pub done: &'static str,
    #[serde(flatten)]
    pub frame: Frame,
    /// The functions that had called it.
    #[serde(skip)]
    pub callers: Vec<Frame>,
}

/// With this the message about a fault at or near address 0 begins.
pub(crate) const NULL_POINTER: &str = "null pointer";

/// The sort of failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Death by this signal: `SIGSEGV`, `SIGFPE`.
    Signal(String),
    /// Recursion without end, or locals that are too large.
    StackOverflow,
    /// `assert` did not hold.
    Assertion,
    /// `abort` was called, by the program or by its library.
    Abort,
    /// An exception that nobody caught.
    Exception,
    /// A finding of this sanitizer: `AddressSanitizer`.
    Sanitizer(String),
}

/// A function of the user's that was active.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Frame {
    pub function: String,
    /// The path in the candidate; the candidate's name if it is a single file.
    pub file: PathBuf,
    pub line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

impl Failure {
    /// The statement that failed: the innermost place in the user's files.
    pub fn place(&self) -> Option<&Frame> {
        self.frames.first()
    }

    /// The statement that failed, if it can be pointed at in a tree: it is in one of its files, and that file counts its
    /// own lines.
    pub fn place_in(&self, tree: &FileTree) -> Option<&Frame> {
        self.place().filter(|frame| text_of(tree, frame).is_some_and(counts_its_lines))
    }

    /// How far from null the fault was, if it was near it.
    pub(crate) fn near_null(&self) -> Option<u64> {
        self.address.filter(|address| *address < 65536)
    }

    /// One line, for a journal: "assertion `n > 0` failed at list.c:12 in length".
    pub fn headline(&self) -> String {
        let place = self.place().map(|frame| format!(" at {}", frame.place()));
        format!("{}{}", self.what(), place.unwrap_or_default())
    }

    /// The failure with the source text of each place, for a person.
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

    fn what(&self) -> String {
        let message = &self.message;
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
    /// `list.c:12 in length`
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

/// The text of the file that a frame is in, unless that is outside of the tree, as a header beside a single file is.
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

/// Whether a line's number is its place in the text: `#line 7` and `# 7 "a.c"` say otherwise.
fn counts_its_lines(text: &[u8]) -> bool {
    let renumbers = |line: &[u8]| {
        let directive = line.trim_ascii_start().strip_prefix(b"#").map(<[u8]>::trim_ascii_start);
        directive.is_some_and(|name| name.starts_with(b"line") || name.first().is_some_and(u8::is_ascii_digit))
    };
    !text.split(|byte| *byte == b'\n').any(renumbers)
}

/// The text of a frame's line, without what surrounds it. A line may be gigantic in generated code.
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
    fn a_failure_reads_as_a_person_wants_it() {
        let frames = vec![frame("length", 2), frame("main", 4)];
        let (message, detail) = ("list != NULL".to_owned(), String::new());
        let failure = Failure { kind: Kind::Assertion, message, detail, frames, address: None, sites: Vec::new() };
        assert_eq!(
            failure.to_string(),
            "assertion `list != NULL` failed at list.c:2 in length\n  list.c:2:3: in length\n  list.c:4:3: in main"
        );
        let tree = FileTree::file("list.c", "one\n  two;\nthree\nfour\n");
        assert!(failure.explain(&tree).contains("in length\n      two;\n"));
    }

    #[test]
    fn a_place_is_pointed_at_only_where_it_is() {
        let failure = Failure {
            kind: Kind::Abort,
            message: String::new(),
            detail: String::new(),
            frames: vec![frame("f", 2)],
            address: None,
            sites: Vec::new(),
        };
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
        let (message, detail) = (String::new(), String::new());
        let failure = Failure { kind: Kind::StackOverflow, message, detail, frames, address: None, sites: Vec::new() };
        assert_eq!(
            failure.to_string(),
            "stack overflow at list.c:2 in f\n  list.c:2:3: in f\n  … and 99 more of the same\n  list.c:4:3: in main"
        );
    }
}
