//! The lines that Lapidary and a worker exchange, one JSON object each.
//! docs/reference/worker-protocol.md is the specification.

use crate::capture::Captured;
use crate::criteria::Observation;
use crate::ending::Ending;
use lapidary_reduce::{FileTree, Verdict};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The version of the protocol.
pub const VERSION: u64 = 1;

/// The first message of a worker.
#[derive(Debug, Deserialize)]
pub struct Hello {
    /// The version of the protocol that the worker speaks.
    pub lapidary: u64,
}

/// A request to a worker.
#[derive(Debug, Serialize)]
pub struct Request<'a> {
    pub id: u64,
    /// The candidate's absolute path.
    pub candidate: &'a str,
    /// The fresh directory that holds the candidate.
    pub directory: &'a str,
    /// Paths inside the candidate that are new or different since the last request.
    pub changed: Vec<String>,
    /// Paths of the last request's candidate that are gone.
    pub removed: Vec<String>,
}

/// An answer of a worker: its own verdict, or the outcome of a run.
#[derive(Debug, Deserialize)]
pub struct Answer {
    /// The number of the request.
    pub id: u64,
    verdict: Option<AnsweredVerdict>,
    reason: Option<String>,
    exit: Option<i32>,
    #[serde(default)]
    stdout: String,
    #[serde(default)]
    stderr: String,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum AnsweredVerdict {
    Interesting,
    Uninteresting,
    Unresolved,
}

impl Request<'_> {
    pub fn line(&self) -> Vec<u8> {
        let mut line = serde_json::to_vec(self).expect("strings and numbers can be written as JSON");
        line.push(b'\n');
        line
    }
}

impl Hello {
    /// Parses a worker's first line, or describes what is wrong with it.
    pub fn parse(line: &[u8]) -> Result<Hello, String> {
        let hello: Hello = serde_json::from_slice(line)
            .map_err(|_| format!("its first line is not {{\"lapidary\":{VERSION}}} but {}", shown(line)))?;
        match hello.lapidary {
            VERSION => Ok(hello),
            other => Err(format!("it speaks version {other} of the worker protocol, and Lapidary version {VERSION}")),
        }
    }
}

impl Answer {
    /// Parses the answer to the request with this id, or describes what is wrong with it.
    pub fn parse(line: &[u8], id: u64) -> Result<Answer, String> {
        let answer: Answer = serde_json::from_slice(line)
            .map_err(|error| format!("the worker printed {}, which is no answer: {error}", shown(line)))?;
        if answer.id != id {
            return Err(format!("the worker answered request {} instead of {id}", answer.id));
        }
        if answer.verdict.is_none() == answer.exit.is_none() {
            return Err("the worker's answer must have either a verdict or an exit code".into());
        }
        Ok(answer)
    }

    /// Adds the answer to an observation whose stderr is that of the worker itself. If the answer
    /// describes a run, the run's output replaces it.
    pub fn complete(self, observation: &mut Observation) {
        let captured = |text: String| Captured { head: text.into_bytes(), dropped: 0 };
        observation.ending = Ending::Exited(self.exit.unwrap_or_default());
        observation.stdout = captured(self.stdout);
        if self.exit.is_some() {
            observation.stderr = captured(self.stderr);
        }
        observation.settled = self.verdict.map(|verdict| verdict.explained(self.reason));
    }
}

impl AnsweredVerdict {
    fn explained(self, reason: Option<String>) -> (Verdict, String) {
        let (verdict, name) = match self {
            AnsweredVerdict::Interesting => (Verdict::Interesting, "interesting"),
            AnsweredVerdict::Uninteresting => (Verdict::Uninteresting, "uninteresting"),
            AnsweredVerdict::Unresolved => (Verdict::Unresolved, "unresolved"),
        };
        (verdict, reason.unwrap_or_else(|| format!("the worker says {name}")))
    }
}

/// The changed and the removed paths of a candidate compared with the one before.
pub fn difference(before: Option<&FileTree>, now: &FileTree) -> (Vec<String>, Vec<String>) {
    let Some(before) = before else {
        return (now.entries().map(|(path, _)| named(path)).collect(), Vec::new());
    };
    let is_new = |(path, entry): &(&Path, _)| before.entry(path) != Some(*entry);
    let is_gone = |(path, _): &(&Path, _)| now.entry(path).is_none();
    let changed = now.entries().filter(is_new).map(|(path, _)| named(path)).collect();
    (changed, before.entries().filter(is_gone).map(|(path, _)| named(path)).collect())
}

/// The path in a message. A candidate that is a single file is `.`.
fn named(path: &Path) -> String {
    if path.as_os_str().is_empty() { ".".into() } else { path.to_string_lossy().into_owned() }
}

/// The beginning of a line, for messages.
fn shown(line: &[u8]) -> String {
    const LENGTH: usize = 80;
    let text = String::from_utf8_lossy(line);
    let beginning: String = text.trim_end().chars().take(LENGTH).collect();
    let dots = if beginning.len() < text.trim_end().len() { "…" } else { "" };
    format!("`{beginning}{dots}`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use lapidary_reduce::Entry;
    use std::collections::BTreeMap;
    use std::path::PathBuf;

    fn tree(files: &[(&str, &str)]) -> FileTree {
        let entries = files.iter().map(|(path, text)| (PathBuf::from(path), Entry::file(*text)));
        FileTree::directory("app", entries.collect::<BTreeMap<_, _>>())
    }

    #[test]
    fn a_difference_lists_what_is_new_changed_and_gone() {
        let (before, now) = (tree(&[("a", "1"), ("b", "1"), ("c", "1")]), tree(&[("a", "1"), ("b", "2"), ("d", "1")]));
        let (changed, removed) = difference(Some(&before), &now);
        assert_eq!((changed, removed), (vec!["b".into(), "d".into()], vec!["c".to_owned()]));
        assert_eq!(difference(None, &FileTree::file("x", "y")).0, ["."]);
    }

    #[test]
    fn an_answer_says_one_thing_about_the_right_candidate() {
        let parse = |line: &str| Answer::parse(line.as_bytes(), 3);
        assert!(parse(r#"{"id":3,"verdict":"interesting"}"#).is_ok());
        assert!(parse(r#"{"id":3,"exit":0,"stdout":"x","more":[1]}"#).is_ok());
        for wrong in [
            r#"{"id":2,"exit":0}"#,
            r#"{"id":3}"#,
            r#"{"id":3,"exit":0,"verdict":"unresolved"}"#,
            r#"{"id":3,"verdict":"maybe"}"#,
            "hello",
            "3",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn only_the_spoken_version_is_greeted() {
        assert!(Hello::parse(br#"{"lapidary":1,"name":"x"}"#).is_ok());
        assert!(Hello::parse(br#"{"lapidary":2}"#).unwrap_err().contains("version 2"));
        assert!(Hello::parse(b"Usage: test FILE").unwrap_err().contains("`Usage: test FILE`"));
    }
}
