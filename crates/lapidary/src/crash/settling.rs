//! The last step of minimising a crash: compiles and runs the result as its user would.

use lapidary_crash::minimise::compacted;
use lapidary_crash::{CrashPredicate, Failure, LineMap, with_headers_of};
use lapidary_reduce::{Cancel, FileTree};
use std::iter::successors;

/// A result in the form that the user sees.
pub(super) struct Settled {
    pub(super) tree: FileTree,
    /// Where the lines of the candidate are in it.
    pub(super) lines: LineMap,
    /// How it failed, if it ran.
    pub(super) failure: Option<Failure>,
    pub(super) checked: Checked,
}

/// The outcome of running a result once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Checked {
    /// It fails as it should, without gaps between its lines.
    Compacted,
    /// It fails only with its original line numbers, because the program uses them.
    WithGaps,
    /// The run was cancelled, disturbed, or could not be started. This is the form that was tested before.
    NotRun,
    /// It does not fail as it should.
    Flaky,
}

impl Checked {
    /// How the result fails, in words; `None` if that is not known.
    pub(super) fn words(self) -> Option<&'static str> {
        match self {
            Checked::Compacted => Some("fails like the program"),
            Checked::WithGaps => Some("fails like the program, in its original lines"),
            Checked::Flaky => Some("does not fail each time"),
            Checked::NotRun => None,
        }
    }
}

/// Runs results once more.
pub(super) struct Settling<'a> {
    predicate: CrashPredicate,
    original: &'a FileTree,
    cancel: &'a Cancel,
}

impl<'a> Settling<'a> {
    pub(super) fn new(predicate: &CrashPredicate, original: &'a FileTree, cancel: &'a Cancel) -> Self {
        Settling { predicate: predicate.compiling_plainly(), original, cancel }
    }

    /// Closes the gaps between the lines of the candidate, if it then still fails.
    pub(super) fn settle(&self, candidate: &FileTree) -> Settled {
        let (compact, lines) = compacted(self.original, candidate);
        let run = |predicate: &CrashPredicate, tree| {
            let (judgment, failure) = predicate.judge_and_show(tree, self.cancel).ok()?;
            (!judgment.disturbed).then(|| (judgment.is_interesting(), failure))
        };
        let with_gaps = |tree, failure, checked| Settled { tree, lines: LineMap::new(), failure, checked };
        match run(&self.predicate.with_lines(lines.clone()), &compact) {
            Some((true, failure)) => Settled { tree: compact, lines, failure, checked: Checked::Compacted },
            Some((false, _)) => match run(&self.predicate, candidate) {
                Some((false, failure)) => with_gaps(candidate.clone(), failure, Checked::Flaky),
                Some((true, failure)) => with_gaps(candidate.clone(), failure, Checked::WithGaps),
                None => with_gaps(candidate.clone(), None, Checked::WithGaps),
            },
            None => with_gaps(with_headers_of(self.original, candidate), None, Checked::NotRun),
        }
    }

    /// The latest of these that still fails when run once more, or the first if none does. A
    /// program that reads uninitialised memory fails by accident. There can be hundreds, so fewer
    /// of the earlier ones are tried.
    pub(super) fn latest_that_fails(&self, bests: &[FileTree]) -> Option<Settled> {
        let mut latest = None;
        for index in looked_at(bests.len()) {
            let settled = latest.insert(self.settle(&bests[index]));
            if settled.checked != Checked::Flaky {
                break;
            }
        }
        latest
    }
}

/// Indices from the last to the first, in steps that double each time.
fn looked_at(count: usize) -> impl Iterator<Item = usize> {
    let last = count.checked_sub(1).map(|last| (last, 1));
    let before = |(index, step): &(usize, usize)| (*index > 0).then(|| (index.saturating_sub(*step), 2 * step));
    successors(last, before).map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_become_longer_and_reach_the_first() {
        assert_eq!(looked_at(10).collect::<Vec<_>>(), [9, 8, 6, 2, 0]);
        assert_eq!(looked_at(8).collect::<Vec<_>>(), [7, 6, 4, 0]);
        assert_eq!(looked_at(1).collect::<Vec<_>>(), [0]);
        assert_eq!(looked_at(0).count(), 0);
    }
}
