//! DIMACS CNF, the text format of SAT solvers and model counters. Variable `n` is written as `n +
//! 1`.

use crate::{Cnf, NotImplicative, Var};
use std::fmt::Write;
use thiserror::Error;

/// Formats a formula. Each variable with a label gets a comment line `c item N LABEL`.
pub fn write(cnf: &Cnf, label: impl Fn(Var) -> Option<String>) -> String {
    let mut text = String::new();
    for var in (0..cnf.variables()).map(Var::new) {
        if let Some(label) = label(var) {
            let label = label.replace(char::is_control, " ");
            writeln!(text, "c item {} {label}", var.index() + 1).expect("writing to a string");
        }
    }
    writeln!(text, "p cnf {} {}", cnf.variables(), cnf.len()).expect("writing to a string");
    for clause in cnf.clauses() {
        for premise in clause.premises {
            write!(text, "-{} ", premise.index() + 1).expect("writing to a string");
        }
        for conclusion in clause.conclusions {
            write!(text, "{} ", conclusion.index() + 1).expect("writing to a string");
        }
        text.push_str("0\n");
    }
    text
}

/// An error in a text, with its line.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("line {line}: {problem}")]
pub struct DimacsError {
    /// The number of the line, counted from 1.
    pub line: usize,
    /// The error.
    pub problem: Problem,
}

/// An error in a text in DIMACS form.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum Problem {
    /// There is no line that begins with `p cnf`.
    #[error("the header `p cnf VARIABLES CLAUSES` is missing")]
    NoHeader,
    /// The line that begins with `p` is not a valid header.
    #[error("`{0}` is not a header `p cnf VARIABLES CLAUSES`")]
    BadHeader(String),
    /// There is a second header.
    #[error("a second header")]
    SecondHeader,
    /// Something in a clause is not a number.
    #[error("`{0}` is not a number of a variable, with or without a minus sign")]
    BadLiteral(String),
    /// A literal names a variable beyond those that the header declares.
    #[error("{literal} is beyond the {variables} variables of the header")]
    UnknownVariable {
        /// The literal as written in the clause.
        literal: i64,
        /// The number of variables in the header.
        variables: usize,
    },
    /// The last clause has no 0 at its end.
    #[error("clause {clause} does not end with 0")]
    Unfinished {
        /// The number of the clause, counted from 1.
        clause: usize,
    },
    /// The number of clauses differs from the header.
    #[error("the header promises {promised} clauses, but there are {found}")]
    WrongCount {
        /// The number of clauses in the header.
        promised: usize,
        /// The number of clauses in the text.
        found: usize,
    },
    /// A clause has no positive literal.
    #[error("clause {clause} has no positive literal: {problem}")]
    NotImplicative {
        /// The number of the clause, counted from 1.
        clause: usize,
        /// The clause.
        problem: NotImplicative,
    },
}

/// Reads a formula. Comments and blank lines may be anywhere, a clause may span lines, and `%` ends
/// the text.
pub fn read(text: &str) -> Result<Cnf, DimacsError> {
    let mut reader = Reader::default();
    let mut last = 0;
    for (line, content) in (1..).zip(text.lines()).take_while(|(_, content)| !content.starts_with('%')) {
        reader.line(content.trim()).map_err(|problem| DimacsError { line, problem })?;
        last = line;
    }
    reader.finish().map_err(|problem| DimacsError { line: last.max(1), problem })
}

#[derive(Default)]
struct Reader {
    formula: Option<(Cnf, usize)>,
    clauses: usize,
    is_inside_clause: bool,
    premises: Vec<Var>,
    conclusions: Vec<Var>,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), Problem> {
        match line.split_whitespace().next() {
            None => Ok(()),
            Some(word) if word.starts_with('c') => Ok(()),
            Some("p") => self.header(line),
            Some(_) => line.split_whitespace().try_for_each(|word| self.literal(word)),
        }
    }

    fn header(&mut self, line: &str) -> Result<(), Problem> {
        if self.formula.is_some() {
            return Err(Problem::SecondHeader);
        }
        let bad = || Problem::BadHeader(line.to_owned());
        let words: Vec<_> = line.split_whitespace().collect();
        let ["p", "cnf", variables, clauses] = words[..] else { return Err(bad()) };
        let variables: u32 = variables.parse().map_err(|_| bad())?;
        let clauses = clauses.parse().map_err(|_| bad())?;
        self.formula = Some((Cnf::new(variables as usize), clauses));
        Ok(())
    }

    fn literal(&mut self, word: &str) -> Result<(), Problem> {
        let (cnf, _) = self.formula.as_ref().ok_or(Problem::NoHeader)?;
        let literal: i64 = word.parse().map_err(|_| Problem::BadLiteral(word.to_owned()))?;
        if literal == 0 {
            return self.end_clause();
        }
        let number = usize::try_from(literal.unsigned_abs()).unwrap_or(usize::MAX);
        if number > cnf.variables() {
            return Err(Problem::UnknownVariable { literal, variables: cnf.variables() });
        }
        let side = if literal > 0 { &mut self.conclusions } else { &mut self.premises };
        side.push(Var::new(number - 1));
        self.is_inside_clause = true;
        Ok(())
    }

    fn end_clause(&mut self) -> Result<(), Problem> {
        let (cnf, _) = self.formula.as_mut().ok_or(Problem::NoHeader)?;
        self.clauses += 1;
        self.is_inside_clause = false;
        let premises = std::mem::take(&mut self.premises);
        let conclusions = std::mem::take(&mut self.conclusions);
        let clause = self.clauses;
        cnf.add(&premises, &conclusions).map_err(|problem| Problem::NotImplicative { clause, problem })
    }

    fn finish(self) -> Result<Cnf, Problem> {
        let (cnf, promised) = self.formula.ok_or(Problem::NoHeader)?;
        if self.is_inside_clause {
            return Err(Problem::Unfinished { clause: self.clauses + 1 });
        }
        if promised != self.clauses {
            return Err(Problem::WrongCount { promised, found: self.clauses });
        }
        Ok(cnf)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v(index: usize) -> Var {
        Var::new(index)
    }

    fn example() -> Cnf {
        let mut cnf = Cnf::new(3);
        cnf.add(&[v(0), v(1)], &[v(2)]).unwrap();
        cnf.require(v(1));
        cnf
    }

    #[test]
    fn items_are_named_in_comments() {
        let label = |var: Var| (var == v(1)).then(|| "class\nA".to_owned());
        assert_eq!(write(&example(), label), "c item 2 class A\np cnf 3 2\n-1 -2 3 0\n2 0\n");
    }

    #[test]
    fn what_is_written_can_be_read() {
        let text = write(&example(), |_| None);
        assert_eq!(write(&read(&text).unwrap(), |_| None), text);
    }

    #[test]
    fn clauses_may_span_lines_and_share_them() {
        let cnf = read("c\n\np cnf 3 2\n-1\n-2 3 0 2\nc between\n0\n%\n0\n").unwrap();
        assert_eq!(write(&cnf, |_| None), write(&example(), |_| None));
    }

    #[test]
    fn every_problem_is_told_with_its_line() {
        let problem = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(problem(""), "line 1: the header `p cnf VARIABLES CLAUSES` is missing");
        assert_eq!(problem("c\n1 0\n"), "line 2: the header `p cnf VARIABLES CLAUSES` is missing");
        assert_eq!(problem("p dnf 1 1\n"), "line 1: `p dnf 1 1` is not a header `p cnf VARIABLES CLAUSES`");
        assert_eq!(problem("p cnf -1 1\n"), "line 1: `p cnf -1 1` is not a header `p cnf VARIABLES CLAUSES`");
        assert_eq!(problem("p cnf 1 0\np cnf 1 0\n"), "line 2: a second header");
        let literal = "is not a number of a variable, with or without a minus sign";
        assert_eq!(problem("p cnf 1 1\n1 x 0\n"), format!("line 2: `x` {literal}"));
        assert_eq!(problem("p cnf 1 1\n2 0\n"), "line 2: 2 is beyond the 1 variables of the header");
        assert_eq!(
            problem("p cnf 1 1\n-9223372036854775808 0\n"),
            "line 2: -9223372036854775808 is beyond the 1 variables of the header"
        );
        assert_eq!(problem("p cnf 1 1\n1"), "line 2: clause 1 does not end with 0");
        assert_eq!(problem("p cnf 1 2\n1 0\n"), "line 2: the header promises 2 clauses, but there are 1");
    }

    #[test]
    fn a_clause_without_a_positive_literal_is_named() {
        let error = read("p cnf 2 2\n1 0\n-1 -2 0\n").unwrap_err();
        let problem = NotImplicative { premises: vec![v(0), v(1)] };
        assert_eq!(error, DimacsError { line: 3, problem: Problem::NotImplicative { clause: 2, problem } });
    }
}
