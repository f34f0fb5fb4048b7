//! Connects a session to the journal, the result on disk, and the watcher.

use crate::input;
use crate::output::Output;
use crate::watcher::Watcher;
use lapidary_reduce::journal::{OutputRecord, Resumed};
use lapidary_reduce::{
    Counts, Event, FileTree, Header, Journal, Judgment, Key, Observer, Size, Skip, StageEnd, StageInfo, Trial,
};

/// The files that a run leaves on disk.
pub(crate) struct Files {
    pub(crate) journal: Journal,
    pub(crate) output: Output,
}

/// The open journal and result, with what an earlier run left in them.
#[derive(Default)]
pub(crate) struct Opened {
    pub(crate) files: Option<Files>,
    pub(crate) known: Vec<(Key, Judgment)>,
    /// The stages that the earlier run skipped.
    pub(crate) skips: Vec<Skip>,
    /// The result as it was saved.
    pub(crate) earlier: Option<FileTree>,
}

impl Opened {
    /// Opens the journal. If this run resumes an earlier one, also reads its verdicts and result.
    pub(crate) fn of(output: Option<Output>, header: &Header, watcher: &mut dyn Watcher) -> anyhow::Result<Opened> {
        let Some(output) = output else { return Ok(Opened::default()) };
        let Resumed { journal, known, skips, damaged } = output.open_journal(header)?;
        if let Some(line) = damaged {
            let path = output.journal();
            let name = path.display();
            watcher.warning(&format!("{name} is damaged in line {line}; the run goes on from there"));
        }
        let earlier = if output.is_resumed() { input::read(output.path()).ok() } else { None };
        Ok(Opened { files: Some(Files { journal, output }), known, skips, earlier })
    }
}

/// Packs a candidate for saving.
pub(crate) type Packing<'a> = &'a dyn Fn(&FileTree) -> anyhow::Result<FileTree>;

/// Follows a session.
pub(crate) struct Follow<'a> {
    /// Packs a candidate in the form that the user wants.
    pub(crate) packed: Packing<'a>,
    /// The journal and the result, unless everything stays in memory.
    pub(crate) files: Option<Files>,
    pub(crate) watcher: &'a mut dyn Watcher,
    /// The size that is reported to the watcher.
    pub(crate) measure: fn(&FileTree) -> u64,
    /// The size of the result of an earlier run, which nothing larger may replace.
    pub(crate) floor: Option<Size>,
}

impl Follow<'_> {
    fn record(&mut self, write: impl FnOnce(&mut Journal) -> std::io::Result<()>) -> Result<(), String> {
        let Some(files) = &mut self.files else { return Ok(()) };
        write(&mut files.journal).map_err(|error| format!("cannot write {}: {error}", files.output.journal().display()))
    }

    /// Records in the journal that the search is complete, with so many answers from the cache.
    pub(crate) fn done(&mut self, best: &FileTree, cached: u64) -> Result<(), String> {
        self.record(|journal| journal.done(best.bytes(), cached))
    }

    /// Records in the journal what the test printed.
    pub(crate) fn printed(&mut self, output: &OutputRecord) -> Result<(), String> {
        self.record(|journal| journal.output(output))
    }

    /// Makes sure that result and journal survive a loss of power, as far as the file system can.
    pub(crate) fn sync(&mut self) -> Result<(), String> {
        let Some(files) = &mut self.files else { return Ok(()) };
        let synced = files.output.sync().and_then(|()| files.journal.sync());
        let path = files.output.path().display();
        synced.map_err(|error| format!("{path} might not survive a loss of power now: {error}"))
    }

    /// Tells the watcher of a problem that does not end the run.
    pub(crate) fn warn_of(&mut self, outcome: Result<(), String>) {
        outcome.unwrap_or_else(|problem| self.watcher.warning(&problem));
    }

    /// Replaces the saved result as a whole.
    pub(crate) fn save(&mut self, result: &FileTree) -> Result<(), String> {
        self.write(|output| output.save(result))
    }

    /// Changes the saved result. If that survives a loss of power now, so does the journal.
    fn write(&mut self, change: impl FnOnce(&mut Output) -> Result<bool, String>) -> Result<(), String> {
        let Some(files) = &mut self.files else { return Ok(()) };
        if change(&mut files.output)? {
            // Tests find again any lines that the journal loses.
            let _ = files.journal.sync();
        }
        Ok(())
    }
}

impl Observer for Follow<'_> {
    fn stage(&mut self, stage: &StageInfo<'_>) -> Result<(), String> {
        self.watcher.stage(stage);
        self.record(|journal| journal.stage(stage))
    }

    fn trying(&mut self, trial: &Trial<'_>) {
        self.watcher.trying(trial);
    }

    fn skipped(&mut self, stage: &StageInfo<'_>, answers: u64) -> Result<(), String> {
        self.watcher.skipped(stage);
        self.record(|journal| journal.skipped(stage, answers))
    }

    fn test(&mut self, event: &Event<'_>, counts: &Counts) -> Result<(), String> {
        self.watcher.test(event, counts);
        self.record(|journal| journal.test(event))?;
        self.write(Output::catch_up)
    }

    fn stage_ended(&mut self, end: &StageEnd<'_>) -> Result<(), String> {
        self.record(|journal| journal.stage_ended(end))
    }

    fn warning(&mut self, text: &str) {
        self.watcher.warning(text);
    }

    fn improved(&mut self, best: &FileTree) -> Result<(), String> {
        if self.floor.is_some_and(|floor| best.size() > floor) {
            return Ok(());
        }
        if self.files.is_some() {
            let packed = (self.packed)(best).map_err(|error| format!("{error:#}"))?;
            self.write(|output| output.offer(&packed))?;
        }
        self.watcher.improved(best, (self.measure)(best));
        Ok(())
    }
}
