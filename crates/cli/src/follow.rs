//! Follows a reduction: journal, result on disk, progress.

use crate::output::Output;
use crate::progress::Progress;
use lapidary_reduce::{Counts, Event, FileTree, Journal, Observer, Size, StageInfo};

pub struct Follow<'a> {
    /// The form in which the user wants the result.
    pub packed: &'a dyn Fn(&FileTree) -> anyhow::Result<FileTree>,
    pub journal: Journal,
    pub output: Output,
    pub progress: Progress,
    /// The size of what an earlier run left: nothing larger may take its place.
    pub floor: Option<Size>,
}

impl Observer for Follow<'_> {
    fn stage(&mut self, stage: &StageInfo<'_>) -> Result<(), String> {
        self.progress.stage(stage);
        self.journal.stage(stage).map_err(|error| self.cannot_record(&error))
    }

    fn test(&mut self, event: &Event<'_>, counts: &Counts) -> Result<(), String> {
        self.progress.test(counts);
        self.journal.test(event).map_err(|error| self.cannot_record(&error))
    }

    fn improved(&mut self, best: &FileTree) -> Result<(), String> {
        if self.floor.is_some_and(|floor| best.size() > floor) {
            return Ok(());
        }
        let packed = (self.packed)(best).map_err(|error| format!("{error:#}"))?;
        self.output.save(&packed)?;
        self.progress.improved(best.bytes());
        Ok(())
    }
}

impl Follow<'_> {
    fn cannot_record(&self, error: &std::io::Error) -> String {
        format!("cannot write {}: {error}", self.output.journal().display())
    }
}
