//! The answer of an analysis: the methods that it finds reachable, one per line.

use lapidary_jvm::MethodName;
use std::collections::HashSet;
use thiserror::Error;

/// The methods that an analysis found reachable, or the reason why there are none.
#[derive(Clone, Debug)]
pub enum Answer {
    Reached {
        methods: HashSet<MethodName>,
        /// Notes for the user about how the answer was obtained.
        notes: Vec<String>,
    },
    /// The analysis crashed, timed out, or printed something else. It has no vote on this program.
    Failed(String),
}

/// The reason for an answer that cannot be read.
#[derive(Debug, Error, PartialEq)]
pub enum AnswerError {
    #[error("it answered with no methods at all")]
    Empty,
    #[error("line {line} of its answer is not a method: `{text}` (write one method per line, as pkg/Cls.name:(I)V)")]
    Garbage { line: usize, text: String },
}

impl Answer {
    /// An answer with these methods and no notes.
    pub fn of(methods: impl IntoIterator<Item = MethodName>) -> Answer {
        Answer::Reached { methods: methods.into_iter().collect(), notes: Vec::new() }
    }

    /// Parses an answer. Empty lines and lines that begin with `#` are ignored.
    pub fn parse(text: &str) -> Result<Answer, AnswerError> {
        let mut methods = HashSet::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let method = line.parse().map_err(|_| AnswerError::Garbage { line: index + 1, text: shortened(line) })?;
            methods.insert(method);
        }
        if methods.is_empty() { Err(AnswerError::Empty) } else { Ok(Answer::of(methods)) }
    }

    pub fn reached(&self) -> Option<&HashSet<MethodName>> {
        match self {
            Answer::Reached { methods, .. } => Some(methods),
            Answer::Failed(_) => None,
        }
    }

    pub fn notes(&self) -> &[String] {
        match self {
            Answer::Reached { notes, .. } => notes,
            Answer::Failed(_) => &[],
        }
    }
}

fn shortened(line: &str) -> String {
    const SHOWN: usize = 80;
    let shown: String = line.chars().take(SHOWN).map(|c| if c.is_control() { '?' } else { c }).collect();
    if line.chars().count() > SHOWN { shown + "…" } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_method_a_line() {
        let answer = Answer::parse("# mine\nM.main:([Ljava/lang/String;)V\n\n  M.run:()V \nM.run:()V\n").unwrap();
        assert_eq!(answer.reached().unwrap().len(), 2);
    }

    #[test]
    fn garbage_is_named_with_its_line() {
        let error = Answer::parse("M.run:()V\nException in thread main\n").unwrap_err();
        assert_eq!(error, AnswerError::Garbage { line: 2, text: "Exception in thread main".to_owned() });
        assert_eq!(Answer::parse("\n").unwrap_err(), AnswerError::Empty);
    }

    #[test]
    fn long_garbage_is_cut() {
        let AnswerError::Garbage { text, .. } = Answer::parse(&"x".repeat(5000)).unwrap_err() else { panic!() };
        assert_eq!(text.chars().count(), 81);
    }
}
