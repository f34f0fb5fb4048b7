//! When a smaller program fails for the same reason: its failing run is a projection of the original's.
//!
//! [`crate::Sameness`] compares how two runs end. Here is what else has to be the same for the reason to be still there:
//!
//! - every line that the smaller program runs was run by the original, in that order, called from the same lines;
//! - the failing statement and the conditions that guard it are still written there;
//! - the variables in the failing statement and in these conditions hold what they held, and so do the parameters of all
//!   functions that are active.
//!
//! The original's run is written down once. What cannot be followed (threads, optimised code, runs that are never the
//! same, runs of more than a million blocks) is not compared, and [`Projection::limits`] says so.

use crate::failure::{Failure, Frame, Kind};
use crate::run::{Course, Run, Value};
use crate::sameness::LineMap;
use lapidary_clang::tokens;
use lapidary_clang_model::Project;
use lapidary_reduce::{Entry, FileTree};
use lapidary_slice::{Criterion, Grounds, Piece, grounds};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The reason of a failure, as far as a run shows it.
#[derive(Clone, Debug, Default)]
pub struct Projection {
    course: Option<Course>,
    /// What functions that were active knew of the failing statement and its guards.
    watched: Vec<Watched>,
    /// The failing statement.
    statements: Vec<Text>,
    /// The conditions that guard it.
    guards: Vec<Text>,
    names: Names,
    /// How many runs of the original were taken down.
    recorded: u32,
    limits: Vec<&'static str>,
}

/// Variables in the line that a function was active in.
#[derive(Clone, Debug)]
struct Watched {
    file: PathBuf,
    line: u32,
    names: BTreeSet<String>,
    values: BTreeMap<String, Value>,
}

/// A piece of the program that has to stay as it is.
#[derive(Clone, Debug)]
struct Text {
    file: PathBuf,
    /// The lines that it is written on.
    first: u32,
    last: u32,
    /// What is written there.
    text: Vec<u8>,
}

/// Whether names count where a text has to stay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Names {
    #[default]
    Stay,
    MayChange,
}

impl Text {
    /// Whether it is still there, in a program whose lines are where the map says.
    fn is_in(&self, candidate: &FileTree, lines: &LineMap, names: Names) -> bool {
        let now = lines.get(&self.file, self.first).zip(lines.get(&self.file, self.last));
        let found = now.and_then(|(first, last)| Some(in_lines(file(candidate, &self.file)?, first, last)));
        let (found, wanted) = (spelled(&found.unwrap_or_default(), names), spelled(&self.text, names));
        found.windows(wanted.len()).any(|window| window == wanted)
    }
}

impl Projection {
    /// The guards of a failure and what is to be watched, before anything is run.
    pub fn of(failure: &Failure, project: &Project, tree: &FileTree, units: &[lapidary_clang::Syntax]) -> Projection {
        let mut projection = Projection::default();
        if failure.kind == Kind::StackOverflow {
            projection.limits.push("of a stack overflow only the calls that recur are compared");
            return projection;
        }
        let mut is_guarded = false;
        for (index, frame) in failure.frames.iter().enumerate() {
            if is_guarded {
                projection.watch(project, tree, frame, &[]);
                continue;
            }
            let criterion = Criterion { file: project.root.join(&frame.file), line: frame.line, variable: None };
            let found = grounds(units, &criterion, frame.column);
            if index == 0 && found.is_err() {
                projection.limits.push("the failing statement could not be read, so it and its conditions may change");
            }
            let found = found.unwrap_or_default();
            // Which of many statements on a line it was is not known.
            let is_crowded = found.statements.len() > MOST_ON_A_LINE;
            if index == 0 && is_crowded {
                projection
                    .limits
                    .push("too many statements are on the failing line, so they and their conditions may change");
            }
            let found = if is_crowded { Grounds::default() } else { found };
            let guards = guards_among(&found, &failure.kind);
            let statements = if index == 0 { found.statements } else { Vec::new() };
            projection.watch(project, tree, frame, &[&guards[..], &statements].concat());
            projection.guards.extend(guards.iter().filter_map(|piece| text(project, tree, piece)));
            projection.statements.extend(statements.iter().filter_map(|piece| text(project, tree, piece)));
            // Whoever calls a function that only fails is the one who decides.
            is_guarded = !guards.is_empty() || !is_declared(&failure.kind);
        }
        projection
    }

    /// The same for candidates that may have other names.
    pub fn with_other_names(self) -> Projection {
        Projection { names: Names::MayChange, ..self }
    }

    fn watch(&mut self, project: &Project, tree: &FileTree, frame: &Frame, pieces: &[Piece]) {
        // Of a function that calls itself the innermost call is looked at.
        if self.watched.iter().any(|known| known.line == frame.line && known.file == frame.file) {
            return;
        }
        let names = pieces.iter().flat_map(|piece| words(project, tree, piece)).collect();
        let (file, line) = (frame.file.clone(), frame.line);
        self.watched.push(Watched { file, line, names, values: BTreeMap::new() });
    }

    /// Takes down the original's run. Later runs of the original take back what is not always the same.
    pub(crate) fn record(&mut self, run: &Run) {
        let is_first = self.recorded == 0;
        self.recorded += 1;
        for watched in &mut self.watched {
            let values = run.values(&watched.file, watched.line, &watched.names);
            match is_first {
                true => watched.values = values,
                false => watched.values.retain(|name, value| values.get(name) == Some(value)),
            }
        }
        match (&self.course, &run.course) {
            (None, Some(course)) if is_first => self.course = Some(course.clone()),
            (Some(known), Some(course)) => {
                let same = |_: &Path, line| Some(line);
                let departs = course.departure(known, same).is_some() || known.departure(course, same).is_some();
                if departs {
                    self.give_up_course("its runs are not always the same, so the order of statements is not compared");
                }
            }
            (_, None) => self.give_up_course(
                "its run could not be written down, or is too long for it, so the order of statements is not compared",
            ),
            (None, Some(_)) => {}
        }
    }

    /// Compares no runs.
    pub(crate) fn give_up_runs(&mut self, why: &'static str) {
        self.give_up_course(why);
        self.watched.clear();
    }

    pub(crate) fn give_up_course(&mut self, why: &'static str) {
        self.course = None;
        self.limits.push(why);
        self.limits.dedup();
    }

    /// Whether anything of a run is compared.
    pub(crate) fn compares_runs(&self) -> bool {
        self.course.is_some() || self.watched.iter().any(|watched| !watched.values.is_empty())
    }

    /// Adds to what is said not to be compared.
    pub(crate) fn note(&mut self, limit: &'static str) {
        self.limits.push(limit);
    }

    /// What is not compared, for a person.
    pub fn limits(&self) -> &[&'static str] {
        &self.limits
    }

    /// The lines of the conditions that have to stay.
    pub fn guards(&self) -> Vec<(PathBuf, u32)> {
        self.guards.iter().map(|guard| (guard.file.clone(), guard.first)).collect()
    }

    /// The statement or condition that a candidate no longer has, told from its text.
    pub(crate) fn missing(&self, candidate: &FileTree, lines: &LineMap) -> Option<String> {
        if !self.statements.iter().all(|statement| statement.is_in(candidate, lines, self.names)) {
            return Some("the failing statement is not what it was".into());
        }
        let missing = self.guards.iter().find(|guard| !guard.is_in(candidate, lines, self.names))?;
        Some(format!("the condition in line {} that guards the failure is gone", missing.first))
    }

    /// How the run of a candidate is no projection of the original's, in words.
    pub(crate) fn difference(&self, run: &Run, lines: &LineMap) -> Option<String> {
        for watched in &self.watched {
            let Some(line) = lines.get(&watched.file, watched.line) else { continue };
            let now = run.values(&watched.file, line, &watched.names);
            let is_known = !now.is_empty() && self.names == Names::Stay;
            let changed = watched.values.iter().find_map(|(name, held)| match now.get(name) {
                Some(holds) if holds == held => None,
                Some(holds) => Some(format!("`{name}` was {held} in the original and is {holds}")),
                // The statement that reads it is still there.
                None if is_known && watched.names.contains(name) => Some(format!("`{name}` is another variable")),
                None => None,
            });
            if changed.is_some() {
                return changed;
            }
        }
        let (known, course) = (self.course.as_ref()?, run.course.as_ref());
        let Some(course) = course else { return Some("runs for longer than the original".into()) };
        let (file, line) = course.departure(known, |file, line| lines.original(file, line))?;
        Some(format!("takes another way: {}:{line} is run where the original did not", file.display()))
    }
}

const MOST_ON_A_LINE: usize = 4;

/// A statement that throws or aborts says only that something is wrong. What is wrong is in the conditions.
fn is_declared(kind: &Kind) -> bool {
    matches!(kind, Kind::Exception | Kind::Abort)
}

/// The conditions that have to stay: the innermost around the statement; for one that always fails also those before it.
fn guards_among(found: &Grounds, kind: &Kind) -> Vec<Piece> {
    match found.around.is_empty() && is_declared(kind) {
        true => found.before.clone(),
        false => found.around.clone(),
    }
}

fn text(project: &Project, tree: &FileTree, piece: &Piece) -> Option<Text> {
    let path = piece.file.strip_prefix(&project.root).ok()?;
    let whole = file(tree, path)?;
    if tokens(whole.get(piece.range.clone())?).is_empty() {
        return None;
    }
    let line = |at: usize| whole[..at].iter().filter(|byte| **byte == b'\n').count() as u32 + 1;
    Some(Text {
        file: path.to_path_buf(),
        first: line(piece.range.start),
        last: line(piece.range.end),
        text: whole.get(piece.range.clone())?.to_vec(),
    })
}

/// The words of a piece of text, among them the names of the variables that it reads.
fn words(project: &Project, tree: &FileTree, piece: &Piece) -> BTreeSet<String> {
    let text = piece.file.strip_prefix(&project.root).ok().and_then(|path| file(tree, path));
    let text = text.and_then(|text| text.get(piece.range.clone())).unwrap_or_default();
    let spelled: Vec<_> = tokens(text).into_iter().map(|token| String::from_utf8_lossy(&text[token.range])).collect();
    let is_name = |word: &str| word.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
    // A variable that is given a value holds anything before.
    let is_given = |index: usize| {
        let is_member = index > 0 && matches!(&*spelled[index - 1], "." | "->");
        !is_member && spelled.get(index + 1).is_some_and(|next| next == "=")
    };
    let read = spelled.iter().enumerate().filter(|(index, word)| is_name(word) && !is_given(*index));
    read.map(|(_, word)| word.to_string()).collect()
}

/// A file of the program by the path that failures have; that of a single file is its name.
fn file<'t>(tree: &'t FileTree, path: &Path) -> Option<&'t [u8]> {
    let path = if tree.is_directory() { path } else { Path::new("") };
    match tree.entry(path)? {
        Entry::File { content, .. } => Some(content),
        Entry::Link { .. } | Entry::EmptyDirectory => None,
    }
}

fn in_lines(text: &[u8], first: u32, last: u32) -> Vec<u8> {
    let lines = text.split(|byte| *byte == b'\n').skip(first.saturating_sub(1) as usize);
    lines.take((last + 1).saturating_sub(first) as usize).collect::<Vec<_>>().join(&b'\n')
}

/// The tokens of a text one after the other; if names may change, any name stands for every other.
fn spelled(text: &[u8], names: Names) -> Vec<Vec<u8>> {
    let word = |token: lapidary_clang::Token| match (&text[token.range], names) {
        (word, Names::MayChange) if is_renamed(word) => b"_".to_vec(),
        (word, _) => word.to_vec(),
    };
    tokens(text).into_iter().map(word).collect()
}

/// Whether a word is one that a program may call otherwise.
fn is_renamed(word: &[u8]) -> bool {
    const KEPT: [&[u8]; 10] =
        [b"if", b"else", b"while", b"do", b"for", b"switch", b"case", b"return", b"throw", b"sizeof"];
    word.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_') && !KEPT.contains(&word)
}
