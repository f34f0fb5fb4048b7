//! Z3 as a library in a child process: a question that makes it crash or take all memory costs one
//! answer.

use super::conversation::{Conversation, SolverError};
use super::library::{Z3, Z3Conversation};
use crate::Curfew;
use lapidary_foreign::{Answers, Child, Death, Limits, Pool, Service};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Z3 in a child process.
pub static SERVICE: Service = Service { name: "z3", open };

static POOL: Pool = Pool::new(&SERVICE);

/// The first byte of a question. The first question opens the library whose path follows; all
/// others are commands.
const OPEN: u8 = b'o';
const ASK: u8 = b'a';

/// The first byte of an answer: whether it is what was asked for, or the reason why it is not.
const ANSWER: u8 = b'+';
const REASON: u8 = b'-';

/// A context of a library in a child.
pub struct ChildConversation {
    /// `None` once it is gone.
    child: Option<Child>,
    limits: Limits,
    curfew: Curfew,
}

impl ChildConversation {
    /// Loads the library in a child. It is given up if it does not answer within `patience`.
    pub fn start(library: &Path, patience: Duration, curfew: Curfew) -> Result<ChildConversation, SolverError> {
        let limits = Limits { processor: patience, ..Limits::default() };
        let child = Some(POOL.take().map_err(broken)?);
        let mut conversation = ChildConversation { child, limits, curfew };
        conversation.exchange(OPEN, library.as_os_str().as_bytes()).map_err(|error| match error {
            SolverError::Broken(reason) => SolverError::Library { path: library.to_owned(), reason },
            other => other,
        })?;
        Ok(conversation)
    }

    fn exchange(&mut self, kind: u8, content: &[u8]) -> Result<String, SolverError> {
        let gone = || SolverError::Broken("the solver has ended".into());
        let mut child = self.child.take().ok_or_else(gone)?;
        let (question, is_stopped) = ([&[kind], content].concat(), || self.curfew.is_in_force());
        let answer = child.ask_unless(&question, &self.limits, &is_stopped).map_err(broken)?;
        self.child = Some(child);
        let text = String::from_utf8_lossy(answer.get(1..).unwrap_or_default()).into_owned();
        if answer.first() == Some(&ANSWER) { Ok(text) } else { Err(SolverError::Broken(text)) }
    }
}

fn broken(death: Death) -> SolverError {
    match death {
        Death::Stopped => SolverError::Interrupted,
        Death::Killed => SolverError::Killed,
        _ => SolverError::Broken(format!("Z3 gave no answer: {death}")),
    }
}

impl Conversation for ChildConversation {
    fn ask(&mut self, commands: &str) -> Result<String, SolverError> {
        self.exchange(ASK, commands.as_bytes())
    }
}

impl Drop for ChildConversation {
    /// Keeps the process for another conversation, which will replace the context.
    fn drop(&mut self) {
        self.child.take().into_iter().for_each(|child| POOL.give_back(child));
    }
}

/// The child's side.
fn open() -> Answers {
    let mut conversation: Option<Z3Conversation> = None;
    Box::new(move |question| {
        let result = match question.split_first() {
            Some((&OPEN, path)) => start(OsStr::from_bytes(path).into()).map(|started| {
                conversation = Some(started);
                String::new()
            }),
            Some((&ASK, commands)) => match &mut conversation {
                Some(conversation) => conversation.ask(&String::from_utf8_lossy(commands)),
                None => Err(SolverError::Broken("no library is open".into())),
            },
            _ => Err(SolverError::Broken("the question cannot be read".into())),
        };
        match result {
            Ok(text) => [&[ANSWER], text.as_bytes()].concat(),
            Err(SolverError::Library { reason, .. }) => [&[REASON], reason.as_bytes()].concat(),
            Err(error) => [&[REASON], error.to_string().as_bytes()].concat(),
        }
    })
}

fn start(path: PathBuf) -> Result<Z3Conversation, SolverError> {
    Z3::load(path)?.open(Curfew::default())
}
