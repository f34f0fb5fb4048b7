//! Errors in a model file. Every message says where the problem is, and what to do about it.

use std::fmt;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// A model file that cannot be used.
#[derive(Debug, Error)]
#[error("{}{}: {problem}", path.display(), problem.position())]
pub struct ModelError {
    pub path: PathBuf,
    pub problem: Box<Problem>,
}

#[derive(Debug, Error)]
pub enum Problem {
    #[error("cannot read the model: {0}")]
    Unreadable(io::Error),
    #[error("this is not JSON: {message}")]
    NotJson { line: usize, column: usize, message: String },
    #[error("{message}; docs/reference/model-format.md describes every field")]
    WrongShape { line: usize, column: usize, message: String },
    #[error("the format is {found}, but this version of Lapidary reads format 1: write \"format\": 1")]
    WrongVersion { found: String },
    #[error("the name {name:?} is not the name of a file: write one without directories, such as \"candidate.txt\"")]
    NotAName { name: String },
    #[error("there are no items, so there is nothing to take away: list at least one in \"items\"")]
    NoItems,
    #[error("{second}: {first} has the same label; labels are unique, so rename one of the two")]
    DuplicateLabel { first: Place, second: Place },
    #[error("{place}: nothing has the label {label:?}{}", suggestion(nearest))]
    UnknownLabel { place: Place, label: String, nearest: Option<String> },
    #[error("{place}: the parent {parent:?} is an auxiliary variable; a parent is an item, so use a clause instead")]
    AuxiliaryParent { place: Place, parent: String },
    #[error("the parents go round in a circle: {}; remove one of these", circle(labels))]
    CyclicParents { labels: Vec<String> },
    #[error("{place}: it forbids the whole input, which is valid by definition: \"then\" needs at least one label")]
    NoConclusion { place: Place },
    #[error("{place}: the file {file:?} {reason}: write a path inside the candidate, such as \"src/a.txt\"")]
    BadFile { place: Place, file: String, reason: &'static str },
    #[error("{place}: {file:?} is a file here and a directory for {other}: rename one of the two")]
    FileAndDirectory { place: Place, file: String, other: Place },
    #[error("{place}: other items have a \"file\", so its text needs one too, of its own or of a parent")]
    NoFile { place: Place },
    #[error("{place}: both \"text\" and \"from\" say what its text is: remove one of the two")]
    TwoTexts { place: Place },
    #[error("{place}: cannot read the file {} that \"from\" names: {error}", path.display())]
    UnreadableText { place: Place, path: PathBuf, error: io::Error },
    #[error("{place}: the costs up to here add up to more than 2^64: make them smaller")]
    TooExpensive { place: Place },
}

/// A place in the model: counted from 1, with the name that the model gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    Item { position: usize, label: String },
    Auxiliary { position: usize, label: String },
    Clause { position: usize, clause: String },
    Preference { position: usize, clause: String },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Item { position, label } => write!(f, "item {position} {label:?}"),
            Place::Auxiliary { position, label } => write!(f, "auxiliary variable {position} {label:?}"),
            Place::Clause { position, clause } => write!(f, "clause {position} `{clause}`"),
            Place::Preference { position, clause } => write!(f, "preference {position} `{clause}`"),
        }
    }
}

impl Problem {
    /// `:LINE:COLUMN` to append to the file name, if the JSON reader knows the position.
    fn position(&self) -> String {
        match self {
            Problem::NotJson { line, column, .. } | Problem::WrongShape { line, column, .. } => {
                format!(":{line}:{column}")
            }
            _ => String::new(),
        }
    }
}

impl From<serde_json::Error> for Problem {
    fn from(error: serde_json::Error) -> Self {
        let (line, column) = (error.line(), error.column());
        let text = error.to_string();
        let place = format!(" at line {line} column {column}");
        let message = text.strip_suffix(&place).unwrap_or(&text).to_owned();
        match error.is_data() {
            true => Problem::WrongShape { line, column, message },
            false => Problem::NotJson { line, column, message },
        }
    }
}

fn suggestion(nearest: &Option<String>) -> String {
    match nearest {
        Some(label) => format!("; did you mean {label:?}?"),
        None => "; add it to \"items\" or \"auxiliary\"".to_owned(),
    }
}

fn circle(labels: &[String]) -> String {
    let all: Vec<String> = labels.iter().chain(labels.first()).map(|label| format!("{label:?}")).collect();
    all.join(" is inside ")
}
