//! The end of the chain: an SMT solver that receives the constraints in SMT-LIB 2.
//!
//! It is either Z3 as a library, or any solver as a process; both read the same text. Definitions
//! are sent once and stay, and each query is asserted between `push` and `pop`.

mod child;
mod conversation;
mod library;
mod operations;
mod process;
mod script;
mod values;

use crate::solver::{Answer, Backend, LayerCounts, Solver, Statistics};
use crate::{Assignment, Curfew, Node, Term, Terms};
use child::ChildConversation;
pub use child::SERVICE;
use conversation::Conversation;
pub use conversation::SolverError;
use lapidary_common::program::on_path;
use library::Z3;
use process::ProcessConversation;
use script::{DEEPEST, Script, congruence, name};
use std::path::PathBuf;
use std::time::{Duration, Instant};
pub use values::parse_values;

/// The number of terms after which the solver is restarted, so that its memory stays bounded.
const MOST_WRITTEN: usize = 500_000;

/// The best tactic of Z3 for floats: as bits for a SAT solver, or its usual tactic where that does
/// not apply. Casts to integers and raw bits leave more than bit-vectors, on which the SAT solver
/// would give up without an answer.
const FLOAT_TACTIC: &str = "(or-else (then simplify propagate-values solve-eqs simplify fpa2bv simplify solve-eqs \
                            (fail-if (not is-qfbv)) bit-blast sat) smt)";

/// A solver that sends every query to an SMT solver.
pub struct SmtSolver {
    source: Source,
    time_limit: Duration,
    curfew: Curfew,
    session: Option<Session>,
    counts: LayerCounts,
}

/// The source of conversations: the path of a library, or a command.
enum Source {
    Library(PathBuf),
    Command(String),
}

struct Session {
    conversation: Box<dyn Conversation>,
    script: Script,
    /// Whether the last query is still asserted. It is popped together with the next one, because
    /// each exchange with a process takes a while.
    is_pushed: bool,
}

impl SmtSolver {
    /// Finds the solver, which is started by the first query. A command is tried once, because it
    /// may be any program.
    pub fn new(backend: &Backend, time_limit: Duration) -> Result<SmtSolver, SolverError> {
        let source = match backend {
            Backend::Automatic => find()?,
            Backend::Library(path) => Source::Library(usable(path.clone())?),
            Backend::Command(command) => Source::Command(command.clone()),
        };
        source.try_out()?;
        let (curfew, counts) = (Curfew::default(), LayerCounts::new("solver"));
        Ok(SmtSolver { source, time_limit, curfew, session: None, counts })
    }

    /// The solver with queries that can be interrupted from outside.
    pub fn ended_by(self, curfew: Curfew) -> SmtSolver {
        SmtSolver { curfew, ..self }
    }

    fn answer_unless_interrupted(&mut self, terms: &mut Terms, constraints: &[Term]) -> Result<Answer, SolverError> {
        if self.curfew.is_in_force() {
            return Err(SolverError::Interrupted);
        }
        // After an error, the state of the solver is no longer certain.
        self.answer(terms, constraints).inspect_err(|_| self.session = None)
    }

    fn answer(&mut self, terms: &mut Terms, constraints: &[Term]) -> Result<Answer, SolverError> {
        let dialect = self.source.dialect();
        let limit = self.time_limit;
        let session = self.session()?;
        let Some(definitions) = session.script.definitions_for(terms, constraints) else {
            return Ok(Answer::Unknown(format!(
                "a constraint has more than {DEEPEST} operations one within the other"
            )));
        };
        let pop = if std::mem::replace(&mut session.is_pushed, true) { "(pop 1)\n" } else { "" };
        let (assertions, check) = (assertions(terms, constraints), session.check(constraints, dialect, limit));
        let verdict = session.conversation.ask(&[pop, &definitions, &assertions, &check].concat())?;
        Ok(match verdict.trim() {
            "sat" => Answer::Satisfiable(session.values(terms, constraints)?),
            "unsat" => Answer::Unsatisfiable,
            "unknown" | "timeout" => Answer::Unknown(format!("no answer in {:.1} s", limit.as_secs_f64())),
            other => return Err(SolverError::Broken(format!("the solver says: {other}"))),
        })
    }

    fn session(&mut self) -> Result<&mut Session, SolverError> {
        let is_full = |session: &Session| session.script.size() > MOST_WRITTEN;
        let usable = self.session.take().filter(|session| !is_full(session));
        let session = match usable {
            Some(session) => session,
            None => self.source.open(self.time_limit, &self.curfew)?,
        };
        Ok(self.session.insert(session))
    }
}

impl Solver for SmtSolver {
    fn solve(&mut self, terms: &mut Terms, constraints: &[Term]) -> Answer {
        let start = Instant::now();
        self.counts.queries += 1;
        self.counts.answered += 1;
        let mut asked = self.answer_unless_interrupted(terms, constraints);
        if matches!(asked, Err(SolverError::Killed)) {
            // The question has nothing to do with it, and a new session can answer.
            asked = self.answer_unless_interrupted(terms, constraints);
        }
        let answer = asked.unwrap_or_else(|error| Answer::Unknown(error.to_string()));
        self.counts.time += start.elapsed();
        answer
    }

    fn statistics(&self) -> Statistics {
        Statistics(vec![self.counts])
    }
}

impl Session {
    fn check(&self, constraints: &[Term], dialect: Dialect, limit: Duration) -> String {
        let has_floats = constraints.iter().any(|constraint| self.script.has_floats(*constraint));
        match dialect {
            Dialect::Z3 if has_floats => {
                format!("(check-sat-using {FLOAT_TACTIC} :timeout {})", limit.as_millis())
            }
            _ => "(check-sat)".into(),
        }
    }

    fn values(&mut self, terms: &mut Terms, constraints: &[Term]) -> Result<Assignment, SolverError> {
        let mut wanted = applications(terms, constraints);
        wanted.extend(constraints.iter().flat_map(|constraint| terms.symbols_in(*constraint).to_vec()));
        wanted.sort_unstable();
        wanted.dedup();
        if wanted.is_empty() {
            return Ok(Assignment::new());
        }
        let names: Vec<String> = wanted.iter().map(|term| name(terms, *term)).collect();
        let sorts: Vec<_> = wanted.iter().map(|term| terms.sort(*term)).collect();
        let answer = self.conversation.ask(&format!("(get-value ({}))", names.join(" ")))?;
        let values = parse_values(&answer, &sorts)
            .ok_or_else(|| SolverError::Broken(format!("the solver's values make no sense: {answer}")))?;
        Ok(wanted.into_iter().zip(values).collect())
    }
}

/// The commands that assert a query on a level of its own.
fn assertions(terms: &mut Terms, constraints: &[Term]) -> String {
    let mut text = String::from("(push 1)\n");
    for constraint in constraints {
        text.push_str(&format!("(assert {})\n", name(terms, *constraint)));
    }
    let applications = applications(terms, constraints);
    for (index, a) in applications.iter().enumerate() {
        text.extend(applications[..index].iter().filter_map(|b| congruence(terms, *a, *b)));
    }
    text
}

/// The applications of uninterpreted functions in the constraints.
fn applications(terms: &mut Terms, constraints: &[Term]) -> Vec<Term> {
    let concerned = |terms: &mut Terms, constraint: &&Term| !terms.support(**constraint).functions.is_empty();
    let roots: Vec<Term> = constraints.iter().filter(|constraint| concerned(terms, constraint)).copied().collect();
    let mut found = terms.reachable(&roots);
    found.retain(|term| matches!(terms.node(*term), Node::Apply(..)));
    found
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Dialect {
    Z3,
    Standard,
}

impl Source {
    fn dialect(&self) -> Dialect {
        match self {
            Source::Library(_) => Dialect::Z3,
            Source::Command(command) if is_z3(command) => Dialect::Z3,
            Source::Command(_) => Dialect::Standard,
        }
    }

    /// Checks that a command speaks SMT-LIB.
    fn try_out(&self) -> Result<(), SolverError> {
        let Source::Command(command) = self else { return Ok(()) };
        let wrong = |reason: String| SolverError::Command { command: command.clone(), reason };
        let mut session = self.open(TRIAL, &Curfew::default()).map_err(|error| match error {
            SolverError::Broken(reason) => wrong(format!("it does not speak SMT-LIB 2 ({reason})")),
            other => other,
        })?;
        match session.conversation.ask("(assert true)\n(check-sat)") {
            Ok(answer) if answer.trim() == "sat" => Ok(()),
            Ok(answer) => Err(wrong(format!("it does not speak SMT-LIB 2, and answers {:?}", answer.trim()))),
            Err(error) => Err(wrong(format!("it does not speak SMT-LIB 2 ({error})"))),
        }
    }

    fn open(&self, time_limit: Duration, curfew: &Curfew) -> Result<Session, SolverError> {
        let patience = match self.dialect() {
            // Z3 observes the limit itself, and is given up if it is much later.
            Dialect::Z3 => time_limit * 2 + GRACE,
            // There is no standard option for a limit, so other solvers are ended at it.
            Dialect::Standard => time_limit + GRACE,
        };
        let mut conversation: Box<dyn Conversation> = match self {
            Source::Library(path) if !lapidary_foreign::is_available() => {
                Box::new(Z3::load(path.clone())?.open(curfew.clone())?)
            }
            Source::Library(path) => Box::new(ChildConversation::start(path, patience, curfew.clone())?),
            Source::Command(command) => Box::new(ProcessConversation::start(command, patience, curfew.clone())?),
        };
        conversation.ask(&match self.dialect() {
            Dialect::Z3 => format!("(set-option :timeout {})", time_limit.as_millis()),
            Dialect::Standard => {
                "(set-option :print-success false)\n(set-option :produce-models true)\n(set-logic ALL)".into()
            }
        })?;
        Ok(Session { conversation, script: Script::default(), is_pushed: false })
    }
}

const GRACE: Duration = Duration::from_secs(1);

/// The time limit with which a command has to show that it is a solver.
const TRIAL: Duration = Duration::from_secs(4);

/// Finds the solver that the environment names; otherwise the library; otherwise the program.
fn find() -> Result<Source, SolverError> {
    if let Some(command) = variable("LAPIDARY_SOLVER") {
        return Ok(Source::Command(command));
    }
    if let Some(path) = variable("LAPIDARY_Z3") {
        return Ok(Source::Library(usable(path.into())?));
    }
    let mut tried = match find_library() {
        Ok(library) => return Ok(Source::Library(library)),
        Err(tried) => tried,
    };
    if on_path("z3").is_some() {
        return Ok(Source::Command("z3 -in".into()));
    }
    tried.push("the program z3".into());
    Err(SolverError::NotFound { tried })
}

/// Finds the library in its usual places; the error lists the places tried.
fn find_library() -> Result<PathBuf, Vec<String>> {
    let mut tried = Vec::new();
    for path in library::usual_places() {
        tried.push(path.display().to_string());
        if let Ok(path) = usable(path) {
            return Ok(path);
        }
    }
    Err(tried)
}

/// Checks that a library is Z3, where it will run.
fn usable(path: PathBuf) -> Result<PathBuf, SolverError> {
    match lapidary_foreign::is_available() {
        true => ChildConversation::start(&path, TRIAL, Curfew::default()).map(drop)?,
        false => Z3::load(path.clone()).map(drop)?,
    }
    Ok(path)
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}

fn is_z3(command: &str) -> bool {
    let program = command.split_whitespace().next().unwrap_or_default();
    program.rsplit('/').next().unwrap_or_default().starts_with("z3")
}
