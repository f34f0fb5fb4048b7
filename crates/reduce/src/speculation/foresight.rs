//! The questions that the strategy will ask next, if these are answered in this way or that.
//!
//! The paths of assumed answers form a tree. Each ghost stands at a question of it; each branch that
//! no ghost follows yet is a sprout. Both have a probability: the product of the odds of all
//! assumptions on the way. An answer makes an assumption a fact, which makes the rest of its path
//! more likely, and the paths with the other assumption end.
//!
//! Invariant: exactly one ghost or sprout assumes nothing any more and so follows the strategy
//! itself, unless that ghost has found that the strategy will end, or the system had no thread for it.
//! Without one, only the candidates of the call in progress are tested at once.

use super::News;
use super::beliefs::Beliefs;
use super::ghost::{Asked, Facts, Ghost, Print};
use crate::{Space, Strategy};
use lapidary_logic::VarSet;
use std::collections::{BTreeMap, HashMap};
use std::sync::PoisonError;
use std::sync::mpsc::{Sender, channel};
use std::thread::{Builder, Scope};

/// Paths that are less likely are not followed.
const UNLIKELY: f64 = 0.004;

/// An assumed answer.
#[derive(Clone, Copy, Debug)]
struct Assumption {
    print: Print,
    answer: bool,
    /// The probability of this answer.
    odds: f64,
}

/// The assumptions on the way to a question.
#[derive(Clone, Debug, Default)]
struct Path(Vec<Assumption>);

impl Path {
    fn probability(&self) -> f64 {
        self.0.iter().map(|assumption| assumption.odds).product()
    }

    fn and(&self, print: Print, answer: bool, odds: f64) -> Path {
        let mut path = self.clone();
        path.0.push(Assumption { print, answer, odds });
        path
    }

    /// Takes note of an answer. False if the path assumes the other one.
    fn learn(&mut self, print: Print, answer: bool) -> bool {
        let is_contradicted = self.0.iter().any(|assumed| assumed.print == print && assumed.answer != answer);
        self.0.retain(|assumed| assumed.print != print);
        !is_contradicted
    }
}

/// A question at which a ghost waits.
struct Question {
    keep: VarSet,
    print: Print,
    /// The probability that the answer is yes.
    chance: f64,
    /// Whether its candidate is being tested.
    is_tested: bool,
}

/// A ghost as seen from outside.
struct Follower {
    path: Path,
    /// The question at which it waits, if it does not run.
    at: Option<Question>,
    reply: Sender<bool>,
}

/// A step that makes more questions known or tests one.
pub(super) enum Step {
    /// Test this candidate.
    Test(VarSet),
    /// A ghost goes on.
    Move,
}

/// The ghosts of a stage.
pub(super) struct Foresight<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    space: &'env Space<'env>,
    /// The strategy as it was when the stage began, and what was believed then.
    strategy: &'env dyn Strategy,
    beliefs: Beliefs,
    facts: Facts,
    news: Sender<News>,
    followers: BTreeMap<u64, Follower>,
    sprouts: Vec<Path>,
    started: u64,
}

impl<'scope, 'env> Foresight<'scope, 'env> {
    pub fn new(
        scope: &'scope Scope<'scope, 'env>,
        space: &'env Space<'env>,
        strategy: &'env dyn Strategy,
        beliefs: Beliefs,
        news: Sender<News>,
    ) -> Self {
        let (facts, sprouts) = (Facts::default(), vec![Path::default()]);
        Foresight { scope, space, strategy, beliefs, facts, news, followers: BTreeMap::new(), sprouts, started: 0 }
    }

    /// Takes note of an answer. True if it ends a path.
    pub fn learn(&mut self, print: Print, answer: bool) -> bool {
        let known = self.facts.write().unwrap_or_else(PoisonError::into_inner).insert(print, answer);
        if known.is_some() {
            return false;
        }
        let before = self.sprouts.len() + self.followers.len();
        self.sprouts.retain_mut(|path| path.learn(print, answer));
        self.followers.retain(|_, follower| follower.path.learn(print, answer));
        for follower in self.followers.values_mut() {
            if follower.at.take_if(|question| question.print == print).is_some() {
                // A ghost that is gone has said so, or will.
                let _ = follower.reply.send(answer);
            }
        }
        self.sprouts.len() + self.followers.len() < before
    }

    /// A ghost waits at a question.
    pub fn asked(&mut self, asked: Asked) {
        let Some(follower) = self.followers.get_mut(&asked.ghost) else { return };
        let fact = self.facts.read().unwrap_or_else(PoisonError::into_inner).get(&asked.print).copied();
        if let Some(answer) = fact {
            let _ = follower.reply.send(answer);
            return;
        }
        let Asked { keep, print, chance, .. } = asked;
        follower.at = Some(Question { keep, print, chance, is_tested: false });
    }

    /// A ghost has ended.
    pub fn vanished(&mut self, ghost: u64) {
        self.followers.remove(&ghost);
    }

    /// Whether a candidate is on a path that is still followed.
    pub fn wants(&self, print: Print) -> bool {
        let assumes = |path: &Path| path.0.iter().any(|assumption| assumption.print == print);
        let asks = |follower: &Follower| follower.at.as_ref().is_some_and(|question| question.print == print);
        self.sprouts.iter().any(assumes)
            || self.followers.values().any(|follower| assumes(&follower.path) || asks(follower))
    }

    /// The probability that the answer about a candidate will be needed.
    pub fn need_for(&self, print: Print) -> f64 {
        let asks = |follower: &&Follower| follower.at.as_ref().is_some_and(|question| question.print == print);
        // Whoever assumes an answer has asked.
        let before = |path: &Path| {
            let position = path.0.iter().position(|assumption| assumption.print == print)?;
            Some(path.0[..position].iter().map(|assumption| assumption.odds).product::<f64>())
        };
        let asked = self.followers.values().filter(asks).map(|follower| follower.path.probability());
        let assumed = self.followers.values().map(|follower| &follower.path).chain(&self.sprouts).filter_map(before);
        asked.chain(assumed).fold(0.0, f64::max)
    }

    /// The best next step, if one is at least this likely to help. A ghost that moves has been told
    /// to do so when this returns.
    pub fn step(&mut self, at_least: f64) -> Option<Step> {
        let at_least = at_least.max(UNLIKELY);
        let moving = self.followers.values().filter(|follower| follower.at.is_none());
        let moving = moving.map(|follower| follower.path.probability()).fold(0.0, f64::max);
        let waiting = self.followers.iter_mut().filter(|(_, follower)| follower.at.is_some());
        let best_follower = waiting.map(|(_, follower)| (worth(follower), follower)).max_by(|a, b| a.0.total_cmp(&b.0));
        let sprouts = self.sprouts.iter().enumerate().map(|(index, path)| (path.probability(), index));
        let best_sprout = sprouts.max_by(|a, b| a.0.total_cmp(&b.0));
        let of_sprout = best_sprout.map_or(0.0, |(worth, _)| worth);
        match (best_follower, best_sprout) {
            (Some((worth, follower)), _) if worth >= of_sprout => {
                // Something better may come from a ghost that runs.
                if worth < at_least || 2.0 * worth < moving {
                    return None;
                }
                let question = follower.at.as_mut().filter(|question| !question.is_tested);
                if let Some(question) = question {
                    question.is_tested = true;
                    return Some(Step::Test(question.keep.clone()));
                }
                let sprout = go_on(follower);
                self.sprouts.push(sprout);
                Some(Step::Move)
            }
            (_, Some((worth, index))) if worth >= at_least && 2.0 * worth >= moving => {
                let path = self.sprouts.swap_remove(index);
                self.follow(path);
                Some(Step::Move)
            }
            _ => None,
        }
    }

    /// Sends a ghost along a path.
    fn follow(&mut self, path: Path) {
        self.started += 1;
        let (reply, replies) = channel();
        let assumed: HashMap<Print, bool> = path.0.iter().map(|assumed| (assumed.print, assumed.answer)).collect();
        let (facts, news, number) = (self.facts.clone(), self.news.clone(), self.started);
        let ghost = Ghost { number, facts, beliefs: self.beliefs.clone(), assumed, news, replies };
        let (strategy, space) = (self.strategy.fork(), self.space);
        let Some(strategy) = strategy else { return };
        // Without a thread to spare, nobody looks ahead on this path.
        if Builder::new().spawn_scoped(self.scope, move || ghost.run(&*strategy, space)).is_ok() {
            self.followers.insert(number, Follower { path, at: None, reply });
        }
    }
}

/// The probability that the next step of a waiting ghost helps.
fn worth(follower: &Follower) -> f64 {
    let Some(question) = &follower.at else { return 0.0 };
    let on_the_way = if question.is_tested { question.chance.max(1.0 - question.chance) } else { 1.0 };
    follower.path.probability() * on_the_way
}

/// Has a ghost assume the likelier answer to its question. Returns the other branch.
fn go_on(follower: &mut Follower) -> Path {
    let question = follower.at.take().expect("the ghost waits");
    let yes = question.chance >= 0.5;
    let odds = if yes { question.chance } else { 1.0 - question.chance };
    let other = follower.path.and(question.print, !yes, 1.0 - odds);
    follower.path = follower.path.and(question.print, yes, odds);
    // A ghost that is gone has said so, or will.
    let _ = follower.reply.send(yes);
    other
}
