//! Taking things away, many at a time: the part that `hdd` and `polish` share.
//!
//! Removals are tried in batches of a fixed size, all against the same candidate, so that cores help; what succeeds is
//! merged, and the merge is tested, halved when it fails. The outcome depends on the answers alone, not on how many
//! tests ran at once.

use super::{Oracle, Stop};
use lapidary_logic::{Remover, Sacrifice, Var, VarSet};

/// How many removals are tried against the same candidate. A constant: the result must not depend on the machine.
pub(crate) const BATCH: usize = 8;

/// Something to take away, and how to settle choices about what goes with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Removal {
    pub vars: Vec<Var>,
    pub sacrifice: Sacrifice,
}

impl Removal {
    pub fn of(vars: Vec<Var>) -> Self {
        Removal { vars, sacrifice: Sacrifice::Last }
    }
}

/// What became of a removal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Gone,
    /// Nothing of it was there any more.
    Absent,
    /// The candidate without it is not interesting, or not valid.
    Needed,
}

/// An interesting candidate that gets smaller.
pub(crate) struct Pruner<'a, 'o> {
    remover: Remover<'a>,
    oracle: &'o mut dyn Oracle,
}

impl<'a, 'o> Pruner<'a, 'o> {
    pub fn new(remover: Remover<'a>, oracle: &'o mut dyn Oracle) -> Self {
        Pruner { remover, oracle }
    }

    pub fn current(&self) -> &VarSet {
        self.remover.current()
    }

    pub fn into_current(self) -> VarSet {
        self.remover.current().clone()
    }

    /// Tries each removal against the current candidate and takes away as many as go together.
    pub fn try_batch(&mut self, removals: &[Removal]) -> Result<Vec<Fate>, Stop> {
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

    /// Takes away what succeeded alone. `fresh`: the candidate has not changed since, so a single one needs no test.
    fn merge(
        &mut self,
        removals: &[Removal],
        successes: &[usize],
        fresh: bool,
        fates: &mut [Fate],
    ) -> Result<bool, Stop> {
        let Some(gone) = self.union_of(removals, successes) else { return Ok(false) };
        let known = fresh && successes.len() == 1;
        if known || self.oracle.test(&self.current().without(&gone))? {
            self.remover.commit(&gone);
            successes.iter().for_each(|&index| fates[index] = Fate::Gone);
            return Ok(!gone.is_empty());
        }
        if successes.len() == 1 {
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

    /// Tries to take away all of `vars`, in groups: a group that cannot go is cut in two. Later variables go first, because
    /// what comes later tends to depend on what came before. True if anything went.
    pub fn sweep(&mut self, vars: &[Var]) -> Result<bool, Stop> {
        let mut queue = vec![vars.to_vec()];
        let mut changed = false;
        while !queue.is_empty() {
            // The end of the queue holds the last variables.
            let batch: Vec<Removal> =
                queue.split_off(queue.len().saturating_sub(BATCH)).into_iter().map(Removal::of).collect();
            let fates = self.try_batch(&batch)?;
            changed |= fates.contains(&Fate::Gone);
            for (removal, fate) in batch.into_iter().zip(fates) {
                if fate == Fate::Needed && removal.vars.len() > 1 {
                    let (first, second) = removal.vars.split_at(removal.vars.len() / 2);
                    queue.extend([first.to_vec(), second.to_vec()]);
                }
            }
        }
        Ok(changed)
    }
}
