//! Ghosts: copies of the strategy that run ahead of it with assumed answers, to find out what it will
//! ask next.
//!
//! A ghost starts where the strategy started. Questions that have been answered are answered at once,
//! those that it is told to assume as well; at any other question it stops and waits for an answer.
//! Its own result is of no interest.
//!
//! Invariant: a ghost sees facts and assumptions, and never the session.

use super::News;
use super::beliefs::Beliefs;
use crate::{Oracle, Space, Stop, Strategy};
use lapidary_logic::VarSet;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, PoisonError, RwLock};

/// A short name of a candidate. If two candidates ever had the same, tests would be wasted, and the
/// answers that the strategy gets would be right all the same.
pub(super) type Print = u64;

/// The print of a candidate.
pub(super) fn print_of(keep: &VarSet) -> Print {
    let mut hasher = DefaultHasher::new();
    keep.hash(&mut hasher);
    hasher.finish()
}

/// The answers about candidates of the stage.
pub(super) type Facts = Arc<RwLock<HashMap<Print, bool>>>;

/// A question at which a ghost waits.
pub(super) struct Asked {
    pub ghost: u64,
    pub keep: VarSet,
    pub print: Print,
    /// The probability that the answer is yes, if all assumptions are right.
    pub chance: f64,
}

/// The ghost's side of its conversation.
pub(super) struct Ghost {
    pub number: u64,
    pub facts: Facts,
    /// The beliefs with which the stage begins.
    pub beliefs: Beliefs,
    /// The answers to assume.
    pub assumed: HashMap<Print, bool>,
    pub news: Sender<News>,
    /// Answers to the questions at which it waits. It ends when the other side is gone.
    pub replies: Receiver<bool>,
}

impl Ghost {
    /// Runs the strategy until it ends or nobody wants to know more.
    pub fn run(self, strategy: &dyn Strategy, space: &Space<'_>) {
        let (number, news) = (self.number, self.news.clone());
        let mut oracle = GhostOracle { ghost: self };
        // A panic says nothing that the strategy itself would not say.
        let _ = catch_unwind(AssertUnwindSafe(|| strategy.reduce(space, &mut oracle)));
        // The receiver is gone at the end of the stage.
        let _ = news.send(News::Vanished(number));
    }
}

struct GhostOracle {
    ghost: Ghost,
}

impl GhostOracle {
    fn ask(&mut self, keep: &VarSet) -> Result<bool, Stop> {
        let print = print_of(keep);
        let answer = match self.known(print) {
            Some(answer) => answer,
            None => {
                let chance = self.ghost.beliefs.chance_of(keep);
                let asked = Asked { ghost: self.ghost.number, keep: keep.clone(), print, chance };
                self.ghost.news.send(News::Asked(asked)).map_err(|_| Stop::Interrupted)?;
                let answer = self.ghost.replies.recv().map_err(|_| Stop::Interrupted)?;
                self.ghost.assumed.insert(print, answer);
                answer
            }
        };
        self.ghost.beliefs.note(keep, answer);
        Ok(answer)
    }

    fn known(&self, print: Print) -> Option<bool> {
        let fact = || self.ghost.facts.read().unwrap_or_else(PoisonError::into_inner).get(&print).copied();
        self.ghost.assumed.get(&print).copied().or_else(fact)
    }
}

/// The provided methods ask one question after another, in the order in which a session settles them.
impl Oracle for GhostOracle {
    fn test(&mut self, keep: &VarSet) -> Result<bool, Stop> {
        self.ask(keep)
    }
}
