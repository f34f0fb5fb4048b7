//! `programs.toml`: many programs at once, with the truth where it is known.
//!
//! ```toml
//! [[program]]
//! name = "shutdown-hook"
//! classpath = ["shutdown-hook.jar", "lib/*"]
//! main = "pkg.Main"
//! arguments = ["--fast"]
//! truth = { mine = "bug" }
//! ```

use crate::easiness::Verdict;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The programs of a file.
#[derive(Clone, Debug)]
pub struct Corpus {
    pub programs: Vec<TriageProgram>,
}

/// One program, or one input of tools of another kind.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct TriageProgram {
    pub name: String,
    #[serde(default, rename = "classpath")]
    pub class_path: Vec<PathBuf>,
    #[serde(default)]
    pub main: String,
    #[serde(default)]
    pub arguments: Vec<String>,
    /// The file to use as standard input.
    pub stdin: Option<PathBuf>,
    /// Options for the JVM.
    #[serde(default)]
    pub options: Vec<String>,
    /// The input of tools that are not Java analyses.
    pub input: Option<PathBuf>,
    /// The true verdict on a loss of each analysis, where it is known.
    #[serde(default)]
    pub truth: BTreeMap<String, Verdict>,
}

/// The reason for a corpus that cannot be read.
#[derive(Debug, Error)]
pub enum CorpusError {
    #[error("{path}: {reason}")]
    Unreadable { path: PathBuf, reason: io::Error },
    #[error("{path}: {reason}")]
    Malformed { path: PathBuf, reason: String },
    #[error("{path}: lists no programs; each begins with [[program]]")]
    Empty { path: PathBuf },
    #[error("{path}: two programs are called `{name}`")]
    Twice { path: PathBuf, name: String },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    program: Vec<TriageProgram>,
}

impl Corpus {
    /// Reads the file. Paths in it are relative to its directory.
    pub fn read(path: &Path) -> Result<Corpus, CorpusError> {
        let text =
            std::fs::read_to_string(path).map_err(|reason| CorpusError::Unreadable { path: path.into(), reason })?;
        Corpus::parse(&text, path)
    }

    fn parse(text: &str, path: &Path) -> Result<Corpus, CorpusError> {
        let file: File = toml::from_str(text)
            .map_err(|error| CorpusError::Malformed { path: path.into(), reason: error.to_string() })?;
        if file.program.is_empty() {
            return Err(CorpusError::Empty { path: path.into() });
        }
        let mut names = BTreeSet::new();
        if let Some(twice) = file.program.iter().find(|program| !names.insert(&program.name)) {
            return Err(CorpusError::Twice { path: path.into(), name: twice.name.clone() });
        }
        let directory = path.parent().unwrap_or(Path::new(""));
        Ok(Corpus { programs: file.program.into_iter().map(|program| program.inside(directory)).collect() })
    }
}

impl TriageProgram {
    fn inside(mut self, directory: &Path) -> TriageProgram {
        self.class_path.iter_mut().for_each(|path| *path = directory.join(&path));
        for path in [&mut self.stdin, &mut self.input].into_iter().flatten() {
            *path = directory.join(&path);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Corpus, CorpusError> {
        Corpus::parse(text, Path::new("/some/programs.toml"))
    }

    #[test]
    fn programs_are_read() {
        let text = "[[program]]\nname = \"a\"\nclasspath = [\"a.jar\", \"/lib/b.jar\"]\nmain = \"p.M\"\n\
            arguments = [\"x\"]\nstdin = \"in\"\ntruth = { mine = \"bug\", yours = \"feature\" }\n";
        let corpus = parse(text).unwrap();
        let program = &corpus.programs[0];
        assert_eq!(program.class_path, [PathBuf::from("/some/a.jar"), PathBuf::from("/lib/b.jar")]);
        assert_eq!(program.stdin.as_deref(), Some(Path::new("/some/in")));
        assert_eq!(program.truth["yours"], Verdict::Feature);
    }

    #[test]
    fn mistakes_in_the_file_are_reported() {
        assert!(matches!(parse(""), Err(CorpusError::Empty { .. })));
        assert!(parse("[[program]]\nname = \"a\"\nmian = \"M\"").unwrap_err().to_string().contains("mian"));
        assert!(
            parse("[[program]]\nname = \"a\"\ntruth = { x = \"perhaps\" }")
                .unwrap_err()
                .to_string()
                .contains("perhaps")
        );
        let twice = "[[program]]\nname = \"a\"\n[[program]]\nname = \"a\"\n";
        assert!(matches!(parse(twice), Err(CorpusError::Twice { .. })));
    }
}
