//! Removing many items at a time: the part that `hdd`, `polish` and `windows` share.
//!
//! Removals are tried in batches of a fixed size, all against the same candidate, so that several
//! cores can work on them. The successful ones are merged and tested together; if that fails, the
//! merge is halved. The outcome depends on the answers alone, not on how many tests ran at once.

use super::{Oracle, Stop};
use lapidary_logic::{Remover, Sacrifice, Var, VarSet};
use std::collections::HashMap;

/// How many removals are tried against the same candidate. A constant, so that the result does not
/// depend on the machine.
const BATCH: usize = 8;

/// Variables to remove, and which premise to give up where a clause leaves a choice.
struct Removal {
    vars: Vec<Var>,
    sacrifice: Sacrifice,
}

impl Removal {
    fn of(vars: Vec<Var>) -> Self {
        Removal { vars, sacrifice: Sacrifice::Last }
    }
}

/// The outcome of a removal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Gone,
    /// All its variables had already been removed.
    Absent,
    /// The candidate without it is not interesting, or not valid.
    Needed,
}

/// An interesting candidate that shrinks step by step.
pub(crate) struct Pruner<'a, 'o> {
    remover: Remover<'a>,
    oracle: &'o mut dyn Oracle,
    /// The number of successful removals.
    changes: u64,
    /// For each variable that could not be removed alone, the number of changes at that time.
    needed_at: HashMap<Var, u64>,
}

impl<'a, 'o> Pruner<'a, 'o> {
    pub fn new(remover: Remover<'a>, oracle: &'o mut dyn Oracle) -> Self {
        Pruner { remover, oracle, changes: 0, needed_at: HashMap::new() }
    }

    pub fn current(&self) -> &VarSet {
        self.remover.current()
    }

    pub fn into_current(self) -> VarSet {
        self.remover.current().clone()
    }

    /// Tries each removal against the current candidate and applies as many as work together.
    fn try_batch(&mut self, removals: &[Removal]) -> Result<Vec<Fate>, Stop> {
        let mut fates = vec![Fate::Needed; removals.len()];
        let mut tested = Vec::new();
        let mut candidates = Vec::new();
        for (index, removal) in removals.iter().enumerate() {
            if !removal.vars.iter().any(|&var| self.current().contains(var)) {
                fates[index] = Fate::Absent;
            } else if let Some(gone) = self.consequences(removal) {
                tested.push(index);
                candidates.push(self.current().without(&gone));
            }
        }
        let answers = self.oracle.each(&candidates)?;
        let successes: Vec<usize> =
            tested.into_iter().zip(answers).filter(|(_, yes)| *yes).map(|(index, _)| index).collect();
        self.merge(removals, &successes, true, &mut fates)?;
        Ok(fates)
    }

    /// Applies removals that succeeded alone. If `fresh`, the candidate has not changed since then,
    /// so a single removal needs no test.
    fn merge(
        &mut self,
        removals: &[Removal],
        successes: &[usize],
        fresh: bool,
        fates: &mut [Fate],
    ) -> Result<bool, Stop> {
        let known = fresh && successes.len() == 1;
        // Removals that work one by one may fail together: a clause may need one of their
        // variables.
        if let Some(gone) = self.union_of(removals, successes)
            && (known || self.oracle.test(&self.current().without(&gone))?)
        {
            self.remover.commit(&gone);
            self.changes += 1;
            successes.iter().for_each(|&index| fates[index] = Fate::Gone);
            return Ok(!gone.is_empty());
        }
        if successes.len() <= 1 {
            return Ok(false);
        }
        let (first, second) = successes.split_at(successes.len() / 2);
        let changed = self.merge(removals, first, fresh, fates)?;
        Ok(self.merge(removals, second, fresh && !changed, fates)? || changed)
    }

    fn union_of(&mut self, removals: &[Removal], indices: &[usize]) -> Option<Vec<Var>> {
        let first = *indices.first()?;
        let vars = indices.iter().flat_map(|&index| removals[index].vars.iter().copied()).collect();
        self.consequences(&Removal { vars, sacrifice: removals[first].sacrifice })
    }

    fn consequences(&mut self, removal: &Removal) -> Option<Vec<Var>> {
        let present: Vec<Var> = removal.vars.iter().copied().filter(|&var| self.current().contains(var)).collect();
        self.remover.consequences(&present, removal.sacrifice)
    }

    /// Tries to remove all of `vars`, in groups that start at `size`. A group that is needed is cut
    /// in two. Groups grow while most of them can be removed and shrink otherwise. Later variables
    /// are tried first, because they tend to depend on earlier ones.
    pub fn sweep(&mut self, vars: &[Var], size: usize) -> Result<(), Stop> {
        let mut rest = vars.to_vec();
        let mut open: Vec<Group> = Vec::new();
        let mut size = size.max(1);
        let mut luck = Luck::default();
        while !rest.is_empty() || !open.is_empty() {
            let fresh = open.is_empty();
            let batch = match fresh {
                true => last_groups(&mut rest, size),
                false => open.split_off(open.len().saturating_sub(BATCH)),
            };
            let vars: Vec<Vec<Var>> = batch.iter().map(|group| group.vars.clone()).collect();
            let fates = self.try_groups(&vars)?;
            if fresh {
                size = next_size(size, &fates);
            }
            luck.learn(&fates);
            batch.into_iter().zip(fates).for_each(|(group, fate)| group.follow_up(fate, &luck, &mut open));
        }
        Ok(())
    }

    /// Tries to remove each group as a whole, the last ones first.
    pub fn try_all(&mut self, groups: &[Vec<Var>]) -> Result<(), Stop> {
        groups.rchunks(BATCH).try_for_each(|batch| self.try_groups(batch).map(drop))
    }

    /// Tries one batch. A single variable that is needed is tried again with the other
    /// [`Sacrifice`], if that removes different variables.
    fn try_groups(&mut self, groups: &[Vec<Var>]) -> Result<Vec<Fate>, Stop> {
        let changes = self.changes;
        let removals: Vec<Removal> = groups.iter().cloned().map(Removal::of).collect();
        let mut fates = self.try_batch(&removals)?;
        let choices: Vec<usize> = (0..groups.len())
            .filter(|&index| fates[index] == Fate::Needed && self.has_choice(&groups[index]))
            .collect();
        let others: Vec<Removal> =
            choices.iter().map(|&index| Removal { vars: groups[index].clone(), sacrifice: Sacrifice::First }).collect();
        for (&index, fate) in choices.iter().zip(self.try_batch(&others)?) {
            fates[index] = fate;
        }
        for (group, _) in groups.iter().zip(&fates).filter(|(group, fate)| group.len() == 1 && **fate == Fate::Needed) {
            self.needed_at.insert(group[0], changes);
        }
        Ok(fates)
    }

    fn has_choice(&mut self, group: &[Var]) -> bool {
        let [var] = group else { return false };
        self.remover.consequences(&[*var], Sacrifice::First) != self.remover.consequences(&[*var], Sacrifice::Last)
    }

    /// Whether nothing has changed since `var` alone was found to be needed.
    pub fn is_settled(&self, var: Var) -> bool {
        self.needed_at.get(&var) == Some(&self.changes)
    }
}

/// Variables to remove together.
struct Group {
    vars: Vec<Var>,
    /// The other half of a group that is needed. If this half is removed, something in the other
    /// half is needed.
    sibling: Option<Vec<Var>>,
}

impl Group {
    /// Adds the groups to try next, given the outcome of this one.
    fn follow_up(self, fate: Fate, luck: &Luck, open: &mut Vec<Group>) {
        match (self.sibling, fate) {
            (Some(sibling), Fate::Gone) => open.extend(Group::parts(&sibling, luck)),
            (Some(sibling), _) => open.push(Group { vars: sibling, sibling: None }),
            (None, _) => {}
        }
        if fate == Fate::Needed {
            open.extend(Group::parts(&self.vars, luck));
        }
    }

    /// Splits a group in which something is needed: into two halves, the later one to be tried
    /// first, or straight into single variables when hardly anything can be removed.
    fn parts(vars: &[Var], luck: &Luck) -> Vec<Group> {
        const SMALL: usize = 8;
        if vars.len() == 1 {
            return Vec::new();
        }
        if vars.len() <= SMALL && luck.is_bad() {
            return vars.iter().map(|&var| Group { vars: vec![var], sibling: None }).collect();
        }
        let (first, second) = vars.split_at(vars.len() / 2);
        vec![Group { vars: second.to_vec(), sibling: Some(first.to_vec()) }]
    }
}

/// The share of groups that were removed recently.
#[derive(Default)]
struct Luck {
    tried: u32,
    gone: u32,
}

impl Luck {
    /// Counts the outcomes. Older ones count half as much after every 32 tries.
    fn learn(&mut self, fates: &[Fate]) {
        self.tried += fates.len() as u32;
        self.gone += fates.iter().filter(|fate| **fate == Fate::Gone).count() as u32;
        if self.tried >= 64 {
            self.tried /= 2;
            self.gone /= 2;
        }
    }

    fn is_bad(&self) -> bool {
        self.tried >= 16 && 8 * self.gone < self.tried
    }
}

/// Takes up to [`BATCH`] groups of `size` variables from the end.
fn last_groups(rest: &mut Vec<Var>, size: usize) -> Vec<Group> {
    let mut groups = Vec::new();
    while groups.len() < BATCH && !rest.is_empty() {
        groups.push(Group { vars: rest.split_off(rest.len().saturating_sub(size)), sibling: None });
    }
    groups.reverse();
    groups
}

fn next_size(size: usize, fates: &[Fate]) -> usize {
    let gone = fates.iter().filter(|fate| **fate != Fate::Needed).count();
    match 2 * gone >= fates.len() {
        true => 2 * size,
        false => (size / 2).max(1),
    }
}
