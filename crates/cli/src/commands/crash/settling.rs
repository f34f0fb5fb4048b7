//! The last step of `lapidary crash`: what was found is compiled and run as its user would do it.

use lapidary_crash::minimise::compacted;
use lapidary_crash::{CrashPredicate, LineMap, with_headers_of};
use lapidary_reduce::{Cancel, FileTree, Predicate};
use std::iter::successors;

/// A result as it is shown.
pub(super) struct Settled {
    pub(super) tree: FileTree,
    /// Where its lines have gone.
    pub(super) lines: LineMap,
    pub(super) checked: Checked,
}

/// What became of a result when it was run once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Checked {
    /// It fails as it should.
    Compacted,
    /// It does so only where its lines have their numbers, which the program looks at; or somebody waits for the run to
    /// end, and that is what has been run before.
    WithGaps,
    Flaky,
}

/// Who runs results once more.
pub(super) struct Settling<'a> {
    predicate: CrashPredicate,
    original: &'a FileTree,
    cancel: &'a Cancel,
}

impl<'a> Settling<'a> {
    pub(super) fn new(predicate: &CrashPredicate, original: &'a FileTree, cancel: &'a Cancel) -> Self {
        Settling { predicate: predicate.compiling_plainly(), original, cancel }
    }

    /// The candidate without its gaps, if it then still fails.
    pub(super) fn settle(&self, candidate: &FileTree) -> Settled {
        let (compact, lines) = compacted(self.original, candidate);
        let fails = |predicate: &CrashPredicate, tree| Some(predicate.judge(tree, self.cancel).ok()?.is_interesting());
        let with_gaps = |tree, checked| Settled { tree, lines: LineMap::new(), checked };
        match fails(&self.predicate.with_lines(lines.clone()), &compact) {
            Some(true) => Settled { tree: compact, lines, checked: Checked::Compacted },
            Some(false) if fails(&self.predicate, candidate) == Some(false) => {
                with_gaps(candidate.clone(), Checked::Flaky)
            }
            Some(false) => with_gaps(candidate.clone(), Checked::WithGaps),
            None => with_gaps(with_headers_of(self.original, candidate), Checked::WithGaps),
        }
    }

    /// The latest of these that does not fail by accident, as one does that reads memory it has not written; the first if all
    /// are like that. There are hundreds, so those near the end are looked at more closely.
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

/// From the last to the first, in steps that become twice as long each time.
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
