//! The end of the chain: an SMT solver that is told the constraints in SMT-LIB 2.
//!
//! It is Z3 as a library, or any solver as a process; both read the same text. Definitions are told once and stay, each
//! question is asserted between `push` and `pop`.

mod library;
mod operations;
mod process;
mod script;
mod values;

use crate::solver::{Answer, Backend, Counts, Solver, Statistics};
use crate::{Assignment, Interrupt, Node, Term, Terms};
use library::Z3;
use process::ProcessConversation;
use script::{DEEPEST, Script, congruence, name};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use thiserror::Error;
use values::parse_values;

/// When so many terms were written, the solver starts afresh, so that its memory stays bounded.
const MOST_WRITTEN: usize = 500_000;

/// What Z3 is best at floats with: as bits, for a SAT solver; and if that is not for the question, its usual way. Casts to
/// integers and raw bits leave more than bit-vectors, on which the SAT solver would give up without an answer.
const FLOAT_TACTIC: &str = "(or-else (then simplify propagate-values solve-eqs simplify fpa2bv simplify solve-eqs \
                            (fail-if (not is-qfbv)) bit-blast sat) smt)";

#[derive(Debug, Error)]
pub enum SolverError {
    #[error(
        "no SMT solver was found (looked for {}): run `scripts/setup symbolic`, or `apt install libz3-4`; \
         $LAPIDARY_Z3 names a library elsewhere, $LAPIDARY_SOLVER a command",
        tried.join(", ")
    )]
    NotFound { tried: Vec<String> },
    #[error("cannot use the library {}: {reason}", path.display())]
    Library { path: PathBuf, reason: String },
    #[error("cannot run the solver `{command}`: {reason}")]
    Command { command: String, reason: String },
    #[error("the question was interrupted")]
    Interrupted,
    #[error("{0}")]
    Broken(String),
}

/// Something that answers SMT-LIB 2 commands and remembers them.
trait Conversation: Send {
    /// What the commands print.
    fn ask(&mut self, commands: &str) -> Result<String, SolverError>;
}

pub struct SmtSolver {
    source: Source,
    time_limit: Duration,
    interrupt: Interrupt,
    session: Option<Session>,
    counts: Counts,
}

/// Where conversations come from.
enum Source {
    Library(Z3),
    Command(String),
}

struct Session {
    conversation: Box<dyn Conversation>,
    script: Script,
}

impl SmtSolver {
    /// Finds the solver; it is started when it is first asked. A command is tried once, for it may be anything.
    pub fn new(backend: &Backend, time_limit: Duration) -> Result<SmtSolver, SolverError> {
        let source = match backend {
            Backend::Automatic => find()?,
            Backend::Library(path) => Source::Library(Z3::load(path.clone())?),
            Backend::Command(command) => Source::Command(command.clone()),
        };
        source.try_out()?;
        let (interrupt, counts) = (Interrupt::default(), Counts::new("solver"));
        Ok(SmtSolver { source, time_limit, interrupt, session: None, counts })
    }

    /// The same, with questions that can be ended from outside.
    pub fn ended_by(self, interrupt: Interrupt) -> SmtSolver {
        SmtSolver { interrupt, ..self }
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
        session.command(&definitions)?;
        session.assert(terms, constraints)?;
        let check = session.check(constraints, dialect, limit);
        let verdict = session.conversation.ask(&check)?;
        let answer = match verdict.trim() {
            "sat" => Answer::Satisfiable(session.values(terms, constraints)?),
            "unsat" => Answer::Unsatisfiable,
            "unknown" | "timeout" => Answer::Unknown(format!("no answer in {:.1} s", limit.as_secs_f64())),
            other => return Err(SolverError::Broken(format!("the solver says: {other}"))),
        };
        session.conversation.ask("(pop 1)")?;
        Ok(answer)
    }

    fn session(&mut self) -> Result<&mut Session, SolverError> {
        let is_full = |session: &Session| session.script.size() > MOST_WRITTEN;
        let usable = self.session.take().filter(|session| !is_full(session));
        let session = match usable {
            Some(session) => session,
            None => self.source.open(self.time_limit, &self.interrupt)?,
        };
        Ok(self.session.insert(session))
    }
}

impl Solver for SmtSolver {
    fn solve(&mut self, terms: &mut Terms, constraints: &[Term]) -> Answer {
        let start = Instant::now();
        self.counts.queries += 1;
        self.counts.answered += 1;
        let asked =
            if self.interrupt.is_set() { Err(SolverError::Interrupted) } else { self.answer(terms, constraints) };
        let answer = asked.unwrap_or_else(|error| {
            // What the solver was told is no longer certain.
            self.session = None;
            Answer::Unknown(error.to_string())
        });
        self.counts.time += start.elapsed();
        answer
    }

    fn statistics(&self) -> Statistics {
        Statistics(vec![self.counts])
    }
}

impl Session {
    fn assert(&mut self, terms: &mut Terms, constraints: &[Term]) -> Result<(), SolverError> {
        let mut text = String::from("(push 1)\n");
        for constraint in constraints {
            text.push_str(&format!("(assert {})\n", name(terms, *constraint)));
        }
        let applications = applications(terms, constraints);
        for (index, a) in applications.iter().enumerate() {
            text.extend(applications[..index].iter().filter_map(|b| congruence(terms, *a, *b)));
        }
        self.command(&text)
    }

    /// Tells something that has no answer.
    fn command(&mut self, text: &str) -> Result<(), SolverError> {
        if text.is_empty() {
            return Ok(());
        }
        match self.conversation.ask(text)?.trim() {
            "" => Ok(()),
            complaint => Err(SolverError::Broken(format!("the solver says: {complaint}"))),
        }
    }

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

    /// Whether a command speaks SMT-LIB at all.
    fn try_out(&self) -> Result<(), SolverError> {
        let Source::Command(command) = self else { return Ok(()) };
        let wrong = |reason: String| SolverError::Command { command: command.clone(), reason };
        let mut session = self.open(TRIAL, &Interrupt::default()).map_err(|error| match error {
            SolverError::Broken(reason) => wrong(format!("it does not speak SMT-LIB 2 ({reason})")),
            other => other,
        })?;
        match session.conversation.ask("(assert true)\n(check-sat)") {
            Ok(answer) if answer.trim() == "sat" => Ok(()),
            Ok(answer) => Err(wrong(format!("it does not speak SMT-LIB 2, and answers {:?}", answer.trim()))),
            Err(error) => Err(wrong(format!("it does not speak SMT-LIB 2 ({error})"))),
        }
    }

    fn open(&self, time_limit: Duration, interrupt: &Interrupt) -> Result<Session, SolverError> {
        let mut conversation: Box<dyn Conversation> = match self {
            Source::Library(library) => Box::new(library.open(interrupt.clone())?),
            // The solver keeps its own time; whoever is much later is lost.
            Source::Command(command) => {
                Box::new(ProcessConversation::start(command, time_limit * 2 + GRACE, interrupt.clone())?)
            }
        };
        conversation.ask(&match self.dialect() {
            Dialect::Z3 => format!("(set-option :timeout {})", time_limit.as_millis()),
            Dialect::Standard => {
                "(set-option :print-success false)\n(set-option :produce-models true)\n(set-logic ALL)".into()
            }
        })?;
        Ok(Session { conversation, script: Script::default() })
    }
}

const GRACE: Duration = Duration::from_secs(1);

/// How long a command may take to show that it is a solver; it has twice that, and the grace.
const TRIAL: Duration = Duration::from_secs(2);

/// What the environment names; else the library; else the program.
fn find() -> Result<Source, SolverError> {
    if let Some(command) = variable("LAPIDARY_SOLVER") {
        return Ok(Source::Command(command));
    }
    if let Some(path) = variable("LAPIDARY_Z3") {
        return Ok(Source::Library(Z3::load(path.into())?));
    }
    let mut tried = match Z3::find() {
        Ok(library) => return Ok(Source::Library(library)),
        Err(tried) => tried,
    };
    let path = std::env::var_os("PATH").unwrap_or_default();
    if std::env::split_paths(&path).any(|folder| folder.join("z3").is_file()) {
        return Ok(Source::Command("z3 -in".into()));
    }
    tried.push("the program z3".into());
    Err(SolverError::NotFound { tried })
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}

fn is_z3(command: &str) -> bool {
    let program = command.split_whitespace().next().unwrap_or_default();
    program.rsplit('/').next().unwrap_or_default().starts_with("z3")
}
