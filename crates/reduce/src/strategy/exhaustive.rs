//! Tries every valid candidate in order of size (AutoPIE's naive search with its heuristics,
//! sections 5.1 and 6.4).
//!
//! Candidates that violate a clause are never built, and candidates that cost more than `ratio` of
//! the start are ignored. The costs up to that bound are cut into bins, enumerated one by one from
//! the cheapest, so that a small answer is found without listing the rest. If the result is smaller
//! than the start, no smaller candidate is interesting.

use super::{Oracle, Stop, Strategy};
use crate::Space;
use lapidary_logic::{Var, VarSet};

/// Tries every valid candidate in order of size.
pub struct Exhaustive {
    /// The largest cost of a candidate, as a share of the start's cost.
    pub ratio: f64,
    /// How many bins the costs up to that bound are cut into.
    pub bins: u32,
    /// Gives up after looking at this many partial candidates.
    pub patience: u64,
    /// The reaction to too many combinations.
    pub too_large: TooLarge,
}

/// The end of a search that has too many combinations to look at.
#[derive(Default)]
pub enum TooLarge {
    /// The start is kept, for one of several stages.
    #[default]
    KeepStart,
    /// The start is kept, and this is called: not everything was tried.
    Tell(Box<dyn Fn() + Send + Sync>),
    /// The search ends with an error, for users who asked for this strategy alone.
    Refuse,
}

impl Default for Exhaustive {
    fn default() -> Self {
        Exhaustive { ratio: 1.0, bins: 10, patience: 20_000_000, too_large: TooLarge::KeepStart }
    }
}

impl Strategy for Exhaustive {
    fn name(&self) -> &'static str {
        "exhaustive"
    }

    fn reduce(&self, space: &Space<'_>, oracle: &mut dyn Oracle) -> Result<VarSet, Stop> {
        let bound = (space.cost(space.start()) as f64 * self.ratio) as u64;
        let bins = u64::from(self.bins.max(1));
        let mut patience = self.patience;
        let mut low = 0;
        for bin in 1..=bins {
            let high = bound * bin / bins;
            let Some(mut candidates) = Enumeration::new(space).between(low, high, &mut patience) else {
                return self.give_up(space);
            };
            candidates.sort_by_cached_key(|(cost, candidate)| (*cost, candidate.len()));
            let found = oracle.first(&mut candidates.into_iter().map(|(_, candidate)| candidate))?;
            if let Some((_, smallest)) = found {
                return Ok(smallest);
            }
            low = high + 1;
        }
        Ok(space.start().clone())
    }

    fn fork(&self) -> Option<Box<dyn Strategy>> {
        // Nobody hears whether everything was tried by a copy.
        let Exhaustive { ratio, bins, patience, .. } = *self;
        Some(Box::new(Exhaustive { ratio, bins, patience, too_large: TooLarge::KeepStart }))
    }
}

impl Exhaustive {
    fn give_up(&self, space: &Space<'_>) -> Result<VarSet, Stop> {
        match &self.too_large {
            TooLarge::KeepStart => {}
            TooLarge::Tell(tell) => tell(),
            TooLarge::Refuse => {
                let items = space.start().len();
                return Err(Stop::TooLarge(format!(
                    "{items} items are too many to try all their combinations; another strategy ends sooner"
                )));
            }
        }
        Ok(space.start().clone())
    }
}

/// A depth-first walk over the assignments of the start's variables. A clause is checked as soon as
/// its last variable is assigned, so invalid branches end early.
struct Enumeration<'a> {
    space: &'a Space<'a>,
    /// The start's variables in the order of assignment: those that others need come first.
    sequence: Vec<Var>,
    /// For each position of the sequence, the clauses whose last variable is there.
    completed: Vec<Vec<usize>>,
    assignment: VarSet,
    cost: u64,
}

impl<'a> Enumeration<'a> {
    fn new(space: &'a Space<'a>) -> Self {
        let start = space.start();
        let order = space.reasoner().order().sequence();
        let sequence: Vec<Var> = order.iter().copied().filter(|&var| start.contains(var)).collect();
        let mut position = vec![None; space.universe()];
        sequence.iter().enumerate().for_each(|(index, var)| position[var.index()] = Some(index));
        let mut completed = vec![Vec::new(); sequence.len()];
        for (index, clause) in space.constraint().clauses().enumerate() {
            let vars = clause.premises.iter().chain(clause.conclusions);
            if let Some(last) = vars.filter_map(|var| position[var.index()]).max() {
                completed[last].push(index);
            }
        }
        Enumeration { space, sequence, completed, assignment: VarSet::empty(space.universe()), cost: 0 }
    }

    /// All valid candidates except the start whose cost is in `low..=high`, with their cost. `None`
    /// if patience ran out.
    fn between(mut self, low: u64, high: u64, patience: &mut u64) -> Option<Vec<(u64, VarSet)>> {
        let mut found = Vec::new();
        // Each position tries false, then true. `next` holds what to try next at each position of
        // the current branch.
        let mut next = vec![Some(false)];
        while let Some(choice) = next.last().copied() {
            let position = next.len() - 1;
            if position == self.sequence.len() {
                if self.cost >= low && self.assignment != *self.space.start() {
                    found.push((self.cost, self.assignment.clone()));
                }
                next.pop();
                continue;
            }
            self.assign(position, false);
            let Some(value) = choice else {
                next.pop();
                continue;
            };
            *patience = patience.checked_sub(1)?;
            next[position] = if value { None } else { Some(true) };
            self.assign(position, value);
            if self.cost <= high && self.holds(position) {
                next.push(Some(false));
            }
        }
        Some(found)
    }

    fn assign(&mut self, position: usize, value: bool) {
        let var = self.sequence[position];
        let cost = self.space.items().get(var.index()).map_or(0, |item| item.cost);
        match value {
            true => {
                self.assignment.insert(var);
                self.cost += cost;
            }
            false if self.assignment.remove(var) => self.cost -= cost,
            false => {}
        }
    }

    fn holds(&self, position: usize) -> bool {
        let constraint = self.space.constraint();
        self.completed[position].iter().all(|&index| constraint.clause(index).is_satisfied_by(&self.assignment))
    }
}
