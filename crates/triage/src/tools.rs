//! `tools.toml`: tools of the same kind, whatever that is. For each, a command says whether it gets
//! an input right.
//!
//! ```toml
//! [[tool]]
//! name = "linter"
//! command = "./check-linter {input}"
//! weight = 2.0
//! ```
//!
//! The command exits with 0 if the tool is sound on the input, and with 1 if it is not. Any other
//! exit code counts as no answer.

use crate::command::{Command, CommandError, Place};
use crate::easiness::{Thresholds, Verdict, Voice, easiness};
use crate::tables::Scored;
use lapidary_predicate::{Ending, Limits};
use lapidary_reduce::Cancel;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;

/// The tools that a `tools.toml` lists.
#[derive(Clone, Debug)]
pub struct Tools {
    pub tools: Vec<Tool>,
}

/// A tool: its name, its command line and its weight.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    pub name: String,
    pub command: String,
    #[serde(default = "one")]
    pub weight: f64,
}

fn one() -> f64 {
    1.0
}

/// The answer of a tool's command about an input.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    Sound,
    Unsound,
    Nothing(String),
}

/// The reason for a list of tools that cannot be read.
#[derive(Debug, Error)]
pub enum ToolsError {
    #[error("{path}: {reason}")]
    Unreadable { path: PathBuf, reason: io::Error },
    #[error("{path}: {reason}")]
    Malformed { path: PathBuf, reason: String },
    #[error("{path}: easiness needs at least two tools; each begins with [[tool]]")]
    TooFew { path: PathBuf },
    #[error("{path}: two tools are called `{name}`")]
    Twice { path: PathBuf, name: String },
    #[error("{path}: the weight of `{name}` must be a number above 0")]
    Weight { path: PathBuf, name: String },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    tool: Vec<Tool>,
}

impl Tools {
    pub fn read(path: &Path) -> Result<Tools, ToolsError> {
        let text =
            std::fs::read_to_string(path).map_err(|reason| ToolsError::Unreadable { path: path.into(), reason })?;
        Tools::parse(&text, path)
    }

    fn parse(text: &str, path: &Path) -> Result<Tools, ToolsError> {
        let path = path.to_path_buf();
        let tools = match toml::from_str::<File>(text) {
            Ok(file) => file.tool,
            Err(error) => return Err(ToolsError::Malformed { path, reason: error.to_string() }),
        };
        let mut names = BTreeSet::new();
        if let Some(twice) = tools.iter().find(|tool| !names.insert(&tool.name)) {
            return Err(ToolsError::Twice { path, name: twice.name.clone() });
        }
        if let Some(tool) = tools.iter().find(|tool| !(tool.weight.is_finite() && tool.weight > 0.0)) {
            return Err(ToolsError::Weight { path, name: tool.name.clone() });
        }
        if tools.len() < 2 {
            return Err(ToolsError::TooFew { path });
        }
        Ok(Tools { tools })
    }

    /// The score of an input, given the answers of the tools.
    pub fn score(&self, input: &str, said: &[Said], thresholds: &Thresholds) -> Scored {
        let spoke: Vec<(&Tool, bool)> = self
            .tools
            .iter()
            .zip(said)
            .filter_map(|(tool, said)| match said {
                Said::Nothing(_) => None,
                said => Some((tool, *said == Said::Sound)),
            })
            .collect();
        let voices: Vec<Voice> =
            spoke.iter().map(|(tool, is_sound)| Voice { weight: tool.weight, is_sound: *is_sound }).collect();
        let verdicts: BTreeMap<String, Verdict> = spoke
            .iter()
            .enumerate()
            .filter(|(_, (_, is_sound))| !is_sound)
            .map(|(index, (tool, _))| (tool.name.clone(), thresholds.classify(&voices, index)))
            .collect();
        Scored {
            program: input.to_owned(),
            easiness: easiness(&voices),
            size: None,
            missed_by: verdicts.keys().cloned().collect(),
            silent: self
                .tools
                .iter()
                .filter(|tool| !spoke.iter().any(|(other, _)| other == tool))
                .map(|tool| tool.name.clone())
                .collect(),
            verdicts,
            further: Vec::new(),
            truth: BTreeMap::new(),
        }
    }
}

impl Tool {
    pub fn ask(&self, place: &Place, timeout: Duration, cancel: &Cancel) -> Result<Said, CommandError> {
        let command = Command { line: self.command.clone(), timeout, limits: Limits::default() };
        let (ending, words) = command.ending(place, cancel)?;
        Ok(match ending {
            Ending::Exited(0) => Said::Sound,
            Ending::Exited(1) => Said::Unsound,
            other => Said::Nothing(format!("{other}{words}")),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Tools, ToolsError> {
        Tools::parse(text, Path::new("tools.toml"))
    }

    const THREE: &str = "[[tool]]\nname = \"a\"\ncommand = \"exit 0\"\n[[tool]]\nname = \"b\"\ncommand = \"exit 1\"\n\
        [[tool]]\nname = \"c\"\ncommand = \"exit 7\"\nweight = 2.5\n";

    #[test]
    fn exit_codes_say_who_is_right() {
        let tools = parse(THREE).unwrap();
        let asked = |tool: &Tool| tool.ask(&Place::default(), Duration::from_secs(60), &Cancel::new()).unwrap();
        let said: Vec<Said> = tools.tools.iter().map(asked).collect();
        assert_eq!(said, [Said::Sound, Said::Unsound, Said::Nothing("exit code 7".to_owned())]);
        let scored = tools.score("x", &said, &Thresholds::default());
        assert_eq!((scored.easiness, scored.verdicts["b"]), (Some(0.5), Verdict::Bug));
        assert!(scored.silent.contains("c"));
    }

    #[test]
    fn weights_shift_the_score() {
        let tools = parse(THREE).unwrap();
        let scored = tools.score("x", &[Said::Unsound, Said::Unsound, Said::Sound], &Thresholds::default());
        assert!((scored.easiness.unwrap() - 2.5 / 4.5).abs() < 1e-9);
        assert_eq!(scored.verdicts["a"], Verdict::Unknown);
    }

    #[test]
    fn mistakes_in_the_file_are_reported() {
        assert!(matches!(parse("[[tool]]\nname = \"a\"\ncommand = \"x\""), Err(ToolsError::TooFew { .. })));
        assert!(matches!(parse(&THREE.replace("\"b\"", "\"a\"")), Err(ToolsError::Twice { .. })));
        assert!(matches!(parse(&THREE.replace("2.5", "-1.0")), Err(ToolsError::Weight { .. })));
        assert!(parse("[[tool]]\nname = 3").unwrap_err().to_string().contains("tools.toml"));
    }
}
