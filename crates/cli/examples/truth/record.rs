//! Writes the results: one line for each comparison or program, and a directory for each wrong
//! answer.

use super::compared::{self, Question};
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    Right,
    /// Time ran out, something is not supported, or the solver gave up.
    Open,
    Wrong(&'static str),
}

/// One line of the results.
#[derive(Clone, Debug)]
pub struct Row {
    pub program: String,
    /// The rewrites by their letters, or what was seeded.
    pub kind: String,
    pub verdict: String,
    pub judgement: Judgement,
    pub seconds: f64,
    pub paths: u64,
    pub note: String,
}

impl Row {
    /// Reads a line of the results.
    pub fn parse(line: &str) -> Option<Row> {
        let cells: Vec<&str> = line.split(',').collect();
        let [program, kind, verdict, judgement, paths, seconds, note] = cells[..] else { return None };
        Some(Row {
            program: program.to_owned(),
            kind: kind.to_owned(),
            verdict: verdict.to_owned(),
            judgement: match judgement {
                "right" => Judgement::Right,
                "open" => Judgement::Open,
                _ => Judgement::Wrong("in an earlier run"),
            },
            seconds: seconds.parse().ok()?,
            paths: paths.parse().ok()?,
            note: note.to_owned(),
        })
    }
}

/// A wrong answer of `compare`.
pub struct Wrong<'a> {
    pub name: String,
    pub question: Question<'a>,
    pub sources: [String; 2],
    pub note: String,
}

pub const HEAD: &str = "program,kind,verdict,judgement,paths,seconds,note";

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let judgement = match self.judgement {
            Judgement::Right => "right",
            Judgement::Open => "open",
            Judgement::Wrong(_) => "wrong",
        };
        let note: String =
            self.note.chars().map(|c| if matches!(c, ',' | '\n' | '"') { ' ' } else { c }).take(120).collect();
        let Row { program, kind, verdict, paths, seconds, .. } = self;
        write!(f, "{program},{kind},{verdict},{judgement},{paths},{seconds:.2},{note}")
    }
}

/// Counts, and where the time went.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub right: usize,
    pub open: usize,
    pub wrong: usize,
    pub paths: u64,
    pub seconds: f64,
    pub elapsed: f64,
}

impl Summary {
    pub fn count(&mut self, row: &Row) {
        match row.judgement {
            Judgement::Right => self.right += 1,
            Judgement::Open => self.open += 1,
            Judgement::Wrong(_) => self.wrong += 1,
        }
        self.paths += row.paths;
        self.seconds += row.seconds;
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.right + self.open + self.wrong;
        write!(
            f,
            "{all} in all: {} right, {} open, {} wrong; {} paths; {:.3} s each, {:.0} s elapsed",
            self.right,
            self.open,
            self.wrong,
            self.paths,
            self.seconds / all.max(1) as f64,
            self.elapsed
        )
    }
}

impl Wrong<'_> {
    /// Keeps the classes, the sources and the command that shows a wrong answer.
    pub fn keep(&self, out: &Path) -> io::Result<()> {
        let place = out.join("wrong").join(&self.name);
        for (version, classes, source) in
            [("old", self.question.old, &self.sources[0]), ("new", self.question.new, &self.sources[1])]
        {
            let directory = place.join(version);
            fs::create_dir_all(&directory)?;
            copy_all(classes, &directory)?;
            if !source.is_empty() {
                let class = self.question.main.split('.').next().unwrap_or(self.question.main);
                fs::create_dir_all(place.join(format!("{version}-sources")))?;
                fs::write(place.join(format!("{version}-sources/{class}.java")), source)?;
            }
        }
        let mut command = fs::File::create(place.join("command"))?;
        writeln!(command, "# {}\n{}", self.note.replace('\n', "\n# "), compared::command_line(self))
    }
}

/// Copies a directory with its contents.
pub fn copy_all(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_all(&entry.path(), &target)?
        } else {
            fs::copy(entry.path(), target).map(|_| ())?
        }
    }
    Ok(())
}
