//! Rounds of stages, repeated until no stage of a round gains anything. Reducing the result again
//! would then change nothing.
//!
//! A stage is a model and a strategy. Most models are rebuilt from the best result so far each time
//! their stage begins, so that a later stage sees what earlier ones left. A fixed model keeps its
//! items and continues from those it kept.

use crate::speculation::search;
use crate::{FileTree, Item, Model, Session, Size, Space, StageEnd, StageInfo, Stop, Strategy, requiring};
use lapidary_logic::{Cnf, Reasoner, VarSet};

/// The origin of a stage's model.
pub enum Source<'a> {
    /// One model for all rounds.
    Fixed(&'a dyn Model),
    /// A model built from the best result so far.
    Rebuilt(Builder<'a>),
}

/// Builds a model of a file tree; `None` if there is nothing to remove.
pub type Builder<'a> = Box<dyn Fn(&FileTree) -> Option<Box<dyn Model>> + 'a>;

/// Decides whether an item must stay. The second argument is all items of its model.
pub type Keep<'a> = Box<dyn Fn(&Item, &[Item]) -> bool + 'a>;

/// A model and the strategy that works on it.
pub struct Stage<'a> {
    /// The name, for journal and progress.
    pub name: String,
    /// The origin of its model.
    pub source: Source<'a>,
    /// The strategy that searches.
    pub strategy: Box<dyn Strategy>,
    /// Whether candidates must also satisfy the model's preference. With a fixed model, such a
    /// stage runs in the first round only.
    pub steered: bool,
}

/// The stages to run, and the items that must stay whatever the test says.
#[derive(Default)]
pub struct Plan<'a> {
    /// The stages, in the order in which they run in each round.
    pub stages: Vec<Stage<'a>>,
    /// The items that are required.
    pub keep: Option<Keep<'a>>,
    /// The seed for random choices.
    pub seed: u64,
}

/// How a reduction ended. The result itself is [`Session::best`].
#[derive(Debug)]
pub struct Outcome {
    /// Why it ended early.
    pub stop: Option<Stop>,
    /// The number of rounds that began.
    pub rounds: u32,
    /// The items of a fixed model that are left.
    pub kept: Option<VarSet>,
    /// Whether the user skipped a stage.
    pub has_skipped: bool,
}

/// Runs rounds until one gains nothing, the budget is used up, or the user interrupts.
pub fn run(session: &mut Session<'_>, plan: &Plan<'_>) -> Outcome {
    let mut rounds = Rounds {
        plan,
        started_at: vec![None; plan.stages.len()],
        kept: None,
        round: 0,
        skipped: None,
        has_skipped: false,
    };
    let stop = rounds.until_nothing_gains(session).err();
    Outcome { stop, rounds: rounds.round, kept: rounds.kept, has_skipped: rounds.has_skipped }
}

/// The smallest valid candidate of the first stage that has something to remove. If it is
/// interesting, the test is probably too weak.
pub fn smallest_candidate(input: &FileTree, plan: &Plan<'_>) -> Option<FileTree> {
    let smallest = |stage: &Stage<'_>, model: &dyn Model| {
        let constraint = plan.constraint(stage, model);
        let smallest = Reasoner::new(&constraint).minimal_solution(&VarSet::full(constraint.variables()), &[]);
        model.render(&smallest).ok()
    };
    let mut stages = plan.stages.iter().filter(|stage| !stage.steered);
    stages.find_map(|stage| stage.source.with_model(input, |model| smallest(stage, model)))?
}

impl Source<'_> {
    fn with_model<T>(&self, current: &FileTree, act: impl FnOnce(&dyn Model) -> T) -> Option<T> {
        match self {
            Source::Fixed(model) => Some(act(*model)),
            Source::Rebuilt(build) => build(current).map(|model| act(&*model)),
        }
    }
}

impl Plan<'_> {
    fn constraint(&self, stage: &Stage<'_>, model: &dyn Model) -> Cnf {
        let mut constraint = match &self.keep {
            Some(keep) => requiring(model.constraint(), model.items(), keep),
            None => model.constraint().clone(),
        };
        if let Some(preference) = model.preference().filter(|_| stage.steered) {
            constraint.conjoin(preference);
        }
        constraint
    }
}

/// The state in which a stage began. Running it again from the same state would gain nothing.
#[derive(Clone, PartialEq)]
struct Start {
    tree: crate::Key,
    kept: Option<VarSet>,
}

struct Rounds<'p, 'a> {
    plan: &'p Plan<'a>,
    /// The state in which each stage last began.
    started_at: Vec<Option<Start>>,
    /// The variables left of the fixed model, of which a plan has at most one.
    kept: Option<VarSet>,
    round: u32,
    /// The last stage that the user skipped in this round, by its index.
    skipped: Option<usize>,
    has_skipped: bool,
}

impl Rounds<'_, '_> {
    fn until_nothing_gains(&mut self, session: &mut Session<'_>) -> Result<(), Stop> {
        loop {
            self.round += 1;
            self.skipped = None;
            let mut gained = false;
            for index in 0..self.plan.stages.len() {
                session.set_confirming(self.round > 1);
                let (confirmed, size) = (session.counts().confirm, session.best_size());
                let outcome = self.run_stage(session, index);
                if matches!(outcome, Ok(true)) || session.best_size() < size {
                    session.recount_as_search(confirmed);
                }
                gained |= outcome?;
            }
            if !gained {
                return Ok(());
            }
        }
    }

    /// True if the best result got smaller.
    fn run_stage(&mut self, session: &mut Session<'_>, index: usize) -> Result<bool, Stop> {
        let stage = &self.plan.stages[index];
        let start = Start { tree: session.best().key(), kept: self.kept.clone() };
        // The items left of a fixed model may no longer satisfy its preference.
        let too_late = stage.steered && self.round > 1 && matches!(stage.source, Source::Fixed(_));
        // To its user, a stage that comes twice in a row is one.
        if self.skipped.is_some_and(|skipped| index == skipped + 1 && self.plan.stages[skipped].name == stage.name) {
            self.skipped = Some(index);
            return Ok(false);
        }
        if too_late || self.started_at[index].as_ref() == Some(&start) {
            return Ok(false);
        }
        self.started_at[index] = Some(start);
        let current = session.best().clone();
        let gained = stage.source.with_model(&current, |model| self.search(session, index, model));
        gained.unwrap_or(Ok(false))
    }

    fn search(&mut self, session: &mut Session<'_>, index: usize, model: &dyn Model) -> Result<bool, Stop> {
        let stage = &self.plan.stages[index];
        if stage.steered && model.preference().is_none() {
            return Ok(false);
        }
        let constraint = self.plan.constraint(stage, model);
        let start = self.kept.clone().unwrap_or_else(|| VarSet::full(constraint.variables()));
        // The rest counts as an input of its own: its variable order comes from its own formula.
        let constraint = constraint.within(&start);
        let reasoner = Reasoner::new(&constraint);
        let size = session.best_size();
        let info = StageInfo {
            round: self.round,
            name: &stage.name,
            strategy: stage.strategy.name(),
            items: model.items(),
            clauses: constraint.len(),
            bytes: size.bytes,
        };
        session.begin_stage(&info)?;
        let space = Space::new(model.items(), &reasoner, start.clone()).with_seed(self.plan.seed);
        let mut oracle = session.oracle(model, &stage.name, &start);
        let result = search(&mut oracle, &*stage.strategy, &space);
        let (best, evidence) = oracle.into_parts();
        let kept = smaller(best, &start, size);
        let mut fewer = false;
        if let Source::Fixed(_) = stage.source {
            fewer = kept.len() < start.len();
            if fewer
                && let Ok(tree) = model.render(&kept)
                && tree != *session.best()
            {
                session.adopt(&tree)?;
            }
            self.kept = Some(kept.clone());
        }
        let gained = session.best_size() < size || fewer;
        if matches!(result, Err(Stop::Skipped)) {
            (self.skipped, self.has_skipped) = (Some(index), true);
            session.skip_stage(&info)?;
            return Ok(gained);
        }
        session.leave_stage();
        result?;
        let keepers = if gained { Vec::new() } else { evidence.keepers(model.items().len(), &kept, &constraint) };
        let (round, name, items) = (self.round, &*stage.name, model.items());
        session.end_stage(&StageEnd { round, name, items, start: &start, kept: &kept, keepers: &keepers })?;
        Ok(gained)
    }
}

/// The candidate to continue from: the smallest interesting one if it is smaller than the start,
/// else the start.
fn smaller(best: Option<(Size, VarSet)>, start: &VarSet, size: Size) -> VarSet {
    match best {
        Some((found, keep)) if (found, keep.len()) < (size, start.len()) => keep,
        _ => start.clone(),
    }
}
