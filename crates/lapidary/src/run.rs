//! One run, from the open journal to the recorded result. Reductions and crashes differ in how they
//! search and how they check; what is saved, recorded and said, and in which order, is decided here.
//!
//! Invariant: the journal says that a run is complete only if its result was saved.

use crate::follow::{Files, Follow, Packing};
use crate::watcher::Watcher;
use lapidary_reduce::journal::OutputRecord;
use lapidary_reduce::{Counts, FileTree, Judgment, Key, Limits, Observer, Outcome, Predicate, Session, Size, Skip};
use std::path::PathBuf;

/// A run that is about to search.
pub(crate) struct Run<'a> {
    pub(crate) input: &'a FileTree,
    /// The journal and the result, unless everything stays in memory.
    pub(crate) files: Option<Files>,
    /// The saved result of an earlier run, if it can be trusted.
    pub(crate) earlier: Option<&'a FileTree>,
    /// Packs an intermediate result for saving.
    pub(crate) packed: Packing<'a>,
    /// The size that is reported to the watcher.
    pub(crate) measure: fn(&FileTree) -> u64,
    /// The size that says whether the result or the earlier one is better.
    pub(crate) size: &'a dyn Fn(&FileTree) -> Size,
    /// The size of the earlier result, if nothing larger may replace it on disk.
    pub(crate) floor: Option<Size>,
    /// How the input fails.
    pub(crate) failing: Option<OutputRecord>,
}

/// The knowledge that an earlier run left in its journal.
#[derive(Default)]
pub(crate) struct Known {
    pub(crate) judgments: Vec<(Key, Judgment)>,
    /// The stages that the earlier run skipped.
    pub(crate) skips: Vec<Skip>,
    /// The size of the saved result, which is replaced only after a test of this run.
    pub(crate) protected: Option<Size>,
}

impl Known {
    /// A session that knows what the earlier run found out.
    pub(crate) fn session<'s>(
        self,
        input: &FileTree,
        predicate: &'s dyn Predicate,
        limits: Limits,
        observer: &'s mut dyn Observer,
    ) -> Session<'s> {
        let mut session = Session::new(input.clone(), predicate, limits, observer);
        session.remember(self.judgments);
        session.skip_again(self.skips);
        self.protected.into_iter().for_each(|size| session.protect(size));
        session
    }
}

/// The findings of a search.
pub(crate) struct Found<T> {
    pub(crate) outcome: Outcome,
    pub(crate) best: FileTree,
    pub(crate) counts: Counts,
    /// Findings that only this kind of search has.
    pub(crate) rest: T,
}

/// A run at its end.
pub(crate) struct Ended<T, C> {
    pub(crate) found: Found<T>,
    /// The result: the best of this run, or the earlier one if this run was stopped before it got
    /// there.
    pub(crate) best: FileTree,
    pub(crate) is_earlier: bool,
    /// Where the result was saved.
    pub(crate) saved: Option<PathBuf>,
    pub(crate) check: C,
}

/// A result that was run once more, and what that printed.
pub(crate) struct Rechecked<C> {
    pub(crate) check: C,
    pub(crate) printed: Option<OutputRecord>,
}

impl Run<'_> {
    /// Searches, saves the result in the form that `last_form` gives it, and checks that.
    pub(crate) fn drive<T, C>(
        self,
        watcher: &mut dyn Watcher,
        search: impl FnOnce(&mut Follow<'_>) -> Found<T>,
        last_form: impl FnOnce(&FileTree) -> anyhow::Result<FileTree>,
        check: impl FnOnce(&FileTree, &Found<T>, &mut dyn Watcher) -> Rechecked<C>,
    ) -> anyhow::Result<Ended<T, C>> {
        let Run { input, files, earlier, packed, measure, size, floor, failing } = self;
        watcher.search_begins(measure(input));
        let mut follow = Follow { packed, files, watcher, measure, floor };
        follow.improved(input).map_err(anyhow::Error::msg)?;
        failing.map_or(Ok(()), |failing| follow.printed(&failing)).map_err(anyhow::Error::msg)?;
        let found = search(&mut follow);
        follow.watcher.search_ends();
        // A resumed run that was stopped early may be behind the one before it.
        let ahead = earlier.filter(|earlier| found.outcome.stop.is_some() && size(earlier) < size(&found.best));
        let best = ahead.unwrap_or(&found.best).clone();
        let result = last_form(&best)?;
        // If this fails, for example on a full disk, the result saved last still stands.
        let is_complete = found.outcome.stop.is_none();
        let saved = follow.save(&result);
        let recorded = if is_complete && saved.is_ok() { follow.done(&best, found.counts.cached) } else { Ok(()) };
        let synced = follow.sync();
        [saved, recorded, synced].into_iter().for_each(|outcome| follow.warn_of(outcome));
        let Rechecked { check, printed } = check(&result, &found, follow.watcher);
        if let Some(printed) = printed {
            let noted = follow.printed(&printed).and_then(|()| follow.sync());
            follow.warn_of(noted);
        }
        let saved = follow.files.as_ref().map(|files| files.output.path().to_owned());
        Ok(Ended { is_earlier: ahead.is_some(), best, saved, check, found })
    }
}
