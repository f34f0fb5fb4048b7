//! Decides whether a smaller program fails for the same reason: its failing run must be a
//! projection of the original's.
//!
//! [`crate::Sameness`] compares how two runs end. For the reason to be preserved, the following
//! must hold as well:
//!
//! - each line that the smaller program runs was run by the original, in that order, called from
//!   the same lines;
//! - the failing statement and the conditions that guard it are still there;
//! - the variables and elements in the failing statement and in these conditions have the same
//!   values, and so do the parameters of all active functions.
//!
//! The original's run is recorded once. Some runs cannot be followed: those with threads, with
//! optimised code, of more than a million blocks, or that are never the same. They are not
//! compared, and [`Projection::limits`] says so.

use crate::failure::{Failure, Frame, Kind};
use crate::run::{Course, Question, Run, Value};
use crate::sameness::LineMap;
use lapidary_clang::tokens;
use lapidary_clang_model::Project;
use lapidary_reduce::{Entry, FileTree};
use lapidary_slice::{Criterion, Decision, Grounds, Piece, grounds};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// The reason for a failure, as far as a run shows it.
#[derive(Clone, Debug, Default)]
pub struct Projection {
    course: Option<Course>,
    /// The variables of active functions in the failing statement and its guards.
    watched: Vec<Watched>,
    /// The failing statement.
    statements: Vec<Text>,
    /// The conditions that guard it.
    guards: Vec<Text>,
    /// Conditions that guard it if the failing call evaluated them, which a run shows.
    checks: Vec<Check>,
    names: Names,
    /// Lines of the original that contain only brackets. No statement is on them, but code that the
    /// compiler adds is, such as the destruction of temporary objects.
    brackets: BTreeSet<(PathBuf, u32)>,
    /// The number of recorded runs of the original.
    recorded: u32,
    limits: Vec<&'static str>,
}

/// The variables on the line where a function was active.
#[derive(Clone, Debug)]
struct Watched {
    file: PathBuf,
    line: u32,
    question: Question,
    values: BTreeMap<String, Value>,
}

impl Watched {
    /// Returns whether the text of the program names this value.
    fn names(&self, value: &str) -> bool {
        self.question.names.contains(value)
            || !is_name(value) && self.question.texts.iter().any(|text| text.concat().contains(value))
    }
}

/// A condition with a jump before the failing statement, such as `if (i > n) return;`.
#[derive(Clone, Debug)]
struct Check {
    /// The condition, then its jumps.
    texts: Vec<Text>,
    question: Question,
}

/// A piece of the program that must stay unchanged.
#[derive(Clone, Debug)]
struct Text {
    file: PathBuf,
    /// The first line; `last` is the last one.
    first: u32,
    last: u32,
    /// The text itself.
    text: Vec<u8>,
}

/// Whether names count in text that must stay unchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Names {
    #[default]
    Stay,
    MayChange,
}

impl Text {
    /// Returns whether the text is still in a program whose lines are where the map says.
    fn is_in(&self, candidate: &FileTree, lines: &LineMap, names: Names) -> bool {
        let now = lines.get(&self.file, self.first).zip(lines.get(&self.file, self.last));
        let found = now.and_then(|(first, last)| Some(in_lines(file(candidate, &self.file)?, first, last)));
        let (found, wanted) = (spelled(&found.unwrap_or_default(), names), spelled(&self.text, names));
        found.windows(wanted.len()).any(|window| window == wanted)
    }
}

impl Projection {
    /// Determines the guards of a failure and the variables to watch, before anything is run.
    pub fn of(failure: &Failure, project: &Project, tree: &FileTree, units: &[lapidary_clang::Syntax]) -> Projection {
        let mut projection = Projection { brackets: brackets(project, tree), ..Projection::default() };
        if failure.kind == Kind::StackOverflow {
            projection.keep_ways_out(failure, project, tree, units);
            projection
                .limits
                .push("for a stack overflow, only the recurring calls and the path to the first of them are compared");
            return projection;
        }
        let mut is_guarded = false;
        for (index, frame) in failure.frames.iter().enumerate() {
            if is_guarded {
                projection.watch(frame, Question::default());
                continue;
            }
            let criterion = Criterion { file: project.root.join(&frame.file), line: frame.line, variable: None };
            let found = grounds(units, &criterion, frame.column);
            if index == 0 && found.is_err() {
                projection.limits.push("the failing statement could not be read, so it and its conditions may change");
            }
            let found = found.unwrap_or_default();
            // It is unknown which of many statements on a line failed.
            let is_crowded = found.statements.len() > MOST_ON_A_LINE;
            if index == 0 && is_crowded {
                projection
                    .limits
                    .push("too many statements are on the failing line, so they and their conditions may change");
            }
            let found = if is_crowded { Grounds::default() } else { found };
            let guards = guards_among(&found, &failure.kind);
            let statements = if index == 0 { found.statements } else { Vec::new() };
            let in_force = if found.around.is_empty() { &[] } else { &guards[..] };
            let mut asked = question(project, tree, &[in_force, &statements].concat());
            if found.around.is_empty() {
                asked.add_earlier(question(project, tree, &guards));
            }
            projection.watch(frame, asked);
            for check in checks_among(project, tree, &found.before, &statements) {
                let is_guard = guards.contains(&check.condition);
                projection.checks.extend((!is_guard).then(|| Check::of(project, tree, check)));
            }
            projection.guards.extend(guards.iter().filter_map(|piece| text(project, tree, piece)));
            projection.statements.extend(statements.iter().filter_map(|piece| text(project, tree, piece)));
            // If a function does nothing but fail, its caller makes the decision.
            is_guarded = !guards.is_empty() || !is_declared(&failure.kind);
        }
        projection
    }

    /// Returns the projection for candidates in which names may have changed.
    pub fn with_other_names(self) -> Projection {
        Projection { names: Names::MayChange, ..self }
    }

    fn watch(&mut self, frame: &Frame, question: Question) {
        // For a recursive function, watch the innermost call.
        if self.watched.iter().any(|known| known.line == frame.line && known.file == frame.file) {
            return;
        }
        let (file, line) = (frame.file.clone(), frame.line);
        self.watched.push(Watched { file, line, question, values: BTreeMap::new() });
    }

    /// Adds the checks that the failing call evaluated to the guards. Without a recorded course, it
    /// may have evaluated all of them.
    fn settle_checks(&mut self, course: Option<&Course>) {
        let checks = std::mem::take(&mut self.checks);
        let Some(failing) = self.watched.first_mut() else { return };
        for Check { texts, question } in checks {
            let was_run = |text: &Text| {
                course.is_none_or(|course| {
                    (text.first..=text.last)
                        .any(|line| course.runs_in_last_call((&failing.file, failing.line), (&text.file, line)))
                })
            };
            if texts.first().is_some_and(was_run) {
                failing.question.add_earlier(question);
                self.guards.extend(texts);
            }
        }
    }

    /// Records a run of the original. Further runs remove everything that is not always the same.
    pub(crate) fn record(&mut self, run: &Run) {
        let is_first = self.recorded == 0;
        self.recorded += 1;
        self.settle_checks(run.course.as_ref());
        let mut misses_elements = false;
        for watched in &mut self.watched {
            let values = run.values(&watched.file, watched.line, &watched.question);
            misses_elements |= values.misses_elements;
            match is_first {
                true => watched.values = values.known,
                false => watched.values.retain(|name, value| values.known.get(name) == Some(value)),
            }
        }
        if misses_elements && is_first {
            self.note("an element in the failing statement or its condition could not be read, so it is not compared");
        }
        match (&self.course, &run.course) {
            (None, Some(course)) if is_first => self.course = Some(course.clone()),
            (Some(known), Some(course)) => {
                let same = |_: &Path, line| Some(line);
                let departs = |one: &Course, other| one.departure(other, same, |_, _| true).is_some();
                let departs = departs(course, known) || departs(known, course);
                if departs {
                    self.give_up_course("its runs are not always the same, so the order of statements is not compared");
                }
            }
            (_, None) => self.give_up_course(
                "its run could not be recorded, or is too long, so the order of statements is not compared",
            ),
            (None, Some(_)) => {}
        }
    }

    /// Stops comparing runs.
    pub(crate) fn give_up_runs(&mut self, why: &'static str) {
        self.give_up_course(why);
        self.settle_checks(None);
        self.watched.clear();
    }

    pub(crate) fn give_up_course(&mut self, why: &'static str) {
        self.course = None;
        self.limits.push(why);
        self.limits.dedup();
    }

    /// Returns whether any part of a run is compared.
    pub(crate) fn compares_runs(&self) -> bool {
        self.course.is_some() || self.watched.iter().any(|watched| !watched.values.is_empty())
    }

    /// Keeps the conditions that could have ended a recursion.
    fn keep_ways_out(
        &mut self,
        failure: &Failure,
        project: &Project,
        tree: &FileTree,
        units: &[lapidary_clang::Syntax],
    ) {
        let places: BTreeSet<_> = failure.frames.iter().map(|frame| (&frame.file, frame.line)).collect();
        for (file, line) in places.into_iter().take(MOST_RECURRING) {
            let criterion = Criterion { file: project.root.join(file), line, variable: None };
            // The stack may also end on entry to a function, on a line without a statement.
            let Ok(found) = grounds(units, &criterion, None) else { continue };
            let guards = found.around.iter().chain(found.before.iter().flat_map(Decision::pieces));
            self.guards.extend(guards.filter_map(|piece| text(project, tree, piece)));
        }
    }

    /// Adds a limit of the comparison.
    pub(crate) fn note(&mut self, limit: &'static str) {
        self.limits.push(limit);
    }

    /// Returns, for people, what is not compared.
    pub fn limits(&self) -> &[&'static str] {
        &self.limits
    }

    /// Returns the lines of the conditions that must be preserved.
    pub fn guards(&self) -> Vec<(PathBuf, u32)> {
        self.guards.iter().map(|guard| (guard.file.clone(), guard.first)).collect()
    }

    /// Returns the lines that must stay unchanged.
    pub(crate) fn fixed(&self) -> Vec<(PathBuf, RangeInclusive<u32>)> {
        let texts = self.statements.iter().chain(&self.guards);
        texts.map(|text| (text.file.clone(), text.first..=text.last)).collect()
    }

    /// Describes the statement or condition that is missing from a candidate's text, if any.
    pub(crate) fn missing(&self, candidate: &FileTree, lines: &LineMap) -> Option<String> {
        if !self.statements.iter().all(|statement| statement.is_in(candidate, lines, self.names)) {
            return Some("the failing statement is not what it was".into());
        }
        let missing = self.guards.iter().find(|guard| !guard.is_in(candidate, lines, self.names))?;
        Some(format!("the condition in line {} that guards the failure is gone", missing.first))
    }

    /// Describes why the run of a candidate is no projection of the original's, if it is not.
    pub(crate) fn difference(&self, run: &Run, lines: &LineMap) -> Option<String> {
        for watched in &self.watched {
            let Some(line) = lines.get(&watched.file, watched.line) else { continue };
            let now = run.values(&watched.file, line, &watched.question).known;
            let has_names = self.names == Names::Stay;
            let changed = watched.values.iter().find_map(|(name, held)| match now.get(name) {
                Some(holds) if held.is_kept_by(holds, has_names) => None,
                Some(holds) => Some(format!("`{name}` was {held} in the original and is {holds}")),
                // The statement that reads the variable is still there.
                None if has_names && !now.is_empty() && watched.names(name) => {
                    Some(format!("`{name}` is another variable"))
                }
                None => None,
            });
            if changed.is_some() {
                return changed;
            }
        }
        let (known, course) = (self.course.as_ref()?, run.course.as_ref());
        let Some(course) = course else { return Some("runs for longer than the original".into()) };
        let original = |file: &Path, line| lines.original(file, line);
        let is_statement = |file: &Path, line| {
            original(file, line).is_none_or(|line| !self.brackets.contains(&(file.to_path_buf(), line)))
        };
        let (file, line) = course.departure(known, original, is_statement)?;
        Some(format!("takes another way: {}:{line} is run where the original did not", file.display()))
    }
}

/// Returns the lines of a program that contain only brackets.
fn brackets(project: &Project, tree: &FileTree) -> BTreeSet<(PathBuf, u32)> {
    let mut found = BTreeSet::new();
    for source in project.sources(tree).files {
        let Ok(path) = source.path.strip_prefix(&project.root) else { continue };
        for (line, text) in (1..).zip(source.text.split(|byte| *byte == b'\n')) {
            let tokens = tokens(text);
            if !tokens.is_empty() && tokens.iter().all(|token| matches!(&text[token.range.clone()], b"{" | b"}" | b";"))
            {
                found.insert((path.to_path_buf(), line));
            }
        }
    }
    found
}

/// The calls of one recursion whose conditions are kept.
const MOST_RECURRING: usize = 8;
const MOST_ON_A_LINE: usize = 4;

/// Returns whether the failing statement only reports a failure, by throwing or aborting. The cause
/// is then in the conditions.
fn is_declared(kind: &Kind) -> bool {
    matches!(kind, Kind::Exception | Kind::Abort)
}

/// Returns the conditions that must be preserved: the innermost around the statement. If there is
/// none and the statement always fails, those before it.
fn guards_among(found: &Grounds, kind: &Kind) -> Vec<Piece> {
    match found.around.is_empty() && is_declared(kind) {
        true => found.before.iter().flat_map(|decision| decision.pieces().cloned()).collect(),
        false => found.around.clone(),
    }
}

/// Returns the conditions with a jump that are about a variable which the failing statement reads.
/// They may be the bug: `if (i > n) return 0;` should have been `i >= n`.
fn checks_among<'g>(
    project: &'g Project,
    tree: &'g FileTree,
    before: &'g [Decision],
    statements: &[Piece],
) -> impl Iterator<Item = &'g Decision> {
    let read: BTreeSet<String> =
        statements.iter().flat_map(|piece| variables(&spelled_in(project, tree, piece))).collect();
    let is_about = move |condition: &Piece| !variables(&spelled_in(project, tree, condition)).is_disjoint(&read);
    before.iter().filter(move |decision| !decision.jumps.is_empty() && is_about(&decision.condition))
}

impl Check {
    fn of(project: &Project, tree: &FileTree, decision: &Decision) -> Check {
        Check {
            texts: decision.pieces().filter_map(|piece| text(project, tree, piece)).collect(),
            question: question(project, tree, std::slice::from_ref(&decision.condition)),
        }
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

/// Returns the question for the values that pieces of the program read.
fn question(project: &Project, tree: &FileTree, pieces: &[Piece]) -> Question {
    let texts: Vec<_> = pieces.iter().map(|piece| spelled_in(project, tree, piece)).collect();
    let names = texts.iter().flat_map(|text| read_words(text).map(|(_, word)| word.clone())).collect();
    Question { names, texts, ..Question::default() }
}

/// Returns the tokens of a piece.
fn spelled_in(project: &Project, tree: &FileTree, piece: &Piece) -> Vec<String> {
    let text = piece.file.strip_prefix(&project.root).ok().and_then(|path| file(tree, path));
    let text = text.and_then(|text| text.get(piece.range.clone())).unwrap_or_default();
    tokens(text).into_iter().map(|token| String::from_utf8_lossy(&text[token.range]).into_owned()).collect()
}

fn is_name(word: &str) -> bool {
    word.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
        && word.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
}

/// Returns the words of a text, including the names of the variables that it reads, with their
/// positions. The value of a variable before an assignment to it does not matter.
fn read_words(text: &[String]) -> impl Iterator<Item = (usize, &String)> {
    let is_given = |index: usize| !is_member(text, index) && text.get(index + 1).is_some_and(|next| next == "=");
    text.iter().enumerate().filter(move |(index, word)| is_name(word) && !is_given(*index))
}

fn is_member(text: &[String], index: usize) -> bool {
    index > 0 && matches!(&*text[index - 1], "." | "->")
}

/// Returns the names of the variables that a text reads. By convention, a name in capitals is a
/// constant.
fn variables(text: &[String]) -> BTreeSet<String> {
    const NONE: [&str; 16] = [
        "if", "while", "for", "switch", "return", "this", "true", "false", "nullptr", "sizeof", "int", "char", "long",
        "unsigned", "const", "struct",
    ];
    let is_variable = |(index, word): &(usize, &String)| {
        let next = text.get(index + 1).map_or("", |next| next);
        let is_tag = *index > 0 && matches!(&*text[index - 1], "struct" | "union" | "enum" | "::");
        let is_constant = word.len() > 1 && !word.contains(char::is_lowercase);
        let is_other = is_member(text, *index) || is_tag || is_constant || matches!(next, "(" | "::");
        !is_other && !NONE.contains(&&***word)
    };
    read_words(text).filter(is_variable).map(|(_, word)| word.clone()).collect()
}

/// Returns a file of the program by the path used in failures. For a single file, that is its name.
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

/// Returns the tokens of a text. If names may change, all names are treated as equal.
fn spelled(text: &[u8], names: Names) -> Vec<Vec<u8>> {
    let word = |token: lapidary_clang::Token| match (&text[token.range], names) {
        (word, Names::MayChange) if is_renamed(word) => b"_".to_vec(),
        (word, _) => word.to_vec(),
    };
    tokens(text).into_iter().map(word).collect()
}

/// Returns whether a word is one that renaming may change.
fn is_renamed(word: &[u8]) -> bool {
    const KEPT: [&[u8]; 10] =
        [b"if", b"else", b"while", b"do", b"for", b"switch", b"case", b"return", b"throw", b"sizeof"];
    word.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_') && !KEPT.contains(&word)
}
